# SPDX-License-Identifier: BSD-2-Clause
# Tests: unit (cmocka, TAP), cli and root (TAP shell scripts), all run by prove.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(patsubst tests/unit/%.c,$(OUT)/tests/unit/%,$(UNIT_SRC))
# What several unit tests share.
UNIT_A	 := $(OUT)/libunit.a

# Programs that tests run: simulators, hostile workers. tests/cli/prog_X.c -> .output/tests/cli/prog_X
PROG_SRC := $(wildcard tests/cli/prog_*.c tests/root/prog_*.c)
PROG_BIN := $(patsubst %.c,$(OUT)/%,$(PROG_SRC))
# What is loaded before the engine. tests/root/preload_X.c -> .output/tests/root/preload_X.so
PRELOAD	 := $(patsubst %.c,$(OUT)/%.so,$(wildcard tests/root/preload_*.c))

# Functions that a test replaces: WRAP_test_X.
WRAP_test_perf := -Wl,--wrap=syscall,--wrap=read
WRAP_test_perf_faults := -Wl,--wrap=syscall,--wrap=read,--wrap=ioctl,--wrap=fork,--wrap=close
WRAP_test_hostinfo := -Wl,--wrap=syscall,--wrap=ioctl
WRAP_test_sandbox := -Wl,--wrap=unshare,--wrap=syscall,--wrap=fexecve,--wrap=fork
WRAP_test_filter := -Wl,--wrap=regcomp
WRAP_test_locate := -Wl,--wrap=strdup,--wrap=path_join,--wrap=realpath
WRAP_test_git_revisions := -Wl,--wrap=strdup
WRAP_test_versions := -Wl,--wrap=write
WRAP_test_watching := -Wl,--wrap=watch__open,--wrap=watch__enrol,--wrap=watch__read \
	-Wl,--wrap=watch__read_at,--wrap=watch__take_preemptors,--wrap=watch__lost,--wrap=getrusage
WRAP_test_dirs = -Wl,--wrap=open -Wl,--wrap=fsync -Wl,--wrap=renameat -Wl,--wrap=fclose
WRAP_test_atomic = -Wl,--wrap=open,--wrap=flock,--wrap=unlinkat,--wrap=renameat
WRAP_test_config_memory := -Wl,--wrap=malloc,--wrap=realloc,--wrap=calloc,--wrap=reallocarray,--wrap=strdup \
	-Wl,--wrap=strndup,--wrap=asprintf,--wrap=__asprintf_chk

