/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The frames between the engine and a worker (docs/protocol.md): one SOCK_SEQPACKET socket, one
 * frame a packet, little-endian host order (both ends run on one machine), no pointers. The engine
 * speaks first; the worker answers every frame with exactly one answer (LIST: many, ended by END).
 * The worker is found by the environment variable JOUST_WORKER_FD = the descriptor's number.
 */
#include <stdint.h>

#define PROTOCOL_MAGIC	   0x54534f4au /* "JOST" */
#define PROTOCOL_VERSION   1
#define PROTOCOL_FRAME_MAX 65536
#define PROTOCOL_FD_ENV	   "JOUST_WORKER_FD"
/* Millionths of each slice that are burnt on top of it, so that `joust aa --inject` knows the truth. */
#define PROTOCOL_INJECT_ENV "JOUST_INJECT_PPM"
#define PROTOCOL_INJECT_MAX 1000000
#define PROTOCOL_SLICES_MAX 16
#define PROTOCOL_NAME_MAX   256
#define PROTOCOL_TEXT_MAX   1024

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

struct frame_open {
	char name[PROTOCOL_NAME_MAX]; /* NUL-terminated */
	/*
	 * Descriptors that come with this frame (SCM_RIGHTS), in this order: a perf group of
	 * instructions:u, cycles:u of the worker's main thread, read() layout
	 * {nr, enabled, running, value[nr]}.
	 */
	uint32_t perf_fds;    /* 0 or 1 */
	uint32_t perf_values; /* counters in the group, 0..2 */
};

struct frame_window {
	uint64_t n; /* iterations per slice, >= 1 */
	uint32_t k; /* slices, 1..PROTOCOL_SLICES_MAX */
	uint32_t pad;
};

struct frame_case {
	char name[PROTOCOL_NAME_MAX];
	uint32_t threads; /* >= 1 */
	uint32_t pad;
};

struct frame_sample {
	uint64_t n;			      /* as asked */
	uint32_t k;			      /* slices measured, as asked */
	uint32_t perf_valid;		      /* 1 when the perf fields hold */
	uint64_t cpu_ns[PROTOCOL_SLICES_MAX]; /* per slice, untimed sections subtracted */
	uint64_t wall_ns[PROTOCOL_SLICES_MAX];
	/* differences over the whole window */
	uint64_t minor_faults, major_faults, voluntary, involuntary;
	uint64_t perf_enabled_ns, perf_running_ns, perf_value[2];
	uint64_t cpu_before_ns,
		cpu_after_ns; /* thread clock at the ends: nothing ran between windows */
};

struct frame_done {
	uint32_t has_digest;
	uint32_t pad;
	uint64_t digest[2]; /* 128 bits over all bytes given to joust_digest */
};

struct frame_text {
	char text[PROTOCOL_TEXT_MAX]; /* NUL-terminated */
};

_Static_assert(sizeof(struct frame_header) == 24, "frame_header is packed by construction");
_Static_assert(sizeof(struct frame_open) == 264, "frame_open");
_Static_assert(sizeof(struct frame_window) == 16, "frame_window");
_Static_assert(sizeof(struct frame_case) == 264, "frame_case");
_Static_assert(sizeof(struct frame_sample) == 16 + 256 + 32 + 32 + 16, "frame_sample");
_Static_assert(sizeof(struct frame_done) == 24, "frame_done");
