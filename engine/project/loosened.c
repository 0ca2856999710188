/* SPDX-License-Identifier: BSD-2-Clause */
#include "loosened.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "../measure/source.h"

#define LISTED_MAX 8	 /* a line, not a page */
#define ROUNDING   1e-12 /* 1.31 % and 1.0131 are one limit, and two doubles */
#define VALUE_MAX  48

struct list {
	FILE *f;
	size_t cnt;
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

__attribute__((format(printf, 3, 4))) static void say(struct list *l, const struct pair *p,
						      const char *fmt, ...)
{
	va_list ap;

	if (l->cnt++ >= LISTED_MAX)
		return;
	fprintf(l->f, "%s%s%s ", l->cnt > 1 ? "; " : "", p->name, p->now.b ? ":" : "");
	va_start(ap, fmt);
	(void)vfprintf(l->f, fmt, ap); /* fclose tells */
	va_end(ap);
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

static const char *percent(double ratio, char ret[static VALUE_MAX])
{
	if (isnan(ratio))
		return "none";
	(void)snprintf(ret, VALUE_MAX, "%.6g %%", (ratio - 1) * 100); /* fits */
	return ret;
}

static const char *limit_text(enum metric_id id, double limit, char ret[static VALUE_MAX])
{
	if (metric_get(id)->kind != METRIC_COUNTED)
		return percent(limit, ret);
	(void)snprintf(ret, VALUE_MAX, "%.12g", limit); /* fits */
	return ret;
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

		if (!is_above(to, from) || follows(p, id))
			continue;
		say(l, p, "limit %s%s%s -> %s", id == METRIC_CPU ? "" : name,
		    id == METRIC_CPU ? "" : " ", limit_text(id, from, a), limit_text(id, to, b));
	}
	if (is_above(is, was) && !of_project)
		say(l, p, "limit peak_memory +%.0f -> +%.0f bytes", was, is);
}

/* Benchmarks */

static void list_judged(struct list *l, const struct pair *p)
{
	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		if (p->before.b->judge[id] && !p->now.b->judge[id] &&
		    metric_get(id)->judge != JUDGE_ALWAYS)
			say(l, p, "no longer judged by %s", metric_get(id)->name);
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
		say(l, p, "timeout %s -> %s", seconds(was, a), seconds(is, b));
}

/* More may leave a verdict open, less may settle it by chance. */
static void list_precision(struct list *l, const struct pair *p)
{
	double is = p->now.b->precision, was = p->before.b->precision;
	char a[VALUE_MAX], b[VALUE_MAX];

	if (is_above(is, was) || is_above(was, is) || isnan(is) != isnan(was))
		say(l, p, "precision %s -> %s", percent(was, a), percent(is, b));
}

/* What decides a verdict first: of many items the first are listed. */
static void list_pairs(struct list *l, const struct pair *pairs, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		list_limits(l, &pairs[i]);
		list_judged(l, &pairs[i]);
	}
	for (size_t i = 0; i < cnt; i++) {
		list_timeout(l, &pairs[i]);
		list_precision(l, &pairs[i]);
	}
}

/* What held for a benchmark of this name; NULL: it is new. */
static const struct config_bench *section_before(const struct config *before,
						 const struct loosened_bench *b)
{
	const struct config_bench *found =
		b->section->worker ? config_find(before, b->section->worker, b->name) : NULL;

	return found ? found : config_find(before, NULL, b->name);
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

	return !strcmp(w, ".") || !strncmp(w, "docs", 4) || !strncmp(w, ".github", 7) ||
	       (len >= 3 && !strcmp(w + len - 3, ".md"));
}

static bool is_unwatched(const struct config *now, const char *item)
{
	return now->watch.cnt ? !strings_has(&now->watch, item) : is_beyond_default(item);
}

/* What is not watched may change, and nothing is compared. */
static void list_watch(struct list *l, const struct pair *p)
{
	const struct strings *is = &p->now.c->watch, *was = &p->before.c->watch;

	if (is->cnt && !was->cnt)
		say(l, p, "watch default -> %s%s", is->items[0], is->cnt > 1 ? " ..." : "");
	for (size_t i = 0; i < was->cnt; i++)
		if (is_unwatched(p->now.c, was->items[i]))
			say(l, p, "no longer watches %s", was->items[i]);
}

/* Either way: what it rejects may be what was slow, and may be what hid it. */
static void list_gate(struct list *l, const struct pair *p)
{
	char is[GATE_TEXT_MAX], was[GATE_TEXT_MAX];

	gate_describe(p->now.c->gate, is);
	gate_describe(p->before.c->gate, was);
	if (strcmp(is, was) != 0)
		say(l, p, "gate %s -> %s", was[0] ? was : "none", is[0] ? is : "none");
}

static void list_branch(struct list *l, const struct pair *p)
{
	const char *is = p->now.c->main_branch, *was = p->before.c->main_branch;

	is = is ? is : "default";
	was = was ? was : "default";
	if (strcmp(is, was) != 0)
		say(l, p, "main-branch %s -> %s", was, is);
}

/* It is measured on neither side: the candidate's file says what there is. */
static void list_gone(struct list *l, const struct pair *p)
{
	for (size_t i = 0; i < p->before.c->benches_cnt; i++)
		if (!config_find(p->now.c, NULL, p->before.c->benches[i].name))
			say(l, p, "benchmark %s is gone", p->before.c->benches[i].name);
}

static int list__end(struct list *l, char **text, char **ret)
{
	if (l->cnt > LISTED_MAX)
		fprintf(l->f, "; and %zu more", l->cnt - LISTED_MAX);
	if (fclose(l->f))
		return -ENOMEM;
	*ret = TAKE_PTR(*text);
	return 0;
}

int loosened_project(const struct config *now, const struct config *before, bool branch, char **ret)
{
	const struct pair project = {.name = "[project]", .now.c = now, .before.c = before};
	AUTO_FREE char *text = NULL;
	size_t len;
	struct list l = {.f = open_memstream(&text, &len)};

	if (!l.f)
		return -ENOMEM;
	list_limits(&l, &project);
	list_gone(&l, &project);
	list_gate(&l, &project);
	list_watch(&l, &project);
	if (branch)
		list_branch(&l, &project);
	return list__end(&l, &text, ret);
}

int loosened_benches(const struct config *now, const struct config *before,
		     const struct loosened_bench *benches, size_t cnt, char **ret)
{
	AUTO_FREE struct pair *pairs = calloc(cnt + 1, sizeof(*pairs));
	AUTO_FREE char *text = NULL;
	size_t len;
	struct list l = {.f = pairs ? open_memstream(&text, &len) : NULL};

	if (!l.f)
		return -ENOMEM;
	list_pairs(&l, pairs, make_pairs(pairs, now, before, benches, cnt));
	return list__end(&l, &text, ret);
}

int loosened_note(struct record *rec, const char *text)
{
	if (!text[0])
		return 0;
	return record__note(
		rec, CONFIG_FILE " of the candidate: %s; it may pass what the baseline's would not",
		text);
}
