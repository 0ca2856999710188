/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every file of reference vectors in a directory against the kernels, at the file's own tolerance.
 * TAP, one plan a file, and a summary. A file that cannot be read, that has no kernel or another
 * tolerance than its check counts as a failure.
 */
#include "tests/unit/vectors_table.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define EXIT_USAGE 64

struct sum {
	int files, cases, failed;
};

struct one {
	const cJSON *item;
	void (*check)(const struct vector *v);
};

static void run_case(void **state)
{
	const struct one *one = *state;

	vector_check(one->item, one->check);
}

static void fail_file(struct sum *sum, const char *name, const char *why)
{
	printf("not ok - %s: %s\n", name, why);
	sum->failed++;
}

static void run_cases(struct sum *sum, const struct vector_group *group, const cJSON *cases)
{
	size_t cnt = (size_t)cJSON_GetArraySize(cases), i = 0;
	struct CMUnitTest *tests = calloc(cnt, sizeof(*tests));
	struct one *each = calloc(cnt, sizeof(*each));
	const cJSON *item;

	if (!tests || !each) {
		fail_file(sum, group->name, "out of memory");
		cnt = 0;
	}
	cJSON_ArrayForEach(item, cases) {
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "id"));

		if (i >= cnt)
			break;
		each[i] = (struct one){item, group->check};
		tests[i] =
			(struct CMUnitTest){id ? id : "without id", run_case, NULL, NULL, &each[i]};
		i++;
	}
	if (cnt > 0)
		sum->failed += _cmocka_run_group_tests(group->name, tests, cnt, NULL, NULL);
	sum->cases += (int)cnt;
	free(tests);
	free(each);
}

static const char *text_of(const cJSON *root, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, key));

	return text ? text : "";
}

static void run_file(struct sum *sum, const char *dir, const char *name)
{
	const struct vector_group *group;
	const char *why;
	char path[4096];
	cJSON *root;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path)) {
		fail_file(sum, name, "its path is too long");
		return;
	}
	root = vectors_load(path);
	group = vectors_find(text_of(root, "group"));
	why = vectors_refused(root, group);
	sum->files++;
	if (why)
		fail_file(sum, name, why);
	else
		run_cases(sum, group, cJSON_GetObjectItemCaseSensitive(root, "cases"));
	cJSON_Delete(root);
}

static int is_vectors(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0;
}

static struct sum run_dir(const char *dir)
{
	struct dirent **names = NULL;
	struct sum sum = {0};
	int cnt = scandir(dir, &names, is_vectors, alphasort);

	for (int i = 0; i < cnt; i++) {
		run_file(&sum, dir, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (cnt < 1)
		fail_file(&sum, dir, "no vectors there");
	return sum;
}

int main(int argc, char **argv)
{
	struct sum sum;

	if (argc != 2) {
		fputs("usage: vectors DIR\n", stderr);
		return EXIT_USAGE;
	}
	(void)setlocale(LC_ALL, ""); /* a locale that is not there leaves the plain one */
	cmocka_set_message_output(CM_OUTPUT_TAP);
	sum = run_dir(argv[1]);
	printf("# locale \"%s\", one half is %.1f\n", setlocale(LC_NUMERIC, NULL), 0.5);
	printf("# %d files, %d cases, %d failed\n", sum.files, sum.cases, sum.failed);
	return sum.failed > 0 || fflush(stdout) != 0;
}
