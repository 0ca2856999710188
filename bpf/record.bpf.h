/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/*
 * Writes the records. Functions without `static` are verified once, not once for every caller;
 * those that get a lane as an argument, not once for every lane either. A row has one writer at a
 * time: the CPU on which its thread runs, and between two such turns whoever wakes it, both under
 * the lock of a run queue.
 */
#include "tables.bpf.h"

/* One map for each process: whoever is measured must not see the others. */
#define LANE(name)                                                                                 \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(map_flags, BPF_F_MMAPABLE);                                                 \
		__uint(max_entries, 1);                                                            \
		__type(key, uint32_t);                                                             \
		__type(value, struct interference_lane);                                           \
	} name SEC(".maps")

LANE(lane0);
LANE(lane1);
LANE(lane2);
LANE(lane3);
LANE(lane4);
LANE(lane5);
LANE(lane6);
LANE(lane7);
_Static_assert(INTERFERENCE_LANES == 8, "as many maps");

/* An array of maps would do the same with two look-ups; filling one waits for RCU at every entry.
 * Each look-up has a branch of its own, so that the kernel can replace it by an addition. */
static __always_inline struct interference_lane *lane_of(uint32_t lane)
{
	struct interference_lane *found = NULL;
	uint32_t zero = 0;

#define PICK(i)                                                                                    \
	if (lane == (i)) {                                                                         \
		found = bpf_map_lookup_elem(&lane##i, &zero);                                      \
		barrier_var(found);                                                                \
		return found;                                                                      \
	}
	PICK(0)
	PICK(1)
	PICK(2)
	PICK(3)
	PICK(4)
	PICK(5)
	PICK(6)
	PICK(7)
#undef PICK
	return NULL;
}

/*
 * The sequence count. Interrupts write too, on the same CPU and to the end: whoever finds the count
 * odd has interrupted a writer, and leaves it to that one. On x86 stores are seen in their order;
 * elsewhere an atomic that returns a value is the only barrier BPF has.
 */
static __always_inline bool row_begin(struct interference_row *row)
{
	volatile uint32_t *seq = &row->seq;

	if (*seq & 1)
		return false;
#ifdef __TARGET_ARCH_x86
	*seq = *seq + 1;
	barrier();
#else
	uint32_t old = __sync_fetch_and_add(&row->seq, 1);
	barrier_var(old);
#endif
	return true;
}

static __always_inline void row_end(struct interference_row *row, bool outermost)
{
	if (!outermost)
		return;
#ifdef __TARGET_ARCH_x86
	volatile uint32_t *seq = &row->seq;

	barrier();
	*seq = *seq + 1;
#else
	uint32_t old = __sync_fetch_and_add(&row->seq, 1);
	barrier_var(old);
#endif
}

/* The mask is for the verifier: what it knows of an index it forgets once it is an address. */
static __always_inline struct interference_row *row_of(struct interference_lane *lane, uint32_t i)
{
	barrier_var(i);
	return &lane->row[i & (INTERFERENCE_ROWS - 1)];
}

/* Fully ordered: what several CPUs add to needs no other protection. */
static __always_inline void add(uint64_t *to, uint64_t value)
{
	uint64_t old = __sync_fetch_and_add(to, value);

	barrier_var(old);
}

static __always_inline bool takes_time(uint32_t state)
{
	return state != INTERFERENCE_UNSEEN && state != INTERFERENCE_ENDED;
}

static __always_inline void move_row(struct interference_row *row, struct watch_thread *th,
				     uint32_t state, uint32_t cpu, uint64_t now)
{
	uint32_t old = th->state;
	bool outermost;

	if (row->generation != th->generation || row->tid != th->tid || old >= INTERFERENCE_STATES)
		return;
	outermost = row_begin(row);
	if (takes_time(old))
		row->counts.time_ns[old] += now - th->since_ns;
	if (old == INTERFERENCE_WOKEN) {
		row->counts.wake_idle_ns += th->idle_ns;
		row->counts.wake_idle_cnt += !th->busy;
	}
	row->counts.entries_cnt[state]++;
	row->state = state;
	row->since_ns = now;
	if (state == INTERFERENCE_RUNNING) {
		row->counts.migrations_cnt += th->cpu != cpu && th->cpu != WATCH_NO_CPU;
		row->cpu = cpu;
	}
	row_end(row, outermost);
}

/* An interval is entered with minus its start and left with plus its end. */
static __always_inline void move_rest(struct interference_rest *rest, struct watch_thread *th,
				      uint32_t state, uint32_t cpu, uint64_t now)
{
	struct interference_counts *c = &rest->counts;
	uint32_t old = th->state;

	if (old >= INTERFERENCE_STATES)
		return;
	add(&rest->begin_cnt, 1);
	if (takes_time(old)) {
		add(&c->time_ns[old], now);
		add(&rest->open_cnt[old], -1);
	}
	if (old == INTERFERENCE_WOKEN) {
		add(&c->wake_idle_ns, th->idle_ns);
		add(&c->wake_idle_cnt, !th->busy);
	}
	if (takes_time(state)) {
		add(&c->time_ns[state], -now);
		add(&rest->open_cnt[state], 1);
	}
	add(&c->entries_cnt[state], 1);
	if (state == INTERFERENCE_RUNNING && th->cpu != cpu && th->cpu != WATCH_NO_CPU)
		add(&c->migrations_cnt, 1);
	add(&rest->end_cnt, 1);
}

__noinline int move(struct interference_lane *lane, struct watch_thread *th, uint32_t state,
		    uint32_t cpu, uint64_t now)
{
	uint32_t row;

	if (!lane || !th || state >= INTERFERENCE_STATES)
		return 0;
	row = th->row;
	if (row < INTERFERENCE_ROWS)
		move_row(row_of(lane, row), th, state, cpu, now);
	else
		move_rest(&lane->rest, th, state, cpu, now);
	/* Enrolled while it ran: where that was is known when it leaves. */
	if (state == INTERFERENCE_RUNNING ||
	    (th->state == INTERFERENCE_UNSEEN && state != INTERFERENCE_WOKEN))
		th->cpu = cpu;
	th->state = state;
	th->since_ns = now;
	return 0;
}

/* A thread enters a state; `cpu` is where, if the state is RUNNING. */
__noinline int record_move(uint32_t t, uint32_t state, uint32_t cpu, uint64_t now)
{
	struct watch_thread *th = thread_of(t);

	return move(lane_of(th->lane), th, state, cpu, now);
}

/* What is counted and takes no time. */
enum record_what {
	RECORD_LOST,
	RECORD_REPAIRED,
	RECORD_FREQUENCY,
	RECORD_LATE,
};

__noinline int count(struct interference_lane *lane, const struct watch_thread *th, uint32_t what)
{
	struct interference_counts *c;
	uint32_t row;

	if (!lane || !th)
		return 0;
	row = th->row;
	c = row < INTERFERENCE_ROWS ? &row_of(lane, row)->counts : &lane->rest.counts;
	if (what == RECORD_LOST)
		add(&c->lost_cnt, 1);
	else if (what == RECORD_REPAIRED)
		add(&c->repaired_cnt, 1);
	else if (what == RECORD_LATE)
		add(&c->late_cnt, 1);
	else
		add(&c->frequency_cnt, 1);
	return 0;
}

__noinline int record_count(uint32_t t, uint32_t what)
{
	const struct watch_thread *th = thread_of(t);

	return count(lane_of(th->lane), th, what);
}

__noinline int interrupted(struct interference_lane *lane, const struct watch_thread *th,
			   uint32_t kind, uint64_t lapse_ns)
{
	uint32_t row;

	if (!lane || !th || kind >= INTERFERENCE_IRQS)
		return 0;
	row = th->row;
	if (row < INTERFERENCE_ROWS) {
		struct interference_row *r = row_of(lane, row);
		bool outermost = row_begin(r);

		r->counts.irq_ns[kind] += lapse_ns;
		r->counts.irq_cnt[kind]++;
		row_end(r, outermost);
	} else {
		add(&lane->rest.counts.irq_ns[kind], lapse_ns);
		add(&lane->rest.counts.irq_cnt[kind], 1);
	}
	return 0;
}

__noinline int record_irq(uint32_t t, uint32_t kind, uint64_t lapse_ns)
{
	const struct watch_thread *th = thread_of(t);

	return interrupted(lane_of(th->lane), th, kind, lapse_ns);
}

__noinline int record_unwatched(uint32_t lane)
{
	struct interference_lane *l = lane_of(lane);

	if (l)
		add(&l->unwatched_cnt, 1);
	return 0;
}

__noinline int open_row(struct interference_lane *lane, struct watch_thread *th,
			uint32_t generation, uint64_t born_ns)
{
	struct interference_row *row;
	bool outermost;
	uint32_t i;

	if (!lane || !th)
		return 0;
	i = __sync_fetch_and_add(&lane->threads_cnt, 1);
	th->row = i < INTERFERENCE_ROWS ? i : WATCH_NO_ROW;
	if (i >= INTERFERENCE_ROWS)
		return 0;
	row = row_of(lane, i);
	outermost = row_begin(row);
	row->generation = generation;
	row->tid = th->tid;
	row->state = INTERFERENCE_UNSEEN;
	row->cpu = WATCH_NO_CPU;
	row->since_ns = 0;
	row->born_ns = born_ns;
	__builtin_memset(&row->counts, 0, sizeof(row->counts));
	row_end(row, outermost);
	return 0;
}

/* Gives a thread its row, or a share of the rest; the caller has filled in `th`'s lane. */
__noinline int record_open(uint32_t t, uint32_t generation, uint64_t born_ns)
{
	struct watch_thread *th = thread_of(t);

	return open_row(lane_of(th->lane), th, generation, born_ns);
}

__noinline uint32_t empty(struct interference_lane *l)
{
	uint32_t generation;

	if (!l)
		return 0;
	generation = l->generation + 1;
	if (!generation || generation >> 31)
		generation = 1;
	l->version = INTERFERENCE_VERSION;
	l->generation = generation;
	l->threads_cnt = 0;
	l->unwatched_cnt = 0;
	__builtin_memset(&l->rest, 0, sizeof(l->rest));
	return generation;
}

/* Forgets all threads of a lane and makes it ready for others. The new generation. */
__noinline uint32_t record_empty(uint32_t lane)
{
	struct watch_lane *w = watch_lane_of(lane);

	w->generation = 0;
	w->unknown_ns = 0;
	w->generation = empty(lane_of(lane));
	return w->generation;
}
