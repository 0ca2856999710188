/* SPDX-License-Identifier: BSD-2-Clause */
#include "accept.h"
#include <errno.h>
#include <string.h>

bool accept_matches(const char *value, const char *bench, const char **ret_reason)
{
	size_t len = strlen(bench);
	const char *s = value + len;

	if (len == 0 || strncmp(value, bench, len) != 0)
		return false;
	s += strspn(s, " \t");
	if (*s++ != ':')
		return false;
	s += strspn(s, " \t");
	if (!*s)
		return false;
	*ret_reason = s;
	return true;
}

static struct rec_bench *find(struct record *rec, const char *value, const char **ret_reason)
{
	struct rec_bench *longest = NULL;

	for (size_t i = 0; i < rec->benches_cnt; i++) {
		struct rec_bench *b = &rec->benches[i];
		const char *reason;

		if (!accept_matches(value, b->name, &reason))
			continue;
		if (longest && strlen(longest->name) >= strlen(b->name))
			continue;
		longest = b;
		*ret_reason = reason;
	}
	return longest;
}

int accept_apply(struct record *rec, const char *value, const char *commit)
{
	AUTO_FREE char *why = NULL, *by = NULL;
	const char *reason = NULL;
	struct rec_bench *b = find(rec, value, &reason);

	if (!b)
		return record__note(rec,
				    "commit %.12s: " ACCEPT_KEY
				    ": \"%.200s\" names no benchmark of this run, or has no reason",
				    commit, value);
	if (b->accepted)
		return 0;
	why = strdup(reason);
	by = strdup(commit);
	if (!why || !by)
		return -ENOMEM;
	b->accepted = TAKE_PTR(why);
	b->accepted_by = TAKE_PTR(by);
	return 0;
}

static int apply(void *arg, const char *value, const char *commit)
{
	return accept_apply(arg, value, commit);
}

/* It may have been meant: GitHub's squash puts a paragraph of its own behind the trailers. */
static int say_stray(void *arg, const char *commit)
{
	return record__note(arg,
			    "commit %.12s has a " ACCEPT_KEY
			    " line that is not a trailer, so that it accepts nothing: put it in "
			    "the last paragraph of the message, with no line there that is not one",
			    commit);
}

int accept_collect(struct record *rec, const char *dir, struct problem *why)
{
	const char *from = rec->version[SIDE_CANDIDATE].commit;
	const char *hide = rec->version[SIDE_BASELINE].commit;
	struct git *g;
	int err;

	if (rec->bisect)
		return 0; /* who looks for the culprit finds it, wanted or not */
	if (!from || (hide && strcmp(from, hide) == 0))
		return 0;
	err = git__open(&g, dir, why);
	if (err)
		return err == -ENOENT ? 0 : err; /* a candidate elsewhere: no trailers to read */
	err = git_trailers(g, from, hide,
			   &(struct git_trailer_reader){ACCEPT_KEY, apply, say_stray, rec}, why);
	git__close(g);
	return err;
}
