/* SPDX-License-Identifier: BSD-2-Clause */
#include "worker.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include "../host/ends.h"
#include "../util/clock.h"

#define NS_PER_SEC     1000000000ull
#define CLOSE_GRACE_NS NS_PER_SEC /* a process that dies closes its socket a little earlier */

static uint64_t from_now(uint64_t ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	return ns > UINT64_MAX - now ? UINT64_MAX : now + ns;
}

/*
 * The first reason stays. `detail` may be NULL. Whatever a worker that has met a limit does next, the
 * limit is why.
 */
static enum worker_result end_by(struct worker *w, enum worker_result result, enum reason why,
				 const char *detail, int code)
{
	enum reason limit = result == WORKER_SKIPPED ? REASON_NONE : end_limit(&w->child);

	if (limit != REASON_NONE) {
		result = limit == REASON_CGROUP_LOST ? WORKER_LOST : WORKER_FAILED;
		why = limit;
	}
	if (w->reason == REASON_NONE) {
		w->reason = why;
		w->code = limit == REASON_NONE ? code : 0;
		w->detail = detail && *detail ? strdup(detail) : NULL;
	}
	return result;
}

static enum worker_result end(struct worker *w, enum worker_result result, enum reason why,
			      const char *detail)
{
	return end_by(w, result, why, detail, 0);
}

static enum worker_result fail(struct worker *w, enum reason why, const char *detail)
{
	return end(w, WORKER_FAILED, why, detail);
}

/* The process has ended although an answer was due, or badly after the last one. */
static enum worker_result ended(struct worker *w)
{
	AUTO_FREE char *name = child_end_name(w->child.status);
	enum reason why = end_of(&w->child);

	if (why == REASON_NONE || why == REASON_LEFT_PROCESSES)
		why = REASON_EXIT_STATUS; /* 0 as well: too early */
	return end_by(w, why == REASON_KILLED_BY_SYSTEM ? WORKER_LOST : WORKER_FAILED, why, name,
		      child_exit_status(w->child.status));
}

static enum worker_result timed_out(struct worker *w)
{
	child__kill(&w->child, false);
	return fail(w, REASON_TIMEOUT, NULL);
}

/* The socket is closed at the other end: dying, or living on without it. */
static enum worker_result closed(struct worker *w)
{
	switch (child__wait(&w->child, -1, from_now(CLOSE_GRACE_NS), w->interrupt_fd)) {
	case CHILD_EXITED:
		return ended(w);
	case CHILD_INTERRUPTED:
		return WORKER_INTERRUPTED;
	case CHILD_READABLE:
	case CHILD_TIMED_OUT:
	default:
		child__kill(&w->child, false);
		return fail(w, REASON_WORKER_CLOSED, NULL);
	}
}

static enum worker_result protocol_error(struct worker *w, const char *what)
{
	child__kill(&w->child, true);
	return fail(w, REASON_PROTOCOL_ERROR, what);
}

static enum worker_result send_frame(struct worker *w, enum frame_type type, const void *body,
				     size_t len, const int *fds, size_t fds_cnt)
{
	int err = link__send(&w->link, type, body, len, fds, fds_cnt);

	if (!err)
		return WORKER_OK;
	if (err == -EPIPE || err == -ECONNRESET)
		return closed(w);
	return protocol_error(w, err == -EAGAIN ? "the worker does not read its socket"
						: strerror(-err));
}

static enum worker_result receive(struct worker *w, struct frame *ret, bool *ret_again)
{
	int err = link__recv(&w->link, ret);

	*ret_again = err == -EAGAIN;
	if (!err || *ret_again)
		return WORKER_OK;
	if (err == -ENOTCONN || err == -ECONNRESET)
		return closed(w);
	return protocol_error(w, err == -EBADMSG ? w->link.error : strerror(-err));
}

/* Waits for one frame until the deadline. */
static enum worker_result take_frame(struct worker *w, uint64_t deadline_ns, struct frame *ret)
{
	enum worker_result r = WORKER_OK;

