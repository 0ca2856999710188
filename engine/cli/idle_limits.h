/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Limits that nobody was judged by: no failure, for hosts judge by what they can count, but said. */
#include "../project/config.h"
#include "options.h"

/* A note for each, once everything is measured; whoever asked for no limit reads none. */
void note_idle_limits(struct record *rec, const struct options *o, const struct config *c);
