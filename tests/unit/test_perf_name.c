/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of events, and a tree of files in place of the host's PMUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include "engine/host/perf_name.h"
#include "test_tree_fixture.h"

static void put_device(const char *path, const char *text)
{
	char below[128];

	(void)snprintf(below, sizeof(below), "/sys/bus/event_source/devices/%s", path);
	put(below, text);
}

static int make_devices(void **state)
{
	if (make_root(state))
		return -1;
	put_device("cpu/type", "4\n");
	put_device("cpu/format/event", "config:0-7,32-35\n");
	put_device("cpu/format/umask", "config:8-15\n");
	put_device("cpu/format/inv", "config:23\n");
	put_device("cpu/format/ldlat", "config1:0-15\n");
	put_device("cpu/format/odd", "config9:0-15\n");
	put_device("cpu/format/broken", "config:7-3\n");
	put_device("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	put_device("cpu/events/broken", "event=?\n");
	put_device("uncore/type", "17\n");
	put_device("uncore/format/event", "config:0-7\n");
	return 0;
}

static void every_kind_of_name(void **state)
{
	static const struct {
		const char *text, *name;
		uint32_t type;
		uint64_t config, config1;
		bool user_only, kernel_only;
	} rows[] = {
		{"cycles", "cycles:u", PERF_TYPE_HARDWARE, 0, 0, true, false},
		{"cycles:u", "cycles:u", PERF_TYPE_HARDWARE, 0, 0, true, false},
		{"cycles:k", "cycles:k", PERF_TYPE_HARDWARE, 0, 0, false, true},
		{"cycles:uk", "cycles:uk", PERF_TYPE_HARDWARE, 0, 0, false, false},
		{"branch-misses", "branch-misses:u", PERF_TYPE_HARDWARE, 5, 0, true, false},
		{"ref-cycles", "ref-cycles:u", PERF_TYPE_HARDWARE, 9, 0, true, false},
		{"L1-dcache-loads", "L1-dcache-loads:u", PERF_TYPE_HW_CACHE, 0, 0, true, false},
		{"LLC-load-misses", "LLC-load-misses:u", PERF_TYPE_HW_CACHE, 0x10002, 0, true,
		 false},
		{"dTLB-store-misses:k", "dTLB-store-misses:k", PERF_TYPE_HW_CACHE, 0x10103, 0,
		 false, true},
		{"node-prefetches", "node-prefetches:u", PERF_TYPE_HW_CACHE, 0x206, 0, true, false},
		{"r1A2", "r1A2:u", PERF_TYPE_RAW, 0x1a2, 0, true, false},
		{"rffffffffffffffff", "rffffffffffffffff:u", PERF_TYPE_RAW, UINT64_MAX, 0, true,
		 false},
		{"faults", "faults", PERF_TYPE_SOFTWARE, 2, 0, false, false},
		{"faults:u", "faults:u", PERF_TYPE_SOFTWARE, 2, 0, true, false},
		{"cs", "cs", PERF_TYPE_SOFTWARE, 3, 0, false, false},
		{"cs:uk", "cs:uk", PERF_TYPE_SOFTWARE, 3, 0, false, false},
		{"cpu/event=0x3c/", "cpu/event=0x3c/:u", 4, 0x3c, 0, true, false},
		{"cpu/event=0x123,umask=2,inv/k", "cpu/event=0x123,umask=2,inv/:k", 4,
		 0x23 | 1ull << 32 | 2 << 8 | 1 << 23, 0, false, true},
		{"cpu/config=0x99,config1=7/:u", "cpu/config=0x99,config1=7/:u", 4, 0x99, 7, true,
		 false},
		{"cpu/mem-loads/", "cpu/mem-loads/:u", 4, 0x1cd, 3, true, false},
		{"mem-loads", "mem-loads:u", 4, 0x1cd, 3, true, false},
		{"uncore/event=255/uk", "uncore/event=255/:uk", 17, 255, 0, false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_names n = {.cnt = 0};
		char why[PERF_WHY_MAX] = "";

		if (perf_names_add(root, rows[i].text, &n, why))
			fail_msg("%s: %s", rows[i].text, why);
		assert_int_equal(n.cnt, 1);
		assert_string_equal(n.item[0].name, rows[i].name);
		assert_int_equal(n.item[0].spec.type, rows[i].type);
		assert_int_equal(n.item[0].spec.config, rows[i].config);
		assert_int_equal(n.item[0].spec.config1, rows[i].config1);
		assert_int_equal(n.item[0].spec.user_only, rows[i].user_only);
		assert_int_equal(n.item[0].spec.kernel_only, rows[i].kernel_only);
		assert_false(n.item[0].spec.optional);
	}
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"", "an event without a name"},
		{"cycles,", "an event without a name"},
		{"cyclops", "no event \"cyclops\" is known"},
		{"r", "no event \"r\" is known"},
		{"rxyz", "no event \"rxyz\" is known"},
		{"r12345678901234567", "no event \"r12345678901234567\" is known"},
		{"cycles:", "no modifiers that make sense"},
		{"cycles:x", "the modifiers are u (user mode) and k (kernel)"},
		{"cycles:uuuuuuuuuuuuu", "no modifiers that make sense"},
		{"cs:u", "\"cs:u\" would always be 0"},
		{"cpu-migrations:u", "would always be 0"},
		{"a b", "is no event"},
		{"cpu/event=1", "is no event"},
		{"/event=1/", "is no event"},
		{"cpu//", "no event is named for PMU \"cpu\""},
		{"nopmu/event=1/", "no PMU \"nopmu\""},
		{"../event=1/", "no PMU \"..\""},
		{"cpu/nofield=1/", "no field \"nofield\""},
		{"cpu/../type/", "no field \"..\""},
		{"cpu/event=zz/", "not a number: \"zz\""},
		{"cpu/event=0x1000/", "too large a value for field \"event\""},
		{"cpu/inv=2/", "too large a value for field \"inv\""},
		{"cpu/odd=1/", "does not understand this PMU's field \"odd\""},
		{"cpu/broken=1/", "does not understand this PMU's field \"broken\""},
		{"broken", "not a number: \"?\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_names n = {.cnt = 0};
		char why[PERF_WHY_MAX] = "";

		if (perf_names_add(root, rows[i].text, &n, why) != -EINVAL)
			fail_msg("\"%s\" was taken", rows[i].text);
		if (!strstr(why, rows[i].why))
			fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[i].text, why,
				 rows[i].why);
	}
}

