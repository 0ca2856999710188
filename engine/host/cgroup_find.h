/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Where the engine's own groups lie: in one tree (v2), in one for each controller (v1), in both
 * (hybrid) or nowhere. Read from /proc/self/cgroup and /proc/self/mountinfo, which name the group as
 * seen from our namespace and the part of each hierarchy that is mounted here.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Both files as text; empty where they cannot be read. */
struct cgroup_texts {
	char groups[16384], mounts[65536];
};

/* Our group in the hierarchy of one controller. */
struct cgroup_place {
	int version;	    /* 0: nowhere, 1, 2 */
	char dir[PATH_MAX]; /* without `root` */
	size_t point_len;   /* the mount point is dir[0..point_len): nothing lies above it */
	bool writable;	    /* a child group may be made; false also on a read-only mount */
};

/* `root` is put before every path ("" for the real ones). */
void cgroup_texts__read(struct cgroup_texts *t, const char *root);

/* "v1", "v2", "hybrid" or "none". */
const char *cgroup_layout(const struct cgroup_texts *t);

/*
 * Finds `controller`: on v2 where our group there offers it, else on v1. "" is the v2 tree itself,
 * whatever it offers: it kills and counts processes without any controller.
 */
void cgroup_find(const struct cgroup_texts *t, const char *root, const char *controller,
		 struct cgroup_place *ret);

/* Whether `word` is one of the words of `list`, which `parting` parts. */
bool cgroup_lists(const char *list, size_t len, const char *word, char parting);