	for (bool again = true; r == WORKER_OK && again;) {
		switch (child__wait(&w->child, w->link.fd, deadline_ns, w->interrupt_fd)) {
		case CHILD_READABLE:
			r = receive(w, ret, &again);
			break;
		case CHILD_EXITED:
			return ended(w);
		case CHILD_INTERRUPTED:
			return WORKER_INTERRUPTED;
		case CHILD_TIMED_OUT:
		default:
			return timed_out(w);
		}
	}
	return r;
}

static enum worker_result failed_by_itself(struct worker *w, const char *text)
{
	bool no_loop = !strcmp(text, PROTOCOL_NO_LOOP);

	return fail(w, no_loop ? REASON_NO_LOOP : REASON_BENCHMARK_FAILED, text);
}

/* An answer that is not the one hoped for: a refusal in the worker's words, or nonsense. */
static enum worker_result other_answer(struct worker *w, const struct frame *f)
{
	char text[64];

	if (f->header.type == FRAME_FAIL)
		return failed_by_itself(w, f->body.text.text);
	(void)snprintf(text, sizeof(text), "unexpected frame of type %u", (unsigned)f->header.type);
	return protocol_error(w, text);
}

/* A worker that dies of what it was asked is told from one that dies idle by whoever asks next. */
static bool is_usable(const struct worker *w)
{
	return w->child.pid > 0 && !w->child.reaped && w->reason == REASON_NONE;
}

static enum worker_result not_usable(struct worker *w)
{
	return w->child.reaped ? ended(w) : fail(w, REASON_PROTOCOL_ERROR, "no worker is running");
}

static enum worker_result ask(struct worker *w, enum frame_type type, const void *body, size_t len,
			      struct frame *ret)
{
	enum worker_result r;

	if (!is_usable(w))
		return not_usable(w);
	r = send_frame(w, type, body, len, NULL, 0);
	return r == WORKER_OK ? take_frame(w, from_now(w->timeout_ns), ret) : r;
}

static uint64_t new_nonce(void)
{
	uint64_t nonce;

	if (getrandom(&nonce, sizeof(nonce), GRND_NONBLOCK) != sizeof(nonce))
		nonce = clock_ns(CLOCK_MONOTONIC); /* it tells workers apart, it hides nothing */
	return nonce;
}

enum worker_result worker__start(struct worker *w, const struct child_spec *spec,
				 uint64_t timeout_ns, int interrupt_fd)
{
	struct child_spec with_socket = *spec;
	enum reason why;
	int pair[2], err;

	*w = (struct worker){
		.timeout_ns = timeout_ns, .interrupt_fd = interrupt_fd, .link = {.fd = -1}};
	err = link_pair(pair);
	if (err)
		return fail(w, REASON_START_FAILED, strerror(-err));
	link__init(&w->link, pair[0], new_nonce());
	with_socket.protocol_fd = pair[1];
	err = child__start(&w->child, &with_socket);
	(void)close(pair[1]);
	if (!err)
		return WORKER_OK;
	(void)close(pair[0]);
	w->link.fd = -1;
	why = end_of_start(spec, err);
	return why == REASON_CPU_GONE ? end(w, WORKER_LOST, why, NULL)
				      : end_by(w, WORKER_FAILED, why, strerror(-err), -err);
}

enum worker_result worker__list(struct worker *w,
				int (*each)(void *arg, const struct frame_case *c), void *arg)
{
	struct frame f;
	uint64_t deadline_ns = from_now(w->timeout_ns); /* for all cases together */
	enum worker_result r = ask(w, FRAME_LIST, NULL, 0, &f);

	for (size_t n = 0; r == WORKER_OK && f.header.type == FRAME_CASE; n++) {
		int err = n < PROTOCOL_CASES_MAX ? each(arg, &f.body.bench) : -E2BIG;

		if (err == -E2BIG)
			return protocol_error(w, "more benchmarks than there may be");
		if (err == -EDOM)
			return protocol_error(w, "sizes that do not grow, or too many of them");
		if (err)
			return fail(w, REASON_BENCHMARK_FAILED, strerror(-err));
		r = take_frame(w, deadline_ns, &f);
	}
	if (r != WORKER_OK || f.header.type == FRAME_END)
		return r;
	return other_answer(w, &f);
}

