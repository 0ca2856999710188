/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <stdlib.h>

#define SLICE_NS    100000
#define LOOKS	    3	    /* a slice long enough is looked at so often: the least counts */
#define LOOKS_NS    5000000 /* what is longer has one look: no cold start is that long */
#define WARMUP_NS   2000000
#define WINDOWS	    30
#define WINDOWS_MIN 3
#define BUDGET_NS   2e9 /* long iterations: fewer windows, so that a person need not wait */
#define SLICES_MAX  (WINDOWS * 5)

enum phase { PHASE_CALIBRATE, PHASE_WARM, PHASE_MEASURE };

struct measurement {
	enum phase phase;
	struct joust_window window;
	uint64_t warm_ns;
	uint64_t least_ns; /* of the looks at this n */
	unsigned looks;
	size_t windows, windows_wanted;
	double slices_ns[SLICES_MAX]; /* per iteration */
	size_t slices_cnt;
};

/* The rule of the engine: short slices, and fewer of them when one iteration is longer. */
static uint32_t slices_for(uint64_t slice_ns)
{
	if (slice_ns <= 1000000)
		return 5;
	return slice_ns <= 5000000 ? 3 : 1;
}

static void settle(struct measurement *m, uint64_t slice_ns)
{
	double windows;

	m->window.k = slices_for(slice_ns);
	windows = BUDGET_NS / ((double)slice_ns * m->window.k);
	m->windows_wanted = windows > WINDOWS	    ? WINDOWS
			    : windows < WINDOWS_MIN ? WINDOWS_MIN
						    : (size_t)windows;
	m->phase = PHASE_WARM;
}

/*
 * Grows n by at most ten at a time: the first iterations are slower than those to come. One long
 * slice proves nothing: it may have been the first call of a function (malloc), a page fault or
 * another process.
 */
static void calibrate(struct measurement *m, const struct frame_sample *s)
{
	uint64_t slice_ns = s->wall_ns[0] ? s->wall_ns[0] : 1;
	uint64_t n = m->window.n;

	if (m->looks && m->least_ns < slice_ns)
		slice_ns = m->least_ns;
	m->least_ns = slice_ns;
	if (slice_ns >= SLICE_NS * 8 / 10 && slice_ns < LOOKS_NS && ++m->looks < LOOKS)
		return;
	m->looks = 0;
	if (slice_ns >= SLICE_NS * 8 / 10) {
		if (n > 1 && slice_ns > SLICE_NS)
			m->window.n = n * SLICE_NS / slice_ns + 1;
		settle(m, n > 1 ? SLICE_NS : slice_ns);
		return;
	}
	m->window.n = slice_ns * 10 < SLICE_NS ? n * 10 : n * SLICE_NS / slice_ns + 1;
}

static void keep_sample(struct measurement *m, const struct frame_sample *s)
{
	for (uint32_t i = 0; i < s->k; i++)
		m->slices_ns[m->slices_cnt++] = (double)s->cpu_ns[i] / (double)s->n;
	m->windows++;
}

static void take_sample(struct joust *b, const struct frame_sample *s)
{
	struct measurement *m = b->context;

	switch (m->phase) {
	case PHASE_CALIBRATE:
		calibrate(m, s);
		break;
	case PHASE_WARM:
		for (uint32_t i = 0; i < s->k; i++)
			m->warm_ns += s->wall_ns[i];
		if (m->warm_ns >= WARMUP_NS)
			m->phase = PHASE_MEASURE;
		break;
	case PHASE_MEASURE:
		keep_sample(m, s);
		break;
	}
}

static bool next_window(struct joust *b, struct joust_window *ret)
{
	const struct measurement *m = b->context;

	*ret = m->window;
	return m->phase != PHASE_MEASURE || m->windows < m->windows_wanted;
}

static const struct joust_driver hand_driver = {.next = next_window, .sample = take_sample};

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double percentile(const double *sorted, size_t n, double p)
{
	return sorted[(size_t)(p * (double)(n - 1) + 0.5)];
}

enum joust_result joust_measure(struct joust *b, const struct joust_bench *bench,
				struct joust_summary *ret)
{
	static struct measurement m; /* static: its pages are not the stack's of a window */
	enum joust_result result;

	m.window = (struct joust_window){.n = 1, .k = 1};
	joust_init(b, bench, &hand_driver, &m);
	result = joust_run(b);
	if (result != RESULT_DONE)
		return result;
	qsort(m.slices_ns, m.slices_cnt, sizeof(*m.slices_ns), compare);
	*ret = (struct joust_summary){
		.p10_ns = percentile(m.slices_ns, m.slices_cnt, 0.1),
		.p50_ns = percentile(m.slices_ns, m.slices_cnt, 0.5),
		.p90_ns = percentile(m.slices_ns, m.slices_cnt, 0.9),
		.n = m.window.n,
		.k = m.window.k,
	};
	return RESULT_DONE;
}
