/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker that speaks the protocol without libjoust, and lists one benchmark whose name is all that
 * the file name.txt in its working directory holds.
 */
#include "worker_answer.h"
#include <stdio.h>

static int list(const struct frame_header *to)
{
	struct frame_case c = {.threads = 1};
	FILE *f = fopen("name.txt", "re");

	if (!f)
		return 1;
	(void)!fread(c.name, 1, sizeof(c.name) - 1, f);
	fclose(f);
	return answer(to, FRAME_CASE, &c, sizeof(c)) || answer(to, FRAME_END, NULL, 0);
}

int main(void)
{
	char packet[4096];
	struct frame_header h;

	while (recv(PROTOCOL_FD, packet, sizeof(packet), 0) >= (ssize_t)sizeof(h)) {
		memcpy(&h, packet, sizeof(h));
		if (h.type == FRAME_LIST && list(&h))
			return 1;
		if (h.type == FRAME_STOP)
			return answer(&h, FRAME_DONE, &(struct frame_done){0},
				      sizeof(struct frame_done));
	}
	return 0;
}
