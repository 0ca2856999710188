/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sample becomes: every value exact, or NaN with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "engine/measure/crosscheck.h"
#include "engine/measure/halves.h"

struct rig {
	struct record rec;
	struct rec_bench *b;
	struct rec_half h;
	struct frame_sample f;
	struct worker w;
	struct event_places events;
	struct half_source src;
	struct perf_tiers tiers;
};

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	record__init(&r->rec);
	assert_int_equal(record__add_bench(&r->rec, "x", &r->b), 0);
	r->b->k = 2;
	for (size_t i = 0; i < METRIC_CNT; i++)
		r->h.value[i] = NAN;
	for (size_t i = 0; i < EVENTS_MAX; i++)
		r->h.event[i] = NAN;
	r->f = (struct frame_sample){
		.n = 10,
		.k = 2,
		.cpu_ns = {1000, 3000},
		.wall_ns = {2000, 4000},
		.minor_faults = 30,
		.major_faults = 10,
		.voluntary = 4,
		.involuntary = 2,
		.cpu_after_ns = 4000,
		.group = {{1, 0, 900, 900, {2000, 5000}}, {1, 0, 900, 900, {40, 20}}},
		.seen = {SEEN_ALL, 0, 4000, 600, 80, 1000, 20, 4, 2, 1},
	};
	r->w.group[GROUP_HARDWARE] = (struct perf_group){.cnt = 2, .event = {0, 1}};
	r->w.group[GROUP_MISSES] = (struct perf_group){.cnt = 2, .event = {0, 1}};
	r->src = (struct half_source){.worker = &r->w, .events = &r->events};
	r->tiers = (struct perf_tiers){.hw_events = 2};
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	free(r->h.threads);
	record__done(&r->rec);
	free(r);
	return 0;
}

static void fill(struct rig *r)
{
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_BPF);
	assert_int_equal(half_fill(&r->h, &r->f, r->b, &r->src), 0);
}

static void expect_missing(const struct rig *r, enum metric_id id, enum reason why)
{
	assert_true(isnan(r->h.value[id]));
	assert_int_equal(r->b->metric[id].missing, why);
}

static void a_sound_sample_is_exact_in_everything(void **state)
{
	static const struct {
		enum metric_id id;
		double value;
	} rows[] = {
		{METRIC_CPU, 200},
		{METRIC_CPU_TOTAL, 200},
		{METRIC_WALL, 300},
		{METRIC_INSTRUCTIONS, 100},
		{METRIC_CYCLES, 250},
		{METRIC_BRANCH_MISSES, 2},
		{METRIC_CACHE_MISSES, 1},
		{METRIC_PAGE_FAULTS, 2},
		{METRIC_VOLUNTARY_SWITCHES, 0.2},
		{METRIC_INVOLUNTARY_SWITCHES, 0.1},
		{METRIC_BLOCKED, 50},
		{METRIC_MIGRATIONS, 0.05},
		{METRIC_WAITING, 30},
		{METRIC_WAKEUP, 4},
		{METRIC_INTERRUPTS, 1},
	};
	struct rig *r = *state;

	fill(r);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_float_equal(r->h.value[rows[i].id], rows[i].value, 1e-9);
		assert_int_equal(r->h.missing[rows[i].id], REASON_NONE);
		assert_int_equal(r->b->metric[rows[i].id].missing, REASON_NONE);
	}
	assert_int_equal(r->h.threads_cnt, 0);
}

/* Never scaled: one window in which others shared the counter is enough for the benchmark. */
static void a_shared_counter_is_no_number(void **state)
{
	struct rig *r = *state;

	r->f.group[GROUP_HARDWARE].running_ns = 899;
	fill(r);
	expect_missing(r, METRIC_INSTRUCTIONS, REASON_MULTIPLEXED);
	expect_missing(r, METRIC_CYCLES, REASON_MULTIPLEXED);
	assert_int_equal(r->h.missing[METRIC_CYCLES], REASON_MULTIPLEXED);
	assert_string_equal(quality_name(r->h.missing[METRIC_CYCLES]), "multiplexed");
	/* the other group is its own, and so is time */
	assert_true(r->h.value[METRIC_BRANCH_MISSES] == 2 && r->h.value[METRIC_CPU] == 200);
	assert_int_equal(r->b->metric[METRIC_CPU].missing, REASON_NONE);
}

static void on_a_core_of_another_type_it_is_said(void **state)
{
	struct rig *r = *state;

	r->src.core_type = 4;
	r->f.group[GROUP_HARDWARE].running_ns = 0;
	fill(r);
	expect_missing(r, METRIC_INSTRUCTIONS, REASON_HYBRID_CORES);
}

