/* SPDX-License-Identifier: BSD-2-Clause */
#include "relink.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include "beneath.h"
#include "build.h"
#include "dirs.h"
#include "tree.h"

#define STAND_INS RELINK_DIR "/bin"

/*
 * Found on the PATH before the compilers: the same call, with each function in a section of its own,
 * and where it links, with the linker that can put the sections in an order of ours.
 */
static const char stand_in[] =
	"#!/bin/sh\n"
	"name=${0##*/}\n"
	"PATH=$" LAYOUT_PATH_ENV "\n"
	"export PATH\n"
	"shuffle=\"--shuffle-sections=.text*=$" LAYOUT_SEED_ENV "\"\n"
	"links=$#\n"
	"for word in \"$@\"; do\n"
	"	case $word in\n"
	"	-c | -S | -E | -M | -MM | -r | -Wl,-r | -fsyntax-only | -V | -dump* | -'###' | \\\n"
	"		--version | -print* | --print* | --help* | --target-help) links=0 ;;\n"
	"	-v) [ $# -gt 1 ] || links=0 ;;\n"
	"	esac\n"
	"done\n"
	"case $name in\n"
	"ld | ld.*)\n"
	"	[ \"$links\" = 0 ] || exec ld.lld \"$@\" \"$shuffle\"\n"
	"	exec \"$name\" \"$@\"\n"
	"	;;\n"
	"esac\n"
	"[ \"$links\" = 0 ] && exec \"$name\" -ffunction-sections \"$@\"\n"
	"exec \"$name\" -ffunction-sections \"$@\" -fuse-ld=lld \"-Wl,$shuffle\"\n";

/* What is stood in for, also with a version behind it: gcc-12, clang++-14. */
static const char *const compilers[] = {"cc",	   "c++", "gcc",     "g++",    "clang", "c99",
					"clang++", "ld",  "ld.gold", "ld.bfd", "c89"};

static bool is_compiler(const char *name)
{
	for (size_t i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++) {
		size_t n = strlen(compilers[i]);

		if (!strncmp(name, compilers[i], n) &&
		    (!name[n] || (name[n] == '-' && name[n + 1] &&
				  strspn(name + n + 1, "0123456789.") == strlen(name + n + 1))))
			return true;
	}
	return false;
}

static int stand_in_for(void *arg, const char *name)
{
	const int *dir = arg;
	int err =
		is_compiler(name) ? beneath_write(*dir, name, stand_in, strlen(stand_in), true) : 0;

	return err == -EEXIST ? 0 : err; /* in two directories of the PATH */
}

/* ROOT/NAME as a directory; owned path and descriptor. */
static int make_dir(const char *root, const char *name, char **ret_path, int *ret_fd)
{
	int err;

	if (asprintf(ret_path, "%s/%s", root, name) < 0) {
		*ret_path = NULL;
		return -ENOMEM;
	}
	err = dirs_make(*ret_path);
	if (err)
		return err;
	*ret_fd = open(*ret_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *ret_fd < 0 ? -errno : 0;
}

/* *ret_path: where a build finds them. */
static int write_stand_ins(const struct tree *t, char **ret_path)
{
	AUTO_FREE char *path = NULL;
	AUTO_FD int dir = -1;
	int err = make_dir(t->root, STAND_INS, &path, &dir);

	if (!err)
		err = build_each_tool(stand_in_for, &dir);
	return err ? err : tree_inside(t, path, ret_path);
}

static bool is_product(const struct relink_request *r, int root_fd, const struct tree_file *f)
{
	struct stat st;

	return strncmp(f->path, RELINK_DIR "/", strlen(RELINK_DIR "/")) != 0 &&
	       !fstatat(root_fd, f->path, &st, AT_SYMLINK_NOFOLLOW) &&
	       !manifest_untouched(r->manifest, f->path, &st);
}

/* Calls `each` for every program that the build made. */
static int for_products(const struct relink_request *r, int to_fd,
			int (*each)(int root_fd, int to_fd, const char *path))
{
	AUTO_FD int root_fd = open(r->tree->root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct tree t = {.root = strdup(r->tree->root), .lock_fd = -1};
	int err = root_fd < 0 ? -errno : t.root ? tree__index(&t, r->interrupt_fd) : -ENOMEM;

	for (size_t i = 0; !err && i < t.files_cnt; i++)
		if (is_product(r, root_fd, &t.files[i]))
			err = each(root_fd, to_fd, t.files[i].path);
	tree__done(&t);
	return err;
}

static int keep(int root_fd, int to_fd, const char *path)
{
	struct transfer transfer = {.interrupt_fd = -1};

	return beneath_copy_file(root_fd, to_fd, path, &transfer);
}

/* So that the build has to link it again. */
static int take_away(int root_fd, int to_fd, const char *path)
{
	(void)to_fd;
	return unlinkat(root_fd, path, 0) && errno != ENOENT ? -errno : 0;
}

static int run_build(const struct relink_request *r, const char *command, unsigned seed,
		     const char *stand_ins, char **ret_failure)
{
	const struct build_request request = {.command = command,
					      .tree = r->tree,
					      .sandbox = r->sandbox,
					      .limits = r->limits,
					      .scratch = r->scratch,
					      .log = r->log,
					      .names = r->names,
					      .layout_seed = seed,
					      .stand_ins = stand_ins,
					      .interrupt_fd = r->interrupt_fd};
	struct build_result result = {0};
	struct problem why = {0};
	int err = build__run(&request, &result, &why);

	if (!err && result.failed &&
	    asprintf(ret_failure, "the build failed (%s) when it was to link in another order; %s",
		     result.end, r->log) < 0) {
		*ret_failure = NULL;
		err = -ENOMEM;
	}
	build_result__done(&result);
	problem__done(&why);
	return err;
}

/* The build may have put anything in the place of RELINK_DIR. */
static int keep_all(const struct relink_request *r, unsigned seed)
{
	AUTO_FD int root = open(r->tree->root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	AUTO_FD int to = -1;
	char name[sizeof(RELINK_DIR) + 16];
	const char *any;

	if (root < 0)
		return -errno;
	(void)snprintf(name, sizeof(name), RELINK_DIR "/%u/any", seed); /* its directory is made */
	to = beneath_parent(root, name, true, &any);
	return to < 0 ? to : for_products(r, to, keep);
}

static int link_one(const struct relink_request *r, unsigned seed, const char *stand_ins,
		    char **ret_failure)
{
	int err = seed > 1 && !r->recipe ? for_products(r, -1, take_away) : 0;

	if (!err)
		err = run_build(r, r->recipe ? r->recipe : r->build, seed, stand_ins, ret_failure);
	return err || *ret_failure ? err : keep_all(r, seed);
}

int relink(const struct relink_request *r, size_t *ret_made, char **ret_failure)
{
	AUTO_FREE char *stand_ins = NULL;
	AUTO_FREE char *failure = NULL;
	AUTO_FREE char *path = NULL;
	AUTO_FD int dir = -1;
	size_t made = 0;
	int err = make_dir(r->tree->root, RELINK_DIR, &path, &dir);

	if (!err)
		err = r->recipe ? run_build(r, r->build, 0, NULL, &failure)
				: write_stand_ins(r->tree, &stand_ins);

	for (unsigned seed = 1; !err && !failure && seed <= r->cnt; seed++) {
		err = link_one(r, seed, stand_ins, &failure);
		if (!err && !failure)
			made++;
	}
	if (err)
		return err;
	*ret_made = made;
	*ret_failure = TAKE_PTR(failure);
	return 0;
}
