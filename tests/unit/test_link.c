/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that a broken or hostile worker may send; no process is started here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include "link.h"

#define NONCE 0x1122334455667788u

struct ends {
	struct link link;
	int worker;
};

static int setup(void **state)
{
	struct ends *e = calloc(1, sizeof(*e));
	int fds[2];

	assert_non_null(e);
	assert_int_equal(link_pair(fds), 0);
	link__init(&e->link, fds[0], NONCE);
	e->worker = fds[1];
	*state = e;
	return 0;
}

static int teardown(void **state)
{
	struct ends *e = *state;

	close(e->link.fd);
	if (e->worker >= 0)
		close(e->worker);
	free(e);
	return 0;
}

static struct frame_header header(enum frame_type type, size_t len)
{
	return (struct frame_header){
		.magic = PROTOCOL_MAGIC,
		.version = PROTOCOL_VERSION,
		.type = (uint16_t)type,
		.seq = 1,
		.len = (uint32_t)len,
		.nonce = NONCE,
	};
}

static void put(struct ends *e, const void *bytes, size_t len)
{
	assert_int_equal(send(e->worker, bytes, len, MSG_NOSIGNAL), (ssize_t)len);
}

/* Sends a frame of this header and body, whatever they say. */
static void put_frame(struct ends *e, const struct frame_header *h, const void *body, size_t len)
{
	char bytes[sizeof(struct frame) + 64];

	assert_true(sizeof(*h) + len <= sizeof(bytes));
	memcpy(bytes, h, sizeof(*h));
	if (len)
		memcpy(bytes + sizeof(*h), body, len);
	put(e, bytes, sizeof(*h) + len);
}

/* The frame is refused, the reason has this in it, and the out-parameter is not touched. */
static void expect_bad(struct ends *e, const char *reason)
{
	struct frame f, before;

	memset(&f, 0x5a, sizeof(f));
	memcpy(&before, &f, sizeof(f));
	assert_int_equal(link__recv(&e->link, &f), -EBADMSG);
	if (!strstr(e->link.error, reason))
		fail_msg("\"%s\" does not say \"%s\"", e->link.error, reason);
	assert_memory_equal(&f, &before, sizeof(f));
}

static void sound_frame_is_taken(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_FAIL, sizeof(struct frame_text));
	struct frame_text t = {.text = "broken"};
	struct frame f;

	put_frame(e, &h, &t, sizeof(t));
	assert_int_equal(link__recv(&e->link, &f), 0);
	assert_int_equal(f.header.type, FRAME_FAIL);
	assert_string_equal(f.body.text.text, "broken");
	assert_int_equal(link__recv(&e->link, &f), -EAGAIN);
}

