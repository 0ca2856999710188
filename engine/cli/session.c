/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include "../host/hostinfo.h"
#include "../measure/precheck.h"
#include "../project/accept.h"
#include "../project/dirs.h"
#include "../project/git.h"
#include "../util/clock.h"
#include "../util/num.h"
#include "../../report/json.h"
#include "../../report/terminal.h"
#include "aa_report.h"
#include "idle_limits.h"
#include "output.h"
#include "own_limits.h"
#include "present.h"
#include "turn.h"
#include "world.h"

#define LAYOUTS_DEFAULT 4

static int stamp(struct record *rec)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	char text[32];
	uint64_t fixed;
	struct tm tm;

	if (epoch && !num_u64(epoch, 0, UINT32_MAX, &fixed))
		now = (time_t)fixed;
	if (!gmtime_r(&now, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return -EOVERFLOW;
	rec->started = strdup(text);
	return rec->started ? 0 : -ENOMEM;
}

/* A seed of 32 bits: short enough to be read aloud and typed. */
static uint64_t fresh_seed(void)
{
	uint32_t seed = 0;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = (uint32_t)clock_ns(CLOCK_REALTIME);
	return seed;
}

static int describe_run(struct session *s, const char *verb)
{
	struct record *rec = &s->rec;
	int err = stamp(rec);

	rec->verb = strdup(verb);
	rec->sandbox = strdup(sandbox_level_name(s->opt->sandbox));
	rec->seed = s->opt->seed_given ? s->opt->seed : fresh_seed();
	rec->sandbox_log = s->opt->sandbox_log;
	rec->strict = s->opt->strict;
	rec->bisect = s->opt->bisect;
	for (size_t i = 0; i < s->opt->given_cnt && !err; i++)
		err = record__add_option(rec, s->opt->given[i].name, s->opt->given[i].value);
	if (!err && (!rec->verb || !rec->sandbox))
		err = -ENOMEM;
	return err ? err : host_describe(&rec->host);
}

static int no_memory(struct session *s)
{
	return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

static struct discover_request discover_request(struct session *s, bool one_side)
{
	return (struct discover_request){
		.config = &s->config,
		.versions = &s->versions,
		.root = s->root,
		.command = (const char *const *)s->opt->command,
		.command_cnt = s->opt->command_cnt,
		.names = &s->names,
		.filter = s->opt->filter,
		.exclude = s->opt->exclude,
		.timeout_s = s->opt->timeout_s,
		.sandbox = s->sandbox,
		.room = cgroup_worker_room(&s->cgroup, &s->config.limits),
		.strict = s->opt->sandbox == SANDBOX_STRICT,
		.one_side = one_side,
		.sizes_apart = s->opt->verb == VERB_RUN,
		.interrupt_fd = s->watch.interrupt.fd,
	};
}

/* Where the project is: a candidate that is a directory, else where joust was started. */
static char *start_dir(const struct session *s)
{
	const char *candidate = s->opt->candidate;
	struct stat st;

	if (candidate && !stat(candidate, &st) && S_ISDIR(st.st_mode))
		return realpath(candidate, NULL);
	return getcwd(NULL, 0);
}

static int open_project(struct session *s)
{
	AUTO_FREE char *cwd = start_dir(s);
	const char *name;
	int err;

	if (!cwd)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -errno,
				   "cannot tell the working directory: %s", strerror(errno));
	err = project_root(cwd, &s->root, &s->why);
	if (!err)
		err = config__load(&s->config, s->root, &s->why);
	if (err)
		return err;
	name = strrchr(s->root, '/');
	s->rec.project = strdup(name && name[1] ? name + 1 : s->root);
	return s->rec.project ? 0 : no_memory(s);
}

static int open_state(struct session *s)
{
	int err = dirs_state(s->root, &s->state_dir, &s->why);

	if (err)
		return err;
	err = dirs_hold(s->state_dir, &s->state_fd);
	return err ? problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "cannot use %s: %s",
				 s->state_dir, strerror(-err))
		   : 0;
}

