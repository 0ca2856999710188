/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whatever a worker sends, link__recv takes only what it promises. The first byte of the input says
 * which fields of the header are made right, so that the checks behind them are reached.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "link.h"

#define NONCE 7

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void repair(uint8_t *bytes, size_t size, uint8_t which)
{
	struct frame_header h;

	if (size < sizeof(h))
		return;
	memcpy(&h, bytes, sizeof(h));
	if (which & 1)
		h.magic = PROTOCOL_MAGIC;
	if (which & 2)
		h.version = PROTOCOL_VERSION;
	if (which & 4)
		h.nonce = NONCE;
	if (which & 8)
		h.seq = 1;
	if (which & 16)
		h.len = (uint32_t)(size - sizeof(h));
	memcpy(bytes, &h, sizeof(h));
}

static void demand(int condition)
{
	if (!condition)
		abort();
}

static void check(const struct frame *f, size_t size)
{
	demand(f->header.len == size - sizeof(f->header));
	demand(f->header.nonce == NONCE);
	switch (f->header.type) {
	case FRAME_CASE:
		demand(memchr(f->body.bench.name, 0, sizeof(f->body.bench.name)) != NULL);
		demand(f->body.bench.name[0] && f->body.bench.threads >= 1);
		break;
	case FRAME_SAMPLE:
		demand(f->body.sample.k >= 1 && f->body.sample.k <= PROTOCOL_SLICES_MAX);
		(void)link_sample_problem(&f->body.sample, f->body.sample.n, f->body.sample.k);
		break;
	case FRAME_SKIP:
	case FRAME_FAIL:
		demand(memchr(f->body.text.text, 0, sizeof(f->body.text.text)) != NULL);
		break;
	case FRAME_END:
	case FRAME_READY:
	case FRAME_DONE:
		break;
	default:
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t bytes[PROTOCOL_FRAME_MAX + 2];
	struct frame f;
	struct link l;
	int fds[2], err;

	if (size < 1 || size - 1 > sizeof(bytes) || link_pair(fds) < 0)
		return 0;
	link__init(&l, fds[0], NONCE);
	memcpy(bytes, data + 1, size - 1);
	repair(bytes, size - 1, data[0]);
	if (send(fds[1], bytes, size - 1, MSG_NOSIGNAL) == (ssize_t)(size - 1)) {
		err = link__recv(&l, &f);
		demand(err == 0 || (err == -EBADMSG && l.error[0]));
		if (!err)
			check(&f, size - 1);
		demand(link__recv(&l, &f) == -EAGAIN);
	}
	close(fds[0]);
	close(fds[1]);
	return 0;
}
