/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a whole result of max-T takes, 100,000 resamples: the fastest of 20 runs, beside that of
 * a plain loop, run by turns with it so that the machine's mood is the same for both. One thread is
 * timed by its CPU clock, two by the wall's. Exit status 1: threads changed a bit, or the plain loop
 * has another result.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "stats/maxt.h"
#include "stats/prng.h"
#include "stats/sort.h"

#define RESAMPLES   100000
#define RUNS	    20
#define THREADS_MAX 8
#define N_MAX	    30
#define COLUMNS_MAX 60
#define KEY	    7

struct result {
	double crit;
	struct maxt_bounds bounds[COLUMNS_MAX];
};

struct input {
	size_t n, columns;
	unsigned char strata[N_MAX];
	double rows[N_MAX * COLUMNS_MAX];
};

static double buffer[MAXT_BUFFER(N_MAX, COLUMNS_MAX)];
static double m[RESAMPLES], t[COLUMNS_MAX * RESAMPLES];

static double now_ms(clockid_t clock)
{
	struct timespec at;

	(void)clock_gettime(clock, &at);
	return (double)at.tv_sec * 1e3 + (double)at.tv_nsec / 1e6;
}

/* One part of the resamples, then of the columns. */
struct part {
	pthread_t thread;
	const struct maxt_plan *plan;
	size_t share, shares;
	struct result *result;
	uint32_t draws[MAXT_SCRATCH(N_MAX)];
};

static void *resample(void *arg)
{
	struct part *p = arg;

	(void)maxt_resample(p->plan, KEY, RESAMPLES, RESAMPLES * p->share / p->shares,
			    RESAMPLES * (p->share + 1) / p->shares, m, t, p->draws);
	return NULL;
}

static void *intervals(void *arg)
{
	struct part *p = arg;
	size_t columns = p->plan->columns;

	(void)maxt_intervals(p->plan, p->result->crit, RESAMPLES, t, 0.05,
			     columns * p->share / p->shares, columns * (p->share + 1) / p->shares,
			     p->result->bounds);
	return NULL;
}

static void in_parallel(void *(*work)(void *), struct part *parts, size_t cnt)
{
	for (size_t i = 1; i < cnt; i++)
		if (pthread_create(&parts[i].thread, NULL, work, &parts[i]))
			abort();
	(void)work(&parts[0]);
	for (size_t i = 1; i < cnt; i++)
		(void)pthread_join(parts[i].thread, NULL);
}

static void ours(const struct input *in, size_t threads, struct result *ret)
{
	static struct part parts[THREADS_MAX];
	struct maxt_plan plan;

	if (maxt_prepare(in->rows, in->strata, in->n, in->columns, buffer, &plan))
		abort();
	for (size_t i = 0; i < threads; i++) {
		parts[i].plan = &plan;
		parts[i].share = i;
		parts[i].shares = threads;
		parts[i].result = ret;
	}
	in_parallel(resample, parts, threads);
	(void)maxt_critical(m, RESAMPLES, 0.95, &ret->crit);
	in_parallel(intervals, parts, threads);
}

struct plain {
	size_t n[2], columns;
	double estimate[COLUMNS_MAX], se[COLUMNS_MAX], centred[N_MAX * COLUMNS_MAX];
};

/* Rows less the mean of their stratum, stratum 0 (the even rows) first. */
static void plain_prepare(const struct input *in, struct plain *p)
{
	size_t columns = p->columns = in->columns;

	p->n[1] = in->n / 2;
	p->n[0] = in->n - p->n[1];
	for (size_t j = 0; j < columns; j++) {
		double variance = 0;

		p->estimate[j] = 0;
		for (size_t s = 0, to = 0; s < 2; s++) {
			double mean = 0, squares = 0, n = (double)p->n[s];

			for (size_t i = s; i < in->n; i += 2)
				mean += in->rows[i * columns + j] / n;
			for (size_t i = s; i < in->n; i += 2, to++) {
				double x = in->rows[i * columns + j] - mean;

				p->centred[to * columns + j] = x;
				squares += x * x;
			}
			p->estimate[j] += mean / 2;
			variance += squares / (n - 1) / n / 4;
		}
		p->se[j] = sqrt(variance);
	}
}

/* Row by row, as one would write it: sums and squares over columns that lie side by side. */
static void plain_sums(const double *rows, size_t n, size_t columns, uint64_t counter, double *x,
		       double *squares)
{
	memset(x, 0, columns * sizeof(*x));
	memset(squares, 0, columns * sizeof(*squares));
	for (size_t i = 0; i < n; i++) {
		const double *row = rows + prng_index(KEY, counter + i, n) * columns;

		for (size_t j = 0; j < columns; j++) {
			x[j] += row[j];
			squares[j] += row[j] * row[j];
		}
	}
}

