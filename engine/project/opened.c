/* SPDX-License-Identifier: BSD-2-Clause */
#include "opened.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool among(const struct strings *list, const char *item)
{
	for (size_t i = 0; i < list->cnt; i++) {
		if (!strcmp(list->items[i], item))
			return true;
	}
	return false;
}

static void say(FILE *f, const char *key, const char *value)
{
	fprintf(f, "%s%s = %s", ftello(f) ? ", " : "", key, value);
}

static void say_new(FILE *f, const char *key, const struct strings *now,
		    const struct strings *before)
{
	for (size_t i = 0; i < now->cnt; i++) {
		if (!among(before, now->items[i]))
			say(f, key, now->items[i]);
	}
}

/* A default is this host's, so that any number may be more. */
static void say_more(FILE *f, const char *key, double now, double before)
{
	if (now > 0 && !(now <= before))
		fprintf(f, "%s%s = %.0f", ftello(f) ? ", " : "", key, now);
}

/* "read = /a, network = yes": owned; "" when nothing is new. */
static char *list_new(const struct config *now, const struct config *before)
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
	say_more(f, "memory", (double)now->limits.memory_bytes,
		 (double)before->limits.memory_bytes);
	say_more(f, "pids", (double)now->limits.pids, (double)before->limits.pids);
	say_more(f, "build-memory", (double)now->build_limits.memory_bytes,
		 (double)before->build_limits.memory_bytes);
	say_more(f, "build-pids", (double)now->build_limits.pids,
		 (double)before->build_limits.pids);
	say_more(f, "build-time", now->build_time_s, before->build_time_s);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

/* A baseline that this joust cannot read (a newer key, say) opened nothing that it could vouch for. */
static int load_before(struct config *ret, const char *before, struct problem *why)
{
	struct problem cause = {0};
	int err = config__load(ret, before, &cause);

	if (err)
		(void)problem_set(why, EXIT_COULD_NOT_COMPARE, err,
				  "--sandbox strict: the baseline's " CONFIG_FILE
				  " cannot be read: %s",
				  cause.text);
	problem__done(&cause);
	return err;
}

int opened_check(const struct config *now, const char *before, const char *remedy,
		 struct problem *why)
{
	AUTO_FREE char *text = NULL;
	struct config was = {0};
	int err = load_before(&was, before, why);

	if (err)
		return err;
	text = list_new(now, &was);
	config__done(&was);
	if (!text)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	if (!text[0])
		return 0;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -EPERM,
			   "--sandbox strict: " CONFIG_FILE " opens what %s: %s. %s",
			   before ? "the baseline's does not" : "no baseline's has opened", text,
			   remedy);
}
