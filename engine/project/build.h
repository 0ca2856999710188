/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* One build: a shell command in a clean environment, logged, killed with all that it started. */
#include <stdbool.h>
#include "config.h"
#include "versions.h"
#include "../util/problem.h"

struct build_request {
	const char *command;
	const struct tree *tree;     /* built in its project's directory */
	struct sandbox *sandbox;     /* NULL: none. The build can write only the tree */
	const char *scratch;	     /* for its home and temporary files; made and removed here */
	const char *log;	     /* path */
	const struct strings *names; /* variables that pass through: [sandbox] env */
	int interrupt_fd;
};

struct build_result {
	bool failed;
	char *end;  /* "exit status 2": owned */
	char *tail; /* last lines of its output: owned */
	double seconds;
};

/* 0 also when the command failed (ret->failed). -EINTR; else `why` says what kept it from running. */
int build__run(const struct build_request *req, struct build_result *ret,
	       struct problem *why) MUST_CHECK;
void build_result__done(struct build_result *r);

/* What the environment adds to the key of a tree, as text: NAME=value lines. Owned. */
int build_environment_text(const struct strings *names, char **ret) MUST_CHECK;

/* Identity of the compilers that a build finds, on the PATH or by CC and the like, as text. Owned. */
int build_tools_text(const struct strings *names, char **ret) MUST_CHECK;
