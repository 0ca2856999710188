/* SPDX-License-Identifier: BSD-2-Clause */
#include "limit.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "num.h"
#include "../../report/text.h"

#define DIFFERENCE_MAX 1e15 /* every integer up to it is a double */

static size_t judged_names(const char *names[static METRIC_CNT])
{
	size_t cnt = 0;

	for (int i = 0; i < METRIC_CNT; i++)
		if (metric_get((enum metric_id)i)->judge != JUDGE_NEVER)
			names[cnt++] = metric_get((enum metric_id)i)->name;
	return cnt;
}

static const char *judged_meant(const char *name)
{
	const char *names[METRIC_CNT];

	return text_meant(name, names, judged_names(names));
}

/* Behind what `why` already says; what does not fit is left out. */
static void add_judged_names(char why[static LIMIT_WHY_MAX])
{
	const char *names[METRIC_CNT];
	size_t cnt = judged_names(names);

	for (size_t i = 0; i < cnt; i++) {
		size_t len = strlen(why);

		(void)snprintf(why + len, LIMIT_WHY_MAX - len, "%s%s", i ? ", " : "; write one of ",
			       names[i]);
	}
}

int limit_metric(const char *name, enum metric_id *ret, char why[static LIMIT_WHY_MAX])
{
	int id = metric_find(name);
	const char *near;

	if (id < 0) {
		near = judged_meant(name);
		(void)snprintf(why, LIMIT_WHY_MAX, "unknown metric %s%s%s%s", name,
			       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
		if (!near)
			add_judged_names(why);
		return -EINVAL;
	}
	if (metric_get((enum metric_id)id)->judge == JUDGE_NEVER) {
		(void)snprintf(why, LIMIT_WHY_MAX, "%s is never judged, it only explains", name);
		add_judged_names(why);
		return -EINVAL;
	}
	*ret = (enum metric_id)id;
	return 0;
}

static const char *example(enum metric_kind kind)
{
	switch (kind) {
	case METRIC_COUNTED:
		return "a difference per iteration such as 0.5";
	case METRIC_PEAK:
		return "a ratio such as 1.1 (above 1, below 2), 10%, or bytes such as +5M";
	case METRIC_TIMED:
	case METRIC_INTERFERENCE:
		break;
	}
	return "a ratio such as 1.02 (above 1, below 2), or 2%";
}

static int parse_bytes(const char *text, double *ret)
{
	uint64_t bytes;
	int err = num_bytes(text, 0, NUM_BYTES_MAX, &bytes);

	if (!err)
		*ret = (double)bytes;
	return err;
}

static int parse_value(const char *text, enum metric_kind kind, bool bytes, double *ret)
{
	if (bytes)
		return parse_bytes(text + 1, ret);
	/* what is counted is judged by its difference, for which 0 means: not one more */
	return kind == METRIC_COUNTED ? num_double(text, 0, DIFFERENCE_MAX, ret)
				      : num_limit(text, ret);
}

/* What stands before the equals sign. */
static int parse_metric(const char *text, size_t len, enum metric_id *ret,
			char why[static LIMIT_WHY_MAX])
{
	AUTO_FREE char *name = strndup(text, len);

	return name ? limit_metric(name, ret, why) : -ENOMEM;
}

int limit_parse(const char *text, struct limit *ret, char why[static LIMIT_WHY_MAX])
{
	const char *eq = strchr(text, '='), *value = eq ? eq + 1 : text;
	struct limit limit = {.metric = METRIC_CPU};
	const struct metric *metric;
	int err = eq ? parse_metric(text, (size_t)(eq - text), &limit.metric, why) : 0;

	if (err)
		return err;
	metric = metric_get(limit.metric);
	limit.bytes = metric->kind == METRIC_PEAK && value[0] == '+';
	err = parse_value(value, metric->kind, limit.bytes, &limit.value);
	if (err == -ENOMEM)
		return err;
	if (err) {
		(void)snprintf(why, LIMIT_WHY_MAX, "\"%s\" is not a limit of %s; write %s", value,
			       metric->name, example(metric->kind));
		return -EINVAL;
	}
	*ret = limit;
	return 0;
}
