/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a benchmark's words is another file than the user may have meant. */
#include "locate.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../util/files.h"
#include "../util/path.h"

char *locate_users(const char *word)
{
	const char *env = getenv("PATH");
	AUTO_FREE char *path = env ? strdup(env) : NULL;
	char *rest = path;

	for (const char *dir = strsep(&rest, ":"); dir; dir = strsep(&rest, ":")) {
		/* a relative one is another with each working directory */
		AUTO_FREE char *file = dir[0] == '/' ? path_join(dir, word) : NULL;

		if (file && files_can_run(file))
			return TAKE_PTR(file);
	}
	return NULL;
}

/* The directory of a file, or the one over a bin in which it lies. Owned; NULL: no memory. */
static char *dir_over_bin(const char *file)
{
	char *dir = path_dir(file);
	char *slash = dir ? strrchr(dir, '/') : NULL;

	if (slash && slash != dir && !strcmp(slash, "/bin"))
		*slash = '\0';
	return dir;
}

/*
 * By their directories, not by the file that a link leads to: the interpreter of a Python environment is a
 * link to the system's, and finds other modules by its own place.
 */
static bool same_place(const char *a, const char *b)
{
	AUTO_FREE char *dir_a = path_dir(a);
	AUTO_FREE char *dir_b = path_dir(b);
	AUTO_FREE char *real_a = dir_a ? realpath(dir_a, NULL) : NULL;
	AUTO_FREE char *real_b = dir_b ? realpath(dir_b, NULL) : NULL;

	return real_a && real_b && !strcmp(real_a, real_b);
}

/* "read = DIR" for what of the file the sandbox does not show; owned, "" for nothing, NULL: no memory. */
static char *missing_reads(const struct sandbox *sandbox, const char *file)
{
	AUTO_FREE char *real = realpath(file, NULL);
	AUTO_FREE char *first = dir_over_bin(file);
	AUTO_FREE char *second = real ? dir_over_bin(real) : NULL;
	bool needs_first = !sandbox_shows(sandbox, file);
	bool needs_second =
		second && first && strcmp(first, second) != 0 && !sandbox_shows(sandbox, real);
	char *text;

	if (!first ||
	    asprintf(&text, "%s%s%s%s", needs_first ? "read = " : "", needs_first ? first : "",
		     !needs_second ? ""
		     : needs_first ? ", read = "
				   : "read = ",
		     needs_second ? second : "") < 0)
		return NULL;
	return text;
}

static int note_other(struct record *rec, const struct sandbox *sandbox, const char *name,
		      const char *word)
{
	AUTO_FREE char *ours = locate_in_path(word);
	AUTO_FREE char *users = locate_users(word);
	AUTO_FREE char *reads = users ? missing_reads(sandbox, users) : NULL;

	if (!ours || !files_can_run(ours) || !users || same_place(ours, users))
		return 0;
	if (!reads)
		return -ENOMEM;
	return record__note(rec,
			    "\"%s\": %s is %s, as the PATH of what is measured finds it; your own "
			    "PATH finds %s. To measure that one write its path in place of %s%s%s",
			    name, word, ours, users, word,
			    reads[0] ? ", and let the sandbox show it: [sandbox] " : "", reads);
}

/* The NAME of "#!/usr/bin/env [-S] NAME"; false: another first line. */
static bool env_name(const char *file, char ret[static FILES_SCRIPT_LINE])
{
	static const char env[] = "/usr/bin/env";
	char line[FILES_SCRIPT_LINE];
	const char *rest = line + strlen(env);

	if (!files_can_run(file) || !files_script_line(file, line) ||
	    strncmp(line, env, strlen(env)) != 0 || !strspn(rest, " \t"))
		return false;
	return (sscanf(rest, " -S %255s", ret) == 1 || sscanf(rest, "%255s", ret) == 1) &&
	       !strpbrk(ret, "/=") && ret[0] != '-';
}

int locate_note(struct record *rec, const struct sandbox *sandbox, const char *name,
		const char *word, const char *file)
{
	char interpreter[FILES_SCRIPT_LINE];
	int err = 0;

	if (word)
		err = note_other(rec, sandbox, name, word);
	if (!err && env_name(file, interpreter))
		err = note_other(rec, sandbox, name, interpreter);
	return err;
}

/* Names the directory, or something in it, in the midst of other text too; but nothing of `place`. */
static bool names(const char *text, const char *dir, const char *place)
{
	size_t len = dir ? strlen(dir) : 0, place_len = place ? strlen(place) : 0;

	for (const char *at = text; len > 1 && (at = strstr(at, dir)); at++) {
		if (place && !strncmp(at, place, place_len))
			continue;
		if (!at[len] || strchr("/ \t\n:;,&|<>()'\"`", at[len]))
			return true;
	}
	return false;
}

int locate_note_argument(struct record *rec, const struct versions *versions, const char *word)
{
	const char *place = versions->tree[SIDE_CANDIDATE].place; /* where both are shown */
	bool at_home = false;
	int err = 0;

	if (!place || !path_below(word, place))
		err = locate_at_home(versions, word, &at_home);
	for (int s = 0; s < SIDE_CNT && !at_home; s++)
		at_home = names(word, versions->tree[s].home, place);
	if (err || !at_home)
		return err;
	return record__note(rec,
			    "%s%s the same file on both sides, because each version's own cannot "
			    "be shown in its place here",
			    word,
			    word[0] == '/' && !strchr(word, ' ') ? " is" : ": what it names is");
}

int locate_note_place(struct record *rec, const struct sandbox *sandbox,
		      const struct versions *versions)
{
	const struct tree *t = &versions->tree[SIDE_CANDIDATE];

	if (!sandbox_has(sandbox, LAYER_ROOT) || t->program || t->place)
		return 0;
	return record__note(
		rec,
		"the versions cannot be shown at %s, where [sandbox] opens a path in it or "
		"the system's own lie: whatever names files there itself, such as a "
		"script, finds the same ones on both sides",
		t->home);
}
