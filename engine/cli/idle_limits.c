/* SPDX-License-Identifier: BSD-2-Clause */
#include "idle_limits.h"
#include <math.h>

static bool judged_anywhere(const struct record *rec, enum metric_id id)
{
	for (size_t i = 0; i < rec->benches_cnt; i++)
		if (rec->benches[i].metric[id].judged)
			return true;
	return false;
}

/* Whether --judge would help. */
static bool can_be_asked(enum metric_id id)
{
	return metric_get(id)->judge == JUDGE_ASKED || metric_get(id)->judge == JUDGE_THREADED;
}

static void note_option(struct record *rec, enum metric_id id)
{
	const char *name = metric_get(id)->name;

	IGNORE_ERROR(record__note(rec, /* only a note */
				  "--limit %s=... had no effect: no benchmark was judged by %s%s%s",
				  name, name, can_be_asked(id) ? "; ask for it with --judge " : "",
				  can_be_asked(id) ? name : ""));
}

static void note_section(struct record *rec, const struct config_bench *b, enum metric_id id)
{
	const char *name = metric_get(id)->name;

	IGNORE_ERROR(
		record__note(rec, /* as above */
			     "[benchmark \"%s\"] limit = %s=... has no effect: it is not judged "
			     "by %s; judge = %s asks for it",
			     b->name, name, name, name));
}

/* cpu_total follows cpu, so that what was given for that one stands in both. */
static bool is_given(const struct options *o, enum metric_id id)
{
	return !isnan(o->limit[id]) &&
	       (id != METRIC_CPU_TOTAL || o->limit[id] != o->limit[METRIC_CPU]);
}

void note_idle_limits(struct record *rec, const struct options *o, const struct config *c)
{
	if (!record__has_blocks(rec))
		return;
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		bool given = is_given(o, id) ||
			     (metric_get(id)->kind == METRIC_PEAK && !isnan(o->peak_least));

		if (given && !judged_anywhere(rec, id))
			note_option(rec, id);
		for (size_t i = 0; i < c->benches_cnt; i++) {
			const struct config_bench *b = &c->benches[i];

			if (!isnan(b->limit[id]) && metric_get(id)->judge == JUDGE_ASKED &&
			    !b->judge[id] && !o->judge[id])
				note_section(rec, b, id);
		}
	}
}
