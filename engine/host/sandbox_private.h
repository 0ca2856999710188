/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The parts of the sandbox. Functions named sandbox_enter_* run in a child between fork and exec:
 * async-signal-safe, 0 or -1 with errno, and `*ret_layer` says which layer failed.
 */
#include <errno.h>
#include "sandbox.h"
#include "seccomp_filter.h"

#define SANDBOX_BINDS_MAX 96
#define SANDBOX_REFUSALS  64

/* A link of the root: NAME -> TARGET. */
struct sandbox_link {
	const char *at, *to;
};

struct sandbox {
	unsigned layers; /* bits of enum sandbox_layer: engaged */
	int missing[LAYER_CNT];
	bool log, network;
	int user_fd, net_fd; /* namespaces, held by their descriptors alone; -1 */
	int init_fd;	     /* the program of PID 1; -1 */
	struct seccomp_filter filter;
	size_t binds_cnt, table_cnt;
	struct sandbox_bind binds[SANDBOX_BINDS_MAX]; /* table, then configuration */
	size_t aliases_cnt;
	struct sandbox_link aliases[SANDBOX_BINDS_MAX]; /* other names of what is bound */
	char **owned;					/* strings of the configuration's binds */
	size_t owned_cnt;
	struct refusals {
		size_t cnt;
		struct sandbox_refusal
			call[SANDBOX_REFUSALS]; /* the last one stands for the rest */
	} refused;
};

/* `err` is of this moment, not of this host: no layer is missing for it. */
static inline bool sandbox_is_shortage(int err)
{
	return err == EMFILE || err == ENFILE || err == ENOMEM || err == EAGAIN;
}

static inline bool sandbox_layer_on(const struct sandbox *s, enum sandbox_layer layer)
{
	return s->layers & 1u << layer;
}

static inline void sandbox__miss(struct sandbox *s, enum sandbox_layer layer, int err)
{
	s->layers &= ~(1u << layer);
	s->missing[layer] = err;
}

/* Returns err. */
static inline int sandbox_fault__set(struct sandbox_fault *f, enum sandbox_fault_kind kind,
				     const char *word, int err)
{
	f->kind = kind;
	(void)snprintf(f->word, sizeof(f->word), "%s", word);
	return err;
}

/* sandbox_table.c: fills s->binds with what of the table this host has. 0 or -E2BIG. */
int sandbox_table__resolve(struct sandbox *s) MUST_CHECK;
/* Links of every root. NULL after the last. */
extern const struct sandbox_link sandbox_links[];
/* Empty directories and file systems of the root. */
struct sandbox_dir {
	const char *at, *tmpfs; /* options of a tmpfs; NULL: a plain directory */
};
extern const struct sandbox_dir sandbox_dirs[];

/* sandbox_opened.c: adds what the configuration opens. 0, or what sandbox__new returns. */
int sandbox_opened__add(struct sandbox *s, const struct sandbox_request *req,
			struct sandbox_fault *fault) MUST_CHECK;

/*
 * sandbox_trial.c: leaves the layers that this host permits, and the filter that goes with them. 0, or what
 * sandbox__new returns.
 */
int sandbox_trial__settle(struct sandbox *s, const struct sandbox_request *req,
			  struct sandbox_fault *fault) MUST_CHECK;

/* sandbox_namespaces.c */
int sandbox_namespaces__open(struct sandbox *s) MUST_CHECK;
int sandbox_enter_namespaces(const struct sandbox *s, enum sandbox_layer *ret_layer) MUST_CHECK;
/* Becomes PID 1. Returns only where that failed: errno. */
void sandbox_become_init(const struct sandbox *s);

/* sandbox_root.c: a descriptor (O_PATH) of what a bind is made from. */
int sandbox_open_source(const struct sandbox_bind *b) MUST_CHECK;
/* Also `extra`, the binds of one start. */
int sandbox_enter_root(const struct sandbox *s, const struct sandbox_bind *extra, size_t extra_cnt,
		       enum sandbox_layer *ret_layer) MUST_CHECK;

/* sandbox_rights.c: no capabilities, no_new_privs. */
int sandbox_drop_bounding(void) MUST_CHECK;
int sandbox_drop_capabilities(void) MUST_CHECK;

/* sandbox_landlock.c */
int sandbox_enter_landlock(const struct sandbox *s, const struct sandbox_bind *extra,
			   size_t extra_cnt) MUST_CHECK;

/*
 * sandbox_enter.c: in the child, before and after it has its descriptors and its directory. `locked`
 * leaves the filter installed; the listener's descriptor goes over `socket` (-1: not wanted).
 */
int sandbox_enter_locked(const struct sandbox *s, const struct sandbox_bind *extra,
			 size_t extra_cnt, int socket, enum sandbox_layer *ret_layer) MUST_CHECK;
