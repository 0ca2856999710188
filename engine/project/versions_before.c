/* SPDX-License-Identifier: BSD-2-Clause */
/* What the baseline's joust.conf says to the candidate's, which judges both and opens the sandbox. */
#include <errno.h>
#include <string.h>
#include "loosened.h"
#include "opened.h"
#include "versions_private.h"
#include "../util/path.h"

/* Part of the baseline: what `needs` adds to a commit comes from the candidate's working tree. */
static bool is_of_baseline(const struct prep *p, const char *path)
{
	const struct party *base = &p->party[SIDE_BASELINE];

	return manifest_has(&base->staged.manifest, path) &&
	       (base->source.kind != VERSION_COMMIT ||
		git_has_file(base->source.git, base->source.commit, path));
}

/* The first joust.conf that the baseline has and the candidate lacks, in `dir` or below; NULL. */
static const char *find_gone(const struct prep *p, const char *dir)
{
	const struct party *base = &p->party[SIDE_BASELINE], *cand = &p->party[SIDE_CANDIDATE];
	const struct manifest *m = &base->staged.manifest;

	if (strcmp(base->source.prefix, cand->source.prefix) != 0)
		return NULL; /* paths of two kinds */
	for (size_t i = 0; i < m->cnt; i++) {
		const char *path = m->files[i].path, *name = strrchr(path, '/');

		if (!strcmp(name ? name + 1 : path, CONFIG_FILE) &&
		    (!dir[0] || path_below(path, dir)) &&
		    !manifest_has(&cand->staged.manifest, path) && is_of_baseline(p, path))
			return path;
	}
	return NULL;
}

char *prep_conf_in(const char *dir)
{
	return dir[0] ? path_join(dir, CONFIG_FILE) : strdup(CONFIG_FILE);
}

/* As project_root looks, from where the candidate's lies upwards. -ENOENT, -ENOMEM. */
static int find_upwards(const struct prep *p, char **ret)
{
	AUTO_FREE char *dir = strdup(p->party[SIDE_BASELINE].source.prefix);

	while (dir) {
		AUTO_FREE char *path = prep_conf_in(dir);
		char *slash = strrchr(dir, '/');

		if (!path)
			return -ENOMEM;
		if (is_of_baseline(p, path)) {
			*ret = TAKE_PTR(path);
			return 0;
		}
		if (!dir[0])
			return -ENOENT;
		*(slash ? slash : dir) = '\0';
	}
	return -ENOMEM;
}

static int note_elsewhere(struct prep *p, const char *there, const char *here)
{
	return record__note(p->rec,
			    CONFIG_FILE " of the candidate lies elsewhere than in the baseline: "
					"%s, and there %s",
			    here, there);
}

/*
 * Where the baseline's lies, below its top; NULL: it has none. A place that the candidate left or took is
 * said: another file judges there than did.
 */
static int find_before(struct prep *p, char **ret)
{
	const char *dir = p->party[SIDE_BASELINE].source.prefix, *gone;
	AUTO_FREE char *here = prep_conf_in(dir);
	AUTO_FREE char *found = NULL;
	int err = here ? find_upwards(p, &found) : -ENOMEM;
	bool same;

	if (err == -ENOMEM || (!p->req->config->path && err))
		return err == -ENOMEM ? err : 0;
	same = found && !strcmp(found, here);
	gone = find_gone(p, same ? dir : "");
	if (!found && gone) {
		found = strdup(gone);
		if (!found)
			return -ENOMEM;
	}
	p->before_elsewhere = found && !same;
	if (p->before_elsewhere || gone) {
		if (note_elsewhere(p, p->before_elsewhere ? found : gone, here))
			return -ENOMEM;
	}
	*ret = TAKE_PTR(found);
	return 0;
}

static int refuse_before(struct prep *p, int err, const char *what)
{
	return problem_set(&p->before_why, EXIT_COULD_NOT_COMPARE, err, CONFIG_FILE ": %s", what);
}

/* A link may lead on within the baseline; what lies outside is not its own. */
static int load_before(struct prep *p, const char *path)
{
	AUTO_FREE char *top = realpath(p->party[SIDE_BASELINE].staged.work.path, NULL);
	AUTO_FREE char *full = path_join(top ? top : "", path);
	AUTO_FREE char *real = full ? realpath(full, NULL) : NULL;
	AUTO_FREE char *dir = full ? path_dir(full) : NULL;

	if (!top || !dir)
		return -ENOMEM;
	if (!real)
		return refuse_before(p, -errno, strerror(errno));
	if (!path_below(real, top) || !is_of_baseline(p, path_below(real, top)))
		return refuse_before(p, -ELOOP, "it is a link that leads out of the baseline");
	return config__load(&p->before, dir, &p->before_why);
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
			       !p->req->base && !p->req->config->main_branch,
			       p->origin.prefix && p->origin.prefix[0], &text);
	return err ? err : loosened_note(p->rec, text);
}

int prep_read_before(struct prep *p)
{
	AUTO_FREE char *path = NULL;

	if (p->req->one_side || p->req->twice ||
	    p->party[SIDE_BASELINE].source.kind == VERSION_PROGRAM)
		return 0;
	p->has_before = true;
	if (find_before(p, &path))
		return prep_no_memory(p);
	p->before_err =
		path ? load_before(p, path) : config__load(&p->before, NULL, &p->before_why);
	if (p->before_err == -ENOMEM)
		return prep_no_memory(p);
	return note_loosened(p) ? prep_no_memory(p) : 0;
}

bool prep_chose_baseline(const struct prep *p)
{
	return !p->req->base && !p->req->one_side && !p->req->twice &&
	       p->req->config->main_branch && p->party[SIDE_BASELINE].source.kind == VERSION_COMMIT;
}

int prep_check_opened(struct prep *p)
{
	/* who names his own judge, and whose paths were meant from another place */
	bool counts = p->has_before && !prep_chose_baseline(p) && !p->before_elsewhere;
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
