/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Workers that keep the protocol and workers that break it: this program runs itself again with a
 * role as its argument. libjoust is not involved, so a fault of it cannot hide one of ours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "engine/host/perf_probe.h"
#include "engine/worker/worker.h"
#include "engine/util/clock.h"

#define LONG_NS	 UINT64_C(60000000000) /* never reached unless something is broken */
#define SHORT_NS UINT64_C(200000000)   /* for answers that never come */
#define FD	 3

/* ---- Roles: the other end, by hand ---- */

static int stay(void)
{
	(void)alarm(120); /* should a failed test leave it behind */
	for (;;)
		(void)pause();
	return 0;
}

static struct frame_header last; /* of the engine */
static struct frame_window window;
static uint32_t sent;

/* 0 at the end of the stream; the type of the frame else. */
static unsigned hear(void)
{
	char buf[PROTOCOL_FRAME_MAX];
	ssize_t len = recv(FD, buf, sizeof(buf), 0);

	if (len < (ssize_t)sizeof(last))
		return 0;
	memcpy(&last, buf, sizeof(last));
	if (last.type == FRAME_WINDOW)
		memcpy(&window, buf + sizeof(last), sizeof(window));
	return last.type;
}

static void answer_as(struct frame_header h, const void *body, size_t len)
{
	char buf[PROTOCOL_FRAME_MAX];

	memcpy(buf, &h, sizeof(h));
	if (len)
		memcpy(buf + sizeof(h), body, len);
	(void)send(FD, buf, sizeof(h) + len, MSG_NOSIGNAL);
}

static struct frame_header header_of(enum frame_type type, size_t len)
{
	return (struct frame_header){.magic = PROTOCOL_MAGIC,
				     .version = PROTOCOL_VERSION,
				     .type = (uint16_t)type,
				     .seq = ++sent,
				     .len = (uint32_t)len,
				     .nonce = last.nonce};
}

static void answer(enum frame_type type, const void *body, size_t len)
{
	answer_as(header_of(type, len), body, len);
}

static void answer_text(enum frame_type type, const char *words)
{
	struct frame_text t = {0};

	(void)snprintf(t.text, sizeof(t.text), "%s", words);
	answer(type, &t, sizeof(t));
}

static struct frame_sample sound_sample(void)
{
	struct frame_sample s = {.n = window.n, .k = window.k, .cpu_after_ns = 1000000};

	for (uint32_t i = 0; i < window.k && i < PROTOCOL_SLICES_MAX; i++)
		s.cpu_ns[i] = s.wall_ns[i] = 1000 + i;
	return s;
}

static void answer_window(void)
{
	struct frame_sample s = sound_sample();

	answer(FRAME_SAMPLE, &s, sizeof(s));
}

/* Up to the loop, as a sound worker does. */
static void reach_loop(void)
{
	(void)hear();
	answer(FRAME_READY, NULL, 0);
	(void)hear();
}

static void answer_list(void)
{
	struct frame_case c = {.threads = 1};

	for (int i = 0; i < 3; i++) {
		(void)snprintf(c.name, sizeof(c.name), "case %d", i);
		answer(FRAME_CASE, &c, sizeof(c));
	}
	answer(FRAME_END, NULL, 0);
}

static int many_cases(uint32_t cnt, uint32_t threads)
{
	struct frame_case c = {.threads = threads};

	(void)hear();
	for (uint32_t i = 0; i < cnt; i++) {
		(void)snprintf(c.name, sizeof(c.name), "case %u", i);
		answer(FRAME_CASE, &c, sizeof(c));
	}
	answer(FRAME_END, NULL, 0);
	return stay();
}

static int role_full(void)
{
	return many_cases(PROTOCOL_CASES_MAX, PROTOCOL_DECLARED_MAX);
}

static int role_flood(void)
{
	return many_cases(PROTOCOL_CASES_MAX + 1, 1);
}

static int role_threads(void)
{
	return many_cases(1, PROTOCOL_DECLARED_MAX + 1);
}

