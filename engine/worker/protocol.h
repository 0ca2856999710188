/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The frames between the engine and a worker (docs/protocol.md): one SOCK_SEQPACKET socket, one
 * frame a packet, little-endian host order (both ends run on one machine), no pointers. The engine
 * speaks first; the worker answers every frame with exactly one answer (LIST: many, ended by END).
 * The worker is found by the environment variable JOUST_WORKER_FD = the descriptor's number.
 */
#include <stdint.h>

#define PROTOCOL_MAGIC	      0x54534f4au /* "JOST" */
#define PROTOCOL_VERSION      3
#define PROTOCOL_FRAME_MAX    65536
#define PROTOCOL_FD_ENV	      "JOUST_WORKER_FD"
#define PROTOCOL_SLICES_MAX   16
#define PROTOCOL_NAME_MAX     256
#define PROTOCOL_TEXT_MAX     1024
#define PROTOCOL_GROUPS_MAX   4
#define PROTOCOL_VALUES_MAX   4
#define PROTOCOL_THREADS_MAX  16 /* rows; all threads are in the sums */
#define PROTOCOL_CASES_MAX    10000
#define PROTOCOL_DECLARED_MAX 4096 /* threads that a benchmark may say it has */
#define PROTOCOL_FDS_MAX      8
#define PROTOCOL_INJECT_MAX   1000000 /* ppm: as much again */
#define PROTOCOL_SIZE	      "/size="
#define PROTOCOL_SIZES_MAX    16
#define PROTOCOL_SIZE_MAX     (UINT64_C(1) << 53) /* a double holds it */
/* The one text of FAIL that has a reason of its own: the body came back without reaching a loop. */
#define PROTOCOL_NO_LOOP "no JOUST_LOOP"

enum frame_type {
	/* engine to worker */
	FRAME_LIST = 1,	  /* no body; answered by CASE... END */
	FRAME_OPEN = 2,	  /* struct frame_open; answered by READY, SKIP or FAIL */
	FRAME_WINDOW = 3, /* struct frame_window; answered by SAMPLE or FAIL */
	FRAME_STOP = 4,	  /* no body; answered by DONE or FAIL, then the worker exits 0 */
	/* worker to engine */
	FRAME_CASE = 16,   /* struct frame_case */
	FRAME_END = 17,	   /* no body */
	FRAME_READY = 18,  /* no body: the body has reached its loop */
	FRAME_SAMPLE = 19, /* struct frame_sample */
	FRAME_DONE = 20,   /* struct frame_done */
	FRAME_SKIP = 21,   /* struct frame_text: why the benchmark skips itself */
	FRAME_FAIL = 22,   /* struct frame_text: why the benchmark cannot go on */
};

struct frame_header {
	uint32_t magic;
	uint16_t version;
	uint16_t type;
	uint32_t seq;	/* each side counts its own frames from 1 */
	uint32_t len;	/* bytes after the header */
	uint64_t nonce; /* chosen by the engine in its first frame, repeated by both sides */
};

/* One perf group of a worker. Its descriptors come with the frame, the leader's first. */
struct frame_group {
	uint32_t values; /* counters, 0..PROTOCOL_VALUES_MAX; 0: there is no such group */
	/*
	 * 1: a descriptor for each counter, whose first page may be mapped and read without a system
	 * call; 0: the leader's alone, read() layout {nr, enabled, running, value[nr]}.
	 */
	uint32_t user_read;
};

/* The groups, in the order of their descriptors. */
enum frame_group_role {
	GROUP_HARDWARE, /* instructions:u, cycles:u; of all threads where there are several */
	GROUP_MISSES,
	GROUP_EVENTS,	   /* what a person asked for */
	GROUP_MORE_EVENTS, /* and what did not fit */
};

/* By what the peak of memory is read and set back around untimed sections. */
enum frame_peak_kind {
	PEAK_KIND_NONE,
	PEAK_KIND_GROUP,    /* one descriptor: a number of bytes; what is written sets it back */
	PEAK_KIND_RESIDENT, /* two: /proc/PID/status, where VmHWM is, and /proc/PID/clear_refs */
	PEAK_KIND_CNT
};

struct frame_open {
	char name[PROTOCOL_NAME_MAX]; /* NUL-terminated */
	struct frame_group group[PROTOCOL_GROUPS_MAX];
	uint32_t lane;	    /* 1: last comes the record of interference (bpf/interference.h) */
	uint32_t schedstat; /* 1: waiting is read from /proc, because there is no record */
	uint32_t peak;	    /* enum frame_peak_kind: its descriptors come after the record */
	uint32_t pad;
};

