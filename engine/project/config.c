/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "config_private.h"
#include "git.h"
#include "../../report/text.h"

#define BENCHES_MAX 10000

/* No fault of what stands in the file. */
static int cannot_read(struct loader *l, int err, const char *cause)
{
	return problem_set(l->why, EXIT_COULD_NOT_COMPARE, err, "%s: %s", l->path, cause);
}

static const char *const sections[] = {"project", "benchmark", "limits", "sandbox"};
#define SECTIONS_CNT (sizeof(sections) / sizeof(sections[0]))

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
		return config_refuse(l, "the name of this benchmark cannot be used: %s",
				     why ? why : "");
	for (size_t i = 0; i < c->benches_cnt; i++) {
		if (!strcmp(c->benches[i].name, name))
			return config_refuse(l, "[benchmark \"%s\"] stands twice, first in line %u",
					     name, l->seen[i].line);
	}
	if (c->benches_cnt == BENCHES_MAX)
		return config_refuse(l, "more than %d benchmarks", BENCHES_MAX);
	benches = reallocarray(c->benches, c->benches_cnt + 1, sizeof(*benches));
	if (!benches)
		return config_no_memory(l);
	c->benches = benches;
	seen = reallocarray(l->seen, c->benches_cnt + 1, sizeof(*seen));
	if (!seen)
		return config_no_memory(l);
	l->seen = seen;
	seen[c->benches_cnt] = (struct bench_seen){.line = l->line};
	benches += c->benches_cnt;
	*benches = (struct config_bench){.name = strdup(name),
					 .line = l->line,
					 .timeout_s = NAN,
					 .precision = NAN,
					 .peak_least = NAN};
	if (!benches->name)
		return config_no_memory(l);
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
		return config_no_memory(l);
	l->line = m->line;
	if (!strcmp(section, "include") || !strcmp(section, "includeif"))
		return config_refuse(l, "[%s] is not allowed here: joust reads this one file",
				     section);
	for (size_t i = 0; i < SECTIONS_CNT; i++) {
		if (strcmp(sections[i], section))
			continue;
		if (strcmp(section, "benchmark") && sub)
			return config_refuse(l, "[%s] takes no name", section);
		if (!strcmp(section, "benchmark") && l->user)
			return config_refuse(l,
					     "benchmarks belong into the project's " CONFIG_FILE);
		if (!strcmp(section, "benchmark"))
			return sub ? add_bench(l, sub)
				   : config_refuse(l, "write [benchmark \"NAME\"]: it has no name");
		return 0;
	}
	return config_refuse_unknown(l, "section", section, sections, SECTIONS_CNT);
}

/* Entries, as libgit2 hands them over */

/* The mark of the next key, as long as both parsers see the same keys; NULL. */
static const struct config_mark *next_mark(struct loader *l, const char *name)
{
	while (l->next_mark < l->marks.cnt && l->marks.items[l->next_mark].header)
		l->next_mark++;
	if (l->next_mark < l->marks.cnt && !strcmp(l->marks.items[l->next_mark].name, name))
		return &l->marks.items[l->next_mark++];
	return NULL;
}

static int each_entry(void *arg, const char *name, const char *value)
{
	struct loader *l = arg;
	const char *key = strrchr(name, '.');
	AUTO_FREE char *head = key ? strndup(name, (size_t)(key - name)) : NULL;
	struct entry e = {.l = l, .value = value};
	const char *sub;

	if (!key)
		return config_refuse(l, "\"%s\" stands in no section", name);
	if (!head)
		return config_no_memory(l);
	l->mark = next_mark(l, name);
	l->line = l->mark ? l->mark->line : 0;
	l->name = key + 1;
	head[split_section(head, &sub)] = '\0';
	if (!sub)
		return config_apply(&e, head, key + 1);
	for (size_t i = 0; i < l->config->benches_cnt; i++) {
		if (!strcmp(l->config->benches[i].name, sub)) {
			e.bench = &l->config->benches[i];
			e.seen = &l->seen[i];
			return config_apply(&e, head, key + 1);
		}
	}
	return config_refuse(l, "the section of \"%s\" could not be read", name);
}

static int check_benches(struct loader *l)
{
	for (size_t i = 0; i < l->config->benches_cnt; i++) {
		const struct config_bench *b = &l->config->benches[i];

		l->line = l->seen[i].line;
		if (!b->worker == !b->command)
			return config_refuse(l, "[benchmark \"%s\"] %s", b->name,
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
		return config_refuse(l, "%s", bad);
	if (config_marks__scan(&l->marks, text, len))
		return config_no_memory(l);
	for (size_t i = 0; i < l->marks.cnt; i++) {
		err = l->marks.items[i].header ? add_section(l, &l->marks.items[i]) : 0;
		if (err)
			return err;
	}
	l->line = l->marks.open_line;
	if (l->line)
		return config_refuse(l, "a quote has no end");
	err = git_config_each(text, len, each_entry, l, error, sizeof(error), &l->line);
	if (err == -EINVAL || err == -ELOOP)
		return config_refuse(l, "%s", error); /* the first problem stays */
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
		return config_refuse(l, "not a regular file");
	err = read_all(fd, &text, &len);
	if (err)
		return cannot_read(l, err, strerror(-err));
	if (len > CONFIG_BYTES_MAX)
		return config_refuse(l, "larger than %d KiB", CONFIG_BYTES_MAX / 1024);
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
static int user_config_path(char **ret)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	char *path = NULL;
	int n = 0;

	if (xdg && xdg[0] == '/')
		n = asprintf(&path, "%s/joust/config", xdg);
	else if (home && home[0] == '/')
		n = asprintf(&path, "%s/.config/joust/config", home);
	if (n < 0)
		return -ENOMEM;
	*ret = path;
	return 0;
}

static int load(struct config *c, const char *root, struct problem *why)
{
	AUTO_FREE char *user = NULL;
	AUTO_FREE char *path = NULL;
	int err;

	for (int i = 0; i < METRIC_CNT; i++)
		c->limit[i] = NAN;
	c->peak_least = NAN;
	if (user_config_path(&user) || (root && asprintf(&path, "%s/" CONFIG_FILE, root) < 0))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	/* the project comes second: its limits replace the user's, lists are added to */
	err = user ? load_path(c, user, true, why) : 0;
	if (err < 0 || !root)
		return err < 0 ? err : 0;
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

bool config_bench_matches(const struct config_bench *b, const char *name)
{
	return !strcmp(b->name, name) || !fnmatch(b->name, name, FNM_NOESCAPE);
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
		if (!glob && config_bench_matches(b, name))
			glob = b;
	}
	return glob;
}
