/* SPDX-License-Identifier: BSD-2-Clause */
#include "table.h"

#include <math.h>
#include <string.h>
#include "stats/beta.h"

#define ONE_IN	1e-4
#define SE_WIDE 3.9

/* P(at least so many hits of a true rate p) */
static double at_least(uint64_t hits, uint64_t runs, double p)
{
	double tail = 1;

	if (hits > 0) /* the arguments are in the domain */
		(void)beta_inc(p, (double)hits, (double)(runs - hits) + 1, &tail);
	return tail;
}

static double at_most(uint64_t hits, uint64_t runs, double p)
{
	return at_least(runs - hits, runs, 1 - p);
}

bool rate_holds(const struct bound *b, uint64_t hits, uint64_t runs, bool widened)
{
	double rate = (double)hits / (double)runs;

	if (rate > b->hi && (!widened || at_least(hits, runs, b->hi) < ONE_IN))
		return false;
	if (rate < b->lo && (!widened || at_most(hits, runs, b->lo) < ONE_IN))
		return false;
	return true;
}

static bool mean_holds(const struct line *l, bool widened)
{
	double margin = widened ? SE_WIDE * l->blocks_se : 0;

	return !(l->blocks < l->mean.lo - margin) && !(l->blocks > l->mean.hi + margin);
}

/* A rate in four digits, but so that a small one is not taken for 0. */
static void format_rate(char *text, size_t size, double rate)
{
	if (rate != 0 && rate < 9.995e-4)
		(void)snprintf(text, size, "%.2g", rate); /* fits */
	else
		(void)snprintf(text, size, "%.4f", rate);
}

static void format_bound(char *text, size_t size, const struct bound *b, bool mean)
{
	char lo[32], hi[32];

	if (mean) {
		(void)snprintf(lo, sizeof(lo), "%.1f", b->lo);
		(void)snprintf(hi, sizeof(hi), "%.1f", b->hi);
	} else {
		format_rate(lo, sizeof(lo), b->lo);
		format_rate(hi, sizeof(hi), b->hi);
	}
	if (isnan(b->lo) && isnan(b->hi))
		(void)snprintf(text, size, "-");
	else if (isnan(b->lo))
		(void)snprintf(text, size, "<= %s", hi);
	else if (isnan(b->hi))
		(void)snprintf(text, size, ">= %s", lo);
	else
		(void)snprintf(text, size, "%s .. %s", lo, hi);
}

static void optional(char *text, size_t size, const char *form, double value)
{
	if (isnan(value))
		(void)snprintf(text, size, "-");
	else if (strcmp(form, "ratio") == 0)
		(void)snprintf(text, size, "%.3f", value);
	else if (strcmp(form, "mean") == 0)
		(void)snprintf(text, size, "%.2f", value);
	else
		format_rate(text, size, value);
}

static const char *judgement(const struct line *l, bool holds)
{
	bool bounded = !isnan(l->rate.lo) || !isnan(l->rate.hi) || !isnan(l->mean.lo);

	if (l->must_fail)
		return holds ? "NOT FOUND" : "fails, as it must";
	if (!holds)
		return "OUT OF BOUND";
	return bounded ? "ok" : "published";
}

void table_head(struct table *t)
{
	fprintf(t->out, "%-4s %-8s %6s  %-30s %8s  %-18s %7s %7s  %-16s %8s\n", "row", "model",
		"ratio", "what", "found", "allowed", "power", "blocks", "allowed", "runs");
}

void table_line(struct table *t, const struct line *l)
{
	bool holds =
		rate_holds(&l->rate, l->hits, l->runs, t->widened) && mean_holds(l, t->widened);
	char ratio[32], found[32], rate[80], power[32], blocks[32], mean[80];

	optional(ratio, sizeof(ratio), "ratio", l->ratio);
	format_rate(found, sizeof(found), (double)l->hits / (double)l->runs);
	format_bound(rate, sizeof(rate), &l->rate, false);
	optional(power, sizeof(power), "rate", l->power);
	optional(blocks, sizeof(blocks), "mean", l->blocks);
	format_bound(mean, sizeof(mean), &l->mean, true);
	fprintf(t->out, "%-4s %-8s %6s  %-30s %8s  %-18s %7s %7s  %-16s %8llu  %s\n", l->row,
		l->model, ratio, l->what, found, rate, power, blocks, mean,
		(unsigned long long)l->runs, judgement(l, holds));
	(void)fflush(t->out); /* to watch; what cannot be written is found at the end */
	t->lines++;
	t->failed += holds == l->must_fail;
}

void table_foot(struct table *t)
{
	fprintf(t->out, "%u lines, %u out of bound\n", t->lines, t->failed);
}
