/* SPDX-License-Identifier: BSD-2-Clause */
/* What a benchmark with sizes regressed by: a size, the slope, or the growth from size to size. */
#include "terminal_parts.h"
#include <math.h>

static void write_column(FILE *out, const struct rec_bench *b, size_t i)
{
	const struct rec_endpoint *e = &b->endpoint[i];
	size_t k = b->sizes_cnt;

	if (i < k)
		fprintf(out, "at size %.0f: %.3f, limit %.6g", b->sizes[i], exp(e->estimate),
			exp(e->margin));
	else if (i == k)
		fprintf(out, "time grows with the size to the power of %.3f more, limit %.3f more",
			e->estimate, e->margin);
	else
		fprintf(out, "from size %.0f to %.0f: %.3f a doubling, limit %.6g",
			b->sizes[i - k - 1], b->sizes[i - k], exp(e->estimate), exp(e->margin));
}

/*
 * What a stage finds in 4 of 5 cases: its lower end must be above the limit, and the estimate errs by its
 * standard error, of which `upper` has the 95 % quantile: .84 / 1.68.
 */
static double detectable(const struct rec_endpoint *e)
{
	return exp(e->margin + (e->estimate - e->lo) + (e->upper - e->estimate) / 2);
}

void terminal_growth(FILE *out, const struct rec_bench *b)
{
	const struct rec_endpoint *largest = &b->endpoint[b->sizes_cnt - 1];
	const struct rec_endpoint *slope = &b->endpoint[b->sizes_cnt];

	fprintf(out, "at size %.0f", b->sizes[b->sizes_cnt - 1]);
	if (isfinite(detectable(largest)))
		fprintf(out, ", where %.3f would have been seen", detectable(largest));
	fprintf(out, "; scaling exponent %+.3f against the baseline's, at most %+.3f, limit %+.3f",
		slope->estimate, slope->upper, slope->margin);
}

void terminal_sized(FILE *out, const struct rec_bench *b, size_t indent)
{
	for (size_t i = 0; i < 2 * b->sizes_cnt; i++) {
		if (!(b->endpoint[i].lo > b->endpoint[i].margin)) /* NaN: not gated */
			continue;
		fprintf(out, "%*s", (int)indent, "");
		write_column(out, b, i);
		fputc('\n', out);
	}
}

/* An endpoint and its interval, without its limit. */
static void write_endpoint(FILE *out, const struct rec_bench *b, size_t i, double hi)
{
	const struct rec_endpoint *e = &b->endpoint[i];
	size_t k = b->sizes_cnt;

	if (i == k) {
		fprintf(out, "scaling exponent %+.3f [%+.3f, %+.3f]", e->estimate, e->lo, hi);
		return;
	}
	if (i < k)
		fprintf(out, "size %.0f", b->sizes[i]);
	else
		fprintf(out, "from size %.0f to %.0f", b->sizes[i - k - 1], b->sizes[i - k]);
	fprintf(out, "  %.3f [%.3f, %.3f]", exp(e->estimate), exp(e->lo), exp(hi));
	if (i > k)
		fputs(" a doubling", out);
}

static void write_limit(FILE *out, const struct rec_bench *b, size_t i)
{
	double margin = b->endpoint[i].margin;

	if (i == b->sizes_cnt)
		fprintf(out, "limit %+.3f", margin);
	else
		fprintf(out, "limit %.6g", exp(margin));
}

/* Nobody judges this size, and it has changed by more than the limit all the same. */
static bool has_moved(const struct rec_bench *b, size_t i)
{
	const struct rec_endpoint *e = &b->endpoint[i];
	double limit = log(b->metric[METRIC_CPU].limit);

	return isnan(e->margin) && (e->lo > limit || e->hi < -limit);
}

void terminal_sizes(FILE *out, const struct rec_bench *b, size_t indent, bool all)
{
	const char *why =
		all ? "" : ": only the largest size, the scaling exponent and the growths are";

	if (!terminal_shown(&b->metric[METRIC_CPU]))
		return; /* a stage that was cut short has no endpoints */
	for (size_t i = 0; i < (all ? 2 : 1) * b->sizes_cnt; i++) {
		if (!all && !has_moved(b, i))
			continue;
		fprintf(out, "%*s", (int)indent, "");
		write_endpoint(out, b, i, b->endpoint[i].hi);
		fputs("  ", out);
		if (isnan(b->endpoint[i].margin))
			fprintf(out, "not judged%s", why);
		else
			write_limit(out, b, i);
		fputc('\n', out);
		why = ""; /* once */
	}
}

/* lo above the limit is slower, upper at it or below is not; between them is what could not be told. */
static void write_doubt(FILE *out, const struct rec_bench *b, size_t i)
{
	if (i < b->sizes_cnt)
		fputs("at ", out);
	write_endpoint(out, b, i, b->endpoint[i].upper);
	fputs(", ", out);
	write_limit(out, b, i);
}

size_t terminal_sized_doubt(FILE *out, const struct rec_bench *b)
{
	size_t cnt = 0;

	for (size_t i = 0; i < 2 * b->sizes_cnt; i++) {
		const struct rec_endpoint *e = &b->endpoint[i];

		if (isnan(e->margin) || e->lo > e->margin || e->upper <= e->margin)
			continue;
		if (out && cnt)
			fputs("; ", out);
		if (out)
			write_doubt(out, b, i);
		cnt++;
	}
	return cnt;
}
