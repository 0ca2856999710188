/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Benchmarks whose instructions are known, in a real worker of libjoust: the program of a proof itself,
 * started once more. Every failure here ends the program (tap_die).
 */
#include <stdint.h>
#include "../../engine/worker/worker.h"

/* Spins so many trips in every iteration. */
#define BENCH_SPIN "spin"
/* As often as BENCH_ROWS threads together: the i-th spins i times as many trips. */
#define BENCH_ROWS_NAME "rows"
#define BENCH_ROWS	4
/* In every iteration a thread is born, spins so many trips, and is gone. */
#define BENCH_BORN "born"

/*
 * A reading in user space that a tick or a switch comes into is made once more (the page's sequence
 * count): some 20 instructions of the worker's own.
 */
#define BENCH_REREAD 64

/* First of all in main(): serves and ends the program where it has been started as a worker. */
void bench_serve(int argc, char **argv);

/* A worker that has reached the loop of benchmark `name`, with these trips an iteration. */
void bench_start(struct worker *w, const char *name, uint64_t trips,
		 const struct worker_sources *sources);
/* The hardware's reading over one window of n iterations. */
struct frame_reading bench_window(struct worker *w, uint64_t n);
/* Its instructions. Ends the program unless they were counted all the while. */
uint64_t bench_instructions(struct worker *w, uint64_t n);
/* Ends it as the engine does: out of its loop, exit status 0. */
void bench_end(struct worker *w);
