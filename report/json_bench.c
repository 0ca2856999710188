/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_bench.h"
#include <math.h>
#include "json_sized.h"

static void write_reason(struct json_stream *j, const char *key, enum reason why)
{
	json_string(j, key, why == REASON_NONE ? NULL : reason_get(why)->name);
}

static const char *stage_verdict_name(enum stage_verdict v)
{
	switch (v) {
	case STAGE_OPEN:
		break;
	case STAGE_SLOWER:
		return "slower";
	case STAGE_FASTER:
		return "faster";
	case STAGE_SAME:
		return "same";
	case STAGE_UNDECIDED:
		return "undecided";
	}
	return "open";
}

static void write_stage(struct json_stream *j, size_t number, const struct stage_result *s)
{
	json_open_flat(j, NULL, '{');
	json_uint(j, "stage", number);
	json_string(j, "verdict", stage_verdict_name(s->verdict));
	json_uint(j, "blocks", s->blocks);
	json_uint(j, "s", s->s);
	json_uint(j, "g", s->g);
	json_uint(j, "f", s->f);
	json_bool(j, "latched", s->latched);
	json_derived(j, "ratio", s->blocks ? s->median : NAN);
	json_interval(j, "interval", s->blocks ? s->lo : NAN, s->blocks ? s->hi : NAN);
	json_close(j, '}');
}

static const char *kind_name(enum metric_kind k)
{
	switch (k) {
	case METRIC_TIMED:
		return "timed";
	case METRIC_COUNTED:
		return "counted";
	case METRIC_PEAK:
		return "peak";
	case METRIC_INTERFERENCE:
		break;
	}
	return "interference";
}

/* The ratio and interval of the last stage run: stage 1 alone would be selected. */
static void write_last_stage(struct json_stream *j, const struct rec_metric *m)
{
	const struct stage_result *last = m->stages_cnt ? &m->stage[m->stages_cnt - 1] : NULL;
	bool known = last && last->blocks;

	json_derived(j, "ratio", known ? last->median : NAN);
	json_interval(j, "interval", known ? last->lo : NAN, known ? last->hi : NAN);
}

static void write_behaviour(struct json_stream *j, const struct rec_metric *m)
{
	json_derived(j, "order_effect", m->order_effect);
	json_bool(j, "unstable", m->unstable);
	json_derived(j, "spread_ratio", m->spread_ratio);
	json_derived(j, "serial_correlation", m->serial_correlation);
	json_open_flat(j, "deciles", '[');
	json_derived(j, NULL, m->decile_lo);
	json_derived(j, NULL, m->decile_hi);
	json_close(j, ']');
	json_uint(j, "layouts", m->layouts);
}

static void write_equivalence(struct json_stream *j, const struct rec_equivalence *e)
{
	if (isnan(e->margin)) {
		json_null(j, "equivalence");
		return;
	}
	json_open_flat(j, "equivalence", '{');
	json_derived(j, "margin", e->margin);
	json_bool(j, "shown", e->shown);
	json_derived(j, "p", e->p);
	json_interval(j, "interval", e->lo, e->hi);
	json_close(j, '}');
}

