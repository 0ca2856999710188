/* SPDX-License-Identifier: BSD-2-Clause */
#include "versions.h"
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>

/* DIR/NAME: exists, and (with `mine`) belongs to this user. No allocation: its failure would say no. */
static bool has(const char *dir, const char *name, bool mine)
{
	char path[PATH_MAX];
	struct stat st;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return false; /* nor could it be opened */
	return !stat(path, &st) && (!mine || st.st_uid == geteuid());
}

size_t project_repository(const char *path)
{
	char dir[PATH_MAX];
	size_t n = (size_t)snprintf(dir, sizeof(dir), "%s", path);

	for (n = n < sizeof(dir) ? n : 0; n > 1;) {
		dir[n] = '\0';
		if (has(dir, ".git", false))
			return n;
		n = (size_t)(strrchr(dir, '/') - dir);
	}
	return 0;
}

/* Of a submodule the repository is a file that names its place within the superproject's. */
static bool is_submodule(const char *top)
{
	char path[PATH_MAX];
	struct stat st;

	return (size_t)snprintf(path, sizeof(path), "%s/.git", top) < sizeof(path) &&
	       !stat(path, &st) && S_ISREG(st.st_mode);
}

size_t project_outermost(const char *path)
{
	char dir[PATH_MAX];
	size_t top = project_repository(path), n;

	for (n = top; n; n = project_repository(dir)) {
		top = n;
		(void)snprintf(dir, sizeof(dir), "%.*s", (int)n, path);
		if (!is_submodule(dir))
			break;
		*strrchr(dir, '/') = '\0';
	}
	return top;
}

int project_root(const char *cwd, char **ret, struct problem *why)
{
	AUTO_FREE char *real = realpath(cwd, NULL);
	AUTO_FREE char *dir = NULL;
	size_t top, n;

	if (!real)
		return problem_set(why, problem_exit_of_path(errno), -errno, "%s: %s", cwd,
				   strerror(errno));
	dir = strdup(real);
	if (!dir)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	top = project_repository(real);
	for (n = strlen(dir); n > 1 && n >= top; n = (size_t)(strrchr(dir, '/') - dir)) {
		dir[n] = '\0';
		/* Outside of a repository a stranger's file further up (in /tmp, say) must not decide
		 * what is built. */
		if (has(dir, CONFIG_FILE, !top && strcmp(dir, real))) {
			*ret = TAKE_PTR(dir);
			return 0;
		}
	}
	*ret = TAKE_PTR(real);
	return 0;
}

int project_build(const struct config *c, const char *root, char **ret, bool *ret_guessed)
{
	static const char *const makefiles[] = {"GNUmakefile", "makefile", "Makefile"};
	char *command = NULL;
	bool guessed = false;
	cpu_set_t cpus;

	if (c->build) {
		command = strdup(c->build);
		if (!command)
			return -ENOMEM;
	}
	for (size_t i = 0; !command && i < 3; i++) {
		if (!has(root, makefiles[i], false))
			continue;
		guessed = true;
		if (sched_getaffinity(0, sizeof(cpus), &cpus))
			CPU_ZERO(&cpus);
		if (asprintf(&command, "make -s -j%d", CPU_COUNT(&cpus) ? CPU_COUNT(&cpus) : 1) < 0)
			return -ENOMEM;
	}
	*ret = command;
	*ret_guessed = guessed;
	return 0;
}