static void a_counter_thrown_off_is_busy(void **state)
{
	struct rig *r = *state;

	r->f.group[GROUP_HARDWARE].valid = 0;
	fill(r);
	assert_true(isnan(r->h.value[METRIC_INSTRUCTIONS]));
	assert_true(r->b->metric[METRIC_INSTRUCTIONS].missing == REASON_PERF_BUSY ||
		    r->b->metric[METRIC_INSTRUCTIONS].missing == REASON_NMI_WATCHDOG);
}

static void no_instructions_at_all_are_not_believed(void **state)
{
	struct rig *r = *state;

	r->f.group[GROUP_HARDWARE].value[0] = 0;
	fill(r);
	expect_missing(r, METRIC_INSTRUCTIONS, REASON_COUNTER_MISMATCH);
	assert_int_equal(r->b->metric[METRIC_CYCLES].missing, REASON_NONE);
}

static void a_group_that_was_not_opened_says_why(void **state)
{
	struct rig *r = *state;

	r->w.group[GROUP_HARDWARE].cnt = 0;
	r->w.group_missing[GROUP_HARDWARE] = REASON_PERF_FILES;
	r->f.group[GROUP_HARDWARE].valid = 0;
	fill(r);
	expect_missing(r, METRIC_INSTRUCTIONS, REASON_PERF_FILES);
}

static void values_follow_the_events_that_are_there(void **state)
{
	struct rig *r = *state;

	r->w.group[GROUP_HARDWARE].cnt = 1;
	r->w.group[GROUP_MISSES] = (struct perf_group){.cnt = 1, .event = {PERF_MISSES_CACHE}};
	fill(r);
	assert_true(r->h.value[METRIC_INSTRUCTIONS] == 100);
	expect_missing(r, METRIC_CYCLES, REASON_PERF_FEW);
	expect_missing(r, METRIC_BRANCH_MISSES, REASON_PERF_FEW);
	assert_true(r->h.value[METRIC_CACHE_MISSES] == 2);
}

static void a_loss_is_unknown_and_never_none(void **state)
{
	struct rig *r = *state;

	r->f.seen.state = SEEN_LOST;
	fill(r);
	assert_true(isnan(r->h.value[METRIC_WAITING]) && isnan(r->h.value[METRIC_BLOCKED]));
	assert_int_equal(r->h.missing[METRIC_WAITING], REASON_EVENTS_LOST);
	assert_int_equal(r->h.missing[METRIC_MIGRATIONS], REASON_EVENTS_LOST);
	/* this window only: interference decides nothing */
	assert_int_equal(r->b->metric[METRIC_WAITING].missing, REASON_NONE);
	/* getrusage lost nothing */
	assert_true(r->h.value[METRIC_INVOLUNTARY_SWITCHES] == 0.1);
}

static void a_loss_that_is_found_later_takes_back_what_was_seen(void **state)
{
	struct rig *r = *state;

	fill(r);
	assert_true(r->h.value[METRIC_WAITING] == 30);
	half_lose_seen(&r->h, r->b);
	assert_true(isnan(r->h.value[METRIC_WAITING]) && isnan(r->h.value[METRIC_BLOCKED]));
	assert_int_equal(r->h.missing[METRIC_WAITING], REASON_EVENTS_LOST);
	assert_int_equal(r->h.missing[METRIC_MIGRATIONS], REASON_EVENTS_LOST);
	assert_int_equal(r->b->metric[METRIC_WAITING].missing, REASON_NONE);
	assert_true(r->h.value[METRIC_INVOLUNTARY_SWITCHES] == 0.1);
}

static void what_was_not_seen_is_not_lost(void **state)
{
	struct rig *r = *state;

	half_fix_missing(r->b, &r->tiers, INTERFERENCE_GETRUSAGE);
	r->f.seen.state = SEEN_WAITING;
	assert_int_equal(half_fill(&r->h, &r->f, r->b, &r->src), 0);
	half_lose_seen(&r->h, r->b);
	expect_missing(r, METRIC_BLOCKED, REASON_NO_BPF);
}

static void without_bpf_only_waiting_is_known(void **state)
{
	struct rig *r = *state;

	r->f.seen.state = SEEN_WAITING;
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_GETRUSAGE);
	assert_int_equal(half_fill(&r->h, &r->f, r->b, &r->src), 0);
	assert_true(r->h.value[METRIC_WAITING] == 30);
	expect_missing(r, METRIC_BLOCKED, REASON_NO_BPF);
	expect_missing(r, METRIC_MIGRATIONS, REASON_NO_BPF);
	r->b->threads = 2;
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_GETRUSAGE);
	assert_int_equal(r->b->metric[METRIC_WAITING].missing, REASON_NO_BPF);
}

