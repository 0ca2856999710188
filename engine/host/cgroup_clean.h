/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Names of the engine's trees, who owns them, and taking them down. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "../../report/cleanup.h"

/* joust.PID.START.NAMESPACE of this process. 0 or a negative errno. */
int cgroup_name(char *ret, size_t size) MUST_CHECK;

/* Whether `name` is such a name of our PID namespace whose process is gone. */
bool cgroup_name_is_dead(const char *name);

/*
 * Kills every process in group `name` of `parent_fd` and in the groups below, but for the caller, and
 * removes them. 0, or the errno that stands in the way. `name` is not followed out of parent_fd.
 */
int cgroup_take_down(int parent_fd, const char *name) MUST_CHECK;

/*
 * The same for every tree of a dead engine in the group `base`, but for one that holds `home`, the
 * caller's own group. Best effort: what stays is met by the next start.
 */
void cgroup_clean_dead(int base_fd, const char *base, const char *home);

/*
 * SIGKILL to all processes of the group itself, through cgroup.kill or one by one with forks
 * forbidden, again and again until it is empty or the deadline has passed. 0, -ETIMEDOUT, or why the
 * group cannot be read.
 */
int cgroup_kill_all(int dir_fd, unsigned long long deadline_ns) MUST_CHECK;

/* 1: some process lives in the group, 0: none, or a negative errno. Zombies do not count. */
int cgroup_populated(int dir_fd) MUST_CHECK;