/* The descriptors of a frame, in the order that it announces. */
struct handed {
	int fd[PROTOCOL_FDS_MAX];
	size_t cnt;
};

static void hand_group(struct worker *w, enum frame_group_role role, bool user_read,
		       struct frame_open *open, struct handed *h)
{
	const struct perf_group *g = &w->group[role];
	unsigned fds = user_read ? g->cnt : 1;

	open->group[role] = (struct frame_group){.values = g->cnt, .user_read = user_read};
	for (unsigned i = 0; i < fds; i++)
		h->fd[h->cnt++] = g->fd[i];
}

static void open_hardware(struct worker *w, const struct worker_sources *s, struct frame_open *open,
			  struct handed *h)
{
	struct perf_target t = {
		.tid = w->child.pid,
		.core_type = s->tiers->core_type,
		.inherit = s->several,
		/* an event that is inherited cannot be mapped */
		.user_read = s->tiers->user_read && !s->several,
		.events_max = s->tiers->hw_events,
	};

	w->group_missing[GROUP_HARDWARE] = s->tiers->hw;
	w->group_missing[GROUP_MISSES] = s->tiers->misses;
	if (s->tiers->hw == REASON_NONE &&
	    !perf_group__open_set(&w->group[GROUP_HARDWARE], PERF_SET_HW, &t,
				  &w->group_missing[GROUP_HARDWARE]))
		hand_group(w, GROUP_HARDWARE, t.user_read, open, h);
	t.user_read = false;
	t.events_max = 0;
	if (s->tiers->misses == REASON_NONE &&
	    !perf_group__open_set(&w->group[GROUP_MISSES], PERF_SET_MISSES, &t,
				  &w->group_missing[GROUP_MISSES]))
		hand_group(w, GROUP_MISSES, false, open, h);
}

/* Groups of the user's events, each of as many as a group takes. */
static void open_events(struct worker *w, const struct worker_sources *s, struct frame_open *open,
			struct handed *h)
{
	const struct perf_target t = {.tid = w->child.pid, .inherit = s->several};

	for (size_t at = 0, role = GROUP_EVENTS; at < s->events_cnt && role < PROTOCOL_GROUPS_MAX;
	     at += PERF_GROUP_MAX, role++) {
		size_t cnt =
			s->events_cnt - at < PERF_GROUP_MAX ? s->events_cnt - at : PERF_GROUP_MAX;

		if (!perf_group__open_events(&w->group[role], s->events + at, cnt, &t,
					     &w->group_missing[role]))
			hand_group(w, (enum frame_group_role)role, false, open, h);
	}
}

static void hand_peak(const struct peak *p, struct frame_open *open, struct handed *h)
{
	static const uint32_t kind[] = {
		[PEAK_NONE] = PEAK_KIND_NONE,
		[PEAK_CGROUP] = PEAK_KIND_GROUP,
		[PEAK_RESIDENT] = PEAK_KIND_RESIDENT,
	};
	size_t cnt = peak_fds(p, h->fd + h->cnt);

	open->peak = kind[p->how];
	h->cnt += cnt;
}

/* Opened while the worker waits in its read, so nothing of the body escapes the counters. */
static void open_sources(struct worker *w, const struct worker_sources *s, struct frame_open *open,
			 struct handed *h)
{
	const struct perf_target t = {.tid = w->child.pid, .inherit = s->several};

	if (s->check)
		IGNORE_ERROR(perf_group__open_set(&w->sw, PERF_SET_SW, &t, &w->sw_missing));
	if (s->tiers)
		open_hardware(w, s, open, h);
	open_events(w, s, open, h);
	open->schedstat = s->schedstat;
	if (s->has_lane) {
		open->lane = 1;
		h->fd[h->cnt++] = s->lane_fd;
	}
	if (s->peak)
		hand_peak(s->peak, open, h);
}

