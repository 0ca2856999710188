/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What the run loop asks of the person at the terminal: the callbacks of struct run_options. */
#include "interrupt.h"
#include "terminal.h"

struct watch {
	struct interrupt interrupt;
	struct progress progress;
};

/* For run_options.interrupted and run_options.progress; `arg` is a struct watch. */
bool watch_interrupted(void *arg);
void watch_progress(void *arg, const struct run_progress *at);
