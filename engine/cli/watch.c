/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch.h"

bool watch_interrupted(void *arg)
{
	struct watch *w = arg;

	return interrupt__seen(&w->interrupt);
}

void watch_progress(void *arg, const struct run_progress *at)
{
	struct watch *w = arg;

	progress__show(&w->progress, at);
}
