# SPDX-License-Identifier: BSD-2-Clause
# Static programs for the guests of scripts/vm, and the guests as a part of `make check`.

# Programs by name: tests/vm/X_proofs.c and what misbehaves on purpose. The rest is linked into all.
VM_TOOLS := tests/vm/init.c tests/vm/pack.c
VM_PROG	 := $(wildcard tests/vm/*_proofs.c) tests/vm/misbehave.c
VM_LIB	 := $(filter-out $(VM_TOOLS) $(VM_PROG),$(wildcard tests/vm/*.c))
VM_NAMES := init $(patsubst tests/vm/%.c,%,$(VM_PROG)) interference_proofs

# What arm64 has of the program: all that needs neither libgit2 nor cJSON.
VM_SRC = $(STATS_SRC) $(filter-out report/json_read% report/json_fields.c,$(REPORT_SRC)) \
	$(wildcard engine/util/*.c engine/host/*.c engine/decide/*.c) \
	$(wildcard engine/measure/run*.c) engine/measure/gate.c engine/measure/plan.c \
	engine/measure/schedule.c engine/measure/values.c engine/worker/userread.c \
	engine/worker/link.c engine/worker/worker.c \
	$(filter-out %/main.c,$(wildcard engine/worker/libjoust/*.c)) $(BPF_SRC)
VM_LIBS = -lseccomp $(if $(NO_BPF),,-lbpf) -lelf -lz -lm -lpthread
VM_INTERFERENCE := $(wildcard tests/root/interference/*.c)
VM_ARM := $(OUT)/vm/arm64
ARM_CC ?= aarch64-linux-gnu-gcc
ARM_SYSROOT := $(OUT)/sysroot-arm64
ARM_FLAGS = $(CFLAGS_ALL) -I. -Ireport -Istats -Iengine/worker -I$(OUT)/bpf -isystem $(ARM_SYSROOT)/usr/include
ARM_LIBS = -L$(ARM_SYSROOT)/usr/lib/aarch64-linux-gnu $(VM_LIBS)

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
$(OUT)/vm/amd64/%: tests/vm/%.c $(OUT)/vm/amd64/libvm.a $(ENGINE_A) $(REPORT_A) $(STATS_A) $(LIB_A)
	$(call say,VM,$@)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -static -o $@ $< $(filter %.a,$^) \
	  $(VM_LIBS)

$(OUT)/vm/amd64/interference_proofs: $(call obj,$(VM_INTERFERENCE)) $(ENGINE_A) $(REPORT_A)
	$(call say,VM,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -static -o $@ $^ $(VM_LIBS)

$(VM_ARM)/obj/%.o: %.c $(ARM_SYSROOT)/complete
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ARM_CC) $(ARM_FLAGS) -c -o $@ $<
$(VM_ARM)/sandbox-init: engine/host/init.S $(ARM_SYSROOT)/complete
	$(Q)mkdir -p $(@D)
	$(Q)$(ARM_CC) -nostdlib -static -no-pie -s -o $@ $<
$(VM_ARM)/obj/engine/host/sandbox.o: $(VM_ARM)/sandbox-init
$(VM_ARM)/obj/engine/host/sandbox.o: ARM_FLAGS += -DINIT_PROGRAM='"$(VM_ARM)/sandbox-init"'
$(VM_ARM)/obj/bpf/watch.o: $(if $(NO_BPF),,$(OUT)/bpf/interference.skel.h)
$(VM_ARM)/libvm.a: $(patsubst %.c,$(VM_ARM)/obj/%.o,$(VM_LIB) $(VM_SRC))
	$(archive)
$(VM_ARM)/%: tests/vm/%.c $(VM_ARM)/libvm.a
	$(call say,VM,$@)
	$(Q)$(ARM_CC) $(ARM_FLAGS) -static -o $@ $< $(VM_ARM)/libvm.a $(ARM_LIBS)
$(VM_ARM)/interference_proofs: $(patsubst %.c,$(VM_ARM)/obj/%.o,$(VM_INTERFERENCE)) $(VM_ARM)/libvm.a
	$(call say,VM,$@)
	$(Q)$(ARM_CC) -static -o $@ $^ $(ARM_LIBS)

$(ARM_SYSROOT)/complete:
	$(Q)OUT=$(OUT) scripts/vm --sysroot

# The same proofs on a machine of metal: run by hand. Exit status 77 where nothing can be counted.
HW_BIN := $(patsubst %,$(OUT)/vm/amd64/%_proofs,counter thread userread worker planted)

check-hw: $(HW_BIN)
	$(Q)ran=77; for proof in $(HW_BIN); do \
		echo "# $$proof"; "$$proof" --metal; status=$$?; \
		case $$status in 77) ;; 0) [ $$ran -eq 1 ] || ran=0 ;; *) ran=1 ;; esac; \
	done; \
	[ $$ran -ne 77 ] || echo "# check-hw: nothing could be counted by the hardware here: skipped (77)"; \
	exit $$ran

check-vm:
	$(Q)OUT=$(OUT) $(PROVE) $(wildcard tests/vm/*.t)

-include $(wildcard $(patsubst %,$(OUT)/vm/*/%.d,* obj/*/* obj/*/*/* obj/*/*/*/*))
