/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A benchmark with sizes whose work the files beside it decide: "squares", a number, adds so much work
 * that grows with the square of the size; "digest", if there is one, is a part of what the size it
 * names computes; "crash" and "skip" name one that does so, "miss" one that exits as a shell does
 * without its command; "version" chooses the sizes of another benchmark.
 */
#include <joust.h>
#include <stdio.h>
#include <stdlib.h>

static long number_in(const char *file)
{
	FILE *f = fopen(file, "r");
	long n = 0;

	if (f) {
		if (fscanf(f, "%ld", &n) != 1)
			n = 0;
		(void)fclose(f);
	}
	return n;
}

static void work(struct joust *b)
{
	uint64_t size = joust_size(b),
		 turns = size + (uint64_t)number_in("squares") * size * size / 1000;
	uint64_t given = number_in("digest") == (long)size ? 0 : size;

	if (number_in("crash") == (long)size)
		abort();
	if (number_in("miss") == (long)size)
		exit(127);
	if (number_in("skip") == (long)size) {
		joust_skip(b, "not today");
		return;
	}
	JOUST_LOOP(b) {
		for (uint64_t i = 0; i < turns; i++)
			joust_keep(i);
	}
	joust_digest(b, &given, sizeof(given));
}

JOUST_BENCH_SIZES(grow, "grow", 500, 1000, 2000)
{
	work(b);
}

JOUST_BENCH(plain, "plain")
{
	JOUST_LOOP(b) {
		for (int i = 0; i < 100; i++)
			joust_keep(i);
	}
}

/* One that has other sizes in another version of the program. */
static const uint64_t many[] = {10, 20, 40, 80}, other[] = {20, 30, 80}, apart[] = {20, 30};

static struct joust_case changing = {.name = "changing", .body = work, .threads = 1};

__attribute__((constructor)) static void choose(void)
{
	long version = number_in("version");

	changing.sizes = version == 2 ? apart : version == 1 ? other : many;
	changing.sizes_cnt = version == 2 ? 2 : version == 1 ? 3 : 4;
	joust_register_(&changing);
}
