/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <string.h>
#include "smallfile.h"

int doctor_look_thp(const char *root, struct doctor_row *row)
{
	char buf[128];

	if (smallfile_read(root, "/sys/kernel/mm/transparent_hugepage/enabled", buf, sizeof(buf)) <=
	    0)
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel has no huge pages");
	if (!strstr(buf, "[always]"))
		return doctor_row__set(row, DOCTOR_OK, NULL, "%s", buf);
	return doctor_row__set(
		row, DOCTOR_WARN,
		"echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
		"%s: whether a heap gets huge pages is chance, and changes its speed", buf);
}

int doctor_look_aslr(const char *root, struct doctor_row *row)
{
	uint64_t level;

	if (smallfile_u64(root, "/proc/sys/kernel/randomize_va_space", &level))
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	if (level)
		return doctor_row__set(row, DOCTOR_OK, NULL,
				       "on (%u): every process samples another layout",
				       (unsigned)level);
	return doctor_row__set(row, DOCTOR_WARN, "sudo sysctl kernel.randomize_va_space=2",
			       "off: one memory layout stands for all");
}

int doctor_look_swap(const char *root, struct doctor_row *row)
{
	char buf[4096];

	if (smallfile_read(root, "/proc/swaps", buf, sizeof(buf)) < 0)
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	if (!strchr(buf, '\n')) /* the heading alone */
		return doctor_row__set(row, DOCTOR_OK, NULL, "none");
	return doctor_row__set(row, DOCTOR_INFO, "sudo swapoff -a",
			       "in use when memory is short: a page read back counts as work");
}
