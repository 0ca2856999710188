/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include "sandbox_private.h"

/* The filter is on already: sendmsg is among what it allows. */
static int send_listener(int socket, int listener)
{
	union {
		struct cmsghdr header; /* for its alignment */
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 0;
	struct iovec part = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control.bytes)};

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &listener, sizeof(listener));
	return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int sandbox_enter_locked(const struct sandbox *s, const struct sandbox_bind *extra,
			 size_t extra_cnt, int socket, enum sandbox_layer *ret_layer)
{
	bool notify = sandbox_layer_on(s, LAYER_NOTIFY);
	int listener;

	*ret_layer = LAYER_LANDLOCK;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	if (sandbox_layer_on(s, LAYER_LANDLOCK) && sandbox_enter_landlock(s, extra, extra_cnt))
		return -1;
	*ret_layer = notify ? LAYER_NOTIFY : LAYER_SECCOMP;
	if (!sandbox_layer_on(s, LAYER_SECCOMP))
		return 0;
	listener = seccomp_filter_install(&s->filter, notify);
	if (listener < 0)
		return -1;
	return notify && socket >= 0 ? send_listener(socket, listener) : 0;
}
