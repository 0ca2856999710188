/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Between watching.c and watching_command.c. */
#include "watching.h"

unsigned watching_lane(enum side side);

/* The worst of those that were no part of the measuring itself go into the block. 0 or -ENOMEM. */
int watching_keep(struct rec_block *blk, const struct watch_preemptor *worst,
		  size_t cnt) MUST_CHECK;
