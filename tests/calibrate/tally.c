/* SPDX-License-Identifier: BSD-2-Clause */
#include "tally.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS_MAX 64

void tally_add(struct tally *sum, const struct tally *t)
{
	sum->runs += t->runs;
	for (size_t i = 0; i < HIT_CNT; i++)
		sum->hits[i] += t->hits[i];
	sum->benches += t->benches;
	sum->blocks += t->blocks;
	sum->blocks_squared += t->blocks_squared;
}

void tally_blocks(struct tally *t, uint64_t blocks)
{
	t->benches++;
	t->blocks += blocks;
	t->blocks_squared += blocks * blocks;
}

double tally_rate(const struct tally *t, enum tally_hit hit)
{
	return (double)t->hits[hit] / (double)t->runs;
}

double tally_mean_blocks(const struct tally *t)
{
	return (double)t->blocks / (double)t->benches;
}

double tally_blocks_se(const struct tally *t)
{
	double n = (double)t->benches, mean = tally_mean_blocks(t);

	return sqrt(fmax(0, (double)t->blocks_squared / n - mean * mean) / n);
}

struct share {
	uint64_t first, step, runs;
	void (*one)(const void *arg, uint64_t run, struct tally *t);
	const void *arg;
	struct tally tally;
};

static void *work(void *arg)
{
	struct share *s = arg;
	struct tally t = {0}; /* on this thread's stack: shares may be neighbours in memory */

	for (uint64_t run = s->first; run < s->runs; run += s->step) {
		s->one(s->arg, run, &t);
		t.runs++;
	}
	s->tally = t;
	return NULL;
}

struct tally tally_runs(unsigned threads, uint64_t runs,
			void (*one)(const void *arg, uint64_t run, struct tally *t),
			const void *arg)
{
	unsigned used = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
	struct share shares[THREADS_MAX];
	pthread_t thread[THREADS_MAX];
	bool started[THREADS_MAX];
	struct tally sum = {0};

	for (unsigned i = 0; i < used; i++)
		shares[i] = (struct share){i, used, runs, one, arg, {0}};
	for (unsigned i = 1; i < used; i++)
		started[i] = pthread_create(&thread[i], NULL, work, &shares[i]) == 0;
	(void)work(&shares[0]);
	tally_add(&sum, &shares[0].tally);
	for (unsigned i = 1; i < used; i++) {
		if (started[i])
			(void)pthread_join(thread[i], NULL); /* a thread of ours, joined once */
		else
			(void)work(&shares[i]);
		tally_add(&sum, &shares[i].tally);
	}
	return sum;
}
