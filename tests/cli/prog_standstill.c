/* SPDX-License-Identifier: BSD-2-Clause */
/* A worker that speaks the protocol without libjoust, and whose monotonic clock stands still. */
#include "worker_answer.h"

static int sample(const struct frame_header *to, const struct frame_window *w)
{
	struct frame_sample s = {.n = w->n, .k = w->k, .cpu_after_ns = w->k * w->n * 1000};

	for (uint32_t i = 0; i < w->k; i++) {
		s.cpu_ns[i] = w->n * 1000;
		s.wall_ns[i] = 1;
	}
	return answer(to, FRAME_SAMPLE, &s, sizeof(s));
}

static int serve(const struct frame_header *h, const void *body)
{
	static const struct frame_case bench = {.name = "still", .threads = 1};
	static const struct frame_done done;
	struct frame_window w;

	switch (h->type) {
	case FRAME_LIST:
		return answer(h, FRAME_CASE, &bench, sizeof(bench)) ||
		       answer(h, FRAME_END, NULL, 0);
	case FRAME_OPEN:
		return answer(h, FRAME_READY, NULL, 0);
	case FRAME_WINDOW:
		memcpy(&w, body, sizeof(w));
		return sample(h, &w);
	default:
		return answer(h, FRAME_DONE, &done, sizeof(done)) || h->type != FRAME_STOP;
	}
}

int main(void)
{
	char packet[4096];
	struct frame_header h = {0};

	while (h.type != FRAME_STOP &&
	       recv(PROTOCOL_FD, packet, sizeof(packet), 0) >= (ssize_t)sizeof(h)) {
		memcpy(&h, packet, sizeof(h));
		if (serve(&h, packet + sizeof(h)))
			return 1;
	}
	return 0;
}
