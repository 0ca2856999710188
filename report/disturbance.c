/* SPDX-License-Identifier: BSD-2-Clause */
#include "disturbance.h"
#include <math.h>
#include <string.h>
#include "grow.h"

#define WAITING_SHARE 0.01

struct tally {
	struct disturber *by;
	size_t cnt;
};

/* A process has involuntary switches by being started and by its end: of a command only waiting tells. */
static bool half_known(const struct rec_half *h, bool command)
{
	return !isnan(h->value[command ? METRIC_WAITING : METRIC_INVOLUNTARY_SWITCHES]);
}

static bool half_lost(const struct rec_half *h)
{
	return h->missing[METRIC_WAITING] == REASON_EVENTS_LOST;
}

static bool half_disturbed(const struct rec_half *h, bool command)
{
	return (!command && h->value[METRIC_INVOLUNTARY_SWITCHES] > 0) ||
	       h->value[METRIC_WAITING] > WAITING_SHARE * h->value[METRIC_WALL];
}

/* NULL without memory: then it is one of the others. */
static struct disturber *find(struct tally *t, const struct rec_preemptor *p)
{
	struct disturber *grown;

	for (size_t i = 0; i < t->cnt; i++)
		if (t->by[i].pid == p->pid && strcmp(t->by[i].comm, p->comm) == 0)
			return &t->by[i];
	grown = grow_by_one(t->by, t->cnt, sizeof(*t->by));
	if (!grown)
		return NULL;
	t->by = grown;
	t->by[t->cnt] = (struct disturber){.pid = p->pid};
	memcpy(t->by[t->cnt].comm, p->comm, sizeof(p->comm));
	return &t->by[t->cnt++];
}

static void blame(struct disturbance *d, struct tally *t, const struct rec_block *b)
{
	struct disturber *who = b->preemptors_cnt ? find(t, &b->preemptors[0]) : NULL;

	if (who)
		who->pairs++;
	else if (b->preemptors_cnt)
		d->by_others++;
	else
		d->by_host++;
}

static void add_pair(struct disturbance *d, struct tally *t, const struct rec_block *b,
		     const struct rec_pair *p, bool command)
{
	const struct rec_half *x = &p->half[SIDE_BASELINE], *y = &p->half[SIDE_CANDIDATE];

	if (half_lost(x) || half_lost(y)) {
		d->unknown++;
		return;
	}
	if (!half_known(x, command) || !half_known(y, command))
		return;
	d->recorded++;
	if (!half_disturbed(x, command) && !half_disturbed(y, command))
		return;
	d->disturbed++;
	blame(d, t, b);
}

static void add_block(struct disturbance *d, struct tally *t, const struct rec_block *b,
		      bool command)
{
	double before = b->canary_ns[0], after = b->canary_ns[1];

	if (b->stage == 0) /* what nobody judges */
		return;
	for (size_t i = 0; i < b->pairs_cnt; i++)
		add_pair(d, t, b, &b->pairs[i], command);
	if (b->steal_ns > 0) { /* not of NaN */
		d->stolen++;
		d->steal_ns += b->steal_ns;
	}
	d->reclocked += b->frequency_changes > 0;
	if (isnan(before) || isnan(after))
		return;
	d->canaries++;
	d->unsteady += fmax(before, after) > (1 + CANARY_SHARE) * fmin(before, after);
}

/* Most pairs first; of equals the one seen first. */
static void name_the_worst(struct disturbance *d, struct tally *t)
{
	for (size_t n = 0; n < t->cnt; n++) {
		struct disturber *most = &t->by[0];

		for (size_t i = 1; i < t->cnt; i++)
			if (t->by[i].pairs > most->pairs)
				most = &t->by[i];
		if (d->by_cnt < DISTURBERS_MAX)
			d->by[d->by_cnt++] = *most;
		else
			d->by_others += most->pairs;
		most->pairs = 0;
	}
}

void disturbance_of(const struct record *r, struct disturbance *ret)
{
	struct tally t = {0};

	*ret = (struct disturbance){.named = r->host.interference == INTERFERENCE_BPF};
	for (size_t i = 0; i < r->benches_cnt; i++) {
		const struct rec_bench *b = &r->benches[i];

		ret->lost += b->lost_cnt;
		for (size_t j = 0; j < b->blocks_cnt; j++)
			add_block(ret, &t, &b->blocks[j], b->kind == BENCH_COMMAND);
	}
	name_the_worst(ret, &t);
	free(t.by);
}
