/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * One `compare`, `run` or `list` from the options to the exit status: the straight line config +
 * git -> plan -> builds -> benchmarks -> blocks -> judge -> record -> reports.
 */
#include "../measure/real.h"
#include "../measure/run.h"
#include "interrupt.h"
#include "options.h"

struct session {
	const struct options *opt;
	struct record rec;
	struct config config;
	struct versions versions;
	struct targets targets;
	struct interrupt interrupt;
	struct problem why;
	char *root, *build, *state_dir;
	bool recorded; /* far enough that a record is written whatever happens */
};

/* Reads the configuration and refuses what can be refused before anything is built. */
int session__open(struct session *s, const struct options *opt, const char *verb) MUST_CHECK;
/* Versions, builds, benchmarks. -ECANCELED: nothing to compare (not a failure). */
int session__prepare(struct session *s, bool one_side) MUST_CHECK;
/* Measures and judges. */
int session__measure(struct session *s) MUST_CHECK;
/*
 * Ends the run: status, record, exports, report. `err` is what the steps before returned. Returns
 * the exit status; prints the report to stdout and problems to stderr.
 */
int session__finish(struct session *s, int err);
void session__done(struct session *s);
