/* SPDX-License-Identifier: BSD-2-Clause */
/* Who disturbed a run, counted and said. */
#include "test_report_fixture.h"
#include <stdlib.h>
#include "report/disturbance.h"

/* A block of 3 pairs, of which the first `disturbed` had an involuntary switch. */
static struct rec_block *block(struct rec_bench *b, size_t disturbed, const char *comm, int64_t pid)
{
	struct rec_block *blk = add_block(b, 3, 1000, 0);

	for (size_t i = 0; i < disturbed; i++)
		blk->pairs[i].half[SIDE_CANDIDATE].value[METRIC_INVOLUNTARY_SWITCHES] = 0.01;
	if (comm)
		assert_int_equal(rec_block__add_preemptor(blk, pid, comm, 5e5, 2), 0);
	return blk;
}

static void run(struct record *r, struct rec_bench **ret)
{
	record__init(r);
	r->seconds = 9.3;
	r->host.interference = INTERFERENCE_BPF;
	*ret = add_bench(r, "x", BENCH_SAME);
}

static void expect_summary(const struct record *r, const char *what)
{
	const struct terminal_style plain = {0};
	AUTO_FREE char *text = written(terminal_report, r, &plain);

	if (!strstr(text, what))
		fail_msg("\"%s\" is not in:\n%s", what, text);
}

static void the_worst_are_named(void **state)
{
	struct record r;
	struct rec_bench *b;
	struct disturbance d;

	(void)state;
	run(&r, &b);
	block(b, 2, "stress-ng", 812);
	block(b, 3, "stress-ng", 812);
	block(b, 1, NULL, 0);
	block(b, 0, "quiet", 5);
	disturbance_of(&r, &d);
	assert_int_equal(d.recorded, 12);
	assert_int_equal(d.disturbed, 6);
	assert_int_equal(d.by_cnt, 1);
	assert_int_equal(d.by[0].pairs, 5);
	assert_int_equal(d.by[0].pid, 812);
	assert_int_equal(d.by_host, 1);
	expect_summary(&r, "6 of 12 pairs were disturbed: 5 by stress-ng (pid 812), 1 by "
			   "the host.\n");
	record__done(&r);
}

static void the_rest_are_others(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	static const size_t pairs[] = {1, 3, 2, 1, 1};
	struct record r;
	struct rec_bench *b;

	(void)state;
	run(&r, &b);
	for (size_t i = 0; i < 5; i++)
		block(b, pairs[i], names[i], 10 + (int64_t)i);
	expect_summary(&r, "8 of 15 pairs were disturbed: 3 by b (pid 11), 2 by c (pid 12), 1 by a "
			   "(pid 10), 2 by others.");
	record__done(&r);
}

/* Waiting alone disturbs too: more than 1 % of the window. */
static void waiting_counts_from_one_percent_on(void **state)
{
	struct record r;
	struct rec_bench *b;
	struct rec_half *h;
	struct disturbance d;

	(void)state;
	run(&r, &b);
	h = &block(b, 0, NULL, 0)->pairs[1].half[SIDE_BASELINE];
	h->value[METRIC_WALL] = 1000;
	h->value[METRIC_WAITING] = 10;
	disturbance_of(&r, &d);
	assert_int_equal(d.disturbed, 0);
	h->value[METRIC_WAITING] = 10.1;
	disturbance_of(&r, &d);
	assert_int_equal(d.disturbed, 1);
	record__done(&r);
}

static void what_was_lost_is_not_called_quiet(void **state)
{
	struct record r;
	struct rec_bench *b;

	(void)state;
	run(&r, &b);
	block(b, 0, NULL, 0)->pairs[2].half[SIDE_BASELINE].missing[METRIC_WAITING] =
		REASON_EVENTS_LOST;
	expect_summary(&r, "0 of 2 pairs were disturbed. Of 1 pair it is not known: events were "
			   "lost.\n");
	record__done(&r);
}