/* What cannot be held to a limit is said, once. */
static int open_groups(struct session *s)
{
	cgroup__open(&s->cgroup, false);
	s->rec.host.cgroup = cgroup_describe(&s->cgroup);
	if (!s->rec.host.cgroup)
		return no_memory(s);
	if (!cgroup_has(&s->cgroup, CGROUP_MEMORY) || !cgroup_has(&s->cgroup, CGROUP_PIDS))
		IGNORE_ERROR(record__note(&s->rec, /* only a note */
					  "nothing limits the memory and the processes of what is "
					  "measured: joust may use no cgroup for it (%s); run "
					  "`joust doctor`",
					  s->rec.host.cgroup));
	return 0;
}

int session__open(struct session *s, const struct options *opt, const char *verb)
{
	struct discover_request request;
	int err;

	*s = (struct session){
		.opt = opt, .watch = {.interrupt = {.fd = -1}}, .state_fd = -1, .turn_fd = -1};
	record__init(&s->rec);
	progress__init(&s->watch.progress, opt);
	err = interrupt__open(&s->watch.interrupt);
	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "cannot take signals: %s",
				   strerror(-err));
	if (git_memory_ends_with(judge_exit(EXIT_COULD_NOT_COMPARE, opt->bisect)))
		return no_memory(s);
	err = describe_run(s, verb);
	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err,
				   "cannot describe this run: %s", strerror(-err));
	err = open_project(s);
	if (!err)
		err = own_limits_check_files(&s->why);
	if (!err)
		err = filter__init(&s->names, opt->filter, opt->exclude, &s->why);
	request = discover_request(s, false);
	if (!err)
		err = discover_precheck(&request, opt->base, opt->candidate, &s->why);
	if (!err)
		err = export_check(opt->export_json, &s->export, &s->why);
	if (!err)
		err = open_state(s);
	if (err)
		return err;
	s->recorded = !opt->dry_run; /* which measures nothing: the last record stays */
	err = child_engine_setup();
	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err,
				   "cannot prepare for child processes: %s", strerror(-err));
	return open_groups(s);
}

static int progress_fd(const struct session *s)
{
	return s->watch.progress.mode == PROGRESS_NONE ? -1 : STDERR_FILENO;
}

static int prepare_versions(struct session *s, bool one_side, bool twice)
{
	const struct options *opt = s->opt;
	bool guessed = false;
	int err = project_build(&s->config, s->root, &s->build, &guessed);

	if (err)
		return no_memory(s);
	err = world__open(s);
	if (err)
		return err;
	err = versions__prepare(&s->versions,
				&(struct versions_request){
					.cwd = s->root,
					.base = opt->base,
					.candidate = opt->candidate,
					.force = opt->force,
					.in_place = opt->in_place,
					.strict = opt->sandbox == SANDBOX_STRICT,
					.one_side = one_side,
					.twice = twice,
					.config = &s->config,
					.build = s->build,
					.sandbox = s->sandbox,
					.cgroup = &s->cgroup,
					.world = s->world,
					.layouts = opt->layouts ? opt->layouts : LAYOUTS_DEFAULT,
					.interrupt_fd = s->watch.interrupt.fd,
					.progress_fd = progress_fd(s),
				},
				&s->rec, &s->why);
	if (err)
		return err;
	if (s->versions.nothing)
		return -ECANCELED;
	if (guessed && s->rec.build)
		IGNORE_ERROR(record__note(&s->rec, /* only a note */
					  "no build command is configured: built with `%s`",
					  s->build));
	return 0;
}

int session__prepare(struct session *s, bool one_side)
{
	struct discover_request request;
	int err = prepare_versions(s, one_side, false);

	if (err)
		return err;
	request = discover_request(s, one_side);
	err = targets__discover(&s->targets, &request, &s->rec, &s->why);
	if (!err && targets_note_loosened(&s->targets, &request, &s->rec))
		err = no_memory(s);
	return err || one_side ? err : accept_collect(&s->rec, s->root, &s->why);
}

