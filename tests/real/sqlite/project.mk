# SPDX-License-Identifier: BSD-2-Clause
# The Makefile of the repository that tests/real/sqlite/run makes: SQLite's amalgamation and our benchmark.
CC	?= cc
CFLAGS	?= -O2 -g
# What its documentation recommends for a single-threaded program.
OPTIONS	:= -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_DQS=0 \
	   -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_OMIT_SHARED_CACHE -DSQLITE_ENABLE_JSON1
WARN	:= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes

.PHONY: bench
bench: build/bench-sqlite

build/sqlite3.o: sqlite3.c sqlite3.h
	@mkdir -p build
	$(CC) $(CFLAGS) $(OPTIONS) -c -o $@ sqlite3.c

build/bench-sqlite.o: bench-sqlite.c sqlite3.h
	@mkdir -p build
	$(CC) -std=gnu11 $(WARN) $(CFLAGS) -I$(JOUST_PREFIX)/include -c -o $@ bench-sqlite.c

build/bench-sqlite: build/bench-sqlite.o build/sqlite3.o
	$(CC) $(LDFLAGS) -o $@ $^ $(JOUST_PREFIX)/lib/libjoust.a -lm -lpthread
