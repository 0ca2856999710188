/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What finding two versions (versions.c, versions_before.c, versions_chosen.c) and building their trees (versions_trees.c) share. */
#include "build.h"
#include "layouts.h"
#include "source.h"
#include "stage.h"
#include "versions.h"

/* One side on its way from a name to a built tree. */
struct party {
	enum side side;
	struct source source;
	struct staged staged;
	char key[TREE_KEY];
	char *key_text;	     /* what it is the hash of; owned */
	char hash[TREE_KEY]; /* of the manifest */
	struct build_result result;
	struct tree tree;
	struct layouts layouts;
};

struct prep {
	const struct versions_request *req;
	struct record *rec;
	struct problem *why;
	struct origin origin;
	char *state; /* where logs go */
	struct party party[SIDE_CNT];
	enum side first; /* the candidate alone with one_side */
	bool has_before; /* there is a baseline that may have a joust.conf, in these: */
	struct config before;
	bool before_elsewhere; /* than the candidate's lies */
	int before_err;	       /* it could not be read, as before_why says */
	struct problem before_why;
};

int prep_no_memory(struct prep *p);
/* Says `what` could not be done, unless it was interrupted; returns err. */
int prep_failed(struct prep *p, int err, const char *what);
void prep_progress(const struct prep *p, const char *doing, enum side side, const char *what);
bool prep_in_place(const struct prep *p, const struct party *a);

/* Both are copied: reads the baseline's joust.conf, and notes what the candidate's judges more loosely. */
int prep_read_before(struct prep *p) MUST_CHECK;
/* joust.conf in `dir`, "" being the top of a tree. Owned; NULL without memory. */
char *prep_conf_in(const char *dir);
/* Before the first build, which may be what is let out: opened.h, under --sandbox strict. */
int prep_check_opened(struct prep *p) MUST_CHECK;
void prep_forget_before(struct prep *p);

/* The candidate's own joust.conf chose the baseline, by its main-branch. */
bool prep_chose_baseline(const struct prep *p);
/*
 * After prep_read_before: a note where nothing but that line leads there; under --sandbox strict it is
 * refused where it leads to what only the candidate has.
 */
int prep_check_chosen(struct prep *p) MUST_CHECK;

/*
 * The party's tree: built, or of the cache, and indexed. A build that fails is no failure here:
 * a->result tells. 0 or what is in p->why.
 */
int prep_make_tree(struct prep *p, struct party *a) MUST_CHECK;
int prep_index_tree(struct prep *p, struct party *a) MUST_CHECK;
