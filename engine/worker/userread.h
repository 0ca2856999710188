/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * A perf counter of the calling thread read without a system call: rdpmc on x86-64, mrs on arm64
 * (kernel.md 1.5). Part of libjoust and of the engine, which proves in a child that it works:
 * where the instruction is not allowed it kills.
 */
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct joust_userread {
	const volatile void *page; /* the event's first page, read-only; NULL: not mapped */
};

/* Maps the counter behind `fd`, which may be closed afterwards. 0 or a negative errno. */
int joust_userread_map(struct joust_userread *u, int fd) __attribute__((warn_unused_result));
void joust_userread_unmap(struct joust_userread *u);

/*
 * Only by the thread that is counted. 0; -EAGAIN where the counter is not on the PMU now or may not
 * be read: use read(). The times are those of the last time that the thread was scheduled; they
 * stand still together, and differ when the counter was shared.
 */
int joust_userread(const struct joust_userread *u, uint64_t *ret_value, uint64_t *ret_enabled_ns,
		   uint64_t *ret_running_ns) __attribute__((warn_unused_result));

#pragma GCC visibility pop
