/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Commands: programs that know nothing of the watch, enrolled while they sleep before their exec, with
 * all that they start, and read when they have ended. Held against what the kernel counts of them.
 */
#include <stdint.h>
#include "bpf/watch.h"

#define COMMAND_ARGV0 "joust-proof-command"

struct command_outcome {
	/* since the command was enrolled */
	struct interference_reading record;
	uint64_t missed_cnt;
	struct watch_preemptor preemptor[WATCH_NAMES];
	size_t preemptors_cnt;
	uint64_t unknown_ns;
	/* by the kernel, since then: of the first process, as it is not waited for yet */
	uint64_t switches_cnt, turns_cnt;
	/* and of all that were waited for */
	uint64_t usage_switches_cnt;
};

struct command_proof {
	const char *name;
	void (*run)(void);     /* the command, after its exec */
	void (*compete)(void); /* a process on the same CPU; may be NULL */
	/* NULL, or what is wrong, in `why`. */
	const char *(*check)(const struct command_outcome *o, char why[static 256]);
};

extern const struct command_proof command_proofs[];
extern const size_t command_proofs_cnt;

/* 0 or a negative errno: something of the test itself failed. */
int command_run(struct watch *w, const struct command_proof *p, struct command_outcome *ret);

/* What main() of the command does: the proof of that name. */
_Noreturn void command_main(const char *name);
