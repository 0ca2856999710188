/* SPDX-License-Identifier: BSD-2-Clause */
/* What `joust aa` makes of its runs: over the simulator, where the truth is known. */
#include "test_run_fixture.h"
#include <stdio.h>
#include "engine/cli/aa_report.h"
#include "engine/decide/alarms.h"
#include "stats/fnv.h"

static struct policy policy;

static int setup(void **state)
{
	(void)state;
	policy__init(&policy);
	return policy__prepare(&policy);
}

static int teardown(void **state)
{
	(void)state;
	policy__done(&policy);
	return 0;
}

/* `runs` simulated runs of one benchmark; every block of stage 1 with `all`. */
static void simulate(struct alarms *a, const struct sim_bench *bench, size_t runs, bool all)
{
	for (size_t i = 0; i < runs; i++) {
		struct rig rig;

		rig_init(&rig, 100 + i, bench, 1);
		rig_borrow(&rig, &policy);
		rig.opt.whole_stage_1 = all;
		rig_run(&rig);
		assert_int_equal(alarms__add(a, &rig.rec, (enum alarm_kind)(i % ALARM_KINDS)), 0);
		rig_done(&rig);
	}
}

static void equal_code_raises_no_alarm(void **state)
{
	static const struct sim_bench bench = QUIET("a", 1);
	struct alarms a = {0};
	struct aa_rate rate;

	(void)state;
	simulate(&a, &bench, 30, false);
	assert_int_equal(a.runs[ALARM_SAME], 10);
	rate = aa_rate_of(&a);
	assert_int_equal(rate.runs, 30);
	assert_int_equal(rate.stages, 30); /* cpu and cpu_total are of the same blocks */
	assert_int_equal(rate.slower, 0);
	assert_int_equal(rate.failing, 0);
	assert_true(fabs(rate.bound - (1 - pow(.01, 1. / 30))) < 1e-9);
	assert_false(a.exhausted);
	alarms__done(&a);
}

static void what_is_slower_is_counted(void **state)
{
	static const struct sim_bench bench = QUIET("a", 1.1);
	struct alarms a = {0};
	struct alarm_figures f;
	struct aa_rate rate;

	(void)state;
	simulate(&a, &bench, 6, false);
	rate = aa_rate_of(&a);
	assert_int_equal(rate.slower, 6);
	assert_int_equal(rate.stages, 6);
	assert_int_equal(rate.failing, 6);
	assert_true(rate.bound == 1);
	assert_int_equal(a.benches[0].regressed, 6);
	assert_int_equal(alarm_figures_of(&a.benches[0], &policy, &f), 0);
	assert_true(fabs(f.median - 1.1) < .002);
	alarms__done(&a);
}

/* Row 9 of the acceptance: coins that are fair and independent, and coins that are neither. */
static void stages_at_limit_1(void **state)
{
	static const struct sim_bench fair = QUIET("a", 1);
	static const struct sim_bench wandering = {
		.name = "a", .ns = 1000, .ratio = 1, .wander_sd = .1, .wander_rho = .9};
	struct alarms a = {0};
	struct alarm_stages s;

	(void)state;
	simulate(&a, &fair, 240, true);
	assert_int_equal(alarm_stages_of(&a, &policy, &s), 0);
	assert_int_equal(s.stages, 80);
	assert_true(fabs(s.variance - 1) <= s.tolerance);
	assert_true(fabs(s.tolerance - 2.6 * sqrt(2 / 80.)) < 1e-12);
	assert_true(fabs(s.expected - .00911) < .0001);
	assert_true(fabs((double)s.slower / 80 - s.expected) <= s.rate_tolerance);
	alarms__done(&a);
	simulate(&a, &wandering, 240, true);
	assert_int_equal(alarm_stages_of(&a, &policy, &s), 0);
	assert_true(s.variance > 1 + 2 * s.tolerance);
	assert_true((double)s.slower / 80 > s.expected + s.rate_tolerance);
	alarms__done(&a);
	/* stages that ended when they were settled say nothing about coins */
	simulate(&a, &fair, 6, false);
	assert_int_equal(alarm_stages_of(&a, &policy, &s), 0);
	assert_int_equal(s.stages, 0);
	alarms__done(&a);
}

