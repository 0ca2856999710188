/* SPDX-License-Identifier: BSD-2-Clause */
#include "option_parsers.h"
#include <errno.h>
#include <math.h>
#include <regex.h>
#include <string.h>
#include "../util/num.h"
#include "suggest.h"

#define REGEX_BYTES_MAX 1024
#define PEAK_LEAST_MAX	(1ull << 50)

#define FIELD(type, o, row) ((type *)(void *)((char *)(o) + (row)->offset))

int parse_flag(const struct option_row *row, const char *said, const char *value, struct options *o,
	       struct problem *why)
{
	if (num_bool(value, FIELD(bool, o, row)))
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s is a flag: yes or no, not %s",
				   said, value);
	return 0;
}

int parse_help(const struct option_row *row, const char *said, const char *value, struct options *o,
	       struct problem *why)
{
	if (strcmp(value, "yes") != 0)
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s takes no value", said);
	*FIELD(enum help_kind, o, row) = said[1] == '-' ? HELP_FULL : HELP_SHORT;
	return 0;
}

int parse_string(const struct option_row *row, const char *said, const char *value,
		 struct options *o, struct problem *why)
{
	(void)said;
	(void)why; /* any text will do */
	*FIELD(const char *, o, row) = value;
	return 0;
}

int parse_only(const struct option_row *row, const char *said, const char *value, struct options *o,
	       struct problem *why)
{
	if (strcmp(value, row->only) != 0)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s %s is not in this version, only %s is", said, value,
				   row->only);
	*FIELD(const char *, o, row) = value;
	return 0;
}

int parse_regex(const struct option_row *row, const char *said, const char *value,
		struct options *o, struct problem *why)
{
	regex_t re;
	char reason[128];
	int err;

	/* the C library recurses for every bracket and dies when the stack is full */
	if (strlen(value) > REGEX_BYTES_MAX)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s takes a regular expression of at most %d bytes", said,
				   REGEX_BYTES_MAX);
	err = regcomp(&re, value, REG_EXTENDED | REG_NOSUB);

	if (err) {
		(void)regerror(err, &re, reason, sizeof(reason)); /* its length is not needed */
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s %s is not a regular expression: %s", said, value, reason);
	}
	regfree(&re);
	*FIELD(const char *, o, row) = value;
	return 0;
}

int parse_number(const struct option_row *row, const char *said, const char *value,
		 struct options *o, struct problem *why)
{
	int err = num_double(value, row->lo, row->hi, FIELD(double, o, row));

	if (err == -ERANGE)
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s must be from %g to %g, not %s",
				   said, row->lo, row->hi, value);
	if (err)
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s needs a number, not %s", said,
				   value);
	return 0;
}

int parse_percent(const struct option_row *row, const char *said, const char *value,
		  struct options *o, struct problem *why)
{
	size_t len = strlen(value);
	AUTO_FREE char *number = strndup(value, len && value[len - 1] == '%' ? len - 1 : len);

	if (!number)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	return parse_number(row, said, number, o, why);
}

int parse_count(const struct option_row *row, const char *said, const char *value,
		struct options *o, struct problem *why)
{
	uint64_t lo = (uint64_t)row->lo, hi = (uint64_t)row->hi;
	int err = num_u64(value, lo, hi, FIELD(uint64_t, o, row));

	if (err == -ERANGE)
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s must be from %g to %g, not %s",
				   said, row->lo, row->hi, value);
	if (err)
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s needs a whole number, not %s",
				   said, value);
	return 0;
}

int parse_pairs(const struct option_row *row, const char *said, const char *value,
		struct options *o, struct problem *why)
{
	int err = parse_count(row, said, value, o, why);

	if (!err && *FIELD(uint64_t, o, row) % 2 == 0)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s must be odd, not %s: an even number has no middle pair",
				   said, value);
	return err;
}

int parse_seed(const struct option_row *row, const char *said, const char *value, struct options *o,
	       struct problem *why)
{
	if (num_u64(value, 0, UINT64_MAX, FIELD(uint64_t, o, row)))
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s needs a whole number below 2^64, not %s", said, value);
	o->seed_given = true;
	return 0;
}

int parse_when(const struct option_row *row, const char *said, const char *value, struct options *o,
	       struct problem *why)
{
	static const char *const names[] = {
		[WHEN_AUTO] = "auto", [WHEN_ALWAYS] = "always", [WHEN_NEVER] = "never"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(value, names[i])) {
			*FIELD(enum when, o, row) = (enum when)i;
			return 0;
		}
	}
	return problem_set(why, EXIT_USAGE, -EINVAL, "%s is auto, always or never, not %s", said,
			   value);
}

