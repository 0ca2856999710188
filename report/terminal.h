/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "record.h"

struct terminal_style {
	bool color;
	int verbosity; /* -1 quiet: verdict lines only; 0; 1 verbose: every metric */
	size_t columns;
};

/* The report a person sees at the end of a run, worst first (design.md). Writes to `out` only. */
void terminal_report(FILE *out, const struct record *r, const struct terminal_style *style);

/* `joust run`: medians and spread, no verdict. */
void terminal_measured(FILE *out, const struct record *r, const struct terminal_style *style);
