/* SPDX-License-Identifier: BSD-2-Clause */
#include "option_parsers.h"
#include <errno.h>
#include <regex.h>
#include <string.h>
#include "../util/limit.h"
#include "../util/num.h"

#define REGEX_BYTES_MAX 1024

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

static int refuse_limit(const char *said, int err, const char *reason, struct problem *why)
{
	if (err == -ENOMEM)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "out of memory");
	return problem_set(why, EXIT_USAGE, err, "%s: %s", said, reason);
}

int parse_limit(const struct option_row *row, const char *said, const char *value,
		struct options *o, struct problem *why)
{
	char reason[LIMIT_WHY_MAX];
	struct limit limit;
	int err = limit_parse(value, &limit, reason);

	if (err)
		return refuse_limit(said, err, reason, why);
	*(limit.bytes ? &o->peak_least : FIELD(double, o, row) + limit.metric) = limit.value;
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
	char reason[LIMIT_WHY_MAX];
	enum metric_id id;
	int err = limit_metric(value, &id, reason);

	if (err)
		return refuse_limit(said, err, reason, why);
	FIELD(bool, o, row)[id] = true;
	return 0;
}