static void threads_that_no_clock_saw_leave_no_cpu_time(void **state)
{
	struct rig *r = *state;

	r->f.cpu = CPU_UNKNOWN;
	fill(r);
	expect_missing(r, METRIC_CPU, REASON_THREADS_UNSEEN);
	expect_missing(r, METRIC_CPU_TOTAL, REASON_THREADS_UNSEEN);
	assert_true(r->h.value[METRIC_WALL] == 300); /* which needs no clock of theirs */
	assert_true(r->h.value[METRIC_INSTRUCTIONS] == 100);
}

static void undeclared_threads_leave_nothing_of_one_thread(void **state)
{
	struct rig *r = *state;

	r->f.foreign_cpu_ns = 40; /* 1 %: a timer, a library */
	fill(r);
	assert_true(r->h.value[METRIC_CPU] == 200);
	r->f.foreign_cpu_ns = 41;
	assert_int_equal(half_fill(&r->h, &r->f, r->b, &r->src), 0);
	expect_missing(r, METRIC_CPU, REASON_UNDECLARED_THREADS);
	expect_missing(r, METRIC_INSTRUCTIONS, REASON_UNDECLARED_THREADS);
	assert_true(r->h.value[METRIC_WALL] == 300);
}

static void unwaited_processes_leave_a_command_without_cpu_time(void **state)
{
	static const struct {
		double cpu_ns, unwaited_ns;
		uint64_t ended_cnt;
		bool lacks;
	} rows[] = {
		{1e6, NAN, 0, false},	   {1e6, 0, 0, false},		 {1e6, 100000, 0, false},
		{1e6, 100001, 0, true},	   {1e9, 1e7, 0, false},	 {1e9, 1e7 + 1, 0, true},
		{0, 100001, 0, true},	   {1e6, 240000, 4, false},	 {1e6, 240001, 4, true},
		{1e9, 1.15e7, 100, false}, {1e9, 1.15e7 + 1, 100, true}, {52e6, 6e6, 600, false},
		{52e6, 20e6, 600, true}, /* not behind many threads */
	};
	struct rig *r = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r->b->metric[METRIC_CPU].missing = REASON_NONE;
		r->h.slices = 1;
		r->h.cpu_ns[0] = r->h.value[METRIC_CPU] = rows[i].cpu_ns;
		r->h.value[METRIC_WALL] = 300;
		half_check_unwaited(&r->h, r->b, rows[i].unwaited_ns, rows[i].ended_cnt);
		if (rows[i].lacks)
			expect_missing(r, METRIC_CPU, REASON_UNWAITED_PROCESSES);
		else
			assert_true(r->h.value[METRIC_CPU] == rows[i].cpu_ns);
		assert_int_equal(isnan(r->h.value[METRIC_CPU]), rows[i].lacks);
		assert_true(r->h.value[METRIC_WALL] == 300);
	}
}

static void rows_of_threads_are_kept(void **state)
{
	struct rig *r = *state;

	r->f.threads_cnt = 2;
	r->f.thread[0] = (struct frame_thread){1, 2, 3, 4};
	r->f.thread[1] = (struct frame_thread){5, UINT64_MAX, UINT64_MAX, UINT64_MAX};
	fill(r);
	assert_int_equal(r->h.threads_cnt, 2);
	assert_true(r->h.threads[0].blocked_ns == 4 && r->h.threads[1].cpu_ns == 5);
	assert_true(isnan(r->h.threads[1].running_ns));
}

static void events_of_the_user_stand_in_their_places(void **state)
{
	struct rig *r = *state;

	/* the first of three cannot be counted here; the group holds the others */
	r->events = (struct event_places){.index = {1, 2}, .cnt = 2};
	r->w.group[GROUP_EVENTS] = (struct perf_group){.cnt = 2, .event = {0, 1}};
	r->f.group[GROUP_EVENTS] = (struct frame_reading){1, 0, 5, 5, {200, 20}};
	fill(r);
	assert_true(isnan(r->h.event[0]));
	assert_true(r->h.event[1] == 10 && r->h.event[2] == 1);
	r->h.event[1] = r->h.event[2] = NAN;
	r->f.group[GROUP_EVENTS].running_ns = 4;
	fill(r);
	assert_true(isnan(r->h.event[1]));
}

