/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record of one command: a process that knows nothing of us. It is enrolled while it sleeps before
 * its exec, tells there what it has behind it, and is read when it has been waited for.
 */
#include "watching_private.h"
#include <errno.h>
#include <sys/mman.h>

#define START_LOOKS 8 /* a thread that is taken off its CPU between two readings looks again */

/* By the engine. */
static void enrol_parked(void *arg, pid_t pid)
{
	struct watching *w = arg;
	uint32_t generation;

	*w->start = (struct command_start){.err = -ESRCH};
	watching__before(w);
	IGNORE_ERROR(watch__enrol(w->watch, watching_lane(w->side), pid, WATCH_TREE,
				  &generation)); /* an empty lane reads as unknown */
}

static uint64_t switches_of(const struct interference_counts *c)
{
	return c->entries_cnt[INTERFERENCE_BLOCKED] + c->entries_cnt[INTERFERENCE_PREEMPTED];
}

static uint64_t switches_in(const struct rusage *u)
{
	return (uint64_t)u->ru_nvcsw + (uint64_t)u->ru_nivcsw;
}

/* By the child: it is running, so a record that does not know it is none. */
static void note_start(void *arg)
{
	const struct watching *w = arg;
	struct command_start *start = w->start;
	unsigned lane = watching_lane(w->side);

	for (int i = 0; i < START_LOOKS && start->err; i++) {
		struct interference_reading before;
		struct rusage usage;

		if (watch__read(w->watch, lane, &before) || getrusage(RUSAGE_SELF, &usage) ||
		    watch__read(w->watch, lane, &start->seen))
			return;
		start->switches_cnt = switches_in(&usage);
		if (start->seen.running_cnt == 1 &&
		    switches_of(&before.sum) == switches_of(&start->seen.sum))
			start->err = 0;
	}
}

static struct command_start *map_start(void)
{
	void *at = mmap(NULL, sizeof(struct command_start), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

const struct child_witness *watching__command(struct watching *w, enum side side)
{
	if (w->watch && !w->start)
		w->start = map_start();
	if (!w->start)
		return NULL;
	w->side = side;
	w->witness = (struct child_witness){.parked = enrol_parked, .leaves = note_start, .arg = w};
	return &w->witness;
}

/*
 * getrusage has the switches of all that were waited for, among them those after the end of processes
 * that were not waited for at once. It has none of those that nobody waits for. So it may have less
 * than the record; what it has more was not seen.
 */
static bool is_whole(const struct command_start *start, const struct interference_reading *end,
		     const struct interference_counts *diff, const struct rusage *usage)
{
	uint64_t more = switches_in(usage) - start->switches_cnt;

	return !start->err && end->generation == start->seen.generation && !end->unwatched_cnt &&
	       !diff->lost_cnt && !end->running_cnt && end->sum.entries_cnt[INTERFERENCE_ENDED] &&
	       more <= switches_of(diff) + diff->late_cnt;
}

static uint64_t time_of_process(const struct watch_preemptor *all, size_t cnt, uint32_t pid)
{
	for (size_t i = 0; i < cnt; i++)
		if (all[i].pid == pid)
			return all[i].time_ns;
	return 0;
}

/*
 * Waiting for others than itself and the engine, which has its CPU until the child first runs: that
 * was before the exec.
 */
static uint64_t waiting_for_others(const struct command_start *start,
				   const struct interference_counts *diff,
				   const struct watch_preemptor *all, size_t cnt)
{
	uint64_t waited = joust_interference_disturbed_ns(diff);
	uint64_t before = joust_interference_disturbed_ns(&start->seen.sum);
	uint64_t engine = time_of_process(all, cnt, (uint32_t)getpid());
	uint64_t ours =
		time_of_process(all, cnt, WATCH_OWN_PID) + (engine > before ? engine - before : 0);

	return waited > ours ? waited - ours : 0;
}

static void fill_seen(const struct command_start *start, const struct interference_counts *diff,
		      const struct watch_preemptor *all, size_t cnt, struct frame_seen *ret)
{
	ret->running_ns = diff->time_ns[INTERFERENCE_RUNNING];
	ret->waiting_ns = waiting_for_others(start, diff, all, cnt);
	ret->wakeup_ns = diff->wake_idle_ns;
	ret->blocked_ns = diff->time_ns[INTERFERENCE_BLOCKED];
	for (int i = 0; i < INTERFERENCE_IRQS; i++)
		ret->interrupts_ns += diff->irq_ns[i];
	ret->voluntary = diff->entries_cnt[INTERFERENCE_BLOCKED];
	ret->involuntary = diff->entries_cnt[INTERFERENCE_PREEMPTED];
	ret->migrations = diff->migrations_cnt;
}

int watching__command_end(struct watching *w, const struct rusage *usage, uint64_t exit_ns,
			  struct rec_block *blk, struct frame_seen *ret,
			  uint64_t *ret_ended_cnt)
{
	struct watch_preemptor all[WATCH_NAMES];
	struct interference_reading end;
	struct interference_counts diff;
	unsigned lane = watching_lane(w->side);
	size_t cnt = 0;

	*ret = (struct frame_seen){.state = w->watch ? SEEN_LOST : SEEN_NOTHING};
	*ret_ended_cnt = 0;
	if (!w->start || watch__read_at(w->watch, lane, exit_ns, &end) ||
	    watch__take_preemptors(w->watch, lane, all, WATCH_NAMES, &cnt, NULL))
		return 0;
	joust_interference_diff(&diff, &w->start->seen.sum, &end.sum);
	if (end.generation == w->start->seen.generation)
		*ret_ended_cnt = diff.entries_cnt[INTERFERENCE_ENDED];
	if (is_whole(w->start, &end, &diff, usage) && !watching__lost(w)) {
		ret->state = SEEN_ALL;
		fill_seen(w->start, &diff, all, cnt, ret);
	}
	return watching_keep(blk, all, cnt);
}
