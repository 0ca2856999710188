# SPDX-License-Identifier: BSD-2-Clause
# The Makefile of the repositories that tests/real/kernels/ makes.
CC	?= cc
CFLAGS	?= -O2 -g

.PHONY: bench
bench: build/kernels

build/%.o: %.c
	@mkdir -p build
	$(CC) -std=gnu11 -Wall -Wextra $(CFLAGS) -I$(JOUST_PREFIX)/include -c -o $@ $<

build/kernels: build/kernels.o
	$(CC) $(LDFLAGS) -o $@ $^ $(JOUST_PREFIX)/lib/libjoust.a -lm -lpthread