static void write_metric(struct json_stream *j, enum metric_id id, const struct rec_metric *m)
{
	const struct metric *row = metric_get(id);

	json_open(j, row->name, '{');
	json_string(j, "kind", kind_name(row->kind));
	json_string(j, "unit", row->unit);
	json_bool(j, "judged", m->judged);
	json_string(j, "verdict", m->verdict == VERDICT_NONE ? NULL : verdict_name(m->verdict));
	write_reason(j, "reason", m->reason);
	write_reason(j, "missing", m->missing);
	json_string(j, "quality", quality_name(m->missing));
	json_bool(j, "not_confirmed", m->not_confirmed);
	json_raw(j, "limit", m->limit);
	json_raw(j, "least", m->least);
	json_derived(j, "baseline", m->per_iteration[SIDE_BASELINE]);
	json_derived(j, "candidate", m->per_iteration[SIDE_CANDIDATE]);
	write_last_stage(j, m);
	json_derived(j, "detectable", m->detectable);
	write_behaviour(j, m);
	write_equivalence(j, &m->equivalence);
	json_open(j, "stages", '[');
	for (size_t i = 0; i < m->stages_cnt && i < STAGES_MAX; i++)
		write_stage(j, i + 1, &m->stage[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static size_t stages_of(const struct rec_bench *b)
{
	size_t n = 0;

	while (n < STAGES_MAX && b->blocks_max[n])
		n++;
	return n;
}

/* Null where the plan stands on no block. */
static void write_planning(struct json_stream *j, const struct rec_planning *p)
{
	if (!p->blocks) {
		json_null(j, "planning");
		return;
	}
	json_open(j, "planning", '{');
	json_uint(j, "blocks", p->blocks);
	json_uint(j, "iterations", p->n);
	json_uint(j, "pairs", p->m);
	json_derived(j, "disturbed_slices", p->disturbed);
	json_derived(j, "within", p->within);
	json_derived(j, "between", p->between);
	json_derived(j, "predicted", p->predicted);
	json_derived(j, "wanted", p->wanted);
	json_close(j, '}');
}

static void write_plan(struct json_stream *j, const struct rec_bench *b)
{
	json_open_flat(j, "plan", '{');
	json_uint(j, "iterations", b->n);
	json_uint(j, "slices", b->k);
	json_uint(j, "pairs", b->m);
	json_raw(j, "slice_ns", b->slice_ns);
	write_planning(j, &b->planning);
	json_uint(j, "blocks_min", b->blocks_min);
	json_raw(j, "precision", b->precision);
	json_open(j, "blocks_max", '[');
	for (size_t i = 0; i < stages_of(b); i++)
		json_uint(j, NULL, b->blocks_max[i]);
	json_close(j, ']');
	json_raw(j, "loader_share", b->loader_share);
	json_uint(j, "layouts", b->layouts);
	json_string(j, "one_layout_because", b->layouts_why);
	json_close(j, '}');
}

static void write_coins(struct json_stream *j, const struct rec_coins *c)
{
	json_open(j, "coins", '{');
	json_string(j, "spawned_first", side_name(c->spawned_first));
	json_string(j, "majority", side_name(c->majority));
	json_uint(j, "arrangement", c->arrangement);
	json_string(j, "slot0", side_name(c->slot0));
	json_string(j, "leaf0", side_name(c->leaf0));
	json_string(j, "low_fds", side_name(c->low_fds));
	json_close(j, '}');
}

static void write_check(struct json_stream *j, const struct rec_check *c)
{
	json_open(j, "check", '{');
	json_raw(j, "task_clock_ns", c->task_clock_ns);
	json_raw(j, "page_faults", c->page_faults);
	json_raw(j, "switches", c->switches);
	json_raw(j, "migrations", c->migrations);
	json_raw(j, "cpu_ns", c->cpu_ns);
	json_raw(j, "claimed", c->claimed);
	write_reason(j, "missing", c->missing);
	json_close(j, '}');
}

/* Only what this half lacks: an object with a key for each metric would be mostly nulls. */
static void write_lacking(struct json_stream *j, const struct rec_half *h)
{
	json_open(j, "missing", '[');
	for (size_t i = 0; i < METRIC_CNT; i++) {
		if (h->missing[i] == REASON_NONE)
			continue;
		json_open(j, NULL, '{');
		json_string(j, "metric", metric_get(i)->name);
		write_reason(j, "reason", h->missing[i]);
		json_string(j, "quality", quality_name(h->missing[i]));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_threads(struct json_stream *j, const struct rec_half *h)
{
	json_open(j, "threads", '[');
	for (size_t i = 0; i < h->threads_cnt; i++) {
		json_open(j, NULL, '{');
		json_raw(j, "cpu_ns", h->threads[i].cpu_ns);
		json_raw(j, "running_ns", h->threads[i].running_ns);
		json_raw(j, "waiting_ns", h->threads[i].waiting_ns);
		json_raw(j, "blocked_ns", h->threads[i].blocked_ns);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_half(struct json_stream *j, const char *key, const struct rec_half *h,
		       size_t events_cnt)
{
	size_t slices = h->slices < SLICES_MAX ? h->slices : SLICES_MAX;

	json_open(j, key, '{');
	json_raws(j, "cpu_ns", h->cpu_ns, slices);
	json_raws(j, "wall_ns", h->wall_ns, slices);
	json_open(j, "values", '{');
	for (size_t i = 0; i < METRIC_CNT; i++)
		json_raw(j, metric_get(i)->name, h->value[i]);
	json_close(j, '}');
	write_lacking(j, h);
	write_threads(j, h);
	json_raws(j, "events", h->event, events_cnt);
	json_close(j, '}');
}

static void write_halves(struct json_stream *j, const struct rec_pair *p, size_t events_cnt)
{
	json_string(j, "first", side_name(p->first));
	if (!isnan(p->canary_ns[0])) /* only beside a gate */
		json_raws(j, "canary_ns", p->canary_ns, 2);
	write_half(j, "baseline", &p->half[SIDE_BASELINE], events_cnt);
	write_half(j, "candidate", &p->half[SIDE_CANDIDATE], events_cnt);
}

static void write_pair(struct json_stream *j, const struct rec_pair *p, size_t events_cnt)
{
	json_open_flat(j, NULL, '{');
	json_uint(j, "place", p->place);
	write_halves(j, p, events_cnt);
	json_close(j, '}');
}

static void write_rejected(struct json_stream *j, const struct rec_rejected *r, size_t events_cnt)
{
	json_open_flat(j, NULL, '{');
	json_uint(j, "pair", r->pair);
	json_uint(j, "attempt", r->attempt);
	write_reason(j, "why", r->why);
	json_string(j, "side", side_name(r->side));
	write_halves(j, &r->values, events_cnt);
	json_close(j, '}');
}

static void write_process(struct json_stream *j, const struct rec_block *b, enum side side)
{
	json_open_flat(j, side_name(side), '{');
	json_int_or_null(j, "pid", b->pid[side], b->pid[side] > 0);
	if (b->inode[side])
		json_uint(j, "inode", b->inode[side]);
	else
		json_null(j, "inode");
	json_raw(j, "start_ns", b->start_ns[side]);
	json_raw(j, "peak_bytes", b->peak_bytes[side]);
	write_check(j, &b->check[side]);
	json_close(j, '}');
}

static void write_place(struct json_stream *j, const struct rec_block *b)
{
	json_uint(j, "stage", b->stage);
	json_uint(j, "slot", b->slot);
	json_uint(j, "attempt", b->attempt);
	json_uint(j, "round", b->round);
	write_reason(j, "lost", b->lost);
	json_string(j, "lost_side", b->lost == REASON_NONE ? NULL : side_name(b->lost_side));
	json_uint(j, "layout", b->layout);
	json_int_or_null(j, "cpu", b->cpu, b->cpu >= 0);
	if (b->environment_bytes)
		json_uint(j, "environment_bytes", b->environment_bytes);
	else
		json_null(j, "environment_bytes");
	json_raw(j, "at_ns", b->at_ns);
}

/* The name is another program's to choose: json_string makes it valid. */
static void write_preemptors(struct json_stream *j, const struct rec_block *b)
{
	json_open(j, "preemptors", '[');
	for (size_t i = 0; i < b->preemptors_cnt; i++) {
		json_open_flat(j, NULL, '{');
		json_int(j, "pid", b->preemptors[i].pid);
		json_string(j, "comm", b->preemptors[i].comm);
		json_raw(j, "ns", b->preemptors[i].ns);
		json_raw(j, "times", b->preemptors[i].times);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_cpu(struct json_stream *j, const struct rec_block *b)
{
	json_open_flat(j, "canary_ns", '[');
	json_raw(j, NULL, b->canary_ns[0]);
	json_raw(j, NULL, b->canary_ns[1]);
	json_close(j, ']');
	json_raw(j, "steal_ns", b->steal_ns);
	json_raw(j, "frequency_changes", b->frequency_changes);
}

static void write_block(struct json_stream *j, const struct rec_block *b, size_t events_cnt)
{
	json_open(j, NULL, '{');
	write_place(j, b);
	write_coins(j, &b->coins);
	write_process(j, b, SIDE_BASELINE);
	write_process(j, b, SIDE_CANDIDATE);
	write_cpu(j, b);
	write_preemptors(j, b);
	json_open(j, "pairs", '[');
	for (size_t i = 0; i < b->pairs_cnt; i++)
		write_pair(j, &b->pairs[i], events_cnt);
	json_close(j, ']');
	json_open(j, "rejected", '[');
	for (size_t i = 0; i < b->rejected_cnt; i++)
		write_rejected(j, &b->rejected[i], events_cnt);
	json_close(j, ']');
	json_close(j, '}');
}

static void write_what_it_is(struct json_stream *j, const struct rec_bench *b)
{
	json_string(j, "name", b->name);
	json_string(j, "kind", b->kind == BENCH_COMMAND ? "command" : "function");
	json_string(j, "command", b->command);
	json_uint(j, "threads", b->threads);
}

static void write_outcome(struct json_stream *j, const struct rec_bench *b)
{
	json_string(j, "verdict", b->verdict == BENCH_OPEN ? NULL : bench_verdict_name(b->verdict));
	write_reason(j, "reason", b->reason);
	json_string(j, "side", b->reason == REASON_NONE ? NULL : side_name(b->reason_side));
	json_string(j, "detail", b->detail);
	json_string(j, "stderr", b->stderr_tail);
	json_open_flat(j, "digest", '{');
	json_string(j, "baseline", b->digest[SIDE_BASELINE]);
	json_string(j, "candidate", b->digest[SIDE_CANDIDATE]);
	json_close(j, '}');
	json_string(j, "accepted", b->accepted);
	json_string(j, "accepted_by", b->accepted_by);
	json_raw(j, "seconds", b->seconds);
	json_raws(j, "gaps_s", b->gap_s + 1, stages_of(b) ? stages_of(b) - 1 : 0);
	json_uint(j, "lost", b->lost_cnt);
	json_open_flat(j, "rejected", '{');
	json_uint(j, "baseline", b->rejected[SIDE_BASELINE]);
	json_uint(j, "candidate", b->rejected[SIDE_CANDIDATE]);
	json_close(j, '}');
}

/* Null where no metric had to be helped: most benchmarks have one timing. */
static void write_any_timing(struct json_stream *j, const struct rec_any_timing *any)
{
	if (any->timings < 2) {
		json_null(j, "any_timing");
		return;
	}
	json_open_flat(j, "any_timing", '{');
	json_uint(j, "timings", any->timings);
	json_bool(j, "slower", any->slower);
	json_open(j, "stages", '[');
	for (size_t i = 0; i < any->stages_cnt; i++)
		json_string(j, NULL, stage_verdict_name(any->stage[i]));
	json_close(j, ']');
	json_close(j, '}');
}

/* Null by any other rule. */
static void write_duel(struct json_stream *j, const struct duel_chain *c)
{
	if (!c->measurements) {
		json_null(j, "duel");
		return;
	}
	json_open_flat(j, "duel", '{');
	json_string(j, "result", duel_result_name(c->result));
	json_uint(j, "measurements", c->measurements);
	json_uint(j, "counted", c->counted);
	json_close(j, '}');
}

void json_across(struct json_stream *j, const struct rec_across *a)
{
	if (!a->judged) {
		json_null(j, "across");
		return;
	}
	json_open(j, "across", '{');
	json_uint(j, "benchmarks", a->benches);
	json_string(j, "verdict", a->verdict == VERDICT_NONE ? NULL : verdict_name(a->verdict));
	write_reason(j, "reason", a->reason);
	json_derived(j, "limit", a->limit);
	json_derived(j, "detectable", a->detectable);
	json_open(j, "stages", '[');
	for (size_t i = 0; i < a->stages_cnt && i < STAGES_MAX; i++)
		write_stage(j, i + 1, &a->stage[i]);
	json_close(j, ']');
	json_close(j, '}');
}

void json_bench(struct json_stream *j, const struct rec_bench *b, size_t events_cnt)
{
	json_open(j, NULL, '{');
	write_what_it_is(j, b);
	write_outcome(j, b);
	write_plan(j, b);
	json_open(j, "metrics", '{');
	for (size_t i = 0; i < METRIC_CNT; i++)
		write_metric(j, i, &b->metric[i]);
	json_close(j, '}');
	write_any_timing(j, &b->any_timing);
	write_duel(j, &b->duel);
	json_sized(j, b);
	json_open(j, "blocks", '[');
	for (size_t i = 0; i < b->blocks_cnt; i++)
		write_block(j, &b->blocks[i], events_cnt);
	json_close(j, ']');
	json_close(j, '}');
}
