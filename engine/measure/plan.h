/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What a benchmark is measured with, by what it costs. Pure. */
#include <stddef.h>
#include <stdint.h>

#define SLICE_TARGET_NS 100000.0 /* 0.1 ms: about the time between two disturbances is the worst */
#define SLICE_QUIET_NS	200000.0 /* where few slices are disturbed: sharper sums */

/* Iterations of a slice of at least `slice_ns`. */
uint64_t plan_iterations(double per_iteration_ns, double slice_ns);
/* Iterations per slice and slices per window for an iteration of `per_iteration_ns`. */
void plan_window(double per_iteration_ns, size_t threads, uint64_t *ret_n, size_t *ret_k);
/* Pairs per block: function benchmarks by the cost of starting both workers, commands by their own. */
size_t plan_function_pairs(double start_both_ns);
size_t plan_command_pairs(double cpu_ns);
/* Blocks per stage where one pair of fresh processes costs more than 1 s: 20; else 0 (default). */
size_t plan_blocks(double fresh_pair_ns);
