/* SPDX-License-Identifier: BSD-2-Clause */
/* How what the record holds is written in the JSON and shown. */
#include "record.h"
#include <string.h>

const char *quality_name(enum reason missing)
{
	if (missing == REASON_NONE)
		return "exact";
	return missing == REASON_MULTIPLEXED ? "multiplexed" : "unavailable";
}

const char *interference_source_name(enum interference_source s)
{
	switch (s) {
	case INTERFERENCE_NONE:
		break;
	case INTERFERENCE_GETRUSAGE:
		return "getrusage";
	case INTERFERENCE_BPF:
		return "bpf";
	}
	return NULL;
}

const char *side_name(enum side s)
{
	switch (s) {
	case SIDE_BASELINE:
		return "baseline";
	case SIDE_CANDIDATE:
		return "candidate";
	case SIDE_CNT:
		break;
	}
	return "both";
}

const char *verdict_name(enum verdict v)
{
	switch (v) {
	case VERDICT_NONE:
		break;
	case VERDICT_SLOWER:
		return "slower";
	case VERDICT_FASTER:
		return "faster";
	case VERDICT_SAME:
		return "same";
	case VERDICT_UNDECIDED:
		return "undecided";
	}
	return "none";
}

const char *bench_verdict_name(enum bench_verdict v)
{
	switch (v) {
	case BENCH_OPEN:
		break;
	case BENCH_ERROR:
		return "error";
	case BENCH_SKIPPED:
		return "skipped";
	case BENCH_REGRESSED:
		return "regressed";
	case BENCH_UNDECIDED:
		return "undecided";
	case BENCH_FASTER:
		return "faster";
	case BENCH_CHANGED:
		return "changed";
	case BENCH_SAME:
		return "same";
	}
	return "open";
}

const char *run_status_name(enum run_status s)
{
	switch (s) {
	case STATUS_PASSED:
		return "passed";
	case STATUS_FAILED:
		return "failed";
	case STATUS_UNDECIDED:
		return "undecided";
	case STATUS_NOTHING:
		return "nothing_to_compare";
	case STATUS_ERROR:
		return "error";
	case STATUS_INTERRUPTED:
		return "interrupted";
	}
	return "unknown";
}

const char *rule_name(enum judge_rule r)
{
	return r == RULE_DUEL ? "duel" : "stages";
}

const char *duel_result_name(enum duel_result r)
{
	static const char *const names[] = {
		[DUEL_OPEN] = "open",		[DUEL_PASS] = "passed",
		[DUEL_CLEARED] = "cleared",	[DUEL_UNDECIDED] = "undecided",
		[DUEL_REGRESSED] = "regressed", [DUEL_REGRESSED_ANY] = "regressed_by_any_timing",
	};

	return names[r];
}

const char *version_kind_name(enum version_kind k)
{
	switch (k) {
	case VERSION_COMMIT:
		break;
	case VERSION_WORKTREE:
		return "worktree";
	case VERSION_DIR:
		return "dir";
	case VERSION_PROGRAM:
		return "program";
	}
	return "commit";
}

const char *one_layout_words(enum one_layout why)
{
	static const char *const words[] = {
		[ONE_LAYOUT_OTHER] = NULL,
		[ONE_LAYOUT_FOREIGN] = "the program is no part of the project",
		[ONE_LAYOUT_SCRIPT] = "a script is not linked",
	};

	_Static_assert(sizeof(words) / sizeof(words[0]) == ONE_LAYOUT_CNT, "one row per cause");
	return words[why];
}

enum one_layout one_layout_find(const char *words)
{
	for (enum one_layout why = ONE_LAYOUT_OTHER + 1; words && why < ONE_LAYOUT_CNT; why++)
		if (!strcmp(words, one_layout_words(why)))
			return why;
	return ONE_LAYOUT_OTHER;
}
