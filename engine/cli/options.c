/* SPDX-License-Identifier: BSD-2-Clause */
#include "options.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "../decide/blocks.h"
#include "../project/output_file.h"
#include "../util/num.h"
#include "option_table.h"
#include "suggest.h"

/* The command line while it is read. */
struct reader {
	struct options *o;
	int argc, at; /* argv[at] is the word to look at next */
	char **argv;
	bool seen[OPTIONS_MAX]; /* rows given on the command line */
	struct problem *why;
};

/* Pairs that contradict each other. */
static const struct {
	const char *a, *b;
} contradictions[] = {
	{"blocks", "min-blocks"},
	{"blocks", "max-blocks"},
	{"in-place", "candidate"},
	{"quiet", "verbose"},
};

static size_t row_index(const struct option_row *row)
{
	size_t cnt;

	return (size_t)(row - option_rows(&cnt));
}

static int out_of_memory(struct problem *why)
{
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

static int remember(struct options *o, const struct option_row *row, const char *value,
		    bool from_environment, struct problem *why)
{
	struct given_option *grown = reallocarray(o->given, o->given_cnt + 1, sizeof(o->given[0]));

	if (!grown)
		return out_of_memory(why);
	o->given = grown;
	o->given[o->given_cnt++] = (struct given_option){row->name, value, from_environment};
	return 0;
}

static int refuse_later(const char *said, struct problem *why)
{
	return problem_set(why, EXIT_USAGE, -EINVAL, "%s is not in this version", said);
}

static int take(struct reader *r, const struct option_row *row, const char *said, const char *value)
{
	int err;

	if (!value[0])
		return problem_set(r->why, EXIT_USAGE, -EINVAL, "%s must not be empty", said);
	err = row->parse(row, said, value, r->o, r->why);
	if (err)
		return err;
	r->seen[row_index(row)] = true;
	return remember(r->o, row, value, false, r->why);
}

/*
 * The value in the next word. A word with two dashes is more likely the next option, whose name
 * would vanish in a value that was forgotten; --filter=--x says that it is meant.
 */
static int next_value(struct reader *r, const char *said, const char **ret)
{
	if (r->at >= r->argc)
		return problem_set(r->why, EXIT_USAGE, -EINVAL, "%s needs a value", said);
	if (!strncmp(r->argv[r->at], "--", 2))
		return problem_set(
			r->why, EXIT_USAGE, -EINVAL,
			"%s needs a value before %s (one that begins so is written with =)", said,
			r->argv[r->at]);
	*ret = r->argv[r->at++];
	return 0;
}

static int unknown_option(struct reader *r, const char *said, const char *name)
{
	const char *ours = suggest_neighbour_option(name);
	const char *near = ours || !name[1] ? NULL : suggest_option(name, r->o->verb);

	if (!ours && !near)
		ours = suggest_misspelt_neighbour(name);
	if (ours)
		return problem_set(r->why, EXIT_USAGE, -EINVAL, "unknown option %s; %s", said,
				   ours);
	if (near)
		return problem_set(r->why, EXIT_USAGE, -EINVAL,
				   "unknown option %s; did you mean --%s?", said, near);
	return problem_set(r->why, EXIT_USAGE, -EINVAL, "unknown option %s; see `joust %s --help`",
			   said, verb_get(r->o->verb)->name);
}

/* An option that exists, but not for this verb. */
static int foreign_option(struct reader *r, const struct option_row *row, const char *said)
{
	int v = 0;

	if (suggest_neighbour_option(row->name))
		return unknown_option(r, said, row->name);
	if (row->later)
		return refuse_later(said, r->why);
	while (v < VERB_CNT - 1 && !option_applies(row, (enum verb)v))
		v++;
	return problem_set(r->why, EXIT_USAGE, -EINVAL,
			   "%s is not for `joust %s`, but for `joust %s`", said,
			   verb_get(r->o->verb)->name, verb_get((enum verb)v)->name);
}

static int check_row(struct reader *r, const struct option_row *row, const char *said,
		     const char *name)
{
	if (!row)
		return unknown_option(r, said, name);
	if (!option_applies(row, r->o->verb))
		return foreign_option(r, row, said);
	return row->later ? refuse_later(said, r->why) : 0;
}

/* --flag, --flag=no, --option=value, --option value */
static int read_long(struct reader *r, const char *word)
{
	const char *name = word + 2, *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	AUTO_FREE char *said = strndup(word, len + 2);
	const struct option_row *row = option_find(name, len);
	const char *value = eq ? eq + 1 : "yes";
	int err;

	if (!said)
		return out_of_memory(r->why);
	err = check_row(r, row, said, said + 2);
	if (!err && row->argument && !eq)
		err = next_value(r, said, &value);
	return err ? err : take(r, row, said, value);
}

/* -q, -qv, -w5, -w 5 */
static int read_short(struct reader *r, const char *word)
{
	int err = 0;

	for (const char *letter = word + 1; *letter && !err; letter++) {
		const char said[] = {'-', *letter, '\0'};
		const struct option_row *row = option_find_letter(*letter);
		const char *value = "yes";

		err = check_row(r, row, said, said + 1);
		if (err)
			return err;
		if (!row->argument) {
			err = take(r, row, said, value);
			continue;
		}
		value = letter + 1;
		if (!*value)
			err = next_value(r, said, &value);
		return err ? err : take(r, row, said, value);
	}
	return err;
}

static int not_yet(struct reader *r, const char *verb)
{
	return problem_set(r->why, EXIT_USAGE, -EINVAL, "`joust %s` is not in this version", verb);
}

/* `joust help [VERB]` is what others have for --help. */
static int read_help(struct reader *r)
{
	const char *word = r->argc > 2 ? r->argv[2] : NULL;
	int v = word ? verb_find(word) : -1;

	r->o->help = HELP_FULL;
	r->at = 2;
	if (!word || word[0] == '-')
		return 0;
	r->at = 3;
	if (v < 0)
		return problem_set(r->why, EXIT_USAGE, -EINVAL,
				   "unknown verb %s; `joust --help` names all", word);
	if (!verb_get((enum verb)v)->implemented)
		return not_yet(r, word);
	r->o->verb = (enum verb)v;
	r->o->verb_given = true;
	return 0;
}

static int read_verb(struct reader *r)
{
	const char *word = r->argc > 1 ? r->argv[1] : NULL;
	const char *hint, *near;
	int v;

	if (!word || word[0] == '-')
		return 0;
	if (!strcmp(word, "help"))
		return read_help(r);
	v = verb_find(word);
	if (v >= 0 && verb_get((enum verb)v)->implemented) {
		r->o->verb = (enum verb)v;
		r->o->verb_given = true;
		r->at = 2;
		return 0;
	}
	if (v >= 0)
		return not_yet(r, word);
	if (strchr(word, '/'))
		return problem_set(r->why, EXIT_USAGE, -EINVAL,
				   "%s is not a verb; a command to measure stands behind --", word);
	hint = suggest_neighbour_verb(word);
	near = hint ? NULL : suggest_verb(word);
	return problem_set(r->why, EXIT_USAGE, -EINVAL, "unknown verb %s; %s%s%s", word,
			   near ? "did you mean " : "",
			   near ? near : (hint ? hint : "`joust --help` names all"),
			   near ? "?" : "");
}

static int stray_word(struct reader *r, const char *word)
{
	if (r->o->verb == VERB_ANALYZE && !r->o->file) {
		r->o->file = word;
		return 0;
	}
	if (verb_find(word) >= 0)
		return problem_set(r->why, EXIT_USAGE, -EINVAL,
				   "a verb comes first: joust %s, then its options", word);
	if (!(VERB_BIT(r->o->verb) & VERBS_PROJECT))
		return problem_set(r->why, EXIT_USAGE, -EINVAL, "`joust %s` takes no %s",
				   verb_get(r->o->verb)->name, word);
	return problem_set(r->why, EXIT_USAGE, -EINVAL,
			   "unexpected %s; a command to measure stands behind --", word);
}

/* The words behind `--`. */
static int read_command(struct reader *r)
{
	struct options *o = r->o;

	if (!(VERB_BIT(o->verb) & VERBS_PROJECT))
		return problem_set(r->why, EXIT_USAGE, -EINVAL, "`joust %s` takes no command",
				   verb_get(o->verb)->name);
	if (r->at >= r->argc || !r->argv[r->at][strspn(r->argv[r->at], " \t\n")])
		return problem_set(r->why, EXIT_USAGE, -EINVAL, "no command behind --%s",
				   r->at < r->argc ? ": its first word is empty" : "");
	o->command = r->argv + r->at;
	o->command_cnt = (size_t)(r->argc - r->at);
	return 0;
}

static int read_words(struct reader *r)
{
	int err = read_verb(r);

	while (!err && r->at < r->argc) {
		const char *word = r->argv[r->at++];

		if (!strcmp(word, "--"))
			return read_command(r);
		if (!strncmp(word, "--", 2))
			err = read_long(r, word);
		else if (word[0] == '-' && word[1])
			err = read_short(r, word);
		else
			err = stray_word(r, word);
	}
	return err;
}

/* A flag beats the environment, also where it contradicts another variable. */
static bool overruled(const struct reader *r, const struct option_row *row)
{
	if (r->seen[row_index(row)])
		return true;
	for (size_t i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++) {
		const char *a = contradictions[i].a, *b = contradictions[i].b;
		const char *other = !strcmp(row->name, a) ? b : (!strcmp(row->name, b) ? a : NULL);

		if (other && r->seen[row_index(option_find(other, strlen(other)))])
			return true;
	}
	return false;
}

/*
 * The variable of one option. One for another verb is not an error: an environment is set once for
 * all of them. An empty one counts as unset, for that is how CI files say "no value".
 */
static int read_variable(struct reader *r, const struct option_row *row)
{
	char name[OPTION_ENV_MAX];
	const char *value;
	int err;

	if (!option_env_name(row, name) || !option_applies(row, r->o->verb) || overruled(r, row))
		return 0;
	value = getenv(name);
	if (!value || !value[0])
		return 0;
	if (row->later)
		return refuse_later(name, r->why);
	err = row->parse(row, name, value, r->o, r->why);
	return err ? err : remember(r->o, row, value, true, r->why);
}

static int read_environment(struct reader *r)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	int err = 0;

	for (size_t i = 0; i < cnt && !err; i++)
		err = read_variable(r, &rows[i]);
	return err;
}

