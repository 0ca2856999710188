/* SPDX-License-Identifier: BSD-2-Clause */
/* Stolen time, from texts as /proc/stat has them and from the real one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sched.h>
#include "engine/host/steal.h"

#define UNTOUCHED 77

static const char stat_text[] = "cpu  10 0 20 30 0 0 0 99 0 0\n"
				"cpu0 1 2 3 4 5 6 7 8 9 10\n"
				"cpu10 1 2 3 4 5 6 7 18446744073709551615 9 10\n"
				"cpu1 1 2 3 4 5 6 7 41\n"
				"cpu2 1 2 3 4 5 6 7\n"
				"cpu3 1 2 3 4 5 6 7 x\n"
				"intr 5\n"
				"cpu4 1 2 3 4 5 6 7 1";

static void assert_ticks(unsigned cpu, uint64_t ticks)
{
	uint64_t got = UNTOUCHED;

	assert_int_equal(steal_parse(stat_text, cpu, &got), 0);
	assert_true(got == ticks);
}

static void assert_refused(unsigned cpu, int err)
{
	uint64_t got = UNTOUCHED;

	assert_int_equal(steal_parse(stat_text, cpu, &got), err);
	assert_int_equal(got, UNTOUCHED);
}

static void a_cpu_has_its_own_line(void **state)
{
	(void)state;
	assert_ticks(0, 8);
	assert_ticks(1, 41); /* not that of CPU 10 */
	assert_ticks(10, UINT64_MAX);
}

static void what_is_not_there_is_not_zero(void **state)
{
	(void)state;
	assert_refused(2, -EINVAL); /* kernels before 2.6.11 */
	assert_refused(3, -EINVAL);
	assert_refused(4, -EINVAL); /* cut off: it might have gone on */
	assert_refused(5, -ENOENT);
}

static void this_kernel_tells_it_of_each_cpu(void **state)
{
	uint64_t ns = 0;
	int cpu = sched_getcpu();

	(void)state;
	assert_true(cpu >= 0);
	assert_int_equal(steal_read("", (unsigned)cpu, &ns), 0);
	assert_int_equal(ns % 1000000, 0); /* whole ticks */
	assert_int_equal(steal_read("", 100000, &ns), -ENOENT);
	assert_int_equal(steal_read("/nowhere", 0, &ns), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_has_its_own_line),
		cmocka_unit_test(what_is_not_there_is_not_zero),
		cmocka_unit_test(this_kernel_tells_it_of_each_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
