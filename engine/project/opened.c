/* SPDX-License-Identifier: BSD-2-Clause */
#include "opened.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void say(FILE *f, const char *key, const char *value)
{
	fprintf(f, "%s%s = %s", ftello(f) ? ", " : "", key, value);
}

static void say_new(FILE *f, const char *key, const struct strings *now,
		    const struct strings *before)
{
	for (size_t i = 0; i < now->cnt; i++) {
		if (!strings_has(before, now->items[i]))
			say(f, key, now->items[i]);
	}
}

enum limit_line {
	LIMIT_MEMORY,
	LIMIT_PIDS,
	LIMIT_BUILD_MEMORY,
	LIMIT_BUILD_PIDS,
	LIMIT_BUILD_TIME,
	LIMIT_LINES
};

static const char *const limit_keys[LIMIT_LINES] = {"memory", "pids", "build-memory", "build-pids",
						    "build-time"};

/* 0: no line. */
static void limits_of(const struct config *c, double ret[static LIMIT_LINES])
{
	ret[LIMIT_MEMORY] = (double)c->limits.memory_bytes;
	ret[LIMIT_PIDS] = (double)c->limits.pids;
	ret[LIMIT_BUILD_MEMORY] = (double)c->build_limits.memory_bytes;
	ret[LIMIT_BUILD_PIDS] = (double)c->build_limits.pids;
	ret[LIMIT_BUILD_TIME] = c->build_time_s;
}

/* A default is this host's: any number may be more, and no line may be more than any number. */
static void say_more(FILE *f, const struct config *now, const struct config *before,
		     const struct config *own)
{
	double n[LIMIT_LINES], b[LIMIT_LINES], o[LIMIT_LINES];

	limits_of(now, n);
	limits_of(before, b);
	limits_of(own, o);
	for (int i = 0; i < LIMIT_LINES; i++) {
		const char *comma = ftello(f) ? ", " : "";

		if (!n[i] && b[i])
			fprintf(f, "%s%s is no longer limited to %.0f", comma, limit_keys[i], b[i]);
		else if (n[i] > b[i] && n[i] > o[i])
			fprintf(f, "%s%s = %.0f", comma, limit_keys[i], n[i]);
	}
}

/* "read = /a, network = yes": owned; "" when nothing is new. */
static char *list_new(const struct config *now, const struct config *before,
		      const struct config *own)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	say_new(f, "read", &now->sandbox_read, &before->sandbox_read);
	say_new(f, "write", &now->sandbox_write, &before->sandbox_write);
	say_new(f, "env", &now->sandbox_env, &before->sandbox_env);
	say_new(f, "allow", &now->sandbox_allow, &before->sandbox_allow);
	if (now->sandbox_network && !before->sandbox_network)
		say(f, "network", "yes");
	say_more(f, now, before, own);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

int opened_check(const struct config *now, const struct config *before, const char *remedy,
		 struct problem *why)
{
	AUTO_FREE char *text = NULL;
	struct config own = {0};
	int err = config__load(&own, NULL, why);

	if (err)
		return err;
	text = list_new(now, before ? before : &own, &own);
	config__done(&own);
	if (!text)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	if (!text[0])
		return 0;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -EPERM,
			   "--sandbox strict: " CONFIG_FILE " opens what %s: %s. %s",
			   before ? "the baseline's does not" : "no baseline's has opened", text,
			   remedy);
}