static const struct frame_done digest = {.has_digest = 1, .digest = {17, 23}};

static int role_sound(void)
{
	for (;;) {
		switch (hear()) {
		case FRAME_LIST:
			answer_list();
			break;
		case FRAME_OPEN:
			answer(FRAME_READY, NULL, 0);
			break;
		case FRAME_WINDOW:
			answer_window();
			break;
		case FRAME_STOP:
			answer(FRAME_DONE, &digest, sizeof(digest));
			return 0;
		default:
			return 1;
		}
	}
}

/* Says that it has burnt what was asked for. */
static int role_burns(void)
{
	struct frame_sample s;

	reach_loop(); /* its second frame is the window */
	s = sound_sample();
	s.inject_ppm = window.inject_ppm;
	answer(FRAME_SAMPLE, &s, sizeof(s));
	return 0;
}

static int role_garbage(void)
{
	char junk[4096];

	(void)hear();
	memset(junk, 0xa5, sizeof(junk));
	(void)send(FD, junk, sizeof(junk), MSG_NOSIGNAL);
	(void)hear();
	return 0;
}

static int role_wrong_sequence(void)
{
	(void)hear();
	sent = 6;
	answer(FRAME_READY, NULL, 0);
	(void)hear();
	return 0;
}

static int role_wrong_nonce(void)
{
	struct frame_header h;

	(void)hear();
	h = header_of(FRAME_READY, 0);
	h.nonce ^= 1;
	answer_as(h, NULL, 0);
	(void)hear();
	return 0;
}

static int role_replay(void)
{
	(void)hear();
	answer(FRAME_READY, NULL, 0);
	(void)hear();
	sent--;
	answer_window();
	(void)hear();
	return 0;
}

static int role_lying_length(void)
{
	struct frame_header h;

	(void)hear();
	h = header_of(FRAME_READY, 0);
	h.len = 0xffffffffu;
	answer_as(h, NULL, 0);
	(void)hear();
	return 0;
}

static int role_unexpected(void)
{
	(void)hear();
	answer(FRAME_DONE, &digest, sizeof(digest));
	(void)hear();
	return 0;
}

static int role_close_and_live(void)
{
	(void)hear();
	(void)close(FD);
	return stay();
}

static int role_hang(void)
{
	reach_loop();
	return stay();
}

static int role_stopped(void)
{
	reach_loop();
	(void)raise(SIGSTOP);
	return 0;
}

static int role_segv(void)
{
	reach_loop();
	(void)fprintf(stderr, "about to fault\n");
	(void)signal(SIGSEGV, SIG_DFL); /* a sanitizer would turn it into an exit */
	(void)raise(SIGSEGV);
	return 0;
}

static int role_killed(void)
{
	reach_loop();
	(void)raise(SIGKILL);
	return 0;
}

static int role_exit_early(void)
{
	reach_loop();
	return 0;
}

static int role_exit_3(void)
{
	reach_loop();
	return 3;
}

static int role_fail(void)
{
	(void)hear();
	answer_text(FRAME_FAIL, "data/large.json: no such file");
	return 1;
}

static int role_no_loop(void)
{
	(void)hear();
	answer_text(FRAME_FAIL, "no JOUST_LOOP");
	return 1;
}

static int role_loopy(void)
{
	(void)hear();
	answer_text(FRAME_FAIL, "no JOUST_LOOP was seen in the input");
	return 1;
}

static int role_skip(void)
{
	(void)hear();
	answer_text(FRAME_SKIP, "needs AVX-512");
	return 0;
}

/* What a sample may not say. */
static int bad_sample(void (*spoil)(struct frame_sample *s))
{
	struct frame_sample s;

	reach_loop();
	s = sound_sample();
	spoil(&s);
	answer(FRAME_SAMPLE, &s, sizeof(s));
	(void)hear();
	return 0;
}

static void spoil_n(struct frame_sample *s)
{
	s->n = 0;
}

static void spoil_zero(struct frame_sample *s)
{
	s->cpu_ns[1] = 0;
}

