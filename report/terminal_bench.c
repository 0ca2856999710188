/* SPDX-License-Identifier: BSD-2-Clause */
#include "terminal_parts.h"
#include <math.h>
#include <string.h>
#include "text.h"

#define STDERR_LINES   10
#define NAME_COLUMN    15 /* "  x regressed  " */
#define NAME_WIDTH_MAX 40

static bool measured(const struct rec_metric *m)
{
	return !isnan(m->per_iteration[SIDE_BASELINE]) && !isnan(m->per_iteration[SIDE_CANDIDATE]);
}

/* Who asks for a metric wants to know what became of it, whatever decided. */
static bool was_asked_for(const struct rec_bench *b, enum metric_id id)
{
	enum metric_judge rule = metric_get(id)->judge;

	return b->metric[id].judged && b->metric[id].verdict != VERDICT_NONE &&
	       (rule == JUDGE_ASKED || (rule == JUDGE_THREADED && b->threads < 2));
}

/* Whether a metric that did not decide has a line of its own. */
static bool has_line(const struct rec_bench *b, enum metric_id id, int verbosity)
{
	const struct rec_metric *m = &b->metric[id];
	struct stage_result wall;

	if (verbosity < 0)
		return false;
	if (was_asked_for(b, id) || (id == METRIC_WALL && terminal_wall_moved(b, &wall)))
		return true;
	if (m->verdict == VERDICT_SLOWER && b->verdict == BENCH_REGRESSED && m->judged)
		return true;
	if (b->verdict == BENCH_CHANGED && id == METRIC_CPU && m->judged)
		return true; /* that a count has changed does not hide whether it is slower */
	if (id == METRIC_CPU_TOTAL && terminal_total_doubted(b))
		return true;
	return verbosity > 0 && (m->judged || m->missing != REASON_NONE || measured(m));
}

static void widen(size_t *width, size_t to)
{
	if (to > *width)
		*width = to;
}

static size_t metric_width(const struct rec_bench *b, int verbosity)
{
	int deciding = terminal_deciding(b);
	size_t width = 0;

	if (b->verdict == BENCH_ERROR || b->verdict == BENCH_SKIPPED)
		return 0;
	for (int i = 0; i < METRIC_CNT; i++)
		if (i == deciding || has_line(b, i, verbosity))
			widen(&width, strlen(metric_get(i)->name));
	return width;
}

struct terminal_layout terminal_layout_of(const struct record *r,
					  const struct terminal_style *style)
{
	struct terminal_layout l = {.style = style,
				    .one_side = r->verb && strcmp(r->verb, "run") == 0};
	size_t widest = style->columns >= 80 ? style->columns * 2 / 5 : NAME_WIDTH_MAX;

	for (size_t i = 0; i < r->benches_cnt; i++) {
		size_t width = text_width(r->benches[i].name);

		widen(&l.name_width, width <= widest ? width : 0);
		widen(&l.metric_width, metric_width(&r->benches[i], style->verbosity));
	}
	return l;
}

void terminal_text(FILE *out, const char *s)
{
	if (s)
		text_escape(out, s, strlen(s));
}

static void pad(FILE *out, size_t width, size_t to)
{
	fprintf(out, "%*s", width < to ? (int)(to - width) : 0, "");
}

void terminal_head(FILE *out, const struct rec_bench *b, const struct terminal_layout *layout)
{
	const struct terminal_mark *mark = terminal_mark(terminal_rank(b));
	const char *color = layout->style->color ? mark->color : NULL;

	fputs("  ", out);
	if (color)
		fprintf(out, "\033[%sm", color);
	fprintf(out, "%s %-9s", mark->symbol, mark->word);
	if (color)
		fputs("\033[0m", out);
	fputs("  ", out);
	terminal_text(out, b->name);
	pad(out, text_width(b->name), layout->name_width);
}

/* Of sizes, growths and the slope those that are near their limits: the line's figure may be no such. */
static void write_sized_undecided(FILE *out, const struct rec_bench *b, const struct rec_metric *m)
{
	if (!terminal_sized_doubt(NULL, b)) {
		terminal_undecided(out, METRIC_CPU, m, b->reason);
		return;
	}
	fputs(reason_get(m->reason)->sentence, out);
	fputs(": ", out);
	(void)terminal_sized_doubt(out, b);
}

/* Where there is no metric, more blocks would tell nothing either: what is missing does. */
static void write_unmeasured(FILE *out, const struct rec_bench *b)
{
	int id = terminal_missing(b);

	fputs(reason_get(REASON_NOT_MEASURED)->sentence, out);
	if (id >= 0)
		fprintf(out, "; %s: %s", metric_get(id)->name,
			reason_get(b->metric[id].missing)->sentence);
}

