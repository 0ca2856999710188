/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "engine/host/cpulist.h"
#include "engine/host/cpus.h"

static cpu_set_t set_of(const char *list)
{
	cpu_set_t set;

	assert_int_equal(cpulist_parse(list, &set), 0);
	return set;
}

static void lists_of_the_kernel_are_read(void **state)
{
	cpu_set_t set = set_of("0-2,8,10-11\n");

	(void)state;
	assert_int_equal(CPU_COUNT(&set), 6);
	for (int cpu = 0; cpu < 16; cpu++)
		assert_int_equal(!!CPU_ISSET(cpu, &set),
				 cpu <= 2 || cpu == 8 || cpu == 10 || cpu == 11);
	set = set_of("");
	assert_int_equal(CPU_COUNT(&set), 0);
	set = set_of("(null)"); /* as Debian's isolated file reads */
	assert_int_equal(CPU_COUNT(&set), 0);
}

static void malformed_lists_are_refused(void **state)
{
	static const char *const bad[] = {"x", "1-", "-1", "3-1", "0,a", "99999", "0-99999", "1 2"};
	cpu_set_t set;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(cpulist_parse(bad[i], &set), -EINVAL);
}

static void isolated_come_first_then_the_highest(void **state)
{
	static const struct {
		const char *allowed, *isolated, *want;
		size_t cnt;
	} cases[] = {
		{"0-3", "", "3", 1},	{"0-3", "", "2-3", 2},	  {"0-3", "1", "1", 1},
		{"0-3", "1", "1,3", 2}, {"0-7", "2-4", "3-4", 2}, {"0-7", "2-4", "2-4,7", 4},
		{"0", "", "0", 1},	{"0-1", "5", "1", 1}, /* isolated, but not ours to use */
	};
	cpu_set_t got;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cpu_set_t allowed = set_of(cases[i].allowed), isolated = set_of(cases[i].isolated);
		cpu_set_t want = set_of(cases[i].want);

		assert_int_equal(cpulist_choose(&allowed, &isolated, cases[i].cnt, &got), 0);
		assert_true(CPU_EQUAL(&got, &want));
	}
}

static void a_confirmation_gets_others_of_the_same_kind(void **state)
{
	static const struct {
		const char *allowed, *isolated, *used, *want; /* NULL: there are none */
	} cases[] = {
		{"0-1", "", "1", "0"},	   {"0-1", "", "0", "1"},    {"0-3", "", "2-3", "0-1"},
		{"0-7", "", "6-7", "4-5"}, {"0-7", "2-4", "4", "3"}, {"0-7", "2-4", "3-4", NULL},
		{"0", "", "0", NULL},	   {"0-1", "1", "1", NULL},  {"0-2", "", "1-2", NULL},
		{"0-3", "9", "3", "2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cpu_set_t allowed = set_of(cases[i].allowed), isolated = set_of(cases[i].isolated);
		cpu_set_t used = set_of(cases[i].used), got;
		int err = cpulist_choose_other(&allowed, &isolated, &used, &got);

		assert_int_equal(err, cases[i].want ? 0 : -ENOSPC);
		if (cases[i].want) {
			cpu_set_t want = set_of(cases[i].want);

			assert_true(CPU_EQUAL(&got, &want));
		}
	}
}

static void too_few_are_an_error_and_leave_the_result_alone(void **state)
{
	cpu_set_t allowed = set_of("0-1"), none = set_of(""), got = set_of("7");

	(void)state;
	assert_int_equal(cpulist_choose(&allowed, &none, 3, &got), -ENOSPC);
	assert_int_equal(cpulist_choose(&none, &allowed, 1, &got), -ENOSPC);
	assert_int_equal(cpus_choose(CPU_SETSIZE, &got), -ENOSPC);
	assert_int_equal(cpus_first(&got), 7);
}

static void the_first_of_a_set(void **state)
{
	cpu_set_t set = set_of("5,9"), none = set_of("");

	(void)state;
	assert_int_equal(cpus_first(&set), 5);
	assert_int_equal(cpus_first(&none), -1);
}

static void pinning_holds_and_is_undone(void **state)
{
	cpu_set_t before, chosen, old, now;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(cpus_choose(1, &chosen), 0);
	assert_int_equal(CPU_COUNT(&chosen), 1);
	assert_int_equal(cpus_pin(&chosen, &old), 0);
	assert_true(CPU_EQUAL(&old, &before));
	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	assert_true(CPU_EQUAL(&now, &chosen));
	assert_int_equal(sched_getcpu(), cpus_first(&chosen));
	assert_int_equal(cpus_pin(&old, NULL), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	assert_true(CPU_EQUAL(&now, &before));
}

/* A user's taskset is respected: only what it allows is chosen. */
static void the_choice_respects_our_affinity(void **state)
{
	cpu_set_t all, lowest, got;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&lowest);
	CPU_SET(cpus_first(&all), &lowest);
	assert_int_equal(cpus_pin(&lowest, NULL), 0);
	assert_int_equal(cpus_choose(1, &got), 0);
	assert_int_equal(cpus_choose(2, &all), -ENOSPC);
	assert_true(CPU_EQUAL(&got, &lowest));
	assert_int_equal(cpus_pin(&all, NULL), 0);
}

static void an_absent_cpu_is_noticed(void **state)
{
	cpu_set_t mine, absent, none;

	(void)state;
	assert_int_equal(cpus_choose(1, &mine), 0);
	assert_true(cpus_present(&mine));
	absent = mine;
	CPU_SET(CPU_SETSIZE - 1, &absent);
	assert_false(cpus_present(&absent));
	CPU_ZERO(&none);
	assert_false(cpus_present(&none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_the_kernel_are_read),
		cmocka_unit_test(malformed_lists_are_refused),
		cmocka_unit_test(isolated_come_first_then_the_highest),
		cmocka_unit_test(a_confirmation_gets_others_of_the_same_kind),
		cmocka_unit_test(too_few_are_an_error_and_leave_the_result_alone),
		cmocka_unit_test(the_first_of_a_set),
		cmocka_unit_test(pinning_holds_and_is_undone),
		cmocka_unit_test(the_choice_respects_our_affinity),
		cmocka_unit_test(an_absent_cpu_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
