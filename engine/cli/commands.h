/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The verbs. Each returns an exit status and has said on stderr whatever went wrong; main writes out
 * stdout, decides what a failure there means, and makes of the status what --bisect wants.
 */
#include "options.h"

int cmd_compare(const struct options *o);
int cmd_run(const struct options *o);
int cmd_list(const struct options *o);
int cmd_doctor(const struct options *o);
int cmd_clean(const struct options *o);
int cmd_aa(const struct options *o);
int cmd_analyze(const struct options *o);

/* Checks --require, then runs the verb. */
int verb_dispatch(const struct options *o);
