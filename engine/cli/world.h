/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The sandbox of a run, as the options and joust.conf want it, and what the record says of it. */
#include "session.h"

/*
 * Fills s->sandbox, s->world and the record's layers; says once what is missing. -ENOTSUP: strict,
 * and a layer is missing (EXIT_COULD_NOT_COMPARE). An unknown name in `allow`: EXIT_USAGE.
 */
int world__open(struct session *s) MUST_CHECK;
/* What was refused goes into the record and a note. */
void world_refusals(struct session *s);
/* Benchmarks that failed as one does that lacks a file of the host: a note that says how to show it. */
void world_hints(struct session *s);
