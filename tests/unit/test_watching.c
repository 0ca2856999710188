/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include "engine/measure/watching.h"

/* What the record says of BPF that cannot be had. */

static enum watch_result result;
static int error;

int __wrap_watch__open(struct watch **ret, enum watch_result *ret_why);

int __wrap_watch__open(struct watch **ret, enum watch_result *ret_why)
{
	(void)ret;
	*ret_why = result;
	return error;
}

static void the_error_reaches_the_record(void **state)
{
	static const struct {
		enum watch_result result;
		int error;
		bool told; /* the sentence says as much as the number */
	} cases[] = {
		{WATCH_NO_CAPABILITY, -EPERM, true}, {WATCH_NO_BTF, -ENOENT, true},
		{WATCH_NO_MEMORY, -ENOMEM, true},    {WATCH_REJECTED, -E2BIG, false},
		{WATCH_FAILED, -EMFILE, false},	     {WATCH_FAILED, -EBUSY, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct watching w;
		struct record rec;
		const char *said;

		record__init(&rec);
		result = cases[i].result;
		error = cases[i].error;
		watching__open(&w, &rec);
		assert_null(w.watch);
		assert_int_equal(rec.host.interference, INTERFERENCE_GETRUSAGE);
		said = rec.host.interference_missing;
		assert_non_null(strstr(said, watch_result_str(result)));
		assert_true(!strstr(said, strerror(-error)) == cases[i].told);
		assert_int_equal(rec.notes_cnt, 1);
		assert_non_null(strstr(rec.notes[0], said));
		watching__close(&w);
		record__done(&rec);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_error_reaches_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