int session__prepare_twice(struct session *s)
{
	return prepare_versions(s, false, true);
}

int session__discover(struct session *s, const struct versions *v, struct record *rec,
		      struct targets *ret)
{
	struct discover_request request = discover_request(s, false);

	request.versions = v;
	return targets__discover(ret, &request, rec, &s->why);
}

int session__policy(struct session *s, struct policy *p)
{
	const struct options *opt = s->opt;
	int err;

	policy__init(p);
	if (!isnan(opt->alpha))
		p->alpha = opt->alpha;
	if (opt->verb == VERB_COMPARE ||
	    opt->verb == VERB_AA) { /* what is only measured needs no verdict */
		p->fixed_blocks = opt->blocks != 0;
		p->blocks_max = opt->blocks ? opt->blocks : opt->max_blocks;
		p->blocks_min = opt->blocks ? opt->blocks : opt->min_blocks;
	}
	p->rule = opt->rule;
	p->peak_least = opt->peak_least;
	p->prove_same = opt->prove_same;
	for (size_t i = 0; i < METRIC_CNT; i++) {
		p->limit[i] = opt->limit[i];
		p->judge[i] = opt->judge[i];
	}
	err = policy__prepare(p);
	if (err == -EINVAL)
		return problem_set(&s->why, EXIT_USAGE, err,
				   "no verdict is possible with these --blocks, --min-blocks, "
				   "--max-blocks and --alpha");
	return err ? no_memory(s) : 0;
}

int session__source(struct session *s, struct record *rec, const struct versions *v,
		    const struct targets *targets, struct real_source *ret)
{
	int err = turn__take(s);

	if (err)
		return err;
	err = real_source__init(ret, rec, &s->config, v, targets, &s->cgroup, s->sandbox,
				s->watch.interrupt.fd);
	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "%s", ret->source.error);
	err = real_source__count(ret, &s->opt->events);
	if (err) {
		real_source__done(ret);
		return no_memory(s);
	}
	ret->source.options = (struct source_options){
		.pairs = s->opt->pairs,
		.warmup_s = s->opt->warmup_s,
		.timeout_s = s->opt->timeout_s,
	};
	return 0;
}

static int measure_with(struct session *s, struct run_options *run)
{
	struct real_source source;
	int err = session__source(s, &s->rec, &s->versions, &s->targets, &source);

	if (err)
		return err;
	err = run_measure(&s->rec, &source.source, run);
	real_source__done(&source);
	if (err && err != -EINTR)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "%s",
				   s->rec.message ? s->rec.message : strerror(-err));
	return err;
}

size_t session_run_blocks(const struct options *o)
{
	return o->blocks ? o->blocks : BLOCKS_MEASURE;
}

int session__measure(struct session *s, bool measure_only)
{
	struct run_options run = {
		.max_time_s = s->opt->max_time_s,
		.measure_only = measure_only,
		.gate = s->config.gate,
		.plan_blocks = measure_only ? 0 : RUN_PLAN_BLOCKS,
		.measure_blocks = session_run_blocks(s->opt),
		.interrupted = watch_interrupted,
		.progress = watch_progress,
		.arg = &s->watch,
	};
	int err = turn__take(s);
	uint64_t from = clock_ns(CLOCK_MONOTONIC);

	if (!err)
		err = session__policy(s, &run.policy);
	if (!err)
		err = measure_with(s, &run);
	if (!err && !measure_only) {
		note_idle_limits(&s->rec, s->opt, &s->config);
		IGNORE_ERROR(aa_cite(s->state_dir, &s->rec)); /* only a note */
	}
	progress__clear(&s->watch.progress);
	s->rec.seconds = (double)(clock_ns(CLOCK_MONOTONIC) - from) / 1e9;
	policy__done(&run.policy);
	return err;
}