/* Nonsense does not say yes. */
static bool says_yes(const char *value)
{
	bool yes;

	return value && !num_bool(value, &yes) && yes;
}

/* Given, and not as `--flag=no`. */
static bool is_given(const struct options *o, const char *name)
{
	const struct option_row *row = option_find(name, strlen(name));
	bool ret = false;

	for (size_t i = 0; i < o->given_cnt; i++)
		if (!strcmp(o->given[i].name, name))
			ret = row->argument || says_yes(o->given[i].value);
	return ret;
}

/* The other rule has looks and errors of its own. */
static int check_rule(const struct options *o, struct problem *why)
{
	static const char *const ours[] = {"alpha", "blocks", "min-blocks", "max-blocks",
					   "prove-same"};

	for (size_t i = 0; o->rule == RULE_DUEL && i < sizeof(ours) / sizeof(ours[0]); i++)
		if (is_given(o, ours[i]))
			return problem_set(why, EXIT_USAGE, -EINVAL,
					   "--%s is of the rule of stages, not of --rule duel",
					   ours[i]);
	return 0;
}

static int check_contradictions(const struct options *o, struct problem *why)
{
	for (size_t i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++)
		if (is_given(o, contradictions[i].a) && is_given(o, contradictions[i].b))
			return problem_set(why, EXIT_USAGE, -EINVAL, "--%s contradicts --%s",
					   contradictions[i].a, contradictions[i].b);
	if (o->max_blocks && o->min_blocks > o->max_blocks)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "--min-blocks %" PRIu64 " is above --max-blocks %" PRIu64,
				   o->min_blocks, o->max_blocks);
	if (o->verb == VERB_COMPARE && o->blocks && o->blocks < BLOCKS_LEAST)
		return problem_set(why, EXIT_USAGE, -EINVAL,
				   "--blocks must be at least %d: fewer cannot reach a verdict",
				   BLOCKS_LEAST);
	return check_rule(o, why);
}

