/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * joust.conf: git-config syntax read through libgit2, scanned first (design.md). Unknown sections
 * and keys, includes, raw control bytes, invalid UTF-8 and NUL are refused with the line and the
 * nearest known name (EXIT_USAGE).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../host/cgroup_leaf.h"
#include "../measure/gate.h"
#include "../util/problem.h"
#include "../../report/metrics.h"
#include "../../report/cleanup.h"

#define CONFIG_FILE	 "joust.conf"
#define CONFIG_BYTES_MAX (256 * 1024)

struct strings {
	size_t cnt;
	char **items;
};
int strings__add(struct strings *s, const char *item) MUST_CHECK;
bool strings_has(const struct strings *s, const char *item);
void strings__done(struct strings *s);

/* One [benchmark "NAME"] section. */
struct config_bench {
	char *name;		  /* exact name, or a glob over the worker's benchmarks */
	unsigned line;		  /* of its head */
	char *worker;		  /* program that links libjoust, relative to the project */
	char *command;		  /* a command benchmark; exactly one of worker and command */
	double limit[METRIC_CNT]; /* NaN: the default */
	double peak_least;	  /* bytes: limit = peak_memory=+5M; NaN: the default */
	bool judge[METRIC_CNT];	  /* asked for with `judge =`, `peak = yes` */
	double timeout_s;	  /* NaN: the default */
	double precision;	  /* ratio that half an interval must not exceed; NaN: none */
};

struct config {
	char *path;   /* NULL when there is no joust.conf */
	char *build;  /* NULL: none named */
	char *layout; /* command that links again in the order of JOUST_LAYOUT_SEED; NULL */
	struct strings watch, needs;
	char *main_branch;
	struct strings sandbox_read, sandbox_write, sandbox_env, sandbox_allow;
	bool sandbox_network; /* network = yes */
	size_t benches_cnt;
	struct config_bench *benches;
	struct cgroup_limits limits;	   /* of one worker; 0: the default */
	struct cgroup_limits build_limits; /* of a build; 0: the default */
	double build_time_s;		   /* likewise */
	gate_rules gate;		   /* [project] gate = canary */
	double limit[METRIC_CNT];	   /* [project] limit = [METRIC=]1.02; NaN: the default */
	double peak_least;		   /* the same, +BYTES */
};

/*
 * Reads the user's own file and ROOT/joust.conf (NULL: only the former). A missing file is not an
 * error (ret->path stays NULL). Duplicate benchmark
 * sections, a benchmark with both or neither of worker and command: refused.
 */
int config__load(struct config *ret, const char *root, struct problem *why) MUST_CHECK;
void config__done(struct config *c);

/* Whether the name of the section is this one, or a glob that matches it; of its worker or another. */
bool config_bench_matches(const struct config_bench *b, const char *name);
/* The first section whose name equals `name`, else the first whose glob matches; NULL if none. */
const struct config_bench *config_find(const struct config *c, const char *worker,
				       const char *name);
