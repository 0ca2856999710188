/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include "../project/loosened.h"
#include "target.h"

int targets_note_loosened(const struct targets *t, const struct discover_request *req,
			  struct record *rec)
{
	AUTO_FREE struct loosened_bench *b = calloc(t->cnt + 1, sizeof(*b));
	AUTO_FREE char *text = NULL;
	int err;

	if (!b)
		return -ENOMEM;
	if (!req->versions->before.path)
		return 0;
	for (size_t i = 0; i < t->cnt; i++)
		b[i] = (struct loosened_bench){rec->benches[i].name, t->items[i].section};
	err = loosened_benches(req->config, &req->versions->before, b, t->cnt, &text);
	return err ? err : loosened_note(rec, text);
}