static void engine_end_does_not_block_and_is_not_inherited(void **state)
{
	struct ends *e = *state;

	assert_true(fcntl(e->link.fd, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(e->link.fd, F_GETFD) & FD_CLOEXEC);
	assert_false(fcntl(e->worker, F_GETFL) & O_NONBLOCK);
	assert_false(fcntl(e->worker, F_GETFD) & FD_CLOEXEC);
}

/* The numbers change places, the sockets stay with their links. */
static void links_swap_their_numbers(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_END, 0);
	struct link other;
	struct frame f;
	int number = e->link.fd, pair[2];

	assert_int_equal(link_pair(pair), 0);
	link__init(&other, pair[0], 1);
	assert_int_equal(link__swap(&e->link, &other), 0);
	assert_int_equal(e->link.fd, pair[0]);
	assert_int_equal(other.fd, number);
	assert_true(fcntl(e->link.fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(other.fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(other.fd, F_GETFL) & O_NONBLOCK);
	put_frame(e, &h, NULL, 0);
	assert_int_equal(link__recv(&other, &f), -EAGAIN);
	assert_int_equal(link__recv(&e->link, &f), 0);
	assert_int_equal(f.header.type, FRAME_END);
	assert_int_equal(close(other.fd), 0);
	assert_int_equal(close(pair[1]), 0);
}

static void sent_frame_is_numbered_and_carries_descriptors(void **state)
{
	struct ends *e = *state;
	struct frame_window w = {.n = 7, .k = 5};
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	char bytes[128];
	struct iovec iov = {bytes, sizeof(bytes)};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};
	struct frame_header h;
	int fd;

	assert_int_equal(link__send(&e->link, FRAME_LIST, NULL, 0, NULL, 0), 0);
	assert_int_equal(recv(e->worker, bytes, sizeof(bytes), 0), sizeof(h));
	assert_int_equal(link__send(&e->link, FRAME_WINDOW, &w, sizeof(w), &e->worker, 1), 0);
	assert_int_equal(recvmsg(e->worker, &msg, 0), sizeof(h) + sizeof(w));
	memcpy(&h, bytes, sizeof(h));
	assert_int_equal(h.magic, PROTOCOL_MAGIC);
	assert_int_equal(h.seq, 2);
	assert_int_equal(h.len, sizeof(w));
	assert_int_equal(h.nonce, NONCE);
	assert_memory_equal(bytes + sizeof(h), &w, sizeof(w));
	assert_non_null(CMSG_FIRSTHDR(&msg));
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	close(fd);
}

static void send_to_a_worker_that_does_not_read_is_eagain(void **state)
{
	struct ends *e = *state;
	int err = 0;

	for (int i = 0; i < 100000 && !err; i++)
		err = link__send(&e->link, FRAME_LIST, NULL, 0, NULL, 0);
	assert_int_equal(err, -EAGAIN);
}

static void send_to_a_closed_end_is_epipe(void **state)
{
	struct ends *e = *state;

	close(e->worker);
	e->worker = -1;
	assert_int_equal(link__send(&e->link, FRAME_LIST, NULL, 0, NULL, 0), -EPIPE);
}

static void too_much_to_send_is_refused(void **state)
{
	struct ends *e = *state;
	static const char body[PROTOCOL_FRAME_MAX];
	const int fds[PROTOCOL_FDS_MAX + 1] = {0};

	assert_int_equal(link__send(&e->link, FRAME_LIST, body, sizeof(body), NULL, 0), -EMSGSIZE);
	assert_int_equal(link__send(&e->link, FRAME_LIST, NULL, 0, fds, PROTOCOL_FDS_MAX + 1),
			 -EINVAL);
	assert_int_equal(e->link.sent, 0);
}

static void closed_end_is_enotconn_after_what_was_sent(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_END, 0);
	struct frame f;

	put_frame(e, &h, NULL, 0);
	close(e->worker);
	e->worker = -1;
	assert_int_equal(link__recv(&e->link, &f), 0);
	assert_int_equal(link__recv(&e->link, &f), -ENOTCONN);
	assert_int_equal(link__recv(&e->link, &f), -ENOTCONN);
}

static void last_words_are_heard_when_our_frame_was_left_unread(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_END, 0);
	struct frame f;

	assert_int_equal(link__send(&e->link, FRAME_STOP, NULL, 0, NULL, 0), 0);
	put_frame(e, &h, NULL, 0);
	close(e->worker);
	e->worker = -1;
	assert_int_equal(link__recv(&e->link, &f), 0);
	assert_int_equal(link__recv(&e->link, &f), -ENOTCONN);
}

static void empty_packet_is_bad(void **state)
{
	struct ends *e = *state;

	put(e, "", 0);
	expect_bad(e, "empty");
}

static void every_truncation_of_a_header_is_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_END, 0);

	for (size_t len = 1; len < sizeof(h); len++) {
		put(e, &h, len);
		expect_bad(e, "shorter than its header");
	}
}

static void truncated_body_is_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_SAMPLE, sizeof(struct frame_sample));
	struct frame_sample s = {.n = 1, .k = 1};

	for (size_t cut = 1; cut <= sizeof(s); cut += 37) {
		put_frame(e, &h, &s, sizeof(s) - cut);
		expect_bad(e, "announces");
	}
}

static void wrong_header_fields_are_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_END, 0);

	h.magic++;
	put_frame(e, &h, NULL, 0);
	expect_bad(e, "magic");
	h = header(FRAME_END, 0);
	h.version = PROTOCOL_VERSION + 1;
	put_frame(e, &h, NULL, 0);
	expect_bad(e, "version 4");
	h = header(FRAME_END, 0);
	h.nonce ^= 1;
	put_frame(e, &h, NULL, 0);
	expect_bad(e, "another conversation");
	h = header(FRAME_END, 0);
	h.seq = 2;
	put_frame(e, &h, NULL, 0);
	expect_bad(e, "frame 2 where 1 was due");
}

static void replayed_frame_is_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_READY, 0);
	struct frame f;

	put_frame(e, &h, NULL, 0);
	put_frame(e, &h, NULL, 0);
	assert_int_equal(link__recv(&e->link, &f), 0);
	expect_bad(e, "frame 1 where 2 was due");
}

static void length_that_lies_is_bad(void **state)
{
	struct ends *e = *state;
	const uint32_t lies[] = {1,	24,	     sizeof(struct frame_done) + 1,
				 65536, 0x80000000u, UINT32_MAX};
	struct frame_done d = {0};

	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct frame_header h = header(FRAME_END, lies[i]);

		put_frame(e, &h, NULL, 0);
		expect_bad(e, "announces");
	}
	/* told truly, but not the length of this type */
	struct frame_header h = header(FRAME_READY, sizeof(d));

	put_frame(e, &h, &d, sizeof(d));
	expect_bad(e, "bytes of body, not 0");
}