static void lists_are_cut_outside_slashes(void **state)
{
	struct perf_names n = {.cnt = 0};
	char why[PERF_WHY_MAX];

	(void)state;
	assert_int_equal(perf_names_add(root, "branches,cpu/event=1,umask=2/u,faults", &n, why), 0);
	assert_int_equal(perf_names_add(root, "r1,r2,r3,r4", &n, why), 0);
	assert_int_equal(n.cnt, 7);
	assert_string_equal(n.item[1].name, "cpu/event=1,umask=2/:u");
	assert_string_equal(n.item[6].name, "r4:u");
	assert_int_equal(perf_names_add(root, "r5,r6", &n, why), -EINVAL);
	assert_string_equal(why, "more than 8 events");
	assert_int_equal(n.cnt, EVENTS_MAX);
}

static void long_names_are_refused(void **state)
{
	struct perf_names n = {.cnt = 0};
	char why[PERF_WHY_MAX], text[2000];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(perf_names_add(root, text, &n, why), -EINVAL);
	memcpy(text, "cpu/", 4);
	text[sizeof(text) - 2] = '/';
	assert_int_equal(perf_names_add(root, text, &n, why), -EINVAL);
}

static void what_this_host_counts_is_tried(void **state)
{
	struct perf_names n = {.cnt = 0};
	char why[PERF_WHY_MAX];
	enum reason hw;

	(void)state;
	assert_int_equal(perf_names_add("", "instructions,faults,rffffff", &n, why), 0);
	hw = perf_name_probe(&n.item[0]);
	assert_true(hw == REASON_NONE || reason_get(hw)->places & PLACE_MISSING);
	if (perf_name_probe(&n.item[1]) == REASON_PERF_FORBIDDEN) {
		print_message("# skipped: perf events are forbidden here\n");
		skip();
	}
	assert_int_equal(perf_name_probe(&n.item[1]), REASON_NONE);
	if (hw == REASON_NO_PMU)
		assert_int_equal(perf_name_probe(&n.item[2]), REASON_NO_EVENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_name),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(lists_are_cut_outside_slashes),
		cmocka_unit_test(long_names_are_refused),
		cmocka_unit_test(what_this_host_counts_is_tried),
	};

	return cmocka_run_group_tests_name("perf_name", tests, make_devices, remove_root);
}
