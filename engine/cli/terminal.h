/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * How joust shows itself: colour, width, and the progress line. Decisions follow ecosystem.md 4: the
 * option beats the environment, the environment beats what the descriptor is.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "../measure/run.h"
#include "options.h"

/* Colour on a stream that is a terminal or not. */
bool terminal_color(enum when when, bool is_terminal);

/* Columns of `fd`: COLUMNS, else the terminal's, else 80; 40 to 500. */
size_t terminal_columns(int fd);

enum progress_mode {
	PROGRESS_NONE,
	PROGRESS_LINE,	/* one line, drawn over and over, at most 10 times a second */
	PROGRESS_PLAIN, /* whole lines, at most one in 30 s: for logs */
};
enum progress_mode terminal_progress(enum when when, bool is_terminal, bool quiet);

struct progress {
	FILE *out;
	enum progress_mode mode;
	size_t columns;
	bool drawn;	  /* a line stands there now */
	bool any;	  /* last_ns holds */
	uint64_t last_ns; /* CLOCK_MONOTONIC of the last line */
};

/* For stderr, as the options and the environment say. */
void progress__init(struct progress *p, const struct options *o);

/* Shows where the run is, unless it is too early for that. Between blocks only. */
void progress__show(struct progress *p, const struct run_progress *at);
/* The same at a given time. */
void progress__show_at(struct progress *p, const struct run_progress *at, uint64_t now_ns);

/* Removes the line, so that other output can follow. */
void progress__clear(struct progress *p);