/* A run of one benchmark, one block of whose pairs a gate kept these: candidate over baseline. */
static void kept_pairs(struct record *rec, const double *ratios, size_t cnt)
{
	struct rec_bench *b;
	struct rec_block *blk;

	record__init(rec);
	assert_int_equal(record__add_bench(rec, "a", &b), 0);
	assert_int_equal(record__add_block(b, &blk), 0);
	assert_int_equal(rec_block__reserve(blk, cnt), 0);
	b->verdict = BENCH_SAME;
	b->m = cnt;
	blk->stage = 1;
	for (size_t i = 0; i < cnt; i++) {
		struct rec_pair *p = &blk->pairs[i];

		p->first = i % 2 ? SIDE_CANDIDATE : SIDE_BASELINE;
		p->half[SIDE_BASELINE].value[METRIC_CPU] = 100;
		p->half[SIDE_CANDIDATE].value[METRIC_CPU] = 100 * ratios[i];
	}
	blk->pairs_cnt = cnt;
}

/* Of an even number the last is dropped, and what has a half without a value has none. */
static void a_block_is_worth_what_is_judged(void **state)
{
	static const struct {
		size_t cnt;
		double ratio[4], by_side, by_place;
	} rows[] = {
		{1, {1.1}, 1.1, 1.1},
		{2, {1.1, 1 / 1.2}, 1.1, 1.1},
		{3, {1.1, 1.2, 1.3}, 1.2, 1.1},
		{4, {1.1, 1.2, 1.3, 1.4}, 1.2, 1.1},
		{4, {1.1, 1.2, 1.3, NAN}, 1.2, 1.1},
		{3, {1.1, NAN, 1.3}, NAN, NAN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct alarms a = {0};
		struct record rec;

		kept_pairs(&rec, rows[i].ratio, rows[i].cnt);
		assert_int_equal(alarms__add(&a, &rec, ALARM_SAME), 0);
		assert_int_equal(a.benches[0].blocks_cnt, isfinite(rows[i].by_side));
		if (a.benches[0].blocks_cnt) {
			const struct alarm_block *blk = &a.benches[0].blocks[0];
			double judged = judge_block_ratio(&rec.benches[0].blocks[0], METRIC_CPU);

			assert_true(blk->y == log(judged));
			assert_true(fabs(exp(blk->y) - rows[i].by_side) < 1e-12);
			assert_true(fabs(exp(blk->by_place) - rows[i].by_place) < 1e-12);
		}
		alarms__done(&a);
		record__done(&rec);
	}
}

/* Once, whatever number of its metrics say so; without an alarm only when all are through. */
static void stage_1_of_a_benchmark_is_counted_once(void **state)
{
	static const double same = 1;
	static const struct {
		size_t judged; /* of cpu, cpu_total, wall */
		enum stage_verdict first[3];
		size_t stages, slower;
	} rows[] = {
		{3, {STAGE_SAME, STAGE_UNDECIDED, STAGE_FASTER}, 1, 0},
		{3, {STAGE_SLOWER, STAGE_SLOWER, STAGE_SLOWER}, 1, 1},
		{3, {STAGE_SAME, STAGE_SAME, STAGE_SLOWER}, 1, 1},
		{2, {STAGE_SLOWER, STAGE_UNDECIDED}, 1, 1}, /* not followed */
		{2, {STAGE_OPEN, STAGE_SLOWER}, 1, 1},
		{2, {STAGE_SAME, STAGE_OPEN}, 0, 0},
		{1, {STAGE_SAME, STAGE_SLOWER}, 1, 0},
		{0, {STAGE_SAME}, 0, 0},
	};
	static const enum metric_id ids[] = {METRIC_CPU, METRIC_CPU_TOTAL, METRIC_WALL};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct alarms a = {0};
		struct record rec;

		kept_pairs(&rec, &same, 1);
		for (size_t k = 0; k < 3; k++) {
			struct rec_metric *m = &rec.benches[0].metric[ids[k]];

			m->judged = k < rows[i].judged;
			m->stages_cnt = 1;
			m->stage[0].verdict = rows[i].first[k];
		}
		assert_int_equal(alarms__add(&a, &rec, ALARM_RELINKED), 0);
		assert_int_equal(a.stages[ALARM_RELINKED], rows[i].stages);
		assert_int_equal(a.slower[ALARM_RELINKED], rows[i].slower);
		assert_int_equal(a.benches[0].stages, rows[i].stages);
		assert_int_equal(a.benches[0].slower, rows[i].slower);
		alarms__done(&a);
		record__done(&rec);
	}
}

