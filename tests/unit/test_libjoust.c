/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libjoust from inside, on clocks and counters that the test sets. The sources are included because
 * libjoust is no part of the engine that unit tests link.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct {
	uint64_t cpu_ns, wall_ns;
	uint64_t foreign_ns; /* of threads that no clock but the process's knows */
	long children_us;    /* of processes that were waited for, half of it in the kernel */
	unsigned readings, counters;
} fake;

static int fake_clock_gettime(clockid_t id, struct timespec *ts)
{
	uint64_t ns = id == CLOCK_MONOTONIC ? fake.wall_ns : fake.cpu_ns;

	if (id == CLOCK_PROCESS_CPUTIME_ID)
		ns += fake.foreign_ns;
	fake.readings++;
	ts->tv_sec = (time_t)(ns / 1000000000u);
	ts->tv_nsec = (long)(ns % 1000000000u);
	return 0;
}

static int fake_getrusage(int who, struct rusage *u)
{
	memset(u, 0, sizeof(*u));
	if (who == RUSAGE_CHILDREN) {
		u->ru_utime.tv_usec = u->ru_stime.tv_usec = fake.children_us / 2;
		return 0;
	}
	fake.counters++;
	u->ru_minflt = 3 * fake.counters;
	u->ru_nivcsw = fake.counters;
	return 0;
}

#define clock_gettime	      fake_clock_gettime
#define getrusage(who, usage) fake_getrusage(who, usage)
#include "engine/worker/libjoust/counters.c"
#include "engine/worker/libjoust/peak.c"
#include "engine/worker/libjoust/threads.c"
#include "engine/worker/libjoust/loop.c"
#undef clock_gettime
#undef getrusage
#include "engine/worker/libjoust/bench.c"
#include "engine/worker/libjoust/burn.c"
#include "engine/worker/libjoust/text.c"

static void work(uint64_t cpu_ns, uint64_t wall_ns)
{
	fake.cpu_ns += cpu_ns;
	fake.wall_ns += wall_ns;
}

/* A driver that gives the windows of a list and keeps the samples. */
struct script {
	const struct joust_window *windows;
	size_t cnt, given, taken;
	struct frame_sample samples[4];
	unsigned readings[4]; /* of clocks, since the window was given */
};

static bool script_next(struct joust *b, struct joust_window *ret)
{
	struct script *s = b->context;

	if (s->given == s->cnt)
		return false;
	fake.readings = 0;
	*ret = s->windows[s->given++];
	return true;
}

static void script_sample(struct joust *b, const struct frame_sample *sample)
{
	struct script *s = b->context;

	s->readings[s->taken] = fake.readings;
	s->samples[s->taken++] = *sample;
}

static const struct joust_driver script_driver = {.next = script_next, .sample = script_sample};

static enum joust_result run(struct joust *b, void (*body)(struct joust *), uint32_t threads,
			     struct script *s)
{
	struct joust_case c = {.name = "x", .body = body, .threads = threads};
	struct joust_bench bench = {.of = &c, .name = "x"};

	memset(&fake, 0, sizeof(fake));
	fake.cpu_ns = 5000000000u;
	joust_init(b, &bench, &script_driver, s);
	return joust_run(b);
}

static void body_of_10_ns(struct joust *b)
{
	work(1000, 1000);
	JOUST_LOOP(b)
		work(10, 20);
	work(1000, 1000);
}

static void slices_are_the_differences_of_k_plus_1_readings(void **state)
{
	const struct joust_window windows[] = {{.n = 100, .k = 3}, {.n = 7, .k = 1}};
	struct script s = {.windows = windows, .cnt = 2};
	struct joust b;

	(void)state;
	assert_int_equal(run(&b, body_of_10_ns, 1, &s), RESULT_DONE);
	assert_int_equal(s.taken, 2);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(s.samples[0].cpu_ns[i], 1000);
		assert_int_equal(s.samples[0].wall_ns[i], 2000);
	}
	assert_int_equal(s.samples[0].cpu_ns[3], 0);
	assert_int_equal(s.samples[1].cpu_ns[0], 70);
	assert_int_equal(s.samples[0].cpu_after_ns - s.samples[0].cpu_before_ns, 3000);
	/* and what proves at either end that no other thread ran */
	assert_int_equal(s.readings[0], 2 * (3 + 1) + 2 * 3);
	assert_int_equal(s.readings[1], 2 * (1 + 1) + 2 * 3);
	assert_int_equal(s.samples[0].cpu, CPU_THREAD);
	assert_int_equal(s.samples[0].foreign_cpu_ns, 0);
	assert_int_equal(s.samples[0].threads_cnt, 0);
}

