/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What is read once before and once after a window: getrusage, the perf groups and the record of
 * interference that the engine handed in, the run-queue wait of /proc where there is no record.
 * Nothing here allocates once a source is set up.
 */
#include <stdbool.h>
#include <stdint.h>
#include "../protocol.h"
#include "../userread.h"
#include "../../../bpf/interference_read.h"
#include "peak.h"

#pragma GCC visibility push(hidden)

struct joust_group {
	uint32_t values; /* 0: none */
	int fd;		 /* of the leader */
	bool user_read;
	struct joust_userread counter[PROTOCOL_VALUES_MAX];
};

/* Where numbers come from. Zeroed with fds -1 by joust_sources__init: getrusage alone. */
struct joust_sources {
	struct joust_group group[PROTOCOL_GROUPS_MAX];
	const struct interference_lane *lane; /* NULL: none */
	int schedstat_fd;		      /* -1: none */
	struct joust_peak peak;
	bool several; /* threads: one thread's waiting says nothing of the others */
	/* Switches that the record had more than getrusage after the last window, if there was one
	 * of this generation (0: none). */
	uint32_t last_generation;
	uint64_t last_ahead;
};

struct joust_counters {
	uint64_t minor_faults, major_faults, voluntary, involuntary;
	uint64_t children_ns; /* CPU time of the processes it has waited for so far */
	bool waiting_valid, seen_valid;
	uint64_t waiting_ns;
	struct interference_reading seen;
	struct frame_reading group[PROTOCOL_GROUPS_MAX];
};

void joust_sources__init(struct joust_sources *s, bool several);
/*
 * Takes what came with OPEN: `fds` become this module's. 0, or -1 when their number is not what the
 * frame announces. A descriptor that cannot be used leaves its numbers invalid, no more.
 */
int joust_sources__take(struct joust_sources *s, const struct frame_open *o, const int *fds,
			size_t fds_cnt) __attribute__((warn_unused_result));

/* Before a window, and (in the opposite order, so that the same lies between) after it. */
void joust_counters_before(const struct joust_sources *s, struct joust_counters *ret);
void joust_counters_after(const struct joust_sources *s, struct joust_counters *ret);

/* The differences, into the sample. What was lost between the last window and this is remembered. */
void joust_counters_fill(struct joust_sources *s, const struct joust_counters *from,
			 const struct joust_counters *to, struct frame_sample *ret);

#pragma GCC visibility pop
