/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: words that were cut out of a line make a line that is cut into the same words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine/util/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int condition)
{
	if (!condition)
		abort();
}

static void check_again(const struct words *w)
{
	char *joined = words_join(w);
	struct words again = {0};

	demand(joined && !words__split(&again, joined));
	demand(again.cnt == w->cnt && !again.items[again.cnt]);
	for (size_t i = 0; i < w->cnt; i++)
		demand(!strcmp(again.items[i], w->items[i]));
	words__done(&again);
	free(joined);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = strndup((const char *)data, size);
	struct words w = {0};
	int err;

	if (!line)
		abort();
	err = words__split(&w, line);
	demand(err ? !w.items : w.cnt > 0 && !w.items[w.cnt]);
	if (!err)
		check_again(&w);
	words__done(&w);
	free(line);
	return 0;
}
