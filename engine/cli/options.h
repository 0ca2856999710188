/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the command line and the environment ask for. A flag beats its JOUST_* variable; whatever is
 * not given keeps the value that means "not given", so that joust.conf and the defaults can fill it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../host/perf_name.h"
#include "../host/sandbox.h"
#include "../util/problem.h"
#include "../../report/cleanup.h"
#include "../../report/record.h"
#include "verb.h"

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };
enum help_kind { HELP_NONE, HELP_SHORT, HELP_FULL };

/* One option as it was given, for the record. Flags have "yes" or "no". */
struct given_option {
	const char *name; /* long name without dashes */
	const char *value;
	bool from_environment;
};

struct options {
	enum verb verb;
	bool verb_given;
	enum help_kind help;
	bool version;

	const char *base, *candidate, *filter, *exclude; /* NULL: not given */
	bool force, in_place, dry_run;

	double limit[METRIC_CNT]; /* NaN: not given */
	double peak_least;	  /* bytes; NaN: not given */
	double prove_same;	  /* a ratio; NaN: not given */
	bool judge[METRIC_CNT];
	struct perf_names events;		 /* -e */
	double alpha;				 /* NaN: not given */
	uint64_t blocks, min_blocks, max_blocks; /* 0: not given */
	bool strict, bisect;			 /* bisect implies strict */

	uint64_t pairs;				/* odd; 0: not given */
	uint64_t layouts;			/* 0: not given */
	uint64_t runs;				/* 0: not given */
	double inject;				/* percent; NaN: not given */
	double warmup_s, timeout_s, max_time_s; /* NaN: not given */
	uint64_t seed;
	bool seed_given;
	enum judge_rule rule;
	const char *jobs; /* the one value that exists, or NULL */
	enum sandbox_level sandbox;
	bool sandbox_log;
	const char *require; /* comma separated, NULL: not given */

	const char *export_json; /* "-" is stdout */
	enum when color, progress;
	bool quiet, verbose;

	const char *file; /* analyze; - is stdin */
	char **command;	  /* behind `--`; NULL: none */
	size_t command_cnt;

	size_t given_cnt; /* command line in its order, then the environment */
	struct given_option *given;
};

/*
 * Fills *ret from argv[1..argc) and from the environment. Strings are borrowed from both, which must
 * live as long as the options. -EINVAL: wrong usage, said in `why` with EXIT_USAGE; ret->bisect then
 * still says whether bisect was asked for. -ENOMEM. With ret->help or ret->version set nothing else
 * was checked and the environment was not read.
 */
int options__parse(struct options *ret, int argc, char **argv, struct problem *why) MUST_CHECK;
void options__done(struct options *o);
