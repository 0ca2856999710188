/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include "engine/project/loosened.h"

#define WORK "[benchmark \"work\"]\ncommand = x\n"

static void load(struct config *ret, const char *text)
{
	struct problem why = {0};
	char path[256];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/" CONFIG_FILE, root);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	if (config__load(ret, root, &why))
		fail_msg("%s in: %s", why.text, text);
}

/* What is found under these names, each by the section that holds for it. */
static char *of_benches(const struct config *now, const struct config *before,
			const char *const *names)
{
	struct loosened_bench b[8];
	size_t cnt = 0;
	char *text = NULL;

	for (; names[cnt]; cnt++) {
		const struct config_bench *s = config_find(now, NULL, names[cnt]);

		/* a command's name is no pattern */
		if (s && s->command && strcmp(s->name, names[cnt]) != 0)
			s = NULL;
		b[cnt] = (struct loosened_bench){names[cnt], s};
	}
	assert_int_equal(loosened_benches(now, before, b, cnt, &text), 0);
	return text;
}

/* From the one to the other this is said, and no more. */
static void says(const char *before, const char *now, bool branch, const char *words)
{
	static const char *const names[] = {"work", "a", "b", "c", "d", "e", "new", NULL};
	struct config b, n;
	char *project = NULL, *benches;
	char text[512];

	load(&b, before);
	load(&n, now);
	assert_int_equal(loosened_project(&n, &b, branch, false, &project), 0);
	benches = of_benches(&n, &b, names);
	(void)snprintf(text, sizeof(text), "%s%s%s", project, project[0] && benches[0] ? "; " : "",
		       benches);
	if (strcmp(text, words) != 0)
		fail_msg("\"%s\" instead of \"%s\" for %s", text, words, now);
	free(project);
	free(benches);
	config__done(&b);
	config__done(&n);
}

