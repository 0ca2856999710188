/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * One worker process of a function benchmark as the engine drives it: start, list, open a case,
 * windows, stop. Every end is a reason of the closed table; nothing that goes wrong is a number.
 */
#include <stdint.h>
#include "../host/child.h"
#include "../host/perf.h"
#include "../../report/record.h"
#include "link.h"

enum worker_result { WORKER_OK, WORKER_SKIPPED, WORKER_FAILED, WORKER_LOST, WORKER_INTERRUPTED };

struct worker {
	struct child child;
	struct link link;
	struct perf_group hw;
	uint64_t timeout_ns; /* for one answer */
	int interrupt_fd;
	double start_ns;    /* spawn to READY */
	enum reason reason; /* for FAILED and LOST */
	char *detail;	    /* owned; the skip's or failure's own words, a signal's name */
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
 * Opens case `name` and waits until its body has reached its loop; with `with_perf` a hardware
 * group is opened for it and handed over (its absence is not a failure).
 */
enum worker_result worker__open(struct worker *w, const char *name, bool with_perf) MUST_CHECK;

/* One window: n iterations in each of k slices. */
enum worker_result worker__window(struct worker *w, uint64_t n, uint32_t k,
				  struct frame_sample *ret) MUST_CHECK;

/* Ends the loop, takes the digest, waits for exit status 0. */
enum worker_result worker__stop(struct worker *w, struct frame_done *ret) MUST_CHECK;

/* Kills what still runs. Accepts a zeroed worker. */
void worker__done(struct worker *w);