static void spoil_huge(struct frame_sample *s)
{
	s->cpu_ns[1] = UINT64_C(1) << 63;
}

static int role_zero_iterations(void)
{
	return bad_sample(spoil_n);
}

static int role_zero_time(void)
{
	return bad_sample(spoil_zero);
}

static int role_huge_time(void)
{
	return bad_sample(spoil_huge);
}

static int until_stop(void)
{
	reach_loop();
	answer_window();
	(void)hear();
	answer(FRAME_DONE, &digest, sizeof(digest));
	return 0;
}

static int role_bad_end(void)
{
	(void)until_stop();
	return 4;
}

static int role_never_end(void)
{
	(void)until_stop();
	return stay();
}

static int role_leave_process(void)
{
	(void)hear();
	if (fork() == 0) {
		(void)setsid();
		(void)close(FD);
		stay();
	}
	answer(FRAME_READY, NULL, 0);
	(void)hear();
	answer_window();
	(void)hear();
	answer(FRAME_DONE, &digest, sizeof(digest));
	return 0;
}

/* Never reads: the socket fills up. */
static int role_deaf(void)
{
	return stay();
}

static const struct {
	const char *name;
	int (*run)(void);
} roles[] = {
	{"sound", role_sound},
	{"burns", role_burns},
	{"full", role_full},
	{"flood", role_flood},
	{"threads", role_threads},
	{"garbage", role_garbage},
	{"wrong-sequence", role_wrong_sequence},
	{"wrong-nonce", role_wrong_nonce},
	{"replay", role_replay},
	{"lying-length", role_lying_length},
	{"unexpected", role_unexpected},
	{"close-and-live", role_close_and_live},
	{"hang", role_hang},
	{"stopped", role_stopped},
	{"segv", role_segv},
	{"killed", role_killed},
	{"exit-early", role_exit_early},
	{"exit-3", role_exit_3},
	{"fail", role_fail},
	{"no-loop", role_no_loop},
	{"loopy", role_loopy},
	{"skip", role_skip},
	{"zero-iterations", role_zero_iterations},
	{"zero-time", role_zero_time},
	{"huge-time", role_huge_time},
	{"bad-end", role_bad_end},
	{"never-end", role_never_end},
	{"leave-process", role_leave_process},
	{"deaf", role_deaf},
};

static int play(const char *name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (!strcmp(roles[i].name, name))
			return roles[i].run();
	return 99;
}

/* ---- Helpers ---- */

static void start(struct worker *w, const char *role, uint64_t timeout_ns, int interrupt_fd)
{
	static const char *const env[] = {PROTOCOL_FD_ENV "=3", "ASAN_OPTIONS=handle_segv=0", NULL};
	const char *argv[] = {"worker", role, NULL};
	const struct child_spec spec = {.path = "/proc/self/exe",
					.argv = argv,
					.envp = env,
					.protocol_fd = -1,
					.output_fd = -1};

	assert_int_equal(worker__start(w, &spec, timeout_ns, interrupt_fd), WORKER_OK);
}

/* Open, one window, stop: the result of the first step that is not well. */
static enum worker_result drive(struct worker *w, struct frame_sample *ret_sample,
				struct frame_done *ret_done)
{
	enum worker_result r = worker__open(w, "a case", NULL);

	if (r == WORKER_OK)
		r = worker__window(w, 1000, 5, ret_sample);
	if (r == WORKER_OK)
		r = worker__stop(w, ret_done);
	return r;
}

static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* ---- Tests ---- */

