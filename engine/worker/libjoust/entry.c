/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static bool is_seqpacket(int fd)
{
	int type = 0;
	socklen_t len = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_SEQPACKET;
}

int joust_main(int argc, char **argv)
{
	const char *text = getenv(PROTOCOL_FD_ENV);
	long fd;

	if (!text)
		return joust_by_hand(argc, argv);
	if (joust_parse_long(text, 0, INT_MAX, &fd) < 0 || !is_seqpacket((int)fd)) {
		(void)fprintf(stderr, "%s=%s is not a socket of joust\n", PROTOCOL_FD_ENV, text);
		return 64;
	}
	(void)unsetenv(PROTOCOL_FD_ENV); /* cannot fail: the name is sound */
	return joust_serve((int)fd);
}
