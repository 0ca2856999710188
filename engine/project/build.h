/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* One build: a shell command in a clean environment, logged, killed with all that it started. */
#include <stdbool.h>
#include "build_limits.h"
#include "config.h"
#include "versions.h"
#include "../util/problem.h"

#define LAYOUT_SEED_ENV "JOUST_LAYOUT_SEED"
#define LAYOUT_PATH_ENV "JOUST_LAYOUT_PATH" /* the PATH without the stand-ins */

struct build_request {
	const char *command;
	const struct tree *tree; /* built in its project's directory */
	struct sandbox *sandbox; /* NULL: none. The build can write only the tree */
	struct build_limits limits;
	const char *scratch;	     /* for its home and temporary files; made and removed here */
	const char *log;	     /* path */
	const struct strings *names; /* variables that pass through: [sandbox] env */
	unsigned layout_seed;	     /* JOUST_LAYOUT_SEED; 0: not set */
	const char *stand_ins;	     /* directory that is searched before the PATH; NULL */
	int interrupt_fd;
};

struct build_result {
	bool failed;
	char *end;  /* "exit status 2", with the limit that was reached: owned */
	char *tail; /* last lines of its output: owned */
	double seconds;
};

/* 0 also when the command failed (ret->failed). -EINTR; else `why` says what kept it from running. */
int build__run(const struct build_request *req, struct build_result *ret,
	       struct problem *why) MUST_CHECK;
void build_result__done(struct build_result *r);

/* What the environment adds to the key of a tree, as text: NAME=value lines. Owned. */
int build_environment_text(const struct strings *names, char **ret) MUST_CHECK;

/* A directory on the build's PATH has it. */
bool build_has_tool(const char *name);
/* Calls `each` for every file name on the build's PATH until it returns other than 0. */
int build_each_tool(int (*each)(void *arg, const char *name), void *arg) MUST_CHECK;

/* Identity of the compilers that a build finds, on the PATH or by CC and the like, as text. Owned. */
int build_tools_text(const struct strings *names, char **ret) MUST_CHECK;
