/* SPDX-License-Identifier: BSD-2-Clause */
#include "reasons.h"
#include <stddef.h>

/*
 * Sentences are fragments: they stand behind a name or a colon and before a semicolon, so they
 * begin in lower case and end without a full stop. Remedies are whole sentences.
 */
static const struct reason_row reasons[] = {
	[REASON_NONE] = {"none", "", NULL, 0, NULL},

	[REASON_NEAR_LIMIT] =
		{"near-limit", "too near the limit",
		 "Measure more with --max-blocks or on a quieter host, or set another "
		 "--limit.",
		 PLACE_UNDECIDED, "Measure on a quieter host, or set another --limit."},
	[REASON_SUSPECTED] = {"suspected",
			      "suspected: slower in stage 1, a confirmation could not tell",
			      "Measure more with --max-blocks, on a quieter host if there is one.",
			      PLACE_UNDECIDED, "Measure again, on a quieter host if there is one."},
	[REASON_TOO_MANY_LOST] = {"too-many-lost", "the host spoiled too many blocks",
				  "Find out what disturbs the host, then measure again.",
				  PLACE_UNDECIDED, NULL},
	[REASON_INTERRUPTED] = {"interrupted", "the run was interrupted before it was settled",
				"Run joust again and let it finish.", PLACE_UNDECIDED, NULL},
	[REASON_OUT_OF_TIME] = {"out-of-time", "--max-time was over before it was settled",
				"Give more time with --max-time, or pick fewer benchmarks with "
				"--filter.",
				PLACE_UNDECIDED, NULL},
	[REASON_NOT_MEASURED] = {"not-measured", "no judged metric could be measured",
				 "Run with -v to see why each metric is missing.",
				 PLACE_UNDECIDED | PLACE_MISSING, NULL},

	[REASON_ORDER_EFFECT] = {"order-effect",
				 "whichever side is measured second differs by more than the limit",
				 "Let each iteration leave caches and memory as it found them.",
				 PLACE_UNDECIDED, NULL},
	[REASON_WARMING] = {"warming", "its samples keep moving in one direction",
			    "Warm up for longer with --warmup, and look for state that grows.",
			    PLACE_UNDECIDED, NULL},
	[REASON_LAYOUT] = {"layout", "slower only where the linker happened to place the code",
			   "Sample more link layouts with --layouts.", PLACE_UNDECIDED, NULL},

	[REASON_IMPRECISE] = {"imprecise", "its interval stayed wider than the precision asked for",
			      "Measure more with --max-blocks, or ask for less precision.",
			      PLACE_UNDECIDED, NULL},
	[REASON_NOT_PROVEN] = {"not-proven", "not slower, but equality could not be shown",
			       "Measure more with --max-blocks, or let --prove-same be wider.",
			       PLACE_UNDECIDED, NULL},
	[REASON_SENSITIVE] = {"sensitive", "slower or not depends on which pairs the gate rejected",
			      "Measure on a quieter host, or switch the gate off.", PLACE_UNDECIDED,
			      NULL},
	[REASON_NOT_FOLLOWED] =
		{"not-followed", "not followed any further: cpu had shown slower in this stage",
		 "Where cpu was confirmed nothing has to be done; else measure again.",
		 PLACE_UNDECIDED, NULL},
	[REASON_REJECTED_UNEVENLY] =
		{"rejected-unevenly", "the gate rejected one side more often than the other",
		 "Switch the gate off: it looks at what the sides themselves do.", PLACE_UNDECIDED,
		 NULL},

	[REASON_KILLED_BY_SYSTEM] = {"killed-by-system",
				     "killed by the system, for lack of memory most likely",
				     "Free some memory, or see the kernel log for what killed it.",
				     PLACE_LOST | PLACE_ERROR, NULL},
	[REASON_SUSPENDED] = {"suspended", "the host slept in the middle of it",
			      "Keep the host awake while it measures.", PLACE_LOST, NULL},
	[REASON_CPU_GONE] = {"cpu-gone", "the CPU that was measured on went away",
			     "Do not take CPUs offline while joust measures.",
			     PLACE_LOST | PLACE_ERROR, NULL},
	[REASON_GATED] = {"gated", "the gate kept no pair of the block",
			  "Measure on a quieter host, or switch the gate off.", PLACE_LOST, NULL},
	[REASON_CGROUP_LOST] = {"cgroup-lost", "its control group was removed by somebody else",
				"Let nothing else manage the groups called joust.*.",
				PLACE_LOST | PLACE_ERROR, NULL},

	[REASON_SLOW_CANARY] = {"slow-canary", "the host was slow beside it", NULL, PLACE_REJECTED,
				NULL},
	[REASON_WAITED] = {"waited", "it waited for its CPU", NULL, PLACE_REJECTED, NULL},
	[REASON_SWITCHED] = {"switched", "it was taken off its CPU", NULL, PLACE_REJECTED, NULL},

	[REASON_EXIT_STATUS] = {"exit-status", "the program failed",
				"Run the benchmark by hand in that version and mend it.",
				PLACE_ERROR, NULL},
	[REASON_SIGNAL] = {"signal", "the program died by a signal",
			   "Run the benchmark by hand in that version, in a debugger.", PLACE_ERROR,
			   NULL},
	[REASON_TIMEOUT] = {"timeout", "the program did not answer in time",
			    "Give it longer with --timeout, or mend what hangs.", PLACE_ERROR,
			    NULL},
	[REASON_PROTOCOL_ERROR] = {"protocol-error",
				   "the worker did not speak joust's protocol correctly",
				   "Build both versions with the libjoust of this joust; does the "
				   "benchmark write to descriptors that it did not open?",
				   PLACE_ERROR, NULL},
	[REASON_WORKER_CLOSED] = {"worker-closed", "the worker closed its socket and lived on",
				  "The benchmark must not close descriptors that it did not open.",
				  PLACE_ERROR, NULL},
	[REASON_MEMORY_LIMIT] = {"memory-limit", "it needed more memory than its limit",
				 "Raise memory in the [limits] of joust.conf, or mend the leak.",
				 PLACE_ERROR, NULL},
	[REASON_PIDS_LIMIT] = {"pids-limit", "it started more processes and threads than its limit",
			       "Raise pids in the [limits] of joust.conf, or mend what forks.",
			       PLACE_ERROR, NULL},
	[REASON_LEFT_PROCESSES] = {"left-processes", "the program left processes behind",
				   "Let the benchmark wait for every process that it starts.",
				   PLACE_ERROR, NULL},
	[REASON_START_FAILED] = {"start-failed", "the program could not be started",
				 "See whether the build made it, and whether it may be executed.",
				 PLACE_ERROR, NULL},
	[REASON_FOREIGN_BUILD] = {"foreign-build", "it loaded code from the other version's tree",
				  "Remove absolute paths (rpath, LD_LIBRARY_PATH) from the build.",
				  PLACE_ERROR, NULL},
	[REASON_NOT_OWN_BUILD] =
		{"not-own-build", "it loaded a library from outside that its own tree has too",
		 "Link with an rpath of $ORIGIN, so that each version loads its own.", PLACE_ERROR,
		 NULL},
	[REASON_BUILD_CHANGED] = {"build-changed",
				  "it loaded a program that was changed after the build",
				  "Let nothing write to a version's programs while joust measures.",
				  PLACE_ERROR, NULL},
	[REASON_BUILD_UNSEEN] =
		{"build-unseen", "which code it loaded could not be seen",
		 "The benchmark must be readable, not setuid, and must not change its user.",
		 PLACE_ERROR, NULL},
	[REASON_DIGEST_DIFFERS] = {"digest-differs", "the two versions computed different results",
				   "A comparison of speed needs equal results: mend the candidate, "
				   "or the digest.",
				   PLACE_ERROR, NULL},
	[REASON_NO_LOOP] = {"no-loop", "the benchmark returned without running its loop",
			    "Put the work into JOUST_LOOP.", PLACE_ERROR, NULL},
	[REASON_BENCHMARK_FAILED] = {"benchmark-failed", "the benchmark said that it failed",
				     "Its own message says why.", PLACE_ERROR, NULL},
	[REASON_BAD_SAMPLE] = {"bad-sample", "it reported zero or impossible values",
			       "Does the benchmark do any work at all?", PLACE_ERROR, NULL},
	[REASON_TOO_FAST] = {"too-fast", "too fast to be measured: was the work optimized away?",
			     "Hand the results to joust_keep.", PLACE_ERROR, NULL},

	[REASON_NO_PMU] = {"no-pmu", "this host has no PMU",
			   "Virtual machines rarely have one; use a host that does.", PLACE_MISSING,
			   NULL},
	[REASON_PERF_FORBIDDEN] = {"perf-forbidden", "the kernel does not allow counters",
				   "Set kernel.perf_event_paranoid to 2 or lower, or grant "
				   "CAP_PERFMON.",
				   PLACE_MISSING, NULL},
	[REASON_PERF_BUSY] = {"perf-busy", "the counters are in use",
			      "Stop other profilers, and the NMI watchdog.", PLACE_MISSING, NULL},
	[REASON_PERF_FILES] = {"perf-files", "too many files are open for counters",
			       "Raise the limit with ulimit -n.", PLACE_MISSING, NULL},
	[REASON_PERF_FEW] = {"perf-few", "the CPU has too few free counters",
			     "Stop other profilers; a hypervisor may offer more counters.",
			     PLACE_MISSING, NULL},
	[REASON_NMI_WATCHDOG] = {"nmi-watchdog", "the NMI watchdog holds the counter",
				 "Switch it off: sysctl kernel.nmi_watchdog=0.", PLACE_MISSING,
				 NULL},
	[REASON_HYBRID_CORES] = {"hybrid-cores", "it ran on cores of two types, which count apart",
				 "Run joust under taskset on CPUs of one type.", PLACE_MISSING,
				 NULL},
	[REASON_NOT_DUMPABLE] = {"not-dumpable", "the kernel protects this process from counters",
				 "The benchmark must not be setuid, nor change its user.",
				 PLACE_MISSING, NULL},
	[REASON_NO_EVENT] = {"no-event", "this PMU cannot count it",
			     "See perf list, and /sys/bus/event_source/devices.", PLACE_MISSING,
			     NULL},
	[REASON_MULTIPLEXED] = {"multiplexed",
				"the counters were shared and did not run all the "
				"time",
				"Stop other profilers, and the NMI watchdog.", PLACE_MISSING, NULL},
	[REASON_COUNTER_MISMATCH] = {"counter-mismatch",
				     "the counters do not agree with each other",
				     "The host's counters cannot be trusted; time is judged.",
				     PLACE_MISSING, NULL},
	[REASON_NOT_FOR_COMMANDS] = {"not-for-commands", "it does not exist for commands", NULL,
				     PLACE_MISSING, NULL},
	[REASON_ONE_SLICE] = {"one-slice",
			      "a window of one slice has no total apart from its median", NULL,
			      PLACE_MISSING, NULL},
	[REASON_NO_CGROUP] = {"no-cgroup", "joust may not use a cgroup with the memory controller",
			      "Run `joust doctor`: it says how this host can offer one.",
			      PLACE_MISSING, NULL},
	[REASON_PEAK_HIDDEN] = {"peak-hidden",
				"its peak is hidden by the memory that joust itself has",
				"Give joust a cgroup; `joust doctor` says how.", PLACE_MISSING,
				NULL},
	[REASON_THREADS_UNSEEN] =
		{"threads-unseen",
		 "threads came or went while others ran, so that no clock saw all of them",
		 "Park all threads between iterations, or allow BPF (see joust doctor).",
		 PLACE_MISSING, NULL},
	[REASON_UNDECLARED_THREADS] =
		{"undeclared-threads",
		 "the work ran in child processes, or in threads that it does not declare",
		 "Declare threads with JOUST_BENCH_THREADS; measure child processes as a command.",
		 PLACE_MISSING, NULL},
	[REASON_UNWAITED_PROCESSES] =
		{"unwaited-processes", "work was done by processes that nobody waited for",
		 "Let each process wait for those that it starts, and not ignore SIGCHLD.",
		 PLACE_MISSING, NULL},
	[REASON_NO_BPF] = {"no-bpf", "only BPF sees it, and BPF is not available",
			   "Ask joust doctor what keeps BPF away.", PLACE_MISSING, NULL},
	[REASON_EVENTS_LOST] = {"events-lost", "the kernel lost events, so it is not known",
				"Measure again; see whether the kernel log says why.",
				PLACE_MISSING, NULL},

	[REASON_OUTPUT_TRUNCATED] = {"output-truncated", "it said more than is kept", NULL,
				     PLACE_NOTED, NULL},

	[REASON_NEW] = {"new", "the baseline does not have it", NULL, PLACE_SKIPPED, NULL},
	[REASON_REMOVED] = {"removed", "the candidate does not have it any more", NULL,
			    PLACE_SKIPPED, NULL},
	[REASON_SKIPPED] = {"skipped", "it skipped itself", NULL, PLACE_SKIPPED, NULL},
};

_Static_assert(sizeof(reasons) / sizeof(reasons[0]) == REASON_CNT, "one row per reason");

const struct reason_row *reason_get(enum reason why)
{
	return &reasons[why];
}

const char *reason_remedy(enum reason why, bool fixed)
{
	return fixed && reasons[why].fixed_remedy ? reasons[why].fixed_remedy : reasons[why].remedy;
}
