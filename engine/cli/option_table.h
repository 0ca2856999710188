/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The one table of options: it yields parsing, the environment, --help and the suggestions. */
#include "options.h"

/* Longest "JOUST_..." name with its NUL. */
#define OPTION_ENV_MAX 40
#define OPTIONS_MAX    64

enum option_group { GROUP_WHAT, GROUP_JUDGE, GROUP_MEASURE, GROUP_OUTPUT, GROUP_CNT };

struct option_row;

/*
 * Puts `value` where the row says. `said` is how the user named the option: "--limit", "-w" or
 * "JOUST_LIMIT". Returns 0 or -EINVAL with `why` filled.
 */
typedef int option_parser(const struct option_row *row, const char *said, const char *value,
			  struct options *o, struct problem *why);

struct option_row {
	const char *name;     /* long, without dashes */
	char letter;	      /* 0: none */
	const char *argument; /* NULL: a flag */
	option_parser *parse;
	size_t offset;	/* of its field in struct options */
	double lo, hi;	/* range of a number, both ends allowed */
	unsigned verbs; /* VERB_BIT of each verb it applies to */
	enum option_group group;
	bool common;	  /* also in the short help */
	bool multi;	  /* may be given several times; else the last one holds */
	bool later;	  /* known, not in this version: refused */
	const char *only; /* the one value this version has; NULL: any */
	const char *help; /* one or two sentences */
};

/* All rows; *ret_cnt <= OPTIONS_MAX. */
const struct option_row *option_rows(size_t *ret_cnt);
const struct option_row *option_find(const char *name, size_t len);
const struct option_row *option_find_letter(char letter);

static inline bool option_applies(const struct option_row *row, enum verb v)
{
	return row->verbs & VERB_BIT(v);
}

/* "JOUST_MAX_TIME"; false for --help and --version, which the environment cannot ask for. */
bool option_env_name(const struct option_row *row, char ret[static OPTION_ENV_MAX]);

const char *option_group_title(enum option_group g);