static void types_of_the_engine_and_unknown_ones_are_bad(void **state)
{
	struct ends *e = *state;
	const uint16_t types[] = {0, FRAME_LIST, FRAME_STOP, 15, 23, UINT16_MAX};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct frame_header h = header(FRAME_END, 0);

		h.type = types[i];
		put_frame(e, &h, NULL, 0);
		expect_bad(e, "which no worker sends");
	}
}

static void frame_over_64_kib_is_bad(void **state)
{
	struct ends *e = *state;
	static char bytes[PROTOCOL_FRAME_MAX + 1];
	struct frame_header h = header(FRAME_FAIL, sizeof(bytes) - sizeof(struct frame_header));

	memcpy(bytes, &h, sizeof(h));
	put(e, bytes, sizeof(bytes));
	expect_bad(e, "65537 bytes");
}

static void garbage_is_bad(void **state)
{
	struct ends *e = *state;
	uint32_t x = 1;
	unsigned char bytes[600];

	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			x = x * 1664525u + 1013904223u;
			bytes[i] = (unsigned char)(x >> 24);
		}
		put(e, bytes, 1 + x % sizeof(bytes));
		expect_bad(e, "");
	}
}

static void text_without_its_end_is_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_SKIP, sizeof(struct frame_text));
	struct frame_text t;

	memset(t.text, 'x', sizeof(t.text));
	put_frame(e, &h, &t, sizeof(t));
	expect_bad(e, "without its end");
}

static void bad_case_is_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_CASE, sizeof(struct frame_case));
	struct frame_case c = {.name = "", .threads = 1};

	put_frame(e, &h, &c, sizeof(c));
	expect_bad(e, "without a name");
	strcpy(c.name, "a\033[2J");
	put_frame(e, &h, &c, sizeof(c));
	expect_bad(e, "control character");
	strcpy(c.name, "a");
	c.threads = 0;
	put_frame(e, &h, &c, sizeof(c));
	expect_bad(e, "0 threads");
	memset(c.name, 'x', sizeof(c.name));
	put_frame(e, &h, &c, sizeof(c));
	expect_bad(e, "without its end");
}

static void a_size_must_end_the_name(void **state)
{
	static const struct {
		const char *name;
		uint32_t family;
		uint64_t size; /* 0: refused */
	} cases[] = {
		{"s/size=10", 1, 10},
		{"s/size=9007199254740992", 1, 9007199254740992u},
		{"s/size=9007199254740993", 1, 0},
		{"s/size=99999999999999999999999", 1, 0},
		{"s/size=10", 2, 0},
		{"s/size=10", 9, 0},
		{"s/size=10", 4000000000u, 0},
		{"s/size=", 1, 0},
		{"s/size=0", 1, 0},
		{"s/size=010", 1, 0},
		{"s/size=-1", 1, 0},
		{"s/size= 1", 1, 0},
		{"s/size=1x", 1, 0},
		{"s/n=10", 1, 0},
	};
	struct ends *e = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct frame_header h = header(FRAME_CASE, sizeof(struct frame_case));
		struct frame_case c = {.threads = 1, .family = cases[i].family};
		struct frame f;

		h.seq = e->link.received + 1;
		strcpy(c.name, cases[i].name);
		put_frame(e, &h, &c, sizeof(c));
		if (!cases[i].size) {
			expect_bad(e, "a size that the name");
			continue;
		}
		assert_int_equal(link__recv(&e->link, &f), 0);
		assert_int_equal(link_case_size(&f.body.bench), cases[i].size);
	}
}

static void flags_out_of_range_are_bad(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_SAMPLE, sizeof(struct frame_sample));
	struct frame_sample s = {.n = 1, .k = PROTOCOL_SLICES_MAX + 1};
	struct frame_done d = {.has_digest = 2};

	put_frame(e, &h, &s, sizeof(s));
	expect_bad(e, "17 slices");
	s.k = 1;
	s.group[3].valid = 2;
	put_frame(e, &h, &s, sizeof(s));
	expect_bad(e, "the reading of group 3 is 2");
	h = header(FRAME_DONE, sizeof(d));
	put_frame(e, &h, &d, sizeof(d));
	expect_bad(e, "has_digest is 2");
}

