/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Stolen time: what the hypervisor says it gave to others while a CPU had something to run. Counted by
 * the kernel in ticks (10 ms), from reports of the hypervisor: 0 proves nothing, and on a virtual
 * machine without reports it always is.
 */
#include <stdint.h>
#include "../../report/cleanup.h"

/*
 * The ticks of one CPU in a text of /proc/stat, which may be cut off. 0, -ENOENT: the CPU is not in it,
 * or -EINVAL: its line is not whole.
 */
int steal_parse(const char *text, unsigned cpu, uint64_t *ret_ticks) MUST_CHECK;

/* Since boot. `root`: as in smallfile.h. 0 or a negative errno, also those of steal_parse(). */
int steal_read(const char *root, unsigned cpu, uint64_t *ret_ns) MUST_CHECK;