static int replace(char **to, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

/* What the steps returned becomes the status of the run. */
static void conclude(struct session *s, int err)
{
	struct record *rec = &s->rec;

	if (!err) {
		judge_run(rec);
		return;
	}
	/* Not by the error alone: libraries fail with it too, and a failure must not pass. */
	if (err == -ECANCELED && s->versions.nothing) {
		rec->status = STATUS_NOTHING;
		rec->exit = EXIT_PASSED;
		return;
	}
	/* Asked here: who waited for a worker has only seen that there is a signal, not which. */
	if (interrupt__seen(&s->watch.interrupt)) {
		rec->status = STATUS_INTERRUPTED;
		rec->exit = interrupt_exit(&s->watch.interrupt);
		return;
	}
	/* The first problem stays; one that nobody described must not end in silence. */
	(void)problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "%s", strerror(-err));
	rec->status = STATUS_ERROR;
	rec->exit = judge_exit((int)s->why.exit, rec->bisect);
	IGNORE_ERROR(replace(&rec->message, s->why.text)); /* stderr says it anyway */
}

static int write_record(struct session *s)
{
	int err;

	/* What only measures one side must not take the place of the last comparison. */
	if (asprintf(&s->rec.path, "%s/%s.json", s->state_dir,
		     s->opt->verb == VERB_RUN ? "last-run" : "last") < 0) {
		s->rec.path = NULL;
		fputs("joust: cannot write the record: out of memory\n", stderr);
		return -ENOMEM;
	}
	err = present_json(&s->rec, s->rec.path);
	if (err) { /* the report must not send anybody there */
		free(s->rec.path);
		s->rec.path = NULL;
	}
	return err;
}

/* All that measuring needed, down to the signals. */
static void let_go(struct session *s)
{
	cgroup__close(&s->cgroup);
	sandbox__free(TAKE_PTR(s->sandbox));
	targets__done(&s->targets);
	versions__done(&s->versions);
	interrupt__done(&s->watch.interrupt);
}

/*
 * Who reads a pipe may keep its writer waiting for ever: by then there is a record, nothing else is left
 * behind, and a signal ends joust.
 */
static int write_artifacts(struct session *s)
{
	int err = write_record(s), err_export;

	let_go(s);
	err_export = present_export(&s->rec, s->opt->export_json, &s->export);
	return err ? err : err_export;
}

/* Else the problem on stderr is all that there is to say. */
static bool was_measured(const struct record *rec)
{
	return rec->status != STATUS_ERROR || rec->benches_cnt;
}

/* What has no report has to say it here. */
static void say_interrupted(const struct record *rec)
{
	fprintf(stderr, "joust: interrupted%s%s\n", rec->message ? ": " : "",
		rec->message ? rec->message : "");
}

int session__finish(struct session *s, int err)
{
	world_refusals(s);
	world_hints(s);
	conclude(s, err);
	if (s->why.text[0] && s->rec.status != STATUS_INTERRUPTED)
		output_problem(stderr, &s->why);
	if (!s->recorded && s->rec.status == STATUS_INTERRUPTED)
		say_interrupted(&s->rec);
	if (!s->recorded || s->why.exit == EXIT_USAGE)
		return s->rec.exit;
	/* An interrupt keeps its status; a verdict that nobody can read is none. */
	if (write_artifacts(s) && s->rec.status != STATUS_INTERRUPTED)
		s->rec.exit = EXIT_COULD_NOT_COMPARE;
	if (was_measured(&s->rec))
		present_report(&s->rec, s->opt);
	return s->rec.exit;
}

void session__done(struct session *s)
{
	let_go(s);
	free(s->world);
	filter__done(&s->names);
	config__done(&s->config);
	record__done(&s->rec);
	problem__done(&s->why);
	free(s->root);
	free(s->build);
	free(s->state_dir);
	atomic__abort(&s->export);
	cleanup_fd(&s->turn_fd);
	cleanup_fd(&s->state_fd);
}
