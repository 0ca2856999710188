/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations with a worker program that links libjoust: tests/cli/prog_worker.c. */
#include "test_link_fixture.h"

/* FNV-1a of 128 bits, written anew so that it checks libjoust's. */
static void expect_digest(const struct frame_done *d, const void *data, size_t len)
{
	__extension__ typedef unsigned __int128 u128;
	u128 hash = (u128)0x6c62272e07bb0142u << 64 | 0x62b821756295c58du;
	u128 prime = (u128)1 << 88 | 0x13b;
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * prime;
	assert_int_equal(d->has_digest, 1);
	assert_int_equal(d->digest[0], (uint64_t)(hash >> 64));
	assert_int_equal(d->digest[1], (uint64_t)hash);
}

static void list_gives_every_name_in_order(void **state)
{
	struct worker *w = *state;
	const char *first[] = {"plain", "digest: of abc"};
	bool threaded = false;
	struct frame f;
	size_t n = 0;

	assert_int_equal(link__send(&w->link, FRAME_LIST, NULL, 0, NULL, 0), 0);
	for (;; n++) {
		assert_int_equal(try_recv(w, &f), 0);
		if (f.header.type == FRAME_END)
			break;
		assert_int_equal(f.header.type, FRAME_CASE);
		if (n < 2)
			assert_string_equal(f.body.bench.name, first[n]);
		if (!strcmp(f.body.bench.name, "threads: 2"))
			threaded = f.body.bench.threads == 2;
	}
	assert_int_equal(n, 25);
	assert_true(threaded);
	assert_int_equal(stop(w).has_digest, 0);
}

static void body_runs_once_over_many_windows(void **state)
{
	struct worker *w = *state;
	unsigned bodies = 1;
	struct frame_done done;

	open_ready(w, "plain");
	for (uint32_t k = 1; k <= PROTOCOL_SLICES_MAX; k++)
		(void)window(w, 10 * k, k);
	done = stop(w);
	expect_digest(&done, &bodies, sizeof(bodies));
}

static void slices_have_exactly_n_iterations(void **state)
{
	struct worker *w = *state;
	uint64_t counts[2] = {2 * 7 + 3 * 10, 2 * 3 + 3 * 5};
	struct frame_done done;

	open_ready(w, "continues");
	(void)window(w, 7, 2);
	(void)window(w, 10, 3);
	done = stop(w);
	expect_digest(&done, counts, sizeof(counts));
}

static void nothing_runs_between_windows(void **state)
{
	struct worker *w = *state;
	struct frame_sample a, b;
	uint64_t sum = 0;

	open_ready(w, "timed: 20 ms");
	a = window(w, 1, 3);
	b = window(w, 1, 3);
	for (size_t i = 0; i < 3; i++)
		sum += a.cpu_ns[i];
	assert_int_equal(sum, a.cpu_after_ns - a.cpu_before_ns);
	assert_true(b.cpu_before_ns >= a.cpu_after_ns);
	assert_true(b.cpu_before_ns - a.cpu_after_ns < 20000000);
}

static void digest_is_over_all_bytes_in_order(void **state)
{
	struct worker *w = *state;
	struct frame_done done;

	open_ready(w, "digest: of abc");
	(void)window(w, 1, 1);
	done = stop(w);
	expect_digest(&done, "abc", 3);
}

static void untimed_sections_are_subtracted(void **state)
{
	struct worker *w = *state;
	struct frame_sample s;

	open_ready(w, "untimed: 20 ms");
	s = window(w, 2, 2);
	for (size_t i = 0; i < 2; i++)
		assert_true(s.cpu_ns[i] < 10000000);
	/* they did run: the window's clock has them */
	assert_true(s.cpu_after_ns - s.cpu_before_ns >= 4 * 20000000);
}

