/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: a limit is one that its metric can have, and reads the same when it is written again. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/util/limit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int condition)
{
	if (!condition)
		abort();
}

static void check_range(const struct limit *l)
{
	const struct metric *metric = metric_get(l->metric);

	demand(metric->judge != JUDGE_NEVER && isfinite(l->value));
	demand(!l->bytes || metric->kind == METRIC_PEAK);
	demand(l->bytes || metric->kind == METRIC_COUNTED ? l->value >= 0 : l->value > 1);
}

/* Ratios from 2 on are written in percent alone, which rounds. */
static void check_again(const struct limit *l)
{
	char text[128], why[LIMIT_WHY_MAX];
	struct limit again;

	if (!l->bytes && metric_get(l->metric)->kind != METRIC_COUNTED && l->value > 1.999999)
		return;
	(void)snprintf(text, sizeof(text), l->bytes ? "%s=+%.0f" : "%s=%.17g",
		       metric_get(l->metric)->name, l->value);
	demand(!limit_parse(text, &again, why));
	demand(again.metric == l->metric && again.bytes == l->bytes && again.value == l->value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), why[LIMIT_WHY_MAX] = "";
	struct limit limit;

	if (!text)
		abort();
	if (limit_parse(text, &limit, why)) {
		demand(why[0] != '\0');
	} else {
		check_range(&limit);
		check_again(&limit);
	}
	free(text);
	return 0;
}
