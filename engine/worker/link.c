/* SPDX-License-Identifier: BSD-2-Clause */
#include "link.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "../util/num.h"

#define SLICE_MAX_NS (UINT64_C(1) << 53)
#define BYTES_MAX    (UINT64_C(1) << 53)

int link_pair(int ret[static 2])
{
	AUTO_FD int engine = -1;
	AUTO_FD int worker = -1;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	engine = fds[0];
	worker = fds[1];
	/* O_NONBLOCK belongs to one end only: the worker waits in recv, the engine never */
	if (fcntl(engine, F_SETFL, O_NONBLOCK) < 0 || fcntl(worker, F_SETFD, 0) < 0)
		return -errno;
	ret[0] = TAKE_FD(engine);
	ret[1] = TAKE_FD(worker);
	return 0;
}

void link__init(struct link *l, int fd, uint64_t nonce)
{
	memset(l, 0, sizeof(*l));
	l->fd = fd;
	l->nonce = nonce;
}

int link__swap(struct link *a, struct link *b)
{
	AUTO_FD int of_a = fcntl(a->fd, F_DUPFD_CLOEXEC, 0);
	int number = a->fd;

	if (of_a < 0)
		return -errno;
	if (dup3(b->fd, a->fd, O_CLOEXEC) < 0)
		return -errno;
	if (dup3(of_a, b->fd, O_CLOEXEC) < 0) { /* a's number is b's socket now; back with it */
		int err = -errno;

		return dup3(of_a, a->fd, O_CLOEXEC) < 0 ? -errno : err;
	}
	a->fd = b->fd;
	b->fd = number;
	return 0;
}

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int) * PROTOCOL_FDS_MAX)];
};

static void attach_fds(struct msghdr *msg, union control *control, const int *fds, size_t fds_cnt)
{
	struct cmsghdr *c;

	memset(control, 0, sizeof(*control));
	msg->msg_control = control;
	msg->msg_controllen = CMSG_SPACE(sizeof(int) * fds_cnt);
	c = CMSG_FIRSTHDR(msg);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int) * fds_cnt);
	memcpy(CMSG_DATA(c), fds, sizeof(int) * fds_cnt);
}

static int send_packet(int fd, const struct msghdr *msg)
{
	ssize_t n;

	do
		n = sendmsg(fd, msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n >= 0)
		return 0; /* a packet goes whole or not at all */
	if (errno == EWOULDBLOCK)
		return -EAGAIN;
	return errno == ECONNRESET ? -EPIPE : -errno;
}

int link__send(struct link *l, enum frame_type type, const void *body, size_t len, const int *fds,
	       size_t fds_cnt)
{
	struct frame_header h = {
		.magic = PROTOCOL_MAGIC,
		.version = PROTOCOL_VERSION,
		.type = (uint16_t)type,
		.seq = l->sent + 1,
		.len = (uint32_t)len,
		.nonce = l->nonce,
	};
	struct iovec iov[2] = {
		{.iov_base = &h, .iov_len = sizeof(h)},
		{.iov_base = (void *)(uintptr_t)body, .iov_len = len},
	};
	struct msghdr msg = {.msg_iov = iov, .msg_iovlen = 2};
	union control control;
	int err;

	if (len > PROTOCOL_FRAME_MAX - sizeof(h))
		return -EMSGSIZE;
	if (fds_cnt > PROTOCOL_FDS_MAX)
		return -EINVAL;
	if (fds_cnt > 0)
		attach_fds(&msg, &control, fds, fds_cnt);
	err = send_packet(l->fd, &msg);
	if (!err)
		l->sent++;
	return err;
}

static __attribute__((format(printf, 2, 3))) int bad(struct link *l, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(l->error, sizeof(l->error), format, args);
	va_end(args);
	return -EBADMSG;
}

/* Descriptors of a worker are never used, but they are open here until they are closed. */
static size_t close_fds(struct msghdr *msg)
{
	size_t closed = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			(void)close(fd); /* nothing was written to it */
		}
		closed += n;
	}
	return closed;
}

