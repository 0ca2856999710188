/* SPDX-License-Identifier: BSD-2-Clause */
#include "watching.h"
#include <errno.h>
#include <string.h>

#define WORST_MAX 8 /* names kept for a block */

static unsigned lane_of(enum side side)
{
	return side == SIDE_BASELINE ? 0 : 1;
}

static void describe(struct record *rec, enum watch_result why, bool attached)
{
	struct rec_host *h = &rec->host;

	h->bpf = attached;
	h->interference = attached ? INTERFERENCE_BPF : INTERFERENCE_GETRUSAGE;
	if (attached)
		return;
	free(h->interference_missing);
	h->interference_missing = strdup(watch_result_str(why)); /* only a text */
	IGNORE_ERROR(record__note(rec, "interference by getrusage only, not by BPF: %s",
				  watch_result_str(why)));
}

static void describe_missing(struct record *rec, const struct watch *w)
{
	const char *name, *what;

	for (size_t i = 0; (name = watch__missing(w, i, &what)); i++)
		IGNORE_ERROR(record__note(rec, /* only a note */
					  "not watched on this kernel: %s (%s)", what, name));
}

void watching__open(struct watching *w, struct record *rec)
{
	enum watch_result why = WATCH_FAILED;

	*w = (struct watching){0};
	if (watch__open(&w->watch, &why))
		w->watch = NULL;
	describe(rec, why, w->watch);
	if (!w->watch)
		return;
	describe_missing(rec, w->watch);
	w->lost = watch__lost(w->watch);
}

void watching__close(struct watching *w)
{
	if (w->watch)
		watch__close(w->watch);
	w->watch = NULL;
}

void watching__hand(const struct watching *w, enum side side, struct worker_sources *ret)
{
	ret->schedstat = !w->watch;
	ret->has_lane = w->watch;
	ret->lane_fd = w->watch ? watch__lane_fd(w->watch, lane_of(side)) : -1;
}

void watching__enrol(const struct watching *w, enum side side, pid_t pid)
{
	uint32_t generation;

	if (w->watch)
		IGNORE_ERROR(watch__enrol(w->watch, lane_of(side), pid, WATCH_PROCESS,
					  &generation)); /* an empty lane reads as unknown */
}

void watching__before(struct watching *w)
{
	if (w->watch)
		w->lost = watch__lost(w->watch);
}

void watching__after(struct watching *w, struct frame_sample *f)
{
	uint64_t lost = w->watch ? watch__lost(w->watch) : 0;

	if (w->watch && (lost != w->lost || lost == UINT64_MAX) && f->seen.state == SEEN_ALL)
		f->seen.state = SEEN_LOST;
}

void watching__forget_preemptors(const struct watching *w)
{
	struct watch_preemptor worst[1];
	size_t cnt;

	for (int side = 0; w->watch && side < SIDE_CNT; side++)
		IGNORE_ERROR(watch__take_preemptors(w->watch, lane_of((enum side)side), worst, 1,
						    &cnt,
						    NULL)); /* what stays is too much, not wrong */
}

/*
 * We wake when a worker answers, on its CPU, and the worker that is woken next may find the other
 * one still on its way to sleep: between windows, by design.
 */
static bool is_ours(const struct rec_block *blk, uint32_t pid)
{
	return pid == (uint32_t)getpid() || pid == (uint64_t)blk->pid[SIDE_BASELINE] ||
	       pid == (uint64_t)blk->pid[SIDE_CANDIDATE];
}

int watching__preemptors(const struct watching *w, struct rec_block *blk)
{
	int err = 0;

	for (int side = 0; w->watch && side < SIDE_CNT && !err; side++) {
		struct watch_preemptor worst[WORST_MAX];
		size_t cnt = 0;

		if (watch__take_preemptors(w->watch, lane_of((enum side)side), worst, WORST_MAX,
					   &cnt, NULL))
			continue; /* then nobody is named */
		for (size_t i = 0; i < cnt && !err; i++) {
			if (is_ours(blk, worst[i].pid))
				continue;
			err = rec_block__add_preemptor(blk, worst[i].pid, worst[i].comm,
						       (double)worst[i].time_ns,
						       (double)worst[i].cnt);
		}
	}
	return err;
}