static void counters_are_differences_over_the_window(void **state)
{
	const struct joust_window windows[] = {{.n = 1, .k = 5}};
	struct script s = {.windows = windows, .cnt = 1};
	struct joust b;

	(void)state;
	assert_int_equal(run(&b, body_of_10_ns, 1, &s), RESULT_DONE);
	assert_int_equal(s.samples[0].minor_faults, 3);
	assert_int_equal(s.samples[0].involuntary, 1);
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++)
		assert_int_equal(s.samples[0].group[i].valid, 0);
	assert_int_equal(s.samples[0].seen.state, SEEN_NOTHING);
}

/* The only thread of this process: its clock is the sum. */
static void several_threads_are_summed_up(void **state)
{
	const struct joust_window windows[] = {{.n = 10, .k = 3}};
	struct script s = {.windows = windows, .cnt = 1};
	struct joust b;

	(void)state;
	assert_int_equal(run(&b, body_of_10_ns, 2, &s), RESULT_DONE);
	assert_int_equal(s.samples[0].cpu, CPU_THREADS);
	assert_int_equal(s.samples[0].cpu_ns[2], 100);
	assert_int_equal(s.samples[0].threads_cnt, 1);
	assert_int_equal(s.samples[0].thread[0].cpu_ns, 300);
	assert_true(s.samples[0].thread[0].blocked_ns == UINT64_MAX);
}

static void body_beside_a_foreign_thread(struct joust *b)
{
	JOUST_LOOP(b) {
		work(10, 20);
		fake.foreign_ns += 100000;
	}
}

static void what_undeclared_threads_use_is_said(void **state)
{
	const struct joust_window windows[] = {{.n = 10, .k = 3}};
	struct script s = {.windows = windows, .cnt = 1};
	struct joust b;

	(void)state;
	assert_int_equal(run(&b, body_beside_a_foreign_thread, 1, &s), RESULT_DONE);
	assert_int_equal(s.samples[0].foreign_cpu_ns, 30 * 100000);
	/* declared, but never to be found: one slice has the process clock, more have nothing */
	s.given = s.taken = 0;
	assert_int_equal(run(&b, body_beside_a_foreign_thread, 2, &s), RESULT_DONE);
	assert_int_equal(s.samples[0].cpu, CPU_UNKNOWN);
}

static void body_with_children(struct joust *b)
{
	fake.children_us += 5000; /* before the windows: nobody's concern */
	JOUST_LOOP(b) {
		work(10, 20);
		fake.children_us += 200;
	}
}

static void what_children_use_is_said(void **state)
{
	const struct joust_window windows[] = {{.n = 10, .k = 3}};
	struct script s = {.windows = windows, .cnt = 1};
	struct joust b;

	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		s.given = s.taken = 0;
		assert_int_equal(run(&b, body_with_children, threads, &s), RESULT_DONE);
		assert_int_equal(s.samples[0].foreign_cpu_ns, 30 * 200000);
	}
}

static void one_slice_may_have_the_process_clock(void **state)
{
	const struct joust_window windows[] = {{.n = 10, .k = 1}};
	struct script s = {.windows = windows, .cnt = 1};
	struct joust b;

	(void)state;
	assert_int_equal(run(&b, body_beside_a_foreign_thread, 2, &s), RESULT_DONE);
	assert_int_equal(s.samples[0].cpu, CPU_PROCESS);
	assert_int_equal(s.samples[0].cpu_ns[0], 10 * 10 + 10 * 100000);
	assert_int_equal(s.samples[0].cpu_after_ns - s.samples[0].cpu_before_ns,
			 s.samples[0].cpu_ns[0]);
}

static void body_with_untimed(struct joust *b)
{
	JOUST_LOOP_INDEX(b, i) {
		work(10, 20);
		JOUST_UNTIMED(b) {
			work(1000000, 2000000);
			if (i == 1)
				continue; /* ends the section, not the iteration */
			work(1000000, 2000000);
		}
		work(1, 2);
	}
}

