/* SPDX-License-Identifier: BSD-2-Clause */
/* A burst of CPU_MS at the start of every PERIOD_MS, until it is killed, or for two minutes. */
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

	if (!(burst_ms > 0 && period_ms > burst_ms && period_ms < 1000))
		return 64;
	alarm(LIFE_S);
	for (;;) {
		double end = now_ms() + burst_ms;

		while (now_ms() < end)
			continue;
		usleep((useconds_t)((period_ms - burst_ms) * 1e3));
	}
}
