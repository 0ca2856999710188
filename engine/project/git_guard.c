/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../util/num.h"

/* Who may own a repository: this user, root, and the user behind sudo (as git has it). */
static bool owner_trusted(uid_t uid)
{
	const char *sudo = getenv("SUDO_UID");
	uint64_t behind;

	if (uid == geteuid() || uid == 0)
		return true;
	return !geteuid() && sudo && !num_u64(sudo, 0, UINT32_MAX, &behind) && behind == uid;
}

struct safe {
	const char *top;
	bool listed;
};

static int safe_entry(const git_config_entry *entry, void *payload)
{
	struct safe *s = payload;
	const char *v = entry->value ? entry->value : "";
	AUTO_FREE char *real = NULL;
	size_t len = strlen(v);

	if (entry->level > GIT_CONFIG_LEVEL_GLOBAL)
		return 0; /* a repository cannot vouch for itself */
	if (!v[0])
		s->listed = false; /* an empty value forgets what came before, as in git */
	else if (!strcmp(v, "*"))
		s->listed = true;
	else if (len > 2 && !strcmp(v + len - 2, "/*"))
		s->listed |= !strncmp(v, s->top, len - 1);
	else if ((real = realpath(v, NULL)))
		s->listed |= !strcmp(real, s->top);
	return 0;
}

static bool safe_listed(const char *top)
{
	CLEANUP(cleanup_git_config) git_config *config = NULL;
	struct safe s = {.top = top};

	if (git_config_open_default(&config))
		return false;
	if (git_config_get_multivar_foreach(config, "safe.directory", NULL, safe_entry, &s))
		return false;
	return s.listed;
}

/* The directory that git calls the repository's: what holds .git, else the bare repository. */
static char *top_of(const char *gitdir)
{
	char *real = realpath(gitdir, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (slash && slash != real && !strcmp(slash, "/.git"))
		*slash = '\0';
	return real;
}

static int guard_owner(const char *gitdir, struct problem *why)
{
	AUTO_FREE char *top = top_of(gitdir);
	struct stat st;

	if (!top || stat(gitdir, &st))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -errno, "%s: %s", gitdir,
				   strerror(errno));
	if (owner_trusted(st.st_uid) || safe_listed(top))
		return 0;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -EPERM,
			   "the repository %s belongs to another user (uid %u). If you trust it: "
			   "git config --global --add safe.directory %s",
			   top, (unsigned)st.st_uid, top);
}

/* gitdir; of a linked worktree, the main repository's. */
static int common_dir(const char *gitdir, char **ret)
{
	AUTO_FREE char *path = NULL;
	AUTO_FD int fd = -1;
	struct stat st;
	char common[PATH_MAX] = "";
	ssize_t n = 0;

	if (asprintf(&path, "%s/commondir", gitdir) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		n = read(fd, common, sizeof(common) - 1);
	common[n > 0 ? n : 0] = '\0';
	common[strcspn(common, "\n")] = '\0';
	if (asprintf(ret, "%s%s%s", common[0] == '/' ? "" : gitdir, common[0] ? "/" : "", common) <
	    0)
		return -ENOMEM;
	return 0;
}

static int guard_files(const char *gitdir, const char *common, struct problem *why)
{
	int err = git_refuse_special(gitdir, why);

	return err || !strcmp(gitdir, common) ? err : git_refuse_special(common, why);
}

struct format {
	bool sha256, partial;
};

static int format_entry(const git_config_entry *e, void *payload)
{
	struct format *f = payload;
	const char *dot = strrchr(e->name, '.');
	bool promisor = false;

	if (!strcmp(e->name, "extensions.objectformat"))
		f->sha256 |= e->value && strcasecmp(e->value, "sha1");
	else if (!strcmp(e->name, "extensions.partialclone"))
		f->partial = true;
	else if (!strncmp(e->name, "remote.", 7) && dot && !strcmp(dot, ".promisor"))
		f->partial |= !e->value || (!num_bool(e->value, &promisor) && promisor);
	return 0;
}

static int guard_format(const char *gitdir, const char *common, struct problem *why)
{
	CLEANUP(cleanup_git_config) git_config *config = NULL;
	AUTO_FREE char *path = NULL;
	struct format f = {0};

	if (asprintf(&path, "%s/config", common) < 0) {
		path = NULL;
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	}
	if (git_config_open_ondisk(&config, path) || git_config_foreach(config, format_entry, &f))
		return git_failed(why, EXIT_COULD_NOT_COMPARE, 0, "cannot read %s", path);
	if (f.sha256)
		return problem_set(
			why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
			"the repository %s uses the sha256 object format, which libgit2 cannot "
			"read. Check the baseline out yourself and pass --base DIR",
			gitdir);
	if (f.partial)
		return problem_set(
			why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
			"the repository %s is a partial clone: objects may be missing. Run git "
			"fetch --refetch in a full clone, or pass --base DIR",
			gitdir);
	return 0;
}

int git_guard(const char *gitdir, struct problem *why)
{
	AUTO_FREE char *common = NULL;
	int err = guard_owner(gitdir, why);

	if (err)
		return err;
	if (common_dir(gitdir, &common))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	err = guard_files(gitdir, common, why);
	return err ? err : guard_format(gitdir, common, why);
}