static void write_tail(FILE *out, const struct rec_bench *b, int id, const struct rec_metric *m)
{
	switch (b->verdict) {
	case BENCH_REGRESSED:
	case BENCH_FASTER:
		if (b->any_timing.slower && m->verdict != VERDICT_SLOWER)
			fprintf(out, "some of %zu timings slower in each of %s, ",
				b->any_timing.timings,
				b->duel.measurements ? "5 measurements" : "4 stages");
		terminal_evidence(out, id, m);
		break;
	case BENCH_UNDECIDED:
		if (id < 0 && b->reason == REASON_NOT_MEASURED)
			write_unmeasured(out, b);
		else if (b->sizes_cnt && id == METRIC_CPU)
			write_sized_undecided(out, b, m);
		else
			terminal_undecided(out, id, m, b->reason);
		break;
	case BENCH_CHANGED:
		terminal_per_iteration(out, id, m);
		break;
	case BENCH_SAME:
		if (b->sizes_cnt)
			terminal_growth(out, b);
		else
			terminal_same(out, b, id);
		break;
	case BENCH_OPEN:
		fputs("not judged yet", out);
		break;
	case BENCH_ERROR:
	case BENCH_SKIPPED:
		break;
	}
}

/* Without a deciding metric there is evidence for nothing; a count's figure says it all. */
static bool has_tail(const struct rec_bench *b, int id)
{
	if (b->verdict == BENCH_REGRESSED || b->verdict == BENCH_FASTER)
		return id >= 0;
	if (b->verdict == BENCH_CHANGED)
		return id >= 0 && metric_get(id)->kind == METRIC_TIMED;
	return true;
}

/* Nobody's where there is one side, and of a difference between the two. */
static bool has_side(const struct rec_bench *b, const struct terminal_layout *layout)
{
	return b->verdict == BENCH_ERROR && !layout->one_side && b->reason != REASON_DIGEST_DIFFERS;
}

/* Error and skip: whose, why, and in its own words. */
static void write_why(FILE *out, const struct rec_bench *b, const struct terminal_layout *layout)
{
	fputs("  ", out);
	if (has_side(b, layout))
		fprintf(out, "%s: ",
			b->reason_side == SIDE_CNT ? "both sides" : side_name(b->reason_side));
	fputs(b->reason == REASON_NONE ? "no reason is known" : reason_get(b->reason)->sentence,
	      out);
	if (b->detail && *b->detail) {
		fputs(": ", out);
		terminal_text(out, b->detail);
	}
}

static void indent(FILE *out, const struct terminal_layout *layout)
{
	pad(out, 0, NAME_COLUMN + layout->name_width);
}

static void write_metric_undecided(FILE *out, const struct rec_bench *b, enum metric_id id)
{
	fputs("undecided: ", out);
	if (id == METRIC_CPU_TOTAL && terminal_total_doubted(b)) {
		(void)terminal_doubt(out, &b->metric[id], REASON_NONE); /* the reason is written */
		fputs("; a cost in few iterations may be above the limit", out);
	} else {
		terminal_undecided(out, id, &b->metric[id], REASON_NONE);
	}
}

static void write_metric_state(FILE *out, const struct rec_bench *b, enum metric_id id)
{
	const struct rec_metric *m = &b->metric[id];

	switch (m->verdict) {
	case VERDICT_NONE:
		fputs("not judged", out);
		break;
	case VERDICT_SLOWER:
	case VERDICT_FASTER:
		fprintf(out, "%s: ", verdict_name(m->verdict));
		terminal_evidence(out, id, m);
		break;
	case VERDICT_SAME:
		fputs("same: ", out);
		terminal_same(out, b, id);
		break;
	case VERDICT_UNDECIDED:
		write_metric_undecided(out, b, id);
		break;
	}
}

/* Elapsed time that nobody judged, and that moved all the same. */
static void write_moved(FILE *out, const struct rec_bench *b, const struct stage_result *wall,
			const struct terminal_layout *layout)
{
	struct rec_metric shown = b->metric[METRIC_WALL];

	shown.stage[0] = *wall;
	shown.stages_cnt = 1;
	terminal_figure(out, METRIC_WALL, &shown, layout);
	fputs("  not judged: --judge wall", out);
}

static void write_metric_line(FILE *out, const struct rec_bench *b, enum metric_id id,
			      const struct terminal_layout *layout)
{
	const struct rec_metric *m = &b->metric[id];
	struct stage_result wall;

	indent(out, layout);
	if (m->missing != REASON_NONE) {
		fprintf(out, "  %-*s  not measured: %s\n", (int)layout->metric_width,
			metric_get(id)->name, reason_get(m->missing)->sentence);
		return;
	}
	if (id == METRIC_WALL && terminal_wall_moved(b, &wall)) {
		write_moved(out, b, &wall, layout);
	} else {
		terminal_figure(out, id, m, layout);
		fputs("  ", out);
		write_metric_state(out, b, id);
	}
	if (metric_get(id)->kind == METRIC_TIMED && measured(m)) {
		fputs("; ", out);
		terminal_per_iteration(out, id, m);
	}
	fputc('\n', out);
}

/* With those that were lost, without those that were planned by. */
static size_t blocks_measured(const struct rec_bench *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++)
		n += b->blocks[i].stage > 0;
	return n;
}

