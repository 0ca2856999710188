/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* From fork to execve of one child: everything it needs is made before, by the engine. */
#include <stdint.h>
#include <sys/types.h>
#include "child.h"

/* Shared with the child until its exec. */
struct launch_note {
	uint64_t cpu_ns, at_ns; /* just before execve; at_ns 0: it never came that far */
	int error;		/* errno of the step that failed, 0 */
	uint32_t go;		/* a futex: 1 once the parked child may go on */
	pid_t pid, init;	/* in a PID namespace: the program and PID 1; else 0 */
};

struct launch {
	const struct child_spec *spec;
	uint64_t tag;
	pid_t engine;
	struct launch_note *note;
	int null_fd;
	int out[2];	 /* captured output; -1: none */
	int done[2];	 /* closed by the exec; a byte before that: the child is parked */
	int listener[2]; /* socket pair: the child sends its filter's listener; -1: none */
};

/* Descriptors and the shared page. 0 or a negative errno; launch__close in either case. */
int launch__open(struct launch *l, const struct child_spec *spec) MUST_CHECK;
void launch__close(struct launch *l);
/* Forks and waits for the exec. The pid, or a negative errno: nothing runs. */
pid_t launch__go(struct launch *l) MUST_CHECK;
/* The listener that the started child has sent; -1: none. The caller's. */
int launch_take_listener(const struct launch *l);
