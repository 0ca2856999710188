# SPDX-License-Identifier: BSD-2-Clause
# joust: everything is built under .output/; `make V=1` shows the commands.
# Nothing here runs a tool while the file is parsed, so that `make demo` and `make check` work on a
# machine that has none of the packages yet: they run scripts/deps first.

OUT	?= .output
PREFIX	?= /usr/local
DESTDIR	?=
VERSION	:= 0.1.0

CC	?= gcc
CXX	?= g++
AR	?= ar
LDCONFIG ?= ldconfig
PROVE	?= prove

WARN	:= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wformat=2 \
	   -Wvla -Wundef
ifneq ($(CI),)
WARN	+= -Werror
endif
HARDEN	:= -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE
OPT	?= -O2 -g
SAN	?=
# A verdict must not differ between machines: no contraction to FMA, no fast-math.
CFLAGS_ALL = -std=gnu11 $(OPT) $(WARN) $(if $(SAN),$(SAN),$(HARDEN)) -ffp-contract=off \
	   -fno-strict-aliasing -D_GNU_SOURCE -DJOUST_VERSION='"$(VERSION)"' -MMD -MP $(CFLAGS)
LDFLAGS_ALL = $(if $(SAN),$(SAN),-pie -Wl,-z,relro,-z,now) $(LDFLAGS)
LIBS	:= $(if $(NO_BPF),,-lbpf) -lgit2 -lelf -lz -lcjson -lseccomp -lm -lpthread

# NO_BPF=1 builds without clang, bpftool and libbpf; interference is then read from getrusage.
NO_BPF	?=
CLANG	?= clang
BPFTOOL	?= bpftool

ifeq ($(V),1)
Q :=
say =
else
Q := @
say = @printf '  %-7s %s\n' $(1) $(2);
MAKEFLAGS += --no-print-directory
endif

STATS_SRC  := $(wildcard stats/*.c)
REPORT_SRC := $(wildcard report/*.c)
ENGINE_SRC := $(filter-out engine/main.c,$(wildcard engine/*.c engine/*/*.c))
# What reads a record of interference, or a counter without a system call, is part of the engine
# and of libjoust.
READ_SRC   := bpf/interference_read.c
BPF_SRC	   := $(READ_SRC) bpf/watch_result.c bpf/watch_culprits.c \
	      $(if $(NO_BPF),bpf/watch_none.c,bpf/heap.c bpf/watch.c)
LIB_SRC	   := $(wildcard engine/worker/libjoust/*.c) engine/worker/userread.c $(READ_SRC)
obj = $(patsubst %.c,$(OUT)/obj/%.o,$(1))

STATS_A	 := $(OUT)/libstats.a
REPORT_A := $(OUT)/libreport.a
ENGINE_A := $(OUT)/libengine.a
LIB_A	 := $(OUT)/libjoust.a
LIB_SO	 := $(OUT)/libjoust.so

.PHONY: all deps demo check check-all install clean FORCE
.DELETE_ON_ERROR:
.SUFFIXES:

all: $(OUT)/joust $(LIB_A) $(LIB_SO) $(OUT)/joust.pc

deps:
	$(Q)scripts/deps

$(OUT)/obj/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -I. -Ireport -Istats -c -o $@ $<

# Changes when NO_BPF does, and with it the archive.
$(OUT)/bpf/choice: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)echo 'NO_BPF=$(NO_BPF)' | cmp -s - $@ || echo 'NO_BPF=$(NO_BPF)' > $@

# v3: atomics that return what was there. Debian's bpftool is in a directory that users do not search.
$(OUT)/bpf/%.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)arch=$$($(CC) -dumpmachine | sed 's/-.*//; s/x86_64/x86/; s/aarch64/arm64/'); \
	$(CLANG) -target bpf -mcpu=v3 -ffreestanding -O2 -g -Wall -Wextra -Wno-unused-parameter \
	  -D__TARGET_ARCH_$$arch -MMD -MP -c -o $@ $<

$(OUT)/bpf/%.skel.h: $(OUT)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)PATH="$$PATH:/usr/sbin" $(BPFTOOL) gen skeleton $< name $* > $@

$(OUT)/obj/bpf/watch.o: CFLAGS_ALL += -I$(OUT)/bpf
$(OUT)/obj/bpf/watch.o: $(OUT)/bpf/interference.skel.h

