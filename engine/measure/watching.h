/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The record of interference as a source uses it: the watch is opened once for a run, each side's
 * worker has a lane of its own, and who disturbed it goes into its block.
 */
#include <sys/resource.h>
#include "../../bpf/watch.h"
#include "../../report/record.h"
#include "../worker/worker.h"
#include "unwaited.h"

/* What a command had behind it right before its exec, told by itself. */
struct command_start {
	struct interference_reading seen;
	uint64_t switches_cnt; /* by getrusage */
	int err;	       /* 0: the two belong together */
};

struct watching {
	struct watch *watch;		    /* NULL: no BPF here */
	struct child_witness witness;	    /* of the command that is being measured */
	enum side side;			    /* its side */
	struct command_start *start;	    /* shared with it until its exec; NULL: never needed */
	uint64_t lost;			    /* events lost on this machine, as of the last look */
	double steal_ns, frequency_changes; /* of the block's CPU, when it began; NaN: not known */
};

/* What is recorded on this host, and why no more, goes into rec->host and is said once. */
void watching__open(struct watching *w, struct record *rec);
void watching__close(struct watching *w);

/* Fills what is to be handed to the worker of a side. */
void watching__hand(const struct watching *w, enum side side, struct worker_sources *ret);
/* Watches the worker of a side, which is parked. What fails is unknown interference, no more. */
void watching__enrol(const struct watching *w, enum side side, pid_t pid);
/* How many of its threads have ended since, or ENDS_UNKNOWN. */
uint64_t watching_ended_cnt(const struct watching *w, enum side side);

/*
 * Around the pairs of a block, or a command: events that were lost meanwhile, on the whole machine,
 * make unknown what was seen. Not around each window: the kernel is asked for every program in turn,
 * which costs as much as a short window does.
 */
void watching__before(struct watching *w);
bool watching__lost(const struct watching *w);

/* Around the pairs of a block: what its CPU went through meanwhile goes into it. */
void watching__cpu_before(struct watching *w, const struct rec_block *blk);
void watching__cpu_after(const struct watching *w, struct rec_block *blk);

/*
 * Watches the next command of a side, with all that it starts, from its exec on: for its child_spec.
 * NULL: there is nothing to watch with.
 */
const struct child_witness *watching__command(struct watching *w, enum side side);
/*
 * When it has ended, and was waited for: what was seen of it, and who disturbed it into the block. In
 * *ret no others are its own processes and the engine. *ret_ended_cnt: how many of its threads and
 * processes were seen to end, 0 where nobody looked. 0 or -ENOMEM.
 */
int watching__command_end(struct watching *w, const struct rusage *usage, uint64_t exit_ns,
			  struct rec_block *blk, struct frame_seen *ret,
			  uint64_t *ret_ended_cnt) MUST_CHECK;

/* After the warm-up: who disturbed that is nobody's concern. */
void watching__forget_preemptors(const struct watching *w);
/* At the end of a block, both workers parked. 0 or -ENOMEM. */
int watching__preemptors(const struct watching *w, struct rec_block *blk) MUST_CHECK;