int parse_margin(const struct option_row *row, const char *said, const char *value,
		 struct options *o, struct problem *why)
{
	if (num_limit(value, FIELD(double, o, row)))
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s needs a percentage like 2%% or a ratio like 1.02, not %s",
				   said, value);
	return 0;
}

int parse_sandbox(const struct option_row *row, const char *said, const char *value,
		  struct options *o, struct problem *why)
{
	for (int level = 0; level <= SANDBOX_NONE; level++) {
		if (!strcmp(value, sandbox_level_name((enum sandbox_level)level))) {
			*FIELD(enum sandbox_level, o, row) = (enum sandbox_level)level;
			return 0;
		}
	}
	return problem_set(why, EXIT_USAGE, -EINVAL, "%s is strict, standard or none, not %s", said,
			   value);
}

int parse_rule(const struct option_row *row, const char *said, const char *value, struct options *o,
	       struct problem *why)
{
	for (int rule = 0; rule < RULE_CNT; rule++) {
		if (!strcmp(value, rule_name((enum judge_rule)rule))) {
			*FIELD(enum judge_rule, o, row) = (enum judge_rule)rule;
			return 0;
		}
	}
	return problem_set(why, EXIT_USAGE, -EINVAL, "%s is stages or duel, not %s", said, value);
}

/* The judged metric called name[0..len); -EINVAL with `why` filled. */
static int find_metric(const char *said, const char *name, size_t len, struct problem *why)
{
	AUTO_FREE char *word = strndup(name, len);
	const char *near;
	int id;

	if (!word)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	id = metric_find(word);
	if (id < 0) {
		near = suggest_metric(word);
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s: unknown metric %s%s%s%s", said,
				   word, near ? "; did you mean " : "", near ? near : "",
				   near ? "?" : "");
	}
	if (metric_get((enum metric_id)id)->judge == JUDGE_NEVER)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "%s: %s is never judged, it only explains", said, word);
	return id;
}

static int limit_value(const struct metric *m, const char *text, double *ret)
{
	/* what is counted is judged by its difference, for which 0 means: not one more */
	return m->kind == METRIC_COUNTED ? num_double(text, 0, 1e15, ret) : num_limit(text, ret);
}

static const char *limit_needed(enum metric_kind kind)
{
	switch (kind) {
	case METRIC_COUNTED:
		return "a difference per iteration like 0.5";
	case METRIC_PEAK:
		return "a ratio like 1.1 (above 1, below 2), a percentage like 10%, or bytes like "
		       "+5MiB";
	case METRIC_TIMED:
	case METRIC_INTERFERENCE:
		break;
	}
	return "a ratio like 1.02 (above 1, below 2) or a percentage like 2%";
}

int parse_limit(const struct option_row *row, const char *said, const char *value,
		struct options *o, struct problem *why)
{
	const char *eq = strchr(value, '=');
	const char *text = eq ? eq + 1 : value;
	int id = eq ? find_metric(said, value, (size_t)(eq - value), why) : METRIC_CPU;
	const struct metric *m;
	uint64_t least;

	if (id < 0)
		return id;
	m = metric_get((enum metric_id)id);
	if (m->kind == METRIC_PEAK && text[0] == '+' &&
	    !num_bytes(text + 1, 0, PEAK_LEAST_MAX, &least)) {
		o->peak_least = (double)least;
		return 0;
	}
	if (limit_value(m, text, FIELD(double, o, row) + id))
		return problem_set(why, EXIT_USAGE, -EINVAL, "%s: %s needs %s, not %s", said,
				   m->name, limit_needed(m->kind), text);
	return 0;
}

int parse_events(const struct option_row *row, const char *said, const char *value,
		 struct options *o, struct problem *why)
{
	char reason[PERF_WHY_MAX];
	int err = perf_names_add("", value, FIELD(struct perf_names, o, row), reason);

	return err ? problem_set(why, EXIT_USAGE, -EINVAL, "%s: %s", said, reason) : 0;
}

int parse_metric(const struct option_row *row, const char *said, const char *value,
		 struct options *o, struct problem *why)
{
	int id = find_metric(said, value, strlen(value), why);

	if (id < 0)
		return id;
	FIELD(bool, o, row)[id] = true;
	return 0;
}
