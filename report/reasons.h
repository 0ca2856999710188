/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdbool.h>
/*
 * The one closed table of reasons: for `undecided`, lost blocks, missing metrics, errors and
 * skipped benchmarks. Each says where it can stand, the sentence shown and the remedy.
 */
enum reason {
	REASON_NONE,
	/* undecided */
	REASON_NEAR_LIMIT, /* N blocks, neither above nor below the limit */
	REASON_SUSPECTED,  /* slower in stage 1, a confirmation could not tell */
	REASON_TOO_MANY_LOST,
	REASON_INTERRUPTED,
	REASON_OUT_OF_TIME,	  /* --max-time */
	REASON_NOT_MEASURED,	  /* no judged metric had a value */
	REASON_ORDER_EFFECT,	  /* the second of a pair is slower by more than the limit */
	REASON_WARMING,		  /* the samples of a process keep moving in one direction */
	REASON_LAYOUT,		  /* slower in some link layouts only */
	REASON_IMPRECISE,	  /* the interval stayed wider than the precision asked for */
	REASON_NOT_PROVEN,	  /* --prove-same: not slower, but not shown to be equal */
	REASON_SENSITIVE,	  /* the gate's judge and the one that knows no gate differ */
	REASON_NOT_FOLLOWED,	  /* `cpu_total` where `cpu` was on its way to a regression */
	REASON_REJECTED_UNEVENLY, /* the gate rejected one side more often than the other */
	/* lost blocks */
	REASON_KILLED_BY_SYSTEM, /* SIGKILL that joust did not send */
	REASON_SUSPENDED,	 /* the host slept: BOOTTIME minus MONOTONIC moved */
	REASON_CPU_GONE,
	REASON_GATED,
	REASON_CGROUP_LOST, /* somebody removed the group of a worker */
	/* rejected pairs */
	REASON_SLOW_CANARY,
	REASON_WAITED,
	REASON_SWITCHED,
	/* errors of a benchmark: exit 3 */
	REASON_EXIT_STATUS,
	REASON_SIGNAL,
	REASON_TIMEOUT,
	REASON_PROTOCOL_ERROR,
	REASON_WORKER_CLOSED, /* the worker closed its socket and lived on */
	REASON_MEMORY_LIMIT,  /* of its own group: [limits] memory */
	REASON_PIDS_LIMIT,    /* [limits] pids */
	REASON_LEFT_PROCESSES,
	REASON_START_FAILED,  /* fork, exec or pinning failed */
	REASON_FOREIGN_BUILD, /* a mapping of one side comes from the other side's tree */
	REASON_NOT_OWN_BUILD, /* a library of the tree was loaded from elsewhere */
	REASON_BUILD_CHANGED, /* a program is not what the build made any more */
	REASON_BUILD_UNSEEN,  /* the mappings, or a file behind them, cannot be read */
	REASON_DIGEST_DIFFERS,
	REASON_NO_LOOP,		 /* the body returned without JOUST_LOOP */
	REASON_BENCHMARK_FAILED, /* the body said so (joust_fail) */
	REASON_BAD_SAMPLE,	 /* zero or impossible values */
	REASON_TOO_FAST,	 /* n would have to exceed its bound: the work was optimized away */
	/* missing metrics */
	REASON_NO_PMU,
	REASON_PERF_FORBIDDEN, /* perf_event_paranoid, missing capability */
	REASON_PERF_BUSY,
	REASON_PERF_FILES, /* EMFILE */
	REASON_PERF_FEW,   /* not even one counter is free: a pinned group could not be placed */
	REASON_NMI_WATCHDOG,
	REASON_HYBRID_CORES,
	REASON_NOT_DUMPABLE,
	REASON_NO_EVENT, /* the PMU is there, this event is not */
	REASON_MULTIPLEXED,
	REASON_COUNTER_MISMATCH,
	REASON_NOT_FOR_COMMANDS,
	REASON_ONE_SLICE,	   /* cpu_total exists only where k > 1 */
	REASON_THREADS_UNSEEN,	   /* threads came or went, and others were running at the ends */
	REASON_UNDECLARED_THREADS, /* or children, which no clock of the process has */
	REASON_UNWAITED_PROCESSES, /* of a command: wait4 knows nothing of them */
	REASON_NO_BPF,
	REASON_EVENTS_LOST, /* interference is unknown, not none */
	REASON_NO_CGROUP,   /* peak memory needs a group with the memory controller, or VmHWM */
	REASON_PEAK_HIDDEN, /* by the engine's own memory, which a child begins with */
	/* noted */
	REASON_OUTPUT_TRUNCATED, /* a program said more than is kept */
	/* skipped */
	REASON_NEW,	/* the baseline lacks it */
	REASON_REMOVED, /* the candidate lacks it */
	REASON_SKIPPED, /* the benchmark skipped itself */
	REASON_CNT
};

enum reason_place {
	PLACE_UNDECIDED = 1,
	PLACE_LOST = 2,
	PLACE_ERROR = 4,
	PLACE_MISSING = 8,
	PLACE_SKIPPED = 16,
	PLACE_NOTED = 32, /* said once, without any consequence */
	PLACE_REJECTED = 64,
};

struct reason_row {
	const char *name;     /* in the JSON: "near-limit", "killed-by-system", ... */
	const char *sentence; /* shown to a person */
	const char *remedy;   /* what to do; NULL when there is nothing to do */
	unsigned places;
	const char *fixed_remedy; /* where no option gives more blocks; NULL: it is the same */
};

/* The row of `why`; REASON_NONE has an empty sentence. Never NULL. */
const struct reason_row *reason_get(enum reason why);

/*
 * What to do about it, or NULL. `fixed`: no option gives the benchmark more blocks, as with sizes and by
 * the rule of duel, so that none is advised.
 */
const char *reason_remedy(enum reason why, bool fixed);
