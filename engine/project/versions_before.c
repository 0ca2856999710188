/* SPDX-License-Identifier: BSD-2-Clause */
/* What the baseline's joust.conf says to the candidate's, which judges both and opens the sandbox. */
#include <errno.h>
#include <stdio.h>
#include "loosened.h"
#include "opened.h"
#include "versions_private.h"

/* Where a joust.conf lies that the candidate did not bring along; NULL in *ret: nowhere. */
static int find_before(const struct prep *p, char **ret)
{
	const struct party *base = &p->party[SIDE_BASELINE];

	*ret = NULL;
	if (p->req->one_side || p->req->twice || base->source.kind == VERSION_PROGRAM)
		return 0;
	if (asprintf(ret, "%s/%s", base->staged.work.path, base->source.prefix) >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}

static int note_loosened(struct prep *p)
{
	AUTO_FREE char *text = NULL;
	int err;

	if (p->before_err) /* it may be newer than this joust */
		return record__note(p->rec,
				    "the baseline's " CONFIG_FILE
				    " cannot be read (%s): whether the "
				    "candidate's judges more loosely is not known",
				    p->before_why.text);
	if (!p->before.path)
		return 0;
	/* another main-branch: prep_check_chosen */
	err = loosened_project(p->req->config, &p->before,
			       !p->req->base && !p->req->config->main_branch, &text);
	return err ? err : loosened_note(p->rec, text);
}

int prep_read_before(struct prep *p)
{
	AUTO_FREE char *dir = NULL;

	if (find_before(p, &dir))
		return prep_no_memory(p);
	if (!dir)
		return 0;
	p->has_before = true;
	p->before_err = config__load(&p->before, dir, &p->before_why);
	if (p->before_err == -ENOMEM)
		return prep_no_memory(p);
	return note_loosened(p) ? prep_no_memory(p) : 0;
}

bool prep_chose_baseline(const struct prep *p)
{
	return !p->req->base && !p->req->one_side && !p->req->twice && p->req->config->main_branch &&
	       p->party[SIDE_BASELINE].source.kind == VERSION_COMMIT;
}

int prep_check_opened(struct prep *p)
{
	bool counts = p->has_before && !prep_chose_baseline(p); /* it names its own judge */
	const char *remedy = "Open it in your own ~/.config/joust/config, or run with --sandbox "
			     "standard";

	if (!p->req->strict)
		return 0;
	if (counts && p->before_err)
		return problem_set(p->why, EXIT_COULD_NOT_COMPARE, p->before_err,
				   "--sandbox strict: the baseline's " CONFIG_FILE
				   " cannot be read: %s",
				   p->before_why.text);
	if (counts)
		remedy = "Merge that first, open it in your own ~/.config/joust/config, or run "
			 "with --sandbox standard";
	else if (!p->req->one_side && !p->req->twice && !p->req->base)
		remedy = "Name the baseline with --base: main-branch in that same file does not "
			 "count";
	return opened_check(p->req->config, counts ? &p->before : NULL, remedy, p->why);
}

void prep_forget_before(struct prep *p)
{
	config__done(&p->before);
	problem__done(&p->before_why);
}
