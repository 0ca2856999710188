/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include "../util/clock.h"
#include "aa_report.h"
#include "output.h"
#include "session.h"

#define RUNS_DEFAULT 20

/* Of five runs three compare the same binary; the coins make exact promises of those alone. */
static const enum alarm_kind turns[] = {ALARM_SAME, ALARM_SAME, ALARM_RELINKED, ALARM_SAME,
					ALARM_REBUILT};
#define TURNS_CNT (sizeof(turns) / sizeof(turns[0]))

struct aa {
	struct session *s;
	struct versions view[ALARM_KINDS]; /* of the session's versions: borrowed */
	const char *missing[ALARM_KINDS];  /* why a kind cannot be had; NULL: it can */
	struct run_options run;
	struct alarms alarms;
	uint64_t start_ns;
	char key[AA_KEY_BYTES]; /* of the last run that was measured */
};

/* What is compared in a run of each kind, all made of the candidate. */
static void make_views(struct aa *aa)
{
	const struct versions *v = &aa->s->versions;
	const struct tree *tree = &v->tree[SIDE_CANDIDATE];
	const struct layouts *l = &v->layouts[SIDE_CANDIDATE];
	struct versions same = {.tree = {*tree, *tree}, .layouts = {*l, *l}};

	aa->view[ALARM_SAME] = aa->view[ALARM_RELINKED] = same;
	aa->view[ALARM_RELINKED].layouts[SIDE_CANDIDATE].shift = 1;
	if (l->cnt < 3) /* two different ones besides the build's own */
		aa->missing[ALARM_RELINKED] = l->why ? l->why : "too few --layouts";
	aa->view[ALARM_REBUILT] = (struct versions){.tree = {v->tree[SIDE_BASELINE], *tree},
						    .layouts = {{.cnt = 1}, {.cnt = 1}}};
	if (!v->rebuilt)
		aa->missing[ALARM_REBUILT] = "joust builds nothing here";
}

static double spent_s(const struct aa *aa)
{
	return (double)(clock_ns(CLOCK_MONOTONIC) - aa->start_ns) / 1e9;
}

/* Measures one run, which ends with what --max-time has left. */
static int measure(struct aa *aa, enum alarm_kind kind, struct record *rec,
		   const struct targets *targets)
{
	struct session *s = aa->s;
	struct real_source source;
	double begun_s = spent_s(aa);
	int err = session__source(s, rec, &aa->view[kind], targets, &source);

	if (err)
		return err;
	if (!isnan(s->opt->inject))
		source.inject_ppm = (unsigned)lround(s->opt->inject * 1e4);
	aa->run.max_time_s = s->opt->max_time_s - spent_s(aa);
	err = run_measure(rec, &source.source, &aa->run);
	real_source__done(&source);
	rec->seconds = spent_s(aa) - begun_s;
	if (err && err != -EINTR)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "%s",
				   rec->message ? rec->message : strerror(-err));
	return err;
}

/* A benchmark that cannot be measured ends everything: a rate of what is left would mislead. */
static int check_errors(struct aa *aa, const struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++) {
		const struct rec_bench *b = &rec->benches[i];

		if (b->verdict == BENCH_ERROR)
			return problem_set(&aa->s->why, EXIT_COULD_NOT_COMPARE, -EPROTO,
					   "%s: %s%s%s", b->name, reason_get(b->reason)->sentence,
					   b->detail ? ": " : "", b->detail ? b->detail : "");
	}
	return 0;
}

/* libjoust burns what is injected; into a command nothing can be. */
static int check_injection(struct aa *aa, const struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt && !isnan(aa->s->opt->inject); i++)
		if (rec->benches[i].kind != BENCH_FUNCTION)
			return problem_set(
				&aa->s->why, EXIT_USAGE, -EINVAL,
				"nothing can be injected into the command \"%s\"; leave it "
				"out with --exclude",
				rec->benches[i].name);
	return 0;
}

static bool was_cut(const struct record *rec)
{
	for (size_t i = 0; i < rec->benches_cnt; i++)
		for (size_t m = 0; m < METRIC_CNT; m++)
			if (rec->benches[i].metric[m].reason == REASON_OUT_OF_TIME)
				return true;
	return false;
}

static int one_run(struct aa *aa, size_t number)
{
	enum alarm_kind kind = turns[number % TURNS_CNT];
	CLEANUP(record__done) struct record rec;
	CLEANUP(targets__done) struct targets targets = {0};
	int err;

	if (aa->missing[kind])
		kind = ALARM_SAME;
	record__init(&rec);
	rec.seed = aa->s->rec.seed + number;
	err = session__discover(aa->s, &aa->view[kind], &rec, &targets);
	if (!err)
		err = check_injection(aa, &rec);
	if (!err)
		err = measure(aa, kind, &rec, &targets);
	if (!err) {
		judge_run(&rec);
		aa_circumstances(&aa->s->rec.host, &rec, aa->key);
		err = check_errors(aa, &rec);
	}
	/* a run that was cut short would count stages that could not yet say "slower" */
	return err || was_cut(&rec) ? err : alarms__add(&aa->alarms, &rec, kind);
}

