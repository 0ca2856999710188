/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * One worker process of a function benchmark as the engine drives it: start, list, open a case,
 * windows, stop. Every end is a reason of the closed table; nothing that goes wrong is a number.
 */
#include <stdint.h>
#include "../host/child.h"
#include "../host/peak.h"
#include "../host/perf_probe.h"
#include "../../report/record.h"
#include "link.h"

enum worker_result { WORKER_OK, WORKER_SKIPPED, WORKER_FAILED, WORKER_LOST, WORKER_INTERRUPTED };

/* What is to be counted in a worker. Zeroed: nothing but what the worker finds by itself. */
struct worker_sources {
	const struct perf_tiers *tiers; /* NULL: no hardware counter */
	bool several;			/* threads: whatever is born later is counted too */
	bool check;			/* the kernel's own count beside the worker's (w->sw) */
	const struct perf_event_spec *events; /* of the user's choice, 2 * PERF_GROUP_MAX at most */
	size_t events_cnt;
	bool has_lane;	/* a record of interference is written for this process ... */
	int lane_fd;	/* ... and is to be handed to it */
	bool schedstat; /* there is none: waiting is read from /proc */
	/* opened; read and set back around untimed sections. NULL: not asked for */
	struct peak *peak;
};

struct worker {
	struct child child;
	struct link link;
	struct perf_group group[PROTOCOL_GROUPS_MAX];	/* by enum frame_group_role */
	enum reason group_missing[PROTOCOL_GROUPS_MAX]; /* why a group could not be opened */
	struct perf_group sw;				/* the cross-check, never handed over */
	enum reason sw_missing;
	uint64_t timeout_ns; /* for one answer */
	int interrupt_fd;
	uint32_t inject_ppm; /* of every window to come; 0 after worker__start */
	double start_ns;     /* spawn to READY */
	enum reason reason;  /* for FAILED and LOST */
	int code;	     /* exit-status: the status; start-failed: an errno; 0: none */
	char *detail;	     /* owned; the skip's or failure's own words, a signal's name */
};

/*
 * Starts the process. The environment is spec->envp plus JOUST_WORKER_FD=3, set by the caller.
 * spec->protocol_fd is ignored (made here).
 */
enum worker_result worker__start(struct worker *w, const struct child_spec *spec,
				 uint64_t timeout_ns, int interrupt_fd) MUST_CHECK;

/* Calls `each` for every case of the program. */
enum worker_result worker__list(struct worker *w,
				int (*each)(void *arg, const struct frame_case *c),
				void *arg) MUST_CHECK;

/*
 * Opens case `name` and waits until its body has reached its loop. The counters of `sources` (NULL:
 * none) are opened for it first and handed over; what cannot be had is no failure, but has its
 * reason in the worker.
 */
enum worker_result worker__open(struct worker *w, const char *name,
				const struct worker_sources *sources) MUST_CHECK;

/* One window: n iterations in each of k slices. */
enum worker_result worker__window(struct worker *w, uint64_t n, uint32_t k,
				  struct frame_sample *ret) MUST_CHECK;

/* Ends the loop, takes the digest, waits for exit status 0. */
enum worker_result worker__stop(struct worker *w, struct frame_done *ret) MUST_CHECK;

/* Kills what still runs. Accepts a zeroed worker. */
void worker__done(struct worker *w);
