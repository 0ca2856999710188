/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* A worker program that links libjoust, tests/cli/prog_worker.c, and the engine's end of its socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "link.h"

#define NONCE	   42
#define TIMEOUT_MS 20000

struct worker {
	struct link link;
	pid_t pid;
};

static inline void run_worker(int fd)
{
	const char *out = getenv("JOUST_OUT");
	char path[4096], number[16];

	(void)snprintf(path, sizeof(path), "%s/tests/cli/prog_worker", out ? out : ".output");
	(void)snprintf(number, sizeof(number), "%d", fd);
	if (setenv(PROTOCOL_FD_ENV, number, 1) == 0)
		(void)execl(path, path, "--no-such-option", (char *)NULL);
	_exit(127);
}

static inline int start(void **state)
{
	struct worker *w = calloc(1, sizeof(*w));
	int fds[2];

	assert_non_null(w);
	assert_int_equal(link_pair(fds), 0);
	link__init(&w->link, fds[0], NONCE);
	w->pid = fork();
	assert_true(w->pid >= 0);
	if (w->pid == 0)
		run_worker(fds[1]);
	close(fds[1]);
	*state = w;
	return 0;
}

/* How the worker ended: a status of waitpid. */
static inline int ended(struct worker *w)
{
	int status = -1;

	assert_int_equal(waitpid(w->pid, &status, 0), w->pid);
	w->pid = -1;
	return status;
}

static inline int finish(void **state)
{
	struct worker *w = *state;

	close(w->link.fd); /* a worker whose engine is gone goes, too */
	if (w->pid > 0)
		(void)ended(w);
	free(w);
	return 0;
}

static inline int try_recv(struct worker *w, struct frame *ret)
{
	struct pollfd p = {.fd = w->link.fd, .events = POLLIN};

	assert_int_equal(poll(&p, 1, TIMEOUT_MS), 1);
	return link__recv(&w->link, ret);
}

static inline void expect(struct worker *w, enum frame_type type, struct frame *ret)
{
	int err = try_recv(w, ret);

	if (err)
		fail_msg("no frame: %s %s", strerror(-err), w->link.error);
	if (ret->header.type == FRAME_FAIL && type != FRAME_FAIL)
		fail_msg("FAIL: %s", ret->body.text.text);
	assert_int_equal(ret->header.type, type);
}

static inline void expect_text(struct worker *w, enum frame_type type, const char *text)
{
	struct frame f;

	expect(w, type, &f);
	assert_string_equal(f.body.text.text, text);
}

static inline void expect_end(struct worker *w)
{
	struct frame f;

	assert_int_equal(try_recv(w, &f), -ENOTCONN);
}

static inline void send_open(struct worker *w, const char *name)
{
	struct frame_open o = {0};

	strncpy(o.name, name, sizeof(o.name) - 1);
	assert_int_equal(link__send(&w->link, FRAME_OPEN, &o, sizeof(o), NULL, 0), 0);
}

static inline void open_ready(struct worker *w, const char *name)
{
	struct frame f;

	send_open(w, name);
	expect(w, FRAME_READY, &f);
}

static inline void send_window(struct worker *w, uint64_t n, uint32_t k)
{
	struct frame_window window = {.n = n, .k = k};

	assert_int_equal(link__send(&w->link, FRAME_WINDOW, &window, sizeof(window), NULL, 0), 0);
}

static inline struct frame_sample window(struct worker *w, uint64_t n, uint32_t k)
{
	const char *problem;
	struct frame f;

	send_window(w, n, k);
	expect(w, FRAME_SAMPLE, &f);
	problem = link_sample_problem(&f.body.sample, n, k);
	if (problem)
		fail_msg("%s", problem);
	return f.body.sample;
}

static inline void send_stop(struct worker *w)
{
	assert_int_equal(link__send(&w->link, FRAME_STOP, NULL, 0, NULL, 0), 0);
}

static inline struct frame_done stop(struct worker *w)
{
	struct frame f;

	send_stop(w);
	expect(w, FRAME_DONE, &f);
	expect_end(w);
	assert_int_equal(ended(w), 0);
	return f.body.done;
}
