/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "session.h"

/*
 * --dry-run: looks at every benchmark as a run would before its first block and prints the plan and
 * the time to expect; judges nothing and writes no record. Returns the exit status.
 */
int dry_run(struct session *s);
