/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include "../host/hostinfo.h"
#include "../measure/schedule.h"
#include "../project/dirs.h"
#include "../util/clock.h"
#include "../../report/text.h"

static void stamp(struct record *rec)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	char text[32];
	uint64_t fixed;
	struct tm tm;

	if (epoch && !num_u64(epoch, 0, UINT32_MAX, &fixed))
		now = (time_t)fixed;
	if (gmtime_r(&now, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		rec->started = strdup(text);
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
	int err = 0;

	stamp(rec);
	rec->verb = strdup(verb);
	rec->sandbox = strdup("none");
	rec->seed = s->opt->seed_given ? s->opt->seed : fresh_seed();
	rec->strict = s->opt->strict;
	rec->bisect = s->opt->bisect;
	for (size_t i = 0; i < s->opt->given_cnt && !err; i++)
		err = record__add_option(rec, s->opt->given[i].name, s->opt->given[i].value);
	if (!err)
		err = host_describe(&rec->host);
	return err || !rec->verb || !rec->sandbox ? -ENOMEM : 0;
}

static int no_memory(struct session *s)
{
	return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

static struct discover_request discover_request(const struct session *s, bool one_side)
{
	return (struct discover_request){
		.config = &s->config,
		.versions = &s->versions,
		.command = (const char *const *)s->opt->command,
		.command_cnt = s->opt->command_cnt,
		.filter = s->opt->filter,
		.exclude = s->opt->exclude,
		.timeout_s = s->opt->timeout_s,
		.one_side = one_side,
		.interrupt_fd = s->interrupt.fd,
	};
}

static int open_project(struct session *s)
{
	AUTO_FREE char *cwd = getcwd(NULL, 0);
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

/* An export that cannot be written is found before anything is measured. */
static int check_export(struct session *s)
{
	const char *path = s->opt->export_json;
	struct atomic_file f;
	int err;

	if (!path || !strcmp(path, "-"))
		return 0;
	err = atomic__open(&f, path);
	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "cannot write %s: %s", path,
				   strerror(-err));
	atomic__abort(&f);
	return 0;
}

int session__open(struct session *s, const struct options *opt, const char *verb)
{
	struct discover_request request;
	int err;

	*s = (struct session){.opt = opt, .interrupt = {.fd = -1}};
	record__init(&s->rec);
	err = interrupt__open(&s->interrupt);
	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "cannot take signals: %s",
				   strerror(-err));
	if (describe_run(s, verb))
		return no_memory(s);
	err = open_project(s);
	request = discover_request(s, false);
	if (!err)
		err = discover_precheck(&request, opt->base, opt->candidate, &s->why);
	if (!err)
		err = check_export(s);
	if (!err)
		err = dirs_state(s->root, &s->state_dir, &s->why);
	s->recorded = !err;
	if (!err)
		err = child_engine_setup();
	return err;
}

int session__prepare(struct session *s, bool one_side)
{
	const struct options *opt = s->opt;
	struct discover_request request;
	bool guessed = false;
	int err = project_build(&s->config, s->root, &s->build, &guessed);

	if (err)
		return no_memory(s);
	err = versions__prepare(&s->versions,
				&(struct versions_request){
					.cwd = s->root,
					.base = opt->base,
					.candidate = opt->candidate,
					.force = opt->force,
					.in_place = opt->in_place,
					.one_side = one_side,
					.config = &s->config,
					.build = s->build,
					.interrupt_fd = s->interrupt.fd,
					.progress_fd = opt->quiet ? -1 : STDERR_FILENO,
				},
				&s->rec, &s->why);
	if (err)
		return err;
	if (s->versions.nothing)
		return -ECANCELED;
	if (guessed && s->rec.build)
		IGNORE_ERROR(record__note(&s->rec, /* only a note */
					  "no build command is configured: built with `%s`", s->build));
	request = discover_request(s, one_side);
	return targets__discover(&s->targets, &request, &s->rec, &s->why);
}

static bool interrupted(void *arg)
{
	return interrupt__seen(arg);
}

static int make_policy(struct session *s, struct policy *p)
{
	const struct options *opt = s->opt;
	int err;

	policy__init(p);
	if (!isnan(opt->alpha))
		p->alpha = opt->alpha;
	p->fixed_blocks = opt->blocks != 0;
	p->blocks_max = opt->blocks ? opt->blocks : opt->max_blocks;
	p->blocks_min = opt->blocks ? opt->blocks : opt->min_blocks;
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

static int measure_with(struct session *s, struct run_options *run)
{
	struct real_source source;
	int err = real_source__init(&source, &s->rec, &s->config, &s->versions, &s->targets,
				    s->interrupt.fd);

	if (err)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "%s", source.source.error);
	source.source.options = (struct source_options){
		.pairs = s->opt->pairs,
		.warmup_s = s->opt->warmup_s,
		.timeout_s = s->opt->timeout_s,
	};
	err = run_measure(&s->rec, &source.source, run);
	real_source__done(&source);
	if (err && err != -EINTR)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err, "%s",
				   s->rec.message ? s->rec.message : strerror(-err));
	return err;
}

int session__measure(struct session *s)
{
	struct progress_line line;
	struct run_options run = {
		.max_time_s = s->opt->max_time_s,
		.interrupted = interrupted,
		.progress = progress_line__draw,
		.arg = &s->interrupt,
	};
	uint64_t from = clock_ns(CLOCK_MONOTONIC);
	int err = make_policy(s, &run.policy);

	if (!err)
		err = measure_with(s, &run);
	s->rec.seconds = (double)(clock_ns(CLOCK_MONOTONIC) - from) / 1e9;
	policy__done(&run.policy);
	(void)line;
	return err;
}
