/* SPDX-License-Identifier: BSD-2-Clause */
#include "loosened.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "../measure/source.h"
#include "../../report/grow.h"

#define LISTED_MAX 8	 /* a line, not a page */
#define ROUNDING   1e-12 /* 1.31 % and 1.0131 are one limit, and two doubles */
#define VALUE_MAX  48

/* How much lets pass: of limits, by how many times the margin grew. */
#define SIZE_NO_LONGER INFINITY
#define SIZE_OTHER     100.0
#define SIZE_PERHAPS   0.0

struct item {
	char *text;
	double size;
	size_t number; /* in the order of the files */
};

struct list {
	size_t cnt;
	struct item *items;
	bool failed; /* no memory */
};

/* A section of either file and what it stands in; NULL: no benchmark's, that of the project. */
struct section {
	const struct config *c;
	const struct config_bench *b;
};

/* What stands for a benchmark, on either side. */
struct pair {
	const char *name;
	struct section now, before;
};

static int add(struct list *l, double size, char *text)
{
	struct item *items = text ? grow_by_one(l->items, l->cnt, sizeof(*items)) : NULL;

	if (!items) {
		free(text);
		return -ENOMEM;
	}
	l->items = items;
	items[l->cnt] = (struct item){text, size, l->cnt};
	l->cnt++;
	return 0;
}

__attribute__((format(printf, 4, 5))) static void say(struct list *l, const struct pair *p,
						      double size, const char *fmt, ...)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	va_list ap;

	if (!f) {
		l->failed = true;
		return;
	}
	fprintf(f, "%s%s ", p->name, p->now.b ? ":" : "");
	va_start(ap, fmt);
	(void)vfprintf(f, fmt, ap); /* fclose tells */
	va_end(ap);
	if (fclose(f)) {
		free(text);
		l->failed = true;
	} else if (add(l, size, text)) {
		l->failed = true;
	}
}

static bool is_above(double a, double b)
{
	return a > b * (1 + ROUNDING);
}

/* Limits, as discovering and planning make them of both sections */

static double limit_of(const struct section *s, enum metric_id id)
{
	double limit = s->b ? s->b->limit[id] : NAN;

	if (isnan(limit))
		limit = s->c->limit[id];
	if (isnan(limit))
		limit = metric_get(id)->limit;
	if (id == METRIC_CPU_TOTAL && limit == metric_get(id)->limit)
		return limit_of(s, METRIC_CPU);
	return limit;
}

static double least_of(const struct section *s)
{
	double least = s->b ? s->b->peak_least : NAN;

	if (isnan(least))
		least = s->c->peak_least;
	return isnan(least) ? metric_get(METRIC_PEAK_MEMORY)->least : least;
}

static struct section project_of(const struct section *s)
{
	return (struct section){.c = s->c};
}

/* What follows from another line is said there. */
static bool follows(const struct pair *p, enum metric_id id)
{
	struct section now = project_of(&p->now), before = project_of(&p->before);
	double is = limit_of(&p->now, id), was = limit_of(&p->before, id);

	if (id == METRIC_CPU_TOTAL && is == limit_of(&p->now, METRIC_CPU) &&
	    was == limit_of(&p->before, METRIC_CPU))
		return true;
	return p->now.b && is == limit_of(&now, id) && was == limit_of(&before, id);
}

static const char *percent(double ratio, int digits, char ret[static VALUE_MAX])
{
	if (isnan(ratio))
		return "none";
	(void)snprintf(ret, VALUE_MAX, "%.*g %%", digits, (ratio - 1) * 100); /* fits */
	return ret;
}

static const char *limit_text(enum metric_id id, double limit, int digits,
			      char ret[static VALUE_MAX])
{
	if (metric_get(id)->kind != METRIC_COUNTED)
		return percent(limit, digits, ret);
	(void)snprintf(ret, VALUE_MAX, "%.*g", digits, limit); /* fits */
	return ret;
}

