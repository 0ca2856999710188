/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The N-th allocation fails, for every N until all succeed: no crash, no leak (make asan), and a
 * record that can still be freed. record.c is compiled into this test with its allocators replaced.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned allocations, failing;

static int fails(void)
{
	return ++allocations == failing;
}

static char *failing_strdup(const char *s)
{
	return fails() ? NULL : strdup(s);
}

static void *failing_calloc(size_t n, size_t size)
{
	return fails() ? NULL : calloc(n, size);
}

static void *failing_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : reallocarray(p, n, size);
}

static __attribute__((format(printf, 2, 0))) int failing_vasprintf(char **ret, const char *fmt,
								   va_list ap)
{
	return fails() ? -1 : vasprintf(ret, fmt, ap);
}

#define strdup	     failing_strdup
#define calloc	     failing_calloc
#define reallocarray failing_reallocarray
#define vasprintf    failing_vasprintf
#include "report/record.c"
#undef strdup
#undef calloc
#undef reallocarray
#undef vasprintf
#include <setjmp.h>
#include <cmocka.h>

static int build(struct record *r)
{
	struct rec_bench *bench;
	struct rec_block *block;
	int err = 0;

	for (int i = 0; !err && i < 5; i++) {
		err = record__add_bench(r, "name", &bench);
		err = err ? err : record__add_option(r, "name", "value");
		err = err ? err : record__note(r, "note %d", i);
		for (int j = 0; !err && j < 3; j++) {
			err = record__add_block(bench, &block);
			err = err ? err : rec_block__reserve(block, 3);
			err = err ? err : rec_block__reserve(block, 5);
		}
	}
	return err;
}

static void every_allocation_may_fail(void **state)
{
	int err = -ENOMEM;

	(void)state;
	for (failing = 1; err; failing++) {
		struct record r;

		allocations = 0;
		record__init(&r);
		err = build(&r);
		assert_true(err == 0 || err == -ENOMEM);
		assert_int_equal(err == 0, allocations < failing);
		record__done(&r);
	}
	assert_true(failing > 40);
}

static void a_failure_without_memory_keeps_its_reason(void **state)
{
	struct rec_bench b = {0};

	(void)state;
	allocations = 0;
	failing = 1;
	rec_bench__fail(&b, REASON_SIGNAL, SIDE_CANDIDATE, "SIGSEGV");
	assert_int_equal(b.verdict, BENCH_ERROR);
	assert_int_equal(b.reason, REASON_SIGNAL);
	assert_null(b.detail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(a_failure_without_memory_keeps_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
