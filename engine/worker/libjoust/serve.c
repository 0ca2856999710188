/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A frame as it came: the bodies that an engine may send. */
struct incoming {
	struct frame_header header;
	union {
		struct frame_open open;
		struct frame_window window;
	} body;
	int fds[PROTOCOL_FDS_MAX];
	size_t fds_cnt;
};

struct server {
	int fd;
	uint64_t nonce;
	uint32_t sent, received;
	struct joust_catalog catalog;
	struct incoming in;
	struct joust bench;
};

/*
 * Nobody is there to be told: the engine is gone, or speaks something else. Leaves without atexit
 * handlers, which belong to a benchmark that may be half-way.
 */
static _Noreturn void quit(void)
{
	_exit(1);
}

static void send_frame(struct server *s, enum frame_type type, const void *body, size_t len)
{
	struct frame_header h = {
		.magic = PROTOCOL_MAGIC,
		.version = PROTOCOL_VERSION,
		.type = (uint16_t)type,
		.seq = ++s->sent,
		.len = (uint32_t)len,
		.nonce = s->nonce,
	};
	struct iovec iov[2] = {
		{.iov_base = &h, .iov_len = sizeof(h)},
		{.iov_base = (void *)(uintptr_t)body, .iov_len = len},
	};
	struct msghdr msg = {.msg_iov = iov, .msg_iovlen = 2};
	ssize_t n;

	do
		n = sendmsg(s->fd, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)(sizeof(h) + len))
		quit();
}

static void send_text(struct server *s, enum frame_type type, const char *text)
{
	struct frame_text t;

	memset(&t, 0, sizeof(t));
	memcpy(t.text, text, strnlen(text, sizeof(t.text) - 1));
	send_frame(s, type, &t, sizeof(t));
}

static _Noreturn __attribute__((format(printf, 2, 3))) void refuse(struct server *s,
								   const char *format, ...)
{
	char text[PROTOCOL_TEXT_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	send_text(s, FRAME_FAIL, text);
	quit();
}

static void take_fds(struct msghdr *msg, struct incoming *in)
{
	in->fds_cnt = 0;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		in->fds_cnt = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(in->fds, CMSG_DATA(c), in->fds_cnt * sizeof(int));
	}
}

