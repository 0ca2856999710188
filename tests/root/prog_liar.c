/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker that lies: each of its benchmarks breaks the protocol in the way that its name says, when it
 * is opened or in its first window. It speaks without libjoust.
 */
#include "protocol.h"
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROTOCOL_FD 3

struct answer {
	struct frame_header h;
	union {
		struct frame_case bench;
		struct frame_sample sample;
		struct frame_text text;
		char bytes[PROTOCOL_FRAME_MAX];
	} body;
	size_t len; /* that is sent */
};

static struct frame_header last; /* of the engine */
static uint32_t sent;

static struct answer make(uint16_t type, uint32_t len)
{
	struct answer a = {.h = last, .len = sizeof(a.h) + len};

	a.h.type = type;
	a.h.seq = ++sent;
	a.h.len = len;
	return a;
}

static void say(const struct answer *a)
{
	if (send(PROTOCOL_FD, a, a->len, MSG_NOSIGNAL) < 0)
		_exit(4);
}

/* ---- at the opening: an answer that is sound but for one thing */

static void lie_magic(struct answer *a)
{
	a->h.magic++;
}

static void lie_version(struct answer *a)
{
	a->h.version++;
}

static void lie_nonce(struct answer *a)
{
	a->h.nonce++;
}

static void lie_sequence(struct answer *a)
{
	a->h.seq++;
}

static void lie_length(struct answer *a)
{
	a->h.len++;
}

static void lie_short(struct answer *a)
{
	a->len = 3;
}

static void lie_empty(struct answer *a)
{
	a->len = 0;
}

static void lie_long(struct answer *a)
{
	a->len = sizeof(a->h) + 20000;
}

static void lie_type(struct answer *a)
{
	a->h.type = 99;
}

static void lie_body(struct answer *a)
{
	a->h.len = 8;
	a->len += 8;
}

static void lie_order(struct answer *a)
{
	a->h.type = FRAME_END;
}

static void say_text(struct answer *a, uint16_t type, int fill)
{
	a->h.type = type;
	a->h.len = sizeof(a->body.text);
	a->len = sizeof(a->h) + sizeof(a->body.text);
	memset(&a->body.text, fill, sizeof(a->body.text));
}

static void lie_text(struct answer *a)
{
	say_text(a, FRAME_FAIL, 'x');
}

static void say_fail(struct answer *a)
{
	say_text(a, FRAME_FAIL, 0);
	strcpy(a->body.text.text, "it is no lie");
}

static void say_skip(struct answer *a)
{
	say_text(a, FRAME_SKIP, 0);
	strcpy(a->body.text.text, "not today");
}

static void die(struct answer *a)
{
	(void)a;
	_exit(3);
}

static void hang_up(struct answer *a)
{
	(void)a;
	(void)close(PROTOCOL_FD);
	for (;;)
		(void)pause();
}

/* ---- in a window */

static void lie_slices(struct answer *a)
{
	a->body.sample.k = 0;
}

static void lie_kind(struct answer *a)
{
	a->body.sample.cpu = CPU_CNT;
}

static void lie_record(struct answer *a)
{
	a->body.sample.seen.state = SEEN_CNT;
}

static void lie_rows(struct answer *a)
{
	a->body.sample.threads_cnt = PROTOCOL_THREADS_MAX + 1;
}

static void lie_group(struct answer *a)
{
	a->body.sample.group[1].valid = 2;
}

static void lie_iterations(struct answer *a)
{
	a->body.sample.n++;
}

static void lie_many(struct answer *a)
{
	a->body.sample.k = PROTOCOL_SLICES_MAX;
}

static void lie_no_time(struct answer *a)
{
	a->body.sample.cpu_ns[0] = 0;
}

static void lie_for_ever(struct answer *a)
{
	a->body.sample.wall_ns[0] = UINT64_MAX;
}

static void lie_backwards(struct answer *a)
{
	a->body.sample.cpu_before_ns = a->body.sample.cpu_after_ns + 1;
}

static void lie_sum(struct answer *a)
{
	a->body.sample.cpu_before_ns = a->body.sample.cpu_after_ns - 1;
}

static void lie_burnt(struct answer *a)
{
	a->body.sample.inject_ppm = 5;
}

static const struct lie {
	const char *name;
	void (*at_open)(struct answer *a);
	void (*in_window)(struct answer *a);
} lies[] = {
	{"magic", lie_magic, NULL},
	{"version", lie_version, NULL},
	{"nonce", lie_nonce, NULL},
	{"sequence", lie_sequence, NULL},
	{"length", lie_length, NULL},
	{"short", lie_short, NULL},
	{"empty", lie_empty, NULL},
	{"long", lie_long, NULL},
	{"type", lie_type, NULL},
	{"body", lie_body, NULL},
	{"order", lie_order, NULL},
	{"text", lie_text, NULL},
	{"fail", say_fail, NULL},
	{"skip", say_skip, NULL},
	{"die", die, NULL},
	{"hang up", hang_up, NULL},
	{"slices", NULL, lie_slices},
	{"kind", NULL, lie_kind},
	{"record", NULL, lie_record},
	{"rows", NULL, lie_rows},
	{"group", NULL, lie_group},
	{"iterations", NULL, lie_iterations},
	{"many", NULL, lie_many},
	{"no time", NULL, lie_no_time},
	{"for ever", NULL, lie_for_ever},
	{"backwards", NULL, lie_backwards},
	{"sum", NULL, lie_sum},
	{"burnt", NULL, lie_burnt},
};
#define LIES (sizeof(lies) / sizeof(lies[0]))

static void list(void)
{
	for (size_t i = 0; i < LIES; i++) {
		struct answer a = make(FRAME_CASE, sizeof(a.body.bench));

		a.body.bench.threads = 1;
		strcpy(a.body.bench.name, lies[i].name);
		say(&a);
	}
	say(&(struct answer[]){make(FRAME_END, 0)}[0]);
}

static const struct lie *find(const char *name)
{
	for (size_t i = 0; i < LIES; i++)
		if (!strcmp(lies[i].name, name))
			return &lies[i];
	_exit(5);
}

static void open_case(const struct lie *lie)
{
	struct answer a = make(FRAME_READY, 0);

	if (lie->at_open)
		lie->at_open(&a);
	say(&a);
}

static void measure(const struct lie *lie, const struct frame_window *asked)
{
	struct answer a = make(FRAME_SAMPLE, sizeof(a.body.sample));
	struct frame_sample *s = &a.body.sample;

	s->n = asked->n;
	s->k = asked->k;
	for (uint32_t i = 0; i < asked->k && i < PROTOCOL_SLICES_MAX; i++)
		s->cpu_ns[i] = s->wall_ns[i] = 1000000;
	s->cpu_after_ns = (uint64_t)asked->k * 1000000;
	if (lie->in_window)
		lie->in_window(&a);
	say(&a);
}

int main(void)
{
	static union {
		char bytes[sizeof(struct frame_header) + PROTOCOL_FRAME_MAX];
		struct {
			struct frame_header h;
			union {
				struct frame_open open;
				struct frame_window window;
			} body;
		} frame;
	} packet;
	const struct lie *lie = &lies[0];

	while (recv(PROTOCOL_FD, &packet, sizeof(packet), 0) >= (ssize_t)sizeof(last)) {
		last = packet.frame.h;
		if (last.type == FRAME_LIST)
			list();
		else if (last.type == FRAME_OPEN)
			open_case(lie = find(packet.frame.body.open.name));
		else if (last.type == FRAME_WINDOW)
			measure(lie, &packet.frame.body.window);
		else
			return 0;
	}
	return 0;
}
