/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the engine's control groups promise, on whatever this kernel has: v1, v2 or both. As root in a
 * guest with v2 and on a host with v1 the same tests run. One argument: how many comparisons of peak
 * memory are made (5).
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/host/cgroup_clean.h"
#include "engine/host/cgroup_files.h"
#include "engine/host/ends.h"
#include "engine/host/peak.h"
#include "engine/util/clock.h"
#include "cgroup_child.h"
#include "tap.h"

#define MIB	    (1024.0 * 1024)
#define BASE_MIB    20
#define MORE_MIB    5
#define LIMIT_NS    120000000000ull /* emulated guests are slow */
#define FILE_MIB    100
#define PIDS	    32
#define WORSE_BY    1.10 /* as the metric is judged */
#define WORSE_LEAST 1e6

static char self[4096];
static struct cgroup tree;
static const struct cgroup_limits roomy = {.memory_bytes = 1u << 30, .pids = 256};

/* --- running them --- */

static int start_in(struct child *c, struct cgroup_leaf *leaf, int protocol_fd, const char *what,
		    size_t a, size_t b)
{
	char one[24], two[24];
	const char *argv[] = {self, "--child", what, one, two, NULL};
	const char *envp[] = {NULL};
	struct child_spec spec = {.path = self,
				  .argv = argv,
				  .envp = envp,
				  .protocol_fd = protocol_fd,
				  .output_fd = -1,
				  .leaf = leaf};

	(void)snprintf(one, sizeof(one), "%zu", a);
	(void)snprintf(two, sizeof(two), "%zu", b);
	return child__start(c, &spec);
}

static bool open_leaf(struct cgroup_leaf *leaf, const struct cgroup_limits *limits)
{
	int err = cgroup_leaf__open(leaf, &tree, "proof", limits);

	if (err)
		tap_note("a leaf: %s", strerror(-err));
	return !err;
}

static uint64_t in(uint64_t ns)
{
	return clock_ns(CLOCK_MONOTONIC) + ns;
}

/* Runs a child in a leaf of its own to its end, at most for `limit_ns`; the child as it ended. */
static struct child run(const struct cgroup_limits *limits, const char *what, size_t mib,
			uint64_t limit_ns, double *ret_peak)
{
	struct cgroup_leaf leaf = {0};
	struct child c = {0};

	if (!open_leaf(&leaf, limits) || start_in(&c, &leaf, -1, what, mib, 0))
		tap_die("a child in a leaf");
	if (child__wait(&c, -1, in(limit_ns), -1) != CHILD_EXITED)
		child__kill(&c, true);
	if (ret_peak && cgroup_leaf__peak(&leaf, ret_peak))
		*ret_peak = NAN;
	cgroup_leaf__close(&leaf);
	c.leaf = NULL;
	return c;
}

/* --- peak memory --- */

static double peak_of(const char *what, size_t mib)
{
	double peak = NAN;
	struct child c = run(&roomy, what, mib, LIMIT_NS, &peak);

	return c.status ? NAN : peak;
}

static double peak_of_command(size_t mib)
{
	return peak_of("touch", mib);
}

static double peak_of_worker(size_t setup, size_t work, int *ret_how)
{
	struct cgroup_leaf leaf = {0};
	struct child c = {0};
	struct peak p;
	enum reason why = REASON_NO_CGROUP;
	double bytes = NAN;
	char byte;
	int pair[2];

	if (!open_leaf(&leaf, &roomy) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) ||
	    start_in(&c, &leaf, pair[1], "live", setup, work))
		tap_die("a worker in a leaf");
	(void)close(pair[1]);
	if (read(pair[0], &byte, 1) == 1) {
		peak__open(&p, &leaf, c.pid);
		peak__begin(&p);
		*ret_how = (int)p.how;
		if (write(pair[0], "g", 1) == 1 && read(pair[0], &byte, 1) == 1)
			peak__end(&p);
		bytes = peak_value(&p, 0, &why);
		peak__close(&p);
	}
	(void)close(pair[0]);
	child__done(&c);
	cgroup_leaf__close(&leaf);
	return why == REASON_NONE ? bytes : NAN;
}

static bool is_worse(double base, double cand)
{
	return cand >= base * WORSE_BY && cand - base >= WORSE_LEAST;
}

