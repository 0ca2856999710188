/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What a run says of itself once it is over: notes of its record. One that does not fit is left out. */
#include "../../report/record.h"

/* The regression whose stages all lie within the shortest time, if it is that of a state of the machine. */
void run_note_gaps(struct record *rec);

/* Commands whose start costs a good part of what is measured, if they were measured. */
void run_note_loader(struct record *rec);

/* Benchmarks whose candidate has stopped to give a digest of its output: nothing compares it any more. */
void run_note_digests(struct record *rec);

/* After an end by --max-time: how much of what was asked for it left open. */
void run_note_time(struct record *rec, double max_time_s);
