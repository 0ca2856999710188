/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks that stand in a record more than once: each would count as evidence of its own. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "json_read_parts.h"

static int order(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct rec_block *x = *(const struct rec_block *const *)a;
	const struct rec_block *y = *(const struct rec_block *const *)b;
	int cmp = order(x->stage, y->stage);

	if (!cmp)
		cmp = order(x->slot, y->slot);
	return cmp ? cmp : order(x->attempt, y->attempt);
}

/* A lost block is taken again in its slot, as the next attempt. */
static void check_places(struct json_reader *r, const struct rec_bench *b)
{
	AUTO_FREE const struct rec_block **sorted = calloc(b->blocks_cnt + 1, sizeof(*sorted));
	bool counted = false;

	if (!sorted) {
		json_no_memory(r);
		return;
	}
	for (size_t i = 0; i < b->blocks_cnt; i++)
		sorted[i] = &b->blocks[i];
	qsort(sorted, b->blocks_cnt, sizeof(*sorted), by_place);
	for (size_t i = 0; i < b->blocks_cnt; i++) {
		const struct rec_block *blk = sorted[i], *last = i ? sorted[i - 1] : NULL;
		bool kept = blk->lost == REASON_NONE;
		bool again = last && last->stage == blk->stage && last->slot == blk->slot;

		if (again && (last->attempt == blk->attempt || (kept && counted)))
			json_flaw(r, "stage %u has \"slot\" %u twice", blk->stage, blk->slot);
		counted = kept || (again && counted);
	}
}

/* Process IDs come round again, but not with the same file and the same nanoseconds to start. */
struct process_key {
	int64_t pid;
	uint64_t inode;
	double start_ns;
};

static int by_process(const void *a, const void *b)
{
	const struct process_key *x = a, *y = b;
	int cmp = (x->pid > y->pid) - (x->pid < y->pid);

	if (!cmp)
		cmp = (x->inode > y->inode) - (x->inode < y->inode);
	return cmp ? cmp : order(x->start_ns, y->start_ns);
}

static size_t take_processes(const struct rec_bench *b, struct process_key *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		const struct rec_block *blk = &b->blocks[i];

		for (size_t side = 0; side < SIDE_CNT; side++)
			if (blk->pid[side] && !isnan(blk->start_ns[side]))
				ret[n++] = (struct process_key){blk->pid[side], blk->inode[side],
								blk->start_ns[side]};
	}
	return n;
}

static void check_processes(struct json_reader *r, const struct rec_bench *b)
{
	AUTO_FREE struct process_key *key = calloc(2 * b->blocks_cnt + 1, sizeof(*key));
	size_t n;

	if (!key) {
		json_no_memory(r);
		return;
	}
	n = take_processes(b, key);
	qsort(key, n, sizeof(*key), by_process);
	for (size_t i = 1; i < n; i++)
		if (!by_process(&key[i - 1], &key[i]))
			json_flaw(r, "process %lld stands in it twice (\"pid\", \"start_ns\")",
				  (long long)key[i].pid);
}

void json_read_twice(struct json_reader *r, const struct rec_bench *b)
{
	if (r->err)
		return;
	check_places(r, b);
	check_processes(r, b);
}
