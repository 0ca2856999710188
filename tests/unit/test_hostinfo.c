/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of doctor over trees of files made here, and the real host. */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "engine/host/doctor_rows.h"
#include "engine/host/hostfacts.h"
#include "bpf/watch.h"

#define CPU "/sys/devices/system/cpu/"

/* For `refusal`: only of events that happen in the kernel. No errno. */
#define PERF_OF_THE_KERNEL (-1)

typedef int look(const char *root, struct doctor_row *row);

static void assert_row(look *f, enum doctor_state state, const char *finding, const char *remedy)
{
	struct doctor_row row = {0};

	assert_int_equal(f(root, &row), 0);
	if (!strstr(row.finding, finding))
		fail_msg("\"%s\" lacks \"%s\"", row.finding, finding);
	assert_int_equal(row.state, state);
	if (remedy && !(row.remedy && strstr(row.remedy, remedy)))
		fail_msg("remedy \"%s\" lacks \"%s\"", row.remedy ? row.remedy : "", remedy);
	if (!remedy)
		assert_null(row.remedy);
	free(row.finding);
	free(row.remedy);
}

static void a_bare_tree_is_described_without_guessing(void **state)
{
	(void)state;
	assert_row(doctor_look_governor, DOCTOR_INFO, "no frequency governor", NULL);
	assert_row(doctor_look_turbo, DOCTOR_INFO, "no switch", NULL);
	assert_row(doctor_look_smt, DOCTOR_INFO, "does not say", NULL);
	assert_row(doctor_look_steal, DOCTOR_INFO, "does not say", NULL);
	assert_row(doctor_look_load, DOCTOR_INFO, "does not say", NULL);
	assert_row(doctor_look_clocksource, DOCTOR_INFO, "does not say", NULL);
	assert_row(doctor_look_aslr, DOCTOR_INFO, "does not say", NULL);
	assert_row(doctor_look_swap, DOCTOR_INFO, "does not say", NULL);
	assert_row(doctor_look_watchdog, DOCTOR_INFO, "none", NULL);
	assert_row(doctor_look_virtual, DOCTOR_OK, "no sign", NULL);
	assert_row(doctor_look_paranoid, DOCTOR_MISSING, "no perf events", "CONFIG_PERF_EVENTS");
	assert_row(doctor_look_btf, DOCTOR_MISSING, "no /sys/kernel/btf", "BTF");
	assert_row(doctor_look_seccomp, DOCTOR_MISSING, "no seccomp", "SECCOMP");
	assert_row(doctor_look_namespaces, DOCTOR_MISSING, "no user namespaces", "USER_NS");
	assert_row(doctor_look_cgroups, DOCTOR_WARN, "none: memory not offered",
		   "mount -t cgroup2");
}

