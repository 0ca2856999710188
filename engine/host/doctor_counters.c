/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <string.h>
#include "hostfacts.h"
#include "perf_probe.h"
#include "smallfile.h"
#include "../../bpf/watch.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static const char count_switches[] = "sudo sysctl kernel.perf_event_paranoid=1";

/*
 * Whether this user may count what runs in user space. Tried, since levels above 2 mean nothing to an
 * upstream kernel, and that nothing at all is allowed to Debian's and Ubuntu's.
 */
static bool may_count_user_code(void)
{
	static const struct perf_event_spec user_time = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.user_only = true,
	};
	struct perf_group g;
	enum reason why;

	if (perf_group__open_events(&g, &user_time, 1, &(struct perf_target){0}, &why))
		return false;
	perf_group__close(&g);
	return true;
}

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
	if (why == REASON_NONE)
		return doctor_row__set(row, DOCTOR_OK, NULL, "software events count what is known");
	/* Level 2 is enough for instructions of user code, but switches happen in the kernel. */
	if (why == REASON_PERF_FORBIDDEN && may_count_user_code())
		return doctor_row__set(row, DOCTOR_MISSING, count_switches,
				       "this user may not count what the kernel does for a "
				       "program: switches, migrations");
	return doctor_row__set(row, DOCTOR_MISSING,
			       why == REASON_PERF_FORBIDDEN ? count_switches
							    : reason_get(why)->remedy,
			       "%s", reason_get(why)->sentence);
}

int doctor_look_paranoid(const char *root, struct doctor_row *row)
{
	char level[16];
	ssize_t len = smallfile_read(root, PARANOID, level, sizeof(level));

	if (len <= 0 && len != -ENOENT)
		return doctor_row__set(row, DOCTOR_WARN, "ls -l " PARANOID, "%s cannot be read: %s",
				       PARANOID, len ? strerror((int)-len) : "it is empty");
	if (len <= 0)
		return doctor_row__set(row, DOCTOR_MISSING,
				       "run a kernel with CONFIG_PERF_EVENTS, outside a container "
				       "that hides /proc/sys",
				       "no perf events here");
	if (hostfacts_capable(root, CAP_PERFMON) || hostfacts_capable(root, CAP_SYS_ADMIN))
		return doctor_row__set(row, DOCTOR_OK, NULL, "%s, and this user may do all", level);
	if (level[0] == '-' || level[0] == '0' || level[0] == '1')
		return doctor_row__set(row, DOCTOR_OK, NULL, "%s", level);
	if (may_count_user_code())
		return doctor_row__set(row, DOCTOR_WARN, count_switches,
				       "%s: user code may be counted, switches may not", level);
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

/* A program that does nothing is loaded and closed at once, never attached. */
int doctor_look_bpf(const char *root, struct doctor_row *row)
{
	enum watch_result why = watch_probe();

	(void)root; /* the kernel is asked, not a file */
	if (why == WATCH_ATTACHED)
		return doctor_row__set(row, DOCTOR_OK, NULL,
				       "the kernel takes tracing programs from this user");
	return doctor_row__set(row, DOCTOR_MISSING, watch_result_remedy(why), "%s",
			       watch_result_str(why));
}

int doctor_look_btf(const char *root, struct doctor_row *row)
{
	if (smallfile_exists(root, "/sys/kernel/btf/vmlinux"))
		return doctor_row__set(row, DOCTOR_OK, NULL, "the kernel describes its types");
	return doctor_row__set(row, DOCTOR_MISSING, "run a kernel with CONFIG_DEBUG_INFO_BTF=y",
			       "no /sys/kernel/btf/vmlinux");
}
