/* SPDX-License-Identifier: BSD-2-Clause */
/* What a report says of one metric: its figure, and why it is what it is. */
#include "terminal_parts.h"
#include <math.h>
#include "text.h"

/* As many decimals as it takes to see the limit. */
static int decimals(double limit)
{
	double margin = fabs(limit - 1);

	if (margin > 0 && margin < 0.000999)
		return 5;
	return margin > 0 && margin < 0.00999 ? 4 : 3;
}

static void write_count(FILE *out, double value)
{
	if (isnan(value))
		fputs("unknown", out);
	else
		fprintf(out, "%.15g", value); /* exact: one more of many must show */
}

void terminal_per_iteration(FILE *out, enum metric_id id, const struct rec_metric *m)
{
	const struct metric *row = metric_get(id);

	for (size_t side = 0; side < SIDE_CNT; side++) {
		if (side)
			fputs(" -> ", out);
		if (row->kind == METRIC_TIMED || row->unit)
			text_value(out, m->per_iteration[side], row->unit);
		else
			write_count(out, m->per_iteration[side]);
	}
	if (row->kind != METRIC_PEAK)
		fputs(" an iteration", out);
}

/*
 * The metric and its figure: a ratio with its interval, the range of a ratio that depends on the
 * state of the machine, a count on both sides, or nothing. */
void terminal_figure(FILE *out, enum metric_id id, const struct rec_metric *m,
		     const struct terminal_layout *layout)
{
	const struct stage_result *shown = terminal_shown(m);
	int d = decimals(m->limit);

	fprintf(out, "  %-*s", (int)layout->metric_width, metric_get(id)->name);
	if (metric_get(id)->kind != METRIC_TIMED) {
		fputs("  ", out);
		terminal_per_iteration(out, id, m);
	} else if (shown && m->unstable) {
		fprintf(out, "  %.*f; %.*f to %.*f in 80 %% of the blocks: it wanders", d,
			shown->median, d, m->decile_lo, d, m->decile_hi);
	} else if (shown) {
		fprintf(out, "  %.*f [%.*f, %.*f]", d, shown->median, d, shown->lo, d, shown->hi);
	}
}

void terminal_evidence(FILE *out, enum metric_id id, const struct rec_metric *m)
{
	const char *sign = metric_get(id)->kind == METRIC_COUNTED ? "+" : "";
	size_t blocks = 0;

	for (size_t i = 0; i < m->stages_cnt && i < STAGES_MAX; i++)
		blocks += m->stage[i].blocks;
	fprintf(out, "limit %s%.6g", sign, m->limit);
	if (metric_get(id)->kind == METRIC_PEAK) {
		fputs(" and ", out);
		text_value(out, m->least, metric_get(id)->unit);
	}
	if (m->unstable && m->verdict == VERDICT_SLOWER && m->decile_lo < m->limit)
		fputs(", in most states of the machine, not all", out);
	if (m->stages_cnt)
		fprintf(out, ", %zu stage%s, %zu block%s", m->stages_cnt,
			m->stages_cnt == 1 ? "" : "s", blocks, blocks == 1 ? "" : "s");
}

static void write_peak_detectable(FILE *out, enum metric_id id, const struct rec_metric *m)
{
	fprintf(out, "more than %.4g times and ", m->limit);
	text_value(out, m->least, metric_get(id)->unit);
	fputs(" more would have been seen", out);
}

static void write_detectable(FILE *out, int id, const struct rec_metric *m, const char *before)
{
	if (id >= 0 && metric_get(id)->kind == METRIC_COUNTED)
		fprintf(out, "more than +%.6g an iteration would have been seen", m->limit);
	else if (id >= 0 && metric_get(id)->kind == METRIC_PEAK)
		write_peak_detectable(out, id, m);
	else if (id >= 0 && isfinite(m->detectable))
		fprintf(out, "%s%.*f would have been seen", before, decimals(m->limit),
			m->detectable);
	else
		fputs("too few blocks to say what would have been seen", out);
}

/*
 * `same` comes of the number of blocks below the limit, at another error than the interval's: it may be
 * settled while the interval still reaches above.
 */
static bool beside_its_interval(int id, const struct rec_metric *m)
{
	const struct stage_result *shown =
		id >= 0 && metric_get(id)->kind == METRIC_TIMED ? terminal_shown(m) : NULL;

	return shown && !m->unstable && shown->hi > m->limit;
}

/* The median of the slices is blind to a cost in fewer than half of them. */
static void write_same_detectable(FILE *out, const struct rec_bench *b, int id,
				  const struct rec_metric *m)
{
	if (id == METRIC_CPU && isfinite(m->detectable) && terminal_total_open(b))
		fprintf(out, "%.*f in most slices would have been seen", decimals(m->limit),
			m->detectable);
	else
		write_detectable(out, id, m, "");
}

void terminal_same(FILE *out, const struct rec_bench *b, int id)
{
	const struct rec_metric *m = id >= 0 ? &b->metric[id] : NULL;

	if (m && m->not_confirmed)
		fputs("not confirmed: slower in stage 1, but not when measured again; ", out);
	if (m && m->equivalence.shown)
		fprintf(out, "shown to be within %.4g %% (p %.2g); ",
			100 * (m->equivalence.margin - 1), m->equivalence.p);
	if (beside_its_interval(id, m))
		fprintf(out,
			"enough blocks lie below %.6g for this, too few for a narrower interval; ",
			m->limit);
	write_same_detectable(out, b, id, m);
}

/* Whether what was measured is as large as what "would have been seen". */
static bool beyond_detectable(const struct rec_metric *m)
{
	const struct stage_result *shown = terminal_shown(m);

	return shown && isfinite(m->detectable) && fabs(log(shown->median)) >= log(m->detectable);
}

enum reason terminal_doubt(FILE *out, const struct rec_metric *m, enum reason fallback)
{
	enum reason why = m && m->reason != REASON_NONE ? m->reason : fallback;

	if (m && terminal_suspected(m) && why != REASON_SUSPECTED)
		fputs("slower in stage 1, not confirmed: ", out);
	fputs(why == REASON_NONE ? "it could not be told" : reason_get(why)->sentence, out);
	return why;
}

void terminal_undecided(FILE *out, int id, const struct rec_metric *m, enum reason fallback)
{
	enum reason why = terminal_doubt(out, m, fallback);

	if (m && m->stages_cnt && beyond_detectable(m))
		return; /* it was there, and was not told from the limit */
	fputs("; ", out);
	write_detectable(out, id, m, "a change of ");
	if (why == REASON_OUT_OF_TIME && m && isfinite(m->detectable))
		fputs(" with all blocks", out);
}
