/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_counters.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "../host/perf.h"
#include "halves.h"

#define FILES_PER_GROUP 2
#define FILES_PER_SIDE	(2 * FILES_PER_GROUP) /* the groups of the hardware and of the misses */
#define CYCLES_PER_NS	3.0

static const struct perf_tiers everything = {.hw_events = 2};

void sim_counters_plan(struct rec_bench *b)
{
	half_fix_missing(b, &everything, INTERFERENCE_BPF);
}

static bool fits(unsigned wanted, unsigned is)
{
	return wanted == UINT_MAX || wanted == is;
}

static const struct sim_counter_fault *find(const struct simulator *sim, const char *name,
					    const struct rec_block *at, size_t i, enum side side)
{
	for (size_t k = 0; k < sim->counter_faults_cnt; k++) {
		const struct sim_counter_fault *f = &sim->counter_faults[k];

		if (f->bench && strcmp(f->bench, name) != 0)
			continue;
		if (fits(f->stage, at->stage) && fits(f->slot, at->slot) &&
		    fits(f->pair, (unsigned)i) && (f->side == SIDE_CNT || f->side == side))
			return f;
	}
	return NULL;
}

/* The files of a block are opened side by side, in the order in which they were spawned. */
static void open_groups(struct worker *w, const struct sim_counter_fault *f,
			const struct rec_coins *coins, enum side side)
{
	unsigned before = side == coins->spawned_first ? 0 : FILES_PER_SIDE;

	for (unsigned g = GROUP_HARDWARE; g <= GROUP_MISSES; g++) {
		unsigned last = before + (g + 1) * FILES_PER_GROUP;

		if (f && f->what == SIM_NO_FILES && last >= f->nth)
			w->group_missing[g] = perf_reason(EMFILE);
		else
			w->group[g] = (struct perf_group){.cnt = FILES_PER_GROUP, .event = {0, 1}};
	}
}

static void count(struct frame_sample *s, const struct sim_bench *sb, enum side side)
{
	double iterations = (double)s->n * s->k;
	struct frame_reading *hw = &s->group[GROUP_HARDWARE], *misses = &s->group[GROUP_MISSES];

	for (uint32_t i = 0; i < s->k; i++)
		s->cpu_after_ns += s->cpu_ns[i];
	hw->enabled_ns = hw->running_ns = misses->enabled_ns = misses->running_ns = s->cpu_after_ns;
	hw->valid = misses->valid = 1;
	hw->value[PERF_HW_INSTRUCTIONS] = (uint64_t)llrint(sb->instructions[side] * iterations);
	hw->value[PERF_HW_CYCLES] = (uint64_t)llrint(CYCLES_PER_NS * (double)s->cpu_after_ns);
	s->minor_faults = (uint64_t)llrint(sb->page_faults[side] * iterations);
	s->seen.state = SEEN_ALL;
	s->seen.running_ns = s->cpu_after_ns;
}

static void fail(struct frame_sample *s, const struct sim_counter_fault *f)
{
	struct frame_reading *hw = &s->group[GROUP_HARDWARE];

	switch (f->what) {
	case SIM_PMU_VANISHES:
		hw->valid = 0;
		s->group[GROUP_MISSES].valid = 0;
		break;
	case SIM_PARTLY_RUNNING:
	case SIM_OTHER_CORE:
		hw->running_ns /= 2;
		hw->value[PERF_HW_INSTRUCTIONS] /= 2;
		break;
	case SIM_ZEROS:
		memset(hw->value, 0, sizeof(hw->value));
		break;
	case SIM_EVENTS_LOST:
		s->seen = (struct frame_seen){.state = SEEN_LOST};
		break;
	case SIM_NO_FILES:
		break;
	}
}

int sim_counters_fill(const struct simulator *sim, const struct sim_bench *sb, struct rec_bench *b,
		      const struct rec_block *blk, size_t i, enum side side)
{
	const struct sim_counter_fault *f = find(sim, b->name, blk, i, side);
	struct rec_half *h = &blk->pairs[i].half[side];
	struct frame_sample s = {.n = b->n, .k = (uint32_t)b->k};
	struct worker w = {0};
	const struct half_source src = {.worker = &w, .core_type = f && f->what == SIM_OTHER_CORE};

	for (size_t j = 0; j < b->k; j++) {
		s.cpu_ns[j] = (uint64_t)llrint(h->cpu_ns[j]);
		s.wall_ns[j] = (uint64_t)llrint(h->wall_ns[j]);
	}
	open_groups(&w, f, &blk->coins, side);
	count(&s, sb, side);
	if (f)
		fail(&s, f);
	return half_fill(h, &s, b, &src);
}
