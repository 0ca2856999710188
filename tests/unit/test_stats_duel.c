/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <math.h>
#include <string.h>
#include "stats/duel.h"

static double scratch[200];

static const size_t looks60[] = {10, 20, 30, 40, 50, 60};

static void measurements_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_duel_measure");
}

static void chains_match_the_vectors(void **state)
{
	(void)state;
	vectors_group("h_duel_chain");
}

static struct duel_measurement measure(const double *x, size_t n)
{
	struct duel_measurement r;

	assert_int_equal(duel_measure(x, n, 1.25, 0.99, looks60, 6, scratch, &r), STATS_OK);
	return r;
}

static void data_that_end_early_leave_it_open(void **state)
{
	double x[60];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		x[i] = i % 2 ? 1 : 2;
	assert_int_equal(measure(x, 9).verdict, STAGE_OPEN);
	assert_int_equal(measure(x, 9).pairs, 0);
	assert_true(isnan(measure(x, 9).lo));
	assert_int_equal(measure(x, 59).verdict, STAGE_OPEN);
	assert_int_equal(measure(x, 59).pairs, 50);
	assert_int_equal(measure(x, 60).verdict, STAGE_UNDECIDED);
}

static void the_limits_themselves_are_the_same(void **state)
{
	double x[10];

	(void)state;
	for (size_t i = 0; i < 10; i++)
		x[i] = 1 / 1.25;
	assert_int_equal(measure(x, 10).verdict, STAGE_SAME);
	for (size_t i = 0; i < 10; i++)
		x[i] = nextafter(1 / 1.25, 0);
	assert_int_equal(measure(x, 10).verdict, STAGE_FASTER);
}

static void too_few_for_an_interval_settle_nothing(void **state)
{
	static const size_t looks[] = {5};
	double x[] = {9, 9, 9, 9, 9};
	struct duel_measurement r;

	(void)state;
	assert_int_equal(duel_measure(x, 5, 1.02, 0.99, looks, 1, scratch, &r), STATS_OK);
	assert_int_equal(r.verdict, STAGE_UNDECIDED);
}

/* A letter a metric, measurement after measurement: s slower, = same, f faster, u undecided. */
static struct duel_chain chain_of(const char *letters, size_t metrics)
{
	enum stage_verdict v[20];
	size_t n = strlen(letters);
	struct duel_chain r;

	for (size_t i = 0; i < n; i++)
		v[i] = letters[i] == 's'   ? STAGE_SLOWER
		       : letters[i] == '=' ? STAGE_SAME
		       : letters[i] == 'f' ? STAGE_FASTER
					   : STAGE_UNDECIDED;
	assert_int_equal(duel_chain(v, n / metrics, metrics, &r), STATS_OK);
	return r;
}

static struct duel_chain chain(const char *letters)
{
	return chain_of(letters, 1);
}

static void any_metric_will_do_when_none_disagrees(void **state)
{
	(void)state;
	assert_int_equal(chain_of("suussuus", 2).result, DUEL_OPEN);
	assert_int_equal(chain_of("suussuussu", 2).result, DUEL_REGRESSED_ANY);
	assert_int_equal(chain_of("sufs", 2).result, DUEL_CLEARED);
	assert_int_equal(chain_of("su=s", 2).result, DUEL_CLEARED);
	assert_int_equal(chain_of("s=us", 2).result, DUEL_CLEARED);
	assert_int_equal(chain_of("sfsfsfsf", 2).result, DUEL_REGRESSED);
	assert_int_equal(chain_of("fsfsfsfs", 2).metrics, 2);
}

static void chains_follow_the_rule(void **state)
{
	(void)state;
	assert_int_equal(chain("").result, DUEL_OPEN);
	assert_int_equal(chain("u").result, DUEL_PASS);
	assert_int_equal(chain("f").result, DUEL_PASS);
	assert_int_equal(chain("sss").result, DUEL_OPEN);
	assert_int_equal(chain("ssss").result, DUEL_REGRESSED);
	assert_int_equal(chain("suuuss").result, DUEL_OPEN);
	assert_int_equal(chain("suuusss").result, DUEL_REGRESSED);
	assert_int_equal(chain("suuuu").result, DUEL_UNDECIDED);
	assert_int_equal(chain("susuusu").result, DUEL_UNDECIDED);
	assert_int_equal(chain("ssf").result, DUEL_CLEARED);
	assert_int_equal(chain("ssss=").measurements, 4);
	assert_int_equal(chain("sss").metrics, 0);
	assert_int_equal(chain("ssss").metrics, 1);
}