/* Stage 1 alone, and nothing else becomes of the run. */
static void stage_1_may_be_taken_whole(void **state)
{
	static const struct sim_bench benches[] = {QUIET("slower", 1.1), QUIET("faster", .9),
						   QUIET("same", 1)};
	struct rig rig[2];

	(void)state;
	for (int whole = 0; whole < 2; whole++) {
		rig_init(&rig[whole], 7, benches, 3);
		rig_borrow(&rig[whole], &policy);
		rig[whole].opt.whole_stage_1 = whole;
		rig_run(&rig[whole]);
	}
	for (size_t i = 0; i < 3; i++) {
		const struct rec_bench *ends = &rig[0].rec.benches[i],
				       *all = &rig[1].rec.benches[i];
		const struct rec_metric *m = &ends->metric[METRIC_CPU];
		const struct rec_metric *of_all = &all->metric[METRIC_CPU];

		assert_true(rig_blocks(ends, 1) < 60);
		assert_int_equal(rig_blocks(all, 1), 60);
		assert_int_equal(rig_blocks(all, 2), rig_blocks(ends, 2));
		assert_int_equal(rig_blocks(all, 3), rig_blocks(ends, 3));
		assert_int_equal(all->verdict, ends->verdict);
		assert_memory_equal(&of_all->stage[0], &m->stage[0], sizeof(m->stage[0]));
	}
	rig_done(&rig[0]);
	rig_done(&rig[1]);
}

static void an_early_end_hides_the_signs_of_no_run_that_is_taken_whole(void **state)
{
	static const struct sim_bench slower = QUIET("a", 1.1);
	struct alarms a = {0};
	struct alarm_signs sides, places;

	(void)state;
	simulate(&a, &slower, 3, true);
	assert_true(a.exhausted);
	assert_int_equal(a.benches[0].slower, 3);
	alarm_signs_of(&a, &sides, &places);
	assert_int_equal(sides.above, 60); /* of the run with the same binary */
	assert_int_equal(sides.cnt, 60);
	alarms__done(&a);
}

static void assert_said(const struct aa_result *r, const char *text, bool said)
{
	char *shown = NULL;
	size_t len;
	FILE *out = open_memstream(&shown, &len);

	assert_non_null(out);
	assert_int_equal(aa_print(out, r, false), 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(strstr(shown, text) != NULL, said);
	free(shown);
}

/* Signs are missing without a word only where nobody asked for them. */
static void signs_that_are_not_shown_have_a_reason(void **state)
{
	static const struct sim_bench same = QUIET("a", 1);
	struct alarms a = {0};
	struct record rec;
	struct aa_result r = {.alarms = &a, .policy = &policy, .rec = &rec, .inject = NAN};

	(void)state;
	record__init(&rec);
	simulate(&a, &same, 3, false);
	assert_said(&r, "How many blocks lie above 1 is not shown", false);
	r.whole = true;
	assert_said(&r, "How many blocks lie above 1 is not shown", true);
	assert_said(&r, "Candidate above baseline", false);
	alarms__done(&a);
	simulate(&a, &same, 3, true);
	assert_said(&r, "How many blocks lie above 1 is not shown", false);
	assert_said(&r, "Candidate above baseline", true);
	alarms__done(&a);
	record__done(&rec);
}

/* Only the share of a fixed number of blocks is that of a coin. */
static void signs_are_fair_where_every_block_was_taken(void **state)
{
	static const struct sim_bench bench = QUIET("a", 1);
	struct alarms a = {0};
	struct alarm_signs sides, places;

	(void)state;
	simulate(&a, &bench, 30, true);
	assert_true(a.exhausted);
	alarm_signs_of(&a, &sides, &places);
	assert_int_equal(sides.cnt, 600);   /* of the same binary alone */
	assert_int_equal(places.cnt, 1800); /* of all */
	assert_true(fabs((double)sides.above / 600 - .5) <= sides.tolerance);
	assert_true(fabs(sides.tolerance - 2.6 / sqrt(2400)) < 1e-12);
	assert_true(fabs((double)places.above / 1800 - .5) <= places.tolerance);
	alarms__done(&a);
}

static void an_order_effect_shows_by_place_and_not_by_side(void **state)
{
	static const struct sim_bench bench = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .005, .second_half = .01};
	struct alarms a = {0};
	struct alarm_signs sides, places;

	(void)state;
	simulate(&a, &bench, 30, true);
	alarm_signs_of(&a, &sides, &places);
	assert_true(fabs((double)sides.above / (double)sides.cnt - .5) <= sides.tolerance);
	assert_true((double)places.above / (double)places.cnt - .5 > places.tolerance);
	alarms__done(&a);
}