struct frame_window {
	uint64_t n; /* iterations per slice, >= 1 */
	uint32_t k; /* slices, 1..PROTOCOL_SLICES_MAX */
	/*
	 * Millionths of each slice that are burnt on top of it, so that `joust aa --inject` knows the
	 * truth; 0..PROTOCOL_INJECT_MAX.
	 */
	uint32_t inject_ppm;
};

struct frame_case {
	char name[PROTOCOL_NAME_MAX];
	uint32_t threads; /* 1..PROTOCOL_DECLARED_MAX */
	/*
	 * Of one size of a benchmark with sizes: the bytes of `name` that name the benchmark, the rest
	 * being PROTOCOL_SIZE and the size, a decimal number of 1..PROTOCOL_SIZE_MAX. Its sizes follow
	 * each other, each larger than the one before. 0: it has no sizes.
	 */
	uint32_t family;
};

/* A perf group over the window. */
struct frame_reading {
	uint32_t valid; /* 0: it could not be read at one of the ends */
	uint32_t pad;
	uint64_t enabled_ns, running_ns, value[PROTOCOL_VALUES_MAX];
};

/* What the CPU times of a sample are. */
enum frame_cpu {
	CPU_THREAD,  /* the clock of the one thread */
	CPU_THREADS, /* the sum of the clocks of all threads, the same at both ends */
	CPU_PROCESS, /* the process clock, the other threads parked at both ends; one slice only */
	CPU_UNKNOWN, /* threads came or went while others ran: cpu_ns is a part of the truth */
	CPU_CNT
};

enum frame_seen_state {
	SEEN_NOTHING, /* no record, no /proc */
	SEEN_WAITING, /* waiting_ns alone, from /proc */
	SEEN_ALL,
	SEEN_LOST, /* events were lost: nothing is known */
	SEEN_CNT
};

/* What the kernel did to the worker during the window. */
struct frame_seen {
	uint32_t state;
	uint32_t pad;
	uint64_t running_ns, waiting_ns, wakeup_ns, blocked_ns, interrupts_ns;
	uint64_t voluntary, involuntary, migrations;
};

/* One thread over the window; UINT64_MAX: not known. */
struct frame_thread {
	uint64_t cpu_ns, running_ns, waiting_ns, blocked_ns;
};

struct frame_sample {
	uint64_t n;			      /* as asked */
	uint32_t k;			      /* slices measured, as asked */
	uint32_t cpu;			      /* enum frame_cpu */
	uint64_t cpu_ns[PROTOCOL_SLICES_MAX]; /* per slice, untimed sections subtracted */
	uint64_t wall_ns[PROTOCOL_SLICES_MAX];
	/* differences over the whole window */
	uint64_t minor_faults, major_faults, voluntary, involuntary;
	uint64_t cpu_before_ns,
		cpu_after_ns; /* thread clock at the ends: nothing ran between windows */
	/* used at least by child processes, and by threads that the benchmark did not declare */
	uint64_t foreign_cpu_ns;
	struct frame_reading group[PROTOCOL_GROUPS_MAX];
	struct frame_seen seen;
	uint32_t threads_cnt; /* rows, where the benchmark has several threads */
	uint32_t inject_ppm;  /* what was burnt: as asked, or 0 by a worker that cannot */
	struct frame_thread thread[PROTOCOL_THREADS_MAX];
};

struct frame_done {
	uint32_t has_digest;
	uint32_t pad;
	uint64_t digest[2]; /* 128 bits over all bytes given to joust_digest */
	/*
	 * The largest peak that was read where an untimed section of the loop began; 0: there was none,
	 * or nobody asked; UINT64_MAX: a reading failed.
	 */
	uint64_t peak_bytes;
};

struct frame_text {
	char text[PROTOCOL_TEXT_MAX]; /* NUL-terminated */
};

_Static_assert(sizeof(struct frame_header) == 24, "frame_header is packed by construction");
_Static_assert(sizeof(struct frame_open) == 304, "frame_open");
_Static_assert(sizeof(struct frame_window) == 16, "frame_window");
_Static_assert(sizeof(struct frame_case) == 264, "frame_case");
_Static_assert(sizeof(struct frame_reading) == 56, "frame_reading");
_Static_assert(sizeof(struct frame_seen) == 72, "frame_seen");
_Static_assert(sizeof(struct frame_sample) == 16 + 256 + 32 + 24 + 4 * 56 + 72 + 8 + 16 * 32,
	       "frame_sample");
_Static_assert(sizeof(struct frame_done) == 32, "frame_done");