static const struct broken {
	const char *role;
	uint64_t timeout_ns;
	enum worker_result result;
	enum reason why;
	const char *detail; /* a part of it; NULL: none */
} broken[] = {
	{"garbage", LONG_NS, WORKER_FAILED, REASON_PROTOCOL_ERROR, ""},
	{"wrong-sequence", LONG_NS, WORKER_FAILED, REASON_PROTOCOL_ERROR, ""},
	{"wrong-nonce", LONG_NS, WORKER_FAILED, REASON_PROTOCOL_ERROR, ""},
	{"replay", LONG_NS, WORKER_FAILED, REASON_PROTOCOL_ERROR, ""},
	{"lying-length", LONG_NS, WORKER_FAILED, REASON_PROTOCOL_ERROR, ""},
	{"unexpected", LONG_NS, WORKER_FAILED, REASON_PROTOCOL_ERROR, "type 20"},
	{"close-and-live", LONG_NS, WORKER_FAILED, REASON_WORKER_CLOSED, NULL},
	{"hang", SHORT_NS, WORKER_FAILED, REASON_TIMEOUT, NULL},
	{"stopped", SHORT_NS, WORKER_FAILED, REASON_TIMEOUT, NULL},
	{"deaf", SHORT_NS, WORKER_FAILED, REASON_TIMEOUT, NULL},
	{"segv", LONG_NS, WORKER_FAILED, REASON_SIGNAL, "SIGSEGV"},
	{"killed", LONG_NS, WORKER_LOST, REASON_KILLED_BY_SYSTEM, "SIGKILL"},
	{"exit-early", LONG_NS, WORKER_FAILED, REASON_EXIT_STATUS, "exit status 0"},
	{"exit-3", LONG_NS, WORKER_FAILED, REASON_EXIT_STATUS, "exit status 3"},
	{"fail", LONG_NS, WORKER_FAILED, REASON_BENCHMARK_FAILED, "no such file"},
	{"no-loop", LONG_NS, WORKER_FAILED, REASON_NO_LOOP, "no JOUST_LOOP"},
	/* the benchmark's own words */
	{"loopy", LONG_NS, WORKER_FAILED, REASON_BENCHMARK_FAILED, "in the input"},
	{"skip", LONG_NS, WORKER_SKIPPED, REASON_SKIPPED, "needs AVX-512"},
	{"zero-iterations", LONG_NS, WORKER_FAILED, REASON_BAD_SAMPLE, ""},
	{"zero-time", LONG_NS, WORKER_FAILED, REASON_BAD_SAMPLE, ""},
	{"huge-time", LONG_NS, WORKER_FAILED, REASON_BAD_SAMPLE, ""},
	{"bad-end", LONG_NS, WORKER_FAILED, REASON_EXIT_STATUS, "exit status 4"},
	{"never-end", SHORT_NS, WORKER_FAILED, REASON_TIMEOUT, NULL},
	{"leave-process", LONG_NS, WORKER_FAILED, REASON_LEFT_PROCESSES, NULL},
};

static void every_bad_end_is_a_reason(void **state)
{
	(void)state;
	for (const struct broken *b = broken; b < broken + sizeof(broken) / sizeof(*b); b++) {
		struct frame_sample sample = {.n = 77};
		struct frame_done done = {.digest = {77}};
		struct worker w;
		enum worker_result r;

		start(&w, b->role, b->timeout_ns, -1);
		r = drive(&w, &sample, &done);
		if (r != b->result || w.reason != b->why)
			fail_msg("%s: result %d, reason %d, detail \"%s\"", b->role, (int)r,
				 (int)w.reason, w.detail ? w.detail : "");
		if (b->detail && !(w.detail && strstr(w.detail, b->detail)))
			fail_msg("%s: \"%s\" lacks \"%s\"", b->role, w.detail ? w.detail : "",
				 b->detail);
		if (!b->detail)
			assert_null(w.detail);
		assert_int_equal(done.digest[0], 77); /* untouched on failure */
		worker__done(&w);
		assert_no_child();
	}
}

static void a_sound_worker_gives_sample_and_digest(void **state)
{
	struct worker w;
	struct frame_sample s;
	struct frame_done done;

	(void)state;
	start(&w, "sound", LONG_NS, -1);
	assert_int_equal(drive(&w, &s, &done), WORKER_OK);
	assert_int_equal(s.n, 1000);
	assert_int_equal(s.k, 5);
	assert_int_equal(s.cpu_ns[4], 1004);
	assert_int_equal(done.digest[1], 23);
	assert_true(w.start_ns > 0);
	assert_int_equal(w.reason, REASON_NONE);
	assert_int_equal(w.child.status, 0);
	worker__done(&w);
	assert_no_child();
}

