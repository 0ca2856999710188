/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Private places of the cache: a new directory for each tree on its way, and built trees by key.
 * CACHE/work/XXXXXX is locked by its own descriptor, CACHE/trees/KEY by KEY.lock; KEY.ok, written
 * last, makes a tree valid. `joust clean` and other runs keep away from what is locked.
 */
#include <stdbool.h>
#include <sys/stat.h>
#include "../util/problem.h"
#include "../../report/cleanup.h"

#define TREE_KEY 41

/* A new, empty directory that nobody else can see. */
struct work {
	char *path;
	int fd; /* open and locked; -1 */
};
int work__new(struct work *ret, struct problem *why) MUST_CHECK;
/* Removes what is left of it. Accepts a zeroed one. */
void work__done(struct work *w);

/* One tree of the cache while this run uses it. */
struct slot {
	char *root;    /* .../trees/KEY */
	char *scratch; /* .../trees/KEY.env: home and temporary files of the build */
	char *marker;  /* .../trees/KEY.ok */
	char *lock;    /* .../trees/KEY.lock */
	int lock_fd;   /* -1 */
	bool mine;     /* locked exclusively and not published: goes away with this struct */
};

/*
 * Locks the tree of this key. *ret_valid: complete, under a shared lock. Else it is this run's to
 * fill, under an exclusive lock; what half-made tree was there is gone. -EINTR.
 */
int slot__open(struct slot *ret, const char key[static TREE_KEY], int interrupt_fd, bool *ret_valid,
	       struct problem *why) MUST_CHECK;
/*
 * Of a valid tree: true when no other run uses it, nor can until slot__share. That is due in
 * either case.
 */
bool slot__try_alone(struct slot *s) MUST_CHECK;
int slot__share(struct slot *s, struct problem *why) MUST_CHECK;
/* The tree is complete; `seal` is what a later run must find again. Leaves a shared lock. */
int slot__publish(struct slot *s, const char *seal, struct problem *why) MUST_CHECK;
/* The seal that the marker holds; "" when there is none. */
void slot_seal(const struct slot *s, char ret[static 128]);
/* A valid tree that is not what its seal says: from shared to exclusive, emptied. */
int slot__void(struct slot *s, struct problem *why) MUST_CHECK;
/* Unlocks; removes the tree when it was this run's to fill and was not published. */
void slot__done(struct slot *s);

/*
 * Removes the trees that were unused longest until `keep` are left, and what killed runs left
 * behind; what is in use stays.
 */
void slots_prune(size_t keep);
