/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The coins that blocks must have: of each line "SEED STAGE SLOT PAIRS NAME" on stdin, one line
 * "spawned_first majority arrangement slot0 leaf0 low_fds: first of each pair".
 */
#include "../../engine/measure/schedule.h"
#include <stdio.h>
#include <string.h>

static const char *name_of(enum side s)
{
	return s == SIDE_BASELINE ? "baseline" : "candidate";
}

static void print_coins(unsigned long long seed, const char *name, unsigned stage, unsigned slot,
			size_t m)
{
	struct rec_coins c = schedule_coins(seed, name, stage, slot, m);
	enum side first[PAIRS_MAX];

	printf("%s %s %u %s %s %s:", name_of(c.spawned_first), name_of(c.majority), c.arrangement,
	       name_of(c.slot0), name_of(c.leaf0), name_of(c.low_fds));
	schedule_first(&c, m, first);
	for (size_t i = 0; i < m; i++)
		printf(" %s", name_of(first[i]));
	putchar('\n');
}

int main(void)
{
	unsigned long long seed;
	unsigned stage, slot;
	char name[257];
	size_t m;

	while (scanf("%llu %u %u %zu %256[^\n]", &seed, &stage, &slot, &m, name) == 5) {
		if (m % 2 == 0 || m > PAIRS_MAX)
			return 1;
		print_coins(seed, name, stage, slot, m);
	}
	return !feof(stdin);
}
