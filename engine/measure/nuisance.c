/* SPDX-License-Identifier: BSD-2-Clause */
#include "real.h"
#include <errno.h>
#include "../host/cpus.h"

int nuisance_use_cpus(struct real_source *s, const cpu_set_t *cpus)
{
	int err;

	if (CPU_EQUAL(cpus, &s->cpus))
		return 0;
	err = cpus_pin(cpus, NULL);
	if (!err)
		s->cpus = *cpus;
	return err;
}

int nuisance_choose_cpus(struct real_source *s, const struct rec_bench *b)
{
	cpu_set_t *cpus = &real_bench_of(s, b)->cpus;
	/* no host has more; each try below reads the host's lists */
	size_t cnt = b->threads < CPU_SETSIZE ? b->threads : CPU_SETSIZE;
	/* pinned for the benchmark before, the engine would have no other CPU to choose */
	int err = nuisance_use_cpus(s, &s->old_cpus);

	if (!err)
		err = cpus_choose(cnt, cpus);
	while (err == -ENOSPC && cnt > 1)
		err = cpus_choose(--cnt, cpus);
	if (!err && cnt < b->threads)
		IGNORE_ERROR(record__note(s->rec, /* only a note */
					  "\"%s\" has %zu threads on %zu CPU%s", b->name,
					  b->threads, cnt, cnt == 1 ? "" : "s"));
	return err;
}

int nuisance_other_cpus(struct real_source *s, const struct rec_bench *b)
{
	struct real_bench *rb = real_bench_of(s, b);
	cpu_set_t other;
	int err = nuisance_use_cpus(s, &s->old_cpus);

	if (!err)
		err = cpus_choose_other(&rb->cpus, &other);
	if (!err)
		rb->cpus = other;
	return err == -ENOSPC ? 0 : err;
}
