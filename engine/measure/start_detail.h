/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/*
 * Why the program, a path of the host, could not be started: `err`, negative, in words. execve(2) says
 * of a missing interpreter what it says of a missing program, so that the interpreter is named. Owned;
 * NULL when memory is out.
 */
char *start_detail(const char *program, int err);
