/* SPDX-License-Identifier: BSD-2-Clause */
#include "build.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "beneath.h"
#include "build_log.h"
#include "dirs.h"
#include "remove.h"
#include "../host/child.h"
#include "../host/ends.h"
#include "../util/clock.h"

#define DEFAULT_PATH  "/usr/local/bin:/usr/bin:/bin"
#define SCRATCH_PLACE "/run/joust"

/*
 * The whole environment of a build. It is the same on both sides and in every directory, and holds
 * nothing of the user's: whatever else a build needs is named in [sandbox] env.
 */
static const struct {
	const char *name, *value; /* %s: the scratch directory; NULL: ours, else the default */
	const char *why;
} environment[] = {
	{"PATH", NULL, "where the compilers are"},
	{"HOME", "%s/home", "empty: no configuration and no secrets of the user"},
	{"TMPDIR", "%s/tmp", "private: no leftovers of other builds"},
	{"LANG", "C.UTF-8", "messages and sorting do not depend on the user"},
	{"LC_ALL", "C.UTF-8", "likewise"},
	{"TERM", "dumb", "no colours in the log"},
	{"USER", "joust", "some scripts insist"},
	{"LOGNAME", "joust", "likewise"},
	{"SHELL", "/bin/sh", "make and scripts start it"},
	{"SOURCE_DATE_EPOCH", "946684800", "compilers put this time, not theirs, into programs"},
};
#define ENVIRONMENT_CNT (sizeof(environment) / sizeof(environment[0]))

static const char *search_path(void)
{
	const char *path = getenv("PATH");

	return path && path[0] ? path : DEFAULT_PATH;
}

static int add_variable(struct strings *env, const char *name, const char *value,
			const char *scratch)
{
	const char *hole = scratch ? strstr(value, "%s") : NULL;
	AUTO_FREE char *item = NULL;
	int n;

	if (hole)
		n = asprintf(&item, "%s=%s%s", name, scratch, hole + 2);
	else
		n = asprintf(&item, "%s=%s", name, value);
	if (n < 0) {
		item = NULL;
		return -ENOMEM;
	}
	return strings__add(env, item);
}

static int pass_through(struct strings *env, const struct strings *names)
{
	for (size_t i = 0; names && i < names->cnt; i++) {
		const char *value = getenv(names->items[i]);
		AUTO_FREE char *item = NULL;
		size_t len = strlen(names->items[i]);

		if (!value)
			continue;
		if (asprintf(&item, "%s=%s", names->items[i], value) < 0) {
			item = NULL;
			return -ENOMEM;
		}
		for (size_t j = 0; j < env->cnt; j++) { /* what is named replaces the table's */
			if (strncmp(env->items[j], item, len + 1))
				continue;
			free(env->items[j]);
			env->items[j] = TAKE_PTR(item);
			break;
		}
		if (item && strings__add(env, item))
			return -ENOMEM;
	}
	return 0;
}

static int make_environment(struct strings *env, const char *scratch, const struct strings *names)
{
	int err = 0;

	for (size_t i = 0; !err && i < ENVIRONMENT_CNT; i++) {
		const char *value = environment[i].value;

		err = value ? add_variable(env, environment[i].name, value, scratch)
			    : add_variable(env, environment[i].name, search_path(), NULL);
	}
	return err ? err : pass_through(env, names);
}

/* The stand-ins for compilers find what they stand in for by the path that was there before. */
static int stand_in_first(struct strings *env, const char *stand_ins)
{
	AUTO_FREE char *first = NULL;

	for (size_t i = 0; i < env->cnt; i++) {
		const char *path = env->items[i] + strlen("PATH=");

		if (strncmp(env->items[i], "PATH=", strlen("PATH=")))
			continue;
		if (asprintf(&first, "PATH=%s:%s", stand_ins, path) < 0) {
			first = NULL;
			return -ENOMEM;
		}
		if (add_variable(env, LAYOUT_PATH_ENV, path, NULL))
			return -ENOMEM;
		free(env->items[i]);
		env->items[i] = TAKE_PTR(first);
		return 0;
	}
	return -ENOENT;
}

static int add_layout(struct strings *env, const struct build_request *req)
{
	char seed[16];

	if (!req->layout_seed)
		return 0;
	(void)snprintf(seed, sizeof(seed), "%u", req->layout_seed);
	if (add_variable(env, LAYOUT_SEED_ENV, seed, NULL))
		return -ENOMEM;
	return req->stand_ins ? stand_in_first(env, req->stand_ins) : 0;
}

