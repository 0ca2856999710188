/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_options_fixture.h"

/* Wrong usage, and what is said of it. */

static void unknown_options_name_the_nearest(void **state)
{
	static const char *const rows[][2] = {
		{"--limt=2%", "--limit"},
		{"--max-tim=1", "--max-time"},
		{"--blcoks=20", "--blocks"},
		{"--abc-unheard-of", "joust compare --help"},
		{"-x", "-x; see"},
		{"-qx", "unknown option -x"},
		{"--stric", "did you mean --strict?"},
		{"--filter-out=x", "--filter"},
		{"--runs=5", "--blocks"},
		{"--runs|5", "--pairs"},
		{"-r5", "--blocks"},
		{"-m|3", "--min-blocks"},
		{"-M3", "--max-blocks"},
		{"--baseline=main", "--base REF"},
		{"--basline", "--base REF"},
		{"--threshold=5", "--limit"},
		{"--margin=5", "--limit"},
		{"--noise-threshold=.1", "--limit"},
		{"--min-runs=5", "--min-blocks"},
		{"--max-runs=5", "--max-blocks"},
		{"--json=f", "--export-json"},
		{"--warm=1", "--warmup"},
		{"--no-sandbox", "--sandbox none"},
		{"--no-color", "--color never"},
		{"--list", "joust list"},
		{"--no-progress", "--progress never"},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++)
		must_refuse(rows[i][0], rows[i][1]);
	must_refuse("doctor|--abc-unheard-of", "joust doctor --help");
}

/* getopt_long would take each of these. */
static void names_are_never_abbreviated(void **state)
{
	static const char *const words[] = {"--bas=x", "--stri", "--see=1", "--max-t=5", "--ver"};

	(void)state;
	for (size_t i = 0; i < CNT(words); i++)
		must_refuse(words[i], "unknown option");
}

static void what_is_not_there_yet_is_refused(void **state)
{
	static const char *const words[] = {
		"--export-markdown=f", "--export-html|f", "--export-junit=f", "--jobs=2",
		"--jobs=01",
	};

	(void)state;
	for (size_t i = 0; i < CNT(words); i++)
		must_refuse(words[i], "not in this version");
	must_refuse("--sandbox=nonsense", "strict, standard or none");
}

static void options_of_another_verb_are_refused(void **state)
{
	static const char *const words[] = {
		"run|--base=x",	       "run|--limit=2%", "run|--strict",   "list|--limit=2%",
		"list|--blocks=9",     "list|--seed=1",	 "doctor|--force", "doctor|--filter=x",
		"clean|--color=never", "clean|-v",	 "run|--bisect",
	};

	(void)state;
	for (size_t i = 0; i < CNT(words); i++)
		must_refuse(words[i], "is not for `joust ");
}

static void bad_values_are_refused(void **state)
{
	static const char *const rows[][2] = {
		{"--limit=1", "above 1"},
		{"--limit=0.98", "above 1"},
		{"--limit=nan", "\"nan\" is not a limit of cpu"},
		{"--limit=inf", "above 1"},
		{"--limit=0%", "above 1"},
		{"--limit=wall=", "above 1"},
		{"--limit==1.02", "unknown metric"},
		{"--limit=cpuu=1.02", "did you mean cpu?"},
		{"--limit=inst=1.02", "did you mean instructions?"},
		{"--limit=page_faults=2%", "difference"},
		{"--limit=page_faults=-1", "difference"},
		{"--prove-same=1", "percentage"},
		{"--rule=dual", "stages or duel"},
		{"--rule=duel|--alpha=.02", "--alpha is of the rule of stages"},
		{"--rule=duel|--blocks=30", "--blocks is"},
		{"--max-blocks=30|--rule=duel", "--max-blocks is"},
		{"--rule=duel|--min-blocks=30", "--min-blocks is"},
		{"--rule=duel|--prove-same=2%", "--prove-same is"},
		{"--limit=peak_memory=2500000", "bytes"},
		{"--limit=peak_memory=+", "bytes"},
		{"--limit=peak_memory=+1.5", "bytes"},
		{"--limit=peak_memory=+5MB", "bytes"},
		{"--limit=cpu=+5MiB", "ratio"},
		{"--limit=involuntary_switches=2", "never judged"},
		{"--judge=nonsense", "unknown metric"},
		{"--judge=migrations", "never judged"},
		{"--judge=involuntary_switches", "never judged"},
		{"--alpha=0", "from 1e-06"},
		{"--alpha=.5", "to 0.25"},
		{"--alpha=x", "needs a number"},
		{"--alpha=nan", "needs a number"},
		{"--blocks=0", "--blocks"},
		{"--blocks=8", "at least 9"},
		{"--blocks=2048", "2047"},
		{"--blocks=-9", "whole number"},
		{"--blocks=9.5", "whole number"},
		{"--min-blocks=0", "from 1"},
		{"--max-blocks=8", "from 9"},
		{"--pairs=4", "must be odd"},
		{"--pairs=0", "from 1"},
		{"--pairs=35", "to 33"},
		{"--warmup=-1", "from 0"},
		{"-w1s", "needs a number"},
		{"--timeout=0", "--timeout"},
		{"--max-time=0", "--max-time"},
		{"--seed=-1", "whole number"},
		{"--seed=18446744073709551616", "2^64"},
		{"--seed=0x7", "whole number"},
		{"--filter=(", "not a regular expression"},
		{"--exclude=a{2,1}", "not a regular expression"},
		{"--filter=[", "not a regular"},
		{"--color=yes", "auto, always or never"},
		{"--progress=on", "auto, always or never"},
		{"--strict=maybe", "yes or no"},
		{"--help=no", "takes no value"},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++)
		must_refuse(rows[i][0], rows[i][1]);
}