/* Two threads that are there from the start to the end: their own clocks, exact in every slice. */
static void threads_are_timed_by_their_own_clocks(void **state)
{
	struct worker *w = *state;
	struct frame_sample s;

	open_ready(w, "threads: 2");
	s = window(w, 2, 2);
	assert_int_equal(s.cpu, CPU_THREADS);
	for (size_t i = 0; i < 2; i++)
		assert_true(s.cpu_ns[i] >= 2 * 5000000);
	assert_int_equal(s.threads_cnt, 2);
	assert_true(s.thread[1].cpu_ns >= 4 * 5000000);
	assert_true(s.thread[0].cpu_ns < s.thread[1].cpu_ns);
	/* the sum of the slices is that of the rows, but for the readings at the ends */
	assert_true(s.cpu_ns[0] + s.cpu_ns[1] <= s.thread[0].cpu_ns + s.thread[1].cpu_ns);
	assert_int_equal(stop(w).has_digest, 0);
}

/* Born and dead in the window: only the process clock saw them, and only at its ends. */
static void threads_that_come_and_go_need_the_process_clock(void **state)
{
	struct worker *w = *state;
	struct frame_sample s;

	open_ready(w, "threads: born and dead");
	s = window(w, 3, 1);
	assert_int_equal(s.cpu, CPU_PROCESS);
	assert_true(s.cpu_ns[0] >= 3 * 5000000);
	s = window(w, 1, 2);
	assert_int_equal(s.cpu, CPU_UNKNOWN);
	assert_int_equal(stop(w).has_digest, 0);
}

/* The same without saying so: what the benchmark's own clock shows is not all. */
static void undeclared_threads_are_found(void **state)
{
	struct worker *w = *state;
	struct frame_sample s;

	open_ready(w, "threads: undeclared");
	s = window(w, 2, 1);
	assert_int_equal(s.cpu, CPU_THREAD);
	assert_true(s.foreign_cpu_ns >= 2 * 5000000 - 100000);
	assert_int_equal(stop(w).has_digest, 0);
}

static void children_are_found(void **state)
{
	struct worker *w = *state;
	struct frame_sample s;

	open_ready(w, "children: waited for");
	s = window(w, 2, 1);
	/* each of the two times of each child is cut to a microsecond */
	assert_true(s.foreign_cpu_ns >= 2 * (5000000 - 2000));
	assert_int_equal(stop(w).has_digest, 0);
}

static void parameters_reach_the_body(void **state)
{
	struct worker *w = *state;
	char bytes[5 + sizeof(long)] = "large";
	long indent = 2;
	struct frame_done done;

	memcpy(bytes + 5, &indent, sizeof(indent));
	open_ready(w, "params/doc=large/indent=2");
	done = stop(w);
	expect_digest(&done, bytes, sizeof(bytes));
}

static void descriptor_is_hidden_from_the_body(void **state)
{
	open_ready(*state, "environment");
	(void)stop(*state);
}

