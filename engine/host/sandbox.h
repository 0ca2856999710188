/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The world that workers, commands and builds run in: namespaces of their own, a root made from a
 * table, no capabilities, Landlock and a seccomp filter. What costs much and may be shared (user and
 * network namespace, filter) is made once; the rest is fresh for every process, so that nothing
 * passes from one block to the next.
 *
 * It holds against programs that misbehave and against a hostile change; it is no defence against a
 * hole of the kernel itself.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include "../../report/cleanup.h"

enum sandbox_level { SANDBOX_STANDARD, SANDBOX_STRICT, SANDBOX_NONE };

enum sandbox_layer {
	LAYER_USER,	/* user namespace: uid 0 inside has no power outside */
	LAYER_ROOT,	/* mount namespace, root from the table, the tree at the project's path */
	LAYER_PID,	/* PID namespace with an init of ours: nothing outlives it */
	LAYER_IPC,	/* System V and POSIX queues of its own */
	LAYER_UTS,	/* host name: the same everywhere */
	LAYER_NET,	/* network namespace without an interface that is up */
	LAYER_LANDLOCK, /* files and sockets once more */
	LAYER_SECCOMP,	/* system calls */
	LAYER_NOTIFY,	/* the engine answers refused calls, so they are known and counted */
	LAYER_CNT
};

enum sandbox_bind_flags {
	BIND_WRITE = 1,	    /* else read-only */
	BIND_DEVICE = 2,    /* device nodes work */
	BIND_OPTIONAL = 4,  /* not there at the start: left out */
	BIND_FILE = 8,	    /* `to` is a file, made when missing */
	BIND_NO_LINKS = 16, /* `from` passes through no symbolic link, else -ELOOP */
};

/* A file or directory of the host and where it appears. Both absolute. */
struct sandbox_bind {
	const char *from, *to;
	unsigned flags;
};

struct sandbox_request {
	enum sandbox_level level;
	const char *const *read, *const *write; /* absolute paths, NULL-terminated; may be NULL */
	/*
	 * Directories in which versions, their builds or their runs may have put links, beside those of
	 * `write`: likewise.
	 */
	const char *const *others;
	const char *const *allow; /* names of system calls, likewise */
	bool network;		  /* the host's network stays */
	bool log;		  /* refuse no system call, only count */
};

struct sandbox;

/* What of a request cannot be. */
struct sandbox_fault {
	enum sandbox_fault_kind {
		FAULT_OF_NONE, /* the request is not to blame */
		FAULT_OF_CALL, /* `allow` has an unknown name */
		FAULT_OF_LINK, /* a path leads through a link that others may have put there */
		FAULT_OF_PATH, /* a path cannot be opened */
		FAULT_OF_ROOT, /* a path leads to / */
	} kind;
	char word[PATH_MAX]; /* the name or the path */
};

/*
 * Finds by trial which layers this host permits. Always succeeds with fewer layers rather than
 * failing, but for -ENOMEM, -EMFILE and the like, and for a request that is at fault: then *ret_fault says
 * how. A path that is not there is none. SANDBOX_NONE gives NULL.
 */
int sandbox__new(struct sandbox **ret, const struct sandbox_request *req,
		 struct sandbox_fault *ret_fault) MUST_CHECK;
void sandbox__free(struct sandbox *s); /* accepts NULL */

/* False for a NULL sandbox. */
bool sandbox_has(const struct sandbox *s, enum sandbox_layer layer);
/* True when the root of the sandbox has `path` already; without a root of its own: always. */
bool sandbox_shows(const struct sandbox *s, const char *path);
/* True when a directory may be bound at `path` without hiding what the root is made of. */
bool sandbox_can_show(const struct sandbox *s, const char *path);
/* Why a layer is missing: errno; 0 when it is engaged or was not asked for. */
int sandbox_missing(const struct sandbox *s, enum sandbox_layer layer);
/* That errno in words; NULL for 0. */
const char *sandbox_missing_str(int err);

const char *sandbox_level_name(enum sandbox_level level);
const char *sandbox_layer_name(enum sandbox_layer layer);
/* What to do about a missing layer, a sentence. */
const char *sandbox_layer_remedy(enum sandbox_layer layer);
/*
 * Writes "user (Operation not permitted), net (...)", all that is missing, to f. The remedy of the
 * first, which often is that of the others; NULL: nothing is missing.
 */
const char *sandbox_list_missing(const struct sandbox *s, FILE *f);

/* "mount": owned; NULL: unknown here. */
char *sandbox_call_name(int number);
/* System calls that were refused so far (or seen, with `log`), in order of first refusal. */
struct sandbox_refusal {
	int number;
	uint64_t cnt;
};
/* Answers the calls that wait at a child's listener; their number, or a negative errno at its end. */
int sandbox__serve(struct sandbox *s, int listener) MUST_CHECK;
size_t sandbox_refusals(const struct sandbox *s, const struct sandbox_refusal **ret);