static void what_lacks_is_known_before_anything_is_measured(void **state)
{
	struct rig *r = *state;

	r->tiers = (struct perf_tiers){.hw = REASON_NO_PMU, .misses = REASON_NO_PMU};
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_BPF);
	assert_int_equal(r->b->metric[METRIC_INSTRUCTIONS].missing, REASON_NO_PMU);
	assert_int_equal(r->b->metric[METRIC_CPU_TOTAL].missing, REASON_NONE);
	r->tiers = (struct perf_tiers){.hw_events = 1, .misses = REASON_NO_EVENT};
	r->b->k = 1;
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_BPF);
	assert_int_equal(r->b->metric[METRIC_INSTRUCTIONS].missing, REASON_NONE);
	assert_int_equal(r->b->metric[METRIC_CYCLES].missing, REASON_PERF_FEW);
	assert_int_equal(r->b->metric[METRIC_CACHE_MISSES].missing, REASON_NO_EVENT);
	assert_int_equal(r->b->metric[METRIC_CPU_TOTAL].missing, REASON_ONE_SLICE);
	r->b->kind = BENCH_COMMAND;
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_BPF);
	assert_int_equal(r->b->metric[METRIC_INSTRUCTIONS].missing, REASON_NOT_FOR_COMMANDS);
	assert_int_equal(r->b->metric[METRIC_PAGE_FAULTS].missing, REASON_NONE);
	assert_int_equal(r->b->metric[METRIC_WAITING].missing, REASON_NONE);
	/* a process that is gone has no /proc to be read */
	r->b->threads = 1;
	half_fix_missing(r->b, &r->tiers, INTERFERENCE_GETRUSAGE);
	assert_int_equal(r->b->metric[METRIC_WAITING].missing, REASON_NO_BPF);
	assert_int_equal(r->b->metric[METRIC_MIGRATIONS].missing, REASON_NO_BPF);
}

/* ---- the kernel's count beside the worker's ---- */

static const struct rec_check kernel = {
	.task_clock_ns = NAN, .cpu_ns = 1e6, .page_faults = 40, .switches = 6, .migrations = 1};

static void the_kernel_never_has_less(void **state)
{
	struct rig *r = *state;
	const struct crosscheck agreed = {
		.cpu_ns = 1e6, .faults = 40, .switches = 6, .migrations = 1};
	struct rec_check unknown = kernel;
	struct crosscheck c = agreed;

	assert_true(crosscheck_agrees(&c, &kernel, r->b));
	c.migrations = 2;
	assert_false(crosscheck_agrees(&c, &kernel, r->b));
	c = agreed;
	c.faults = 41;
	assert_false(crosscheck_agrees(&c, &kernel, r->b));
	assert_int_equal(r->b->metric[METRIC_PAGE_FAULTS].missing, REASON_COUNTER_MISMATCH);
	assert_int_equal(r->b->metric[METRIC_VOLUNTARY_SWITCHES].missing, REASON_NONE);
	c = agreed;
	c.switches = 7;
	assert_false(crosscheck_agrees(&c, &kernel, r->b));
	assert_int_equal(r->b->metric[METRIC_VOLUNTARY_SWITCHES].missing, REASON_COUNTER_MISMATCH);
	assert_int_equal(r->b->metric[METRIC_CPU].missing, REASON_NONE);
	c = agreed;
	c.cpu_ns += 1;
	assert_false(crosscheck_agrees(&c, &kernel, r->b));
	assert_int_equal(r->b->metric[METRIC_CPU].missing, REASON_COUNTER_MISMATCH);
	assert_int_equal(r->b->metric[METRIC_CPU_TOTAL].missing, REASON_COUNTER_MISMATCH);
	/* the clock of several threads may lag by a tick of each */
	r->b->threads = 2;
	assert_true(crosscheck_agrees(&c, &kernel, r->b));
	c.cpu_ns += 2e7;
	assert_false(crosscheck_agrees(&c, &kernel, r->b));
	c.cpu_ns = 1e6;
	unknown.cpu_ns = NAN;
	assert_true(crosscheck_agrees(&c, &unknown, r->b));
}

/* A millisecond claimed in two windows. */
static void what_lies_beside_the_windows_is_not_held_against_them(void **state)
{
	const struct crosscheck c = {.cpu_ns = 1e6, .windows = 2};
	struct rec_check more = kernel;

	(void)state;
	more.cpu_ns = 4e6;	    /* it may be that of the start */
	more.task_clock_ns = 1.3e6; /* 0.2 ms beside each window */
	assert_true(crosscheck_claimed(&c, &more) == 1);
	more.task_clock_ns = 2.4e6;
	assert_true(crosscheck_claimed(&c, &more) == .5);
	assert_true(isnan(crosscheck_claimed(&(struct crosscheck){.windows = 0}, &more)));
	more.task_clock_ns = 33e6; /* of a worker that lost its CPU 443 times */
	more.cpu_ns = 2.4e6;
	assert_true(crosscheck_claimed(&c, &more) == .5);
	more.task_clock_ns = NAN; /* without perf a tick may be that of the start */
	more.cpu_ns = 12.4e6;
	assert_true(crosscheck_claimed(&c, &more) == .5);
	more.cpu_ns = NAN;
	assert_true(isnan(crosscheck_claimed(&c, &more)));
}