static void the_first_reason_stays(void **state)
{
	struct worker w;
	struct frame_sample s;
	struct frame_done done;

	(void)state;
	start(&w, "exit-3", LONG_NS, -1);
	assert_int_equal(drive(&w, &s, &done), WORKER_FAILED);
	assert_int_equal(worker__stop(&w, &done), WORKER_FAILED);
	assert_int_equal(w.reason, REASON_EXIT_STATUS);
	assert_string_equal(w.detail, "exit status 3");
	worker__done(&w);
}

static void the_last_words_are_kept(void **state)
{
	struct worker w;
	struct frame_sample s;
	struct frame_done done;
	AUTO_FREE char *text = NULL;

	(void)state;
	start(&w, "segv", LONG_NS, -1);
	assert_int_equal(drive(&w, &s, &done), WORKER_FAILED);
	text = kept_text(&w.child.output);
	assert_non_null(text);
	assert_memory_equal(text, "about to fault\n", 15);
	worker__done(&w);
}

static int count_case(void *arg, const struct frame_case *c)
{
	size_t *cnt = arg;
	char want[16];

	(void)snprintf(want, sizeof(want), "case %zu", (*cnt)++);
	assert_string_equal(c->name, want);
	return 0;
}

static int refuse_case(void *arg, const struct frame_case *c)
{
	(void)arg;
	(void)c;
	return -ENOMEM;
}

static void cases_are_listed_in_order(void **state)
{
	struct worker w;
	struct frame_done done;
	size_t cnt = 0;

	(void)state;
	start(&w, "sound", LONG_NS, -1);
	assert_int_equal(worker__list(&w, count_case, &cnt), WORKER_OK);
	assert_int_equal(cnt, 3);
	assert_int_equal(worker__stop(&w, &done), WORKER_OK);
	worker__done(&w);

	start(&w, "sound", LONG_NS, -1);
	assert_int_equal(worker__list(&w, refuse_case, NULL), WORKER_FAILED);
	worker__done(&w);
	assert_no_child();
}

static void the_interrupt_ends_every_wait(void **state)
{
	struct worker w;
	struct frame_sample s;
	int interrupt[2];

	(void)state;
	assert_int_equal(pipe2(interrupt, O_CLOEXEC), 0);
	start(&w, "hang", LONG_NS, interrupt[0]);
	assert_int_equal(worker__open(&w, "x", NULL), WORKER_OK);
	assert_int_equal(write(interrupt[1], "x", 1), 1);
	assert_int_equal(worker__window(&w, 1, 1, &s), WORKER_INTERRUPTED);
	worker__done(&w);
	assert_no_child();
	close(interrupt[0]);
	close(interrupt[1]);
}

static void a_program_that_cannot_start_is_a_failed_start(void **state)
{
	const char *argv[] = {"x", NULL};
	const struct child_spec spec = {.path = "/nonexistent",
					.argv = argv,
					.envp = argv + 1,
					.protocol_fd = -1,
					.output_fd = -1};
	struct frame_done done;
	struct worker w;

	(void)state;
	assert_int_equal(worker__start(&w, &spec, LONG_NS, -1), WORKER_FAILED);
	assert_int_equal(w.reason, REASON_START_FAILED);
	assert_string_equal(w.detail, strerror(ENOENT));
	assert_int_equal(worker__stop(&w, &done), WORKER_FAILED);
	assert_int_equal(w.reason, REASON_START_FAILED);
	worker__done(&w);
	worker__done(&w);
}

static void zeroed_workers_and_long_names_are_harmless(void **state)
{
	struct worker zeroed = {0}, w;
	char name[PROTOCOL_NAME_MAX + 1];

	(void)state;
	worker__done(&zeroed);
	assert_true(fcntl(0, F_GETFD) >= 0);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	start(&w, "sound", LONG_NS, -1);
	assert_int_equal(worker__open(&w, name, NULL), WORKER_FAILED);
	assert_int_equal(w.reason, REASON_START_FAILED);
	worker__done(&w);
}

