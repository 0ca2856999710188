/* SPDX-License-Identifier: BSD-2-Clause */
#include "hostfacts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "smallfile.h"

#define CPUINFO_BYTES 16384 /* the first processor: flags alone take 2 KiB */

/* The value of "key : value" at the start of a line, up to its end, as an owned string. */
static char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) || !strchr(" \t:", line[len]))
			continue;
		line += strcspn(line, ":\n");
		if (*line != ':')
			continue;
		line += 1 + strspn(line + 1, " \t");
		return strndup(line, strcspn(line, "\n"));
	}
	return NULL;
}

static char *arm_model(const char *cpuinfo)
{
	AUTO_FREE char *who = value_of(cpuinfo, "CPU implementer");
	AUTO_FREE char *part = value_of(cpuinfo, "CPU part");
	char *name = NULL;

	if (!who || !part || asprintf(&name, "ARM implementer %s part %s", who, part) < 0)
		return NULL;
	return name;
}

char *hostfacts_cpu_model(const char *root)
{
	static const char *const keys[] = {"model name", "cpu model", "cpu", "uarch"};
	char buf[CPUINFO_BYTES];

	if (smallfile_read(root, "/proc/cpuinfo", buf, sizeof(buf)) < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *name = value_of(buf, keys[i]);

		if (name)
			return name;
	}
	return arm_model(buf); /* arm64 names no model */
}

char *hostfacts_governor(const char *root, int cpu)
{
	char path[96], buf[64];

	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
		       cpu);
	return smallfile_read(root, path, buf, sizeof(buf)) > 0 ? strdup(buf) : NULL;
}

static bool flagged_virtual(const char *root)
{
	char buf[CPUINFO_BYTES];
	AUTO_FREE char *flags = NULL;

	if (smallfile_read(root, "/proc/cpuinfo", buf, sizeof(buf)) < 0)
		return false;
	flags = value_of(buf, "flags");
	return flags && strstr(flags, "hypervisor");
}

/* No flag on arm64; a name in the firmware instead. "Amazon EC2" also makes bare metal. */
static bool named_virtual(const char *root)
{
	static const char *const files[] = {"/sys/class/dmi/id/sys_vendor",
					    "/sys/class/dmi/id/product_name"};
	static const char *const names[] = {
		"QEMU", "KVM",	     "VMware",		"VirtualBox",		"innotek",
		"Xen",	"OpenStack", "Virtual Machine", "Google Compute Engine"};
	char buf[256];

	for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
		if (smallfile_read(root, files[f], buf, sizeof(buf)) <= 0)
			continue;
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strstr(buf, names[i]))
				return true;
	}
	return false;
}

bool hostfacts_virtual(const char *root)
{
	return flagged_virtual(root) || named_virtual(root) ||
	       smallfile_exists(root, "/sys/hypervisor/type") ||
	       smallfile_exists(root, "/proc/device-tree/hypervisor/compatible");
}

bool hostfacts_capable(const char *root, unsigned cap)
{
	char buf[4096];
	AUTO_FREE char *hex = NULL;
	size_t len;

	if (smallfile_read(root, "/proc/self/status", buf, sizeof(buf)) <= 0)
		return false;
	hex = value_of(buf, "CapEff");
	len = hex ? strlen(hex) : 0;
	if (cap / 4 >= len)
		return false;
	/* one digit holds four capabilities, the last digit the lowest */
	const char *digits = "0123456789abcdef", *d = strchr(digits, hex[len - 1 - cap / 4]);

	return d && ((unsigned)(d - digits) >> (cap % 4) & 1);
}
