/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Terminal reports against golden files. JOUST_GOLDEN=write makes them anew; read the difference
 * before it is committed.
 */
#include "test_report_fixture.h"
#include <stdlib.h>

#define GOLDEN "tests/data/report/"

/* The version changes with every release, the golden files need not. */
static void write_golden(const char *path, const char *text)
{
	const char *version = strstr(text, JOUST_VERSION);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	if (version) {
		fprintf(f, "%.*sVERSION", (int)(version - text), text);
		text = version + strlen(JOUST_VERSION);
	}
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static char *read_golden(const char *path)
{
	AUTO_FILE FILE *f = fopen(path, "r");
	char line[4096], *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	assert_non_null(f);
	assert_non_null(out);
	while (fgets(line, sizeof(line), f)) {
		char *version = strstr(line, "VERSION");

		if (version) {
			fprintf(out, "%.*s" JOUST_VERSION, (int)(version - line), line);
			fputs(version + strlen("VERSION"), out);
		} else {
			fputs(line, out);
		}
	}
	assert_int_equal(fclose(out), 0);
	return buffer;
}

static void assert_golden(const char *name, writer *write, const struct record *r,
			  const struct terminal_style *style)
{
	AUTO_FREE char *text = written(write, r, style);
	AUTO_FREE char *expected = NULL;
	char path[256];

	snprintf(path, sizeof(path), GOLDEN "%s.txt", name);
	if (getenv("JOUST_GOLDEN"))
		write_golden(path, text);
	expected = read_golden(path);
	assert_string_equal(text, expected);
}

static const struct terminal_style plain = {.columns = 100};
static const struct terminal_style color = {.color = true, .columns = 100};
static const struct terminal_style verbose = {.verbosity = 1, .columns = 100};
static const struct terminal_style quiet = {.verbosity = -1, .columns = 100};

static void every_kind_of_line(void **state)
{
	struct record r;

	(void)state;
	fixture_full(&r);
	assert_golden("full", terminal_report, &r, &plain);
	assert_golden("full-color", terminal_report, &r, &color);
	assert_golden("full-verbose", terminal_report, &r, &verbose);
	assert_golden("full-quiet", terminal_report, &r, &quiet);
	record__done(&r);
}

/* A run without errors that failed. */
static void a_failed_run(void **state)
{
	struct record r;

	(void)state;
	fixture_run(&r);
	r.status = STATUS_FAILED;
	r.exit = 1;
	fixture_same(&r);
	fixture_undecided(&r);
	fixture_regressed(&r);
	r.host.bpf = true;
	assert_golden("failed", terminal_report, &r, &plain);
	record__done(&r);
}

static void nothing_to_compare(void **state)
{
	struct record r;

	(void)state;
	fixture_run(&r);
	r.status = STATUS_NOTHING;
	r.message = copy("nothing that is watched changed since the baseline (--force compares "
			 "anyway)");
	assert_golden("nothing", terminal_report, &r, &plain);
	record__done(&r);
}

static void interrupted(void **state)
{
	struct record r;
	struct rec_metric *m;

	(void)state;
	fixture_run(&r);
	r.status = STATUS_INTERRUPTED;
	m = judge(add_bench(&r, "parse", BENCH_UNDECIDED), METRIC_CPU, VERDICT_UNDECIDED);
	m->reason = REASON_INTERRUPTED;
	add_bench(&r, "never begun", BENCH_OPEN);
	assert_golden("interrupted", terminal_report, &r, &plain);
	record__done(&r);
}

static void run_that_ends_in_an_error(void **state)
{
	struct record r;

	(void)state;
	record__init(&r);
	r.status = STATUS_ERROR;
	r.message = copy("the build of the candidate failed:\ncc -c x.c\n::error::x.c:1: bad\n");
	assert_golden("error", terminal_report, &r, &plain);
	record__done(&r);
}

static void measured_side(void **state)
{
	struct record r;
	struct rec_bench *b;

	(void)state;
	fixture_run(&r);
	b = add_bench(&r, "parse: large document", BENCH_OPEN);
	for (int i = 0; i < 11; i++)
		add_block(b, 3, 112400 + 100 * i, 0);
	add_block(b, 3, 1, 0)->lost = REASON_SUSPENDED; /* must not be counted */
	add_bench(&r, "empty", BENCH_OPEN);
	rec_bench__fail(add_bench(&r, "broken", BENCH_OPEN), REASON_EXIT_STATUS, SIDE_CANDIDATE,
			"exit status 3");
	assert_golden("measured", terminal_measured, &r, &plain);
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_line),	     cmocka_unit_test(a_failed_run),
		cmocka_unit_test(nothing_to_compare),	     cmocka_unit_test(interrupted),
		cmocka_unit_test(run_that_ends_in_an_error), cmocka_unit_test(measured_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
