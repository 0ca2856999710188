/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "../../engine/cli/terminal.h"

#define CNT(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND	   1000000000u

/* "A=1 B=" on top of an environment without any of the variables that matter. */
static void set_environment(const char *settings)
{
	static const char *const names[] = {"NO_COLOR",	   "CLICOLOR",	"CLICOLOR_FORCE",
					    "FORCE_COLOR", "CI",	"GITHUB_ACTIONS",
					    "GITLAB_CI",   "BUILDKITE", "COLUMNS"};
	char copy[128], *rest = copy, *word;

	for (size_t i = 0; i < CNT(names); i++)
		unsetenv(names[i]);
	setenv("TERM", "xterm", 1);
	(void)snprintf(copy, sizeof(copy), "%s", settings);
	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		setenv(word, value, 1);
	}
}

static void colour_follows_option_environment_terminal(void **state)
{
	static const struct {
		const char *env;
		enum when when;
		bool is_terminal, color;
	} rows[] = {
		{"", WHEN_AUTO, true, true},
		{"", WHEN_AUTO, false, false},
		{"", WHEN_ALWAYS, false, true},
		{"", WHEN_NEVER, true, false},
		{"NO_COLOR=1", WHEN_AUTO, true, false},
		{"NO_COLOR=", WHEN_AUTO, true, true},
		{"NO_COLOR=1", WHEN_ALWAYS, false, true},
		{"NO_COLOR=1 FORCE_COLOR=1", WHEN_AUTO, true, false},
		{"CLICOLOR=0", WHEN_AUTO, true, false},
		{"CLICOLOR=1", WHEN_AUTO, false, false},
		{"CLICOLOR=0 CLICOLOR_FORCE=1", WHEN_AUTO, true, true},
		{"CLICOLOR_FORCE=1", WHEN_AUTO, false, true},
		{"CLICOLOR_FORCE=0", WHEN_AUTO, false, false},
		{"CLICOLOR_FORCE=1", WHEN_NEVER, true, false},
		{"FORCE_COLOR=1", WHEN_AUTO, false, true},
		{"FORCE_COLOR=0", WHEN_AUTO, true, false},
		{"TERM=dumb", WHEN_AUTO, true, false},
		{"TERM=dumb FORCE_COLOR=1", WHEN_AUTO, true, true},
		{"TERM=dumb", WHEN_ALWAYS, true, true},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		print_message("# row %zu: %s\n", i, rows[i].env);
		set_environment(rows[i].env);
		assert_int_equal(terminal_color(rows[i].when, rows[i].is_terminal), rows[i].color);
	}
}

static void progress_follows_option_ci_terminal(void **state)
{
	static const struct {
		const char *env;
		enum when when;
		bool is_terminal, quiet;
		enum progress_mode mode;
	} rows[] = {
		{"", WHEN_AUTO, true, false, PROGRESS_LINE},
		{"", WHEN_AUTO, false, false, PROGRESS_NONE},
		{"", WHEN_AUTO, true, true, PROGRESS_NONE},
		{"", WHEN_NEVER, true, false, PROGRESS_NONE},
		{"", WHEN_ALWAYS, true, true, PROGRESS_LINE},
		{"", WHEN_ALWAYS, false, false, PROGRESS_PLAIN},
		{"CI=true", WHEN_AUTO, true, false, PROGRESS_PLAIN},
		{"CI=true", WHEN_AUTO, false, false, PROGRESS_PLAIN},
		{"CI=true", WHEN_AUTO, false, true, PROGRESS_NONE},
		{"CI=true", WHEN_NEVER, false, false, PROGRESS_NONE},
		{"CI=true", WHEN_ALWAYS, true, false, PROGRESS_LINE},
		{"CI=false", WHEN_AUTO, true, false, PROGRESS_LINE},
		{"CI=", WHEN_AUTO, true, false, PROGRESS_LINE},
		{"GITHUB_ACTIONS=true", WHEN_AUTO, true, false, PROGRESS_PLAIN},
		{"GITLAB_CI=true", WHEN_AUTO, true, false, PROGRESS_PLAIN},
		{"BUILDKITE=true", WHEN_AUTO, true, false, PROGRESS_PLAIN},
		{"TERM=dumb", WHEN_AUTO, true, false, PROGRESS_NONE},
		{"TERM=dumb", WHEN_ALWAYS, true, false, PROGRESS_PLAIN},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		print_message("# row %zu: %s\n", i, rows[i].env);
		set_environment(rows[i].env);
		assert_int_equal(
			terminal_progress(rows[i].when, rows[i].is_terminal, rows[i].quiet),
			rows[i].mode);
	}
}