static void without_bpf_nobody_is_blamed(void **state)
{
	struct record r;
	struct rec_bench *b;

	(void)state;
	run(&r, &b);
	r.host.interference = INTERFERENCE_GETRUSAGE;
	block(b, 1, NULL, 0);
	expect_summary(&r, "1 of 3 pairs was disturbed.\n");
	record__done(&r);
}

/* Every process is taken off its CPU by being started and by its end: only waiting disturbs one. */
static void commands_are_disturbed_by_waiting(void **state)
{
	struct record r;
	struct rec_bench *b;
	struct rec_block *blk;
	struct disturbance d;

	(void)state;
	run(&r, &b);
	blk = block(b, 2, "stress-ng", 812);
	disturbance_of(&r, &d);
	assert_int_equal(d.disturbed, 2);
	b->kind = BENCH_COMMAND;
	disturbance_of(&r, &d);
	assert_int_equal(d.recorded + d.disturbed, 0); /* nobody has recorded it */
	for (size_t i = 0; i < blk->pairs_cnt; i++)
		for (int side = 0; side < SIDE_CNT; side++) {
			blk->pairs[i].half[side].value[METRIC_WALL] = 1000;
			blk->pairs[i].half[side].value[METRIC_WAITING] = i ? 10 : 10.1;
		}
	disturbance_of(&r, &d);
	assert_int_equal(d.recorded, 3);
	assert_int_equal(d.disturbed, 1);
	assert_int_equal(d.by[0].pid, 812);
	record__done(&r);
}

static void a_block_of_changing_speed_is_shown(void **state)
{
	struct record r;
	struct rec_bench *b;
	struct rec_block *blk;
	struct disturbance d;

	(void)state;
	run(&r, &b);
	blk = block(b, 0, NULL, 0);
	blk->canary_ns[0] = 40000;
	disturbance_of(&r, &d);
	assert_int_equal(d.canaries, 0);
	blk->canary_ns[1] = 45900;
	disturbance_of(&r, &d);
	assert_int_equal(d.canaries, 1);
	assert_int_equal(d.unsteady, 0);
	blk->canary_ns[1] = 46100;
	expect_summary(&r, " In 1 of 1 blocks the CPU's own speed changed by more than 15 %.");
	blk->canary_ns[0] = 46100;
	blk->canary_ns[1] = 40000;
	disturbance_of(&r, &d);
	assert_int_equal(d.unsteady, 1);
	record__done(&r);
}

static void what_the_hypervisor_took_is_shown(void **state)
{
	struct record r;
	struct rec_bench *b;
	struct rec_block *blk[3];

	(void)state;
	run(&r, &b);
	for (int i = 0; i < 3; i++)
		(void)block(b, 0, NULL, 0);
	for (int i = 0; i < 3; i++)
		blk[i] = &b->blocks[b->blocks_cnt - 3 + (size_t)i];
	blk[0]->steal_ns = 1e7;
	blk[1]->steal_ns = 0; /* the third is not known */
	blk[1]->frequency_changes = 2;
	expect_summary(&r, " In 1 block the hypervisor took 10 ms of the CPU away."
			   " In 1 block the CPU changed its frequency.");
	blk[1]->steal_ns = 2e7;
	expect_summary(&r, " In 2 blocks the hypervisor took 30 ms of the CPU away.");
	record__done(&r);
}

static void a_name_is_harmless(void **state)
{
	struct record r;
	struct rec_bench *b;

	(void)state;
	run(&r, &b);
	block(b, 1, "\033[2Ja", 7);
	expect_summary(&r, "1 by \\x1b[2Ja (pid 7)");
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_are_named),
		cmocka_unit_test(the_rest_are_others),
		cmocka_unit_test(waiting_counts_from_one_percent_on),
		cmocka_unit_test(what_was_lost_is_not_called_quiet),
		cmocka_unit_test(without_bpf_nobody_is_blamed),
		cmocka_unit_test(commands_are_disturbed_by_waiting),
		cmocka_unit_test(a_block_of_changing_speed_is_shown),
		cmocka_unit_test(what_the_hypervisor_took_is_shown),
		cmocka_unit_test(a_name_is_harmless),
	};

	return cmocka_run_group_tests_name("report_disturbance", tests, NULL, NULL);
}
