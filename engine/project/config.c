/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include "config_scan.h"
#include "git.h"
#include "../util/num.h"
#include "../../report/text.h"

#define BENCHES_MAX 10000
#define MEMORY_MIN  (8ull << 20) /* less stops a program before it begins */
#define MEMORY_MAX  (1ull << 50)
#define PIDS_MIN    2
#define PIDS_MAX    4194304 /* the kernel's own */

/* One file being read into the configuration. */
struct loader {
	struct config *config;
	const char *path;
	bool user; /* the user's own file: [limits], [sandbox] and [project] limit alone */
	struct config_marks marks;
	size_t next_mark; /* keys come from libgit2 in the order of the file */
	unsigned line;	  /* of the entry at hand; 0 = unknown */
	const char *name; /* of the entry at hand */
	struct problem *why;
	/* set in this file: what may be set once */
	bool seen_build, seen_layout, seen_main, seen_memory, seen_pids, metric_seen[METRIC_CNT];
	struct bench_seen {
		unsigned line;
		bool worker, command, timeout, peak, precision, metric[METRIC_CNT];
	} * seen;
};

static int refuse(struct loader *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct loader *l, const char *fmt, ...)
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

/* No fault of what stands in the file. */
static int cannot_read(struct loader *l, int err, const char *cause)
{
	return problem_set(l->why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", l->path, cause);
}

static int out_of_memory(struct loader *l)
{
	return problem_set(l->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "%s: out of memory", l->path);
}

/* Values */

static int set_once(struct loader *l, bool *seen, char **field, const char *value)
{
	char *copy;

	if (*seen)
		return refuse(l, "%s is given twice", l->name);
	if (!value[0])
		return refuse(l, "%s is empty", l->name);
	copy = strdup(value);
	if (!copy)
		return out_of_memory(l);
	*seen = true;
	free(*field);
	*field = copy;
	return 0;
}

static int add_value(struct loader *l, struct strings *list, const char *value)
{
	if (!value[0])
		return refuse(l, "%s is empty", l->name);
	return strings__add(list, value) ? out_of_memory(l) : 0;
}

static int metric_value(struct loader *l, const char *name, enum metric_id *ret)
{
	const char *names[METRIC_CNT];
	const char *near;
	size_t cnt = 0;
	int id = metric_find(name);

	for (int i = 0; i < METRIC_CNT; i++) {
		if (metric_get((enum metric_id)i)->judge != JUDGE_NEVER)
			names[cnt++] = metric_get((enum metric_id)i)->name;
	}
	if (id >= 0 && metric_get((enum metric_id)id)->judge == JUDGE_NEVER)
		return refuse(l, "%s: the metric \"%s\" explains and is never judged", l->name,
			      name);
	if (id >= 0) {
		*ret = (enum metric_id)id;
		return 0;
	}
	near = text_nearest(name, names, cnt);
	return refuse(l, "%s: there is no metric \"%s\"%s%s%s", l->name, name,
		      near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int limit_number(struct loader *l, enum metric_id id, const char *value, double *ret)
{
	bool timed = metric_get(id)->kind != METRIC_COUNTED; /* a peak has a ratio too */

	if (!timed && !num_double(value, 0, 1e15, ret))
		return 0;
	if (timed && !num_limit(value, ret))
		return 0;
	return refuse(l, "%s: \"%s\" is not a limit; write %s", l->name, value,
		      timed ? "a ratio such as 1.02 (above 1, below 2), or 2%"
			    : "a difference such as 0.5");
}

/* "METRIC=1.05"; "1.02" alone is for `cpu`, which `cpu_total` follows, as with --limit. */
static int set_limit(struct loader *l, double limit[static METRIC_CNT],
		     bool seen[static METRIC_CNT], const char *value)
{
	const char *eq = strchr(value, '=');
	AUTO_FREE char *name = strndup(value, eq ? (size_t)(eq - value) : 0);
	enum metric_id id = METRIC_CPU;
	double v;
	int err = name ? 0 : out_of_memory(l);

	if (!err && eq)
		err = metric_value(l, name, &id);
	if (!err)
		err = limit_number(l, id, eq ? eq + 1 : value, &v);
	if (err)
		return err;
	if (seen[id])
		return refuse(l, "%s of %s is given twice", l->name, metric_get(id)->name);
	seen[id] = true;
	limit[id] = v;
	return 0;
}

/* Keys: one table feeds reading and the "did you mean" of both sections and keys. */

struct entry {
	struct loader *l;
	struct config_bench *bench; /* NULL outside [benchmark] */
	struct bench_seen *seen;
	const char *value;
};

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

static int key_project_limit(struct entry *e)
{
	return set_limit(e->l, e->l->config->limit, e->l->metric_seen, e->value);
}

static int key_worker(struct entry *e)
{
	/* an absolute path would be the same program on both sides */
	if (e->value[0] == '/')
		return refuse(e->l,
			      "%s: \"%s\" is absolute; name the program relative to the project",
			      e->l->name, e->value);
	return set_once(e->l, &e->seen->worker, &e->bench->worker, e->value);
}

static int key_command(struct entry *e)
{
	return set_once(e->l, &e->seen->command, &e->bench->command, e->value);
}

static int key_bench_limit(struct entry *e)
{
	return set_limit(e->l, e->bench->limit, e->seen->metric, e->value);
}

static int key_judge(struct entry *e)
{
	enum metric_id id = METRIC_CPU;
	int err = metric_value(e->l, e->value, &id);

	if (!err)
		e->bench->judge[id] = true;
	return err;
}

static int key_timeout(struct entry *e)
{
	if (e->seen->timeout)
		return refuse(e->l, "%s is given twice", e->l->name);
	if (num_double(e->value, 0.001, 1e6, &e->bench->timeout_s))
		return refuse(e->l, "%s: \"%s\" is not a number of seconds", e->l->name, e->value);
	e->seen->timeout = true;
	return 0;
}

static int key_precision(struct entry *e)
{
	if (e->seen->precision)
		return refuse(e->l, "%s is given twice", e->l->name);
	if (num_limit(e->value, &e->bench->precision))
		return refuse(e->l, "%s: \"%s\" is not a precision; write 0.5%% or 1.005",
			      e->l->name, e->value);
	e->seen->precision = true;
	return 0;
}

/* The short form of `judge = peak_memory`. */
static int key_peak(struct entry *e)
{
	bool peak;

	if (e->seen->peak)
		return refuse(e->l, "%s is given twice", e->l->name);
	if (num_bool(e->value, &peak))
		return refuse(e->l, "%s: \"%s\" is neither yes nor no", e->l->name, e->value);
	if (peak)
		e->bench->judge[METRIC_PEAK_MEMORY] = true;
	e->seen->peak = true;
	return 0;
}

/* A place of the host that is opened: absolute, below the home, or (to write) in the project. */
static int check_path(struct entry *e, bool relative)
{
	const char *v = e->value, *dots = strstr(v, "..");

	for (; dots; dots = strstr(dots + 1, "..")) {
		if ((dots == v || dots[-1] == '/') && (!dots[2] || dots[2] == '/'))
			return refuse(e->l, "%s: \"%s\" must not contain ..", e->l->name, v);
	}
	if (v[0] == '/' && v[strspn(v, "/")])
		return 0;
	if (v[0] == '~' && v[1] == '/')
		return 0;
	if (relative && v[0] && v[0] != '/' && v[0] != '~')
		return 0;
	return refuse(e->l, "%s: \"%s\" must begin with / or ~/%s", e->l->name, v,
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
		return refuse(e->l, "%s: \"%s\" is neither yes nor no", e->l->name, e->value);
	return 0;
}

static int key_env(struct entry *e)
{
	if (strchr(e->value, '='))
		return refuse(e->l, "%s: \"%s\" must be the name of a variable, not its value",
			      e->l->name, e->value);
	return add_value(e->l, &e->l->config->sandbox_env, e->value);
}

static int key_memory(struct entry *e)
{
	if (e->l->seen_memory)
		return refuse(e->l, "%s is given twice", e->l->name);
	if (num_bytes(e->value, MEMORY_MIN, MEMORY_MAX, &e->l->config->limits.memory_bytes))
		return refuse(e->l,
			      "%s: \"%s\" is not a number of bytes like 2G or 512M, from 8M on",
			      e->l->name, e->value);
	e->l->seen_memory = true;
	return 0;
}

static int key_pids(struct entry *e)
{
	if (e->l->seen_pids)
		return refuse(e->l, "%s is given twice", e->l->name);
	if (num_u64(e->value, PIDS_MIN, PIDS_MAX, &e->l->config->limits.pids))
		return refuse(e->l, "%s: \"%s\" is not a number from %d to %d", e->l->name,
			      e->value, PIDS_MIN, PIDS_MAX);
	e->l->seen_pids = true;
	return 0;
}

static int key_gate(struct entry *e)
{
	enum gate_rule rule = gate_rule_of(e->value);

	if (rule == GATE_RULES)
		return refuse(e->l, "%s: \"%s\" is none of canary, waiting, switches", e->l->name,
			      e->value);
	e->l->config->gate |= 1u << rule;
	return 0;
}

struct key_row {
	const char *section, *key;
	int (*set)(struct entry *e);
	bool user; /* may stand in the user's own file */
};

static const struct key_row keys[] = {
	{"project", "build", key_build, false},
	{"project", "layout", key_layout, false},
	{"project", "watch", key_watch, false},
	{"project", "main-branch", key_main_branch, false},
	{"project", "needs", key_needs, false},
	{"project", "limit", key_project_limit, true},
	{"project", "gate", key_gate, false},
	{"benchmark", "worker", key_worker, false},
	{"benchmark", "command", key_command, false},
	{"benchmark", "limit", key_bench_limit, false},
	{"benchmark", "judge", key_judge, false},
	{"benchmark", "timeout", key_timeout, false},
	{"benchmark", "peak", key_peak, false},
	{"benchmark", "precision", key_precision, false},
	{"limits", "memory", key_memory, true},
	{"limits", "pids", key_pids, true},
	{"sandbox", "read", key_read, true},
	{"sandbox", "write", key_write, true},
	{"sandbox", "env", key_env, true},
	{"sandbox", "allow", key_allow, true},
	{"sandbox", "network", key_network, true},
};
#define KEYS_CNT (sizeof(keys) / sizeof(keys[0]))

static const char *const sections[] = {"project", "benchmark", "limits", "sandbox"};
#define SECTIONS_CNT (sizeof(sections) / sizeof(sections[0]))

static int refuse_unknown(struct loader *l, const char *what, const char *word,
			  const char *const *names, size_t cnt)
{
	const char *near = text_nearest(word, names, cnt);

	return refuse(l, "unknown %s \"%s\"%s%s%s", what, word, near ? "; did you mean \"" : "",
		      near ? near : "", near ? "\"?" : "");
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
	return refuse_unknown(l, what, key, names, cnt);
}

/* Sections */

/* "benchmark.NAME" to its parts; *ret_sub is NULL where there is no subsection. */
static size_t split_section(const char *name, const char **ret_sub)
{
	const char *dot = strchr(name, '.');

	*ret_sub = dot ? dot + 1 : NULL;
	return dot ? (size_t)(dot - name) : strlen(name);
}

static int add_bench(struct loader *l, const char *name)
{
	struct config *c = l->config;
	struct config_bench *benches;
	struct bench_seen *seen;
	const char *why = NULL;

	if (!text_name_valid(name, &why))
		return refuse(l, "the name of this benchmark cannot be used: %s", why ? why : "");
	for (size_t i = 0; i < c->benches_cnt; i++) {
		if (!strcmp(c->benches[i].name, name))
			return refuse(l, "[benchmark \"%s\"] stands twice, first in line %u", name,
				      l->seen[i].line);
	}
	if (c->benches_cnt == BENCHES_MAX)
		return refuse(l, "more than %d benchmarks", BENCHES_MAX);
	benches = reallocarray(c->benches, c->benches_cnt + 1, sizeof(*benches));
	if (!benches)
		return out_of_memory(l);
	c->benches = benches;
	seen = reallocarray(l->seen, c->benches_cnt + 1, sizeof(*seen));
	if (!seen)
		return out_of_memory(l);
	l->seen = seen;
	seen[c->benches_cnt] = (struct bench_seen){.line = l->line};
	benches += c->benches_cnt;
	*benches = (struct config_bench){.name = strdup(name), .timeout_s = NAN, .precision = NAN};
	if (!benches->name)
		return out_of_memory(l);
	for (int i = 0; i < METRIC_CNT; i++)
		benches->limit[i] = NAN;
	c->benches_cnt++;
	return 0;
}

static int add_section(struct loader *l, const struct config_mark *m)
{
	const char *sub;
	size_t len = split_section(m->name, &sub);
	AUTO_FREE char *section = strndup(m->name, len);

	if (!section)
		return out_of_memory(l);
	l->line = m->line;
	if (!strcmp(section, "include") || !strcmp(section, "includeif"))
		return refuse(l, "[%s] is not allowed here: joust reads this one file", section);
	for (size_t i = 0; i < SECTIONS_CNT; i++) {
		if (strcmp(sections[i], section))
			continue;
		if (strcmp(section, "benchmark") && sub)
			return refuse(l, "[%s] takes no name", section);
		if (!strcmp(section, "benchmark") && l->user)
			return refuse(l, "benchmarks belong into the project's " CONFIG_FILE);
		if (!strcmp(section, "benchmark"))
			return sub ? add_bench(l, sub)
				   : refuse(l, "write [benchmark \"NAME\"]: it has no name");
		return 0;
	}
	return refuse_unknown(l, "section", section, sections, SECTIONS_CNT);
}

/* Entries, as libgit2 hands them over */

/* The line of the next key, as long as both parsers see the same keys. */
static unsigned next_line(struct loader *l, const char *name)
{
	while (l->next_mark < l->marks.cnt && l->marks.items[l->next_mark].header)
		l->next_mark++;
	if (l->next_mark < l->marks.cnt && !strcmp(l->marks.items[l->next_mark].name, name))
		return l->marks.items[l->next_mark++].line;
	return 0;
}

static int apply(struct entry *e, const char *section, const char *key)
{
	for (size_t i = 0; i < KEYS_CNT; i++) {
		if (strcmp(keys[i].section, section) || strcmp(keys[i].key, key))
			continue;
		if (e->l->user && !keys[i].user)
			return refuse(e->l, "%s belongs into the project's " CONFIG_FILE, key);
		if (!e->value && strcmp(key, "peak"))
			return refuse(e->l, "%s has no value", key);
		if (!e->value)
			e->value = "yes"; /* git-config: a bare key is true */
		return keys[i].set(e);
	}
	return refuse_key(e->l, section, key);
}

static int each_entry(void *arg, const char *name, const char *value)
{
	struct loader *l = arg;
	const char *key = strrchr(name, '.');
	AUTO_FREE char *head = key ? strndup(name, (size_t)(key - name)) : NULL;
	struct entry e = {.l = l, .value = value};
	const char *sub;

	if (!key)
		return refuse(l, "\"%s\" stands in no section", name);
	if (!head)
		return out_of_memory(l);
	l->line = next_line(l, name);
	l->name = key + 1;
	head[split_section(head, &sub)] = '\0';
	if (!sub)
		return apply(&e, head, key + 1);
	for (size_t i = 0; i < l->config->benches_cnt; i++) {
		if (!strcmp(l->config->benches[i].name, sub)) {
			e.bench = &l->config->benches[i];
			e.seen = &l->seen[i];
			return apply(&e, head, key + 1);
		}
	}
	return refuse(l, "the section of \"%s\" could not be read", name);
}

static int check_benches(struct loader *l)
{
	for (size_t i = 0; i < l->config->benches_cnt; i++) {
		const struct config_bench *b = &l->config->benches[i];

		l->line = l->seen[i].line;
		if (!b->worker == !b->command)
			return refuse(l, "[benchmark \"%s\"] %s", b->name,
				      b->worker ? "has both worker and command; give one"
						: "has neither worker nor command");
	}
	return 0;
}

static int parse(struct loader *l, const char *text, size_t len)
{
	char error[256] = "";
	const char *bad = config_bytes_refused(text, len, &l->line);
	int err;

	if (bad)
		return refuse(l, "%s", bad);
	if (config_marks__scan(&l->marks, text, len))
		return out_of_memory(l);
	for (size_t i = 0; i < l->marks.cnt; i++) {
		err = l->marks.items[i].header ? add_section(l, &l->marks.items[i]) : 0;
		if (err)
			return err;
	}
	l->line = l->marks.open_line;
	if (l->line)
		return refuse(l, "a quote has no end");
	err = git_config_each(text, len, each_entry, l, error, sizeof(error), &l->line);
	if (err == -EINVAL || err == -ELOOP)
		return refuse(l, "%s", error); /* the first problem stays */
	if (err)
		return cannot_read(l, err, error);
	return check_benches(l);
}

/* Files */

static int read_all(int fd, char **ret, size_t *ret_len)
{
	AUTO_FREE char *text = malloc(CONFIG_BYTES_MAX + 2);
	size_t len = 0;
	ssize_t n;

	if (!text)
		return -ENOMEM;
	do {
		n = read(fd, text + len, CONFIG_BYTES_MAX + 1 - len);
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
	} while (n && len <= CONFIG_BYTES_MAX);
	text[len] = '\0';
	*ret = TAKE_PTR(text);
	*ret_len = len;
	return 0;
}

/* 1: there is such a file and it was read, 0: none. */
static int load_file(struct loader *l)
{
	AUTO_FD int fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	AUTO_FREE char *text = NULL;
	struct stat st;
	size_t len = 0;
	int err;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0 || fstat(fd, &st))
		return cannot_read(l, -errno, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse(l, "not a regular file");
	err = read_all(fd, &text, &len);
	if (err)
		return cannot_read(l, err, strerror(-err));
	if (len > CONFIG_BYTES_MAX)
		return refuse(l, "larger than %d KiB", CONFIG_BYTES_MAX / 1024);
	err = parse(l, text, len);
	return err ? err : 1;
}

static int load_path(struct config *c, const char *path, bool user, struct problem *why)
{
	struct loader l = {.config = c, .path = path, .user = user, .why = why};
	int err = load_file(&l);

	config_marks__done(&l.marks);
	free(l.seen);
	return err;
}

/* $XDG_CONFIG_HOME/joust/config; NULL when there is no home, which is no error. */
static char *user_config_path(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	char *path = NULL;
	int n = -1;

	if (xdg && xdg[0] == '/')
		n = asprintf(&path, "%s/joust/config", xdg);
	else if (home && home[0] == '/')
		n = asprintf(&path, "%s/.config/joust/config", home);
	return n < 0 ? NULL : path;
}

static int load(struct config *c, const char *root, struct problem *why)
{
	AUTO_FREE char *user = user_config_path();
	AUTO_FREE char *path = NULL;
	int err;

	for (int i = 0; i < METRIC_CNT; i++)
		c->limit[i] = NAN;
	/* the project comes second: its limits replace the user's, lists are added to */
	err = user ? load_path(c, user, true, why) : 0;
	if (err < 0)
		return err;
	if (asprintf(&path, "%s/" CONFIG_FILE, root) < 0)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	err = load_path(c, path, false, why);
	if (err > 0)
		c->path = TAKE_PTR(path);
	return err < 0 ? err : 0;
}

int config__load(struct config *ret, const char *root, struct problem *why)
{
	struct config c = {0};
	int err = load(&c, root, why);

	if (err) {
		config__done(&c);
		return err;
	}
	*ret = c;
	return 0;
}

void config__done(struct config *c)
{
	for (size_t i = 0; i < c->benches_cnt; i++) {
		free(c->benches[i].name);
		free(c->benches[i].worker);
		free(c->benches[i].command);
	}
	free(c->benches);
	free(c->path);
	free(c->build);
	free(c->layout);
	free(c->main_branch);
	strings__done(&c->watch);
	strings__done(&c->needs);
	strings__done(&c->sandbox_read);
	strings__done(&c->sandbox_write);
	strings__done(&c->sandbox_env);
	strings__done(&c->sandbox_allow);
	*c = (struct config){0};
}

const struct config_bench *config_find(const struct config *c, const char *worker, const char *name)
{
	const struct config_bench *glob = NULL;

	for (size_t i = 0; i < c->benches_cnt; i++) {
		const struct config_bench *b = &c->benches[i];

		if (worker && (!b->worker || strcmp(b->worker, worker)))
			continue;
		if (!strcmp(b->name, name))
			return b;
		if (!glob && !fnmatch(b->name, name, FNM_NOESCAPE))
			glob = b;
	}
	return glob;
}
