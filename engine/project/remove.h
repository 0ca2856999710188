/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Removing trees that a build may have filled with anything: fd-relative, no symlink followed. */
#include <stdbool.h>
#include <stddef.h>
#include "../../report/cleanup.h"

struct removal {
	bool keep_locked;	  /* leave trees/KEY*, work/X whose lock someone holds */
	size_t kept;		  /* trees left for that */
	unsigned long long bytes; /* freed */
};

/* 0 also when it is not there. What is on another file system stays: -EXDEV. */
int remove_path(const char *path, struct removal *r) MUST_CHECK;
int remove_at(int dir, const char *name, struct removal *r) MUST_CHECK;
/* For what `joust clean` takes away later if it cannot go now. */
void remove_quietly(const char *path);
