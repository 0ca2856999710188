/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The two versions: found (git, directory or program), checked out or copied into private trees at
 * paths of equal length, built from clean in the same environment, and indexed so that a mapping
 * can be told to be its own. Trees are cached by content, build command, environment, compiler and
 * joust version; a complete tree is never changed.
 */
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>
#include "../util/problem.h"
#include "../../report/record.h"
#include "config.h"
#include "../host/cgroup.h"
#include "../host/sandbox.h"
#include "work.h"

/* An ELF file of a built tree. */
struct tree_file {
	dev_t dev;
	ino_t ino;
	char *path;	   /* relative to the tree */
	char build_id[41]; /* hex, "" when it has none */
	bool committed;	   /* it came with the sources, and the build left it as it was */
};

struct tree {
	char *root;    /* absolute: top of the checkout */
	char *twin;    /* absolute: the tree that other links of it were made in; NULL */
	char *project; /* absolute: the project's directory in it (root, or a subdirectory) */
	char *program; /* for --base PROGRAM: this run's copy of it, in `work`; else NULL */
	struct work work;
	char *home;  /* absolute: the directory of the user that `root` stands for; NULL: none */
	char *place; /* where builds and workers see `root`, the same for both; NULL: as it is */
	size_t files_cnt;
	struct tree_file *files; /* ELF files after the build, sorted by (dev, ino) */
	int lock_fd;		 /* shared lock that keeps `joust clean` and builders away; -1 */
	bool alone;		 /* while it is indexed: no other run uses it */
};

/*
 * Other links of a tree's programs: the same objects, their functions in another order. Number 0 is
 * the tree itself.
 */
struct layouts {
	size_t cnt; /* 1: none but the tree itself */
	char *root; /* holds NUMBER/PATH for 1 <= NUMBER < cnt; NULL */
	char *why;  /* why there are no others; NULL */
	size_t shift; /* number i is then that many further on, from 1 around, and the tree's own none */
	int lock_fd; /* shared lock of the tree that they were made in; -1 */
};

struct versions {
	struct tree tree[SIDE_CNT];
	struct layouts layouts[SIDE_CNT];
	/* the baseline's joust.conf; without a path: it has none that can be read */
	struct config before;
	bool rebuilt; /* `twice`: the two trees are two builds of the same sources */
	bool nothing; /* nothing changed under `watch`: nothing to compare; message in the record */
};

struct versions_request {
	const char *cwd;       /* the project: where joust was started, or its nearest joust.conf */
	const char *base;      /* --base, NULL: the merge base with the main branch */
	const char *candidate; /* --candidate, NULL: the working tree */
	bool force, in_place;
	bool strict;   /* joust.conf may open nothing in the sandbox that the baseline's does not */
	bool one_side; /* run, list: the candidate alone; both trees are the same */
	bool twice;    /* aa: the candidate is the baseline too, built a second time */
	const struct config *config;
	const char *build;	 /* command, NULL: no build */
	struct sandbox *sandbox; /* for builds; NULL: none */
	struct cgroup *cgroup;	 /* likewise */
	const char *world;	 /* text: what of it makes another build; NULL: nothing */
	size_t layouts;		 /* links of each side, the build's own among them; at least 1 */
	int interrupt_fd;	 /* readable once the user interrupts; -1 */
	int progress_fd;	 /* for "building ..." lines; -1: silent */
};

/*
 * Fills rec->version, rec->build and notes (paths of unequal length, filters applied, ...).
 * -EINTR: interrupted; nothing half-made is left. Other failures are in `why`: EXIT_USAGE for a
 * name that means nothing, EXIT_COULD_NOT_COMPARE for refusals (LFS, submodules, sha256, partial
 * clone, shallow or unrelated history with `fetch-depth: 0`, tree bombs) and failed builds. Baseline
 * and candidate build failures are different sentences, with the last 50 lines in why->detail and
 * the path of the log in the record.
 */
int versions__prepare(struct versions *ret, const struct versions_request *req, struct record *rec,
		      struct problem *why) MUST_CHECK;
/* Accepts a zeroed one. */
void versions__done(struct versions *v);

/* A path of the tree as a worker sees it, and back; any other path stays. Owned. */
int tree_inside(const struct tree *t, const char *path, char **ret) MUST_CHECK;
int tree_outside(const struct tree *t, const char *path, char **ret) MUST_CHECK;

/*
 * The file that link `number` made of the tree's program at `program` (an absolute path below the
 * tree's root). NULL when it made none, or memory is out. Owned.
 */
char *layouts_program(const struct layouts *l, size_t number, const struct tree *t,
		      const char *program);

/*
 * The project's root for `cwd`: the nearest directory at or above it that has joust.conf, not above
 * the top of its repository; else `cwd` itself. Owned.
 */
int project_root(const char *cwd, char **ret, struct problem *why) MUST_CHECK;
/* The top of the repository that holds `path`, absolute and resolved, as a length of it; 0: none. */
size_t project_repository(const char *path);
/* Likewise of its superproject, where it is a submodule. A repository around another is not meant. */
size_t project_outermost(const char *path);

/*
 * The build command to use: the configured one; else `make -s -j<cpus>` when the project has a
 * Makefile; else NULL. Owned; *ret_guessed says that it was not configured.
 */
int project_build(const struct config *c, const char *root, char **ret,
		  bool *ret_guessed) MUST_CHECK;

/* What identity_check has to say beside its reason. */
struct identity {
	char *detail; /* owned: the file, or what could not be read; NULL */
	bool by_path; /* map_files may not be followed: files were found through their paths */
};

/*
 * Own-build check of a live, parked process: every executable mapping (device, inode through
 * /proc/PID/map_files, else through the path) must be in `own`, with the build id that it had when it
 * was indexed, or in neither tree, and no mapping from neither may stand in for a library of `own` of
 * the same name. `slot` is the copy of a program of `own` that runs; NULL: none. REASON_NONE, also for
 * a process that has ended, REASON_FOREIGN_BUILD, REASON_NOT_OWN_BUILD, REASON_BUILD_CHANGED, or
 * REASON_BUILD_UNSEEN where something could not be read.
 */
enum reason identity_check(pid_t pid, const struct tree *own, const struct tree *other,
			   const struct stat *slot, struct identity *ret) MUST_CHECK;

/*
 * The same for a command, which cannot be stopped to be looked at: `listing` is what its dynamic
 * loader prints under LD_TRACE_LOADED_OBJECTS. Libraries that it opens by itself later stay unseen.
 */
enum reason identity_check_listing(const char *listing, size_t len, const struct tree *own,
				   const struct tree *other, char **ret_detail) MUST_CHECK;

/* True when the ELF file carries the note of joust.h: a worker program. */
bool elf_is_worker(const char *path);
/* True when the ELF file has a program interpreter: a dynamic loader runs before it. */
bool elf_is_dynamic(const char *path);
/* Hex build id, or "" ; 0 or a negative errno (-ENOEXEC: not ELF). Hostile files are refused. */
int elf_build_id(const char *path, char ret[static 41]) MUST_CHECK;