/* A spread is named after what it was made of. */
static void the_source_of_the_noise_is_named(void **state)
{
	static const struct {
		struct sim_bench bench;
		enum noise worst;
		double spread;
	} rows[] = {
		/* a median of three pairs of medians of five slices: .67 sqrt(2) .54 sd */
		{{.name = "s", .ns = 1000, .ratio = 1, .sample_sd = .02}, NOISE_SAMPLES, .0102},
		{{.name = "p", .ns = 1000, .ratio = 1, .sample_sd = .001, .process_sd = .01},
		 NOISE_PROCESSES,
		 .0141},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct alarms a = {0};
		struct alarm_figures f;

		simulate(&a, &rows[i].bench, 12, true);
		assert_int_equal(alarm_figures_of(&a.benches[0], &policy, &f), 0);
		assert_int_equal(f.blocks, 12 * 60);
		assert_int_equal(f.worst, rows[i].worst);
		assert_true(fabs(f.spread / rows[i].spread - 1) < .15);
		/* statistics.md: .56 and .64 spreads above the limit */
		assert_true(fabs(log(f.seen_80 / 1.02) / f.spread - .56) < .01);
		assert_true(fabs(log(f.seen_90 / 1.02) / f.spread - .64) < .01);
		alarms__done(&a);
	}
}

/* A verdict needs three stages, each of which finds it. */
static void planned_power_is_that_of_three_stages(void **state)
{
	static const struct alarm_bench b = {.limit = 1.02, .n_max = 60, .n_confirm = {120, 120}};
	double power, one = 1.02 * exp(.02 * .7122); /* above the limit with p = .7618 */

	(void)state;
	assert_int_equal(alarm_power_of(&b, &policy, 1.02, .02, &power), 0);
	assert_true(power > 5e-7 && power < 1e-6); /* .00911^3 */
	assert_int_equal(alarm_power_of(&b, &policy, 1.1, .02, &power), 0);
	assert_true(power > .999);
	assert_int_equal(alarm_power_of(&b, &policy, one, .02, &power), 0);
	assert_true(power > .92 && power < .97); /* table 6: p = .75 .93, p = .80 .99 */
	assert_int_equal(alarm_power_of(&b, &policy, 1.021, 0, &power), 0);
	assert_true(power > .999999);
	assert_int_equal(alarm_power_of(&b, &policy, 1.019, 0, &power), 0);
	assert_true(power < 1e-12);
}

