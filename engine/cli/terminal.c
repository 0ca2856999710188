/* SPDX-License-Identifier: BSD-2-Clause */
#include "terminal.h"
#include <string.h>
#include <sys/ioctl.h>
#include "../util/clock.h"
#include "../util/num.h"
#include "../../report/text.h"

#define LINE_NS	 100000000u   /* 10 updates a second */
#define PLAIN_NS 30000000000u /* a log line in 30 s */

/* Set and not empty: nothing else counts as an answer. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

static bool is_zero(const char *value)
{
	return value && !strcmp(value, "0");
}

bool terminal_color(enum when when, bool is_terminal)
{
	const char *force = variable("CLICOLOR_FORCE"), *force_too = variable("FORCE_COLOR");
	const char *term = variable("TERM");

	if (when != WHEN_AUTO)
		return when == WHEN_ALWAYS;
	if (variable("NO_COLOR"))
		return false;
	if ((force && !is_zero(force)) || (force_too && !is_zero(force_too)))
		return true;
	if (is_zero(variable("CLICOLOR")) || is_zero(force_too))
		return false;
	return is_terminal && !(term && !strcmp(term, "dumb"));
}

size_t terminal_columns(int fd)
{
	const char *columns = variable("COLUMNS");
	struct winsize size;
	uint64_t v;

	if (columns && !num_u64(columns, 40, 500, &v))
		return v;
	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return 80;
	return size.ws_col < 40 ? 40 : (size.ws_col > 500 ? 500 : size.ws_col);
}

static bool in_ci(void)
{
	static const char *const names[] = {"CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = variable(names[i]);

		if (value && strcmp(value, "false") != 0 && strcmp(value, "0") != 0)
			return true;
	}
	return false;
}

enum progress_mode terminal_progress(enum when when, bool is_terminal, bool quiet)
{
	const char *term = variable("TERM");
	bool can_redraw = is_terminal && !(term && !strcmp(term, "dumb"));

	if (when == WHEN_NEVER)
		return PROGRESS_NONE;
	if (when == WHEN_ALWAYS)
		return can_redraw ? PROGRESS_LINE : PROGRESS_PLAIN;
	if (quiet)
		return PROGRESS_NONE;
	if (in_ci())
		return PROGRESS_PLAIN;
	return can_redraw ? PROGRESS_LINE : PROGRESS_NONE;
}

void progress__init(struct progress *p, const struct options *o)
{
	*p = (struct progress){
		.out = stderr,
		.mode = terminal_progress(o->progress, isatty(STDERR_FILENO), o->quiet),
		.columns = terminal_columns(STDERR_FILENO),
	};
}

/*
 * Cuts `s`, which is escaped already, to so many columns. Never within a character: what is left of
 * one counts as its escape, which is wider than any character.
 */
static void cut(char *s, size_t columns)
{
	size_t len = strlen(s);

	while (len && text_width(s) > columns)
		s[--len] = '\0';
}

/* "planning: " or "stage 1: 3 of 4 open, round 7, parse: large document"; owned, NULL without memory. */
static char *describe(const struct run_progress *at, size_t columns)
{
	AUTO_FREE char *name = at->bench ? text_escaped(at->bench->name) : NULL;
	char stage[sizeof("stage ") + 10] = "planning", *line = NULL;

	if (at->stage)
		(void)snprintf(stage, sizeof(stage), "stage %u", at->stage);
	if (asprintf(&line, "%s: %zu of %zu open, round %u%s%s", stage, at->open, at->total,
		     at->round, name ? ", " : "", name ? name : "") < 0)
		return NULL;
	cut(line, columns);
	return line;
}

void progress__show_at(struct progress *p, const struct run_progress *at, uint64_t now_ns)
{
	AUTO_FREE char *line = NULL;
	uint64_t pause_ns = p->mode == PROGRESS_LINE ? LINE_NS : PLAIN_NS;

	if (p->mode == PROGRESS_NONE || (p->any && now_ns - p->last_ns < pause_ns))
		return;
	/* a line that fills the last column makes some terminals begin another one */
	line = describe(at, p->columns - 1);
	if (!line)
		return;
	if (p->mode == PROGRESS_LINE)
		fprintf(p->out, "\r%s\x1b[K", line);
	else
		fprintf(p->out, "%s\n", line);
	(void)fflush(p->out); /* nobody is owed a progress line */
	p->drawn = p->mode == PROGRESS_LINE;
	p->any = true;
	p->last_ns = now_ns;
}

void progress__show(struct progress *p, const struct run_progress *at)
{
	progress__show_at(p, at, clock_ns(CLOCK_MONOTONIC));
}

void progress__clear(struct progress *p)
{
	if (!p->drawn)
		return;
	fputs("\r\x1b[K", p->out);
	(void)fflush(p->out); /* nobody is owed a progress line */
	p->drawn = false;
}
