/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <string.h>
#include <errno.h>
#include "../util/clock.h"
#include "../util/num.h"
#include "smallfile.h"

#define STEAL_WARN_PCT	0.5
#define LOAD_WARN	0.5
#define SLICE_NS	100000
#define SAMPLE_NS	100000000
#define SLICES_CNT_MAX	2000
#define SLOW_RATIO	1.01
#define SLOW_WARN_SHARE 0.25 /* above it 5 x 0.1 ms slices scatter (experiment.md, 1) */

int doctor_look_steal(const char *root, struct doctor_row *row)
{
	enum { STEAL_WORD = 8, WORDS = 9 }; /* guest times after it are part of user's */
	char buf[1024];
	uint64_t steal = 0;
	double total = 0, pct; /* of integers a damaged file would make an overflow */

	if (smallfile_read(root, "/proc/stat", buf, sizeof(buf)) <= 0)
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	for (unsigned i = 1; i < WORDS; i++) {
		if (smallfile_word_u64(buf, i, &steal))
			return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
		total += (double)steal;
	}
	_Static_assert(STEAL_WORD == WORDS - 1, "the last one read is the steal");
	pct = total > 0 ? 100.0 * (double)steal / total : 0;
	if (pct > STEAL_WARN_PCT)
		return doctor_row__set(row, DOCTOR_WARN,
				       "use a host whose CPUs are not shared with other machines",
				       "%.2f %% of the time since boot went to other machines",
				       pct);
	return doctor_row__set(row, DOCTOR_OK, NULL, "%.2f %% of the time since boot", pct);
}

/* "0.46 0.17 0.06 1/87 6084": averages, running / all, last pid */
int doctor_look_load(const char *root, struct doctor_row *row)
{
	char buf[128], *save, *minute;
	double load;

	if (smallfile_read(root, "/proc/loadavg", buf, sizeof(buf)) <= 0)
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	minute = strtok_r(buf, " ", &save);
	if (!minute || num_double(minute, 0, 1e9, &load))
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	if (load > LOAD_WARN)
		return doctor_row__set(row, DOCTOR_WARN, "top -b -n 1 -o %CPU | head -n 15",
				       "%.2f tasks wanted to run over the last minute", load);
	return doctor_row__set(row, DOCTOR_OK, NULL, "%.2f over the last minute", load);
}

static uint64_t spin_ns(unsigned long trips)
{
	uint64_t from = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (volatile unsigned long i = 0; i < trips;)
		i++;
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - from;
}

/* Trips that take about one slice; bounded, should the clock stand still. */
static unsigned long trips_per_slice(void)
{
	unsigned long trips = 1000;

	while (spin_ns(trips) < SLICE_NS && trips < 1ul << 30)
		trips *= 2;
	return trips;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t take_slices(double *ns, size_t max)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + SAMPLE_NS;
	unsigned long trips = trips_per_slice();
	size_t cnt = 0;

	do
		ns[cnt++] = (double)spin_ns(trips);
	while (cnt < max && clock_ns(CLOCK_MONOTONIC) < end);
	qsort(ns, cnt, sizeof(*ns), by_value);
	return cnt;
}

/* How steady a fixed loop is: the sum of everything else, also of what no counter shows. */
int doctor_look_quiet(const char *root, struct doctor_row *row)
{
	static const char remedy[] = "stop other work on this machine, or expect more blocks";
	AUTO_FREE double *ns = calloc(SLICES_CNT_MAX, sizeof(*ns));
	size_t cnt, slow = 0;
	double median, share;

	(void)root;
	if (!ns)
		return -ENOMEM;
	cnt = take_slices(ns, SLICES_CNT_MAX);
	median = ns[cnt / 2];
	for (size_t i = 0; i < cnt; i++)
		slow += ns[i] > SLOW_RATIO * median;
	share = (double)slow / (double)cnt;
	return doctor_row__set(row, share > SLOW_WARN_SHARE ? DOCTOR_WARN : DOCTOR_OK,
			       share > SLOW_WARN_SHARE ? remedy : NULL,
			       "%.0f %% of %zu slices of 0.1 ms are more than 1 %% above their "
			       "median; 10 to 90 %% lie in [%.3f, %.3f] of it",
			       100 * share, cnt, ns[cnt / 10] / median, ns[cnt * 9 / 10] / median);
}
