/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include "../../engine/cli/option_table.h"

#define CNT(table) (sizeof(table) / sizeof((table)[0]))

struct parsed {
	struct options o;
	struct problem why;
	int err;
};

static void done(struct parsed *p)
{
	options__done(&p->o);
	problem__done(&p->why);
}

/* argv of at most two words behind the program's name */
static struct parsed parse(const char *one, const char *two)
{
	static char words[2][64];
	char *argv[] = {(char *)"joust", words[0], words[1], NULL};
	struct parsed p = {.err = 0};

	(void)snprintf(words[0], sizeof(words[0]), "%s", one ? one : "");
	(void)snprintf(words[1], sizeof(words[1]), "%s", two ? two : "");
	p.err = options__parse(&p.o, 1 + (one != NULL) + (two != NULL), argv, &p.why);
	return p;
}

static int clear(void **state)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	char name[OPTION_ENV_MAX];

	(void)state;
	for (size_t i = 0; i < cnt; i++)
		if (option_env_name(&rows[i], name))
			unsetenv(name);
	return 0;
}

static void set(const char *name, const char *value)
{
	assert_int_equal(setenv(name, value, 1), 0);
}

static void every_option_has_its_variable(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_BASE", "v1");
	set("JOUST_LIMIT", "wall=1.9");
	set("JOUST_MAX_TIME", "60");
	set("JOUST_MIN_BLOCKS", "10");
	set("JOUST_STRICT", "yes");
	set("JOUST_FORCE", "no");
	set("JOUST_EXPORT_JSON", "out.json");
	set("JOUST_COLOR", "never");
	set("JOUST_SEED", "9");
	p = parse(NULL, NULL);
	assert_int_equal(p.err, 0);
	assert_string_equal(p.o.base, "v1");
	assert_true(p.o.limit[METRIC_WALL] == 1.9 && isnan(p.o.limit[METRIC_CPU]));
	assert_true(p.o.max_time_s == 60 && p.o.min_blocks == 10);
	assert_true(p.o.strict && !p.o.force && p.o.seed_given && p.o.seed == 9);
	assert_string_equal(p.o.export_json, "out.json");
	assert_int_equal(p.o.color, WHEN_NEVER);
	assert_int_equal(p.o.given_cnt, 9);
	for (size_t i = 0; i < p.o.given_cnt; i++)
		assert_true(p.o.given[i].from_environment);
}

static void a_flag_beats_its_variable(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_SEED", "9");
	p = parse("--seed", "3");
	assert_int_equal(p.err, 0);
	assert_true(p.o.seed == 3);
	assert_int_equal(p.o.given_cnt, 1);
	assert_false(p.o.given[0].from_environment);
	done(&p);
	set("JOUST_STRICT", "yes");
	p = parse("--strict=no", NULL);
	assert_false(p.err || p.o.strict);
	done(&p);
	/* as a whole: no metric's limit stays behind */
	set("JOUST_LIMIT", "wall=1.9");
	p = parse("--limit", "3%");
	assert_int_equal(p.err, 0);
	assert_true(isnan(p.o.limit[METRIC_WALL]));
	done(&p);
	/* nonsense that does not count is not an error */
	set("JOUST_SEED", "nonsense");
	p = parse("--seed", "3");
	assert_int_equal(p.err, 0);
}

static void a_flag_beats_a_contradicting_variable(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_QUIET", "yes");
	set("JOUST_MIN_BLOCKS", "100");
	p = parse("-v", "--blocks=20");
	assert_int_equal(p.err, 0);
	assert_true(p.o.verbose && !p.o.quiet);
	assert_int_equal(p.o.min_blocks, 0);
}

static void variables_that_contradict_each_other_are_refused(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_QUIET", "yes");
	set("JOUST_VERBOSE", "yes");
	p = parse(NULL, NULL);
	assert_int_equal(p.err, -EINVAL);
	assert_int_equal(p.why.exit, EXIT_USAGE);
}

static void bad_variables_are_refused_by_their_name(void **state)
{
	static const char *const rows[][2] = {
		{"JOUST_LIMIT", "0.9"},
		{"JOUST_STRICT", "maybe"},
		{"JOUST_FILTER", "("},
		{"JOUST_PAIRS", "4"},
		{"JOUST_LAYOUTS", "0"},
		{"JOUST_SANDBOX", "some"},
		{"JOUST_SANDBOX_LOG", "maybe"},
		{"JOUST_RULE", "dual"},
		{"JOUST_JOBS", "2"},
		{"JOUST_EVENT", "no-such-event"},
		{"JOUST_EXPORT_HTML", "f"},
		{"JOUST_PROVE_SAME", "1"},
		{"JOUST_COLOR", "blue"},
		{"JOUST_MAX_TIME", "-1"},
		{"JOUST_JUDGE", "nonsense"},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		CLEANUP(done) struct parsed p;

		set(rows[i][0], rows[i][1]);
		p = parse(NULL, NULL);
		assert_int_equal(p.err, -EINVAL);
		assert_int_equal(p.why.exit, EXIT_USAGE);
		assert_non_null(strstr(p.why.text, rows[i][0]));
		unsetenv(rows[i][0]);
	}
}

static void empty_variables_and_those_of_other_verbs_do_not_count(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_LIMIT", "");
	set("JOUST_STRICT", "");
	p = parse(NULL, NULL);
	assert_int_equal(p.err, 0);
	assert_int_equal(p.o.given_cnt, 0);
	done(&p);
	set("JOUST_LIMIT", "nonsense");
	p = parse("doctor", NULL);
	assert_int_equal(p.err, 0);
	assert_int_equal(p.o.given_cnt, 0);
}

static void help_does_not_read_the_environment(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_LIMIT", "nonsense");
	set("JOUST_HELP", "yes");
	p = parse("--help", NULL);
	assert_int_equal(p.err, 0);
	done(&p);
	p = parse("doctor", NULL);
	assert_int_equal(p.err, 0);
	assert_int_equal(p.o.help, HELP_NONE);
	unsetenv("JOUST_HELP");
}

static void bisect_may_be_asked_for_by_its_variable(void **state)
{
	CLEANUP(done) struct parsed p;

	(void)state;
	set("JOUST_BISECT", "yes");
	p = parse(NULL, NULL);
	assert_int_equal(p.err, 0);
	assert_true(p.o.bisect && p.o.strict);
	done(&p);
	p = parse("--nonsense", NULL);
	assert_int_equal(p.err, -EINVAL);
	assert_true(p.o.bisect);
	done(&p);
	set("JOUST_BISECT", "no");
	p = parse("--nonsense", NULL);
	assert_false(p.o.bisect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_option_has_its_variable, clear),
		cmocka_unit_test_setup(a_flag_beats_its_variable, clear),
		cmocka_unit_test_setup(a_flag_beats_a_contradicting_variable, clear),
		cmocka_unit_test_setup(variables_that_contradict_each_other_are_refused, clear),
		cmocka_unit_test_setup(bad_variables_are_refused_by_their_name, clear),
		cmocka_unit_test_setup(empty_variables_and_those_of_other_verbs_do_not_count,
				       clear),
		cmocka_unit_test_setup(help_does_not_read_the_environment, clear),
		cmocka_unit_test_setup(bisect_may_be_asked_for_by_its_variable, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