static void clocks_of_a_laptop_have_remedies(void **state)
{
	(void)state;
	put(CPU "cpu0/cpufreq/scaling_governor", "powersave\n");
	put(CPU "intel_pstate/no_turbo", "0\n");
	put(CPU "smt/active", "1\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
	assert_row(doctor_look_governor, DOCTOR_WARN, "powersave", "-g performance");
	assert_row(doctor_look_turbo, DOCTOR_WARN, "on", "no_turbo");
	assert_row(doctor_look_smt, DOCTOR_WARN, "on", "smt/control");
	assert_row(doctor_look_clocksource, DOCTOR_WARN, "hpet", "dmesg");
}

static void a_prepared_host_is_fine(void **state)
{
	(void)state;
	put(CPU "cpu0/cpufreq/scaling_governor", "performance\n");
	put(CPU "cpufreq/boost", "0\n");
	put(CPU "smt/active", "0\n");
	put(CPU "isolated", "2-3\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	put("/proc/sys/kernel/nmi_watchdog", "0\n");
	put("/proc/sys/kernel/randomize_va_space", "2\n");
	put("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	assert_row(doctor_look_governor, DOCTOR_OK, "performance", NULL);
	assert_row(doctor_look_turbo, DOCTOR_OK, "off", NULL);
	assert_row(doctor_look_smt, DOCTOR_OK, "no sibling", NULL);
	assert_row(doctor_look_isolated, DOCTOR_OK, "2-3", NULL);
	assert_row(doctor_look_clocksource, DOCTOR_OK, "tsc", NULL);
	assert_row(doctor_look_watchdog, DOCTOR_OK, "off", NULL);
	assert_row(doctor_look_aslr, DOCTOR_OK, "on (2)", NULL);
	assert_row(doctor_look_swap, DOCTOR_OK, "none", NULL);
	assert_row(doctor_look_thp, DOCTOR_OK, "[madvise]", NULL);
}

static void the_governor_is_that_of_the_measured_cpu(void **state)
{
	struct rec_host h = {.cpu = -1};

	(void)state;
	put(CPU "cpu0/cpufreq/scaling_governor", "performance\n");
	put(CPU "cpu3/cpufreq/scaling_governor", "powersave\n");
	host_describe_cpu(&h, root, 3);
	assert_int_equal(h.cpu, 3);
	assert_string_equal(h.governor, "powersave");
	host_describe_cpu(&h, root, 0);
	assert_string_equal(h.governor, "performance");
	host_describe_cpu(&h, root, 1); /* has none */
	assert_int_equal(h.cpu, 1);
	assert_null(h.governor);
}

static void an_unprepared_host_is_told_what_to_do(void **state)
{
	(void)state;
	put(CPU "isolated", "(null)\n");
	put(CPU "online", "0\n");
	put("/proc/sys/kernel/nmi_watchdog", "1\n");
	put("/proc/sys/kernel/randomize_va_space", "0\n");
	put("/proc/swaps", "Filename\tType\n/dev/sda2 partition 1 0 -2\n");
	put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
	assert_row(doctor_look_isolated, DOCTOR_INFO, "none", "isolcpus=");
	assert_row(doctor_look_cpus, DOCTOR_WARN, "1 CPU", "2 CPUs");
	assert_row(doctor_look_watchdog, DOCTOR_WARN, "on", "kernel.nmi_watchdog=0");
	assert_row(doctor_look_aslr, DOCTOR_WARN, "off", "randomize_va_space=2");
	assert_row(doctor_look_swap, DOCTOR_INFO, "in use", "swapoff");
	assert_row(doctor_look_thp, DOCTOR_WARN, "[always]", "madvise");
}

/* What the kernel answers whoever opens a counter or makes a ruleset of Landlock. */
static int refusal;

long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
long __wrap_syscall(long nr, ...)
{
	va_list ap;
	long a[5];

	va_start(ap, nr);
	for (size_t i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!refusal || (nr != SYS_perf_event_open && nr != SYS_landlock_create_ruleset))
		return __real_syscall(nr, a[0], a[1], a[2], a[3], a[4]);
	if (nr == SYS_perf_event_open && refusal == PERF_OF_THE_KERNEL) {
		const struct perf_event_attr *attr = (const struct perf_event_attr *)a[0];

		errno = EACCES;
		return attr->exclude_kernel ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
	}
	errno = refusal;
	return -1;
}

/* /dev/null takes no enable. */
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	(void)fd;
	(void)request;
	return 0;
}

static void paranoid_levels_and_capabilities(void **state)
{
	static const char level[] = "/proc/sys/kernel/perf_event_paranoid";

	(void)state;
	put("/proc/self/status", "Name:\tx\nCapEff:\t0000000000000000\n");
	put(level, "-1\n");
	assert_row(doctor_look_paranoid, DOCTOR_OK, "-1", NULL);
	refusal = PERF_OF_THE_KERNEL;
	put(level, "2\n");
	assert_row(doctor_look_paranoid, DOCTOR_WARN, "2: user code may be", "paranoid=1");
	put(level, "3\n"); /* an upstream kernel, to which that is 2 */
	assert_row(doctor_look_paranoid, DOCTOR_WARN, "3: user code may be", "paranoid=1");
	refusal = EACCES; /* Debian's */
	assert_row(doctor_look_paranoid, DOCTOR_MISSING, "3: nothing may be counted", "paranoid=1");
	put("/proc/self/status", "Name:\tx\nCapEff:\t0000004000000000\n"); /* CAP_PERFMON */
	assert_row(doctor_look_paranoid, DOCTOR_OK, "may do all", NULL);
	refusal = 0;
	assert_true(hostfacts_capable(root, 38));
	assert_false(hostfacts_capable(root, 37));
	assert_false(hostfacts_capable(root, 39));
	assert_false(hostfacts_capable(root, 200));
}

/* Whatever refuses a counter has a text of its own, and it is the one that is true. */
static void refused_counters_have_texts_of_their_own(void **state)
{
	static const struct {
		int refusal;
		const char *pmu, *software, *remedy; /* findings, and the remedy for both */
	} cases[] = {
		{ENOENT, "no PMU", "no PMU", "host that does"},
		{EACCES, "does not allow counters", "does not allow counters", "paranoid"},
		{EBUSY, "counters are in use", "counters are in use", "other profilers"},
		{EMFILE, "too many files", "too many files", "ulimit -n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		refusal = cases[i].refusal;
		assert_row(doctor_look_pmu, DOCTOR_MISSING, cases[i].pmu, cases[i].remedy);
		assert_row(doctor_look_software, DOCTOR_MISSING, cases[i].software,
			   cases[i].remedy);
	}
	refusal = PERF_OF_THE_KERNEL;
	assert_row(doctor_look_software, DOCTOR_MISSING, "what the kernel does", "paranoid=1");
	refusal = EOPNOTSUPP;
	assert_row(doctor_look_landlock, DOCTOR_MISSING, "switched off", "lsm=landlock");
	refusal = ENOSYS;
	assert_row(doctor_look_landlock, DOCTOR_MISSING, "not in this kernel", "5.13");
	refusal = 0;
}

static void an_unreadable_level_is_not_called_a_missing_kernel(void **state)
{
	(void)state;
	put("/proc/sys/kernel/perf_event_paranoid/x", ""); /* a directory: EISDIR */
	assert_row(doctor_look_paranoid, DOCTOR_WARN, "cannot be read: Is a directory", "ls -l");
}

/* A table that says the same of two things explains neither. */
static void no_two_reasons_share_a_sentence(void **state)
{
	(void)state;
	for (enum reason i = 1; i < REASON_CNT; i++)
		for (enum reason j = 1; j < i; j++)
			assert_string_not_equal(reason_get(i)->sentence, reason_get(j)->sentence);
	for (enum watch_result i = 0; i < WATCH_RESULTS; i++) {
		assert_true(i == WATCH_ATTACHED || *watch_result_remedy(i));
		for (enum watch_result j = 0; j < i; j++)
			assert_string_not_equal(watch_result_str(i), watch_result_str(j));
	}
}

/* With no descriptor left every row would call something missing that is there. */
static void without_descriptors_nothing_is_said(void **state)
{
	struct rlimit old, none;
	struct doctor d;
	int err, free_fd = dup(0);

	(void)state;
	assert_true(free_fd >= 0);
	assert_int_equal(close(free_fd), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = (struct rlimit){(rlim_t)free_fd, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	err = doctor__examine(&d);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(err, -EMFILE);
}

static void virtual_machines_are_told(void **state)
{
	static const char vendor[] = "/sys/class/dmi/id/sys_vendor";

	(void)state;
	put(vendor, "Dell Inc.\n");
	assert_false(hostfacts_virtual(root));
	put(vendor, "QEMU\n");
	assert_true(hostfacts_virtual(root));
	put(vendor, "LENOVO\n");
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n");
	assert_row(doctor_look_virtual, DOCTOR_INFO, "a virtual machine", NULL);
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme\nbugs\t: hypervisor\n");
	assert_false(hostfacts_virtual(root));
}

static void assert_model(const char *cpuinfo, const char *want)
{
	AUTO_FREE char *got = NULL;

	put("/proc/cpuinfo", cpuinfo);
	got = hostfacts_cpu_model(root);
	if (!want)
		assert_null(got);
	else
		assert_string_equal(got, want);
}

static void cpu_models_of_several_machines(void **state)
{
	(void)state;
	assert_model("processor\t: 0\nmodel\t\t: 7\nmodel name\t: Some CPU @ 2.00GHz\n",
		     "Some CPU @ 2.00GHz");
	assert_model("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
		     "ARM implementer 0x41 part 0xd0c");
	assert_model("processor\t: 0\ncpu\t\t: POWER9, altivec\n", "POWER9, altivec");
	assert_model("", NULL);
	assert_model("model name", NULL);
}

static void steal_and_load_have_thresholds(void **state)
{
	(void)state;
	put("/proc/stat", "cpu  100 0 100 800 0 0 0 4 0 0\ncpu0 1 1 1\n");
	assert_row(doctor_look_steal, DOCTOR_OK, "0.40 %", NULL);
	put("/proc/stat", "cpu  100 0 100 800 0 0 0 50 900 0\n");
	assert_row(doctor_look_steal, DOCTOR_WARN, "4.76 %", "not shared");
	put("/proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\n");
	assert_row(doctor_look_steal, DOCTOR_OK, "0.00 %", NULL);
	put("/proc/stat", "cpu  1 2\n");
	assert_row(doctor_look_steal, DOCTOR_INFO, "does not say", NULL);
	put("/proc/loadavg", "0.10 0.17 0.06 1/87 6084\n");
	assert_row(doctor_look_load, DOCTOR_OK, "0.10", NULL);
	put("/proc/loadavg", "1.75 0.17 0.06 3/87 6084\n");
	assert_row(doctor_look_load, DOCTOR_WARN, "1.75 tasks", "top");
}

static void cgroups_of_a_hybrid_host(void **state)
{
	(void)state;
	put("/proc/self/cgroup", "8:pids:/\n4:memory:/a\n3:cpuset,memory_not:/\n0::/\n");
	put("/proc/self/mountinfo",
	    "30 22 0:27 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
	    "34 30 0:31 / /cg/memory rw,relatime - cgroup cgroup rw,memory\n"
	    "38 30 0:35 / /cg/pids rw,relatime shared:9 - cgroup cgroup rw,pids\n"
	    "40 30 0:37 / /cg/unified rw,relatime - cgroup2 cgroup2 rw\n");
	put("/cg/unified/cgroup.controllers", "hugetlb\n");
	put("/cg/memory/a/tasks", "");
	assert_row(doctor_look_cgroups, DOCTOR_WARN,
		   "hybrid: memory on v1, writable, pids on v1, read-only",
		   "mkdir /cg/memory/a/joust /cg/pids/joust");
	put("/cg/pids/tasks", "");
	assert_row(doctor_look_cgroups, DOCTOR_OK, "pids on v1, writable", NULL);
}

static void cgroups_of_a_v2_host(void **state)
{
	(void)state;
	put("/proc/self/cgroup", "0::/user.slice/s\n");
	put("/proc/self/mountinfo", "29 22 0:26 / /cg rw,nosuid - cgroup2 cgroup2 rw\n");
	put("/cg/user.slice/s/cgroup.controllers", "cpu memory pids\n");
	assert_row(doctor_look_cgroups, DOCTOR_OK,
		   "v2: memory on v2, writable, pids on v2, writable", NULL);
	put("/cg/user.slice/s/cgroup.controllers", "cpu pids memory.x\n");
	assert_row(doctor_look_cgroups, DOCTOR_WARN, "memory not offered, pids on v2",
		   "CONFIG_MEMCG");
	put("/cg/cgroup.controllers", "cpu memory pids\n");
	assert_row(doctor_look_cgroups, DOCTOR_WARN, "memory not offered, pids on v2",
		   ">/cg/cgroup.subtree_control, mkdir /cg/joust");
	put("/run/systemd/system/s", "");
	assert_row(doctor_look_cgroups, DOCTOR_WARN, "memory not offered, pids on v2",
		   "Delegate=yes");
	put("/proc/self/mountinfo", "cgroup2\n");
	assert_row(doctor_look_cgroups, DOCTOR_WARN, "none: memory not offered",
		   "mount -t cgroup2");
}

static void locks_on_namespaces_are_named(void **state)
{
	static const char clone_lock[] = "/proc/sys/kernel/unprivileged_userns_clone";

	(void)state;
	put("/proc/self/ns/user", "");
	put("/proc/sys/user/max_user_namespaces", "100\n");
	assert_row(doctor_look_namespaces, DOCTOR_OK, "allowed", NULL);
	put(clone_lock, "0\n");
	assert_row(doctor_look_namespaces, DOCTOR_MISSING, clone_lock, "userns_clone=1");
	put(clone_lock, "1\n");
	put("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
	assert_row(doctor_look_namespaces, DOCTOR_MISSING, "apparmor", "userns=0");
	put("/proc/sys/kernel/seccomp/actions_avail", "kill_process kill_thread errno allow\n");
	assert_row(doctor_look_seccomp, DOCTOR_WARN, "without notification", "5.0");
	put("/proc/sys/kernel/seccomp/actions_avail", "kill_process user_notif allow\n");
	assert_row(doctor_look_seccomp, DOCTOR_OK, "with notification", NULL);
}

/* ---- The real host ---- */

static void every_row_of_this_host_is_whole(void **state)
{
	static const char *const names[] = {"cpus",	     "virtual-machine",
					    "pmu",	     "perf-paranoid",
					    "perf-software", "bpf",
					    "btf",	     "cgroups",
					    "turbo",	     "governor",
					    "smt",	     "isolated-cpus",
					    "steal",	     "nmi-watchdog",
					    "load",	     "clocksource",
					    "thp",	     "aslr",
					    "swap",	     "namespaces",
					    "quiet",	     "seccomp",
					    "landlock",	     "sandbox"};
	struct doctor d;
	bool met;

	(void)state;
	assert_int_equal(doctor__examine(&d), 0);
	assert_int_equal(d.cnt, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < d.cnt; i++) {
		const struct doctor_row *row = &d.rows[i];

		assert_true(doctor_requirement(&d, names[i], &met));
		assert_true(row->finding && *row->finding);
		if (row->state == DOCTOR_WARN || row->state == DOCTOR_MISSING)
			assert_non_null(row->remedy);
	}
	assert_false(doctor_requirement(&d, "no-such-row", &met));
	doctor__done(&d);
	doctor__done(&d);
}

static void requirements_are_met_by_ok_and_info(void **state)
{
	char ok[] = "";
	struct doctor_row rows[] = {{"a", DOCTOR_OK, ok, NULL},
				    {"b", DOCTOR_INFO, ok, NULL},
				    {"c", DOCTOR_WARN, ok, NULL},
				    {"d", DOCTOR_MISSING, ok, NULL}};
	const struct doctor d = {.cnt = 4, .rows = rows};
	bool met[4];

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_true(doctor_requirement(&d, rows[i].name, &met[i]));
	assert_true(met[0] && met[1] && !met[2] && !met[3]);
}

static void printing_is_safe_and_plain(void **state)
{
	char finding[] = "evil \033[2J model";
	char remedy[] = "do this";
	struct doctor_row rows[] = {{"cpus", DOCTOR_WARN, finding, remedy}};
	const struct doctor d = {.cnt = 1, .rows = rows};
	AUTO_FREE char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	doctor_print(out, &d, false);
	assert_int_equal(fclose(out), 0);
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "warn"));
	assert_non_null(strstr(text, "-> do this"));
}

static void this_host_is_described(void **state)
{
	struct rec_host h;

	(void)state;
	assert_int_equal(host_describe(&h), 0);
	assert_non_null(h.kernel);
	assert_int_equal(strlen(h.hostname_hash), 16);
	assert_true(h.cpus >= 1);
	assert_int_equal(h.cpu, -1);
	assert_true(h.pmu == !h.pmu_missing);
	assert_false(h.bpf);
	free(h.kernel);
	free(h.cpu_model);
	free(h.hostname_hash);
	free(h.pmu_missing);
	free(h.governor);
}

#define ROOTED(f) cmocka_unit_test_setup_teardown(f, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROOTED(a_bare_tree_is_described_without_guessing),
		ROOTED(clocks_of_a_laptop_have_remedies),
		ROOTED(the_governor_is_that_of_the_measured_cpu),
		ROOTED(a_prepared_host_is_fine),
		ROOTED(an_unprepared_host_is_told_what_to_do),
		ROOTED(paranoid_levels_and_capabilities),
		ROOTED(virtual_machines_are_told),
		ROOTED(cpu_models_of_several_machines),
		ROOTED(steal_and_load_have_thresholds),
		ROOTED(cgroups_of_a_hybrid_host),
		ROOTED(cgroups_of_a_v2_host),
		ROOTED(refused_counters_have_texts_of_their_own),
		ROOTED(an_unreadable_level_is_not_called_a_missing_kernel),
		cmocka_unit_test(no_two_reasons_share_a_sentence),
		cmocka_unit_test(without_descriptors_nothing_is_said),
		ROOTED(locks_on_namespaces_are_named),
		cmocka_unit_test(every_row_of_this_host_is_whole),
		cmocka_unit_test(requirements_are_met_by_ok_and_info),
		cmocka_unit_test(printing_is_safe_and_plain),
		cmocka_unit_test(this_host_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
