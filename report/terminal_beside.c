/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said beside a verdict, and is no part of it. */
#include "terminal_parts.h"

/* Nothing else of such a benchmark makes anybody look. */
static bool is_settled(const struct rec_bench *b)
{
	return b->verdict == BENCH_SAME || b->verdict == BENCH_FASTER ||
	       b->verdict == BENCH_CHANGED;
}

bool terminal_total_open(const struct rec_bench *b)
{
	const struct rec_metric *total = &b->metric[METRIC_CPU_TOTAL];

	return is_settled(b) && total->judged && total->verdict == VERDICT_UNDECIDED;
}

bool terminal_total_doubted(const struct rec_bench *b)
{
	const struct rec_metric *total = &b->metric[METRIC_CPU_TOTAL];
	const struct stage_result *shown = terminal_shown(total);

	if (!terminal_total_open(b))
		return false;
	return total->stages_cnt > 1 || (shown && shown->median > total->limit && shown->lo > 1);
}
