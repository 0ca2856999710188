/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Ctrl-C and its relatives as a descriptor: the signals stay blocked in the engine (children start
 * with an empty mask), so nothing is ever interrupted half-way; whoever waits polls `fd` too.
 */
#include <signal.h>
#include <stdbool.h>
#include "../util/problem.h"
#include "../../report/cleanup.h"

struct interrupt {
	int fd;	    /* readable once a signal came, until interrupt__seen; -1: none */
	int signal; /* the first one that was seen; 0: none */
	sigset_t old_mask;
};

/*
 * Before any thread starts. A signal that was ignored when joust started (nohup) stays ignored.
 * 0 or a negative errno, after which interrupt__done may be called but need not.
 */
int interrupt__open(struct interrupt *ret) MUST_CHECK;

/* True once the user wants to stop, and from then on. Never blocks. */
bool interrupt__seen(struct interrupt *i);

/* 129 after SIGHUP, 130 after SIGINT, 143 after SIGTERM; 0 when nothing was seen. */
int interrupt_exit(const struct interrupt *i);

/*
 * Closes the descriptor and restores the mask: what has come is dropped, what comes acts as it did before.
 * Accepts one that did not open, and may be called twice.
 */
void interrupt__done(struct interrupt *i);
