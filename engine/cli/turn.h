/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Two engines that measure on the same CPUs would measure each other: one waits for the other's end. */
#include "session.h"

/*
 * Waits until no other joust of this user measures on a CPU that this one may use, and says so; holds the
 * CPUs until session__done. 0 also where it cannot be told whether there is another, with a note. -EINTR.
 */
int turn__take(struct session *s) MUST_CHECK;
