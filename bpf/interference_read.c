/* SPDX-License-Identifier: BSD-2-Clause */
#include "interference_read.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* A writer is at work for some 20 ns; whoever reads in vain this often had it preempted or worse. */
#define ATTEMPTS 1000

_Static_assert(sizeof(struct interference_counts) % sizeof(uint64_t) == 0, "summed as an array");
#define COUNTS (sizeof(struct interference_counts) / sizeof(uint64_t))

const struct interference_lane *joust_interference_map(int fd)
{
	void *at = mmap(NULL, sizeof(struct interference_lane), PROT_READ, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

void joust_interference_unmap(const struct interference_lane *lane)
{
	if (lane)
		(void)munmap((void *)lane,
			     sizeof(*lane)); /* only fails for addresses never mapped */
}

static void add_counts(struct interference_counts *sum, const struct interference_counts *c)
{
	const uint64_t *from = (const uint64_t *)c;
	uint64_t *to = (uint64_t *)sum;

	for (size_t i = 0; i < COUNTS; i++)
		to[i] += from[i];
}

/* A copy that was torn by a writer on another CPU is thrown away. */
static int copy_row(const struct interference_row *row, struct interference_row *ret)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		uint32_t seq = __atomic_load_n(&row->seq, __ATOMIC_ACQUIRE);

		if (seq & 1)
			continue;
		memcpy(ret, row, sizeof(*row));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&row->seq, __ATOMIC_RELAXED) == seq)
			return 0;
	}
	return -EAGAIN;
}

/* The interval that is still open; another CPU's clock may be a little ahead of the reader's. */
static void close_interval(struct interference_row *row, uint64_t now_ns)
{
	if (row->state > INTERFERENCE_UNSEEN && row->state < INTERFERENCE_ENDED &&
	    now_ns > row->since_ns) {
		row->counts.time_ns[row->state] += now_ns - row->since_ns;
		row->since_ns = now_ns;
	}
}

static int read_row(const struct interference_row *from, uint64_t now_ns,
		    struct interference_reading *r)
{
	struct interference_row row;
	int err = copy_row(from, &row);

	/* Another generation: the row is being prepared for a thread that has not run yet. */
	if (err || row.generation != r->generation)
		return err;
	r->running_cnt += row.state == INTERFERENCE_RUNNING;
	close_interval(&row, now_ns);
	add_counts(&r->sum, &row.counts);
	return 0;
}

static int read_rest(const struct interference_rest *rest, uint64_t now_ns,
		     struct interference_reading *r)
{
	struct interference_rest copy;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t end = __atomic_load_n(&rest->end_cnt, __ATOMIC_ACQUIRE);

		memcpy(&copy, rest, sizeof(copy));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&rest->begin_cnt, __ATOMIC_RELAXED) != end)
			continue;
		for (int state = INTERFERENCE_RUNNING; state < INTERFERENCE_ENDED; state++)
			copy.counts.time_ns[state] += copy.open_cnt[state] * now_ns;
		add_counts(&r->sum, &copy.counts);
		r->running_cnt += (uint32_t)copy.open_cnt[INTERFERENCE_RUNNING];
		return 0;
	}
	return -EAGAIN;
}

static bool is_current(const struct interference_lane *lane, uint32_t generation)
{
	return lane->version == INTERFERENCE_VERSION &&
	       (!generation || __atomic_load_n(&lane->generation, __ATOMIC_ACQUIRE) == generation);
}

int joust_interference_read(const struct interference_lane *lane, uint32_t generation,
			    uint64_t now_ns, struct interference_reading *ret)
{
	uint32_t threads = __atomic_load_n(&lane->threads_cnt, __ATOMIC_ACQUIRE);
	struct interference_reading r;
	int err = 0;

	if (!is_current(lane, generation))
		return -ESTALE;
	memset(&r, 0, sizeof(r));
	r.generation = __atomic_load_n(&lane->generation, __ATOMIC_RELAXED);
	r.threads_cnt = threads;
	r.unwatched_cnt = __atomic_load_n(&lane->unwatched_cnt, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < threads && i < INTERFERENCE_ROWS && !err; i++)
		err = read_row(&lane->row[i], now_ns, &r);
	if (!err && threads > INTERFERENCE_ROWS)
		err = read_rest(&lane->rest, now_ns, &r);
	if (err)
		return err;
	*ret = r;
	return 0;
}

int joust_interference_read_own(const struct interference_lane *lane, uint32_t generation,
				uint64_t now_ns, struct interference_reading *ret)
{
	struct interference_reading r;
	int err = joust_interference_read(lane, generation, now_ns, &r);

	if (err)
		return err;
	if (!r.running_cnt)
		return -ENODATA;
	*ret = r;
	return 0;
}

int joust_interference_thread(const struct interference_lane *lane, uint32_t generation,
			      uint32_t index, uint64_t now_ns, struct interference_row *ret)
{
	struct interference_row row;
	int err;

	if (!is_current(lane, generation))
		return -ESTALE;
	if (index >= INTERFERENCE_ROWS ||
	    index >= __atomic_load_n(&lane->threads_cnt, __ATOMIC_ACQUIRE))
		return -ENOENT;
	err = copy_row(&lane->row[index], &row);
	if (err)
		return err;
	if (row.generation != lane->generation)
		return -ENOENT;
	close_interval(&row, now_ns);
	*ret = row;
	return 0;
}

void joust_interference_diff(struct interference_counts *ret,
			     const struct interference_counts *from,
			     const struct interference_counts *to)
{
	const uint64_t *minuend = (const uint64_t *)to, *subtrahend = (const uint64_t *)from;
	uint64_t *words = (uint64_t *)ret;

	for (size_t i = 0; i < COUNTS; i++)
		words[i] = minuend[i] - subtrahend[i];
}

uint64_t joust_interference_disturbed_ns(const struct interference_counts *c)
{
	return joust_interference_waiting_ns(c) - c->wake_idle_ns;
}

uint64_t joust_interference_waiting_ns(const struct interference_counts *c)
{
	return c->time_ns[INTERFERENCE_PREEMPTED] + c->time_ns[INTERFERENCE_WOKEN];
}

bool joust_interference_agrees(const struct interference_counts *diff, uint64_t voluntary_cnt,
			       uint64_t involuntary_cnt)
{
	return !diff->lost_cnt && diff->entries_cnt[INTERFERENCE_BLOCKED] +
						  diff->entries_cnt[INTERFERENCE_PREEMPTED] ==
					  voluntary_cnt + involuntary_cnt;
}
