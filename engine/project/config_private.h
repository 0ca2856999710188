/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What reading a file (config.c) and setting its keys (config_keys.c) share. */
#include "config.h"
#include "config_scan.h"

/* One file being read into the configuration. */
struct loader {
	struct config *config;
	const char *path;
	bool user; /* the user's own file: [limits], [sandbox] and [project] limit alone */
	struct config_marks marks;
	size_t next_mark;		/* keys come from libgit2 in the order of the file */
	unsigned line;			/* of the entry at hand; 0 = unknown */
	const char *name;		/* of the entry at hand */
	const struct config_mark *mark; /* likewise; NULL = unknown */
	struct problem *why;
	/* set in this file: what may be set once */
	bool seen_build, seen_layout, seen_main, seen_memory, seen_pids, seen_build_memory,
		seen_build_pids, seen_build_time, metric_seen[METRIC_CNT], least_seen;
	struct bench_seen {
		unsigned line;
		bool worker, command, timeout, peak, precision, metric[METRIC_CNT], least;
	} * seen;
};

struct entry {
	struct loader *l;
	struct config_bench *bench; /* NULL outside [benchmark] */
	struct bench_seen *seen;
	const char *value;
};

/* A problem of what the file says, with its line. Returns -EINVAL. */
int config_refuse(struct loader *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int config_no_memory(struct loader *l);

/* The same of a word that is not among names[0..cnt); the nearest one is named. */
int config_refuse_unknown(struct loader *l, const char *what, const char *word,
			  const char *const *names, size_t cnt);

/* Sets what [section] key means. 0, -EINVAL or -ENOMEM with the problem set. */
int config_apply(struct entry *e, const char *section, const char *key) MUST_CHECK;
