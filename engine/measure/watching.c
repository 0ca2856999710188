/* SPDX-License-Identifier: BSD-2-Clause */
#include "watching.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include "../host/steal.h"
#include "watching_private.h"

#define WORST_MAX 8 /* names kept for a block */

unsigned watching_lane(enum side side)
{
	return side == SIDE_BASELINE ? 0 : 1;
}

/* `err`: the negative errno behind `why`, for those that its sentence does not tell. Owned; or NULL. */
static char *why_not_watched(enum watch_result why, int err)
{
	bool told = why != WATCH_FAILED && why != WATCH_REJECTED;
	char *text;

	if (asprintf(&text, "%s%s%s%s", watch_result_str(why), told ? "" : " (",
		     told ? "" : strerror(-err), told ? "" : ")") < 0)
		return NULL;
	return text;
}

static void describe(struct record *rec, enum watch_result why, int err, bool attached)
{
	struct rec_host *h = &rec->host;

	h->bpf = attached;
	h->interference = attached ? INTERFERENCE_BPF : INTERFERENCE_GETRUSAGE;
	if (attached)
		return;
	free(h->interference_missing);
	h->interference_missing = why_not_watched(why, err); /* only a text */
	IGNORE_ERROR(record__note(rec, "interference by getrusage only, not by BPF: %s",
				  h->interference_missing ? h->interference_missing
							  : watch_result_str(why)));
}

/* What the record will not have although BPF is there. */
static void describe_missing(struct rec_host *h, const struct watch *w)
{
	AUTO_FREE char *names = NULL;
	const char *name, *what;

	for (size_t i = 0; (name = watch__missing(w, i, &what)); i++) {
		char *longer;

		if (asprintf(&longer, "%s%s%s (%s)",
			     names ? names : "not watched: ", names ? ", " : "", what, name) < 0)
			return; /* only a text */
		free(names);
		names = longer;
	}
	h->interference_missing = TAKE_PTR(names);
}

void watching__open(struct watching *w, struct record *rec)
{
	enum watch_result why = WATCH_FAILED;
	int err;

	*w = (struct watching){0};
	err = watch__open(&w->watch, &why);
	if (err)
		w->watch = NULL;
	describe(rec, why, err, w->watch);
	if (!w->watch)
		return;
	describe_missing(&rec->host, w->watch);
	w->lost = watch__lost(w->watch);
}

void watching__close(struct watching *w)
{
	if (w->watch)
		watch__close(w->watch);
	w->watch = NULL;
	if (w->start)
		(void)munmap(w->start,
			     sizeof(*w->start)); /* only fails for what was never mapped */
	w->start = NULL;
}

void watching__hand(const struct watching *w, enum side side, struct worker_sources *ret)
{
	ret->schedstat = !w->watch;
	ret->has_lane = w->watch;
	ret->lane_fd = w->watch ? watch__lane_fd(w->watch, watching_lane(side)) : -1;
}

void watching__enrol(const struct watching *w, enum side side, pid_t pid)
{
	uint32_t generation;

	if (w->watch)
		IGNORE_ERROR(watch__enrol(w->watch, watching_lane(side), pid, WATCH_PROCESS,
					  &generation)); /* an empty lane reads as unknown */
}

uint64_t watching_ended_cnt(const struct watching *w, enum side side)
{
	struct interference_reading seen;

	if (!w->watch || watch__read(w->watch, watching_lane(side), &seen))
		return ENDS_UNKNOWN;
	return seen.sum.entries_cnt[INTERFERENCE_ENDED];
}

void watching__before(struct watching *w)
{
	if (w->watch)
		w->lost = watch__lost(w->watch);
}

bool watching__lost(const struct watching *w)
{
	uint64_t lost = w->watch ? watch__lost(w->watch) : 0;

	return w->watch && (lost != w->lost || lost == UINT64_MAX);
}

static double steal_of(const struct rec_block *blk)
{
	uint64_t ns;

	return blk->cpu < 0 || steal_read("", (unsigned)blk->cpu, &ns) ? NAN : (double)ns;
}

static double frequency_changes_of(const struct watching *w, const struct rec_block *blk)
{
	struct watch_cpu cpu;

	if (!w->watch || blk->cpu < 0 || watch__cpu(w->watch, (unsigned)blk->cpu, &cpu))
		return NAN;
	return (double)cpu.frequency_cnt;
}

void watching__cpu_before(struct watching *w, const struct rec_block *blk)
{
	w->steal_ns = steal_of(blk);
	w->frequency_changes = frequency_changes_of(w, blk);
}

void watching__cpu_after(const struct watching *w, struct rec_block *blk)
{
	blk->steal_ns = steal_of(blk) - w->steal_ns;
	blk->frequency_changes = frequency_changes_of(w, blk) - w->frequency_changes;
}

void watching__forget_preemptors(const struct watching *w)
{
	struct watch_preemptor worst[1];
	size_t cnt;

	for (int side = 0; w->watch && side < SIDE_CNT; side++)
		IGNORE_ERROR(watch__take_preemptors(w->watch, watching_lane((enum side)side), worst,
						    1, &cnt,
						    NULL)); /* what stays is too much, not wrong */
}

/*
 * We wake when a worker answers, on its CPU, and the worker that is woken next may find the other
 * one still on its way to sleep: between windows, by design.
 */
static bool is_ours(const struct rec_block *blk, uint32_t pid)
{
	return pid == WATCH_OWN_PID || pid == (uint32_t)getpid() ||
	       pid == (uint64_t)blk->pid[SIDE_BASELINE] ||
	       pid == (uint64_t)blk->pid[SIDE_CANDIDATE];
}

int watching_keep(struct rec_block *blk, const struct watch_preemptor *worst, size_t cnt)
{
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; i < cnt && kept < WORST_MAX && !err; i++) {
		if (is_ours(blk, worst[i].pid))
			continue;
		err = rec_block__add_preemptor(blk, worst[i].pid, worst[i].comm,
					       (double)worst[i].time_ns, (double)worst[i].cnt);
		kept++;
	}
	return err;
}

int watching__preemptors(const struct watching *w, struct rec_block *blk)
{
	int err = 0;

	for (int side = 0; w->watch && side < SIDE_CNT && !err; side++) {
		struct watch_preemptor all[WATCH_NAMES];
		size_t cnt = 0;

		if (!watch__take_preemptors(w->watch, watching_lane((enum side)side), all,
					    WATCH_NAMES, &cnt, NULL)) /* else nobody is named */
			err = watching_keep(blk, all, cnt);
	}
	return err;
}
