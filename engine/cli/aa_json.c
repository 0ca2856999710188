/* SPDX-License-Identifier: BSD-2-Clause */
#include "aa_report.h"
#include <math.h>
#include "../../report/json_stream.h"
#include "../project/dirs.h"

static void write_kinds(struct json_stream *j, const struct aa_result *r)
{
	json_open(j, "kinds", '[');
	for (enum alarm_kind k = 0; k < ALARM_KINDS; k++) {
		json_open_flat(j, NULL, '{');
		json_string(j, "kind", alarm_kind_name(k));
		json_uint(j, "runs", r->alarms->runs[k]);
		json_uint(j, "failing", r->alarms->failing[k]);
		json_uint(j, "stages", r->alarms->stages[k]);
		json_uint(j, "slower", r->alarms->slower[k]);
		json_derived(j, "rate_at_most",
			     isnan(r->inject)
				     ? aa_upper_bound(r->alarms->slower[k], r->alarms->stages[k])
				     : NAN);
		json_string(j, "missing", r->missing[k]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_signs(struct json_stream *j, const char *key, const struct alarm_signs *s)
{
	json_open_flat(j, key, '{');
	json_uint(j, "above", s->above);
	json_uint(j, "blocks", s->cnt);
	json_derived(j, "tolerance", s->tolerance);
	json_close(j, '}');
}

/* Null where not every block of equal binaries was taken. */
static void write_stages(struct json_stream *j, const struct aa_result *r)
{
	struct alarm_stages s;

	if (alarm_stages_of(r->alarms, r->policy, &s) || !isnan(r->inject) || !s.stages) {
		json_null(j, "at_limit_1");
		return;
	}
	json_open_flat(j, "at_limit_1", '{');
	json_uint(j, "stages", s.stages);
	json_uint(j, "slower", s.slower);
	json_derived(j, "expected", s.expected);
	json_derived(j, "expected_tolerance", s.rate_tolerance);
	json_derived(j, "variance", s.variance);
	json_derived(j, "variance_tolerance", s.tolerance);
	json_close(j, '}');
}

static void write_times(struct json_stream *j, const char *key, const struct alarm_times *t)
{
	struct alarm_quantiles q;

	if (alarm_quantiles_of(t, &q) || !q.cnt)
		return;
	json_open_flat(j, key, '{');
	json_uint(j, "times", q.cnt);
	json_derived(j, "median_s", q.median);
	json_derived(j, "nine_of_ten_s", q.nine_of_ten);
	json_close(j, '}');
}

static void write_all_times(struct json_stream *j, const struct alarms *a)
{
	json_open(j, "seconds", '{');
	for (enum bench_verdict v = BENCH_OPEN; v <= BENCH_SAME; v++)
		write_times(j, bench_verdict_name(v), &a->times[v]);
	write_times(j, "run", &a->whole);
	json_close(j, '}');
}

/* By metric, where one was ever found slower. */
static void write_found(struct json_stream *j, const struct alarm_bench *b)
{
	json_open_flat(j, "found_by", '{');
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (b->found[id])
			json_uint(j, metric_get(id)->name, b->found[id]);
	json_close(j, '}');
}

/* `metric` NULL: of the benchmark. */
static void write_why(struct json_stream *j, const char *metric, const size_t *runs)
{
	for (enum reason why = REASON_NONE; why < REASON_CNT; why++) {
		if (!runs[why])
			continue;
		json_open_flat(j, NULL, '{');
		json_string(j, "metric", metric);
		json_string(j, "reason", reason_get(why)->name);
		json_uint(j, "runs", runs[why]);
		json_close(j, '}');
	}
}

/* Runs, and how often each metric was for which reason. */
static void write_undecided(struct json_stream *j, const struct alarm_bench *b)
{
	json_uint(j, "undecided", b->undecided);
	json_open(j, "undecided_by", '[');
	write_why(j, NULL, b->why_all);
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		write_why(j, metric_get(id)->name, b->why[id]);
	json_close(j, ']');
}

static void write_bench(struct json_stream *j, const struct aa_result *r,
			const struct alarm_bench *b)
{
	struct alarm_figures f;
	bool known = !alarm_figures_of(b, r->policy, &f);
	double expected = NAN;

	if (known && aa_planned(r, b, &f, &expected))
		expected = NAN;

	json_open(j, NULL, '{');
	json_string(j, "name", b->name);
	json_uint(j, "runs", b->runs);
	json_uint(j, "regressed", b->regressed);
	json_derived(j, "planned", expected);
	write_found(j, b);
	write_undecided(j, b);
	json_uint(j, "stages", b->stages);
	json_uint(j, "slower", b->slower);
	json_derived(j, "limit", b->limit);
	json_uint(j, "pairs", b->m);
	json_uint(j, "blocks", b->blocks_cnt);
	json_derived(j, "ratio", known ? f.median : NAN);
	json_derived(j, "spread", known ? f.spread : NAN);
	json_derived(j, "within", known ? f.within : NAN);
	json_derived(j, "seen_80", known ? f.seen_80 : NAN);
	json_derived(j, "seen_90", known ? f.seen_90 : NAN);
	json_open_flat(j, "noise", '{');
	for (enum noise n = 0; n < NOISE_CNT; n++)
		json_derived(j, noise_name(n), known ? f.part[n] : NAN);
	json_close(j, '}');
	json_close(j, '}');
}

void aa_write_to(FILE *out, const struct aa_result *r)
{
	struct json_stream j = {.out = out, .empty = true};
	struct aa_rate rate = aa_rate_of(r->alarms);
	struct alarm_signs sides, places;

	alarm_signs_of(r->alarms, &sides, &places);
	json_open(&j, NULL, '{');
	json_string(&j, "joust_version", JOUST_VERSION);
	json_string(&j, "started", r->rec->started);
	json_string(&j, "host", r->rec->host.hostname_hash);
	json_uint_string(&j, "seed", r->rec->seed);
	json_raw(&j, "inject_percent", r->inject);
	json_string(&j, "stages_are",
		    "stage 1 of each benchmark in each run; slower: by any of its judged timed "
		    "metrics");
	json_uint(&j, "slower", rate.slower);
	json_uint(&j, "stages", rate.stages);
	json_derived(&j, "rate_at_most", isnan(r->inject) ? rate.bound : NAN);
	json_uint(&j, "runs", rate.runs);
	json_uint(&j, "failing", rate.failing);
	json_bool(&j, "every_block_taken", r->alarms->exhausted);
	write_kinds(&j, r);
	write_all_times(&j, r->alarms);
	write_signs(&j, "candidate_above_baseline", &sides);
	write_signs(&j, "second_above_first", &places);
	write_stages(&j, r);
	json_open(&j, "benchmarks", '[');
	for (size_t i = 0; i < r->alarms->benches_cnt; i++)
		write_bench(&j, r, &r->alarms->benches[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	fputc('\n', out);
}

int aa_write(const char *path, const struct aa_result *r)
{
	struct atomic_file f;
	int err = atomic__open(&f, path);

	if (err)
		return err;
	aa_write_to(f.file, r); /* commit asks for errors */
	return atomic__commit(&f);
}
