/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does `joust doctor` say what is so? Counters are made missing in one way after the other, and what
 * is said must name that way; where what it advises can be done here it is done, and must help. As
 * root of a guest whose kernel is Debian's.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../engine/host/hostinfo.h"
#include "count.h"
#include "tap.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define NOBODY	 65534
#define CGROUPS	 "/sys/fs/cgroup"
#define OWN	 CGROUPS "/joust"
#define ROWS_MAX 32
#define TEXT_MAX 512

/* What doctor said in a child: shared with it. */
struct said {
	size_t cnt;
	struct {
		char name[32], finding[TEXT_MAX], remedy[TEXT_MAX];
		enum doctor_state state;
	} row[ROWS_MAX];
};

static struct said *said;

static void keep(const struct doctor *d)
{
	for (size_t i = 0; i < d->cnt && i < ROWS_MAX; i++) {
		const struct doctor_row *row = &d->rows[i];

		(void)snprintf(said->row[i].name, sizeof(said->row[i].name), "%s", row->name);
		(void)snprintf(said->row[i].finding, TEXT_MAX, "%s", row->finding);
		(void)snprintf(said->row[i].remedy, TEXT_MAX, "%s", row->remedy ? row->remedy : "");
		said->row[i].state = row->state;
		said->cnt = i + 1;
	}
}

/* Lets doctor look from a child that has been set up by `prepare`. */
static void ask(void (*prepare)(void))
{
	int status;
	pid_t pid;

	memset(said, 0, sizeof(*said));
	pid = fork();
	if (pid < 0)
		tap_die("fork");
	if (pid == 0) {
		struct doctor d;

		prepare();
		if (doctor__examine(&d))
			_exit(1);
		keep(&d);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		tap_note("doctor could not look: status %d", status);
}

/* A test: row `name` is in that state, and says and advises that. */
static void says(const char *where, const char *name, enum doctor_state state, const char *finding,
		 const char *remedy)
{
	for (size_t i = 0; i < said->cnt; i++) {
		if (strcmp(said->row[i].name, name))
			continue;
		if (!tap_ok(said->row[i].state == state && strstr(said->row[i].finding, finding) &&
				    (*remedy ? strstr(said->row[i].remedy, remedy) != NULL
					     : !*said->row[i].remedy),
			    "%s, %s: %s", where, name, finding))
			tap_note("it says (%d): %s -> %s", (int)said->row[i].state,
				 said->row[i].finding, said->row[i].remedy);
		return;
	}
	tap_ok(false, "%s: there is a row %s", where, name);
}

static void be_root(void)
{
}

static void be_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(2);
}

static void hide_btf(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/sys/kernel/btf", "tmpfs", 0, NULL))
		_exit(2);
}

/* One descriptor is left: enough to read files, and for no group of two events. */
static void leave_one_descriptor(void)
{
	struct rlimit limit;
	int first = dup(0);

	if (first < 0 || close(first) || getrlimit(RLIMIT_NOFILE, &limit))
		_exit(2);
	limit.rlim_cur = (rlim_t)first + 1;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		_exit(2);
}

static void levels_of_paranoia(bool pmu)
{
	count_set(PARANOID, "4");
	ask(be_nobody);
	says("level 4", "perf-paranoid", DOCTOR_MISSING, "4: nothing may be counted", "paranoid=1");
	count_set(PARANOID, "3");
	ask(be_nobody);
	says("level 3", "perf-paranoid", DOCTOR_MISSING, "3: nothing may be counted", "paranoid=1");
	says("level 3", "pmu", DOCTOR_MISSING, "the kernel does not allow counters",
	     "perf_event_paranoid to 2 or lower");
	says("level 3", "perf-software", DOCTOR_MISSING, "the kernel does not allow counters",
	     "paranoid=1");
	count_set(PARANOID, "2");
	ask(be_nobody);
	says("level 2", "perf-paranoid", DOCTOR_WARN,
	     "2: user code may be counted, switches may not", "paranoid=1");
	says("level 2, as advised", "pmu", pmu ? DOCTOR_OK : DOCTOR_MISSING,
	     pmu ? "instructions are counted" : "this host has no PMU",
	     pmu ? "" : "Virtual machines");
	says("level 2", "perf-software", DOCTOR_MISSING, "what the kernel does for a program",
	     "paranoid=1");
	count_set(PARANOID, "1");
	ask(be_nobody);
	says("level 1, as advised", "perf-paranoid", DOCTOR_OK, "1", "");
	says("level 1, as advised", "perf-software", DOCTOR_OK, "count what is known", "");
	count_set(PARANOID, "3");
	ask(be_root);
	says("level 3, root", "perf-paranoid", DOCTOR_OK, "3, and this user may do all", "");
	says("level 3, root", "perf-software", DOCTOR_OK, "count what is known", "");
}

