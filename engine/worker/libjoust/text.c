/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 32

void joust_format_duration(char buf[static JOUST_DURATION_MAX], double ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	size_t i = 0;
	double value;
	int decimals;

	/* 999.96 would be printed as 1000.0 */
	while (i + 1 < sizeof(units) / sizeof(*units) && ns < units[i].ns * 0.99995)
		i++;
	value = ns / units[i].ns;
	decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
	(void)snprintf(buf, JOUST_DURATION_MAX, "%.*f %s", decimals, value, units[i].name);
}

int joust_parse_long(const char *text, long min, long max, long *ret)
{
	char *end;
	long value;

	/* strtol would skip blanks and take a plus sign */
	if (*text != '-' && (*text < '0' || *text > '9'))
		return -1;
	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < min || value > max)
		return -1;
	*ret = value;
	return 0;
}

static size_t least(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein with one row; words longer than WORD_MAX are far from everything. */
static size_t distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), row[WORD_MAX + 1];

	if (n > WORD_MAX || m > WORD_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t above = row[j];

			row[j] =
				least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}

const char *joust_nearest(const char *word, const char *const *names, size_t cnt)
{
	const char *best = NULL;
	size_t best_distance = strlen(word) / 2 + 1;

	for (size_t i = 0; i < cnt; i++) {
		size_t d = distance(word, names[i]);

		if (d < best_distance) {
			best_distance = d;
			best = names[i];
		}
	}
	return best;
}