static void width_is_that_of_the_user_within_reason(void **state)
{
	static const struct {
		const char *env;
		size_t columns;
	} rows[] = {{"", 80},	       {"COLUMNS=120", 120}, {"COLUMNS=5", 80},
		    {"COLUMNS=x", 80}, {"COLUMNS=-120", 80}, {"COLUMNS=100000", 80},
		    {"COLUMNS=", 80}};
	AUTO_FD int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		set_environment(rows[i].env);
		assert_int_equal(terminal_columns(fd), rows[i].columns);
	}
}

/* A progress that writes to memory. */
struct drawing {
	struct progress p;
	char *text;
	size_t len;
};

static void drawing__init(struct drawing *d, enum progress_mode mode, size_t columns)
{
	*d = (struct drawing){.text = NULL};
	d->p = (struct progress){.mode = mode, .columns = columns};
	d->p.out = open_memstream(&d->text, &d->len);
	assert_non_null(d->p.out);
}

static void drawing__done(struct drawing *d)
{
	assert_int_equal(fclose(d->p.out), 0);
	free(d->text);
}

static struct run_progress moment(const struct rec_bench *bench)
{
	return (struct run_progress){.stage = 1, .round = 7, .open = 3, .total = 4, .bench = bench};
}

static void the_line_is_drawn_over_and_removed(void **state)
{
	struct rec_bench bench = {.name = (char *)"parse: large document"};
	struct run_progress at = moment(&bench);
	CLEANUP(drawing__done) struct drawing d;

	(void)state;
	drawing__init(&d, PROGRESS_LINE, 80);
	progress__clear(&d.p);
	progress__show_at(&d.p, &at, SECOND);
	progress__clear(&d.p);
	progress__clear(&d.p);
	assert_string_equal(d.text, "\rstage 1: 3 of 4 open, round 7, parse: large document\x1b[K"
				    "\r\x1b[K");
}

static size_t lines_in(enum progress_mode mode, uint64_t seconds)
{
	struct run_progress at = moment(NULL);
	struct drawing d;
	size_t cnt = 0;

	drawing__init(&d, mode, 80);
	for (uint64_t now = SECOND; now < (1 + seconds) * SECOND; now += SECOND / 100)
		progress__show_at(&d.p, &at, now);
	for (const char *s = d.text; s && (s = strstr(s, "stage")); s++)
		cnt++;
	drawing__done(&d);
	return cnt;
}

static void updates_are_rare(void **state)
{
	(void)state;
	assert_int_equal(lines_in(PROGRESS_LINE, 2), 20);
	assert_int_equal(lines_in(PROGRESS_PLAIN, 90), 3);
	assert_int_equal(lines_in(PROGRESS_NONE, 2), 0);
}

static void plain_lines_hold_no_control_bytes(void **state)
{
	struct run_progress at = moment(NULL);
	CLEANUP(drawing__done) struct drawing d;

	(void)state;
	drawing__init(&d, PROGRESS_PLAIN, 80);
	progress__show_at(&d.p, &at, 0);
	progress__clear(&d.p);
	assert_string_equal(d.text, "stage 1: 3 of 4 open, round 7\n");
}

static void hostile_names_are_escaped(void **state)
{
	struct rec_bench bench = {.name = (char *)"a\x1b[2Jb\nc\xff"};
	struct run_progress at = moment(&bench);
	CLEANUP(drawing__done) struct drawing d;

	(void)state;
	drawing__init(&d, PROGRESS_PLAIN, 80);
	progress__show_at(&d.p, &at, 0);
	assert_string_equal(d.text, "stage 1: 3 of 4 open, round 7, a\\x1b[2Jb\\nc\\xff\n");
}

static void long_names_are_cut_between_characters(void **state)
{
	/* two columns before the cut, then characters of two bytes */
	struct rec_bench bench = {.name = (char *)"ab\xc3\xa4\xc3\xb6\xc3\xbc"};
	struct run_progress at = moment(&bench);
	CLEANUP(drawing__done) struct drawing d;

	(void)state;
	drawing__init(&d, PROGRESS_PLAIN, strlen("stage 1: 3 of 4 open, round 7, abc") + 1);
	progress__show_at(&d.p, &at, 0);
	assert_string_equal(d.text, "stage 1: 3 of 4 open, round 7, ab\xc3\xa4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_follows_option_environment_terminal),
		cmocka_unit_test(progress_follows_option_ci_terminal),
		cmocka_unit_test(width_is_that_of_the_user_within_reason),
		cmocka_unit_test(the_line_is_drawn_over_and_removed),
		cmocka_unit_test(updates_are_rare),
		cmocka_unit_test(plain_lines_hold_no_control_bytes),
		cmocka_unit_test(hostile_names_are_escaped),
		cmocka_unit_test(long_names_are_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
