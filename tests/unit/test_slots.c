/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of programs: whose they are, in which order, and what a killed run left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include "engine/measure/slots.h"

struct fixture {
	char dir[32];
	char old[64], new[64];
	const char *program[SIDE_CNT];
};

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
	static struct fixture f;

	strcpy(f.dir, "/tmp/test-slots-XXXXXX");
	assert_non_null(mkdtemp(f.dir));
	(void)snprintf(f.old, sizeof(f.old), "%s/old", f.dir);
	(void)snprintf(f.new, sizeof(f.new), "%s/new", f.dir);
	f.program[SIDE_BASELINE] = f.old;
	f.program[SIDE_CANDIDATE] = f.new;
	write_file(f.old, "one");
	write_file(f.new, "two");
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(unlink(f->old), 0);
	assert_int_equal(unlink(f->new), 0);
	/* nothing is left behind by any of the tests */
	assert_int_equal(rmdir(f->dir), 0);
	return 0;
}

static ino_t inode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

static void sides_have_copies_of_their_own(void **state)
{
	struct fixture *f = *state;
	struct slots s;

	assert_int_equal(slots__init(&s, 0, f->program, NULL, true, false), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	for (int side = 0; side < SIDE_CNT; side++) {
		const char *mine = slots_path(&s, (enum side)side, (enum side)side);
		const char *other = slots_path(&s, (enum side)side, (enum side) !side);

		assert_string_not_equal(mine, other);
		assert_int_equal(strlen(mine), strlen(other));
		assert_int_equal(inode_of(mine),
				 slots_stat(&s, (enum side)side, (enum side)side)->st_ino);
		assert_int_not_equal(inode_of(mine), inode_of(f->program[side]));
	}
	assert_string_not_equal(slots_path(&s, SIDE_BASELINE, SIDE_BASELINE),
				slots_path(&s, SIDE_CANDIDATE, SIDE_CANDIDATE));
	slots__done(&s);
}

static void equal_programs_share_two_copies(void **state)
{
	struct fixture *f = *state;
	struct slots s;

	write_file(f->new, "one");
	assert_int_equal(slots__init(&s, 0, f->program, NULL, true, false), 0);
	assert_int_equal(slots__renew(&s, SIDE_CANDIDATE), 0);
	assert_string_equal(slots_path(&s, SIDE_BASELINE, SIDE_BASELINE),
			    slots_path(&s, SIDE_CANDIDATE, SIDE_CANDIDATE));
	assert_string_equal(slots_path(&s, SIDE_BASELINE, SIDE_CANDIDATE),
			    slots_path(&s, SIDE_CANDIDATE, SIDE_BASELINE));
	assert_string_not_equal(slots_path(&s, SIDE_BASELINE, SIDE_BASELINE),
				slots_path(&s, SIDE_CANDIDATE, SIDE_BASELINE));
	slots__done(&s);
}

static void own_libraries_forbid_sharing(void **state)
{
	struct fixture *f = *state;
	struct slots s;

	write_file(f->new, "one");
	assert_int_equal(slots__init(&s, 0, f->program, NULL, true, true), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	assert_string_not_equal(slots_path(&s, SIDE_BASELINE, SIDE_BASELINE),
				slots_path(&s, SIDE_CANDIDATE, SIDE_CANDIDATE));
	slots__done(&s);
}

static void a_new_stage_has_new_copies(void **state)
{
	struct fixture *f = *state;
	char before[PATH_MAX];
	struct stat st;
	struct slots s;

	assert_int_equal(slots__init(&s, 0, f->program, f->dir, true, false), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	(void)snprintf(before, sizeof(before), "%s", slots_path(&s, SIDE_BASELINE, SIDE_BASELINE));
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	assert_int_equal(stat(before, &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_string_not_equal(before, slots_path(&s, SIDE_BASELINE, SIDE_BASELINE));
	slots__done(&s);
}

/* Neither the two sides, nor the two slots, nor any two generations share an inode number. */
static void no_inode_number_comes_twice(void **state)
{
	struct fixture *f = *state;
	ino_t seen[20 * 4];
	size_t cnt = 0;
	struct slots s;

	assert_int_equal(slots__init(&s, 0, f->program, f->dir, true, false), 0);
	for (int generation = 0; generation < 20; generation++) {
		assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
		for (int i = 0; i < 4; i++)
			seen[cnt++] =
				slots_stat(&s, (enum side)(i / 2), (enum side)(i % 2))->st_ino;
	}
	for (size_t i = 0; i < cnt; i++)
		for (size_t j = 0; j < i; j++)
			assert_true(seen[i] != seen[j]);
	slots__done(&s);
}

static void a_leftover_of_the_same_name_is_no_failure(void **state)
{
	struct fixture *f = *state;
	char left[PATH_MAX];
	struct slots s;

	assert_int_equal(slots__init(&s, 0, f->program, NULL, true, false), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	(void)snprintf(left, sizeof(left), "%s", slots_path(&s, SIDE_BASELINE, SIDE_BASELINE));
	slots__done(&s);
	write_file(left, "of a killed run");

	assert_int_equal(slots__init(&s, 0, f->program, NULL, true, false), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	assert_string_not_equal(slots_path(&s, SIDE_BASELINE, SIDE_BASELINE), left);
	assert_int_equal(strlen(slots_path(&s, SIDE_BASELINE, SIDE_BASELINE)), strlen(left));
	slots__done(&s);
	assert_int_equal(unlink(left), 0); /* not ours: neither overwritten nor removed */
}

static void a_program_that_is_gone_is_said(void **state)
{
	struct fixture *f = *state;
	struct slots s;

	assert_int_equal(slots__init(&s, 0, f->program, NULL, true, false), 0);
	assert_int_equal(unlink(f->new), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), -ENOENT);
	slots__done(&s);
	write_file(f->new, "two");
}

static void without_copies_programs_run_where_they_are(void **state)
{
	struct fixture *f = *state;
	struct slots s;

	assert_int_equal(slots__init(&s, 0, f->program, NULL, false, false), 0);
	assert_int_equal(slots__renew(&s, SIDE_BASELINE), 0);
	assert_string_equal(slots_path(&s, SIDE_CANDIDATE, SIDE_BASELINE), f->new);
	assert_int_equal(slots_stat(&s, SIDE_CANDIDATE, SIDE_BASELINE)->st_ino, inode_of(f->new));
	slots__done(&s);
	slots__done(&(struct slots){0});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sides_have_copies_of_their_own, setup, teardown),
		cmocka_unit_test_setup_teardown(equal_programs_share_two_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(own_libraries_forbid_sharing, setup, teardown),
		cmocka_unit_test_setup_teardown(a_new_stage_has_new_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(no_inode_number_comes_twice, setup, teardown),
		cmocka_unit_test_setup_teardown(a_leftover_of_the_same_name_is_no_failure, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_program_that_is_gone_is_said, setup, teardown),
		cmocka_unit_test_setup_teardown(without_copies_programs_run_where_they_are, setup,
						teardown),
	};

	return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
