# SPDX-License-Identifier: BSD-2-Clause
# The Makefile of the repository that tests/real/causes/table makes; cause.mk has the cause of a version.
CC	?= cc
CFLAGS	?= -O2 -g
include cause.mk

.PHONY: bench
bench: build/causes

build/causes.o: causes.c cause.mk
	@mkdir -p build
	$(CC) -std=gnu11 -Wall -Wextra $(CFLAGS) $(CAUSE) -I$(JOUST_PREFIX)/include -c -o $@ $<

build/causes: build/causes.o
	$(CC) $(LDFLAGS) -o $@ $^ $(JOUST_PREFIX)/lib/libjoust.a -lm -lpthread