static void untimed_sections_are_subtracted_from_their_slice(void **state)
{
	const struct joust_window windows[] = {{.n = 3, .k = 2}, {.n = 1, .k = 1}};
	struct script s = {.windows = windows, .cnt = 2};
	struct joust b;

	(void)state;
	assert_int_equal(run(&b, body_with_untimed, 1, &s), RESULT_DONE);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(s.samples[0].cpu_ns[i], 33);
		assert_int_equal(s.samples[0].wall_ns[i], 66);
	}
	assert_int_equal(s.samples[0].cpu_after_ns - s.samples[0].cpu_before_ns, 2 * 5000033);
	assert_int_equal(s.samples[1].cpu_ns[0], 11);
	assert_int_equal(s.readings[0], 2 * (2 + 1) + 2 * 2 * 3 * 2 + 2 * 3);
}

static void body_that_breaks_untimed(struct joust *b)
{
	JOUST_LOOP(b) {
		JOUST_UNTIMED(b)
			break;
	}
}

static void body_that_breaks(struct joust *b)
{
	JOUST_LOOP_INDEX(b, i)
		if (i == 1)
			break;
}

static void body_with_digest_inside(struct joust *b)
{
	JOUST_LOOP(b)
		joust_digest(b, "x", 1);
}

static void body_that_skips_late(struct joust *b)
{
	JOUST_LOOP(b)
		work(1, 1);
	joust_skip(b, "too late");
}

static void body_that_skips_and_goes_on(struct joust *b)
{
	joust_skip(b, "not here");
	joust_skip(b, "nor there");
	JOUST_LOOP(b)
		work(1, 1);
}

static void body_that_fails_twice(struct joust *b)
{
	joust_fail(b, "%d", 1);
	joust_fail(b, "%d", 2);
	JOUST_LOOP(b)
		work(1, 1);
}

static void body_without_loop(struct joust *b)
{
	(void)b; /* that is the fault */
}