static void seconds_are_kept_by_verdict(void **state)
{
	static const struct sim_bench same = QUIET("a", 1), slower = QUIET("a", 1.1);
	struct alarms a = {0};
	struct alarm_quantiles q;

	(void)state;
	simulate(&a, &same, 4, false);
	simulate(&a, &slower, 3, false);
	assert_int_equal(alarm_quantiles_of(&a.times[BENCH_SAME], &q), 0);
	assert_int_equal(q.cnt, 4);
	assert_true(q.median > 0 && q.nine_of_ten >= q.median);
	assert_int_equal(alarm_quantiles_of(&a.times[BENCH_REGRESSED], &q), 0);
	assert_int_equal(q.cnt, 3);
	assert_int_equal(alarm_quantiles_of(&a.times[BENCH_UNDECIDED], &q), 0);
	assert_true(q.cnt == 0 && isnan(q.median));
	assert_int_equal(a.whole.cnt, 7);
	assert_int_equal(a.benches[0].found[METRIC_CPU], 3);
	assert_int_equal(a.benches[0].found[METRIC_CPU_TOTAL], 3);
	alarms__done(&a);
}

static void reasons_of_the_undecided_are_counted(void **state)
{
	static const struct sim_bench ordered = {
		.name = "a", .ns = 1000, .ratio = 1, .sample_sd = .005, .second_half = .04};
	static const struct sim_bench settled = QUIET("b", 1);
	struct alarms a = {0};

	(void)state;
	simulate(&a, &ordered, 4, false);
	simulate(&a, &settled, 3, false);
	assert_int_equal(a.benches[0].undecided, 4);
	assert_int_equal(a.benches[0].why[METRIC_CPU][REASON_ORDER_EFFECT], 4);
	assert_int_equal(a.benches[0].why[METRIC_CPU_TOTAL][REASON_ORDER_EFFECT], 4);
	assert_int_equal(a.benches[0].why[METRIC_CPU][REASON_NEAR_LIMIT], 0);
	assert_int_equal(a.benches[1].undecided, 0);
	alarms__done(&a);
}

/* Where nothing was judged: what is missing, or what is said of the benchmark. */
static void an_undecided_benchmark_has_a_reason(void **state)
{
	static const double same = 1;
	struct alarms a = {0};
	struct record rec;
	struct aa_result r = {.alarms = &a, .policy = &policy, .rec = &rec, .inject = NAN};
	struct rec_bench *b;
	struct rec_metric *cpu, *total;

	(void)state;
	kept_pairs(&rec, &same, 1);
	b = &rec.benches[0];
	cpu = &b->metric[METRIC_CPU];
	total = &b->metric[METRIC_CPU_TOTAL];
	b->verdict = BENCH_UNDECIDED;
	b->reason = REASON_NOT_MEASURED;
	b->blocks_max[0] = 60;
	assert_int_equal(alarms__add(&a, &rec, ALARM_SAME), 0);
	assert_int_equal(a.benches[0].why_all[REASON_NOT_MEASURED], 1);
	assert_said(&r, reason_get(REASON_NOT_MEASURED)->sentence, true);

	cpu->judged = total->judged = true;
	cpu->missing = total->missing = REASON_COUNTER_MISMATCH;
	assert_int_equal(alarms__add(&a, &rec, ALARM_SAME), 0);
	assert_int_equal(a.benches[0].why[METRIC_CPU][REASON_COUNTER_MISMATCH], 1);
	assert_int_equal(a.benches[0].why[METRIC_CPU_TOTAL][REASON_COUNTER_MISMATCH], 1);

	/* what is missing beside an undecided one does not make the doubt */
	b->reason = REASON_NONE;
	cpu->missing = REASON_NONE;
	cpu->verdict = VERDICT_UNDECIDED;
	cpu->reason = REASON_NEAR_LIMIT;
	assert_int_equal(alarms__add(&a, &rec, ALARM_SAME), 0);
	assert_int_equal(a.benches[0].why[METRIC_CPU][REASON_NEAR_LIMIT], 1);
	assert_int_equal(a.benches[0].why[METRIC_CPU_TOTAL][REASON_COUNTER_MISMATCH], 1);
	assert_int_equal(a.benches[0].why_all[REASON_NOT_MEASURED], 1);
	assert_int_equal(a.benches[0].undecided, 3);
	assert_said(&r,
		    "  a          3 of 3 runs: near-limit (cpu 1), not-measured 1, "
		    "counter-mismatch (cpu 1, cpu_total 1)\n",
		    true);
	alarms__done(&a);
	record__done(&rec);
}