static void imply(struct options *o)
{
	if (o->bisect)
		o->strict = true;
	if (o->export_json && output_file_is_stdout(o->export_json))
		o->export_json = "-"; /* then the report gives way to it */
	/* cpu_total is judged against the limit of cpu unless it has its own */
	if (isnan(o->limit[METRIC_CPU_TOTAL]))
		o->limit[METRIC_CPU_TOTAL] = o->limit[METRIC_CPU];
}

static void set_defaults(struct options *o)
{
	*o = (struct options){.verb = VERB_COMPARE,
			      .alpha = NAN,
			      .peak_least = NAN,
			      .prove_same = NAN,
			      .warmup_s = NAN,
			      .timeout_s = NAN,
			      .max_time_s = NAN,
			      .inject = NAN};
	for (int i = 0; i < METRIC_CNT; i++)
		o->limit[i] = NAN;
}

/* Whether bisect is asked for anywhere: wrong usage must stop a bisection too, wherever it stands. */
static bool wants_bisect(int argc, char **argv)
{
	bool ret = says_yes(getenv("JOUST_BISECT"));

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strcmp(argv[i], "--bisect"))
			ret = true;
		else if (!strncmp(argv[i], "--bisect=", 9))
			ret = says_yes(argv[i] + 9);
	}
	return ret;
}

int options__parse(struct options *ret, int argc, char **argv, struct problem *why)
{
	struct reader r = {.o = ret, .argc = argc, .at = 1, .argv = argv, .why = why};
	int err;

	set_defaults(ret);
	err = read_words(&r);
	if (!err && (ret->help || ret->version))
		return 0;
	if (!err)
		err = read_environment(&r);
	if (!err)
		err = check_contradictions(ret, why);
	if (err)
		ret->bisect = wants_bisect(argc, argv);
	imply(ret);
	return err;
}

void options__done(struct options *o)
{
	free(o->given);
	o->given = NULL;
	o->given_cnt = 0;
}