static void limits_that_are_raised(void **state)
{
	static const char *const rows[][3] = {
		{WORK "limit=2%\n", WORK "limit=900%\n", "work: limit 2 % -> 900 %"},
		{WORK "limit=1.0131\n", WORK "limit=1.31%\n", ""},
		{WORK "limit=2%\n", WORK "limit=1%\n", ""},
		{WORK, WORK "limit=2%\n", ""},
		{WORK, WORK "limit=3%\n", "work: limit 2 % -> 3 %"},
		{WORK "limit=1%\n", WORK, "work: limit 1 % -> 2 %"},
		{WORK "limit=cpu_total=1%\n", WORK, "work: limit cpu_total 1 % -> 2 %"},
		{WORK "limit=wall=5%\n", WORK "limit=wall=6%\n", "work: limit wall 5 % -> 6 %"},
		{WORK "limit=page_faults=0\n", WORK, "work: limit page_faults 0 -> 0.5"},
		{WORK "limit=peak_memory=+1M\n", WORK "limit=peak_memory=+4M\n",
		 "work: limit peak_memory +1048576 -> +4194304 bytes"},
		{"[project]\nlimit=1%\n" WORK, WORK, "[project] limit 1 % -> 2 %"},
		{"[project]\nlimit=1%\n" WORK, "[project]\nlimit=5%\n" WORK "limit=1%\n",
		 "[project] limit 1 % -> 5 %"},
		{"[project]\nlimit=5%\n" WORK "limit=1%\n", "[project]\nlimit=5%\n" WORK,
		 "work: limit 1 % -> 5 %"},
		{WORK, "[project]\nlimit=peak_memory=+4M\n" WORK,
		 "[project] limit peak_memory +1000000 -> +4194304 bytes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		says(rows[i][0], rows[i][1], true, rows[i][2]);
}

static void what_else_lets_pass(void **state)
{
	static const char *const rows[][3] = {
		{WORK "judge=wall\njudge=cycles\n", WORK "judge=cycles\n",
		 "work: no longer judged by wall"},
		{WORK "judge=cpu\n", WORK, ""},
		{WORK, WORK "judge=wall\n", ""},
		{WORK "peak=yes\n", WORK "peak=no\n", "work: no longer judged by peak_memory"},
		{WORK, WORK "timeout=60\n", ""},
		{WORK, WORK "timeout=61\n", "work: timeout default -> 61 s"},
		{WORK "timeout=2.5\n", WORK, "work: timeout 2.5 s -> default"},
		{WORK "timeout=2\n", WORK "timeout=1\n", ""},
		{WORK, WORK "precision=0.1%\n", "work: precision none -> 0.1 %"},
		{WORK "precision=1.0131\n", WORK "precision=1.31%\n", ""},
		{WORK "precision=1%\n", WORK "precision=0.5%\n", "work: precision 1 % -> 0.5 %"},
		{WORK "precision=1%\n", WORK, "work: precision 1 % -> none"},
		{WORK, "[project]\ngate=waiting\n" WORK, "[project] gate none -> waiting"},
		{"[project]\ngate=waiting\n" WORK, "[project]\ngate=waiting\n" WORK, ""},
		{WORK, "[project]\nlayout=make a\n" WORK, "[project] layout default -> make a"},
		{"[project]\nlayout=make a\n" WORK, "[project]\nlayout=make a\n" WORK, ""},
		{WORK, "[project]\nwatch=src\n" WORK, "[project] watch default -> src"},
		{"[project]\nwatch=src\n" WORK, WORK, ""},
		{"[project]\nwatch=docs\n" WORK, WORK, "[project] no longer watches docs"},
		{"[project]\nwatch=src\nwatch=lib\n" WORK, "[project]\nwatch=src\n" WORK,
		 "[project] no longer watches lib"},
		{"[project]\nwatch=src\n" WORK, "[project]\nwatch=src\nwatch=lib\n" WORK, ""},
		{"[project]\nwatch=src\n" WORK, "[project]\nwatch=.\n" WORK, ""},
		{"[project]\nwatch=*\n" WORK, WORK, "[project] no longer watches *"},
		{WORK, "[project]\nwatch=.\n" WORK, ""},
		{"[project]\nmain-branch=a\n" WORK, "[project]\nmain-branch=b\n" WORK,
		 "[project] main-branch a -> b"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		says(rows[i][0], rows[i][1], true, rows[i][2]);
	says("[project]\nmain-branch=a\n" WORK, "[project]\nmain-branch=b\n" WORK, false, "");
}

#define MANY(line)                                                                                 \
	"[benchmark \"a\"]\ncommand=x\n" line "[benchmark \"b\"]\ncommand=x\n" line                \
	"[benchmark \"c\"]\ncommand=x\n" line "[benchmark \"d\"]\ncommand=x\n" line                \
	"[benchmark \"e\"]\ncommand=x\n" line

#define GLOB(name, lines) "[benchmark \"" name "\"]\nworker=w\n" lines

/* By the section that holds for a name on either side; not what only one file has. */
static void benchmarks_are_matched(void **state)
{
	(void)state;
	says(WORK "limit=1%\n", "[benchmark \"new\"]\ncommand=x\nlimit=9%\n", true,
	     "[project] benchmark work is gone");
	says(WORK "limit=1%\n", GLOB("wor*", "limit=9%\n"), true,
	     "[project] benchmark work is gone");
	says(GLOB("work", "limit=1%\n"), GLOB("wor*", "limit=9%\n"), true,
	     "work: limit 1 % -> 9 %");
	says(GLOB("*", "limit=1%\n"), WORK "limit=9%\n", true, "[project] benchmark * is gone");
	says(WORK "limit=1%\n[benchmark \"b\"]\ncommand=x\n",
	     "[benchmark \"b\"]\ncommand=x\n" WORK "limit=9%\n", true, "work: limit 1 % -> 9 %");
	says(GLOB("wor*", "limit=1%\n"), GLOB("w*", "limit=9%\n") GLOB("wor*", "limit=1%\n"), true,
	     "work: limit 1 % -> 9 %");
	says(GLOB("wor*", "limit=1%\n") GLOB("*", ""), GLOB("*", "") GLOB("wor*", "limit=1%\n"),
	     true, "work: limit 1 % -> 2 %");
	says(GLOB("*", "limit=1%\n"), GLOB("*", "limit=9%\n"), true, "*: limit 1 % -> 9 %");
	says(MANY("judge=wall\ntimeout=1\n"), MANY(""), true,
	     "a: no longer judged by wall; b: no longer judged by wall; c: no longer judged by "
	     "wall; "
	     "d: no longer judged by wall; e: no longer judged by wall; a: timeout 1 s -> default; "
	     "b: timeout 1 s -> default; c: timeout 1 s -> default; and 2 more");
}

#define OF(worker, name, lines) "[benchmark \"" name "\"]\nworker=" worker "\n" lines

/* Names, kinds and workers: none stands in for what holds for another. */
static void no_section_hides_another(void **state)
{
	static const char *const rows[][3] = {
		{WORK "limit=2%\n", "[benchmark \"wor[k]\"]\ncommand=x\nlimit=900%\n",
		 "[project] benchmark work is gone"},
		{WORK, OF("w", "*", ""), "[project] benchmark work is gone"},
		{OF("w", "work", ""), OF("v", "*", ""), "[project] benchmark work is gone"},
		{OF("w", "work", ""), WORK, "[project] benchmark work is gone"},
		{OF("w", "work", "limit=2%\n"), OF("w", "wor[k]", "limit=900%\n"),
		 "work: limit 2 % -> 900 %"},
		{OF("w", "*", ""), OF("w", "[*]", ""), "[project] benchmark * is gone"},
		{OF("w", "a*", ""), OF("w", "*", ""), ""},
		{OF("w", "*", ""), OF("w", "*", "") WORK "limit=900%\n", ""},
		{OF("w", "*", "limit=2%\n"), OF("v", "*", "limit=9%\n"), "*: limit 2 % -> 9 %"},
		{OF("w", "*", "") OF("v", "z*", ""), OF("v", "*", ""),
		 "[project] benchmark * is gone"},
		{OF("./bin//a", "work", "limit=2%\n") OF("v", "*", "limit=900%\n"),
		 OF("bin/./a", "work", "limit=900%\n"),
		 "[project] benchmark * is gone; work: limit 2 % -> 900 %"},
		{OF("v", "work", "limit=900%\n") OF("bin/a", "*", "limit=2%\n"),
		 OF("v", "work", "limit=900%\n") OF("./bin/a", "[a]", "limit=900%\n")
			 OF("bin/a", "*", "limit=2%\n"),
		 "a: limit 2 % -> 900 %"},
		{OF("v", "w*", "limit=900%\n") OF("bin/a", "*", "limit=2%\n"),
		 OF("./bin/a", "*", "limit=900%\n") OF("v", "w*", ""), "*: limit 2 % -> 900 %"},
		{OF("v", "work", "limit=2%\n") OF("w", "*", "limit=900%\n"),
		 OF("w", "work", "limit=900%\n") OF("w/.", "*", "limit=900%\n"),
		 "work: limit 2 % -> 900 %"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		says(rows[i][0], rows[i][1], true, rows[i][2]);
}

/* Eight trifles do not hide the one that counts, nor do too few digits. */
static void the_largest_is_said_first(void **state)
{
	(void)state;
	says(MANY("limit=cpu=2%\nlimit=wall=2%\n") WORK "limit=2%\n",
	     MANY("limit=cpu=2.0000001%\nlimit=wall=3%\n") WORK "limit=900%\n", true,
	     "work: limit 2 % -> 900 %; a: limit wall 2 % -> 3 %; b: limit wall 2 % -> 3 %; "
	     "c: limit wall 2 % -> 3 %; d: limit wall 2 % -> 3 %; e: limit wall 2 % -> 3 %; "
	     "a: limit 2 % -> 2.0000001 %; b: limit 2 % -> 2.0000001 %; and 3 more");
}

/* What the user's own file says stands on both sides. */
static void the_users_own_limit_is_no_change(void **state)
{
	char path[256];
	FILE *f;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/joust", root);
	assert_int_equal(mkdir(path, 0755), 0);
	(void)snprintf(path, sizeof(path), "%s/joust/config", root);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs("[project]\nlimit = 50%\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
	says(WORK, WORK, true, "");
	says(WORK "limit=1%\n", WORK, true, "work: limit 1 % -> 50 %");
}

/* Outside of a project that is a part of its repository no pattern reaches. */
static void a_part_of_a_repository_cannot_watch_all(void **state)
{
	struct config b, n;
	char *text = NULL;

	(void)state;
	load(&b, WORK);
	load(&n, "[project]\nwatch=.\n" WORK);
	assert_int_equal(loosened_project(&n, &b, true, true, &text), 0);
	assert_string_equal(text, "[project] watch default -> .");
	free(text);
	config__done(&b);
	config__done(&n);
}

static int setup(void **state)
{
	assert_int_equal(make_root(state), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", root, 1), 0);
	return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(limits_that_are_raised),
		T(what_else_lets_pass),
		T(benchmarks_are_matched),
		T(no_section_hides_another),
		T(the_largest_is_said_first),
		T(the_users_own_limit_is_no_change),
		T(a_part_of_a_repository_cannot_watch_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