# libjoust is linked into other people's programs and shared objects: PIC, nothing but libc.
$(OUT)/pic/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -fPIC -Iengine/worker -c -o $@ $<

# PID 1 of a sandbox: a program without libc, held within the engine.
INIT_BIN := $(OUT)/joust-init
$(INIT_BIN): engine/host/init.S
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -nostdlib -nostartfiles -static -no-pie -Wl,--build-id=none -Wl,-z,noseparate-code -s -o $@ $<

$(OUT)/obj/engine/host/sandbox.o: $(INIT_BIN)
$(OUT)/obj/engine/host/sandbox.o: CFLAGS += -DINIT_PROGRAM='"$(INIT_BIN)"'

define archive
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
endef
$(STATS_A): $(call obj,$(STATS_SRC))
	$(archive)
$(REPORT_A): $(call obj,$(REPORT_SRC))
	$(archive)
$(ENGINE_A): $(call obj,$(ENGINE_SRC) $(BPF_SRC)) $(OUT)/bpf/choice
	$(archive)
$(LIB_A): $(patsubst %.c,$(OUT)/pic/%.o,$(LIB_SRC))
	$(archive)

$(LIB_SO): $(patsubst %.c,$(OUT)/pic/%.o,$(LIB_SRC))
	$(call say,LD,$@)
	$(Q)$(CC) $(SAN) -shared -Wl,-soname,libjoust.so.0 -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^ -lm -lpthread
	$(Q)ln -sf libjoust.so $(OUT)/libjoust.so.0

$(OUT)/joust: $(OUT)/obj/engine/main.o $(ENGINE_A) $(REPORT_A) $(STATS_A)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)

# /usr/local/lib is searched once ldconfig has run, other prefixes never: programs name the directory.
comma := ,
RPATH = $(if $(filter-out /usr,$(PREFIX)),-Wl$(comma)-rpath$(comma)$${libdir} )

# Always: it depends on PREFIX, which `make install` may give for the first time.
$(OUT)/joust.pc: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
	  'Name: joust' 'Description: benchmarks that joust compares' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} $(RPATH)-ljoust' 'Libs.private: -lm -lpthread' \
	  'Cflags: -I$${includedir}' > $@

include tests/tests.mk

demo:
	$(Q)scripts/deps demo
	$(Q)$(MAKE) all
	$(Q)examples/demo

# Two passes: a package that scripts/deps installs must be there before anything is built.
# Without an emulator the tests in guests are skipped, and say so.
check:
	$(Q)scripts/deps
	$(Q)scripts/deps vm || :
	$(Q)$(MAKE) check-all

install: all
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
	  $(DESTDIR)$(PREFIX)/lib/pkgconfig
	$(Q)install -m 755 $(OUT)/joust $(DESTDIR)$(PREFIX)/bin/joust
	$(Q)install -m 644 engine/worker/joust.h $(DESTDIR)$(PREFIX)/include/joust.h
	$(Q)install -m 644 $(LIB_A) $(DESTDIR)$(PREFIX)/lib/libjoust.a
	$(Q)install -m 755 $(LIB_SO) $(DESTDIR)$(PREFIX)/lib/libjoust.so.0
	$(Q)ln -sf libjoust.so.0 $(DESTDIR)$(PREFIX)/lib/libjoust.so
	$(Q)install -m 644 $(OUT)/joust.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/joust.pc
	$(Q)[ -n "$(DESTDIR)" ] || if [ "$$(id -u)" -eq 0 ]; then \
	  PATH="$$PATH:/usr/sbin:/sbin" $(LDCONFIG) || echo "$(LDCONFIG) failed: programs may not find libjoust.so.0"; \
	else echo "Where $(PREFIX)/lib is one of the system's directories, run $(LDCONFIG) as root."; fi

clean:
	$(Q)rm -rf $(OUT)

-include $(wildcard $(OUT)/obj/*/*.d $(OUT)/obj/*/*/*.d $(OUT)/obj/*/*/*/*.d $(OUT)/bpf/*.d $(OUT)/pic/*/*.d \
  $(OUT)/pic/*/*/*.d $(OUT)/pic/*/*/*/*.d $(OUT)/tests/*/*.d)