static void plain_resample(const struct plain *p, size_t r)
{
	double x[2][COLUMNS_MAX], squares[2][COLUMNS_MAX], n0 = (double)p->n[0],
							   n1 = (double)p->n[1];
	uint64_t counter = r * (p->n[0] + p->n[1]);

	plain_sums(p->centred, p->n[0], p->columns, counter, x[0], squares[0]);
	plain_sums(p->centred + p->n[0] * p->columns, p->n[1], p->columns, counter + p->n[0], x[1],
		   squares[1]);
	m[r] = 0;
	for (size_t j = 0; j < p->columns; j++) {
		double v0 = (squares[0][j] - x[0][j] * x[0][j] / n0) / (n0 - 1);
		double v1 = (squares[1][j] - x[1][j] * x[1][j] / n1) / (n1 - 1);
		double value = (x[0][j] / n0 + x[1][j] / n1) / sqrt(v0 / n0 + v1 / n1);

		t[j * RESAMPLES + r] = value;
		m[r] = fabs(value) > m[r] ? fabs(value) : m[r];
	}
}

static double plain_quantile(double *x, double p)
{
	double at = (RESAMPLES - 1) * p, next;
	size_t k = (size_t)at;

	(void)select_double(x, RESAMPLES, k);
	next = x[k + 1];
	for (size_t i = k + 2; i < RESAMPLES; i++)
		next = x[i] < next ? x[i] : next;
	return x[k] + (at - (double)k) * (next - x[k]);
}

static void plain(const struct input *in, struct result *ret)
{
	static struct plain p;

	plain_prepare(in, &p);
	for (size_t r = 0; r < RESAMPLES; r++)
		plain_resample(&p, r);
	ret->crit = plain_quantile(m, 0.95);
	for (size_t j = 0; j < in->columns; j++) {
		double estimate = p.estimate[j], se = p.se[j];

		ret->bounds[j].lo = estimate - ret->crit * se;
		ret->bounds[j].hi = estimate + ret->crit * se;
		ret->bounds[j].upper = estimate - plain_quantile(t + j * RESAMPLES, 0.05) * se;
	}
}

static int differ(const struct result *a, const struct result *b, size_t columns)
{
	int wrong = !(fabs(a->crit - b->crit) <= 1e-9 * a->crit);

	for (size_t j = 0; j < columns; j++)
		wrong |= !(fabs(a->bounds[j].upper - b->bounds[j].upper) <= 1e-9);
	return wrong;
}

/* The same bits of everything by 1, 2 and 8 threads. */
static int threads_matter(const struct input *in)
{
	static double m_one[RESAMPLES], t_one[COLUMNS_MAX * RESAMPLES];
	struct result one = {0}, other = {0};
	int wrong = 0;

	ours(in, 1, &one);
	memcpy(m_one, m, sizeof(m));
	memcpy(t_one, t, sizeof(t));
	for (size_t threads = 2; threads <= THREADS_MAX; threads *= 4) {
		ours(in, threads, &other);
		wrong |= memcmp(m, m_one, sizeof(m)) || memcmp(t, t_one, sizeof(t)) ||
			 memcmp(&one, &other, sizeof(one));
	}
	return wrong;
}

static double time_plain(const struct input *in, struct result *ret)
{
	double at = now_ms(CLOCK_THREAD_CPUTIME_ID);

	plain(in, ret);
	return now_ms(CLOCK_THREAD_CPUTIME_ID) - at;
}

static double time_ours(const struct input *in, size_t threads, struct result *ret)
{
	clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
	double at = now_ms(clock);

	ours(in, threads, ret);
	return now_ms(clock) - at;
}

static int measure(size_t n, size_t columns, double target_ms)
{
	static struct input in;
	struct result a = {0}, b = {0};
	double one = INFINITY, two = INFINITY, loop = INFINITY;
	int wrong;

	in.n = n;
	in.columns = columns;
	for (size_t i = 0; i < n * columns; i++)
		in.rows[i] = prng_double(1, i) - 0.5;
	for (size_t i = 0; i < n; i++)
		in.strata[i] = i % 2;
	for (int run = 0; run < RUNS; run++) {
		loop = fmin(loop, time_plain(&in, &b));
		one = fmin(one, time_ours(&in, 1, &a));
		two = fmin(two, time_ours(&in, 2, &a));
	}
	wrong = differ(&a, &b, columns) || threads_matter(&in);
	printf("max-T %zu x %zu, %d resamples, fastest of %d: 1 thread %.1f ms (at most %.0f), "
	       "2 threads %.1f ms, plain loop %.1f ms, ratio %.2f (at most .70); %s\n",
	       n, columns, RESAMPLES, RUNS, one, target_ms, two, loop, one / loop,
	       wrong ? "RESULTS DIFFER" : "1, 2, 8 threads: the same bits");
	return wrong;
}

int main(void)
{
	int wrong = measure(20, 24, 40);

	return measure(30, 60, 160) | wrong;
}