static void peaks_are_found(unsigned comparisons)
{
	unsigned found = 0, quiet = 0;
	int how = PEAK_NONE;

	if (isnan(peak_of_command(BASE_MIB))) {
		tap_skip("planted +5 MiB", "this kernel has no peak of a cgroup");
		return;
	}
	for (unsigned i = 0; i < comparisons; i++) {
		double base = peak_of_command(BASE_MIB);

		found += is_worse(base, peak_of_command(BASE_MIB + MORE_MIB));
		quiet += !is_worse(base, peak_of_command(BASE_MIB));
	}
	tap_equal(found, comparisons, "command: planted +5 MiB on 20 MiB is found");
	tap_equal(quiet, comparisons, "command: +0 is not");
	for (unsigned i = found = quiet = 0; i < comparisons; i++) {
		double base = peak_of_worker(BASE_MIB, BASE_MIB, &how);

		found += is_worse(base, peak_of_worker(BASE_MIB, BASE_MIB + MORE_MIB, &how));
		quiet += !is_worse(base, peak_of_worker(BASE_MIB, BASE_MIB, &how));
	}
	tap_note("workers are read by %s", how == PEAK_CGROUP ? "their cgroup" : "VmHWM");
	tap_equal(found, comparisons, "worker: planted +5 MiB on 20 MiB is found");
	tap_equal(quiet, comparisons, "worker: +0 is not");
}

