/* SPDX-License-Identifier: BSD-2-Clause */
/* joust-calibrate: the error rates that the documents promise, found anew by simulation. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include "engine/util/num.h"

#define SHORT_DIVISOR 20
#define EXIT_USAGE    64

static const char usage[] =
	"usage: joust-calibrate [--short] [--threads N] [--seed N]\n"
	"Simulates the rules that joust judges by and compares the rates found with those "
	"allowed.\n"
	"Exit status: 0 every row is within its bound, 1 one is not, 3 not written, 64 usage.\n";

static int parse_number(const char *text, uint64_t lo, uint64_t hi, uint64_t *ret)
{
	return text ? num_u64(text, lo, hi, ret) : -1;
}

static int parse(struct job *j, char **argv)
{
	for (char **arg = argv + 1; *arg; arg++) {
		uint64_t threads;

		if (strcmp(*arg, "--short") == 0) {
			j->divisor = SHORT_DIVISOR;
			j->table.widened = true;
		} else if (strcmp(*arg, "--threads") == 0) {
			if (parse_number(*++arg, 1, 64, &threads))
				return -1;
			j->threads = (unsigned)threads;
		} else if (strcmp(*arg, "--seed") == 0) {
			if (parse_number(*++arg, 0, UINT64_MAX, &j->seed))
				return -1;
		} else {
			return -1;
		}
	}
	return 0;
}

static void all_rows(struct job *j)
{
	static void (*const rows[])(struct job *) = {
		row_boundary, row_identical, row_limit,	 row_power, row_duel,
		row_wander,   row_coverage,  row_across, row_maxt,
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		rows[i](j);
}

int main(int argc, char **argv)
{
	struct job j = {.table = {.out = stdout}, .threads = 1, .divisor = 1, .seed = 1};

	(void)argc;
	if (parse(&j, argv)) {
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	table_head(&j.table);
	all_rows(&j);
	table_foot(&j.table);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("joust-calibrate: standard output");
		return 3;
	}
	return j.table.failed > 0;
}
