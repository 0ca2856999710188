/* SPDX-License-Identifier: BSD-2-Clause */
#include "verb.h"
#include <string.h>

#define COMMAND_ARGUMENTS "[-- COMMAND ARGUMENT...]"

static const struct verb_row verbs[] = {
	[VERB_COMPARE] =
		{"compare", COMMAND_ARGUMENTS,
		 "Measure two versions side by side and say what became slower (the default).",
		 true},
	[VERB_RUN] = {"run", COMMAND_ARGUMENTS, "Measure one version and decide nothing.", true},
	[VERB_LIST] = {"list", COMMAND_ARGUMENTS, "Name the benchmarks.", true},
	[VERB_DOCTOR] = {"doctor", "",
			 "Say what this host can measure, and what to do about the rest.", true},
	[VERB_CLEAN] = {"clean", "", "Remove everything joust keeps: built trees and records.",
			true},
	[VERB_AA] = {"aa", COMMAND_ARGUMENTS,
		     "Compare a version with itself, again and again: this host's false-alarm "
		     "rate, and "
		     "what it can see.",
		     true},
	[VERB_ANALYZE] = {"analyze", "[FILE]",
			  "Judge a stored record again, by its blocks: the last comparison of "
			  "this project, or FILE; - is stdin.",
			  true},
	[VERB_REPORT] = {"report", "[FILE]", "Render a stored record.", false},
	[VERB_EXPLAIN] = {"explain", "BENCHMARK", "Say why a benchmark became slower.", false},
	[VERB_PAIR] = {"pair", "FILE...", "Judge result files of other tools.", false},
	[VERB_IMPORT] = {"import", "FILE", "Read a result file of another tool.", false},
	[VERB_EXPORT] = {"export", "FILE", "Write a record in another tool's format.", false},
	[VERB_MERGE] = {"merge", "FILE...", "Join the records of several hosts.", false},
	[VERB_INIT] = {"init", "", "Write a first joust.conf.", false},
};

_Static_assert(sizeof(verbs) / sizeof(verbs[0]) == VERB_CNT, "one row per verb");

const struct verb_row *verb_get(enum verb v)
{
	return &verbs[v];
}

int verb_find(const char *name)
{
	for (int i = 0; i < VERB_CNT; i++)
		if (!strcmp(verbs[i].name, name))
			return i;
	return -1;
}
