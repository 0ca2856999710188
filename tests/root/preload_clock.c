/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loaded before the engine: clocks that somebody sets. PRELOAD_CLOCK is "wall": the time of day is a year
 * ahead and an hour behind by turns; or "sleep": once it has been asked for AWAKE times, the clock
 * that runs on while the host sleeps is ten seconds ahead, and the next time ten more: a block of one pair
 * asks as it begins and as it ends, so that one of the two lies within a block.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define AWAKE  12
#define YEAR_S 31536000
#define HOUR_S 3600

static bool is(const char *mode)
{
	const char *asked = getenv("PRELOAD_CLOCK");

	return asked && !strcmp(asked, mode);
}

static long jump_s(void)
{
	static unsigned asked;

	return asked++ % 2 ? -HOUR_S : YEAR_S;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	static unsigned asked;
	long ret = syscall(SYS_clock_gettime, id, ts);

	if (id == CLOCK_REALTIME && is("wall"))
		ts->tv_sec += jump_s();
	if (id == CLOCK_BOOTTIME && is("sleep")) {
		asked++;
		ts->tv_sec += 10 * ((asked > AWAKE) + (asked > AWAKE + 1));
	}
	return (int)ret;
}

time_t time(time_t *ret)
{
	struct timespec ts = {0};

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	if (ret)
		*ret = ts.tv_sec;
	return ts.tv_sec;
}