int build_environment_text(const struct strings *names, char **ret)
{
	struct strings env = {0};
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *f;
	int err = make_environment(&env, "", names);

	f = err ? NULL : open_memstream(&text, &len);
	for (size_t i = 0; f && i < env.cnt; i++)
		fprintf(f, "%s\n", env.items[i]);
	if (!f || fclose(f))
		err = err ? err : -ENOMEM;
	strings__done(&env);
	if (!err)
		*ret = TAKE_PTR(text);
	return err;
}

/* The tools whose replacement makes another program of the same source. */
static const char *const tools[] = {"cc", "gcc", "g++",	   "c++",     "clang", "clang++",
				    "as", "ld",	 "ld.lld", "ld.gold", "rustc", "cargo",
				    "go", "zig", "make",   "cmake",   "ninja", "meson"};

static bool describe_file(FILE *f, const char *file)
{
	struct stat st;

	if (stat(file, &st) || !S_ISREG(st.st_mode))
		return false;
	fprintf(f, "%s %lld %lld.%09ld %llu\n", file, (long long)st.st_size,
		(long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (unsigned long long)st.st_ino);
	return true;
}

static void describe_tool(FILE *f, const char *tool, int tool_len)
{
	const char *path = search_path();
	char file[PATH_MAX];

	if (memchr(tool, '/', (size_t)tool_len)) {
		(void)snprintf(file, sizeof(file), "%.*s", tool_len,
			       tool); /* too long: no such file */
		(void)describe_file(f, file);
		return;
	}
	while (*path) {
		size_t len = strcspn(path, ":");
		int n = snprintf(file, sizeof(file), "%.*s/%.*s", (int)len, path, tool_len, tool);

		if (len && n > 0 && (size_t)n < sizeof(file) && describe_file(f, file))
			return;
		path += len + (path[len] == ':');
	}
}

struct wanted_tool {
	const char *name;
	bool found;
};

static int is_tool(void *arg, const char *name)
{
	struct wanted_tool *w = arg;

	w->found = !strcmp(name, w->name);
	return w->found;
}

bool build_has_tool(const char *name)
{
	struct wanted_tool w = {.name = name};

	return build_each_tool(is_tool, &w) > 0 && w.found;
}

static int each_in(const char *dir, int (*each)(void *arg, const char *name), void *arg)
{
	AUTO_DIR DIR *d = opendir(dir);
	const struct dirent *e;
	int result = 0;

	while (d && !result && (e = readdir(d)))
		result = e->d_name[0] == '.' ? 0 : each(arg, e->d_name);
	return result;
}

int build_each_tool(int (*each)(void *arg, const char *name), void *arg)
{
	const char *path = search_path();
	int result = 0;

	while (*path && !result) {
		size_t len = strcspn(path, ":");
		char dir[PATH_MAX];

		if (len && len < sizeof(dir)) {
			(void)snprintf(dir, sizeof(dir), "%.*s", (int)len, path);
			result = each_in(dir, each, arg);
		}
		path += len + (path[len] == ':');
	}
	return result;
}

/* CC = "clang-14 -m32" and the like, as far as they are let through. */
static void describe_named(FILE *f, const struct strings *names)
{
	static const char *const variables[] = {"CC", "CXX", "LD", "AS", "RUSTC"};

	for (size_t i = 0; i < names->cnt; i++) {
		const char *value = getenv(names->items[i]);

		for (size_t j = 0; value && j < sizeof(variables) / sizeof(variables[0]); j++) {
			if (!strcmp(names->items[i], variables[j]))
				describe_tool(f, value, (int)strcspn(value, " "));
		}
	}
}

int build_tools_text(const struct strings *names, char **ret)
{
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		describe_tool(f, tools[i], (int)strlen(tools[i]));
	describe_named(f, names);
	if (fclose(f))
		return -ENOMEM;
	*ret = TAKE_PTR(text);
	return 0;
}

/* Running */

static int make_scratch(const char *scratch)
{
	static const char *const names[] = {"home", "tmp"};
	int err = dirs_remove(scratch);

	for (size_t i = 0; !err && i < 2; i++) {
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s/%s", scratch, names[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		err = dirs_make(path);
	}
	return err;
}

/* Output goes through a pipe, so that the log can be capped without touching the build's files. */
static int follow(struct child *c, int pipe_fd, struct build_log *log,
		  const struct build_request *req)
{
	uint64_t deadline_ns = clock_ns(CLOCK_MONOTONIC) + (uint64_t)(req->limits.time_s * 1e9);
	int interrupt_fd = req->interrupt_fd;
	ssize_t n;

	for (;;) {
		switch (child__wait(c, pipe_fd, deadline_ns, interrupt_fd)) {
		case CHILD_READABLE:
			n = build_log__pump(log, pipe_fd);
			if (n <= 0 && n != -EAGAIN && n != -EINTR)
				pipe_fd = -1; /* closed by all: the exit alone is left */
			if (interrupted(interrupt_fd))
				return -EINTR;
			if (clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
				return -ETIME;
			continue;
		case CHILD_INTERRUPTED:
			return -EINTR;
		case CHILD_TIMED_OUT:
			return -ETIME;
		case CHILD_EXITED:
		default:
			return 0;
		}
	}
}

/* Where the build finds its scratch directory: at one path for both sides. */
static const char *shown_scratch(const struct build_request *req)
{
	return sandbox_has(req->sandbox, LAYER_ROOT) ? SCRATCH_PLACE : req->scratch;
}

static struct child_spec build_spec(const struct build_request *req, const char *dir)
{
	const struct tree *t = req->tree;
	struct child_spec spec = {
		.path = "/bin/sh", .cwd = dir, .protocol_fd = -1, .sandbox = req->sandbox};

	spec.bind[spec.bind_cnt++] =
		(struct sandbox_bind){t->root, t->place ? t->place : t->root, BIND_WRITE};
	spec.bind[spec.bind_cnt++] =
		(struct sandbox_bind){req->scratch, shown_scratch(req), BIND_WRITE};
	return spec;
}

static int run_command(const struct build_request *req, struct strings *env, struct build_log *log,
		       struct build_end *ret)
{
	CLEANUP(cgroup_leaf__close) struct cgroup_leaf leaf = {0};
	const char *const argv[] = {"/bin/sh", "-c", req->command, NULL};
	AUTO_FREE char *dir = NULL;
	struct child_spec spec;
	AUTO_FREE const char **envp = calloc(env->cnt + 1, sizeof(*envp));
	AUTO_FD int from = -1;
	AUTO_FD int to = -1;
	struct child child = {0};
	int fds[2], err;

	if (!envp)
		return -ENOMEM;
	for (size_t i = 0; i < env->cnt; i++)
		envp[i] = env->items[i];
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	from = fds[0];
	to = fds[1];
	if (fcntl(from, F_SETFL, O_NONBLOCK))
		return -errno;
	err = tree_inside(req->tree, req->tree->project, &dir);
	if (err)
		return err;
	spec = build_spec(req, dir);
	spec.argv = argv;
	spec.envp = envp;
	spec.output_fd = to;
	err = cgroup_leaf__open_in(&leaf, &req->limits.room, "build");
	if (err)
		return err;
	spec.leaf = leaf.cgroup ? &leaf : NULL;
	err = child__start(&child, &spec);
	if (err)
		return err;
	cleanup_fd(&to);
	to = -1;
	err = follow(&child, from, log, req);
	if (err)
		child__kill(&child, false);
	while (build_log__pump(log, from) > 0)
		;
	*ret = (struct build_end){
		.status = child.status, .timed_out = err == -ETIME, .limit = end_limit(&child)};
	child__done(&child);
	return err == -ETIME ? 0 : err;
}

static int run(const struct build_request *req, struct strings *env, struct build_log *log,
	       struct build_result *r)
{
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	struct build_end end = {0};
	int err = make_scratch(req->scratch);

	if (!err)
		err = make_environment(env, shown_scratch(req), req->names);
	if (!err)
		err = add_layout(env, req);
	if (!err)
		err = run_command(req, env, log, &end);
	if (err)
		return err;
	r->seconds = (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e9;
	r->failed = build_end_failed(&end);
	if (r->failed &&
	    (!(r->end = build_end_text(&req->limits, &end)) || !(r->tail = build_log_tail(log))))
		return -ENOMEM;
	return 0;
}

int build__run(const struct build_request *req, struct build_result *ret, struct problem *why)
{
	struct build_result r = {0};
	struct strings env = {0};
	struct build_log log = {.fd = -1};
	int log_err, err = build_log__open(&log, req->log);

	if (err)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", req->log,
				   strerror(-err));
	err = run(req, &env, &log, &r);
	strings__done(&env);
	log_err = build_log__close(&log);
	if (log_err && !err)
		err = problem_set(why, EXIT_COULD_NOT_COMPARE, log_err,
				  "%s: the log could not be written: %s", req->log,
				  strerror(-log_err));
	remove_quietly(req->scratch); /* a leftover is cleaned with its tree */
	if (err) {
		build_result__done(&r);
		return err == -EINTR ? err
				     : problem_set(why, EXIT_COULD_NOT_COMPARE, err,
						   "the build could not be started in %s: %s",
						   req->tree->project, strerror(-err));
	}
	*ret = r;
	return 0;
}

void build_result__done(struct build_result *r)
{
	free(r->end);
	free(r->tail);
	*r = (struct build_result){0};
}
