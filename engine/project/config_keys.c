/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of joust.conf, and what each of them takes. */
#include "config_private.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "../util/limit.h"
#include "../util/num.h"
#include "../../report/text.h"

#define MEMORY_MIN (8ull << 20) /* less stops a program before it begins */
#define PIDS_MIN   2
#define PIDS_MAX   4194304 /* the kernel's own */

int config_refuse(struct loader *l, const char *fmt, ...)
{
	char text[1024], where[32] = "";
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (l->line)
		(void)snprintf(where, sizeof(where), ":%u", l->line);
	return problem_set(l->why, EXIT_USAGE, -EINVAL, "%s%s: %s", l->path, where, text);
}

int config_no_memory(struct loader *l)
{
	return problem_set(l->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "%s: out of memory", l->path);
}

/* Values */

static int set_once(struct loader *l, bool *seen, char **field, const char *value)
{
	char *copy;

	if (*seen)
		return config_refuse(l, "%s is given twice", l->name);
	if (!value[0])
		return config_refuse(l, "%s is empty", l->name);
	copy = strdup(value);
	if (!copy)
		return config_no_memory(l);
	*seen = true;
	free(*field);
	*field = copy;
	return 0;
}

static int add_value(struct loader *l, struct strings *list, const char *value)
{
	if (!value[0])
		return config_refuse(l, "%s is empty", l->name);
	return strings__add(list, value) ? config_no_memory(l) : 0;
}

static int refuse_limit(struct loader *l, int err, const char *reason)
{
	return err == -ENOMEM ? config_no_memory(l) : config_refuse(l, "%s: %s", l->name, reason);
}

/* Where a limit goes: those of the project, or of one benchmark. */
struct limits {
	double *of, *least; /* by metric; bytes of a peak */
	bool *seen, *least_seen;
};

static int set_limit(struct loader *l, const struct limits *to, const char *value)
{
	char reason[LIMIT_WHY_MAX];
	struct limit limit;
	bool *seen;
	int err = limit_parse(value, &limit, reason);

	if (err)
		return refuse_limit(l, err, reason);
	seen = limit.bytes ? to->least_seen : &to->seen[limit.metric];
	if (*seen)
		return config_refuse(l, "%s of %s is given twice", l->name,
				     metric_get(limit.metric)->name);
	*seen = true;
	*(limit.bytes ? to->least : &to->of[limit.metric]) = limit.value;
	return 0;
}

/* Keys: one table feeds reading and the "did you mean" of both sections and keys. */

static int key_build(struct entry *e)
{
	return set_once(e->l, &e->l->seen_build, &e->l->config->build, e->value);
}

static int key_layout(struct entry *e)
{
	return set_once(e->l, &e->l->seen_layout, &e->l->config->layout, e->value);
}

static int key_watch(struct entry *e)
{
	return add_value(e->l, &e->l->config->watch, e->value);
}

static int key_main_branch(struct entry *e)
{
	return set_once(e->l, &e->l->seen_main, &e->l->config->main_branch, e->value);
}

static int key_needs(struct entry *e)
{
	return add_value(e->l, &e->l->config->needs, e->value);
}

static int key_gate(struct entry *e)
{
	enum gate_rule rule = gate_rule_of(e->value);

	if (rule == GATE_RULES)
		return config_refuse(e->l, "%s: \"%s\" is none of canary, waiting, switches",
				     e->l->name, e->value);
	e->l->config->gate |= 1u << rule;
	return 0;
}

static int key_project_limit(struct entry *e)
{
	struct config *c = e->l->config;

	return set_limit(
		e->l,
		&(struct limits){c->limit, &c->peak_least, e->l->metric_seen, &e->l->least_seen},
		e->value);
}

static int key_worker(struct entry *e)
{
	/* what is committed names no place of one machine */
	if (e->value[0] == '/')
		return config_refuse(
			e->l, "%s: \"%s\" is absolute; name the program relative to the project",
			e->l->name, e->value);
	return set_once(e->l, &e->seen->worker, &e->bench->worker, e->value);
}

static int key_command(struct entry *e)
{
	return set_once(e->l, &e->seen->command, &e->bench->command, e->value);
}

static int key_bench_limit(struct entry *e)
{
	return set_limit(e->l,
			 &(struct limits){e->bench->limit, &e->bench->peak_least, e->seen->metric,
					  &e->seen->least},
			 e->value);
}

static int key_judge(struct entry *e)
{
	char reason[LIMIT_WHY_MAX];
	enum metric_id id;
	int err = limit_metric(e->value, &id, reason);

	if (err)
		return refuse_limit(e->l, err, reason);
	e->bench->judge[id] = true;
	return 0;
}