# The simulation that finds the error rates anew: kernels of stats/ and one number parser.
CALIB_OBJ := $(call obj,$(wildcard tests/calibrate/*.c) engine/util/num.c)

# The same through the whole engine, over its simulator.
CALIB_ENGINE_OBJ := $(call obj,$(wildcard tests/calibrate/engine/*.c) tests/calibrate/table.c \
	tests/calibrate/tally.c)

# Fuzz targets. FUZZ_MAIN drives them: by default with what tests/fuzz/replay.t gives it.
FUZZ_BIN  := $(patsubst %.c,$(OUT)/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_MAIN ?= tests/fuzz/replay.c
FUZZER	  ?=

# What joust measures of itself, with its own library.
BENCH_BIN := $(patsubst %.c,$(OUT)/%,$(wildcard tests/bench/*.c))

.PHONY: programs asan-programs check-peak check-sites check-killed bench benches check-calibrate calibrate check-calibrate-engine \
	calibrate-engine mutate coverage coverage-run coverage-root coverage-root-run check-vectors check-unit \
	check-cli check-root check-real check-fuzz fuzz fuzz-run tsan tsan-run lint asan

$(UNIT_A): $(call obj,$(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c)))
	$(archive)

$(OUT)/tests/unit/%: tests/unit/%.c $(UNIT_A) $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -Iengine/worker $(LDFLAGS_ALL) $(WRAP_$(*F)) -o $@ $< \
	  $(UNIT_A) $(ENGINE_A) $(REPORT_A) $(STATS_A) -lcmocka $(LIBS)

# Archives of the program itself that one of them looks into: ARCHIVES_prog_X.
ARCHIVES_prog_coins := $(ENGINE_A) $(STATS_A)
$(OUT)/tests/cli/prog_coins: $(ARCHIVES_prog_coins)

$(OUT)/tests/cli/% $(OUT)/tests/root/%: $(LIB_A)
$(OUT)/tests/%: tests/%.c $(LIB_A)
	$(call say,PROG,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -Iengine/worker $(LDFLAGS_ALL) -o $@ $< $(ARCHIVES_$(*F)) \
	  $(LIB_A) -lm -lpthread

$(OUT)/tests/fuzz/%: tests/fuzz/%.c $(FUZZ_MAIN) $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -Iengine/worker $(LDFLAGS_ALL) $(FUZZER) -o $@ $< \
	  $(FUZZ_MAIN) $(ENGINE_A) $(REPORT_A) $(STATS_A) $(LIBS)

$(OUT)/tests/%.so: tests/%.c
	$(call say,SO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -fPIC -shared -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $<

$(OUT)/tests/bench/%: tests/bench/%.c $(LIB_A) $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,BENCH,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -Iengine/worker $(LDFLAGS_ALL) -o $@ $< \
	  $(LIB_A) $(ENGINE_A) $(REPORT_A) $(STATS_A) $(LIBS)

# What BPF records, against what is known and what the kernel says elsewhere; also linked statically,
# for machines that have nothing but a kernel.
PROOFS_OBJ := $(call obj,$(wildcard tests/root/interference/*.c) $(BPF_SRC))
PROOFS_BIN := $(if $(NO_BPF),,$(OUT)/tests/root/interference_proofs)

$(OUT)/tests/root/interference_proofs: $(PROOFS_OBJ)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lbpf -lelf -lz -lpthread

$(OUT)/tests/root/interference_proofs-static: $(PROOFS_OBJ)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -static $(LDFLAGS) -o $@ $^ -lbpf -lelf -lz -lpthread

$(OUT)/tests/joust-calibrate: $(CALIB_OBJ) $(STATS_A)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lm -lpthread

$(OUT)/tests/joust-calibrate-engine: $(CALIB_ENGINE_OBJ) $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)

# Every vector file of a directory: .output/tests/vectors tests/data/vectors
$(OUT)/tests/vectors: $(call obj,tests/vectors/main.c) $(UNIT_A) $(STATS_A)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lcmocka -lcjson -lm

# A locale whose decimal point is a comma: no machine need have one installed. The sources are glibc's.
LOCALES	:= $(OUT)/locale
COMMA	:= $(LOCALES)/de_DE.UTF-8/LC_NUMERIC
$(COMMA):
	$(call say,LOCALE,$(@D))
	$(Q)rm -rf $(@D) && mkdir -p $(LOCALES)
	$(Q)localedef --no-archive -i de_DE -f UTF-8 $(@D)

export JOUST_BIN = $(abspath $(OUT)/joust)
export JOUST_OUT = $(abspath $(OUT))
export CMOCKA_MESSAGE_OUTPUT = TAP

# Everything is built on all CPUs; what is then run, is run one after the other.
PARALLEL := -j"$$(nproc)"

programs: all $(UNIT_BIN) $(PROG_BIN) $(PRELOAD) $(PROOFS_BIN) $(OUT)/vm/amd64/cgroup_proofs $(OUT)/tests/vectors \
	$(OUT)/tests/joust-calibrate $(OUT)/tests/joust-calibrate-engine

asan-programs: $(UNIT_BIN) $(PROG_BIN) $(FUZZ_BIN) $(INIT_BIN)

check-all:
	$(Q)$(MAKE) $(PARALLEL) programs
	$(Q)$(MAKE) check-unit
	$(Q)$(MAKE) asan
	$(Q)$(MAKE) check-cli
	$(Q)$(MAKE) check-root
	$(Q)$(MAKE) check-vm
	$(Q)$(MAKE) check-vectors
	$(Q)$(MAKE) check-calibrate
	$(Q)$(MAKE) check-calibrate-engine
	$(Q)$(MAKE) lint

# Side by side: none of them looks at what another does, or at a time.
check-unit: $(UNIT_BIN) $(PROG_BIN) $(COMMA)
	$(Q)LOCPATH=$(abspath $(LOCALES)) $(PROVE) -j "$$(nproc)" -e tests/unit/tap $(UNIT_BIN)

UNDEFINED := -fsanitize=undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ASAN = OUT=$(OUT)/asan OPT='-O1 -g' SAN='-fsanitize=address $(UNDEFINED)'

asan:
	$(Q)$(MAKE) $(PARALLEL) $(ASAN) asan-programs
	$(Q)$(MAKE) $(ASAN) check-unit check-fuzz

# Every fuzz target with its seeds and what is made of them: seconds. `make asan` has it, too.
check-fuzz: $(FUZZ_BIN) $(INIT_BIN)
	$(Q)$(PROVE) tests/fuzz/replay.t

# libFuzzer, so long for each target (FUZZ: names, such as fuzz_words). What it finds stays in
# .output/fuzz/corpus, crashes in .output/fuzz.
FUZZ_SECONDS ?= 60
FUZZ	     ?= $(notdir $(FUZZ_BIN))
fuzz:
	$(Q)$(MAKE) OUT=$(OUT)/fuzz CC=$(CLANG) OPT='-O1 -g' FUZZ_MAIN= FUZZER=-fsanitize=fuzzer \
	  SAN='-fsanitize=fuzzer-no-link,address $(UNDEFINED)' fuzz-run

fuzz-run: $(addprefix $(OUT)/tests/fuzz/,$(FUZZ)) $(INIT_BIN)
	$(Q)tests/fuzz/run $(OUT) $(FUZZ_SECONDS) $(FUZZ)

# What runs in several threads: libjoust's counting of them, and kernels that replicate themselves.
TSAN_TESTS = $(addprefix $(OUT)/tests/unit/,test_libjoust test_stats_maxt) $(OUT)/tests/cli/prog_worker
tsan:
	$(Q)$(MAKE) OUT=$(OUT)/tsan OPT='-O1 -g' SAN='-fsanitize=thread -Wno-tsan -fno-omit-frame-pointer' tsan-run

tsan-run: $(TSAN_TESTS)
	$(Q)$(PROVE) tests/tsan.t

check-cli: all $(PROG_BIN)
	$(Q)$(PROVE) $(wildcard tests/cli/*.t)

check-root: all $(PROG_BIN) $(PRELOAD) $(PROOFS_BIN) $(OUT)/vm/amd64/cgroup_proofs
	$(Q)$(PROVE) $(wildcard tests/root/*.t)

# 200 comparisons of peak memory of each kind, half an hour: on request.
check-peak: all $(PROG_BIN) $(PRELOAD) $(OUT)/vm/amd64/cgroup_proofs
	$(Q)cd "$${TMPDIR:-/tmp}" && $(abspath $(OUT)/vm/amd64/cgroup_proofs) 200
	$(Q)tests/root/peak.t 200

# Every place of the engine where a call may fail, some hundred runs: on request.
check-sites: all $(PROG_BIN) $(PRELOAD)
	$(Q)tests/root/sites.t 1

# The engine killed at 100 moments of a run, some minutes: on request.
check-killed: all $(PROG_BIN)
	$(Q)MOMENTS=100 $(PROVE) tests/root/killed.t

check-real: all
	$(Q)tests/real/sqlite/run

check-vectors: $(OUT)/tests/vectors $(COMMA)
	$(Q)$(PROVE) tests/vectors/vectors.t

# Does a wrong kernel fail a test? Up to 200 changes of stats/, some minutes. MUTATE=--all: every one.
mutate:
	$(Q)OUT=$(OUT) CC=$(CC) scripts/mutate --jobs "$$(nproc)" $(MUTATE)

# Which lines and branches of stats/ its tests reach.
STATS_TESTS := $(filter $(OUT)/tests/unit/test_stats_%,$(UNIT_BIN))

coverage:
	$(Q)$(MAKE) OUT=$(OUT)/coverage OPT='-O0 -g' SAN=--coverage coverage-run

# Of what speaks with the kernel, by the tests that need root: real kernel paths, nothing simulated.
# Whether they pass is for check-root: counts cannot be written inside a sandbox, which some notice.
coverage-root:
	$(Q)$(MAKE) OUT=$(OUT)/coverage OPT='-O0 -g' SAN=--coverage coverage-root-run

coverage-root-run: all $(PROG_BIN) $(PRELOAD) $(PROOFS_BIN) $(OUT)/vm/amd64/cgroup_proofs
	$(Q)find $(OUT) -name '*.gcda' -exec rm -f {} +
	-$(Q)$(PROVE) $(wildcard tests/root/*.t)
	$(Q)scripts/coverage engine/host $(OUT)/obj/engine/host 70 0
	$(Q)scripts/coverage engine/worker $(OUT)/obj/engine/worker 70 0

coverage-run: $(STATS_TESTS)
	$(Q)find $(OUT) -name '*.gcda' -exec rm -f {} +
	$(Q)$(PROVE) -e tests/unit/tap $(STATS_TESTS)
	$(Q)scripts/coverage stats $(OUT)/obj/stats 95 90

# Some seconds; a part of every check. The long form: make calibrate.
check-calibrate: $(OUT)/tests/joust-calibrate
	$(Q)$< --short > $(OUT)/calibrate-short.txt || { cat $(OUT)/calibrate-short.txt; exit 1; }
	$(Q)tail -n 1 $(OUT)/calibrate-short.txt

calibrate: $(OUT)/tests/joust-calibrate
	$(Q)$< --threads "$$(nproc)"

check-calibrate-engine: $(OUT)/tests/joust-calibrate-engine
	$(Q)$< --short > $(OUT)/calibrate-engine-short.txt || \
	  { cat $(OUT)/calibrate-engine-short.txt; exit 1; }
	$(Q)tail -n 1 $(OUT)/calibrate-engine-short.txt
	$(Q)$(PROVE) tests/calibrate/engine/bytes.t

# 20,000 runs of every row: hours of CPU time. The program takes them one kind at a time, too.
calibrate-engine: $(OUT)/tests/joust-calibrate-engine
	$(Q)$< --threads "$$(nproc)"

benches: $(BENCH_BIN)

# Never a part of check: a time says nothing on a machine that is not quiet.
bench: benches
	$(Q)$(OUT)/tests/bench/maxt_speed
	$(Q)$(OUT)/tests/bench/counters_speed
	$(Q)$(OUT)/tests/bench/bench_stats
	$(Q)$(OUT)/tests/bench/bench_sandbox
	$(Q)$(OUT)/tests/bench/bench_interference || [ $$? -eq 77 ]

include tests/vm/vm.mk

lint:
	$(Q)scripts/lint