/* As few as tell the two apart. */
static int digits_of(enum metric_id id, double from, double to)
{
	char a[VALUE_MAX], b[VALUE_MAX];
	int digits = 6;

	while (digits < 17 &&
	       !strcmp(limit_text(id, from, digits, a), limit_text(id, to, digits, b)))
		digits++;
	return digits;
}

static double growth(enum metric_id id, double from, double to)
{
	double none = metric_get(id)->kind == METRIC_COUNTED ? 0 : 1;

	return from > none ? (to - none) / (from - none) : INFINITY;
}

static void list_limits(struct list *l, const struct pair *p)
{
	struct section now = project_of(&p->now), before = project_of(&p->before);
	double is = least_of(&p->now), was = least_of(&p->before);
	bool of_project = p->now.b && is == least_of(&now) && was == least_of(&before);
	char a[VALUE_MAX], b[VALUE_MAX];

	for (enum metric_id id = 0; id < METRIC_CNT; id++) {
		double to = limit_of(&p->now, id), from = limit_of(&p->before, id);
		const char *name = metric_get(id)->name;
		int digits = digits_of(id, from, to);

		if (!is_above(to, from) || follows(p, id))
			continue;
		say(l, p, growth(id, from, to), "limit %s%s%s -> %s", id == METRIC_CPU ? "" : name,
		    id == METRIC_CPU ? "" : " ", limit_text(id, from, digits, a),
		    limit_text(id, to, digits, b));
	}
	if (is_above(is, was) && !of_project)
		say(l, p, was > 0 ? is / was : INFINITY, "limit peak_memory +%.0f -> +%.0f bytes",
		    was, is);
}

/* Benchmarks */

static void list_judged(struct list *l, const struct pair *p)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (p->before.b->judge[id] && !p->now.b->judge[id] &&
		    metric_get(id)->judge != JUDGE_ALWAYS)
			say(l, p, SIZE_NO_LONGER, "no longer judged by %s", metric_get(id)->name);
}

static const char *seconds(double s, char ret[static VALUE_MAX])
{
	if (isnan(s))
		return "default";
	(void)snprintf(ret, VALUE_MAX, "%.12g s", s); /* fits */
	return ret;
}

/* The default may be longer than any number: it grows with the samples. */
static void list_timeout(struct list *l, const struct pair *p)
{
	double is = p->now.b->timeout_s, was = p->before.b->timeout_s;
	bool longer = isnan(is) ? !isnan(was) : is > (isnan(was) ? TIMEOUT_LEAST_S : was);
	char a[VALUE_MAX], b[VALUE_MAX];

	if (longer)
		say(l, p, SIZE_PERHAPS, "timeout %s -> %s", seconds(was, a), seconds(is, b));
}

/* More may leave a verdict open, less may settle it by chance. */
static void list_precision(struct list *l, const struct pair *p)
{
	double is = p->now.b->precision, was = p->before.b->precision;
	int digits = digits_of(METRIC_CPU, was, is);
	char a[VALUE_MAX], b[VALUE_MAX];

	if (is_above(is, was) || is_above(was, is) || isnan(is) != isnan(was))
		say(l, p, SIZE_PERHAPS, "precision %s -> %s", percent(was, digits, a),
		    percent(is, digits, b));
}

static void list_pairs(struct list *l, const struct pair *pairs, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		list_limits(l, &pairs[i]);
		list_judged(l, &pairs[i]);
		list_timeout(l, &pairs[i]);
		list_precision(l, &pairs[i]);
	}
}

/* The next part of a path that is more than "." or "/"; its length, 0 at the end. */
static size_t next_part(const char **path)
{
	size_t len;

	for (;; *path += len) {
		*path += strspn(*path, "/");
		len = strcspn(*path, "/");
		if (len != 1 || **path != '.')
			return len;
	}
}

/* "./bin//a" and "bin/a" are one program. Where ".." goes is unknown: such paths are what they are. */
static bool is_same_program(const char *a, const char *b)
{
	for (;;) {
		size_t len = next_part(&a);

		if (len != next_part(&b) || strncmp(a, b, len) != 0)
			return false;
		if (!len)
			return true;
		a += len;
		b += len;
	}
}