/* A hundred of them: a line for each, and a reason is explained once. */
static void many_undecided_take_a_line_each(void **state)
{
	static const double same = 1;
	struct alarms a = {0};
	struct record rec;
	struct aa_result r = {.alarms = &a, .policy = &policy, .rec = &rec, .inject = NAN};
	size_t len, lines = 0, explained = 0;
	char *shown = NULL;
	FILE *out = open_memstream(&shown, &len);

	(void)state;
	assert_non_null(out);
	kept_pairs(&rec, &same, 1);
	rec.benches[0].verdict = BENCH_UNDECIDED;
	rec.benches[0].blocks_max[0] = 60;
	for (size_t i = 0; i < 4; i++) {
		static const enum metric_id ids[] = {METRIC_CPU, METRIC_CPU_TOTAL, METRIC_WALL,
						     METRIC_INSTRUCTIONS};

		rec.benches[0].metric[ids[i]].judged = true;
		rec.benches[0].metric[ids[i]].verdict = VERDICT_UNDECIDED;
		rec.benches[0].metric[ids[i]].reason = i % 2 ? REASON_WARMING : REASON_NEAR_LIMIT;
	}
	for (int i = 0; i < 100; i++) {
		(void)snprintf(rec.benches[0].name, 2, "%c", ' ' + 1 + i % 90);
		assert_int_equal(alarms__add(&a, &rec, ALARM_SAME), 0);
	}
	assert_int_equal(a.benches_cnt, 90);
	assert_int_equal(aa_print(out, &r, false), 0);
	assert_int_equal(fclose(out), 0);
	for (char *s = strstr(shown, "\nUndecided"); (s = strchr(s + 1, '\n'));)
		lines++;
	for (char *s = shown; (s = strstr(s, reason_get(REASON_WARMING)->sentence)); s++)
		explained++;
	assert_int_equal(lines, 1 + 90 + 2);
	assert_int_equal(explained, 1);
	free(shown);
	alarms__done(&a);
	record__done(&rec);
}

/* A measured record of one benchmark, and what is kept of `joust aa` in the same circumstances. */
static void cited_rig(struct rig *rig)
{
	static const struct sim_bench bench = QUIET("a", 1);

	rig_init(rig, 1, &bench, 1);
	rig_borrow(rig, &policy);
	rig->rec.host.hostname_hash = strdup("host");
	rig->rec.host.kernel = strdup("6.18");
	rig_run(rig);
}

/* In `text` K stands for the record's circumstances, and A for its benchmark. */
static size_t notes_of(struct record *rec, const char *text)
{
	char key[AA_KEY_BYTES], name[AA_KEY_BYTES], line[512] = "";
	size_t before = rec->notes_cnt;

	aa_circumstances(&rec->host, rec, key);
	(void)snprintf(name, sizeof(name), "%016llx", (unsigned long long)fnv1a64("a"));
	for (; *text; text++)
		(void)snprintf(line + strlen(line), sizeof(line) - strlen(line), "%.*s",
			       *text == 'K' || *text == 'A' ? 16 : 1,
			       *text == 'K'   ? key
			       : *text == 'A' ? name
					      : text);
	assert_int_equal(aa_cite_line(line, rec), 0);
	return rec->notes_cnt - before;
}