/* What OPEN is answered with when the body does not get as far as its loop. */
static void answers_to_open(void **state)
{
	static const struct {
		const char *name, *text;
		enum frame_type type;
	} cases[] = {
		{"skips", "not on this machine", FRAME_SKIP},
		{"fails", "no file large.json", FRAME_FAIL},
		{"no loop", "no JOUST_LOOP", FRAME_FAIL},
		{"no number/indent=2x", "parameter \"indent\" is \"2x\", not a number", FRAME_FAIL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worker *w;

		(void)start(state);
		w = *state;
		send_open(w, cases[i].name);
		expect_text(w, cases[i].type, cases[i].text);
		expect_end(w);
		assert_int_equal(ended(w), 0);
		(void)finish(state);
	}
}

static void loop_that_is_left_early_is_a_failure(void **state)
{
	static const char *const names[][2] = {
		{"breaks", "break out of JOUST_LOOP"},
		{"returns", "return or goto out of JOUST_LOOP"},
	};

	for (size_t i = 0; i < 2; i++) {
		(void)start(state);
		open_ready(*state, names[i][0]);
		send_window(*state, 2, 1);
		expect_text(*state, FRAME_FAIL, names[i][1]);
		expect_end(*state);
		(void)finish(state);
	}
}

static void failure_after_the_loop_answers_stop(void **state)
{
	static const char *const names[][2] = {
		{"fails: after the loop", "the result is wrong"},
		{"two loops", "more than one JOUST_LOOP in a body"},
	};

	for (size_t i = 0; i < 2; i++) {
		(void)start(state);
		open_ready(*state, names[i][0]);
		(void)window(*state, 1, 1);
		send_stop(*state);
		expect_text(*state, FRAME_FAIL, names[i][1]);
		expect_end(*state);
		(void)finish(state);
	}
}

static void crash_ends_the_stream_without_an_answer(void **state)
{
	struct worker *w = *state;
	int status;

	open_ready(w, "crashes");
	send_window(w, 1, 1);
	expect_end(w);
	status = ended(w);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void worker_goes_when_the_engine_is_gone(void **state)
{
	struct worker *w = *state;

	open_ready(w, "plain");
	(void)window(w, 1, 1);
	(void)shutdown(w->link.fd, SHUT_RDWR);
	assert_int_equal(WEXITSTATUS(ended(w)), 1);
}

static void bad_windows_are_refused(void **state)
{
	static const struct frame_window windows[] = {
		{.n = 0, .k = 1}, {.n = 1, .k = 0}, {.n = 1, .k = 17}};

	for (size_t i = 0; i < 3; i++) {
		struct frame f;

		(void)start(state);
		open_ready(*state, "plain");
		send_window(*state, windows[i].n, windows[i].k);
		expect(*state, FRAME_FAIL, &f);
		assert_non_null(strstr(f.body.text.text, "a window of"));
		(void)finish(state);
	}
}

static void unknown_name_is_refused(void **state)
{
	send_open(*state, "plein");
	expect_text(*state, FRAME_FAIL, "no benchmark \"plein\" in this program");
}

static void frames_out_of_order_are_refused(void **state)
{
	struct frame f;

	(void)start(state);
	send_window(*state, 1, 1);
	expect(*state, FRAME_FAIL, &f);
	(void)finish(state);

	(void)start(state);
	open_ready(*state, "plain");
	send_open(*state, "plain");
	expect(*state, FRAME_FAIL, &f);
	(void)finish(state);
}

/* A worker checks as strictly as the engine does: each of these ends the conversation. */
static void broken_frames_of_the_engine_are_refused(void **state)
{
	for (int field = 0; field < 4; field++) {
		struct frame_header h = {
			.magic = PROTOCOL_MAGIC + (field == 0),
			.version = PROTOCOL_VERSION + (field == 1),
			.type = FRAME_LIST,
			.seq = 1 + (field == 2),
			.len = field == 3,
			.nonce = NONCE,
		};
		struct worker *w;
		struct frame f;

		(void)start(state);
		w = *state;
		assert_int_equal(send(w->link.fd, &h, sizeof(h), MSG_NOSIGNAL), sizeof(h));
		if (field != 0) /* a stranger gets no answer */
			expect(w, FRAME_FAIL, &f);
		expect_end(w);
		assert_int_equal(WEXITSTATUS(ended(w)), 1);
		(void)finish(state);
	}
}

#define T(test) cmocka_unit_test_setup_teardown(test, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(list_gives_every_name_in_order),
		T(body_runs_once_over_many_windows),
		T(slices_have_exactly_n_iterations),
		T(nothing_runs_between_windows),
		T(digest_is_over_all_bytes_in_order),
		T(untimed_sections_are_subtracted),
		T(threads_are_timed_by_their_own_clocks),
		T(threads_that_come_and_go_need_the_process_clock),
		T(undeclared_threads_are_found),
		T(children_are_found),
		T(parameters_reach_the_body),
		T(descriptor_is_hidden_from_the_body),
		cmocka_unit_test(answers_to_open),
		cmocka_unit_test(loop_that_is_left_early_is_a_failure),
		cmocka_unit_test(failure_after_the_loop_answers_stop),
		T(crash_ends_the_stream_without_an_answer),
		T(worker_goes_when_the_engine_is_gone),
		cmocka_unit_test(bad_windows_are_refused),
		T(unknown_name_is_refused),
		cmocka_unit_test(frames_out_of_order_are_refused),
		cmocka_unit_test(broken_frames_of_the_engine_are_refused),
	};

	return cmocka_run_group_tests_name("link_worker", tests, NULL, NULL);
}