static bool claims_enough(struct rig *r, const double *claimed, size_t cnt)
{
	struct rec_block *blk;

	while (r->b->blocks_cnt < cnt)
		assert_int_equal(record__add_block(r->b, &blk), 0);
	for (size_t i = 0; i < cnt; i++)
		r->b->blocks[i].check[SIDE_CANDIDATE].claimed = claimed[i];
	assert_true(crosscheck_claims_enough(r->b, SIDE_BASELINE)); /* of which nothing is known */
	return crosscheck_claims_enough(r->b, SIDE_CANDIDATE);
}

static void a_clock_is_wrong_in_most_blocks_or_not_at_all(void **state)
{
	struct rig *r = *state;

	assert_true(claims_enough(r, (const double[]){.1}, 1));	     /* the CPU was taken away */
	assert_true(claims_enough(r, (const double[]){.1, .49}, 2)); /* in a row, by one burst */
	assert_false(claims_enough(r, (const double[]){.1, .49, .49}, 3));
	assert_true(claims_enough(r, (const double[]){.1, .49, .5}, 3));
	assert_true(claims_enough(r, (const double[]){.1, .49, .49, .9, 1, .5}, 6));
	assert_false(claims_enough(r, (const double[]){.1, .49, .49, .9, NAN, .5}, 6));
}

static void the_group_has_what_nobody_waited_for(void **state)
{
	const struct crosscheck c = {.cpu_ns = 1e6, .waited_ns = 3e5};

	(void)state;
	assert_true(crosscheck_sees_all(&c, 1.3e6, 1e6, 0));
	assert_true(crosscheck_sees_all(&c, 1.39e6, 1e6, 0)); /* an init, and rounding */
	assert_false(crosscheck_sees_all(&c, 1.41e6, 1e6, 0));
	assert_true(crosscheck_sees_all(&c, 100.9e6, 100e6, 0)); /* less than a hundredth */
	assert_false(crosscheck_sees_all(&c, 101.4e6, 100e6, 0));
	assert_true(crosscheck_sees_all(&c, NAN, 1e6, 0));
	assert_true(crosscheck_sees_all(&c, 1.5e6, NAN, 0));
	assert_true(crosscheck_sees_all(&c, 1.54e6, 1e6, 4)); /* threads that ended */
	assert_false(crosscheck_sees_all(&c, 1.55e6, 1e6, 4));
}

static void every_window_is_in_the_sums(void **state)
{
	struct rig *r = *state;
	struct crosscheck c = {0};

	crosscheck__add(&c, &r->f);
	r->f.cpu = CPU_UNKNOWN; /* a part of the truth is no claim */
	r->f.seen.state = SEEN_LOST;
	crosscheck__add(&c, &r->f);
	assert_int_equal(c.windows, 1);
	assert_true(c.cpu_ns == 4000 && c.faults == 80 && c.switches == 12 && c.migrations == 1);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_sound_sample_is_exact_in_everything),
		T(a_shared_counter_is_no_number),
		T(on_a_core_of_another_type_it_is_said),
		T(a_counter_thrown_off_is_busy),
		T(no_instructions_at_all_are_not_believed),
		T(a_group_that_was_not_opened_says_why),
		T(values_follow_the_events_that_are_there),
		T(a_loss_is_unknown_and_never_none),
		T(a_loss_that_is_found_later_takes_back_what_was_seen),
		T(what_was_not_seen_is_not_lost),
		T(without_bpf_only_waiting_is_known),
		T(threads_that_no_clock_saw_leave_no_cpu_time),
		T(undeclared_threads_leave_nothing_of_one_thread),
		T(unwaited_processes_leave_a_command_without_cpu_time),
		T(rows_of_threads_are_kept),
		T(events_of_the_user_stand_in_their_places),
		T(what_lacks_is_known_before_anything_is_measured),
		T(the_kernel_never_has_less),
		T(what_lies_beside_the_windows_is_not_held_against_them),
		T(a_clock_is_wrong_in_most_blocks_or_not_at_all),
		T(the_group_has_what_nobody_waited_for),
		T(every_window_is_in_the_sums),
	};

	return cmocka_run_group_tests_name("halves", tests, NULL, NULL);
}
