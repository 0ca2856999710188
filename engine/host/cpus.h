/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Which CPUs joust measures on; the engine blocks on the same ones (experiment.md, 10). */
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include "../../report/cleanup.h"

/*
 * Chooses `cnt` CPUs of those this process may use: isolated ones first, then the highest numbers
 * (interrupts and housekeeping gather on the low ones). -ENOSPC when there are fewer.
 */
int cpus_choose(size_t cnt, cpu_set_t *ret) MUST_CHECK;
/* As many other CPUs as `used` has, for a confirmation; -ENOSPC when there are none of their kind. */
int cpus_choose_other(const cpu_set_t *used, cpu_set_t *ret) MUST_CHECK;
/* The first CPU of a set, -1 for an empty one. */
int cpus_first(const cpu_set_t *set);
/* Pins the engine; *ret_old (may be NULL) gets the former set, to be restored. */
int cpus_pin(const cpu_set_t *set, cpu_set_t *ret_old) MUST_CHECK;
/* True while every CPU of the set is online and allowed. */
bool cpus_present(const cpu_set_t *set);
