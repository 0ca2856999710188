/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "sandbox_private.h"

/* Bounds what an exec as uid 0 would give back; what is held now stays. */
int sandbox_drop_bounding(void)
{
	unsigned long cap = 0;

	while (!prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
		cap++;
	/*
	 * EINVAL: that was the last one. EPERM, said of the first: an engine without capabilities
	 * cannot, and no_new_privs is enough for it.
	 */
	return (cap && errno == EINVAL) || (!cap && errno == EPERM) ? 0 : -1;
}

int sandbox_drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_capset, &header, none);
}
