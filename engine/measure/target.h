/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What is run for each benchmark of the record: programs of both sides, arguments, directories.
 * Targets are parallel to rec->benches.
 */
#include <stdbool.h>
#include "../project/config.h"
#include "../project/versions.h"
#include "../util/names.h"
#include "../util/words.h"
#include "filter.h"

struct target {
	struct words argv;	 /* argv[0] as the user wrote it: equal on both sides */
	char *program[SIDE_CNT]; /* absolute path of the file executed */
	bool in_tree;		 /* the program is part of the tree: it gets file slots */
	bool one_file;		 /* a path that leads to the same file on both sides */
	double timeout_s;	 /* NaN: the default */
	const struct config_bench *section; /* what the configuration says of it; NULL: nothing */
};

struct targets {
	size_t cnt;
	struct target *items;
	struct names names; /* of the record's benchmarks */
	struct strings
		unused; /* what is said of sections that hold for nothing; notes of the record */
};

struct discover_request {
	const struct config *config;
	const struct versions *versions;
	const char *root;	    /* where the configuration was looked for */
	const char *const *command; /* after `--`; NULL: none */
	size_t command_cnt;
	const struct filter *names;   /* of both of the next */
	const char *filter, *exclude; /* as they were given, for messages; NULL */
	double timeout_s;	      /* --timeout; NaN */
	struct sandbox *sandbox;      /* NULL: none */
	struct cgroup_room room;      /* of a worker that lists its benchmarks */
	bool strict;	  /* --sandbox strict: no program is a way around what the sandbox shows */
	bool one_side;	  /* run, list: only the candidate is looked at */
	bool sizes_apart; /* run: a benchmark with sizes is one for each size */
	int interrupt_fd;
};

/*
 * Asks the built programs for their benchmarks and fills rec->benches and `ret`. A benchmark that
 * one side lacks is listed as new or removed. Duplicate or invalid names, and a filter that matches
 * nothing, are EXIT_USAGE; a program that cannot be listed is EXIT_COULD_NOT_COMPARE.
 */
int targets__discover(struct targets *ret, const struct discover_request *req, struct record *rec,
		      struct problem *why) MUST_CHECK;
void targets__done(struct targets *t);

/*
 * loosening.c: notes what of the sections of these benchmarks lets pass what the baseline's joust.conf
 * would not. 0 or -ENOMEM.
 */
int targets_note_loosened(const struct targets *t, const struct discover_request *req,
			  struct record *rec) MUST_CHECK;

/* The environment of workers and commands: from scratch, equal on both sides. Owned. */
int target_environment(const struct config *config, bool worker, struct words *ret) MUST_CHECK;

/* Adds the variable that environment_resize makes longer and shorter; once. */
int environment_add_padding(struct words *env) MUST_CHECK;
/*
 * Makes the environment `bytes` (below ENVIRONMENT_STEP * ENVIRONMENT_STEPS) larger than it has to be;
 * returns the size of all its strings.
 */
size_t environment_resize(struct words *env, size_t bytes);
