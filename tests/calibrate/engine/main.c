/* SPDX-License-Identifier: BSD-2-Clause */
/* joust-calibrate-engine: the error rates of the whole engine, over its simulator. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>
#include "engine/util/num.h"

#define SHORT_DIVISOR 400

static const char usage[] =
	"usage: joust-calibrate-engine [--short | --divide N] [--only ROWS [--model NAME]]\n"
	"           [--threads N] [--seed N] [--record]\n"
	"Measures and judges simulated benchmarks as `joust compare` does, and compares the rates\n"
	"found with those allowed. --divide takes so many times fewer runs. --only takes one kind\n"
	"of rows: boundary, identical (--model: under one kind of noise), gated, limit, power,\n"
	"rare, wander, coverage, across, duel, sized, proven or layouts. --record writes the "
	"record\n"
	"of one run instead.\n"
	"Exit status: 0 every row is within its bound, 1 one is not, 3 not written, 64 usage.\n";

static const struct rows {
	const char *name;
	void (*measure)(struct lab *);
} rows[] = {
	{"boundary", engine_boundary}, {"identical", engine_identical}, {"gated", engine_gated},
	{"limit", engine_limit},       {"power", engine_power},		{"rare", engine_rare},
	{"wander", engine_wander},     {"coverage", engine_coverage},	{"across", engine_across},
	{"duel", engine_duel},	       {"sized", engine_sized},		{"proven", engine_proven},
	{"layouts", engine_layouts},
};

static bool is_rows(const char *name)
{
	for (size_t i = 0; name && i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return true;
	return false;
}

static bool number(const char *text, uint64_t lo, uint64_t hi, uint64_t *ret)
{
	return text && num_u64(text, lo, hi, ret) == 0;
}

static bool parse(struct lab *lab, const char **ret_only, bool *ret_record, char **argv)
{
	uint64_t threads = lab->threads;

	for (char **arg = argv + 1; *arg; arg++) {
		if (strcmp(*arg, "--short") == 0)
			lab->divisor = SHORT_DIVISOR;
		else if (strcmp(*arg, "--record") == 0)
			*ret_record = true;
		else if (strcmp(*arg, "--only") == 0 && is_rows(arg[1]))
			*ret_only = *++arg;
		else if (strcmp(*arg, "--model") == 0 && arg[1])
			lab->model = *++arg;
		else if (strcmp(*arg, "--divide") == 0 && number(arg[1], 1, 1000, &lab->divisor))
			arg++;
		else if (strcmp(*arg, "--threads") == 0 && number(arg[1], 1, 64, &threads))
			arg++;
		else if (strcmp(*arg, "--seed") == 0 && number(arg[1], 0, UINT64_MAX, &lab->seed))
			arg++;
		else
			return false;
	}
	if (lab->model && (!*ret_only || strcmp(*ret_only, "identical") != 0))
		return false;
	lab->threads = (unsigned)threads;
	lab->table.widened = lab->divisor > 1;
	return true;
}

/* only: NULL for all */
static void measure(struct lab *lab, const char *only)
{
	policy__init(&lab->policy);
	lab->policy.limit[METRIC_CPU] = 1.02;
	if (policy__prepare(&lab->policy) != 0)
		abort();
	table_head(&lab->table);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!only || strcmp(rows[i].name, only) == 0)
			rows[i].measure(lab);
	table_foot(&lab->table);
	policy__done(&lab->policy);
}

int main(int argc, char **argv)
{
	struct lab lab = {.table = {.out = stdout}, .threads = 1, .divisor = 1, .seed = 1};
	const char *only = NULL;
	bool record = false;

	(void)argc;
	if (!parse(&lab, &only, &record, argv)) {
		fputs(usage, stderr);
		return 64;
	}
	if (record)
		return lab_write_record(lab.seed, stdout) ? 3 : 0;
	measure(&lab, only);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("joust-calibrate-engine: standard output");
		return 3;
	}
	if (!lab.table.lines)
		fprintf(stderr, "joust-calibrate-engine: there is no such model\n");
	return lab.table.lines ? lab.table.failed > 0 : 64;
}
