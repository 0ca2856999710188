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

void terminal_growth(FILE *out, const struct rec_bench *b)
{
	const struct rec_endpoint *slope = &b->endpoint[b->sizes_cnt];

	fprintf(out, "at size %.0f; power of the size %+.3f, at most %+.3f, limit %+.3f",
		b->sizes[b->sizes_cnt - 1], slope->estimate, slope->upper, slope->margin);
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

/* lo above the limit is slower, upper at it or below is not; between them is what could not be told. */
static void write_doubt(FILE *out, const struct rec_bench *b, size_t i)
{
	const struct rec_endpoint *e = &b->endpoint[i];
	size_t k = b->sizes_cnt;

	if (i < k)
		fprintf(out, "at size %.0f %.3f [%.3f, %.3f], limit %.6g", b->sizes[i],
			exp(e->estimate), exp(e->lo), exp(e->upper), exp(e->margin));
	else if (i == k)
		fprintf(out, "power of the size %+.3f [%+.3f, %+.3f], limit %+.3f", e->estimate,
			e->lo, e->upper, e->margin);
	else
		fprintf(out, "from size %.0f to %.0f %.3f [%.3f, %.3f] a doubling, limit %.6g",
			b->sizes[i - k - 1], b->sizes[i - k], exp(e->estimate), exp(e->lo),
			exp(e->upper), exp(e->margin));
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
