/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <string.h>
#include "cpulist.h"
#include "cpus.h"
#include "hostfacts.h"
#include "smallfile.h"

#define CPU_DIR "/sys/devices/system/cpu/"

int doctor_look_cpus(const char *root, struct doctor_row *row)
{
	AUTO_FREE char *model = hostfacts_cpu_model(root);
	cpu_set_t online, allowed;
	int cnt, mine;

	if (cpulist_read(root, CPU_DIR "online", &online))
		CPU_ZERO(&online);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
	cnt = CPU_COUNT(&online);
	mine = CPU_COUNT(&allowed);
	if (cnt == 1)
		return doctor_row__set(row, DOCTOR_WARN,
				       "use a host with 2 CPUs or more: everything else that runs "
				       "shares the measured one",
				       "1 CPU online, %s", model ? model : "model unknown");
	return doctor_row__set(row, DOCTOR_OK, NULL, "%d CPUs online, %d may be used here, %s", cnt,
			       mine, model ? model : "model unknown");
}

int doctor_look_virtual(const char *root, struct doctor_row *row)
{
	if (hostfacts_virtual(root))
		return doctor_row__set(
			row, DOCTOR_INFO, NULL,
			"a virtual machine: what its neighbours take is felt, but no "
			"counter here shows it");
	return doctor_row__set(row, DOCTOR_OK, NULL, "no sign of a hypervisor");
}

/* The one that would be measured on; of another root the first. */
static int looked_at(const char *root)
{
	cpu_set_t set;

	return root[0] || cpus_choose(1, &set) ? 0 : cpus_first(&set);
}

int doctor_look_governor(const char *root, struct doctor_row *row)
{
	AUTO_FREE char *governor = hostfacts_governor(root, looked_at(root));

	if (!governor)
		return doctor_row__set(row, DOCTOR_INFO, NULL,
				       "no frequency governor (virtual machine or fixed clock)");
	if (!strcmp(governor, "performance"))
		return doctor_row__set(row, DOCTOR_OK, NULL, "performance");
	return doctor_row__set(row, DOCTOR_WARN, "sudo cpupower frequency-set -g performance",
			       "%s: the clock follows the load", governor);
}

/* The switch of intel_pstate says "no turbo", that of acpi-cpufreq and amd_pstate "boost". */
int doctor_look_turbo(const char *root, struct doctor_row *row)
{
	uint64_t v;

	if (!smallfile_u64(root, CPU_DIR "intel_pstate/no_turbo", &v))
		return v ? doctor_row__set(row, DOCTOR_OK, NULL, "off")
			 : doctor_row__set(row, DOCTOR_WARN,
					   "echo 1 | sudo tee " CPU_DIR "intel_pstate/no_turbo",
					   "on: the clock depends on heat and on other cores");
	if (!smallfile_u64(root, CPU_DIR "cpufreq/boost", &v))
		return !v ? doctor_row__set(row, DOCTOR_OK, NULL, "off")
			  : doctor_row__set(row, DOCTOR_WARN,
					    "echo 0 | sudo tee " CPU_DIR "cpufreq/boost",
					    "on: the clock depends on heat and on other cores");
	return doctor_row__set(row, DOCTOR_INFO, NULL, "no switch for it here");
}

int doctor_look_smt(const char *root, struct doctor_row *row)
{
	uint64_t active;

	if (smallfile_u64(root, CPU_DIR "smt/active", &active))
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	if (!active)
		return doctor_row__set(row, DOCTOR_OK, NULL, "no sibling threads are active");
	return doctor_row__set(row, DOCTOR_WARN, "echo off | sudo tee " CPU_DIR "smt/control",
			       "on: a sibling thread takes part of the measured core");
}

int doctor_look_isolated(const char *root, struct doctor_row *row)
{
	char list[4096] = "";
	cpu_set_t set;

	if (smallfile_read(root, CPU_DIR "isolated", list, sizeof(list)) < 0 ||
	    cpulist_parse(list, &set))
		CPU_ZERO(&set);
	if (CPU_COUNT(&set) == 0)
		return doctor_row__set(row, DOCTOR_INFO,
				       "on a machine of your own: boot with isolcpus=LIST "
				       "nohz_full=LIST",
				       "none: other tasks may run on the measured CPU");
	return doctor_row__set(row, DOCTOR_OK, NULL, "%s", list);
}

int doctor_look_clocksource(const char *root, struct doctor_row *row)
{
	/* Those that the vdso reads without a system call. */
	static const char *const fast[] = {"tsc", "arch_sys_counter", "kvm-clock",
					   "hyperv_clocksource_tsc_page", "riscv_clocksource"};
	char name[64];

	if (smallfile_read(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			   name, sizeof(name)) <= 0)
		return doctor_row__set(row, DOCTOR_INFO, NULL, "the kernel does not say");
	for (size_t i = 0; i < sizeof(fast) / sizeof(fast[0]); i++)
		if (!strcmp(name, fast[i]))
			return doctor_row__set(row, DOCTOR_OK, NULL, "%s", name);
	return doctor_row__set(row, DOCTOR_WARN, "dmesg | grep -i -e tsc -e clocksource",
			       "%s: reading the clock is a slow system call", name);
}
