# SPDX-License-Identifier: BSD-2-Clause
# Tests: unit (cmocka, TAP), cli and root (TAP shell scripts), all run by prove.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(patsubst tests/unit/%.c,$(OUT)/tests/unit/%,$(UNIT_SRC))
# What several unit tests share.
UNIT_A	 := $(OUT)/libunit.a

# Programs that tests run: simulators, hostile workers. tests/cli/prog_X.c -> .output/tests/cli/prog_X
PROG_SRC := $(wildcard tests/cli/prog_*.c tests/root/prog_*.c)
PROG_BIN := $(patsubst %.c,$(OUT)/%,$(PROG_SRC))

# Functions that a test replaces: WRAP_test_X.
WRAP_test_perf := -Wl,--wrap=syscall,--wrap=read
WRAP_test_dirs = -Wl,--wrap=fsync -Wl,--wrap=renameat -Wl,--wrap=fclose

# The simulation that finds the error rates anew: kernels of stats/ and one number parser.
CALIB_OBJ := $(call obj,$(wildcard tests/calibrate/*.c) engine/util/num.c)

# What joust measures of itself, with its own library.
BENCH_BIN := $(patsubst %.c,$(OUT)/%,$(wildcard tests/bench/*.c))

.PHONY: bench benches check-calibrate calibrate check-unit check-asan check-cli check-root check-real lint asan

$(UNIT_A): $(call obj,$(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c)))
	$(archive)

$(OUT)/tests/unit/%: tests/unit/%.c $(UNIT_A) $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -Iengine/worker $(LDFLAGS_ALL) $(WRAP_$(*F)) -o $@ $< \
	  $(UNIT_A) $(ENGINE_A) $(REPORT_A) $(STATS_A) -lcmocka $(LIBS)

$(OUT)/tests/cli/% $(OUT)/tests/root/%: $(LIB_A)
$(OUT)/tests/%: tests/%.c $(LIB_A)
	$(call say,PROG,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -Iengine/worker $(LDFLAGS_ALL) -o $@ $< $(LIB_A) -lm -lpthread

$(OUT)/tests/bench/%: tests/bench/%.c $(LIB_A) $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,BENCH,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -Iengine/worker $(LDFLAGS_ALL) -o $@ $< \
	  $(LIB_A) $(ENGINE_A) $(REPORT_A) $(STATS_A) $(LIBS)

$(OUT)/tests/joust-calibrate: $(CALIB_OBJ) $(STATS_A)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lm -lpthread

export JOUST_BIN = $(abspath $(OUT)/joust)
export JOUST_OUT = $(abspath $(OUT))
export CMOCKA_MESSAGE_OUTPUT = TAP

check-all: all
	$(Q)$(MAKE) check-unit
	$(Q)$(MAKE) asan
	$(Q)$(MAKE) check-cli
	$(Q)$(MAKE) check-root
	$(Q)$(MAKE) check-calibrate

check-unit: $(UNIT_BIN) $(PROG_BIN)
	$(Q)$(PROVE) -e '' $(UNIT_BIN)

asan:
	$(Q)$(MAKE) OUT=$(OUT)/asan OPT='-O1 -g' \
	  SAN='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer' check-unit

check-cli: all $(PROG_BIN)
	$(Q)$(PROVE) $(wildcard tests/cli/*.t)

check-root: all $(PROG_BIN)
	$(Q)$(PROVE) $(wildcard tests/root/*.t)

check-real: all
	$(Q)tests/real/sqlite/run

# Some seconds; a part of every check. The long form: make calibrate.
check-calibrate: $(OUT)/tests/joust-calibrate
	$(Q)$< --short > $(OUT)/calibrate-short.txt || { cat $(OUT)/calibrate-short.txt; exit 1; }
	$(Q)tail -n 1 $(OUT)/calibrate-short.txt

calibrate: $(OUT)/tests/joust-calibrate
	$(Q)$< --threads "$$(nproc)"

benches: $(BENCH_BIN)

# Never a part of check: a time says nothing on a machine that is not quiet.
bench: benches
	$(Q)$(OUT)/tests/bench/maxt_speed
	$(Q)$(OUT)/tests/bench/bench_stats

lint:
	$(Q)scripts/lint