static void refusals_leave_the_result_alone(void **state)
{
	static const size_t bad[][2] = {{0, 5}, {5, 5}};
	double x[] = {1, 1, 1};
	struct duel_measurement r = {.pairs = 77};
	struct duel_chain c = {.counted = 77};
	enum stage_verdict v[65] = {STAGE_OPEN};

	(void)state;
	assert_int_equal(duel_measure(x, 0, 1.1, 0.9, looks60, 6, scratch, &r), STATS_EMPTY);
	assert_int_equal(duel_measure(x, 3, 0.9, 0.9, looks60, 6, scratch, &r), STATS_MARGIN);
	assert_int_equal(duel_measure(x, 3, NAN, 0.9, looks60, 6, scratch, &r), STATS_MARGIN);
	assert_int_equal(duel_measure(x, 3, 1.1, 1, looks60, 6, scratch, &r), STATS_RANGE);
	assert_int_equal(duel_measure(x, 3, 1.1, 0.9, looks60, 0, scratch, &r), STATS_RANGE);
	assert_int_equal(duel_measure(x, 3, 1.1, 0.9, bad[0], 2, scratch, &r), STATS_RANGE);
	assert_int_equal(duel_measure(x, 3, 1.1, 0.9, bad[1], 2, scratch, &r), STATS_RANGE);
	x[1] = -1;
	assert_int_equal(duel_measure(x, 3, 1.1, 0.9, looks60, 6, scratch, &r), STATS_NONPOSITIVE);
	x[1] = NAN;
	assert_int_equal(duel_measure(x, 3, 1.1, 0.9, looks60, 6, scratch, &r), STATS_NONFINITE);
	assert_int_equal(duel_chain(v, 1, 0, &c), STATS_RANGE);
	assert_int_equal(duel_chain(v, 1, 65, &c), STATS_RANGE);
	assert_true(r.pairs == 77 && c.counted == 77);
}

static void the_ends_of_the_domain_are_allowed(void **state)
{
	static const size_t looks[] = {1, 2};
	static enum stage_verdict verdicts[DUEL_METRICS_MAX];
	double x[] = {0.5, 0.5}, zero[] = {0, 1};
	struct duel_measurement r;
	struct duel_chain c;

	(void)state;
	assert_int_equal(duel_measure(x, 2, 1, 0.5, looks, 2, scratch, &r), STATS_OK);
	assert_int_equal(r.verdict, STAGE_FASTER); /* two of two: 50 % */
	assert_int_equal(r.pairs, 2);
	assert_int_equal(duel_measure(zero, 2, 1, 0.5, looks, 2, scratch, &r), STATS_NONPOSITIVE);
	assert_int_equal(duel_measure(x, 2, 1, 0, looks, 2, scratch, &r), STATS_RANGE);
	assert_int_equal(duel_measure(x, 2, 1, 1, looks, 2, scratch, &r), STATS_RANGE);
	for (size_t i = 0; i < DUEL_METRICS_MAX; i++)
		verdicts[i] = STAGE_SAME;
	assert_int_equal(duel_chain(verdicts, 1, DUEL_METRICS_MAX, &c), STATS_OK);
	assert_int_equal(duel_chain(verdicts, 1, DUEL_METRICS_MAX + 1, &c), STATS_RANGE);
	assert_int_equal(duel_chain(verdicts, 1, 0, &c), STATS_RANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measurements_match_the_vectors),
		cmocka_unit_test(chains_match_the_vectors),
		cmocka_unit_test(data_that_end_early_leave_it_open),
		cmocka_unit_test(the_limits_themselves_are_the_same),
		cmocka_unit_test(too_few_for_an_interval_settle_nothing),
		cmocka_unit_test(any_metric_will_do_when_none_disagrees),
		cmocka_unit_test(chains_follow_the_rule),
		cmocka_unit_test(refusals_leave_the_result_alone),
		cmocka_unit_test(the_ends_of_the_domain_are_allowed),
	};

	return cmocka_run_group_tests_name("stats/duel", tests, NULL, NULL);
}