static void missing_and_empty_values_are_refused(void **state)
{
	size_t cnt;
	const struct option_row *rows = option_rows(&cnt);
	char words[64];

	(void)state;
	for (size_t i = 0; i < cnt; i++) {
		if (rows[i].later || !option_applies(&rows[i], VERB_COMPARE))
			continue;
		(void)snprintf(words, sizeof(words), "--%s=", rows[i].name);
		must_refuse(words, "must not be empty");
		if (!rows[i].argument)
			continue;
		(void)snprintf(words, sizeof(words), "--%s|", rows[i].name);
		must_refuse(words, "must not be empty");
		(void)snprintf(words, sizeof(words), "--%s", rows[i].name);
		must_refuse(words, "needs a value");
		(void)snprintf(words, sizeof(words), "--%s|--force", rows[i].name);
		must_refuse(words, "needs a value before --force");
	}
	must_refuse("-w", "-w needs a value");
	must_refuse("-qw", "-w needs a value");
	must_refuse("--base|--|x", "needs a value before --");
}

static void contradictions_are_refused(void **state)
{
	static const char *const words[] = {
		"--blocks=20|--min-blocks=10",
		"--max-blocks=30|--blocks=20",
		"--in-place|--candidate=x",
		"--quiet|--verbose",
		"-qv",
		"-vq",
	};
	CLEANUP(done) struct line l;

	(void)state;
	for (size_t i = 0; i < CNT(words); i++)
		must_refuse(words[i], "contradicts");
	must_refuse("--min-blocks=20|--max-blocks=19", "--min-blocks 20 is above --max-blocks 19");
	must_parse(&l,
		   "--min-blocks=20|--max-blocks=20|-q|--verbose=no|--in-place=no|--candidate=x");
}

/* main maps the status; what it needs is to know that bisect is wanted, wherever that stands. */
static void wrong_usage_knows_about_bisect(void **state)
{
	static const struct {
		const char *words;
		bool bisect;
	} rows[] = {
		{"--nonsense|--bisect", true},
		{"--bisect|--nonsense", true},
		{"aa|--bisect", true},
		{"--nonsense|--bisect=yes", true},
		{"--nonsense", false},
		{"--nonsense|--bisect=no", false},
		{"--nonsense|--|--bisect", false},
	};

	(void)state;
	for (size_t i = 0; i < CNT(rows); i++) {
		CLEANUP(done) struct line l;

		assert_int_equal(parse(&l, rows[i].words), -EINVAL);
		assert_int_equal(l.o.bisect, rows[i].bisect);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_options_name_the_nearest),
		cmocka_unit_test(names_are_never_abbreviated),
		cmocka_unit_test(what_is_not_there_yet_is_refused),
		cmocka_unit_test(options_of_another_verb_are_refused),
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(missing_and_empty_values_are_refused),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(wrong_usage_knows_about_bisect),
	};

	clear_environment();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
