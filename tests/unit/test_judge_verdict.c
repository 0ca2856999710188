/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_judge_fixture.h"

#define VERDICTS 5

/* Every combination of what a benchmark's metrics can say. */
struct says {
	enum bench_verdict was;
	enum verdict cpu, total, count;
	bool total_judged, count_judged, moved;
};

static void apply(struct rec_bench *b, const struct says *s)
{
	b->verdict = s->was;
	b->metric[METRIC_CPU].verdict = s->cpu;
	b->metric[METRIC_CPU].judged = true;
	b->metric[METRIC_CPU_TOTAL].missing = REASON_NONE;
	b->metric[METRIC_CPU_TOTAL].verdict = s->total;
	b->metric[METRIC_CPU_TOTAL].judged = s->total_judged;
	b->metric[METRIC_PAGE_FAULTS].verdict = s->count;
	b->metric[METRIC_PAGE_FAULTS].judged = s->count_judged;
	b->metric[METRIC_VOLUNTARY_SWITCHES].per_iteration[SIDE_BASELINE] = 3;
	b->metric[METRIC_VOLUNTARY_SWITCHES].moved = s->moved;
}

static bool open_or_undecided(enum verdict v)
{
	return v == VERDICT_NONE || v == VERDICT_UNDECIDED;
}

/* The table of the design, written down a second time and in another way. */
static enum bench_verdict expected(const struct says *s)
{
	bool total_matters =
		s->total_judged && open_or_undecided(s->total) && open_or_undecided(s->cpu);

	if (s->was == BENCH_ERROR || s->was == BENCH_SKIPPED)
		return s->was;
	if (s->cpu == VERDICT_SLOWER || (s->total_judged && s->total == VERDICT_SLOWER) ||
	    (s->count_judged && s->count == VERDICT_SLOWER))
		return BENCH_REGRESSED;
	if (open_or_undecided(s->cpu) || total_matters ||
	    (s->count_judged && open_or_undecided(s->count)))
		return BENCH_UNDECIDED;
	if (s->cpu == VERDICT_FASTER || (s->total_judged && s->total == VERDICT_FASTER))
		return BENCH_FASTER;
	if (s->moved || (s->count_judged && s->count == VERDICT_FASTER))
		return BENCH_CHANGED;
	return BENCH_SAME;
}

static void the_first_that_holds(void **state)
{
	static const enum bench_verdict was[] = {BENCH_OPEN, BENCH_ERROR, BENCH_SKIPPED,
						 BENCH_SAME};
	size_t seen[BENCH_SAME + 1] = {0};
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	for (unsigned i = 0; i < 4 * VERDICTS * VERDICTS * VERDICTS * 8; i++) {
		struct says s = {
			.was = was[i % 4],
			.cpu = i / 4 % VERDICTS,
			.total = i / 20 % VERDICTS,
			.count = i / 100 % VERDICTS,
			.total_judged = i / 500 & 1,
			.count_judged = i / 500 & 2,
			.moved = i / 500 & 4,
		};

		apply(rig.b, &s);
		assert_int_equal(judge_verdict(rig.b), expected(&s));
		seen[expected(&s)]++;
	}
	for (size_t v = BENCH_ERROR; v <= BENCH_SAME; v++)
		assert_true(seen[v] > 0);
	bench_done(&rig);
}

static const enum bench_verdict order[] = {BENCH_ERROR,	 BENCH_REGRESSED, BENCH_UNDECIDED,
					   BENCH_FASTER, BENCH_CHANGED,	  BENCH_SAME,
					   BENCH_SKIPPED};

struct outcome {
	enum run_status status;
	int plain, strict, bisect;
};

static struct outcome expected_run(unsigned present)
{
	if (present & 1)
		return (struct outcome){STATUS_ERROR, 3, 3, 125};
	if (present & 2)
		return (struct outcome){STATUS_FAILED, 1, 1, 1};
	if (present & 4)
		return (struct outcome){STATUS_UNDECIDED, 0, 2, 125};
	if (present & (8 | 16 | 32))
		return (struct outcome){STATUS_PASSED, 0, 0, 0};
	return (struct outcome){STATUS_NOTHING, 0, 0, 0};
}

static void three_before_one_before_two_before_zero(void **state)
{
	(void)state;
	for (unsigned present = 0; present < 1u << 7; present++) {
		struct outcome want = expected_run(present);
		struct record rec;
		struct rec_bench *b;

		record__init(&rec);
		for (unsigned i = 0; i < 7; i++) {
			if (!(present & 1u << (6 - i))) /* the gravest last */
				continue;
			assert_int_equal(record__add_bench(&rec, "x", &b), 0);
			b->verdict = order[6 - i];
		}
		for (int flags = 0; flags < 4; flags++) {
			rec.strict = flags & 1;
			rec.bisect = flags & 2;
			judge_run(&rec);
			assert_int_equal(rec.status, want.status);
			assert_int_equal(rec.exit, rec.bisect	? want.bisect
						   : rec.strict ? want.strict
								: want.plain);
		}
		record__done(&rec);
	}
}

/* What the record holds has been through it already. */
static void bisect_skips_or_stops(void **state)
{
	static const struct {
		int status, bisect;
	} rows[] = {{0, 0},    {1, 1},	   {2, 125},   {3, 125},
		    {64, 128}, {129, 129}, {130, 130}, {143, 143}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(judge_exit(rows[i].status, false), rows[i].status);
		assert_int_equal(judge_exit(rows[i].status, true), rows[i].bisect);
		assert_int_equal(judge_exit(rows[i].bisect, true), rows[i].bisect);
	}
}

static void an_open_benchmark_has_not_passed(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	judge_run(&rig.rec);
	assert_int_equal(rig.rec.status, STATUS_UNDECIDED);
	rig.rec.verb = strdup("run");
	judge_run(&rig.rec);
	assert_int_equal(rig.rec.status, STATUS_PASSED);
	bench_done(&rig);
}

static void an_interrupted_run_stays_interrupted(void **state)
{
	struct bench_rig rig;

	(void)state;
	bench_init(&rig);
	rig.b->verdict = BENCH_REGRESSED;
	rig.rec.status = STATUS_INTERRUPTED;
	rig.rec.exit = 143;
	judge_run(&rig.rec);
	assert_int_equal(rig.rec.status, STATUS_INTERRUPTED);
	assert_int_equal(rig.rec.exit, 143);
	bench_done(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_holds),
		cmocka_unit_test(three_before_one_before_two_before_zero),
		cmocka_unit_test(bisect_skips_or_stops),
		cmocka_unit_test(an_open_benchmark_has_not_passed),
		cmocka_unit_test(an_interrupted_run_stays_interrupted),
	};

	return cmocka_run_group_tests_name("judge verdict", tests, NULL, NULL);
}
