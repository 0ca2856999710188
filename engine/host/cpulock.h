/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Who measures on which CPU, as record locks (fcntl) on a file: byte N is CPU N. The kernel lets go of
 * them with their process, however it ends; children do not inherit them.
 */
#include <sched.h>
#include <sys/types.h>
#include "../../report/cleanup.h"

struct cpulock_holder {
	int cpu;
	pid_t pid; /* 0: it cannot be told (another PID namespace) */
};

/*
 * Locks every CPU of `cpus` or none. `fd` is open for writing, and the process opens the file no second
 * time: closing that would let go of the locks. 0; -EAGAIN with who has one of them; or why nothing can
 * be locked there.
 */
int cpulock__try(int fd, const cpu_set_t *cpus, struct cpulock_holder *ret_holder) MUST_CHECK;
