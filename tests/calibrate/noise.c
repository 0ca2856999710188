/* SPDX-License-Identifier: BSD-2-Clause */
#include "noise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "stats/prng.h"

/* Words of a block: block b draws from counter b 2^16 on. A stage draws before its blocks. */
#define BLOCK_SHIFT 16
#define STAGE_WORDS ((uint64_t)1 << 48)

static const struct noise models[] = {
	{.name = "LN.5", .sample_sd = .005},
	{.name = "LN1", .sample_sd = .01},
	{.name = "LN2", .sample_sd = .02},
	{.name = "LN5", .sample_sd = .05},
	{.name = "t2", .t2 = .01},
	{.name = "BI3", .sample_sd = .005, .process_mode = .03},
	{.name = "BI1.5", .sample_sd = .005, .process_mode = .015},
	{.name = "GP1", .sample_sd = .005, .process_sd = .01},
	{.name = "GP2", .sample_sd = .01, .process_sd = .02},
	{.name = "AR.5", .ar = .5, .ar_sd = .0283},
	{.name = "AR.9", .ar = .9, .ar_sd = .0283},
	{.name = "AR.9/10", .ar = .9, .ar_sd = .0283, .interleave = 10},
	{.name = "drift", .sample_sd = .01, .drift = .1, .second = .01},
	{.name = "spike", .sample_sd = .01, .spike_p = .2, .spike_mean = .1},
	{.name = "links.5", .sample_sd = .005, .layout_sd = .005, .layouts = 12},
	{.name = "links1", .sample_sd = .005, .layout_sd = .01, .layouts = 12},
	{.name = "links2", .sample_sd = .005, .layout_sd = .02, .layouts = 12},
	{.name = "wander", .sample_sd = .005, .ar = .68, .ar_sd = .1},
};

const struct noise *noise_find(const char *name)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
		if (strcmp(models[i].name, name) == 0)
			return &models[i];
	return NULL;
}

struct draw {
	uint64_t key, counter;
};

static double uniform(struct draw *d)
{
	return prng_double(d->key, d->counter++);
}

/* Two independent standard normals (Box and Muller): one for each side, in most models. */
static void normals(struct draw *d, double ret[static 2])
{
	double radius = sqrt(-2 * log1p(-uniform(d))), angle = 2 * M_PI * uniform(d);

	ret[0] = radius * cos(angle);
	ret[1] = radius * sin(angle);
}

/* The difference of two normals of this sd. */
static double normal_difference(struct draw *d, double sd)
{
	double z[2];

	if (sd == 0)
		return 0;
	normals(d, z);
	return sd * (z[1] - z[0]);
}

/* Student's t with 2 degrees, by its quantile. */
static double student_2(struct draw *d)
{
	double u = uniform(d);

	u = u > 0 ? u : 0x1p-54;
	return (2 * u - 1) / sqrt(2 * u * (1 - u));
}

static double spike(struct draw *d, const struct noise *model)
{
	double struck = uniform(d), size = uniform(d);

	return struck < model->spike_p ? -model->spike_mean * log1p(-size) : 0;
}

/* Candidate less baseline of what a process keeps. */
static double process_difference(struct draw *d, const struct noise *model)
{
	double difference = normal_difference(d, model->process_sd);

	if (model->process_mode > 0) {
		double sides = (uniform(d) < .5) - (uniform(d) < .5);

		difference += 2 * model->process_mode * sides;
	}
	return difference;
}

/* The same of the two samples of a pair. */
static double sample_difference(struct draw *d, const struct noise *model)
{
	double difference = normal_difference(d, model->sample_sd);

	if (model->t2 > 0)
		difference += model->t2 * (student_2(d) - student_2(d));
	if (model->spike_p > 0)
		difference += spike(d, model) - spike(d, model);
	return difference;
}

static double ar_next(struct draw *d, const struct noise *model, double now, double coefficient)
{
	double z[2];

	normals(d, z);
	return coefficient * now + model->ar_sd * sqrt(1 - coefficient * coefficient) * z[0];
}

void noise_stage__init(struct noise_stage *s, const struct noise *model, uint64_t key, size_t m,
		       double log_ratio, size_t processes)
{
	struct draw d = {key, STAGE_WORDS};

	*s = (struct noise_stage){.model = model, .key = key, .m = m, .log_ratio = log_ratio};
	for (size_t i = 0; i < model->layouts; i++)
		s->layout[i] = normal_difference(&d, model->layout_sd);
	s->processes = processes;
	for (size_t i = 0; i < processes; i++)
		s->process[i] = process_difference(&d, model);
	if (model->ar_sd > 0)
		s->ar = ar_next(&d, model, 0, 0);
}

/* Steps of the AR(1) noise since the pair before: other benchmarks' blocks lie between blocks. */
static double ar_coefficient(const struct noise_stage *s, size_t pair)
{
	size_t turns = s->model->interleave ? s->model->interleave : 1;

	if (pair > 0 || turns == 1)
		return s->model->ar;
	return pow(s->model->ar, (double)((turns - 1) * s->m + 1));
}

/* What the order within the pair does: the second half is later and pays `second`. */
static double order_difference(const struct noise *model, size_t m, bool candidate_first)
{
	double later = model->second + model->drift / (double)(2 * m * 60);

	return candidate_first ? -later : later;
}

static double pair_difference(struct noise_stage *s, struct draw *d, size_t pair, bool first)
{
	const struct noise *model = s->model;
	double difference = sample_difference(d, model);

	if (model->ar_sd > 0) {
		s->ar = ar_next(d, model, s->ar, ar_coefficient(s, pair));
		difference += s->ar;
	}
	if (s->processes > 0)
		difference += s->process[(s->blocks * s->m + pair) % s->processes];
	return difference + order_difference(model, s->m, first);
}

/* Median of an odd number of values, by insertion: m is small. */
static double median(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double v = x[i];
		size_t at = i;

		for (; at > 0 && x[at - 1] > v; at--)
			x[at] = x[at - 1];
		x[at] = v;
	}
	return x[n / 2];
}

/* A fair coin says who goes first in (m + 1)/2 of the pairs, and others at which places. */
static double median_of_pairs(struct noise_stage *s, struct draw *d)
{
	double x[NOISE_PAIRS_MAX];
	bool majority = uniform(d) < .5;
	size_t left = (s->m + 1) / 2;

	for (size_t i = 0; i < s->m; i++) {
		bool chosen = uniform(d) * (double)(s->m - i) < (double)left;

		left -= chosen;
		x[i] = pair_difference(s, d, i, chosen == majority);
	}
	return median(x, s->m);
}

double noise_block(struct noise_stage *s)
{
	const struct noise *model = s->model;
	struct draw d = {s->key, (uint64_t)s->blocks << BLOCK_SHIFT};
	double log_ratio = s->log_ratio;

	if (model->coin > 0) {
		s->blocks++;
		return exp(log_ratio + (uniform(&d) < model->coin ? 1 : -1));
	}
	if (model->layouts > 0)
		log_ratio += s->layout[s->blocks % model->layouts];
	if (s->processes == 0)
		log_ratio += process_difference(&d, model);
	log_ratio += median_of_pairs(s, &d);
	s->blocks++;
	return exp(log_ratio);
}