/* On a disk, and in no cache; false: it could not be made. In a guest everything lies in memory. */
static bool make_cold_file(void)
{
	static char mib[1 << 20];
	int fd = open(CGROUP_CHILD_FILE, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool good = fd >= 0;

	memset(mib, 'x', sizeof(mib));
	for (int i = 0; i < FILE_MIB && good; i++)
		good = write(fd, mib, sizeof(mib)) == sizeof(mib);
	if (good)
		good = !fsync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (fd >= 0)
		(void)close(fd);
	return good;
}

/* The first that reads it pays for the cache; a comparison drops the first of each side. */
static void a_read_file_does_not_show(unsigned comparisons)
{
	unsigned found = 0, quiet = 0;

	if (!make_cold_file()) {
		tap_skip("a program that reads 100 MB", "the file cannot be made here");
	} else {
		tap_note("the first has %.1f MiB", peak_of("file", BASE_MIB) / MIB);
		for (unsigned i = 0; i < comparisons; i++) {
			double base = peak_of("file", BASE_MIB);

			found += is_worse(base, peak_of("file", BASE_MIB + MORE_MIB));
			quiet += !is_worse(base, peak_of("file", BASE_MIB));
		}
		tap_equal(found, comparisons, "a program that reads 100 MB: +5 MiB is found");
		tap_equal(quiet, comparisons, "a program that reads 100 MB: +0 is not");
	}
	(void)unlink(CGROUP_CHILD_FILE);
}

static void a_start_is_subtracted(void)
{
	int how;
	double small = peak_of_worker(1, BASE_MIB, &how), big = peak_of_worker(60, BASE_MIB, &how);

	tap_ok(fabs(small - BASE_MIB * MIB) < MIB, "set-up of 1 MiB: the peak is the work's");
	tap_ok(fabs(big - BASE_MIB * MIB) < MIB, "set-up of 60 MiB, and 160 given back: the same");
	tap_note("%.2f and %.2f MiB", small / MIB, big / MIB);
}

static void a_big_engine_does_not_show(void)
{
	double before = peak_of_command(BASE_MIB), with;
	size_t len = 300u << 20;
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		tap_die("300 MiB");
	memset(p, 1, len);
	with = peak_of_command(BASE_MIB);
	(void)munmap(p, len);
	tap_ok(!is_worse(before, with), "an engine that holds 300 MiB does not show");
	tap_note("%.2f and %.2f MiB", before / MIB, with / MIB);
}

/* --- limits --- */

static void memory_has_a_limit(void)
{
	const struct cgroup_limits small = {.memory_bytes = 64u << 20, .pids = PIDS};
	struct child c = run(&small, "touch", 10240, LIMIT_NS, NULL);

	tap_equal(end_of(&c), REASON_MEMORY_LIMIT, "10 GiB under a limit of 64 MiB: memory-limit");
	tap_ok(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGKILL, "by SIGKILL");
}

/* The host's own lack of memory, played by the limit of the group above. */
static void who_lacks_memory_is_told_apart(void)
{
	const struct cgroup_hierarchy *h = &tree.hierarchy[tree.of[CGROUP_MEMORY]];
	const char *file = h->version == 2 ? "memory.max" : "memory.limit_in_bytes";
	struct child c;

	if (cgroup_file_write_u64(h->top_fd, file, 200u << 20))
		tap_die("the limit of the group above");
	c = run(&roomy, "touch", 900, LIMIT_NS, NULL);
	if (cgroup_file_write(h->top_fd, file, h->version == 2 ? "max" : "-1"))
		tap_die("the limit of the group above, taken back");
	tap_equal(end_of(&c), REASON_KILLED_BY_SYSTEM, "no limit of its own: killed-by-system");
}

static void processes_have_a_limit(void)
{
	const struct cgroup_limits few = {.memory_bytes = 1u << 30, .pids = PIDS};
	struct cgroup_leaf leaf = {0};
	struct child c = {0};
	uint64_t most = 0, now, begun;
	int fd;

	if (!open_leaf(&leaf, &few) || start_in(&c, &leaf, -1, "bomb", 0, 0))
		tap_die("a fork bomb in a leaf");
	fd = leaf.dir_fd[tree.of[CGROUP_PIDS]];
	for (int i = 0; i < 20000 && cgroup_leaf__events(&leaf).pids_max < 20; i++) {
		if (!cgroup_file_u64(fd, "pids.current", &now) && now > most)
			most = now;
		(void)poll(NULL, 0, 5);
	}
	tap_equal(end_limit(&c), REASON_PIDS_LIMIT, "a fork bomb: pids-limit, while it runs");
	tap_equal(most, PIDS, "as many processes as the limit and no more");
	begun = clock_ns(CLOCK_MONOTONIC);
	child__kill(&c, true);
	tap_equal((unsigned)cgroup_leaf__populated(&leaf), 0, "killed whole");
	tap_note("in %.3f s", (double)(clock_ns(CLOCK_MONOTONIC) - begun) / 1e9);
	tap_equal(end_of(&c), REASON_PIDS_LIMIT, "and pids-limit is why");
	child__done(&c);
	cgroup_leaf__close(&leaf);
}

/* --- ends --- */

static void who_hides_is_found(void)
{
	struct child c = run(&roomy, "hide", 0, LIMIT_NS, NULL);

	tap_equal(end_of(&c), REASON_LEFT_PROCESSES, "a daemon without lineage: left-processes");
}

static bool set_frozen(const struct cgroup_leaf *leaf)
{
	int at = tree.of[CGROUP_TREE];

	return at >= 0 && !cgroup_file_write(leaf->dir_fd[at], "cgroup.freeze", "1");
}

static void what_stands_still_is_killed(bool frozen)
{
	struct cgroup_leaf leaf = {0};
	struct child c = {0};
	uint64_t begun;

	if (!open_leaf(&leaf, &roomy) || start_in(&c, &leaf, -1, "pause", 0, 0))
		tap_die("a child that stands still");
	(void)kill(c.pid, SIGSTOP);
	if (frozen && !set_frozen(&leaf)) {
		tap_skip("frozen", "no cgroup.freeze here");
	} else {
		begun = clock_ns(CLOCK_MONOTONIC);
		child__kill(&c, true);
		tap_ok(c.reaped && clock_ns(CLOCK_MONOTONIC) - begun < 5000000000ull,
		       "stopped%s: killed within 5 s", frozen ? " and frozen" : "");
	}
	child__done(&c);
	cgroup_leaf__close(&leaf);
}

static void a_lost_group_is_said(void)
{
	struct cgroup_leaf leaf = {0};
	struct child c = {0};

	if (!open_leaf(&leaf, &roomy) || start_in(&c, &leaf, -1, "pause", 0, 0))
		tap_die("a child in a leaf");
	for (unsigned i = 0; i < tree.cnt; i++) {
		const struct cgroup_hierarchy *h = &tree.hierarchy[i];
		char pid[24];

		(void)snprintf(pid, sizeof(pid), "%d", c.pid);
		if (cgroup_file_write(h->top_fd, "engine/cgroup.procs", pid) ||
		    unlinkat(h->top_fd, leaf.name, AT_REMOVEDIR))
			tap_die("taking a group away");
	}
	tap_equal(end_limit(&c), REASON_CGROUP_LOST, "a group removed from outside: cgroup-lost");
	child__kill(&c, true);
	tap_ok(c.reaped, "and its process is killed without it");
	child__done(&c);
	cgroup_leaf__close(&leaf);
	tap_ok(open_leaf(&leaf, &roomy), "the next one gets a new group");
	cgroup_leaf__close(&leaf);
}

/* --- trees of other engines --- */

static bool exists(const char *base, const char *name)
{
	AUTO_FREE char *path = NULL;
	struct stat st;

	if (asprintf(&path, "%s/%s", base, name) < 0)
		tap_die("a path");
	return !stat(path, &st);
}

/* Another engine with a child in a leaf; its name comes through the pipe. */
static pid_t other_engine(char name[static 64])
{
	int out[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC))
		tap_die("pipe");
	pid = fork();
	if (pid == 0) {
		struct cgroup_leaf leaf = {0};
		struct child c = {0};

		cgroup__open(&tree, false);
		if (cgroup_leaf__open(&leaf, &tree, "proof", &roomy) ||
		    start_in(&c, &leaf, -1, "pause", 0, 0) ||
		    write(out[1], tree.name, sizeof(tree.name)) < 0)
			_exit(1);
		(void)pause();
		_exit(0);
	}
	(void)close(out[1]);
	if (read(out[0], name, 64) != 64)
		tap_die("another engine");
	(void)close(out[0]);
	return pid;
}

