/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker that speaks the protocol without libjoust, and lists one benchmark whose name is all that
 * the file name.txt in its working directory holds.
 */
#include "protocol.h"
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define PROTOCOL_FD 3

static uint32_t sent;

static int answer(const struct frame_header *to, uint16_t type, const void *body, uint32_t len)
{
	char packet[sizeof(struct frame_header) + sizeof(struct frame_text)];
	struct frame_header h = *to;

	h.type = type;
	h.seq = ++sent;
	h.len = len;
	memcpy(packet, &h, sizeof(h));
	if (len)
		memcpy(packet + sizeof(h), body, len);
	return send(PROTOCOL_FD, packet, sizeof(h) + len, 0) < 0;
}

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
