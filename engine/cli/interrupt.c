/* SPDX-License-Identifier: BSD-2-Clause */
#include "interrupt.h"
#include <errno.h>
#include <sys/signalfd.h>

/*
 * The signals to wait for. An ignored one is left out: blocked, it would be queued all the same and
 * end a run that was started with nohup.
 */
static void wanted(sigset_t *ret)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;

	sigemptyset(ret);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(ret, signals[i]);
}

int interrupt__open(struct interrupt *ret)
{
	sigset_t set;
	AUTO_FD int fd = -1;

	*ret = (struct interrupt){.fd = -1};
	wanted(&set);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0 || sigprocmask(SIG_BLOCK, &set, &ret->old_mask))
		return -errno;
	ret->fd = TAKE_FD(fd);
	return 0;
}

bool interrupt__seen(struct interrupt *i)
{
	struct signalfd_siginfo info;

	if (!i->signal && i->fd >= 0 && read(i->fd, &info, sizeof(info)) == sizeof(info))
		i->signal = (int)info.ssi_signo;
	return i->signal;
}

int interrupt_exit(const struct interrupt *i)
{
	return i->signal ? (int)problem_exit_of_signal(i->signal) : 0;
}

/* What came after the last look had nothing left to stop; unblocked it would end the report. */
static void drain(const struct interrupt *i)
{
	struct signalfd_siginfo info;

	while (read(i->fd, &info, sizeof(info)) == sizeof(info))
		;
}

void interrupt__done(struct interrupt *i)
{
	if (i->fd < 0)
		return;
	drain(i);
	(void)close(i->fd); /* nothing was written to it */
	i->fd = -1;
	(void)sigprocmask(SIG_SETMASK, &i->old_mask, NULL); /* cannot fail with a valid `how` */
}
