/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters and records that a worker is handed with OPEN, and what it makes of them. */
#include "test_link_fixture.h"

/*
 * A file that reads like a group of two counters: the values are those of the file, and reading on
 * moves along, so that the differences are known.
 */
static int played_group(const uint64_t *reads, size_t size)
{
	int fd = memfd_create("counters", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, reads, size), size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Opens a case with two groups, whose descriptors are the worker's then. */
static void open_two(struct worker *w, const struct frame_open *o, int fds[static 2])
{
	struct frame f;

	assert_int_equal(link__send(&w->link, FRAME_OPEN, o, sizeof(*o), fds, 2), 0);
	close(fds[0]);
	close(fds[1]);
	expect(w, FRAME_READY, &f);
}

static void counters_are_read_at_the_ends_of_the_window(void **state)
{
	/* the worker reads twice before it is ready, then twice a window */
	const uint64_t reads[4][5] = {{2, 0, 0, 0, 0},
				      {2, 0, 0, 0, 0},
				      {2, 1000, 900, 50, 60},
				      {2, 3000, 2400, 150, 260}};
	const uint64_t one[4][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 7, 7, 11}, {1, 8, 8, 24}};
	struct worker *w = *state;
	struct frame_open o = {.name = "plain",
			       .group = {[0] = {.values = 2}, [2] = {.values = 1}}};
	int fds[2] = {played_group(reads[0], sizeof(reads)), played_group(one[0], sizeof(one))};
	struct frame_sample s;

	open_two(w, &o, fds);
	s = window(w, 1, 5);
	assert_int_equal(s.group[0].valid, 1);
	assert_int_equal(s.group[0].enabled_ns, 2000);
	assert_int_equal(s.group[0].running_ns, 1500);
	assert_int_equal(s.group[0].value[0], 100);
	assert_int_equal(s.group[0].value[1], 200);
	assert_int_equal(s.group[1].valid, 0);
	assert_int_equal(s.group[2].valid, 1);
	assert_int_equal(s.group[2].value[0], 13);
	/* the files are at their end: a reading that fails is no reading */
	s = window(w, 1, 1);
	assert_int_equal(s.group[0].valid, 0);
	assert_int_equal(s.group[0].value[0], 0);
	assert_int_equal(s.group[2].valid, 0);
}

/* A counter that cannot be mapped as one is read by a call. */
static void a_group_for_user_space_falls_back(void **state)
{
	const uint64_t reads[4][5] = {{2}, {2}, {2, 10, 10, 50, 60}, {2, 20, 20, 150, 260}};
	struct worker *w = *state;
	struct frame_open o = {.name = "plain", .group = {{.values = 2, .user_read = 1}}};
	int fds[2] = {played_group(reads[0], sizeof(reads)), open("/dev/null", O_RDONLY)};
	struct frame_sample s;

	open_two(w, &o, fds);
	s = window(w, 1, 5);
	assert_int_equal(s.group[0].valid, 1);
	assert_int_equal(s.group[0].value[1], 200);
}

/* A record that is no record: unknown, never "nothing happened". */
static void a_foreign_record_is_unknown(void **state)
{
	static const char zeros[65536];
	struct worker *w = *state;
	struct frame_open o = {.name = "plain", .lane = 1};
	int fd = memfd_create("lane", MFD_CLOEXEC);
	struct frame f;

	assert_int_equal(write(fd, zeros, sizeof(zeros)), sizeof(zeros));
	assert_int_equal(link__send(&w->link, FRAME_OPEN, &o, sizeof(o), &fd, 1), 0);
	close(fd);
	expect(w, FRAME_READY, &f);
	assert_int_equal(window(w, 1, 1).seen.state, SEEN_LOST);
}

static void waiting_comes_from_proc_where_it_is_asked_for(void **state)
{
	struct worker *w = *state;
	struct frame_open o = {.name = "plain", .schedstat = 1};
	struct frame_sample s;
	struct frame f;

	if (access("/proc/thread-self/schedstat", R_OK)) {
		print_message("# skipped: this kernel has no schedstat\n");
		skip();
	}
	assert_int_equal(link__send(&w->link, FRAME_OPEN, &o, sizeof(o), NULL, 0), 0);
	expect(w, FRAME_READY, &f);
	s = window(w, 1, 1);
	assert_int_equal(s.seen.state, SEEN_WAITING);
	/* it waited at most as long as the window took, by a clock of its own */
	assert_true(s.seen.waiting_ns <= 60000000000u);
	assert_int_equal(s.seen.running_ns, 0);
}

static void descriptors_must_be_those_announced(void **state)
{
	static const struct {
		struct frame_group group;
		uint32_t lane, fds;
	} rows[] = {
		{{.values = 2}, 0, 0}, {{.values = 0}, 0, 1},
		{{.values = 2}, 1, 1}, {{.values = 2, .user_read = 1}, 0, 1},
		{{.values = 5}, 0, 1}, {{.values = 1, .user_read = 2}, 0, 1},
		{{.values = 0}, 2, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct worker *w;
		struct frame_open o = {
			.name = "plain", .group = {rows[i].group}, .lane = rows[i].lane};
		int fd = open("/dev/null", O_RDONLY);

		assert_int_equal(start(state), 0);
		w = *state;
		assert_int_equal(link__send(&w->link, FRAME_OPEN, &o, sizeof(o), &fd, rows[i].fds),
				 0);
		close(fd);
		expect_text(w, FRAME_FAIL,
			    rows[i].fds ? "1 descriptors are not what was announced"
					: "0 descriptors are not what was announced");
		(void)finish(state);
	}
}

#define T(test) cmocka_unit_test_setup_teardown(test, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(counters_are_read_at_the_ends_of_the_window),
		T(a_group_for_user_space_falls_back),
		T(a_foreign_record_is_unknown),
		T(waiting_comes_from_proc_where_it_is_asked_for),
		cmocka_unit_test(descriptors_must_be_those_announced),
	};

	return cmocka_run_group_tests_name("link_sources", tests, NULL, NULL);
}