static void tracing(void)
{
	ask(be_root);
	says("root", "bpf", DOCTOR_OK, "takes tracing programs", "");
	says("root", "btf", DOCTOR_OK, "describes its types", "");
	ask(be_nobody);
	says("nobody", "bpf", DOCTOR_MISSING, "this user may not load tracing programs", "setcap");
	says("nobody", "btf", DOCTOR_OK, "describes its types", "");
	ask(hide_btf);
	says("no BTF", "bpf", DOCTOR_MISSING, "does not describe its types", "DEBUG_INFO_BTF");
	says("no BTF", "btf", DOCTOR_MISSING, "no /sys/kernel/btf/vmlinux", "DEBUG_INFO_BTF");
}

static void counters_that_others_took(void)
{
	int fd[COUNT_CPU_EVENTS];

	count_take_cpu0(fd);
	ask(be_root);
	says("all counters taken", "pmu", DOCTOR_MISSING, "the counters are in use",
	     "other profilers");
	says("all counters taken", "perf-software", DOCTOR_OK, "count what is known", "");
	count_give_back(fd);
	ask(be_root);
	says("given back, as advised", "pmu", DOCTOR_OK, "instructions are counted", "");
}

/* What is not missing for lack of descriptors must not be called missing. */
static void no_descriptors(bool pmu)
{
	ask(leave_one_descriptor);
	if (pmu)
		says("one descriptor", "pmu", DOCTOR_MISSING, "too many files are open",
		     "ulimit -n");
	says("one descriptor", "perf-software", DOCTOR_MISSING, "too many files are open",
	     "ulimit -n");
	says("one descriptor", "perf-paranoid", DOCTOR_OK, "this user may do all", "");
	says("one descriptor", "bpf", DOCTOR_OK, "takes tracing programs", "");
	says("one descriptor", "seccomp", DOCTOR_OK, "with notification", "");
}

/* Every step of the advice, and then whether it helped. */
static void cgroups_of_v2(void)
{
	char number[16];

	ask(be_root);
	says("root", "cgroups", DOCTOR_OK, "v2: memory on v2, writable, pids on v2, writable", "");
	ask(be_nobody);
	says("nobody", "cgroups", DOCTOR_WARN, "memory on v2, not delegated",
	     "echo +memory +pids >" CGROUPS "/cgroup.subtree_control, mkdir " OWN ",");
	count_set(CGROUPS "/cgroup.subtree_control", "+memory +pids");
	if (mkdir(OWN, 0755) || chown(OWN, NOBODY, NOBODY) ||
	    chown(OWN "/cgroup.procs", NOBODY, NOBODY) ||
	    chown(OWN "/cgroup.subtree_control", NOBODY, NOBODY))
		tap_die(OWN);
	(void)snprintf(number, sizeof(number), "%d", (int)getpid());
	count_set(OWN "/cgroup.procs", number);
	ask(be_nobody);
	says("nobody, as advised", "cgroups", DOCTOR_OK,
	     "v2: memory on v2, writable, pids on v2, writable", "");
	count_set(CGROUPS "/cgroup.procs", number);
	if (rmdir(OWN))
		tap_die(OWN);
	count_set(CGROUPS "/cgroup.subtree_control", "-memory -pids");
}

int main(void)
{
	bool pmu = perf_hw_available() == REASON_NONE;

	if (geteuid() != 0)
		tap_skip_all("only root can make counters missing");
	said = mmap(NULL, sizeof(*said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (said == MAP_FAILED)
		tap_die("mmap");
	levels_of_paranoia(pmu);
	tracing();
	no_descriptors(pmu);
	cgroups_of_v2();
	if (pmu)
		counters_that_others_took();
	return tap_done();
}
