/* SPDX-License-Identifier: BSD-2-Clause */
/* Stage 1 of the same binary at limit 1, every block taken: is each block a fair coin of its own? */
#include "alarms.h"

#include <errno.h>
#include <math.h>
#include "levels.h"
#include "../../stats/boundary.h"
#include "../../stats/moments.h"

/* One run's blocks of a benchmark. */
struct coins {
	size_t above, cnt; /* of those that are not 1 */
	bool slower;
};

struct sums {
	size_t n;
	double *z; /* of each stage: how far it is from half of its blocks, in standard errors */
	double expected; /* of stages that say slower */
};

static struct coins count(const struct alarm_block *blocks, size_t n, const uint32_t *u)
{
	struct coins c = {0};

	for (size_t i = 0; i < n; i++) {
		c.above += blocks[i].y > 0;
		c.cnt += blocks[i].y != 0;
		c.slower = c.slower || c.above >= u[i];
	}
	return c;
}

static int chance_of(const struct stage_plan *plan, double *ret)
{
	AUTO_FREE double *scratch = calloc(2 * (plan->n_max + 2), sizeof(*scratch));
	struct operating chance;

	if (!scratch)
		return -ENOMEM;
	if (boundary_operating(plan->n_max, plan->u, NULL, .5, scratch, &chance) != STATS_OK)
		return -EINVAL;
	*ret = chance.slower;
	return 0;
}

static void add(struct sums *s, const struct coins *c, double chance, struct alarm_stages *ret)
{
	double n = (double)c->cnt, z = ((double)c->above - n / 2) / sqrt(n / 4);

	if (!c->cnt)
		return;
	s->z[s->n++] = z;
	s->expected += chance;
	ret->slower += c->slower;
}

/* A run's blocks lie side by side, in the order in which they were taken. */
static int add_bench(const struct alarm_bench *b, const struct policy *p, struct sums *s,
		     struct alarm_stages *ret)
{
	const struct stage_plan *plan;
	double chance;
	int err = policy_plan(p, b->n_max, &plan);

	if (!err)
		err = chance_of(plan, &chance);
	for (size_t from = 0, to; from < b->blocks_cnt && !err; from = to) {
		struct coins c;

		for (to = from + 1; to < b->blocks_cnt && b->blocks[to].run == b->blocks[from].run;)
			to++;
		if (b->blocks[from].kind != ALARM_SAME || to - from != b->n_max)
			continue;
		c = count(b->blocks + from, b->n_max, plan->u);
		add(s, &c, chance, ret);
	}
	return err;
}

static size_t count_blocks(const struct alarms *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->benches_cnt; i++)
		n += a->benches[i].blocks_cnt;
	return n;
}

int alarm_stages_of(const struct alarms *a, const struct policy *p, struct alarm_stages *ret)
{
	AUTO_FREE double *z = calloc(count_blocks(a) + 1, sizeof(*z)); /* a stage has some */
	struct alarm_stages r = {.variance = NAN};
	struct sums s = {.z = z};
	int err = z ? 0 : -ENOMEM;

	for (size_t i = 0; i < a->benches_cnt && a->exhausted && !err; i++)
		err = add_bench(&a->benches[i], p, &s, &r);
	if (err)
		return err;
	r.stages = s.n;
	r.expected = s.n ? s.expected / (double)s.n : NAN;
	r.rate_tolerance = RATE_SIGMAS * sqrt(r.expected * (1 - r.expected) / (double)s.n);
	r.tolerance = COINS_SIGMAS * sqrt(2 / (double)s.n);
	if (s.n > 1)
		r.variance = pow(moments_of(s.z, s.n).sd, 2);
	*ret = r;
	return 0;
}
