/* SPDX-License-Identifier: BSD-2-Clause */
#include "aa_report.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "../../report/json_stream.h"
#include "../../report/text.h"
#include "../../stats/proportion.h"
#include "../project/dirs.h"

#define CONFIDENCE 0.99

/* Nothing measured excludes nothing. */
static double upper_bound(size_t hits, size_t cnt)
{
	double bound;

	return proportion_upper(hits, cnt, CONFIDENCE, &bound) == STATS_OK ? bound : 1;
}

struct aa_rate aa_rate_of(const struct alarms *a)
{
	struct aa_rate r = {0};

	for (enum alarm_kind k = 0; k < ALARM_KINDS; k++) {
		r.slower += a->slower[k];
		r.stages += a->stages[k];
		r.runs += a->runs[k];
		r.failing += a->failing[k];
	}
	r.bound = upper_bound(r.slower, r.stages);
	return r;
}

static void print_kinds(FILE *out, const struct aa_result *r)
{
	const struct alarms *a = r->alarms;

	for (enum alarm_kind k = 0; k < ALARM_KINDS; k++) {
		fprintf(out, "  %-12s ", alarm_kind_name(k));
		if (a->runs[k])
			fprintf(out,
				"%4zu runs, %zu failed; stage 1 said slower %zu of %zu times\n",
				a->runs[k], a->failing[k], a->slower[k], a->stages[k]);
		else
			fprintf(out, "no run: %s\n",
				r->missing[k] ? r->missing[k] : "too few were asked for");
	}
}

static void print_rate(FILE *out, const struct aa_result *r)
{
	struct aa_rate rate = aa_rate_of(r->alarms);

	if (isnan(r->inject))
		fprintf(out,
			"\nFalse alarms of one stage: %zu of %zu, at most %.2g %% with 99 %% "
			"confidence. Failing runs: %zu of %zu.\n",
			rate.slower, rate.stages, 100 * rate.bound, rate.failing, rate.runs);
	else
		fprintf(out,
			"\nOf %g %% injected, stage 1 found %zu of %zu; %zu of %zu runs failed, as "
			"they should where it is above the limit.\n",
			r->inject, rate.slower, rate.stages, rate.failing, rate.runs);
}

static int print_times(FILE *out, const struct aa_result *r)
{
	struct alarm_quantiles q;
	int err = 0;

	for (enum bench_verdict v = BENCH_OPEN; v <= BENCH_SAME && !err; v++) {
		err = alarm_quantiles_of(&r->alarms->times[v], &q);
		if (!err && q.cnt)
			fprintf(out, "%-9s  %zu times, after %.3g s, 9 of 10 within %.3g s.\n",
				bench_verdict_name(v), q.cnt, q.median, q.nine_of_ten);
	}
	if (!err)
		err = alarm_quantiles_of(&r->alarms->whole, &q);
	if (!err)
		fprintf(out, "A run takes %.3g s, 9 of 10 within %.3g s.\n", q.median,
			q.nine_of_ten);
	return err;
}

static void print_share(FILE *out, const char *what, const struct alarm_signs *s,
			const char *within, const char *outside)
{
	double share = (double)s->above / (double)s->cnt;

	if (!s->cnt)
		return;
	fprintf(out, "%s: %.4f of %zu blocks, a fair coin within .5 +- %.4f: %s.\n", what, share,
		s->cnt, s->tolerance, fabs(share - .5) <= s->tolerance ? within : outside);
}

static void print_signs(FILE *out, const struct aa_result *r)
{
	struct alarm_signs sides, places;

	alarm_signs_of(r->alarms, &sides, &places);
	/* a run that may stop early stops by its signs, and so biases them */
	if (isnan(r->inject) && r->alarms->exhausted)
		print_share(out, "Candidate above baseline, same binary", &sides, "fair",
			    "NOT fair; please report this");
	print_share(out, "Second half of a pair above the first", &places, "no order effect seen",
		    "an order effect, which the coins keep out of the verdicts");
}

static const char *fair_or_not(double value, double expected, double tolerance)
{
	return fabs(value - expected) <= tolerance ? "fair" : "NOT fair; please report this";
}

