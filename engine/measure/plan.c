/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan.h"
#include <math.h>

#define MS 1e6

struct step {
	double up_to_ns;
	size_t value;
};

/* The first step that reaches `ns`. Tables end with an infinite one. */
static size_t step_for(const struct step *steps, double ns)
{
	while (ns > steps->up_to_ns)
		steps++;
	return steps->value;
}

uint64_t plan_iterations(double per_iteration_ns, double slice_ns)
{
	return per_iteration_ns >= slice_ns ? 1 : (uint64_t)ceil(slice_ns / per_iteration_ns);
}

void plan_window(double per_iteration_ns, size_t threads, uint64_t *ret_n, size_t *ret_k)
{
	static const struct step slices[] = {{1 * MS, 5}, {5 * MS, 3}, {INFINITY, 1}};
	double target = threads > 1 ? 5 * SLICE_TARGET_NS : SLICE_TARGET_NS;

	/* The process clock is exact only at the ends of a window, with the other threads parked. */
	*ret_k = threads > 1 ? 1 : step_for(slices, per_iteration_ns);
	*ret_n = plan_iterations(per_iteration_ns, target);
}

size_t plan_function_pairs(double start_both_ns)
{
	static const struct step pairs[] = {{3 * MS, 3}, {10 * MS, 5}, {INFINITY, 9}};

	return step_for(pairs, start_both_ns);
}

size_t plan_command_pairs(double cpu_ns)
{
	static const struct step pairs[] = {
		{5 * MS, 9}, {50 * MS, 5}, {500 * MS, 3}, {INFINITY, 1}};

	return step_for(pairs, cpu_ns);
}

size_t plan_blocks(double fresh_pair_ns)
{
	return fresh_pair_ns > 1000 * MS ? 20 : 0;
}
