/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: any file as a record that is read, judged again, written and read once more. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "engine/decide/judge.h"
#include "report/json.h"
#include "report/json_read.h"
#include "report/terminal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(struct record *rec)
{
	struct policy p;

	policy__of_record(&p, rec);
	if (policy__prepare(&p) == 0)
		IGNORE_ERROR(judge_again(rec, &p)); /* numbers that allow no verdict */
	policy__done(&p);
}

/* What is written of what was read can be read. */
static void once_more(const struct record *rec)
{
	char *text = NULL, why[256];
	size_t len = 0;
	struct record again;
	FILE *f = open_memstream(&text, &len);

	if (!f || json_write(f, rec) || fclose(f))
		abort();
	record__init(&again);
	if (json_read(&again, text, len, why) == -EINVAL)
		abort();
	record__done(&again);
	free(text);
}

static void show(const struct record *rec)
{
	static const struct terminal_style style = {.color = true, .verbosity = 1, .columns = 80};
	FILE *f = fopen("/dev/null", "we");

	if (!f)
		abort();
	terminal_report(f, rec, &style);
	terminal_measured(f, rec, &style);
	(void)fclose(f); /* nobody reads it */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record rec;
	char why[256];

	record__init(&rec);
	if (json_read(&rec, (const char *)data, size, why) == 0) {
		judge(&rec);
		show(&rec);
		once_more(&rec);
	}
	record__done(&rec);
	return 0;
}