/* --max-time gives NaN where it is not given, and then the time is never over. */
static bool time_is_over(const struct aa *aa)
{
	return spent_s(aa) >= aa->s->opt->max_time_s;
}

static size_t runs_wanted(const struct options *o)
{
	return o->runs ? o->runs : RUNS_DEFAULT;
}

/* For whoever interrupts. Without memory less is said. */
static void tell_complete(const struct aa *aa)
{
	size_t complete = 0;

	for (int kind = 0; kind < ALARM_KINDS; kind++)
		complete += aa->alarms.runs[kind];
	free(aa->s->rec.message);
	if (asprintf(&aa->s->rec.message, "%zu of %zu runs were complete", complete,
		     runs_wanted(aa->s->opt)) < 0)
		aa->s->rec.message = NULL;
}

static int all_runs(struct aa *aa)
{
	size_t cnt = runs_wanted(aa->s->opt);
	int err = 0;

	aa->start_ns = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = 0; i < cnt && !err && (!i || !time_is_over(aa)); i++)
		err = one_run(aa, i);
	progress__clear(&aa->s->watch.progress);
	if (!err && !aa->alarms.benches_cnt && time_is_over(aa))
		return problem_set(&aa->s->why, EXIT_COULD_NOT_COMPARE, -ETIME,
				   "not one run was complete after %g s", aa->s->opt->max_time_s);
	return err;
}

static bool on_stdout(const struct aa *aa)
{
	return aa->s->opt->export_json && !strcmp(aa->s->opt->export_json, "-");
}

static int written(struct aa *aa, const char *path, int err)
{
	return err ? problem_set(&aa->s->why, EXIT_COULD_NOT_COMPARE, err, "cannot write %s: %s",
				 path, atomic_strerror(err))
		   : 0;
}

static int write_json(FILE *f, const void *result)
{
	aa_write_to(f, result);
	return 0; /* whoever closes it asks for errors */
}

static int keep(struct aa *aa, const struct aa_result *r, FILE *out)
{
	const char *export = aa->s->opt->export_json;
	AUTO_FREE char *path = NULL;
	int err;

	if (asprintf(&path, "%s/aa.json", aa->s->state_dir) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	err = written(aa, path, aa_write(path, r));
	if (!err && on_stdout(aa))
		aa_write_to(stdout, r); /* output_finish asks about stdout */
	else if (!err && export)
		err = written(aa, export, export_write(export, &aa->s->export, write_json, r));
	if (!err)
		err = aa_keep(aa->s->state_dir, r);
	if (!err && !aa->s->opt->quiet) {
		aa_say_cited(out, r);
		fprintf(out, "Result: %s\n", path);
	}
	return err;
}

/* What was measured until an interrupt is shown too. */
static int report(struct aa *aa)
{
	struct aa_result r = {.alarms = &aa->alarms,
			      .policy = &aa->run.policy,
			      .rec = &aa->s->rec,
			      .inject = aa->s->opt->inject,
			      .whole = aa->run.whole_stage_1};
	FILE *out = on_stdout(aa) ? stderr : stdout;
	int err;

	if (!aa->alarms.benches_cnt)
		return 0;
	memcpy(r.missing, aa->missing, sizeof(r.missing));
	memcpy(r.key, aa->key, sizeof(r.key));
	err = aa_print(out, &r, aa->s->opt->quiet);
	return err ? err : keep(aa, &r, out);
}

static int run_and_report(struct session *s)
{
	struct aa aa = {.s = s,
			.run = {.gate = s->config.gate,
				/* the signs of what ends early are not those of coins */
				.whole_stage_1 = s->opt->blocks != 0,
				.plan_blocks = RUN_PLAN_BLOCKS,
				.interrupted = watch_interrupted,
				.progress = watch_progress,
				.arg = &s->watch}};
	int err = session__policy(s, &aa.run.policy), err_report = 0;

	make_views(&aa);
	if (!err)
		err = all_runs(&aa);
	if (!err || err == -EINTR)
		err_report = report(&aa);
	if (err == -EINTR)
		tell_complete(&aa);
	if (!err && !err_report && isnan(s->opt->inject) && aa_rate_of(&aa.alarms).failing)
		s->rec.exit = EXIT_REGRESSED;
	alarms__done(&aa.alarms);
	policy__done(&aa.run.policy);
	return err ? err : err_report;
}

int cmd_aa(const struct options *o)
{
	CLEANUP(session__done) struct session s;
	int err = session__open(&s, o, "aa");

	if (!err)
		err = session__prepare_twice(&s);
	if (!err)
		err = run_and_report(&s);
	s.recorded = false; /* the runs have records, but nobody asked for any one of them */
	return err ? session__finish(&s, err) : s.rec.exit;
}