static void only_dead_engines_are_cleaned(void)
{
	char dead[64], alive[64], base[PATH_MAX];
	pid_t victim = other_engine(dead), survivor = other_engine(alive);
	unsigned left = 0, kept = 0;

	(void)kill(victim, SIGKILL);
	(void)waitpid(victim, NULL, 0);
	cgroup__open(&tree, false);
	tap_ok(cgroup_has(&tree, CGROUP_MEMORY), "a second engine in the same group");
	for (unsigned i = 0; i < tree.cnt; i++) {
		left += exists(tree.hierarchy[i].base, dead);
		kept += exists(tree.hierarchy[i].base, alive);
	}
	tap_equal(left, 0, "what a killed engine left is cleaned");
	tap_equal(kept, tree.cnt, "what a living one has is not");
	(void)snprintf(base, sizeof(base), "%s", tree.hierarchy[0].base);
	cgroup__close(&tree);
	(void)kill(survivor, SIGKILL);
	(void)waitpid(survivor, NULL, 0);
	cgroup__open(&tree, false);
	cgroup__close(&tree);
	tap_ok(!exists(base, alive), "until it is dead too");
}

static bool names_another(const char *edit, const char *with)
{
	char name[64], changed[96], *at;

	if (cgroup_name(name, sizeof(name)))
		tap_die("a name");
	at = strcmp(edit, "namespace") ? strchr(strchr(name, '.') + 1, '.') : strrchr(name, '.');
	(void)snprintf(changed, sizeof(changed), "%.*s.%s%s", (int)(at - name), name, with,
		       strcmp(edit, "start") ? "" : strrchr(name, '.'));
	return cgroup_name_is_dead(changed);
}

static void names_say_who_owns(void)
{
	char name[64];

	tap_ok(!cgroup_name(name, sizeof(name)) && !cgroup_name_is_dead(name),
	       "our own name lives");
	tap_ok(names_another("start", "1"), "our number with another start is dead");
	tap_ok(!names_another("namespace", "1"), "of another PID namespace nobody can tell");
	tap_ok(!cgroup_name_is_dead("joust.1.2") && !cgroup_name_is_dead("joust.1.2.3.4") &&
		       !cgroup_name_is_dead("user.slice") && !cgroup_name_is_dead("joust.x.2.3"),
	       "other names are not ours");
}

static bool is_home(const char *name)
{
	char groups[16384];
	ssize_t len = cgroup_file_read(AT_FDCWD, "/proc/self/cgroup", groups, sizeof(groups));

	return len > 0 && !strstr(groups, name);
}

static void the_tree_goes(void)
{
	char name[64], base[CGROUP_CONTROLLER_CNT][PATH_MAX];
	unsigned cnt, left = 0;

	cgroup__open(&tree, false);
	cnt = tree.cnt;
	(void)snprintf(name, sizeof(name), "%s", tree.name);
	tap_ok(!is_home(name), "the engine is in its own leaf");
	for (unsigned i = 0; i < cnt; i++)
		(void)snprintf(base[i], PATH_MAX, "%s", tree.hierarchy[i].base);
	cgroup__close(&tree);
	for (unsigned i = 0; i < cnt; i++)
		left += exists(base[i], name);
	tap_equal(left, 0, "at the end nothing is left");
	tap_ok(is_home(name), "and the engine is where it was");
}

static void all_proofs(unsigned comparisons)
{
	peaks_are_found(comparisons);
	a_read_file_does_not_show(comparisons);
	a_start_is_subtracted();
	a_big_engine_does_not_show();
	memory_has_a_limit();
	who_lacks_memory_is_told_apart();
	processes_have_a_limit();
	who_hides_is_found();
	what_stands_still_is_killed(false);
	what_stands_still_is_killed(true);
	a_lost_group_is_said();
}

int main(int argc, char **argv)
{
	char *text;

	if (argc > 2 && !strcmp(argv[1], "--child"))
		cgroup_child(argv + 2);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || child_engine_setup())
		tap_die("the program's own path");
	cgroup__open(&tree, false);
	if (!cgroup_has(&tree, CGROUP_MEMORY) || !cgroup_has(&tree, CGROUP_PIDS))
		tap_skip_all("no cgroup with memory and pids that may be written here");
	text = cgroup_describe(&tree);
	tap_note("%s", text ? text : "out of memory");
	free(text);
	all_proofs(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 5);
	cgroup__close(&tree);
	names_say_who_owns();
	only_dead_engines_are_cleaned();
	the_tree_goes();
	return tap_done();
}
