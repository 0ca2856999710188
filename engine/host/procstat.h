/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What joust reads of /proc/PID/stat (proc(5)): see do_task_stat() in the kernel's fs/proc/array.c. */
#include <stdint.h>
#include <sys/types.h>
#include "../../report/cleanup.h"

struct procstat {
	char state; /* 'R', 'S', .. 'Z' */
	pid_t ppid, sid;
	uint64_t start; /* ticks since boot: with the number it tells a process for ever */
};

/* 0, or -ESRCH: it is gone. */
int procstat_read(pid_t pid, struct procstat *ret) MUST_CHECK;
/* The same of the file's text; -EINVAL. */
int procstat_parse(const char *text, struct procstat *ret) MUST_CHECK;