static size_t open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* More than the buffer of the receiver takes, too: the kernel then cuts the list. */
static void descriptors_from_a_worker_are_refused_and_closed(void **state)
{
	struct ends *e = *state;
	struct frame_header h = header(FRAME_END, 0);
	size_t before = open_fds();

	for (size_t cnt = 1; cnt <= 9; cnt += 4) {
		union {
			struct cmsghdr align;
			char bytes[CMSG_SPACE(sizeof(int) * 9)];
		} control = {0};
		struct iovec iov = {&h, sizeof(h)};
		struct msghdr msg = {.msg_iov = &iov,
				     .msg_iovlen = 1,
				     .msg_control = &control,
				     .msg_controllen = CMSG_SPACE(sizeof(int) * cnt)};
		struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int) * cnt);
		for (size_t i = 0; i < cnt; i++)
			memcpy(CMSG_DATA(c) + i * sizeof(int), &e->worker, sizeof(int));
		assert_int_equal(sendmsg(e->worker, &msg, 0), sizeof(h));
		expect_bad(e, "descriptors");
	}
	assert_int_equal(open_fds(), before);
}

static struct frame_sample sound_sample(void)
{
	return (struct frame_sample){
		.n = 1000,
		.k = 3,
		.cpu_ns = {100, 101, 102},
		.wall_ns = {110, 111, 112},
		.cpu_before_ns = 5000,
		.cpu_after_ns = 5303,
	};
}

static void sound_sample_has_no_problem(void **state)
{
	struct frame_sample s = sound_sample();

	(void)state;
	assert_null(link_sample_problem(&s, 1000, 3));
	s.cpu_ns[0] = UINT64_C(1) << 53;
	s.cpu_after_ns = UINT64_C(1) << 54;
	assert_null(link_sample_problem(&s, 1000, 3));
}

static void problem(const struct frame_sample *s, const char *what)
{
	const char *said = link_sample_problem(s, 1000, 3);

	assert_non_null(said);
	if (!strstr(said, what))
		fail_msg("\"%s\" does not say \"%s\"", said, what);
}

static void sample_of_another_window_is_a_problem(void **state)
{
	struct frame_sample s = sound_sample();

	(void)state;
	s.n = 999;
	problem(&s, "iterations");
	s = sound_sample();
	s.k = 2;
	problem(&s, "slices");
	s = sound_sample();
	s.k = 17;
	assert_non_null(link_sample_problem(&s, 1000, 17));
	s.k = 0;
	assert_non_null(link_sample_problem(&s, 1000, 0));
}

static void impossible_times_are_a_problem(void **state)
{
	const uint64_t huge[] = {(UINT64_C(1) << 53) + 1, UINT64_C(1) << 63, UINT64_MAX};
	struct frame_sample s = sound_sample();

	(void)state;
	s.cpu_ns[1] = 0;
	problem(&s, "no time");
	s = sound_sample();
	s.wall_ns[2] = 0;
	problem(&s, "no time");
	for (size_t i = 0; i < sizeof(huge) / sizeof(*huge); i++) {
		s = sound_sample();
		s.cpu_after_ns = UINT64_MAX;
		s.cpu_ns[2] = huge[i];
		problem(&s, "2^53");
		s = sound_sample();
		s.wall_ns[0] = huge[i];
		problem(&s, "2^53");
	}
	s = sound_sample();
	s.cpu_after_ns = 5302;
	problem(&s, "longer than the CPU clock");
	s.cpu_after_ns = 4999;
	problem(&s, "backwards");
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(sound_frame_is_taken),
		T(engine_end_does_not_block_and_is_not_inherited),
		T(links_swap_their_numbers),
		T(sent_frame_is_numbered_and_carries_descriptors),
		T(send_to_a_worker_that_does_not_read_is_eagain),
		T(send_to_a_closed_end_is_epipe),
		T(too_much_to_send_is_refused),
		T(closed_end_is_enotconn_after_what_was_sent),
		T(last_words_are_heard_when_our_frame_was_left_unread),
		T(empty_packet_is_bad),
		T(every_truncation_of_a_header_is_bad),
		T(truncated_body_is_bad),
		T(wrong_header_fields_are_bad),
		T(replayed_frame_is_bad),
		T(length_that_lies_is_bad),
		T(types_of_the_engine_and_unknown_ones_are_bad),
		T(frame_over_64_kib_is_bad),
		T(garbage_is_bad),
		T(text_without_its_end_is_bad),
		T(bad_case_is_bad),
		T(a_size_must_end_the_name),
		T(flags_out_of_range_are_bad),
		T(descriptors_from_a_worker_are_refused_and_closed),
		cmocka_unit_test(sound_sample_has_no_problem),
		cmocka_unit_test(sample_of_another_window_is_a_problem),
		cmocka_unit_test(impossible_times_are_a_problem),
	};

	return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
