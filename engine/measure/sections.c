/* SPDX-License-Identifier: BSD-2-Clause */
#include "sections.h"
#include <errno.h>
#include <string.h>

/* The section that took what this one matches first; NULL where it matches nothing. */
static const struct config_bench *taken_by(const struct config *c,
					   const struct config_bench *section, const char *worker,
					   const struct cases found[static SIDE_CNT])
{
	for (int s = SIDE_CNT - 1; s >= 0; s--)
		for (size_t i = 0; i < found[s].cnt; i++)
			if (config_bench_matches(section, found[s].items[i].name))
				return config_find(c, worker, found[s].items[i].name);
	return NULL;
}

static int say(struct strings *ret, const struct config_bench *section,
	       const struct config_bench *taker, const char *worker)
{
	AUTO_FREE char *text = NULL;
	int n;

	if (!taker)
		n = asprintf(&text,
			     "[benchmark \"%s\"] (" CONFIG_FILE
			     ":%u) applies to no benchmark: %s has none of that name",
			     section->name, section->line, worker);
	else
		n = asprintf(&text,
			     "[benchmark \"%s\"] (" CONFIG_FILE
			     ":%u) applies to no benchmark: \"%s\" in line %u %s",
			     section->name, section->line, taker->name, taker->line,
			     taker->line < section->line ? "matches first"
							 : "names what it matches");
	if (n < 0) {
		text = NULL; /* asprintf leaves it undefined */
		return -ENOMEM;
	}
	return strings__add(ret, text);
}

int sections_unused(struct strings *ret, const struct config *c, const char *worker,
		    const struct cases found[static SIDE_CNT])
{
	AUTO_FREE bool *used = calloc(c->benches_cnt + 1, sizeof(*used));
	int err = used ? 0 : -ENOMEM;

	for (int s = 0; s < SIDE_CNT && !err; s++) {
		for (size_t i = 0; i < found[s].cnt; i++) {
			const struct config_bench *b =
				config_find(c, worker, found[s].items[i].name);

			if (b)
				used[b - c->benches] = true;
		}
	}
	for (size_t i = 0; i < c->benches_cnt && !err; i++) {
		const struct config_bench *b = &c->benches[i];

		if (b->worker && !strcmp(b->worker, worker) && !used[i])
			err = say(ret, b, taken_by(c, b, worker, found), worker);
	}
	return err;
}
