/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include "../host/child.h"

/*
 * Why `c` did not become the program, a path of the host: `err`, negative, in words. Where execve(2) was
 * the step that failed, it says of a missing interpreter what it says of a missing program, so that the
 * interpreter is named. Owned; NULL when memory is out.
 */
char *start_detail(const char *program, const struct child *c, int err);
