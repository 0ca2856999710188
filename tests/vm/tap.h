/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* TAP for the static programs that run in guests: no cmocka there, and one process tests many. */
#include <stdbool.h>

/* Prints one test; returns `good`. */
bool tap_ok(bool good, const char *name, ...) __attribute__((format(printf, 2, 3)));
/* As tap_ok(got == want), and says both when they differ. */
bool tap_equal(unsigned long long got, unsigned long long want, const char *name, ...)
	__attribute__((format(printf, 3, 4)));
/* A test that cannot be made here: `why` is a sentence. */
void tap_skip(const char *name, const char *why);
void tap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints the plan. The exit status of the program: 0 when all passed, else 1. */
int tap_done(void);
/* Ends the program with 77: nothing of it can run here. */
_Noreturn void tap_skip_all(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Ends the program with 1: what the tests need failed with errno. */
_Noreturn void tap_die(const char *what);
