/* SPDX-License-Identifier: BSD-2-Clause */
/* Who may watch, and what is said to whom that may not. Each case in a process of its own. */
#include "subject.h"
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY		 65534
#define CANNOT_BE_SET_UP 100 /* exit status; others are of enum watch_result */

/* Becomes nobody, with these capabilities (of the second 32) and no others. */
static int become_nobody(uint32_t upper)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {{0}, {.effective = upper, .permitted = upper}};

	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return -errno;
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

static int with_both(void)
{
	return become_nobody(1u << (CAP_BPF - 32) | 1u << (CAP_PERFMON - 32));
}

static int with_bpf_only(void)
{
	return become_nobody(1u << (CAP_BPF - 32));
}

static int with_none(void)
{
	return become_nobody(0);
}

static int without_btf(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/sys/kernel/btf", "tmpfs", 0, NULL))
		return -errno;
	return 0;
}

/* Opens a watch and counts a sleep with it; the exit status says how far that went. */
static int try_to_watch(void)
{
	struct interference_reading before, after;
	enum watch_result why;
	uint32_t generation;
	struct watch *w;

	if (watch__open(&w, &why))
		return (int)why;
	if (watch__enrol(w, 0, getpid(), WATCH_PROCESS, &generation))
		return WATCH_FAILED;
	(void)usleep(1000);
	if (watch__read(w, 0, &before))
		return WATCH_FAILED;
	(void)usleep(1000);
	if (watch__read(w, 0, &after) || after.sum.entries_cnt[INTERFERENCE_BLOCKED] <=
						 before.sum.entries_cnt[INTERFERENCE_BLOCKED])
		return WATCH_FAILED;
	watch__close(w);
	return WATCH_ATTACHED;
}

static const struct {
	const char *name;
	int (*set_up)(void);
	enum watch_result opened, probed;
} cases[] = {
	{"nobody with CAP_BPF and CAP_PERFMON may watch", with_both, WATCH_ATTACHED,
	 WATCH_ATTACHED},
	{"nobody with CAP_BPF alone may not", with_bpf_only, WATCH_NO_CAPABILITY,
	 WATCH_NO_CAPABILITY},
	{"nobody without may not", with_none, WATCH_NO_CAPABILITY, WATCH_NO_CAPABILITY},
	{"a kernel without BTF says so", without_btf, WATCH_NO_BTF, WATCH_NO_BTF},
};
const size_t privileges_cnt = sizeof(cases) / sizeof(cases[0]);

/* In a child; the exit status. */
static int attempt(size_t i)
{
	if (cases[i].set_up())
		return CANNOT_BE_SET_UP;
	if (watch_probe() != cases[i].probed)
		return WATCH_FAILED;
	return try_to_watch();
}

int privileges_run(size_t i, const char **ret_name)
{
	pid_t pid = fork();
	int status;

	*ret_name = cases[i].name;
	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(attempt(i));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	if (WEXITSTATUS(status) == CANNOT_BE_SET_UP)
		return -EPERM;
	return WEXITSTATUS(status) == (int)cases[i].opened ? 0 : -EPROTO;
}
