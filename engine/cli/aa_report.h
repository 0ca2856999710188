/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The result of `joust aa`: shown, kept beside the records, and cited by later comparisons. */
#include <stdio.h>
#include "../decide/alarms.h"
#include "../../report/record.h"

#define AA_KEY_BYTES 17

struct aa_result {
	const struct alarms *alarms;
	const struct policy *policy;
	const struct record *rec;	  /* of the whole: host, seed, start */
	double inject;			  /* percent; NaN: none */
	bool whole;			  /* every block of stage 1 was asked for */
	char key[AA_KEY_BYTES];		  /* the runs' aa_circumstances */
	const char *missing[ALARM_KINDS]; /* why there are no runs of a kind; NULL */
};

/*
 * All kinds together: how often stage 1 of a benchmark said slower, by any of its judged timed metrics,
 * of how many times, and the bound of that rate. It bounds the rate of each metric alone, too.
 */
struct aa_rate {
	size_t slower, stages, runs, failing;
	double bound; /* with 99 % confidence; 1 when there was nothing */
};
struct aa_rate aa_rate_of(const struct alarms *a);
/* The bound of `hits` among `cnt`; 1 where there were none. */
double aa_upper_bound(size_t hits, size_t cnt);

/*
 * In how many of its runs a benchmark should be found slower; NaN without an injection. 0 or a
 * negative errno.
 */
int aa_planned(const struct aa_result *r, const struct alarm_bench *b,
	       const struct alarm_figures *f, double *ret) MUST_CHECK;

/*
 * What error rates hang on besides the benchmarks: host, kernel, CPUs, this version of joust, rule,
 * alpha and gate, of a judged record whose host may be known from another. Equal ones give equal
 * texts.
 */
void aa_circumstances(const struct rec_host *host, const struct record *rec,
		      char ret[static AA_KEY_BYTES]);

/* `quiet`: without signs and benchmarks. 0 or -ENOMEM; what `out` cannot take is not asked for. */
int aa_print(FILE *out, const struct aa_result *r, bool quiet) MUST_CHECK;

/* As JSON; errors stay in the stream. */
void aa_write_to(FILE *out, const struct aa_result *r);
/* The same into the file `path`, whole or not at all; 0 or a negative errno. */
int aa_write(const char *path, const struct aa_result *r) MUST_CHECK;

/*
 * DIR/aa.last is one line for aa_cite. A result with something injected is not kept there: it says
 * nothing about false alarms. 0 or a negative errno; the former line then stays.
 */
int aa_keep(const char *dir, const struct aa_result *r) MUST_CHECK;
/* Whether aa_cite will find that it says something, and if not, how many runs would do. */
void aa_say_cited(FILE *out, const struct aa_result *r);
/*
 * Puts what was kept into the notes of a measured record, where it is about the same:
 * circumstances, all of its benchmarks, at limits of `cpu` no larger; and where it says something:
 * it excludes a rate of 5 %, or there was an alarm. Else nothing. 0 or -ENOMEM.
 */
int aa_cite(const char *dir, struct record *rec) MUST_CHECK;
/* The same of its line, which is cut to pieces. */
int aa_cite_line(char *line, struct record *rec) MUST_CHECK;