static int print_stages(FILE *out, const struct aa_result *r)
{
	struct alarm_stages s;
	int err = alarm_stages_of(r->alarms, r->policy, &s);
	double rate = (double)s.slower / (double)s.stages;

	if (err || !isnan(r->inject) || s.stages < 2)
		return err;
	fprintf(out,
		"Blocks above, same binary: their number varies %.3f times as that of coins, "
		"within 1 +- %.3f over %zu stages: %s.\n",
		s.variance, s.tolerance, s.stages, fair_or_not(s.variance, 1, s.tolerance));
	fprintf(out,
		"At limit 1 one of these stages said slower %zu of %zu times, %.4f +- %.4f "
		"expected: %s.\n",
		s.slower, s.stages, s.expected, s.rate_tolerance,
		fair_or_not(rate, s.expected, s.rate_tolerance));
	return 0;
}

static void print_number(FILE *out, double value, double scale, const char *unit)
{
	int width = (int)(9 - strlen(unit));

	if (isfinite(value))
		fprintf(out, "  %*.4f%s", width, scale * value, unit);
	else
		fprintf(out, "  %9s", "-"); /* pairs of blocks of one, or power that no N has */
}

/* What is planned to be found, of so many runs; NaN without an injection. */
static int planned(const struct aa_result *r, const struct alarm_bench *b,
		   const struct alarm_figures *f, double *ret)
{
	double power = NAN;
	int err = isnan(r->inject)
			  ? 0
			  : alarm_power_of(b, r->policy, 1 + r->inject / 100, f->spread, &power);

	*ret = power * (double)b->runs;
	return err;
}

static int print_found(FILE *out, const struct aa_result *r, const struct alarm_bench *b,
		       const struct alarm_figures *f)
{
	double expected = NAN;
	int err = planned(r, b, f, &expected);

	if (!err && isnan(expected))
		fputc('\n', out);
	else if (!err)
		fprintf(out, ", found %zu of %zu (planned %.1f)\n", b->regressed, b->runs,
			expected);
	return err;
}

static int print_bench(FILE *out, const struct aa_result *r, const struct alarm_bench *b,
		       size_t width)
{
	struct alarm_figures f;
	int err = alarm_figures_of(b, r->policy, &f);

	fputs("  ", out);
	text_escape(out, b->name, strlen(b->name));
	fprintf(out, "%*s", (int)(width - text_width(b->name)), "");
	if (err == -ENODATA) {
		fputs("  too few blocks\n", out);
		return 0;
	}
	if (err)
		return err;
	print_number(out, f.median, 1, "");
	print_number(out, f.seen_80, 1, "");
	print_number(out, f.seen_90, 1, "");
	print_number(out, f.spread, 100, " %");
	print_number(out, f.within, 100, " %");
	fprintf(out, "  %-9s  %zu blocks", noise_name(f.worst), f.blocks);
	return print_found(out, r, b, &f);
}

int aa_print(FILE *out, const struct aa_result *r, bool quiet)
{
	const struct alarms *a = r->alarms;
	size_t width = strlen("benchmark");
	int err = 0;

	fprintf(out, "joust %s aa: %zu benchmark%s, compared with itself. Seed %llu.\n\n",
		JOUST_VERSION, a->benches_cnt, a->benches_cnt == 1 ? "" : "s",
		(unsigned long long)r->rec->seed);
	print_kinds(out, r);
	print_rate(out, r);
	if (quiet)
		return 0;
	err = print_times(out, r);
	if (err)
		return err;
	print_signs(out, r);
	err = print_stages(out, r);
	for (size_t i = 0; i < a->benches_cnt; i++)
		if (text_width(a->benches[i].name) > width)
			width = text_width(a->benches[i].name);
	fprintf(out,
		"\n  %-*s      ratio   80 %% see   90 %% see     blocks      pairs  noise from\n",
		(int)width, "benchmark");
	for (size_t i = 0; i < a->benches_cnt && !err; i++)
		err = print_bench(out, r, &a->benches[i], width);
	fputs("\nratio: candidate to baseline, median of the blocks. 80 % see: the smallest ratio "
	      "that one stage finds 8 times of 10. "
	      "blocks, pairs: their spread.\n",
	      out);
	return err;
}

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
				     ? upper_bound(r->alarms->slower[k], r->alarms->stages[k])
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

static void write_bench(struct json_stream *j, const struct aa_result *r,
			const struct alarm_bench *b)
{
	struct alarm_figures f;
	bool known = !alarm_figures_of(b, r->policy, &f);
	double expected = NAN;

	if (known && planned(r, b, &f, &expected))
		expected = NAN;

	json_open(j, NULL, '{');
	json_string(j, "name", b->name);
	json_uint(j, "runs", b->runs);
	json_uint(j, "regressed", b->regressed);
	json_derived(j, "planned", expected);
	write_found(j, b);
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
