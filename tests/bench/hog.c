/* SPDX-License-Identifier: BSD-2-Clause */
/* A burst of CPU_MS at the start of every PERIOD_MS, until it is killed, or for LIFE_S (two minutes). */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LIFE_S 120

static double now_ms(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		abort();
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	double burst_ms = argc > 1 ? strtod(argv[1], NULL) : 2;
	double period_ms = argc > 2 ? strtod(argv[2], NULL) : 20;

	double life_s = argc > 3 ? strtod(argv[3], NULL) : LIFE_S;

	if (!(burst_ms > 0 && period_ms > burst_ms && period_ms < 1000 && life_s >= 1 &&
	      life_s <= 86400))
		return 64;
	alarm((unsigned)life_s);
	for (;;) {
		double end = now_ms() + burst_ms;

		while (now_ms() < end)
			continue;
		usleep((useconds_t)((period_ms - burst_ms) * 1e3));
	}
}
