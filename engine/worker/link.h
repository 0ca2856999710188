/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The engine's side of the protocol: one socket, frames checked before anything in them is believed
 * (length, magic, version, nonce, sequence, type, then the body's own ranges). Never blocks: waiting
 * belongs to the caller, who polls link__fd together with the process and the clock.
 */
#include <stddef.h>
#include <stdint.h>
#include "protocol.h"
#include "../../report/cleanup.h"

struct link {
	int fd;
	uint64_t nonce;
	uint32_t sent, received;
	char error[160]; /* what was wrong with the last frame, for people */
};

struct frame {
	struct frame_header header;
	union {
		struct frame_case bench;
		struct frame_sample sample;
		struct frame_done done;
		struct frame_text text;
	} body;
};

/* A socket pair: ret[0] for the engine (non-blocking, close-on-exec), ret[1] for the worker. */
int link_pair(int ret[static 2]) MUST_CHECK;

/* Each gets the number of the other's descriptor. 0 or a negative errno, and then nothing has changed. */
int link__swap(struct link *a, struct link *b) MUST_CHECK;

void link__init(struct link *l, int fd, uint64_t nonce);

/*
 * Sends one frame; fds (may be NULL) travel with it. 0, -EAGAIN (the worker does not read: a
 * protocol error), -EPIPE, or another negative errno.
 */
int link__send(struct link *l, enum frame_type type, const void *body, size_t len, const int *fds,
	       size_t fds_cnt) MUST_CHECK;

/*
 * Takes one frame. 0; -EAGAIN: nothing there; -ENOTCONN: the worker closed its end; -EBADMSG: not a
 * valid frame (l->error says why). Texts and names are NUL-terminated when 0 is returned.
 */
int link__recv(struct link *l, struct frame *ret) MUST_CHECK;

/* The size that a case of a benchmark with sizes is of; 0: it has none, or its name does not say it. */
uint64_t link_case_size(const struct frame_case *c);

/*
 * Checks a sample against what was asked: n and k equal, no slice of 0 ns or above 2^53 ns, the sum
 * of the slices not above the clock's difference, the process clock for one slice only. NULL when it is
 * sound, else what is wrong.
 */
const char *link_sample_problem(const struct frame_sample *s, uint64_t n, uint32_t k);
