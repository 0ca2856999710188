/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define GRACE_S 2 /* as much as a child has */

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDS_CNT (sizeof(ends) / sizeof(ends[0]))
_Static_assert(ENDS_CNT == GIT_ENDS, "the actions that are kept");

static volatile sig_atomic_t status;

/*
 * The signal stays pending for the descriptor that the engine polls; all it does here is that a system
 * call which waits returns EINTR. The alarm is for a call that begins to wait just now, or begins again.
 */
static void on_end(int sig, siginfo_t *info, void *context)
{
	ucontext_t *after = context;

	(void)info;
	status = (sig_atomic_t)problem_exit_of_signal(sig);
	for (size_t i = 0; i < ENDS_CNT; i++)
		(void)sigaddset(&after->uc_sigmask, ends[i]); /* cannot fail for these */
	(void)kill(getpid(), sig); /* blocked while we are here, and by the mask afterwards */
	(void)alarm(GRACE_S);	   /* there was none */
}

static void on_alarm(int sig)
{
	(void)sig;
	_exit((int)status);
}

struct git_calls git_calls_begin(void)
{
	struct sigaction end = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO};
	const struct sigaction late = {.sa_handler = on_alarm};
	struct git_calls c = {0};
	sigset_t open;

	/* None of these calls can fail: the signals and the sets are valid. */
	(void)sigprocmask(SIG_BLOCK, NULL, &c.mask);
	(void)sigemptyset(&open);
	(void)sigemptyset(&end.sa_mask);
	for (size_t i = 0; i < ENDS_CNT; i++) {
		(void)sigaddset(&end.sa_mask, ends[i]);
		if (sigismember(&c.mask, ends[i]) != 1)
			continue;
		(void)sigaddset(&open, ends[i]);
		c.active = true;
	}
	if (!c.active)
		return c;
	(void)sigaddset(&open, SIGALRM);
	(void)sigaddset(&end.sa_mask, SIGALRM);
	for (size_t i = 0; i < ENDS_CNT; i++)
		if (sigismember(&open, ends[i]) == 1)
			(void)sigaction(ends[i], &end, &c.end[i]);
	(void)sigaction(SIGALRM, &late, &c.alarm);
	(void)sigprocmask(SIG_UNBLOCK, &open, NULL);
	return c;
}

void git_calls_end(struct git_calls *c)
{
	if (!c->active)
		return;
	(void)alarm(0);
	(void)sigprocmask(SIG_SETMASK, &c->mask, NULL);
	for (size_t i = 0; i < ENDS_CNT; i++)
		if (sigismember(&c->mask, ends[i]) == 1)
			(void)sigaction(ends[i], &c->end[i], NULL);
	(void)sigaction(SIGALRM, &c->alarm, NULL);
}
