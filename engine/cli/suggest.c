/* SPDX-License-Identifier: BSD-2-Clause */
#include "suggest.h"
#include <string.h>
#include "../../report/text.h"

struct neighbour {
	const char *theirs, *ours;
};

#define LIMIT  "use --limit [METRIC=]1.02"
#define BLOCKS "use --blocks N (or --pairs N, the pairs within a block)"
#define MIN    "use --min-blocks N"
#define MAX    "use --max-blocks N"

/* hyperfine, Criterion, benchstat, Google Benchmark, perf, pytest-benchmark, divan, asv */
static const struct neighbour options[] = {
	{"runs", BLOCKS},
	{"r", BLOCKS},
	{"n", BLOCKS},
	{"samples", BLOCKS},
	{"sample-size", BLOCKS},
	{"sample-count", BLOCKS},
	{"repeat", BLOCKS},
	{"repetitions", BLOCKS},
	{"rounds", BLOCKS},
	{"iterations", BLOCKS},
	{"count", BLOCKS},
	{"min-runs", MIN},
	{"m", MIN},
	{"min-rounds", MIN},
	{"max-runs", MAX},
	{"M", MAX},
	{"max-rounds", MAX},
	{"baseline", "use --base REF"},
	{"old", "use --base REF"},
	{"save-baseline", "use --base REF; joust measures both sides every time"},
	{"new", "use --candidate REF"},
	{"head", "use --candidate REF"},
	{"threshold", LIMIT},
	{"margin", LIMIT},
	{"noise-threshold", LIMIT},
	{"tolerance", LIMIT},
	{"confidence", "use --alpha P, the error rate of a stage"},
	{"confidence-level", "use --alpha P, the error rate of a stage"},
	{"significance-level", "use --alpha P, the error rate of a stage"},
	{"json", "use --export-json FILE"},
	{"out", "use --export-json FILE"},
	{"output", "use --export-json FILE"},
	{"o", "use --export-json FILE"},
	{"format", "use --export-json FILE"},
	{"export-csv", "use --export-json FILE"},
	{"warm", "use --warmup SEC"},
	{"warm-up", "use --warmup SEC"},
	{"warm-up-time", "use --warmup SEC"},
	{"measurement-time", "use --max-time SEC"},
	{"time-limit", "use --max-time SEC"},
	{"min-time", MIN},
	{"no-sandbox", "use --sandbox none"},
	{"no-color", "use --color never"},
	{"colour", "use --color WHEN"},
	{"no-progress", "use --progress never"},
	{"style", "use --color WHEN and --progress WHEN"},
	{"silent", "use --quiet"},
	{"s", "use --quiet"},
	{"list", "use `joust list`"},
	{"test", "use `joust list`, or --dry-run"},
	{"exact", "use --filter '^NAME$'"},
	{"only", "use --filter REGEX"},
	{"bench", "use --filter REGEX"},
	{"benchmark", "use --filter REGEX"},
	{"skip", "use --exclude REGEX"},
	{"inconclusive", "use --strict"},
	{"fail-on", "use --strict"},
	{"metric", "use --judge METRIC"},
	{"config", "joust reads the joust.conf of the project"},
};

static const struct neighbour verbs[] = {
	{"version", "use `joust --version`"},
	{"diff", "use `joust compare`"},
	{"bench", "use `joust compare`, or `joust run` for one version"},
	{"benchmark", "use `joust compare`, or `joust run` for one version"},
	{"continuous", "use `joust compare`"},
	{"measure", "use `joust run`"},
	{"record", "use `joust run`"},
	{"stat", "use `joust run`"},
	{"ls", "use `joust list`"},
	{"check", "use `joust doctor`"},
	{"system", "use `joust doctor`"},
	{"show", "use `joust doctor`"},
	{"bisect", "use `git bisect run joust compare --bisect`"},
};

static const char *find(const struct neighbour *table, size_t cnt, const char *word)
{
	for (size_t i = 0; i < cnt; i++)
		if (!strcmp(table[i].theirs, word))
			return table[i].ours;
	return NULL;
}

const char *suggest_neighbour_option(const char *word)
{
	return find(options, sizeof(options) / sizeof(options[0]), word);
}

const char *suggest_neighbour_verb(const char *word)
{
	return find(verbs, sizeof(verbs) / sizeof(verbs[0]), word);
}

const char *suggest_option(const char *word, enum verb verb)
{
	const char *names[OPTIONS_MAX];
	size_t rows_cnt, cnt = 0;
	const struct option_row *rows = option_rows(&rows_cnt);

	for (size_t i = 0; i < rows_cnt; i++)
		if (option_applies(&rows[i], verb) && !rows[i].later)
			names[cnt++] = rows[i].name;
	return text_meant(word, names, cnt);
}

const char *suggest_verb(const char *word)
{
	const char *names[VERB_CNT];
	size_t cnt = 0;

	for (int i = 0; i < VERB_CNT; i++)
		if (verb_get((enum verb)i)->implemented)
			names[cnt++] = verb_get((enum verb)i)->name;
	return text_meant(word, names, cnt);
}

const char *suggest_misspelt_neighbour(const char *word)
{
	const char *names[sizeof(options) / sizeof(options[0])];
	const char *near;
	size_t cnt = 0;

	/* a letter is near to every other one */
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (options[i].theirs[1])
			names[cnt++] = options[i].theirs;
	near = word[0] && word[1] ? text_nearest(word, names, cnt) : NULL;
	return near ? suggest_neighbour_option(near) : NULL;
}