static void misuse_is_reported(void **state)
{
	static const struct {
		void (*body)(struct joust *);
		enum joust_result result;
		const char *text;
		size_t samples;
	} cases[] = {
		{body_that_breaks_untimed, RESULT_FAILED, "break out of JOUST_UNTIMED", 0},
		{body_that_breaks, RESULT_FAILED, "break out of JOUST_LOOP", 0},
		{body_with_digest_inside, RESULT_FAILED, "joust_digest inside JOUST_LOOP", 0},
		{body_that_skips_late, RESULT_FAILED, "joust_skip after JOUST_LOOP was reached", 1},
		{body_that_skips_and_goes_on, RESULT_SKIPPED, "not here", 0},
		{body_that_fails_twice, RESULT_FAILED, "1", 0},
		{body_without_loop, RESULT_FAILED, "no JOUST_LOOP", 0},
	};
	const struct joust_window windows[] = {{.n = 2, .k = 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct script s = {.windows = windows, .cnt = 1};
		struct joust b;

		assert_int_equal(run(&b, cases[i].body, 1, &s), cases[i].result);
		assert_string_equal(b.text, cases[i].text);
		assert_int_equal(s.taken, cases[i].samples);
	}
}

static void digest_of(struct joust *b, const char *text)
{
	struct joust_case c = {.name = "x", .threads = 1};
	struct joust_bench bench = {.of = &c};

	joust_init(b, &bench, &script_driver, NULL);
	joust_digest(b, text, strlen(text));
}

/* Published values of FNV-1a. */
static void digest_is_fnv_1a(void **state)
{
	struct joust b, parts;

	(void)state;
	digest_of(&b, "");
	assert_int_equal(b.digest[0], 0x6c62272e07bb0142u);
	assert_int_equal(b.digest[1], 0x62b821756295c58du);
	digest_of(&b, "a");
	assert_int_equal(b.digest[0], 0xd228cb696f1a8cafu);
	assert_int_equal(b.digest[1], 0x78912b704e4a8964u);
	digest_of(&b, "foobar");
	assert_int_equal(b.digest[0], 0x343e1662793c64bfu);
	assert_int_equal(b.digest[1], 0x6f0d3597ba446f18u);
	digest_of(&parts, "foo");
	joust_digest(&parts, "bar", 3);
	assert_memory_equal(parts.digest, b.digest, sizeof(b.digest));
	digest_of(&parts, "barfoo");
	assert_memory_not_equal(parts.digest, b.digest, sizeof(b.digest));
}

static int file_of(const char *text)
{
	int fd = memfd_create("peak", MFD_CLOEXEC);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void an_untimed_section_has_a_peak_of_its_own(void **state)
{
	struct joust_peak p;
	int fd = file_of("9000\n");
	char byte = 0;

	(void)state;
	joust_peak__take(&p, PEAK_KIND_GROUP, &fd);
	joust_peak__rehearse(&p); /* set-up's peak is nobody's */
	assert_int_equal(joust_peak__most(&p), 0);
	assert_int_equal(pwrite(fd, "7000", 4, 0), 4);
	joust_peak__pause(&p);
	assert_int_equal(joust_peak__most(&p), 7000);
	joust_peak__resume(&p);
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, '0');
	assert_int_equal(pwrite(fd, "6000", 4, 0), 4);
	joust_peak__pause(&p);
	assert_int_equal(joust_peak__most(&p), 7000);
	close(fd);
	joust_peak__pause(&p); /* cannot be read any more */
	assert_true(joust_peak__most(&p) == UINT64_MAX);
}

static void a_resident_peak_is_a_line_of_the_status(void **state)
{
	struct joust_peak p;
	int fds[] = {file_of("Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t      12 kB\n"), file_of("-")};
	char byte = 0;

	(void)state;
	assert_int_equal(joust_peak_fds(PEAK_KIND_RESIDENT), 2);
	joust_peak__take(&p, PEAK_KIND_RESIDENT, fds);
	joust_peak__pause(&p);
	assert_int_equal(joust_peak__most(&p), 12 * 1024);
	joust_peak__resume(&p);
	assert_int_equal(pread(fds[1], &byte, 1, 0), 1);
	assert_int_equal(byte, '5');
	assert_int_equal(ftruncate(fds[0], 10), 0);
	joust_peak__pause(&p);
	assert_true(joust_peak__most(&p) == UINT64_MAX);
	close(fds[0]);
	close(fds[1]);
}

static void a_peak_that_nobody_asked_for_is_not_read(void **state)
{
	struct joust_peak p;

	(void)state;
	joust_peak__take(&p, PEAK_KIND_NONE, NULL);
	joust_peak__pause(&p);
	joust_peak__resume(&p);
	assert_int_equal(joust_peak__most(&p), 0);
	assert_int_equal(joust_peak_fds(PEAK_KIND_CNT), 0);
}

/* The least of the windows, without the tenth that was burnt in it. */
static void what_is_burnt_follows_from_the_window_before(void **state)
{
	static const struct frame_sample sample = {
		.n = 10, .k = 5, .cpu_ns = {1101, 1100, 99999, 1200, 1110}};
	static const struct frame_sample slower = {.n = 10, .k = 1, .cpu_ns = {2000}};
	struct joust_burn burn = {.steps_per_ns = 2};

	(void)state;
	assert_int_equal(joust_burn__steps(&burn, 20, 50000), 0);
	joust_burn__learn(&burn, &sample, 100000);
	joust_burn__learn(&burn, &slower, 100000);
	assert_true(fabs(burn.iteration_ns - 100) < 1e-9);
	assert_in_range(joust_burn__steps(&burn, 20, 50000), 199, 200);
	assert_int_equal(joust_burn__steps(&burn, 20, 0), 0);
	assert_true(measure_steps() > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_burnt_follows_from_the_window_before),
		cmocka_unit_test(slices_are_the_differences_of_k_plus_1_readings),
		cmocka_unit_test(counters_are_differences_over_the_window),
		cmocka_unit_test(several_threads_are_summed_up),
		cmocka_unit_test(what_undeclared_threads_use_is_said),
		cmocka_unit_test(what_children_use_is_said),
		cmocka_unit_test(one_slice_may_have_the_process_clock),
		cmocka_unit_test(untimed_sections_are_subtracted_from_their_slice),
		cmocka_unit_test(misuse_is_reported),
		cmocka_unit_test(digest_is_fnv_1a),
		cmocka_unit_test(an_untimed_section_has_a_peak_of_its_own),
		cmocka_unit_test(a_resident_peak_is_a_line_of_the_status),
		cmocka_unit_test(a_peak_that_nobody_asked_for_is_not_read),
	};

	return cmocka_run_group_tests_name("libjoust", tests, NULL, NULL);
}