static void only_a_sound_result_that_says_something_is_cited(void **state)
{
	static const char *const bad[] = {
		"",
		"2026-11-30 K 0 1000 0 50",	      /* no benchmarks */
		"2026-11-30 K 0 1000 0 50 A",	      /* no limit */
		"2026-11-30 K 0 1000 0 50 A:1.021\n", /* ours is smaller */
		"2026-11-30 K 0 1000 0 50 1A:1.02\n", /* others */
		"2026-11-30 K 0 89 0 50 A:1.02\n",    /* 5.04 % is not excluded */
		"2026-11-3x K 0 1000 0 50 A:1.02\n",  /* no date */
		"2026-11-300 K 0 1000 0 50 A:1.02\n",
		"20-611--30 K 0 1000 0 50 A:1.02\n",
		"2026-11-30 1K 0 1000 0 50 A:1.02\n", /* other circumstances */
		"2026-11-30 K 1001 1000 0 50 A:1.02\n",
		"2026-11-30 K 0 1000 51 50 A:1.02\n",
		"2026-11-30 K -1 1000 0 50 A:1.02\n",
		"2026-11-30 K 0 0 0 50 A:1.02\n",
		"2026-11-30 K 0 1000 0 0 A:1.02\n",
		"2026-11-30 K 0 1000 0 50 A:nan\n",
		"\033[2J-11-30 K 0 1000 0 50 A:1.02\n",
	};
	struct rig rig;

	(void)state;
	cited_rig(&rig);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(notes_of(&rig.rec, bad[i]), 0);
	assert_int_equal(notes_of(&rig.rec, "2026-11-30 K 0 1000 0 50 0:1.02 A:1.02\n"), 1);
	assert_non_null(strstr(rig.rec.notes[rig.rec.notes_cnt - 1], "2026-11-30"));
	assert_non_null(
		strstr(rig.rec.notes[rig.rec.notes_cnt - 1], "0 of 1000 times (at most 0.46 %"));
	assert_int_equal(notes_of(&rig.rec, "2026-11-30 K 0 90 0 50 A:1.005\n"), 1);
	/* few, but an alarm, and a failing run */
	assert_int_equal(notes_of(&rig.rec, "2026-11-30 K 1 10 0 5 A:1.02\n"), 1);
	assert_int_equal(notes_of(&rig.rec, "2026-11-30 K 0 10 1 5 A:1.02\n"), 1);
	rig.rec.benches[0].verdict = BENCH_SKIPPED;
	assert_int_equal(notes_of(&rig.rec, "2026-11-30 K 0 90 0 50 A:1.005\n"), 0);
	rig_done(&rig);
}

/* Each of them, alone, makes it another experiment. */
static void circumstances_are_told_apart(void **state)
{
	char keys[7][AA_KEY_BYTES];
	struct rig rig;
	struct record *r = &rig.rec;
	size_t n = 0;

	(void)state;
	cited_rig(&rig);
	aa_circumstances(&r->host, r, keys[n++]);
	r->host.cpus++;
	aa_circumstances(&r->host, r, keys[n++]);
	r->host.kernel[0] = '7';
	aa_circumstances(&r->host, r, keys[n++]);
	r->host.hostname_hash[0] = 'g';
	aa_circumstances(&r->host, r, keys[n++]);
	r->judging.alpha = .02;
	aa_circumstances(&r->host, r, keys[n++]);
	r->judging.rule = RULE_DUEL;
	aa_circumstances(&r->host, r, keys[n++]);
	r->gate = strdup("canary");
	aa_circumstances(&r->host, r, keys[n++]);
	for (size_t i = 1; i < n; i++)
		assert_string_not_equal(keys[i], keys[i - 1]);
	rig_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages_at_limit_1),
		cmocka_unit_test(equal_code_raises_no_alarm),
		cmocka_unit_test(what_is_slower_is_counted),
		cmocka_unit_test(a_block_is_worth_what_is_judged),
		cmocka_unit_test(stage_1_of_a_benchmark_is_counted_once),
		cmocka_unit_test(stage_1_may_be_taken_whole),
		cmocka_unit_test(an_early_end_hides_the_signs_of_no_run_that_is_taken_whole),
		cmocka_unit_test(signs_that_are_not_shown_have_a_reason),
		cmocka_unit_test(signs_are_fair_where_every_block_was_taken),
		cmocka_unit_test(an_order_effect_shows_by_place_and_not_by_side),
		cmocka_unit_test(the_source_of_the_noise_is_named),
		cmocka_unit_test(planned_power_is_that_of_three_stages),
		cmocka_unit_test(seconds_are_kept_by_verdict),
		cmocka_unit_test(reasons_of_the_undecided_are_counted),
		cmocka_unit_test(an_undecided_benchmark_has_a_reason),
		cmocka_unit_test(many_undecided_take_a_line_each),
		cmocka_unit_test(only_a_sound_result_that_says_something_is_cited),
		cmocka_unit_test(circumstances_are_told_apart),
	};

	return cmocka_run_group_tests_name("alarms", tests, setup, teardown);
}
