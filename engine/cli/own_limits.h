/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The limits of resources (setrlimit(2)) that joust itself runs under. */
#include "../util/problem.h"
#include "../../report/cleanup.h"

/*
 * Raises what may be raised: many shells' limit is soft. What joust starts has limits of its own
 * (host/launch.c), but for the stack: that is left alone unless joust could not run with it, because
 * the layout of a program's memory hangs on it. -ERANGE: the stack that is allowed is too small.
 */
int own_limits_raise(struct problem *why) MUST_CHECK;

/* -EMFILE where so few files may be open that a run could not end well. */
int own_limits_check_files(struct problem *why) MUST_CHECK;
