/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the clock of a control group has more than the clocks of the processes in it that were read or
 * waited for: the work of processes that nobody waited for, and what comes of the reading itself.
 */
#include <stdbool.h>
#include <stdint.h>

#define ENDS_UNKNOWN UINT64_MAX

/*
 * Whether `more_ns` of the group is more than rounding, than a share of the known time that changes no
 * verdict, and than so many threads and processes take for their ends. NaN: not known, so no. Pure.
 */
bool unwaited_is_work(double more_ns, double known_ns, uint64_t ended_cnt);
