/* SPDX-License-Identifier: BSD-2-Clause */
#include "precheck.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../project/source.h"

#define BELOW_MAX 3 /* places named; more say no more */

static bool is_glob(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

/* Only where every name is known beforehand can a filter be refused beforehand. */
static int precheck_filter(const struct discover_request *req, struct problem *why)
{
	for (size_t i = 0; i < req->config->benches_cnt; i++) {
		const char *name = req->config->benches[i].name;

		if (is_glob(name) || filter_takes(req->names, name))
			return 0;
	}
	return problem_set(why, EXIT_USAGE, -ENOENT,
			   "no benchmark matches --filter %s%s; `joust list` shows their names",
			   req->filter ? req->filter : ".",
			   req->exclude ? " (after --exclude)" : "");
}

static bool is_program(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Writes " (there is sub/joust.conf: start joust in that directory)" for those right below. */
static void list_below(FILE *out, const char *root)
{
	DIR *dir = opendir(root);
	size_t cnt = 0;

	for (const struct dirent *e = dir ? readdir(dir) : NULL; e && cnt < BELOW_MAX;
	     e = readdir(dir)) {
		AUTO_FREE char *file = NULL;

		if (e->d_name[0] == '.')
			continue;
		if (asprintf(&file, "%s/" CONFIG_FILE, e->d_name) < 0)
			file = NULL;
		if (file && !faccessat(dirfd(dir), file, F_OK, 0))
			fprintf(out, "%s%s", cnt++ ? ", " : " (there is ", file);
	}
	if (cnt)
		fputs(": start joust in that directory)", out);
	if (dir)
		(void)closedir(dir);
}

static int no_benchmarks(const struct discover_request *req, struct problem *why)
{
	AUTO_FREE char *below = NULL;
	size_t len = 0;
	FILE *f = req->config->path ? NULL : open_memstream(&below, &len);

	if (f)
		list_below(f, req->root);
	if (f && fclose(f)) {
		free(below);
		below = NULL;
	}
	if (!req->config->path)
		return problem_set(
			why, EXIT_USAGE, -ENOENT,
			"no benchmarks: there is no " CONFIG_FILE
			" in %s, nor above it in its repository%s. Write one with a "
			"[benchmark \"NAME\"] section, or give a command: joust --base REF "
			"-- ./program arguments",
			req->root, below ? below : "");
	return problem_set(why, EXIT_USAGE, -ENOENT,
			   "no benchmarks: add a [benchmark \"NAME\"] section to %s, or give a "
			   "command: joust --base REF -- ./program arguments",
			   req->config->path);
}

int discover_precheck(const struct discover_request *req, const char *base, const char *candidate,
		      struct problem *why)
{
	if (req->command_cnt || is_program(candidate) || is_program(base))
		return 0;
	if (source_never(base) || source_never(candidate))
		return 0; /* this will be said of it */
	if (!req->config->benches_cnt)
		return no_benchmarks(req, why);
	return precheck_filter(req, why);
}