static int key_timeout(struct entry *e)
{
	if (e->seen->timeout)
		return config_refuse(e->l, "%s is given twice", e->l->name);
	if (num_double(e->value, 0.001, 1e6, &e->bench->timeout_s))
		return config_refuse(e->l, "%s: \"%s\" is not a number of seconds", e->l->name,
				     e->value);
	e->seen->timeout = true;
	return 0;
}

static int key_precision(struct entry *e)
{
	if (e->seen->precision)
		return config_refuse(e->l, "%s is given twice", e->l->name);
	if (num_limit(e->value, &e->bench->precision))
		return config_refuse(e->l, "%s: \"%s\" is not a precision; write 0.5%% or 1.005",
				     e->l->name, e->value);
	e->seen->precision = true;
	return 0;
}

/* The short form of `judge = peak_memory`. */
static int key_peak(struct entry *e)
{
	bool peak;

	if (e->seen->peak)
		return config_refuse(e->l, "%s is given twice", e->l->name);
	if (num_bool(e->value, &peak))
		return config_refuse(e->l, "%s: \"%s\" is neither yes nor no", e->l->name,
				     e->value);
	if (peak)
		e->bench->judge[METRIC_PEAK_MEMORY] = true;
	e->seen->peak = true;
	return 0;
}

/* "/", and what is written differently but is that: "//", "/.". */
static bool is_root(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *p = path; *p; p++) {
		if (p[0] != '/' && !(p[0] == '.' && p[-1] == '/' && (!p[1] || p[1] == '/')))
			return false;
	}
	return true;
}

/* A place of the host that is opened: absolute, below the home, or (to write) in the project. */
static int check_path(struct entry *e, bool relative)
{
	const char *v = e->value, *dots = strstr(v, "..");

	for (; dots; dots = strstr(dots + 1, "..")) {
		if ((dots == v || dots[-1] == '/') && (!dots[2] || dots[2] == '/'))
			return config_refuse(e->l, "%s: \"%s\" must not contain ..", e->l->name, v);
	}
	if (is_root(v))
		return config_refuse(e->l,
				     "%s: \"%s\" is the whole file system; name what is needed",
				     e->l->name, v);
	if (v[0] == '/')
		return 0;
	if (v[0] == '~' && v[1] == '/')
		return 0;
	if (relative && v[0] && v[0] != '/' && v[0] != '~')
		return 0;
	return config_refuse(e->l, "%s: \"%s\" must begin with / or ~/%s", e->l->name, v,
			     relative ? ", or be a path in the project" : "");
}

static int key_read(struct entry *e)
{
	int err = check_path(e, false);

	return err ? err : add_value(e->l, &e->l->config->sandbox_read, e->value);
}

static int key_write(struct entry *e)
{
	int err = check_path(e, true);

	return err ? err : add_value(e->l, &e->l->config->sandbox_write, e->value);
}

static int key_allow(struct entry *e)
{
	return add_value(e->l, &e->l->config->sandbox_allow, e->value);
}

static int key_network(struct entry *e)
{
	if (num_bool(e->value, &e->l->config->sandbox_network))
		return config_refuse(e->l, "%s: \"%s\" is neither yes nor no", e->l->name,
				     e->value);
	return 0;
}

static int key_env(struct entry *e)
{
	if (strchr(e->value, '='))
		return config_refuse(e->l,
				     "%s: \"%s\" must be the name of a variable, not its value",
				     e->l->name, e->value);
	return add_value(e->l, &e->l->config->sandbox_env, e->value);
}

static int set_memory(struct entry *e, bool *seen, uint64_t *ret)
{
	if (*seen)
		return config_refuse(e->l, "%s is given twice", e->l->name);
	if (num_bytes(e->value, MEMORY_MIN, NUM_BYTES_MAX, ret))
		return config_refuse(
			e->l, "%s: \"%s\" is not a number of bytes like 2G or 512M, from 8M on",
			e->l->name, e->value);
	*seen = true;
	return 0;
}

static int set_pids(struct entry *e, bool *seen, uint64_t *ret)
{
	if (*seen)
		return config_refuse(e->l, "%s is given twice", e->l->name);
	if (num_u64(e->value, PIDS_MIN, PIDS_MAX, ret))
		return config_refuse(e->l, "%s: \"%s\" is not a number from %d to %d", e->l->name,
				     e->value, PIDS_MIN, PIDS_MAX);
	*seen = true;
	return 0;
}

static int key_memory(struct entry *e)
{
	return set_memory(e, &e->l->seen_memory, &e->l->config->limits.memory_bytes);
}

static int key_pids(struct entry *e)
{
	return set_pids(e, &e->l->seen_pids, &e->l->config->limits.pids);
}