/* Its absence is no failure: the worker is opened with or without counters. */
static void counters_are_handed_over_where_they_exist(void **state)
{
	struct perf_tiers tiers;
	struct worker_sources sources = {.tiers = &tiers, .check = true};
	struct worker w;

	(void)state;
	perf_tiers_probe("", NULL, &tiers);
	start(&w, "sound", LONG_NS, -1);
	assert_int_equal(worker__open(&w, "x", &sources), WORKER_OK);
	assert_int_equal(w.group[GROUP_HARDWARE].cnt,
			 tiers.hw == REASON_NONE ? tiers.hw_events : 0);
	assert_int_equal(w.group_missing[GROUP_HARDWARE], tiers.hw);
	assert_int_equal(w.group[GROUP_MISSES].cnt > 0, tiers.misses == REASON_NONE);
	assert_int_equal(w.sw.cnt > 0, w.sw_missing == REASON_NONE);
	worker__done(&w);
	assert_int_equal(w.sw.cnt, 0);
}

static int setup(void **state)
{
	(void)state;
	return child_engine_setup();
}

/* What a foreign program says of itself must not cost the engine more than it can bear. */
static void a_list_has_an_end(void **state)
{
	static const struct {
		const char *role;
		enum worker_result result;
		size_t cnt;
	} cases[] = {
		{"full", WORKER_OK, PROTOCOL_CASES_MAX},
		{"flood", WORKER_FAILED, PROTOCOL_CASES_MAX},
		{"threads", WORKER_FAILED, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct worker w;
		size_t cnt = 0;

		start(&w, cases[i].role, LONG_NS, -1);
		assert_int_equal(worker__list(&w, count_case, &cnt), cases[i].result);
		assert_int_equal(cnt, cases[i].cnt);
		if (cases[i].result != WORKER_OK)
			assert_int_equal(w.reason, REASON_PROTOCOL_ERROR);
		worker__done(&w);
	}
	assert_no_child();
}

static void an_injection_is_burnt_or_refused(void **state)
{
	struct frame_sample sample;
	struct worker w;

	(void)state;
	start(&w, "burns", LONG_NS, -1);
	w.inject_ppm = 10000;
	assert_int_equal(worker__open(&w, "a case", NULL), WORKER_OK);
	assert_int_equal(worker__window(&w, 1000, 5, &sample), WORKER_OK);
	assert_int_equal(sample.inject_ppm, 10000);
	worker__done(&w);

	start(&w, "sound", LONG_NS, -1); /* knows of no injection */
	w.inject_ppm = 10000;
	assert_int_equal(worker__open(&w, "a case", NULL), WORKER_OK);
	assert_int_equal(worker__window(&w, 1000, 5, &sample), WORKER_FAILED);
	assert_int_equal(w.reason, REASON_BAD_SAMPLE);
	assert_non_null(strstr(w.detail, "does not burn"));
	worker__done(&w);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bad_end_is_a_reason),
		cmocka_unit_test(a_sound_worker_gives_sample_and_digest),
		cmocka_unit_test(the_first_reason_stays),
		cmocka_unit_test(the_last_words_are_kept),
		cmocka_unit_test(cases_are_listed_in_order),
		cmocka_unit_test(the_interrupt_ends_every_wait),
		cmocka_unit_test(a_program_that_cannot_start_is_a_failed_start),
		cmocka_unit_test(zeroed_workers_and_long_names_are_harmless),
		cmocka_unit_test(counters_are_handed_over_where_they_exist),
		cmocka_unit_test(a_list_has_an_end),
		cmocka_unit_test(an_injection_is_burnt_or_refused),
	};

	if (argc > 1)
		return play(argv[1]);
	return cmocka_run_group_tests(tests, setup, NULL);
}
