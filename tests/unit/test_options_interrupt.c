/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include "../../engine/cli/interrupt.h"
#include "../../engine/cli/watch.h"

static bool readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void signals_are_seen_once_and_remembered(void **state)
{
	static const int rows[][2] = {
		{SIGINT, EXIT_SIGINT}, {SIGTERM, EXIT_SIGTERM}, {SIGHUP, EXIT_SIGHUP}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(interrupt__done) struct interrupt in;

		assert_int_equal(interrupt__open(&in), 0);
		assert_false(readable(in.fd));
		assert_false(interrupt__seen(&in));
		assert_int_equal(interrupt_exit(&in), 0);
		assert_int_equal(raise(rows[i][0]), 0);
		assert_true(readable(in.fd));
		assert_true(interrupt__seen(&in));
		assert_true(interrupt__seen(&in));
		assert_int_equal(interrupt_exit(&in), rows[i][1]);
	}
}

static void the_first_signal_decides(void **state)
{
	CLEANUP(interrupt__done) struct interrupt in;

	(void)state;
	assert_int_equal(interrupt__open(&in), 0);
	assert_int_equal(raise(SIGTERM), 0);
	assert_true(interrupt__seen(&in));
	assert_int_equal(raise(SIGINT), 0);
	assert_true(interrupt__seen(&in));
	assert_int_equal(interrupt_exit(&in), EXIT_SIGTERM);
	/* pending ones must not hit this process when the mask is restored */
	assert_int_equal(signal(SIGINT, SIG_IGN) == SIG_ERR, 0);
	interrupt__done(&in);
	assert_int_equal(signal(SIGINT, SIG_DFL) == SIG_ERR, 0);
}

/* As under nohup: the signal must neither end joust nor count as an interrupt. */
static void ignored_signals_stay_ignored(void **state)
{
	CLEANUP(interrupt__done) struct interrupt in;

	(void)state;
	assert_int_equal(signal(SIGHUP, SIG_IGN) == SIG_ERR, 0);
	assert_int_equal(interrupt__open(&in), 0);
	assert_int_equal(raise(SIGHUP), 0);
	assert_false(interrupt__seen(&in));
	assert_int_equal(raise(SIGINT), 0);
	assert_true(interrupt__seen(&in));
	assert_int_equal(interrupt_exit(&in), EXIT_SIGINT);
	assert_int_equal(signal(SIGHUP, SIG_DFL) == SIG_ERR, 0);
}

static void the_mask_comes_back(void **state)
{
	struct interrupt in;
	sigset_t before, during, after;

	(void)state;
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
	assert_int_equal(interrupt__open(&in), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &during), 0);
	assert_true(sigismember(&during, SIGINT) && sigismember(&during, SIGTERM));
	interrupt__done(&in);
	interrupt__done(&in);
	assert_int_equal(in.fd, -1);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &after), 0);
	for (int s = 1; s < 32; s++)
		assert_int_equal(sigismember(&before, s), sigismember(&after, s));
}

static void the_run_loop_sees_it_through_its_callback(void **state)
{
	struct watch w = {.progress = {.mode = PROGRESS_NONE}};

	(void)state;
	assert_int_equal(interrupt__open(&w.interrupt), 0);
	watch_progress(&w, &(struct run_progress){.stage = 1});
	assert_false(watch_interrupted(&w));
	assert_int_equal(raise(SIGINT), 0);
	assert_true(watch_interrupted(&w));
	interrupt__done(&w.interrupt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_are_seen_once_and_remembered),
		cmocka_unit_test(the_first_signal_decides),
		cmocka_unit_test(ignored_signals_stay_ignored),
		cmocka_unit_test(the_mask_comes_back),
		cmocka_unit_test(the_run_loop_sees_it_through_its_callback),
	};

	/* A shell starts what runs in its background with the interrupt ignored. */
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGTERM, SIG_DFL);
	(void)signal(SIGHUP, SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
