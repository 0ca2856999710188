/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch_culprits.h"
#include <string.h>

_Static_assert(WATCH_NAMES == WATCH_PREEMPTORS, "all of them fit");
_Static_assert(WATCH_OWN == WATCH_OWN_PID, "who looks knows it by another name");

/* Keeps the `max` worst, worst first. */
static void insert(struct watch_preemptor *all, size_t max, size_t *cnt, struct watch_preemptor p)
{
	size_t at = *cnt;

	if (*cnt < max)
		++*cnt;
	else if (!max || all[max - 1].time_ns >= p.time_ns)
		return;
	else
		at = max - 1;
	for (; at && all[at - 1].time_ns < p.time_ns; at--)
		all[at] = all[at - 1];
	all[at] = p;
}

/* Leaves a free place. Who is billed meanwhile, though its lane is parked, may be counted nowhere. */
static struct watch_preemptor take(struct watch_culprit *c)
{
	struct watch_preemptor p = {.pid = c->pid};

	memcpy(p.comm, c->comm, sizeof(p.comm));
	p.comm[sizeof(p.comm) - 1] = '\0';
	p.time_ns = __atomic_exchange_n(&c->time_ns, 0, __ATOMIC_ACQ_REL);
	p.cnt = (uint32_t)__atomic_exchange_n(&c->cnt, 0, __ATOMIC_ACQ_REL);
	memset(c->comm, 0, sizeof(c->comm));
	__atomic_store_n(&c->pid, 0, __ATOMIC_RELEASE);
	return p;
}

size_t watch_take_culprits(struct watch_culprit all[static WATCH_PREEMPTORS],
			   struct watch_preemptor *ret, size_t max)
{
	size_t cnt = 0;

	for (size_t i = 0; i < WATCH_PREEMPTORS; i++)
		if (__atomic_load_n(&all[i].pid, __ATOMIC_ACQUIRE))
			insert(ret, max, &cnt, take(&all[i]));
	return cnt;
}
