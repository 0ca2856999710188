/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: the trailers of any commit message, against names that begin alike. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine/project/accept.h"
#include "place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int see(void *arg, const char *value, const char *commit)
{
	return accept_apply(arg, value, commit);
}

static int see_stray(void *arg, const char *commit)
{
	return record__note(arg, "%s", commit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"parse", "parse: large", "parse: large: twice"};
	AUTO_FREE char *message = calloc(size + 1, 1);
	struct record rec;
	struct rec_bench *b;

	if (!message)
		abort();
	fuzz_hold_git();
	memcpy(message, data, size);
	record__init(&rec);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (record__add_bench(&rec, names[i], &b))
			abort();
	if (git_message_values(message,
			       &(struct git_trailer_reader){ACCEPT_KEY, see, see_stray, &rec},
			       "0123456789abcdef"))
		abort();
	for (size_t i = 0; i < rec.benches_cnt; i++)
		if (rec.benches[i].accepted && !rec.benches[i].accepted[0])
			abort(); /* without a reason nothing is accepted */
	record__done(&rec);
	return 0;
}
