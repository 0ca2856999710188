/* SPDX-License-Identifier: BSD-2-Clause */
#include "terminal.h"
#include <math.h>
#include <string.h>
#include "terminal_parts.h"
#include "text.h"

/* The values of one metric and side, one a block, sorted. */
struct sample {
	double *value;
	size_t cnt;
};

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Type-7 quantile of sorted x[0..n), n >= 1 (statistics.md g). */
static double quantile(const double *x, size_t n, double p)
{
	double at = p * (double)(n - 1);
	size_t i = (size_t)at;

	if (i + 1 >= n)
		return x[n - 1];
	return x[i] + (at - (double)i) * (x[i + 1] - x[i]);
}

/* The median of a block's pairs; NaN when none has a value. `scratch`: pairs_cnt doubles. */
static double block_value(const struct rec_block *b, enum side side, enum metric_id id,
			  double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < b->pairs_cnt; i++)
		if (!isnan(b->pairs[i].half[side].value[id]))
			scratch[n++] = b->pairs[i].half[side].value[id];
	if (!n)
		return NAN;
	qsort(scratch, n, sizeof(*scratch), compare_doubles);
	return quantile(scratch, n, 0.5);
}

size_t terminal_most_pairs(const struct rec_bench *b)
{
	size_t most = 1;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		if (b->blocks[i].pairs_cnt > most)
			most = b->blocks[i].pairs_cnt;
	return most;
}

/* sample->value has room for every block. Without memory there is no value. */
static void collect(const struct rec_bench *b, enum side side, enum metric_id id,
		    struct sample *sample)
{
	AUTO_FREE double *scratch = calloc(terminal_most_pairs(b), sizeof(*scratch));

	sample->cnt = 0;
	for (size_t i = 0; scratch && i < b->blocks_cnt; i++) {
		const struct rec_block *block = &b->blocks[i];
		double value = NAN;

		if (block->lost == REASON_NONE && block->stage > 0)
			value = block_value(block, side, id, scratch);
		if (!isnan(value))
			sample->value[sample->cnt++] = value;
	}
	qsort(sample->value, sample->cnt, sizeof(*sample->value), compare_doubles);
}

static void write_quantile(FILE *out, const struct sample *s, enum metric_id id, double p)
{
	text_value(out, quantile(s->value, s->cnt, p), metric_get(id)->unit);
}

static void write_sample(FILE *out, const struct rec_bench *b, enum metric_id id,
			 const struct sample *s)
{
	write_quantile(out, s, id, 0.5);
	fputs(" an iteration  [", out);
	write_quantile(out, s, id, 0.1);
	fputs(", ", out);
	write_quantile(out, s, id, 0.9);
	fprintf(out, "]  n %ju, %zu block%s\n", (uintmax_t)b->n, s->cnt, s->cnt == 1 ? "" : "s");
}

static void write_name(FILE *out, const struct rec_bench *b, size_t width, bool shown)
{
	size_t name_width = text_width(b->name);

	if (width < name_width) /* a long name stands out; its other lines stand below it */
		width = name_width;
	fputs("  * ", out);
	if (!shown)
		terminal_text(out, b->name);
	else
		name_width = 0;
	fprintf(out, "%*s", (int)(width - name_width), "");
}

static bool wanted(enum metric_id id, int verbosity)
{
	return verbosity > 0 || id == METRIC_CPU || id == METRIC_INSTRUCTIONS || id == METRIC_WALL;
}

static size_t widest_metric(int verbosity)
{
	size_t widest = 0;

	for (int i = 0; i < METRIC_CNT; i++)
		if (wanted(i, verbosity) && strlen(metric_get(i)->name) > widest)
			widest = strlen(metric_get(i)->name);
	return widest;
}

/* One line per metric that has values; returns how many. */
static size_t write_side(FILE *out, const struct rec_bench *b, enum side side,
			 const struct terminal_layout *layout, double *values)
{
	int verbosity = layout->style->verbosity;
	size_t lines = 0;

	for (int i = 0; i < METRIC_CNT; i++) {
		struct sample s = {.value = values};

		if (!wanted(i, verbosity))
			continue;
		collect(b, side, i, &s);
		if (!s.cnt)
			continue;
		write_name(out, b, layout->name_width, lines++ > 0);
		fprintf(out, "  %-*s  ", (int)widest_metric(verbosity), metric_get(i)->name);
		write_sample(out, b, i, &s);
	}
	return lines;
}

static void write_measured(FILE *out, const struct rec_bench *b,
			   const struct terminal_layout *layout)
{
	AUTO_FREE double *values = calloc(b->blocks_cnt ? b->blocks_cnt : 1, sizeof(*values));

	if (b->verdict == BENCH_ERROR || b->verdict == BENCH_SKIPPED) {
		terminal_bench(out, b, layout);
		return;
	}
	/* `joust run` measures one side; which one is the engine's affair */
	if (values && (write_side(out, b, SIDE_CANDIDATE, layout, values) ||
		       write_side(out, b, SIDE_BASELINE, layout, values)))
		return;
	write_name(out, b, layout->name_width, false);
	fputs("  nothing was measured\n", out);
}

void terminal_measured(FILE *out, const struct record *r, const struct terminal_style *style)
{
	struct terminal_layout layout = terminal_layout_of(r, style);

	if (style->verbosity >= 0)
		terminal_opening(out, r);
	for (size_t i = 0; i < r->benches_cnt; i++)
		write_measured(out, &r->benches[i], &layout);
	if (style->verbosity >= 0 && r->benches_cnt)
		fputc('\n', out);
	terminal_message(out, r);
	if (style->verbosity < 0)
		return;
	terminal_notes(out, r);
	if (!r->path)
		return;
	fputs("Record: ", out);
	terminal_text(out, r->path);
	fputc('\n', out);
}