static size_t receive(struct server *s)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int) * PROTOCOL_FDS_MAX)];
	} control;
	struct iovec iov = {
		.iov_base = &s->in,
		.iov_len = offsetof(struct incoming, fds),
	};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	do
		n = recvmsg(s->fd, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < (ssize_t)sizeof(s->in.header) || (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		quit();
	take_fds(&msg, &s->in);
	return (size_t)n;
}

static size_t body_len(uint16_t type)
{
	if (type == FRAME_OPEN)
		return sizeof(struct frame_open);
	return type == FRAME_WINDOW ? sizeof(struct frame_window) : 0;
}

/* The next frame, its header checked. A stranger's frame gets no answer. */
static enum frame_type next_frame(struct server *s)
{
	size_t n = receive(s);
	const struct frame_header *h = &s->in.header;

	if (h->magic != PROTOCOL_MAGIC)
		quit();
	if (s->received == 0)
		s->nonce = h->nonce;
	if (h->version != PROTOCOL_VERSION)
		refuse(s, "libjoust speaks version %d of the protocol, not %d", PROTOCOL_VERSION,
		       h->version);
	if (h->nonce != s->nonce || h->seq != s->received + 1)
		refuse(s, "a frame of another conversation (sequence %u after %u)", h->seq,
		       s->received);
	if (h->len != n - sizeof(*h) || h->len != body_len(h->type))
		refuse(s, "a frame of type %d with %zu bytes of body, %u announced", h->type,
		       n - sizeof(*h), h->len);
	if (s->in.fds_cnt > 0 && h->type != FRAME_OPEN)
		refuse(s, "descriptors with a frame of type %d", h->type);
	s->received++;
	return (enum frame_type)h->type;
}

static void ready(struct joust *b)
{
	send_frame(b->context, FRAME_READY, NULL, 0);
}

static bool next_window(struct joust *b, struct joust_window *ret)
{
	struct server *s = b->context;
	enum frame_type type = next_frame(s);
	const struct frame_window *w = &s->in.body.window;

	if (type == FRAME_STOP)
		return false;
	if (type != FRAME_WINDOW)
		joust_fail(b, "a frame of type %d inside the loop", type);
	else if (w->n < 1 || w->k < 1 || w->k > PROTOCOL_SLICES_MAX)
		joust_fail(b, "a window of %u slices of %llu iterations", w->k,
			   (unsigned long long)w->n);
	else if (w->inject_ppm > PROTOCOL_INJECT_MAX)
		joust_fail(b, "an injection of %u ppm", w->inject_ppm);
	if (b->failed)
		return false;
	ret->n = w->n;
	ret->k = w->k;
	ret->inject_ppm = w->inject_ppm;
	return true;
}

static void sample(struct joust *b, const struct frame_sample *s)
{
	send_frame(b->context, FRAME_SAMPLE, s, sizeof(*s));
}

static const struct joust_driver engine_driver = {
	.ready = ready,
	.next = next_window,
	.sample = sample,
};

static void list(struct server *s)
{
	for (size_t i = 0; i < s->catalog.cnt; i++) {
		const struct joust_bench *bench = &s->catalog.benches[i];
		struct frame_case f;

		memset(&f, 0, sizeof(f));
		memcpy(f.name, bench->name, sizeof(f.name));
		f.threads = bench->of->threads;
		f.family = bench->family;
		send_frame(s, FRAME_CASE, &f, sizeof(f));
	}
	send_frame(s, FRAME_END, NULL, 0);
}

static void answer(struct server *s, enum joust_result result)
{
	struct frame_done done = {
		.has_digest = s->bench.has_digest,
		.digest = {s->bench.digest[0], s->bench.digest[1]},
		.peak_bytes = joust_peak__most(&s->bench.sources.peak),
	};

	if (result == RESULT_SKIPPED)
		send_text(s, FRAME_SKIP, s->bench.text);
	else if (result == RESULT_FAILED)
		send_text(s, FRAME_FAIL, s->bench.text);
	else
		send_frame(s, FRAME_DONE, &done, sizeof(done));
}

/* Every way out of the body answers the one frame that is open then: OPEN, WINDOW or STOP. */
static void open_bench(struct server *s)
{
	const struct frame_open *o = &s->in.body.open;
	const struct joust_bench *bench;

	if (!memchr(o->name, 0, sizeof(o->name)))
		refuse(s, "a name without its end");
	bench = joust_catalog__find(&s->catalog, o->name);
	if (!bench)
		refuse(s, "no benchmark \"%s\" in this program", o->name);
	joust_init(&s->bench, bench, &engine_driver, s);
	if (joust_sources__take(&s->bench.sources, o, s->in.fds, s->in.fds_cnt) < 0)
		refuse(s, "%zu descriptors are not what was announced", s->in.fds_cnt);
	answer(s, joust_run(&s->bench));
}

static void converse(struct server *s)
{
	for (;;) {
		enum frame_type type = next_frame(s);

		if (type == FRAME_OPEN) {
			open_bench(s);
			return;
		}
		if (type == FRAME_STOP) {
			send_frame(s, FRAME_DONE, &(struct frame_done){0},
				   sizeof(struct frame_done));
			return;
		}
		if (type != FRAME_LIST)
			refuse(s, "a frame of type %d before OPEN", type);
		list(s);
	}
}

int joust_serve(int fd)
{
	/* static: 0.5 KiB of readings that a window writes, in pages that exist */
	static struct server server;
	int flags = fcntl(fd, F_GETFL);
	char why[PROTOCOL_TEXT_MAX];

	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return 1;
	server.fd = fd;
	if (joust_catalog__init(&server.catalog, why) < 0) {
		(void)next_frame(&server);
		send_text(&server, FRAME_FAIL, why);
		return 0;
	}
	converse(&server);
	joust_catalog__done(&server.catalog);
	return 0;
}
