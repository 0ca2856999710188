/* SPDX-License-Identifier: BSD-2-Clause */
/* What all benchmarks say together. */
#include "terminal_parts.h"
#include <math.h>

static const char *head(enum verdict v)
{
	switch (v) {
	case VERDICT_SLOWER:
		return "x regressed";
	case VERDICT_FASTER:
		return "+ faster   ";
	case VERDICT_UNDECIDED:
		return "? undecided";
	case VERDICT_SAME:
	case VERDICT_NONE:
		break;
	}
	return "= same     ";
}

static void write_why(FILE *out, const struct rec_across *a)
{
	if (a->verdict == VERDICT_UNDECIDED)
		fprintf(out, "%s; ", reason_get(a->reason)->sentence);
	else
		fprintf(out, "limit %.6g, ", a->limit);
	if (isfinite(a->detectable))
		fprintf(out, "a shift of all by %.4f would have been seen", a->detectable);
	else
		fputs("too few rounds to say what would have been seen", out);
}

void terminal_across(FILE *out, const struct rec_across *a, int verbosity)
{
	const struct stage_result *last = a->stages_cnt ? &a->stage[a->stages_cnt - 1] : NULL;
	bool notable = a->verdict == VERDICT_SLOWER || a->verdict == VERDICT_FASTER ||
		       a->verdict == VERDICT_UNDECIDED;

	if (!a->judged || !last || verbosity < 0 || (!notable && verbosity == 0))
		return;
	fprintf(out, "  %s  all %zu benchmarks together  cpu", head(a->verdict), a->benches);
	if (isfinite(last->lo))
		fprintf(out, "  %.4f [%.4f, %.4f]", last->median, last->lo, last->hi);
	fputs("  ", out);
	write_why(out, a);
	fputc('\n', out);
}