/* The section of this very name and kind: a command is no worker's. */
static const struct config_bench *find_named(const struct config *c, const char *name, bool worker)
{
	for (size_t i = 0; i < c->benches_cnt; i++)
		if (!c->benches[i].worker == !worker && !strcmp(c->benches[i].name, name))
			return &c->benches[i];
	return NULL;
}

static bool is_of_worker(const struct config_bench *b, const char *worker)
{
	return b->worker && is_same_program(b->worker, worker);
}

static const struct config_bench *find_glob(const struct config *c, const char *worker,
					    const char *name)
{
	for (size_t i = 0; i < c->benches_cnt; i++)
		if (is_of_worker(&c->benches[i], worker) &&
		    config_bench_matches(&c->benches[i], name))
			return &c->benches[i];
	return NULL;
}

/*
 * What held for a benchmark of this name, of its kind; NULL: it is new. A name stands for itself whatever
 * its worker was, a pattern for its worker; and of a worker that is new for what is written alike.
 */
static const struct config_bench *section_before(const struct config *before,
						 const struct loosened_bench *b)
{
	const char *worker = b->section->worker;
	const struct config_bench *found = find_named(before, b->name, worker);

	if (!found && worker)
		found = find_glob(before, worker, b->name);
	return found || !worker ? found : find_named(before, b->section->name, worker);
}

/* Two patterns stand for all that they were found for: once is enough. */
static bool is_listed(const struct pair *pairs, size_t cnt, const struct pair *p)
{
	for (size_t i = 0; i < cnt; i++)
		if (pairs[i].now.b == p->now.b && pairs[i].before.b == p->before.b)
			return true;
	return false;
}

static size_t make_pairs(struct pair *ret, const struct config *now, const struct config *before,
			 const struct loosened_bench *b, size_t cnt)
{
	size_t n = 0;

	for (size_t i = 0; i < cnt; i++) {
		struct pair p = {
			.name = b[i].name, .now = {now, b[i].section}, .before = {before, NULL}};

		p.before.b = b[i].section ? section_before(before, &b[i]) : NULL;
		if (!p.before.b || is_listed(ret, n, &p))
			continue;
		if (!strcmp(p.now.b->name, p.before.b->name))
			p.name = p.now.b->name;
		ret[n++] = p;
	}
	return n;
}

/* The project */

/* Of what may count by `w` something does not by default. */
static bool is_beyond_default(const char *w)
{
	size_t len = strlen(w);

	return !strcmp(w, ".") || !strcmp(w, "*") || !strncmp(w, "docs", 4) ||
	       !strncmp(w, ".github", 7) || (len >= 3 && !strcmp(w + len - 3, ".md"));
}

static bool is_unwatched(const struct config *now, const char *item)
{
	if (strings_has(&now->watch, "."))
		return false;
	return now->watch.cnt ? !strings_has(&now->watch, item) : is_beyond_default(item);
}

/* What is not watched may change, and nothing is compared. */
static void list_watch(struct list *l, const struct pair *p, bool below)
{
	const struct strings *is = &p->now.c->watch, *was = &p->before.c->watch;

	if (is->cnt && !was->cnt && (below || !strings_has(is, ".")))
		say(l, p, SIZE_OTHER, "watch default -> %s%s", is->items[0],
		    is->cnt > 1 ? " ..." : "");
	for (size_t i = 0; i < was->cnt; i++)
		if (is_unwatched(p->now.c, was->items[i]))
			say(l, p, SIZE_OTHER, "no longer watches %s", was->items[i]);
}

/* Either way: what it rejects may be what was slow, and may be what hid it. */
static void list_gate(struct list *l, const struct pair *p)
{
	char is[GATE_TEXT_MAX], was[GATE_TEXT_MAX];

	gate_describe(p->now.c->gate, is);
	gate_describe(p->before.c->gate, was);
	if (strcmp(is, was) != 0)
		say(l, p, SIZE_OTHER, "gate %s -> %s", was[0] ? was : "none", is[0] ? is : "none");
}