static void write_plan(FILE *out, const struct rec_bench *b, const struct terminal_layout *layout)
{
	size_t blocks = blocks_measured(b);

	indent(out, layout);
	fprintf(out, "  n %ju, %zu slice%s, %zu pair%s a block; %zu block%s in ", (uintmax_t)b->n,
		b->k, b->k == 1 ? "" : "s", b->m, b->m == 1 ? "" : "s", blocks,
		blocks == 1 ? "" : "s");
	text_duration(out, b->seconds * 1e9);
	if (b->lost_cnt)
		fprintf(out, ", %zu of them lost", b->lost_cnt);
	fputc('\n', out);
}

/* Where the code lies changes time, and what a program counts only with it. */
static bool may_be_placement(const struct rec_bench *b, enum metric_id id)
{
	const struct rec_metric *m = &b->metric[id];

	return rec_bench__linked(b) && metric_get(id)->kind == METRIC_TIMED &&
	       id != METRIC_INSTRUCTIONS && m->layouts == 1;
}

static void write_placement(FILE *out, const struct rec_bench *b,
			    const struct terminal_layout *layout)
{
	indent(out, layout);
	fputs("  one link layout", out);
	if (b->layouts_why) {
		fputs(", because ", out);
		terminal_text(out, b->layouts_why);
	}
	fputs(": it may be where the code lies", out);
	fputs(b->layouts_why ? "\n" : "; other layouts would tell\n", out);
}

static void write_accepted(FILE *out, const struct rec_bench *b,
			   const struct terminal_layout *layout)
{
	indent(out, layout);
	fputs("  accepted by commit ", out);
	fprintf(out, "%.12s: ", b->accepted_by ? b->accepted_by : "");
	terminal_text(out, b->accepted);
	fputc('\n', out);
}

static void write_below(FILE *out, const struct rec_bench *b, int deciding,
			const struct terminal_layout *layout)
{
	int verbosity = layout->style->verbosity;
	const struct rec_metric *m = deciding >= 0 ? &b->metric[deciding] : NULL;

	if (m && verbosity >= 0 && b->verdict == BENCH_REGRESSED && measured(m) &&
	    metric_get(deciding)->kind == METRIC_TIMED) {
		indent(out, layout);
		fputs("  ", out);
		terminal_per_iteration(out, deciding, m);
		/* whose quotient is not the ratio: that one is of pairs, which share a moment */
		fputs(", each side's median\n", out);
	}
	if (b->verdict == BENCH_REGRESSED && verbosity >= 0)
		terminal_sized(out, b, NAME_COLUMN + layout->name_width + 2);
	if (b->sizes_cnt && verbosity >= 0)
		terminal_sizes(out, b, NAME_COLUMN + layout->name_width + 2, verbosity > 0);
	if (b->accepted && b->verdict == BENCH_REGRESSED)
		write_accepted(out, b, layout);
	if (m && verbosity >= 0 && b->verdict == BENCH_REGRESSED && may_be_placement(b, deciding))
		write_placement(out, b, layout);
	for (int i = 0; i < METRIC_CNT; i++)
		if (i != deciding && has_line(b, i, verbosity))
			write_metric_line(out, b, i, layout);
	if (verbosity > 0 && b->blocks_cnt)
		write_plan(out, b, layout);
}

/* A verdict by another rule than ours must not pass for one of ours. */
static void write_rule(FILE *out, const struct rec_bench *b)
{
	if (b->duel.measurements)
		fprintf(out, "; %s by the rule of duel", duel_result_name(b->duel.result));
}

/* What ended before it had an interval has that of its blocks so far, if they suffice for one. */
static void write_figure(FILE *out, const struct rec_bench *b, enum metric_id id,
			 const struct terminal_layout *layout)
{
	struct rec_metric shown = b->metric[id];
	bool so_far;

	if (!terminal_ended_early(b, id)) {
		terminal_figure(out, id, &shown, layout);
		return;
	}
	so_far = terminal_so_far(b, id, &shown.stage[0]);
	shown.stages_cnt = so_far;
	terminal_figure(out, id, &shown, layout);
	fputs(so_far ? " so far" : "  no interval yet", out);
}

void terminal_bench(FILE *out, const struct rec_bench *b, const struct terminal_layout *layout)
{
	int id = terminal_deciding(b);
	const struct rec_metric *m = id >= 0 ? &b->metric[id] : NULL;

	terminal_head(out, b, layout);
	if (b->verdict == BENCH_ERROR || b->verdict == BENCH_SKIPPED) {
		write_why(out, b, layout);
		fputc('\n', out);
		if (layout->style->verbosity >= 0)
			terminal_quoted(out, b->stderr_tail,
					layout->style->verbosity > 0 ? 0 : STDERR_LINES);
		return;
	}
	if (m)
		write_figure(out, b, id, layout);
	if (has_tail(b, id)) {
		fputs("  ", out);
		write_tail(out, b, id, m);
	}
	write_rule(out, b);
	fputc('\n', out);
	write_below(out, b, id, layout);
}
