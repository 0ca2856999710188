/* SPDX-License-Identifier: BSD-2-Clause */
#include "dry_run.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "../../report/text.h"
#include "output.h"

#define WARMUP_WINDOWS 2

static void print_version(const struct record *rec, enum side side)
{
	const struct rec_version *v = &rec->version[side];
	const char *what = v->ref ? v->ref : v->source ? v->source : "working tree";

	printf("%-10s ", side_name(side));
	text_escape(stdout, what, strlen(what));
	if (v->kind == VERSION_WORKTREE && v->commit)
		printf(" (%.12s, %zu file%s changed)", v->commit, v->changed_files,
		       v->changed_files == 1 ? "" : "s");
	else if (v->commit)
		printf(" (%.12s)", v->commit);
	putchar('\n');
}

/* What a block of `b` takes: two starts, warm-up and m pairs of windows. */
static double block_ns(const struct rec_bench *b)
{
	double windows = b->kind == BENCH_FUNCTION ? WARMUP_WINDOWS + (double)b->m : (double)b->m;
	double window_ns = b->slice_ns * (double)b->k;

	for (size_t i = 0; i + 1 < b->sizes_cnt; i++) /* the last one is the largest */
		window_ns += b->window[i].slice_ns * (double)b->window[i].k;
	return b->start_both_ns + 2 * windows * window_ns;
}

struct expected {
	double least_ns, most_ns;
};

static void expect(struct expected *sum, const struct rec_bench *b, size_t run_blocks)
{
	if (run_blocks) {
		sum->least_ns += block_ns(b) * (double)run_blocks;
		return;
	}
	sum->least_ns += block_ns(b) * (double)b->blocks_min;
	for (size_t i = 0; i < CONFIRMED_STAGES; i++)
		sum->most_ns += block_ns(b) * (double)b->blocks_max[i];
}

/* `run_blocks`: of `joust run`, which decides nothing; 0: of a comparison. */
static void print_blocks(const struct rec_bench *b, size_t run_blocks)
{
	if (run_blocks)
		printf(": %zu block%s", run_blocks, run_blocks == 1 ? "" : "s");
	else
		printf(": %zu to %zu blocks", b->blocks_min, b->blocks_max[0]);
	printf(" of %zu pair%s, ", b->m, b->m == 1 ? "" : "s");
}

static void print_bench(const struct rec_bench *b, struct expected *sum, size_t run_blocks)
{
	fputs("  ", stdout);
	text_escape(stdout, b->name, strlen(b->name));
	if (b->verdict != BENCH_OPEN) {
		printf(": %s\n", reason_get(b->reason)->sentence);
		return;
	}
	print_blocks(b, run_blocks);
	if (b->kind == BENCH_FUNCTION)
		printf("%zu slice%s of %" PRIu64 " iteration%s, ", b->k, b->k == 1 ? "" : "s", b->n,
		       b->n == 1 ? "" : "s");
	text_duration(stdout, block_ns(b));
	puts(" a block");
	expect(sum, b, run_blocks);
}

static void print_duration(const struct expected *sum, bool compares)
{
	fputs("Measuring takes ", stdout);
	text_duration(stdout, sum->least_ns);
	if (compares) {
		fputs(" if nothing changed, at most ", stdout);
		text_duration(stdout, sum->most_ns);
		fputs(" if everything has to be confirmed", stdout);
	}
	puts(".");
}

static void print_plan(const struct session *s)
{
	bool compares = s->opt->verb != VERB_RUN;
	struct expected sum = {0};

	if (compares)
		print_version(&s->rec, SIDE_BASELINE);
	print_version(&s->rec, SIDE_CANDIDATE);
	printf("%zu benchmark%s:\n", s->rec.benches_cnt, s->rec.benches_cnt == 1 ? "" : "s");
	for (size_t i = 0; i < s->rec.benches_cnt; i++)
		print_bench(&s->rec.benches[i], &sum, compares ? 0 : session_run_blocks(s->opt));
	print_duration(&sum, compares);
}

static enum source_status look(struct source *src, struct rec_bench *b, const struct policy *p)
{
	enum source_status status = b->verdict == BENCH_OPEN ? src->ops->open(src, b) : SOURCE_OK;

	if (b->verdict == BENCH_OPEN && status == SOURCE_OK) {
		src->ops->close(src, b);
		judge_plan(b, p);
	}
	return status;
}

static int look_at_all(struct session *s, const struct policy *p)
{
	struct real_source source;
	int err = session__source(s, &s->rec, &s->versions, &s->targets, &source);

	if (err)
		return err;
	for (size_t i = 0; i < s->rec.benches_cnt && !err; i++) {
		switch (look(&source.source, &s->rec.benches[i], p)) {
		case SOURCE_OK:
		case SOURCE_LOST:
		case SOURCE_FAILED: /* the plan says so, and so does the exit status */
		case SOURCE_SKIPPED:
			break;
		case SOURCE_INTERRUPTED:
			err = -EINTR;
			break;
		case SOURCE_BROKEN:
			err = problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -EIO, "%s",
					  source.source.error);
			break;
		}
	}
	real_source__done(&source);
	return err;
}

static bool any_error(const struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++) {
		if (rec->benches[i].verdict == BENCH_ERROR)
			return true;
	}
	return false;
}

int dry_run(struct session *s)
{
	struct policy policy;
	int err = session__policy(s, &policy);

	if (!err)
		err = look_at_all(s, &policy);
	policy__done(&policy);
	if (err)
		return session__finish(s, err);
	print_plan(s);
	return any_error(&s->rec) ? EXIT_COULD_NOT_COMPARE : EXIT_PASSED;
}