static enum worker_result ask_open(struct worker *w, const struct frame_open *open,
				   const struct handed *h, struct frame *ret)
{
	enum worker_result r = send_frame(w, FRAME_OPEN, open, sizeof(*open), h->fd, h->cnt);

	return r == WORKER_OK ? take_frame(w, from_now(w->timeout_ns), ret) : r;
}

enum worker_result worker__open(struct worker *w, const char *name,
				const struct worker_sources *sources)
{
	struct frame_open open = {0};
	struct handed handed = {.cnt = 0};
	struct frame f;
	enum worker_result r;

	if (!is_usable(w))
		return not_usable(w);
	if (strlen(name) >= sizeof(open.name))
		return fail(w, REASON_START_FAILED, "the name is too long for the protocol");
	strcpy(open.name, name);
	if (sources)
		open_sources(w, sources, &open, &handed);
	r = ask_open(w, &open, &handed, &f);
	if (r != WORKER_OK)
		return r;
	if (f.header.type == FRAME_SKIP)
		return end(w, WORKER_SKIPPED, REASON_SKIPPED, f.body.text.text);
	if (f.header.type != FRAME_READY)
		return other_answer(w, &f);
	w->start_ns = (double)(clock_ns(CLOCK_MONOTONIC) - w->child.spawn_ns);
	return WORKER_OK;
}

enum worker_result worker__window(struct worker *w, uint64_t n, uint32_t k,
				  struct frame_sample *ret)
{
	const struct frame_window window = {.n = n, .k = k, .inject_ppm = w->inject_ppm};
	struct frame f;
	const char *problem;
	enum worker_result r = ask(w, FRAME_WINDOW, &window, sizeof(window), &f);

	if (r != WORKER_OK)
		return r;
	if (f.header.type != FRAME_SAMPLE)
		return other_answer(w, &f);
	problem = link_sample_problem(&f.body.sample, n, k);
	if (problem)
		return fail(w, REASON_BAD_SAMPLE, problem);
	if (f.body.sample.inject_ppm != w->inject_ppm)
		return fail(w, REASON_BAD_SAMPLE,
			    "this worker does not burn what is to be injected");
	*ret = f.body.sample;
	return WORKER_OK;
}

/* After its last frame: exit status 0, in time, leaving nobody behind. */
static enum worker_result await_exit(struct worker *w)
{
	enum reason why;

	switch (child__wait(&w->child, -1, from_now(w->timeout_ns), w->interrupt_fd)) {
	case CHILD_EXITED:
		if (w->child.status != 0)
			return ended(w);
		why = end_of(&w->child);
		return why == REASON_NONE ? WORKER_OK : fail(w, why, NULL);
	case CHILD_INTERRUPTED:
		return WORKER_INTERRUPTED;
	case CHILD_READABLE:
	case CHILD_TIMED_OUT:
	default:
		return timed_out(w);
	}
}

enum worker_result worker__stop(struct worker *w, struct frame_done *ret)
{
	struct frame f;
	enum worker_result r = ask(w, FRAME_STOP, NULL, 0, &f);

	if (r != WORKER_OK)
		return r;
	if (f.header.type != FRAME_DONE)
		return other_answer(w, &f);
	r = await_exit(w);
	if (r == WORKER_OK)
		*ret = f.body.done;
	return r;
}

void worker__done(struct worker *w)
{
	if (w->child.pid > 0 || w->timeout_ns) /* else zeroed: no descriptor is ours */
		cleanup_fd(&w->link.fd);
	w->link.fd = -1;
	child__done(&w->child);
	for (size_t i = 0; i < PROTOCOL_GROUPS_MAX; i++)
		perf_group__close(&w->group[i]);
	perf_group__close(&w->sw);
	free(w->detail);
	w->detail = NULL;
}
