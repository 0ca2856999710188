/* SPDX-License-Identifier: BSD-2-Clause */
#include "burn.h"
#include <string.h>
#include <time.h>

#define TRIALS	    3	   /* the fastest is believed: the others were disturbed */
#define TRIAL_STEPS 100000 /* about 0.1 ms: a reading of the clock is half a percent of it */

/* Each step waits for the one before, so that nothing of the benchmark runs beside it. */
__attribute__((noinline)) void joust_burn_count(uint64_t steps)
{
	uint64_t x = steps;

	for (uint64_t i = 0; i < steps; i++) {
		x *= 6364136223846793005u;
		__asm__ volatile("" : "+r"(x));
	}
}

static double cpu_ns(void)
{
	struct timespec ts = {0};

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts); /* exists on every Linux */
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static double measure_steps(void)
{
	double best = 0;

	for (int i = 0; i < TRIALS; i++) {
		double from = cpu_ns(), spent;

		joust_burn_count(TRIAL_STEPS);
		spent = cpu_ns() - from;
		if (spent > 0 && TRIAL_STEPS / spent > best)
			best = TRIAL_STEPS / spent;
	}
	return best;
}

/*
 * The fastest slice of all, as the fastest trial: what slows both down, slows the burning down as well when
 * it comes to that, and would be counted twice by an average.
 */
static double least_slice_ns(const struct frame_sample *s)
{
	uint64_t least = s->cpu_ns[0];

	for (uint32_t i = 1; i < s->k && i < PROTOCOL_SLICES_MAX; i++)
		if (s->cpu_ns[i] < least)
			least = s->cpu_ns[i];
	return (double)least;
}

void joust_burn__learn(struct joust_burn *burn, const struct frame_sample *s, uint32_t ppm)
{
	double each;

	if (!burn->steps_per_ns)
		burn->steps_per_ns = measure_steps();
	if (!s->n)
		return;
	each = least_slice_ns(s) / (double)s->n / (1 + ppm / 1e6);
	if (!burn->iteration_ns || each < burn->iteration_ns)
		burn->iteration_ns = each;
}

uint64_t joust_burn__steps(const struct joust_burn *burn, uint64_t n, uint32_t ppm)
{
	return (uint64_t)(burn->iteration_ns * (double)n * (ppm / 1e6) * burn->steps_per_ns);
}