/* A key whose every other value counts. NULL: it does not stand there. */
static void list_other(struct list *l, const struct pair *p, const char *key, const char *is,
		       const char *was)
{
	is = is ? is : "default";
	was = was ? was : "default";
	if (strcmp(is, was) != 0)
		say(l, p, SIZE_OTHER, "%s %s -> %s", key, was, is);
}

static bool has_worker(const struct config *c, const char *worker)
{
	for (size_t i = 0; i < c->benches_cnt; i++)
		if (is_of_worker(&c->benches[i], worker))
			return true;
	return false;
}

/* As it is written, or by one for all: no other pattern is known to match as much. */
static bool is_pattern_held(const struct pair *p, const struct config_bench *was)
{
	const struct config_bench *same = find_named(p->now.c, was->name, true);

	for (size_t i = 0; i < p->now.c->benches_cnt; i++) {
		const struct config_bench *b = &p->now.c->benches[i];

		if (is_of_worker(b, was->worker) &&
		    (!strcmp(b->name, was->name) || !strcmp(b->name, "*")))
			return true;
	}
	return same && !has_worker(p->before.c, same->worker); /* the worker's name is new */
}

static bool is_held(const struct pair *p, const struct config_bench *was)
{
	if (was->worker && strpbrk(was->name, "*?["))
		return is_pattern_held(p, was);
	return find_named(p->now.c, was->name, was->worker) ||
	       (was->worker && find_glob(p->now.c, was->worker, was->name));
}

/* It is measured on neither side: the candidate's file says what there is. */
static void list_gone(struct list *l, const struct pair *p)
{
	for (size_t i = 0; i < p->before.c->benches_cnt; i++)
		if (!is_held(p, &p->before.c->benches[i]))
			say(l, p, SIZE_NO_LONGER, "benchmark %s is gone",
			    p->before.c->benches[i].name);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void print_list(const struct list *l, FILE *f)
{
	for (size_t i = 0; i < l->cnt && i < LISTED_MAX; i++)
		fprintf(f, "%s%s", i ? "; " : "", l->items[i].text);
	if (l->cnt > LISTED_MAX)
		fprintf(f, "; and %zu more", l->cnt - LISTED_MAX);
}

/* The largest first: what is not shown must be the least. */
static int list__end(struct list *l, char **ret)
{
	AUTO_FREE char *text = NULL;
	size_t len;
	FILE *f = l->failed ? NULL : open_memstream(&text, &len);

	if (f) {
		if (l->cnt)
			qsort(l->items, l->cnt, sizeof(*l->items), compare_items);
		print_list(l, f);
	}
	for (size_t i = 0; i < l->cnt; i++)
		free(l->items[i].text);
	free(l->items);
	if (!f || fclose(f))
		return -ENOMEM;
	*ret = TAKE_PTR(text);
	return 0;
}

int loosened_project(const struct config *now, const struct config *before, bool branch, bool below,
		     char **ret)
{
	const struct pair project = {.name = "[project]", .now.c = now, .before.c = before};
	struct list l = {0};

	list_limits(&l, &project);
	list_gone(&l, &project);
	list_gate(&l, &project);
	/* a recipe of one's own may link what is not slow: its layouts then hide the one that is */
	list_other(&l, &project, "layout", now->layout, before->layout);
	list_watch(&l, &project, below);
	if (branch)
		list_other(&l, &project, "main-branch", now->main_branch, before->main_branch);
	return list__end(&l, ret);
}

int loosened_benches(const struct config *now, const struct config *before,
		     const struct loosened_bench *benches, size_t cnt, char **ret)
{
	AUTO_FREE struct pair *pairs = calloc(cnt + 1, sizeof(*pairs));
	struct list l = {0};

	if (!pairs)
		return -ENOMEM;
	list_pairs(&l, pairs, make_pairs(pairs, now, before, benches, cnt));
	return list__end(&l, ret);
}

int loosened_note(struct record *rec, const char *text)
{
	if (!text[0])
		return 0;
	return record__note(
		rec, CONFIG_FILE " of the candidate: %s; it may pass what the baseline's would not",
		text);
}