/* An empty packet and the end of the stream both read as 0 bytes; only the latter hangs up. */
static int nothing_read(struct link *l)
{
	struct pollfd p = {.fd = l->fd, .events = POLLIN | POLLRDHUP};

	if (poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLRDHUP)))
		return -ENOTCONN;
	return bad(l, "an empty frame");
}

/*
 * The kernel reports once, as ECONNRESET and before the data that is still queued, that the worker
 * left a frame of ours unread; its last words are behind that.
 */
static ssize_t receive_packet(int fd, struct msghdr *msg)
{
	size_t control_len = msg->msg_controllen;
	ssize_t n;

	do {
		msg->msg_controllen = control_len;
		n = recvmsg(fd, msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC | MSG_TRUNC);
	} while (n < 0 && (errno == EINTR || errno == ECONNRESET));
	if (n >= 0)
		return n;
	return errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

static int check_header(struct link *l, const struct frame_header *h, size_t len)
{
	if (len < sizeof(*h))
		return bad(l, "a frame of %zu bytes, shorter than its header", len);
	if (h->magic != PROTOCOL_MAGIC)
		return bad(l, "a frame that begins with 0x%08x, not with the magic", h->magic);
	if (h->version != PROTOCOL_VERSION)
		return bad(l, "version %u of the protocol, not %d", h->version, PROTOCOL_VERSION);
	if (h->nonce != l->nonce)
		return bad(l, "a frame of another conversation");
	if (h->seq != l->received + 1)
		return bad(l, "frame %u where %u was due", h->seq, l->received + 1);
	if (h->len != len - sizeof(*h))
		return bad(l, "a frame that announces %u bytes and has %zu", h->len,
			   len - sizeof(*h));
	return 0;
}

static int check_text(struct link *l, const char *text, size_t len)
{
	return memchr(text, 0, len) ? 0 : bad(l, "a text without its end");
}

uint64_t link_case_size(const struct frame_case *c)
{
	const char *digits;
	uint64_t size;

	if (!c->family || c->family >= strlen(c->name) ||
	    strncmp(c->name + c->family, PROTOCOL_SIZE, strlen(PROTOCOL_SIZE)) != 0)
		return 0;
	digits = c->name + c->family + strlen(PROTOCOL_SIZE);
	/* as a number is written, so that the name can be made from the size again */
	return digits[0] != '0' && num_u64(digits, 1, PROTOCOL_SIZE_MAX, &size) == 0 ? size : 0;
}

static int check_family(struct link *l, const struct frame_case *c)
{
	if (c->family && !link_case_size(c))
		return bad(l, "a size that the name of its benchmark does not end in");
	return 0;
}

static int check_case(struct link *l, const struct frame_case *c)
{
	int err = check_text(l, c->name, sizeof(c->name));

	if (err)
		return err;
	if (!c->name[0])
		return bad(l, "a benchmark without a name");
	for (const unsigned char *p = (const unsigned char *)c->name; *p; p++)
		if (*p < 0x20 || *p == 0x7f)
			return bad(l, "a control character in the name of a benchmark");
	if (c->threads < 1 || c->threads > PROTOCOL_DECLARED_MAX)
		return bad(l, "a benchmark of %u threads", c->threads);
	return check_family(l, c);
}

static int check_sample(struct link *l, const struct frame_sample *s)
{
	if (s->k < 1 || s->k > PROTOCOL_SLICES_MAX)
		return bad(l, "a sample of %u slices", s->k);
	if (s->cpu >= CPU_CNT)
		return bad(l, "a CPU time of kind %u", s->cpu);
	if (s->seen.state >= SEEN_CNT)
		return bad(l, "a record of interference of kind %u", s->seen.state);
	if (s->threads_cnt > PROTOCOL_THREADS_MAX)
		return bad(l, "%u rows of threads", s->threads_cnt);
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++)
		if (s->group[i].valid > 1)
			return bad(l, "the reading of group %zu is %u", i, s->group[i].valid);
	return 0;
}

