/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include "hostfacts.h"
#include "perf_probe.h"
#include "smallfile.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static const char count_switches[] = "sudo sysctl kernel.perf_event_paranoid=1";

int doctor_look_pmu(const char *root, struct doctor_row *row)
{
	enum reason why = perf_hw_available();

	(void)root; /* a counter is opened, not a file */
	if (why != REASON_NONE)
		return doctor_row__set(row, DOCTOR_MISSING, reason_get(why)->remedy, "%s",
				       reason_get(why)->sentence);
	return doctor_row__set(row, DOCTOR_OK, NULL, "instructions are counted by the hardware");
}

int doctor_look_software(const char *root, struct doctor_row *row)
{
	enum reason why = perf_self_test();

	(void)root;
	/* Level 2 is enough for instructions of user code, but switches happen in the kernel. */
	if (why != REASON_NONE)
		return doctor_row__set(row, DOCTOR_MISSING,
				       why == REASON_PERF_FORBIDDEN ? count_switches
								    : reason_get(why)->remedy,
				       "%s", reason_get(why)->sentence);
	return doctor_row__set(row, DOCTOR_OK, NULL, "software events count what is known");
}

int doctor_look_paranoid(const char *root, struct doctor_row *row)
{
	char level[16];

	if (smallfile_read(root, PARANOID, level, sizeof(level)) <= 0)
		return doctor_row__set(row, DOCTOR_MISSING,
				       "run a kernel with CONFIG_PERF_EVENTS, outside a container "
				       "that hides /proc/sys",
				       "no perf events here");
	if (hostfacts_capable(root, CAP_PERFMON) || hostfacts_capable(root, CAP_SYS_ADMIN))
		return doctor_row__set(row, DOCTOR_OK, NULL, "%s, and this user may do all", level);
	if (level[0] == '-' || level[0] == '0' || level[0] == '1')
		return doctor_row__set(row, DOCTOR_OK, NULL, "%s", level);
	if (level[0] == '2')
		return doctor_row__set(
			row, DOCTOR_WARN, count_switches,
			"2: instructions of user code are counted, switches are not");
	return doctor_row__set(row, DOCTOR_MISSING, count_switches, "%s: nothing may be counted",
			       level);
}

int doctor_look_watchdog(const char *root, struct doctor_row *row)
{
	uint64_t on;

	if (smallfile_u64(root, "/proc/sys/kernel/nmi_watchdog", &on))
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel has none");
	if (!on)
		return doctor_row__set(row, DOCTOR_OK, NULL, "off");
	return doctor_row__set(row, DOCTOR_WARN, "sudo sysctl kernel.nmi_watchdog=0",
			       "on: it holds one hardware counter of every CPU");
}

/*
 * Whether a tracing program would be accepted: one that does nothing is loaded and closed at once,
 * never attached. It needs what the recorder of interference would need (CAP_BPF, CAP_PERFMON).
 */
static int bpf_try(void)
{
	const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr;
	AUTO_FD int fd = -1;

	memset(&attr, 0, sizeof(attr)); /* the kernel wants unused bytes zero */
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insn_cnt = sizeof(nothing) / sizeof(nothing[0]);
	attr.insns = (uint64_t)(uintptr_t)nothing;
	attr.license = (uint64_t)(uintptr_t) "GPL";
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	return fd < 0 ? -errno : 0;
}

int doctor_look_bpf(const char *root, struct doctor_row *row)
{
	int err = bpf_try();

	(void)root;
	if (!err)
		return doctor_row__set(row, DOCTOR_OK, NULL,
				       "the kernel takes tracing programs from this user");
	if (err == -EPERM || err == -EACCES)
		return doctor_row__set(row, DOCTOR_MISSING,
				       "run as root, or: sudo setcap cap_bpf,cap_perfmon+ep "
				       "\"$(command -v joust)\"",
				       "this user may not load tracing programs");
	return doctor_row__set(row, DOCTOR_MISSING,
			       "run a kernel with CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS",
			       "the kernel refuses tracing programs: %s", strerror(-err));
}

int doctor_look_btf(const char *root, struct doctor_row *row)
{
	if (smallfile_exists(root, "/sys/kernel/btf/vmlinux"))
		return doctor_row__set(row, DOCTOR_OK, NULL, "the kernel describes its types");
	return doctor_row__set(row, DOCTOR_MISSING, "run a kernel with CONFIG_DEBUG_INFO_BTF=y",
			       "no /sys/kernel/btf/vmlinux");
}
