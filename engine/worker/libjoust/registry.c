/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Filled by constructors, before main: hence a list that needs no memory of its own. */
static struct joust_case *first;
static struct joust_case **last = &first;

void joust_register_(struct joust_case *c)
{
	*last = c;
	last = &c->next;
}

static size_t axis_len(const struct joust_axis *a)
{
	size_t n = 0;

	while (n < JOUST_VALUES_MAX && a->values[n])
		n++;
	return n;
}

static size_t combinations(const struct joust_case *c)
{
	size_t n = c->sizes_cnt ? c->sizes_cnt : 1;

	for (size_t i = 0; i < c->axes_cnt && n <= PROTOCOL_CASES_MAX; i++)
		n *= axis_len(&c->axes[i]);
	return n;
}

/* The name so far has `len` bytes; what it is then, which may be more than there is room for. */
static size_t name_size(struct joust_bench *bench, uint64_t size, size_t len)
{
	bench->size = size;
	bench->family = (uint32_t)len;
	if (len >= sizeof(bench->name))
		return len;
	return len + (size_t)snprintf(bench->name + len, sizeof(bench->name) - len,
				      PROTOCOL_SIZE "%llu", (unsigned long long)size);
}

/* Sets the name and the values of combination `index`; the last axis turns fastest. */
static int fill(struct joust_bench *bench, const struct joust_case *c, size_t index)
{
	size_t len = strnlen(c->name, sizeof(bench->name)), size = 0;

	bench->of = c;
	bench->values = calloc(c->axes_cnt + 1, sizeof(*bench->values));
	if (!bench->values)
		return -1;
	if (c->sizes_cnt) { /* fastest of all: those of one benchmark stand together */
		size = index % c->sizes_cnt;
		index /= c->sizes_cnt;
	}
	for (size_t i = c->axes_cnt; i-- > 0;) {
		size_t n = axis_len(&c->axes[i]);

		bench->values[i] = c->axes[i].values[index % n];
		index /= n;
	}
	memcpy(bench->name, c->name, len < sizeof(bench->name) ? len + 1 : len);
	for (size_t i = 0; i < c->axes_cnt && len < sizeof(bench->name); i++)
		len += (size_t)snprintf(bench->name + len, sizeof(bench->name) - len, "/%s=%s",
					c->axes[i].key, bench->values[i]);
	if (c->sizes_cnt)
		len = name_size(bench, c->sizes[size], len);
	if (len >= sizeof(bench->name)) /* cut; name_problem() must see that */
		memset(bench->name, 0, sizeof(bench->name));
	return 0;
}

/* The engine refuses them too, but here a person learns of it who starts the program by hand. */
static const char *sizes_problem(const struct joust_case *c)
{
	if (c->sizes && (c->sizes_cnt < 2 || c->sizes_cnt > PROTOCOL_SIZES_MAX))
		return "has not 2 to 16 sizes";
	for (size_t i = 0; c->sizes && i < c->sizes_cnt; i++)
		if (c->sizes[i] < 1 || c->sizes[i] > PROTOCOL_SIZE_MAX ||
		    (i && c->sizes[i] <= c->sizes[i - 1]))
			return "has sizes that do not grow from 1 to 2^53";
	return NULL;
}

static const char *name_problem(const struct joust_bench *bench)
{
	if (!bench->of->name[0])
		return "has an empty name";
	if (!bench->name[0])
		return "has a name longer than 255 bytes";
	for (const unsigned char *p = (const unsigned char *)bench->name; *p; p++)
		if (*p < 0x20 || *p == 0x7f)
			return "has a control character in its name";
	return sizes_problem(bench->of);
}

static int compare_names(const void *a, const void *b)
{
	const struct joust_bench *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int check_names(const struct joust_catalog *c, char why[static PROTOCOL_TEXT_MAX])
{
	for (size_t i = 0; i < c->cnt; i++) {
		const char *problem = name_problem(&c->benches[i]);

		if (problem) {
			(void)snprintf(why, PROTOCOL_TEXT_MAX, "benchmark %zu of this program %s",
				       i + 1, problem);
			return -1;
		}
	}
	return 0;
}

static int check_duplicates(const struct joust_catalog *c, char why[static PROTOCOL_TEXT_MAX])
{
	const struct joust_bench **sorted = calloc(c->cnt + 1, sizeof(*sorted));
	int err = 0;

	if (!sorted) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "no memory");
		return -1;
	}
	for (size_t i = 0; i < c->cnt; i++)
		sorted[i] = &c->benches[i];
	qsort(sorted, c->cnt, sizeof(*sorted), compare_names);
	for (size_t i = 1; i < c->cnt && !err; i++)
		if (!strcmp(sorted[i - 1]->name, sorted[i]->name)) {
			(void)snprintf(why, PROTOCOL_TEXT_MAX, "two benchmarks are named \"%s\"",
				       sorted[i]->name);
			err = -1;
		}
	free(sorted);
	return err;
}

static int expand(struct joust_catalog *c, size_t total)
{
	c->benches = calloc(total + 1, sizeof(*c->benches));
	if (!c->benches)
		return -1;
	for (const struct joust_case *k = first; k; k = k->next) {
		size_t n = combinations(k);

		for (size_t i = 0; i < n; i++)
			if (fill(&c->benches[c->cnt++], k, i) < 0)
				return -1;
	}
	return 0;
}

int joust_catalog__init(struct joust_catalog *c, char why[static PROTOCOL_TEXT_MAX])
{
	size_t total = 0;

	memset(c, 0, sizeof(*c));
	for (const struct joust_case *k = first; k && total <= PROTOCOL_CASES_MAX; k = k->next)
		total += combinations(k);
	if (total > PROTOCOL_CASES_MAX) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "more than %d benchmarks",
			       PROTOCOL_CASES_MAX);
		return -1;
	}
	if (expand(c, total) < 0) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "no memory");
		joust_catalog__done(c);
		return -1;
	}
	if (check_names(c, why) < 0 || check_duplicates(c, why) < 0) {
		joust_catalog__done(c);
		return -1;
	}
	return 0;
}

void joust_catalog__done(struct joust_catalog *c)
{
	for (size_t i = 0; i < c->cnt; i++)
		free(c->benches[i].values);
	free(c->benches);
	memset(c, 0, sizeof(*c));
}

const struct joust_bench *joust_catalog__find(const struct joust_catalog *c, const char *name)
{
	for (size_t i = 0; i < c->cnt; i++)
		if (!strcmp(c->benches[i].name, name))
			return &c->benches[i];
	return NULL;
}