static int check_done(struct link *l, const struct frame_done *d)
{
	if (d->peak_bytes > BYTES_MAX && d->peak_bytes != UINT64_MAX)
		return bad(l, "a peak of %llu bytes", (unsigned long long)d->peak_bytes);
	return d->has_digest > 1 || d->pad ? bad(l, "has_digest is %u", d->has_digest) : 0;
}

/* The length that a type must have; SIZE_MAX for what a worker never sends. */
static size_t body_len(uint16_t type)
{
	switch (type) {
	case FRAME_END:
	case FRAME_READY:
		return 0;
	case FRAME_CASE:
		return sizeof(struct frame_case);
	case FRAME_SAMPLE:
		return sizeof(struct frame_sample);
	case FRAME_DONE:
		return sizeof(struct frame_done);
	case FRAME_SKIP:
	case FRAME_FAIL:
		return sizeof(struct frame_text);
	default:
		return SIZE_MAX;
	}
}

static int check_body(struct link *l, const struct frame *f)
{
	size_t len = body_len(f->header.type);

	if (len == SIZE_MAX)
		return bad(l, "a frame of type %u, which no worker sends", f->header.type);
	if (f->header.len != len)
		return bad(l, "a frame of type %u with %u bytes of body, not %zu", f->header.type,
			   f->header.len, len);
	switch (f->header.type) {
	case FRAME_CASE:
		return check_case(l, &f->body.bench);
	case FRAME_SAMPLE:
		return check_sample(l, &f->body.sample);
	case FRAME_DONE:
		return check_done(l, &f->body.done);
	case FRAME_SKIP:
	case FRAME_FAIL:
		return check_text(l, f->body.text.text, sizeof(f->body.text.text));
	default:
		return 0;
	}
}

int link__recv(struct link *l, struct frame *ret)
{
	struct frame f;
	union control control;
	struct iovec iov = {.iov_base = &f, .iov_len = sizeof(f)};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;
	int err;

	memset(&f, 0, sizeof(f));
	n = receive_packet(l->fd, &msg);
	if (n < 0)
		return (int)n;
	if (close_fds(&msg) > 0 || (msg.msg_flags & MSG_CTRUNC))
		return bad(l, "descriptors from a worker");
	if (n == 0)
		return nothing_read(l);
	if (msg.msg_flags & MSG_TRUNC)
		return bad(l, "a frame of %zd bytes, longer than any a worker sends", n);
	err = check_header(l, &f.header, (size_t)n);
	if (!err)
		err = check_body(l, &f);
	if (err)
		return err;
	l->received++;
	*ret = f;
	return 0;
}

static const char *slices_problem(const uint64_t *ns, uint32_t k)
{
	for (uint32_t i = 0; i < k; i++) {
		if (ns[i] == 0)
			return "a slice took no time";
		if (ns[i] > SLICE_MAX_NS)
			return "a slice took longer than 2^53 ns";
	}
	return NULL;
}

const char *link_sample_problem(const struct frame_sample *s, uint64_t n, uint32_t k)
{
	const char *problem;
	uint64_t sum = 0;

	if (s->n != n)
		return "the sample is of another number of iterations than was asked";
	if (s->k != k || k < 1 || k > PROTOCOL_SLICES_MAX)
		return "the sample is of another number of slices than was asked";
	problem = slices_problem(s->cpu_ns, k);
	if (!problem)
		problem = slices_problem(s->wall_ns, k);
	if (problem)
		return problem;
	for (uint32_t i = 0; i < k; i++)
		sum += s->cpu_ns[i]; /* 16 times 2^53 at most */
	if (s->cpu == CPU_PROCESS && k > 1)
		return "the process clock is exact at the ends of the window only";
	if (s->cpu_after_ns < s->cpu_before_ns)
		return "the CPU clock went backwards";
	if (sum > s->cpu_after_ns - s->cpu_before_ns)
		return "the slices took longer than the CPU clock advanced";
	return NULL;
}
