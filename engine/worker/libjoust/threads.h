/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * CPU time of all threads of a worker. The sum of the threads' own clocks is exact while they run
 * (the kernel brings each up to date as it is read); the process clock is exact only while the other
 * threads are off the CPU, because it lags theirs by up to a tick, but it knows threads that were
 * born and died in between. Two readings of the others' clocks that are equal prove that they stood
 * still.
 */
#include <stdbool.h>
#include <stdint.h>
#include "../protocol.h"
#include "counters.h"

#pragma GCC visibility push(hidden)

#define JOUST_THREADS_MAX 512

/* The clocks around one end of a window. */
struct joust_threads_look {
	uint64_t sum_before_ns, process_ns, sum_after_ns;
	bool parked; /* no other thread ran in between */
};

struct joust_threads {
	bool several; /* declared; else only the caller's clock is read, and the rest is foreign */
	int dir_fd;   /* -1: /proc cannot be read */
	uint32_t cnt; /* known at the beginning of the window; 0: not known */
	int32_t self;
	int32_t tid[JOUST_THREADS_MAX];
	uint64_t from_ns[JOUST_THREADS_MAX], at_ns[JOUST_THREADS_MAX]; /* first look, last look */
	struct joust_threads_look begin;
	struct interference_row row[PROTOCOL_THREADS_MAX]; /* at the beginning */
	uint32_t row_index[PROTOCOL_THREADS_MAX];	   /* in the record */
	uint32_t rows_cnt;
};

void joust_threads__init(struct joust_threads *t, bool several);
/* Once, when the body has reached its loop. */
void joust_threads__open(struct joust_threads *t);

/* CPU time so far, of all known threads: for the ends of slices. */
uint64_t joust_threads__cpu_ns(const struct joust_threads *t);

void joust_threads__begin(struct joust_threads *t, const struct joust_sources *s);
/* The clocks at an end of a window; the last one is looked at before anything else is read. */
void joust_threads__look(struct joust_threads *t, struct joust_threads_look *ret);
/*
 * Says in the sample what its CPU times are, corrects them where the process clock is the only one
 * that saw everything, adds what undeclared threads used to foreign_cpu_ns, and fills the rows. The
 * slices and the counters of the sample must be there.
 */
void joust_threads__end(struct joust_threads *t, const struct joust_sources *s,
			const struct joust_threads_look *end, struct frame_sample *sample);

#pragma GCC visibility pop
