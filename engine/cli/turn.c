/* SPDX-License-Identifier: BSD-2-Clause */
#include "turn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include "../host/cpulock.h"

#define LOCK_FILE "cpus.lock"
#define LOOK_MSEC 200

/* Beside the directories of all projects. */
static int open_lock(const struct session *s)
{
	AUTO_FREE char *path = NULL;
	int fd;

	if (asprintf(&path, "%s/../" LOCK_FILE, s->state_dir) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

static void say(struct session *s, const struct cpulock_holder *h)
{
	progress__clear(&s->watch.progress);
	if (h->pid)
		fprintf(stderr,
			"joust: another joust (pid %d) measures on CPU %d; waiting for its end\n",
			(int)h->pid, h->cpu);
	else
		fprintf(stderr, "joust: another joust measures on CPU %d; waiting for its end\n",
			h->cpu);
}

static int wait_turn(struct session *s, const cpu_set_t *cpus)
{
	struct cpulock_holder holder = {0};
	bool said = false;
	int err;

	while ((err = cpulock__try(s->turn_fd, cpus, &holder)) == -EAGAIN) {
		struct pollfd interrupt = {.fd = s->watch.interrupt.fd, .events = POLLIN};

		if (!said)
			say(s, &holder);
		said = true;
		(void)poll(&interrupt, 1, LOOK_MSEC); /* locks have no descriptor to wait for */
		if (watch_interrupted(&s->watch))
			return -EINTR;
	}
	return err;
}

int turn__take(struct session *s)
{
	cpu_set_t cpus;
	int err;

	if (s->turn_taken)
		return 0;
	s->turn_taken = true;
	s->turn_fd = open_lock(s);
	err = s->turn_fd < 0 ? s->turn_fd : sched_getaffinity(0, sizeof(cpus), &cpus) ? -errno : 0;
	if (!err)
		err = wait_turn(s, &cpus);
	if (!err || err == -EINTR)
		return err;
	return record__note(&s->rec,
			    "whether another joust measures on the same CPUs cannot be told: %s",
			    strerror(-err))
		       ? problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory")
		       : 0;
}