static int key_build_memory(struct entry *e)
{
	return set_memory(e, &e->l->seen_build_memory, &e->l->config->build_limits.memory_bytes);
}

static int key_build_pids(struct entry *e)
{
	return set_pids(e, &e->l->seen_build_pids, &e->l->config->build_limits.pids);
}

static int key_build_time(struct entry *e)
{
	if (e->l->seen_build_time)
		return config_refuse(e->l, "%s is given twice", e->l->name);
	if (num_double(e->value, 1, 1e6, &e->l->config->build_time_s))
		return config_refuse(e->l, "%s: \"%s\" is not a number of seconds from 1 on",
				     e->l->name, e->value);
	e->l->seen_build_time = true;
	return 0;
}

struct key_row {
	const char *section, *key;
	int (*set)(struct entry *e);
	bool user;    /* may stand in the user's own file */
	bool command; /* a command line: what the syntax takes out of it would change what is run */
};

static const struct key_row keys[] = {
	{"project", "build", key_build, false, true},
	{"project", "layout", key_layout, false, true},
	{"project", "watch", key_watch, false, false},
	{"project", "main-branch", key_main_branch, false, false},
	{"project", "needs", key_needs, false, false},
	{"project", "limit", key_project_limit, true, false},
	{"project", "gate", key_gate, false, false},
	{"benchmark", "worker", key_worker, false, true},
	{"benchmark", "command", key_command, false, true},
	{"benchmark", "limit", key_bench_limit, false, false},
	{"benchmark", "judge", key_judge, false, false},
	{"benchmark", "timeout", key_timeout, false, false},
	{"benchmark", "peak", key_peak, false, false},
	{"benchmark", "precision", key_precision, false, false},
	{"limits", "memory", key_memory, true, false},
	{"limits", "pids", key_pids, true, false},
	{"limits", "build-memory", key_build_memory, true, false},
	{"limits", "build-pids", key_build_pids, true, false},
	{"limits", "build-time", key_build_time, true, false},
	{"sandbox", "read", key_read, true, false},
	{"sandbox", "write", key_write, true, false},
	{"sandbox", "env", key_env, true, false},
	{"sandbox", "allow", key_allow, true, false},
	{"sandbox", "network", key_network, true, false},
};
#define KEYS_CNT (sizeof(keys) / sizeof(keys[0]))

int config_refuse_unknown(struct loader *l, const char *what, const char *word,
			  const char *const *names, size_t cnt)
{
	const char *near = text_nearest(word, names, cnt);

	return config_refuse(l, "unknown %s \"%s\"%s%s%s", what, word,
			     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int refuse_key(struct loader *l, const char *section, const char *key)
{
	const char *names[KEYS_CNT];
	char what[64];
	size_t cnt = 0;

	for (size_t i = 0; i < KEYS_CNT; i++) {
		if (!strcmp(keys[i].section, section))
			names[cnt++] = keys[i].key;
	}
	(void)snprintf(what, sizeof(what), "key in [%s]:", section);
	return config_refuse_unknown(l, what, key, names, cnt);
}

#define WHOLE_VALUE "put the whole value into double quotes, and write \\\" for those inside"

/* What git-config's syntax would take out of a command line without a word. */
static int check_command_line(struct loader *l)
{
	const struct config_mark *m = l->mark;

	if (!m)
		return 0;
	if (m->quote_inside)
		return config_refuse(l,
				     "%s: double quotes belong to this file's syntax, and the "
				     "command would not get them: write \\\" for a quote of the "
				     "command, or use single quotes, or " WHOLE_VALUE,
				     l->name);
	if (m->cut_in_quote)
		return config_refuse(l,
				     "%s: ; and # begin a comment, here in an open quote of the "
				     "command; " WHOLE_VALUE,
				     l->name);
	if (m->cut_in_word)
		return config_refuse(l,
				     "%s: ; and # begin a comment, and the command would end "
				     "there; " WHOLE_VALUE
				     " (where it is a comment, a blank before it says so)",
				     l->name);
	return 0;
}

int config_apply(struct entry *e, const char *section, const char *key)
{
	int err;

	for (size_t i = 0; i < KEYS_CNT; i++) {
		if (strcmp(keys[i].section, section) || strcmp(keys[i].key, key))
			continue;
		if (e->l->user && !keys[i].user)
			return config_refuse(e->l, "%s belongs into the project's " CONFIG_FILE,
					     key);
		if (!e->value && strcmp(key, "peak"))
			return config_refuse(e->l, "%s has no value", key);
		if (!e->value)
			e->value = "yes"; /* git-config: a bare key is true */
		err = keys[i].command ? check_command_line(e->l) : 0;
		if (err)
			return err;
		return keys[i].set(e);
	}
	return refuse_key(e->l, section, key);
}
