# SPDX-License-Identifier: BSD-2-Clause
# Static programs for the guests of scripts/vm, and the guests as a part of `make check`.

# Programs by name: tests/vm/X_proofs.c and what misbehaves on purpose. The rest is linked into all.
VM_TOOLS := tests/vm/init.c tests/vm/pack.c
VM_PROG	 := $(wildcard tests/vm/*_proofs.c) tests/vm/misbehave.c
VM_LIB	 := $(filter-out $(VM_TOOLS) $(VM_PROG),$(wildcard tests/vm/*.c))
VM_NAMES := init $(patsubst tests/vm/%.c,%,$(VM_PROG))

# What arm64 has of the program: nothing that a library of another package is needed for.
VM_SRC := $(STATS_SRC) $(REPORT_SRC) $(wildcard engine/util/*.c engine/host/*.c engine/decide/*.c) \
	engine/measure/run.c engine/measure/schedule.c engine/measure/values.c engine/worker/userread.c
VM_ARM := $(OUT)/vm/arm64
ARM_CC ?= aarch64-linux-gnu-gcc
ARM_SYSROOT := $(OUT)/sysroot-arm64
ARM_FLAGS = $(CFLAGS_ALL) -I. -Ireport -Istats -isystem $(ARM_SYSROOT)/usr/include

.PHONY: vm-amd64 vm-arm64 check-vm check-hw

vm-amd64: $(OUT)/vm/pack $(VM_NAMES:%=$(OUT)/vm/amd64/%)
vm-arm64: $(OUT)/vm/pack $(VM_NAMES:%=$(VM_ARM)/%)

$(OUT)/vm/pack: tests/vm/pack.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $<

$(OUT)/vm/amd64/libvm.a: $(call obj,$(VM_LIB))
	$(Q)mkdir -p $(@D)
	$(archive)
$(OUT)/vm/amd64/%: tests/vm/%.c $(OUT)/vm/amd64/libvm.a $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,VM,$@)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -static -o $@ $< $(filter %.a,$^) -lm -lpthread

$(VM_ARM)/obj/%.o: %.c $(ARM_SYSROOT)/complete
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ARM_CC) $(ARM_FLAGS) -c -o $@ $<
$(VM_ARM)/libvm.a: $(patsubst %.c,$(VM_ARM)/obj/%.o,$(VM_LIB) $(VM_SRC))
	$(archive)
$(VM_ARM)/%: tests/vm/%.c $(VM_ARM)/libvm.a
	$(call say,VM,$@)
	$(Q)$(ARM_CC) $(ARM_FLAGS) -static -o $@ $< $(VM_ARM)/libvm.a -lm -lpthread

$(ARM_SYSROOT)/complete:
	$(Q)OUT=$(OUT) scripts/vm --sysroot

check-vm:
	$(Q)OUT=$(OUT) $(PROVE) $(wildcard tests/vm/*.t)

-include $(wildcard $(OUT)/vm/*/*.d $(OUT)/vm/*/obj/*/*.d $(OUT)/vm/*/obj/*/*/*.d)
