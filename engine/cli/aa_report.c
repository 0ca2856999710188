/* SPDX-License-Identifier: BSD-2-Clause */
#include "aa_report.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "../../report/text.h"
#include "../../stats/proportion.h"

#define CONFIDENCE 0.99

double aa_upper_bound(size_t hits, size_t cnt)
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
	r.bound = aa_upper_bound(r.slower, r.stages);
	return r;
}

static void print_kinds(FILE *out, const struct aa_result *r)
{
	const struct alarms *a = r->alarms;

	for (enum alarm_kind k = 0; k < ALARM_KINDS; k++) {
		fprintf(out, "  %-12s ", alarm_kind_name(k));
		if (a->runs[k])
			fprintf(out,
				"%4zu run%s, %zu failed; stage 1 said slower %zu of %zu times\n",
				a->runs[k], a->runs[k] == 1 ? "" : "s", a->failing[k], a->slower[k],
				a->stages[k]);
		else
			fprintf(out, "  no run: %s\n",
				r->missing[k] ? r->missing[k] : "too few were asked for");
	}
}

static void print_rate(FILE *out, const struct aa_result *r)
{
	struct aa_rate rate = aa_rate_of(r->alarms);

	if (isnan(r->inject))
		fprintf(out,
			"\nFalse alarms: stage 1 of a benchmark said slower %zu of %zu times, at "
			"most %.2g %% with 99 %% confidence. Failing runs: %zu of %zu.\n",
			rate.slower, rate.stages, 100 * rate.bound, rate.failing, rate.runs);
	else
		fprintf(out,
			"\nOf %g %% injected, stage 1 of a benchmark said slower %zu of %zu times; "
			"%zu of %zu runs failed, as they should where it is above the limit.\n",
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
	else if (isnan(r->inject) && r->whole)
		fputs("How many blocks lie above 1 is not shown: the host spoiled blocks of a "
		      "stage 1 that was not taken to its end.\n",
		      out);
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

int aa_planned(const struct aa_result *r, const struct alarm_bench *b,
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
	int err = aa_planned(r, b, f, &expected);

	if (!err && isnan(expected))
		fputc('\n', out);
	else if (!err)
		fprintf(out, ", found in %zu of %zu runs (planned %.1f)\n", b->regressed, b->runs,
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

/* "imprecise (cpu 2, cpu_total 1)"; a reason that is of the benchmark has no metrics. */
static void print_why(FILE *out, const struct alarm_bench *b, enum reason why, const char *before)
{
	const char *between = " (";

	fprintf(out, "%s%s", before, reason_get(why)->name);
	if (b->why_all[why])
		fprintf(out, " %zu", b->why_all[why]);
	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		if (!b->why[id][why])
			continue;
		fprintf(out, "%s%s %zu", between, metric_get(id)->name, b->why[id][why]);
		between = ", ";
	}
	fputs(*between == ',' ? ")" : "", out);
}

static bool was_why(const struct alarm_bench *b, enum reason why)
{
	bool was = b->why_all[why] > 0;

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		was = was || b->why[id][why];
	return was;
}

static void print_doubts(FILE *out, const struct alarm_bench *b, size_t width)
{
	const char *before = ": ";

	fputs("  ", out);
	text_escape(out, b->name, strlen(b->name));
	fprintf(out, "%*s  %zu of %zu run%s", (int)(width - text_width(b->name)), "", b->undecided,
		b->runs, b->runs == 1 ? "" : "s");
	for (enum reason why = REASON_NONE; why < REASON_CNT; why++) {
		if (!was_why(b, why))
			continue;
		print_why(out, b, why, before);
		before = ", ";
	}
	fputc('\n', out);
}

/* A line for each benchmark, however many reasons, and what the reasons mean once for all. */
static void print_undecided(FILE *out, const struct alarms *a, size_t width)
{
	bool any = false, seen[REASON_CNT] = {false};

	for (size_t i = 0; i < a->benches_cnt; i++) {
		const struct alarm_bench *b = &a->benches[i];

		if (!b->undecided)
			continue;
		if (!any)
			fputs("\nUndecided, and how often each metric was for which reason:\n",
			      out);
		any = true;
		print_doubts(out, b, width);
		for (enum reason why = REASON_NONE; why < REASON_CNT; why++)
			seen[why] = seen[why] || was_why(b, why);
	}
	for (enum reason why = REASON_NONE + 1; why < REASON_CNT; why++)
		if (seen[why])
			fprintf(out, "%s: %s.\n", reason_get(why)->name, reason_get(why)->sentence);
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
	print_undecided(out, a, width);
	return err;
}
