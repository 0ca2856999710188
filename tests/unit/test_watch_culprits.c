/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "bpf/watch_culprits.h"

/* Who had the CPU, as it is taken from a lane's table. */

static void put(struct watch_culprit *all, size_t place, uint32_t pid, uint64_t time_ns)
{
	all[place] = (struct watch_culprit){.pid = pid, .time_ns = time_ns, .cnt = pid * 2};
	memset(all[place].comm, 'a', sizeof(all[place].comm)); /* no NUL */
}

/* Scattered, and no two of them alike. */
static void fill(struct watch_culprit all[static WATCH_PREEMPTORS])
{
	memset(all, 0, WATCH_PREEMPTORS * sizeof(*all));
	put(all, 0, 10, 300);
	put(all, 7, 11, 500);
	put(all, 40, 12, 100);
	put(all, WATCH_PREEMPTORS - 1, 13, 400);
}

static void is_empty(const struct watch_culprit all[static WATCH_PREEMPTORS])
{
	static const struct watch_culprit none[WATCH_PREEMPTORS];

	assert_memory_equal(all, none, sizeof(none));
}

static void the_worst_comes_first(void **state)
{
	static const uint32_t order[] = {11, 13, 10, 12};
	struct watch_culprit all[WATCH_PREEMPTORS];
	struct watch_preemptor got[WATCH_NAMES];

	(void)state;
	fill(all);
	assert_int_equal(watch_take_culprits(all, got, WATCH_NAMES), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(got[i].pid, order[i]);
		assert_int_equal(got[i].cnt, order[i] * 2);
		assert_int_equal(strlen(got[i].comm), WATCH_COMM - 1);
	}
	is_empty(all);
	assert_int_equal(watch_take_culprits(all, got, WATCH_NAMES), 0);
}

static void too_many_leave_out_the_least(void **state)
{
	struct watch_culprit all[WATCH_PREEMPTORS];
	struct watch_preemptor got[2];

	(void)state;
	fill(all);
	assert_int_equal(watch_take_culprits(all, got, 2), 2);
	assert_int_equal(got[0].pid, 11);
	assert_int_equal(got[1].pid, 13);
	is_empty(all);
}

static void a_full_table_fits(void **state)
{
	struct watch_culprit all[WATCH_PREEMPTORS];
	struct watch_preemptor got[WATCH_NAMES];

	(void)state;
	for (size_t i = 0; i < WATCH_PREEMPTORS; i++)
		put(all, i, (uint32_t)i + 1, i);
	assert_int_equal(watch_take_culprits(all, got, WATCH_NAMES), WATCH_NAMES);
	for (size_t i = 0; i < WATCH_NAMES; i++)
		assert_int_equal(got[i].time_ns, WATCH_NAMES - 1 - i);
	is_empty(all);
}

static void with_no_room_all_are_forgotten(void **state)
{
	struct watch_culprit all[WATCH_PREEMPTORS];

	(void)state;
	fill(all);
	assert_int_equal(watch_take_culprits(all, NULL, 0), 0);
	is_empty(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_comes_first),
		cmocka_unit_test(too_many_leave_out_the_least),
		cmocka_unit_test(a_full_table_fits),
		cmocka_unit_test(with_no_room_all_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
