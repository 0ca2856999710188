/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is what BPF records true? Each proof lets a watched process do a known number of things, and
 * compares the record with that number and with what the kernel counts elsewhere.
 * usage: interference_proofs [REPETITIONS [TEXT]]
 * TAP; only proofs whose name contains TEXT; exit status 77: nothing can be attached here.
 *
 * A repetition whose record says itself that something was not seen is approximate: at most 2, or 2
 * in 100, of a proof may be. One that claims to be exact and is not fails its proof.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "command.h"
#include "subject.h"

#define SKIPPED 77

static int number, failures;
static const char *only = "";

static void result(bool good, const char *name, const char *detail)
{
	printf("%sok %d - %s%s%s\n", good ? "" : "not ", ++number, name, *detail ? "  # " : "",
	       detail);
	(void)fflush(stdout); /* children must not print it again */
	failures += !good;
}

struct tally {
	int repetitions, approximate, wrong;
	char why[256];
};

static void count_wrong(struct tally *t, const char *why)
{
	(void)snprintf(t->why, sizeof(t->why), "%s", why);
	t->wrong++;
}

static void report(const struct tally *t, const char *name)
{
	int allowed = t->repetitions > 100 ? t->repetitions / 50 : 2;
	char detail[512];

	if (!strstr(name, only)) {
		printf("ok %d - %s # SKIP not asked for\n", ++number, name);
		return;
	}
	(void)snprintf(detail, sizeof(detail), "%d of %d exact, %d approximate, %d wrong%s%s",
		       t->repetitions - t->approximate - t->wrong, t->repetitions, t->approximate,
		       t->wrong, t->wrong ? ": " : "", t->why);
	result(!t->wrong && t->approximate <= allowed, name, detail);
}

/* Of a tree getrusage counts the last switch of some that were waited for: its proof compares. */
static bool is_approximate(const struct proof *p, const struct outcome *o)
{
	if (o->missed_cnt || o->diff.record.unwatched_cnt || o->diff.record.sum.lost_cnt)
		return true;
	return !p->tree && !joust_interference_agrees(&o->diff.record.sum, o->diff.voluntary,
						      o->diff.involuntary);
}

static void prove(struct watch *w, const struct proof *p, int repetitions, const char *where)
{
	struct tally t = {.repetitions = repetitions};
	char name[256];

	(void)snprintf(name, sizeof(name), "%s%s", p->name, where);
	if (p->other_cpu && allowed_cpus[1] < 0) {
		printf("ok %d - %s # SKIP there is one CPU only\n", ++number, name);
		return;
	}
	for (int i = 0; i < repetitions && strstr(p->name, only); i++) {
		struct outcome o;
		char what[256];
		int err = subject_run(w, p, &o);

		if (err)
			count_wrong(&t, strerror(-err));
		else if (is_approximate(p, &o))
			t.approximate++;
		else if (p->check(&o, what))
			count_wrong(&t, what);
	}
	report(&t, name);
}

static bool command_is_approximate(const struct command_outcome *o)
{
	return o->missed_cnt || o->record.unwatched_cnt || o->record.sum.lost_cnt;
}

static void prove_command(struct watch *w, const struct command_proof *p, int repetitions)
{
	struct tally t = {.repetitions = repetitions};

	for (int i = 0; i < repetitions && strstr(p->name, only); i++) {
		struct command_outcome o;
		char what[256];
		int err = command_run(w, p, &o);

		if (err)
			count_wrong(&t, strerror(-err));
		else if (command_is_approximate(&o))
			t.approximate++;
		else if (p->check(&o, what))
			count_wrong(&t, what);
	}
	report(&t, p->name);
}

/* By the first proof, which does little but switch. */
static int measure_switch(struct watch *w)
{
	struct outcome o;
	int err = subject_run(w, &proofs[0], &o);

	if (err)
		return err;
	if (o.diff.voluntary && o.diff.thread_ns > o.diff.perf_clock_ns)
		switch_ns = (o.diff.thread_ns - o.diff.perf_clock_ns) / o.diff.voluntary;
	if (switch_ns < 1000)
		switch_ns = 1000;
	printf("# the clocks of the kernel differ by %lu ns a switch\n", switch_ns);
	return 0;
}

/* Whoever is given a lane can read it, and nothing else. */
static void prove_frozen(struct watch *w)
{
	size_t len = sizeof(struct interference_lane);
	int fd = watch__lane_fd(w, 0);
	void *at = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0);
	void *writable = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	result(at != MAP_FAILED && writable == MAP_FAILED, "a lane cannot be mapped to be written",
	       "");
	result(mprotect(at, len, PROT_READ | PROT_WRITE) == -1 && errno == EACCES,
	       "nor be made writable later", "");
	(void)munmap(at, len);
}

/* After the programs are gone nothing is counted, and the cross-check says so. */
static void prove_unloaded(void)
{
	struct interference_counts diff;
	struct interference_reading before, after;
	const struct interference_lane *lane;
	enum watch_result why;
	uint32_t generation;
	struct watch *w;

	if (watch__open(&w, &why)) {
		result(false, "a second watch opens beside the first", watch_result_str(why));
		return;
	}
	lane = joust_interference_map(watch__lane_fd(w, 0));
	if (!lane || watch__enrol(w, 0, getpid(), WATCH_PROCESS, &generation))
		abort();
	(void)usleep(1000);
	watch__close(w);
	if (joust_interference_read(lane, generation, now_of(CLOCK_MONOTONIC), &before))
		abort();
	(void)usleep(1000);
	if (joust_interference_read(lane, generation, now_of(CLOCK_MONOTONIC), &after))
		abort();
	joust_interference_diff(&diff, &before.sum, &after.sum);
	result(!joust_interference_agrees(&diff, 1, 0),
	       "programs that are gone mid-run are noticed", "");
	joust_interference_unmap(lane);
}

static void prove_privilege(size_t i)
{
	const char *name;
	int err = privileges_run(i, &name);

	if (err == -EPERM)
		printf("ok %d - %s # SKIP this user cannot set that up\n", ++number, name);
	else
		result(!err, name, err ? "it is otherwise" : "");
	(void)fflush(stdout); /* children must not print it again */
}

/* The whole once more, by an engine that knows every process by another number. */
static void prove_nested(const char *name)
{
	enum watch_result why;
	struct watch *w;
	pid_t pid;
	int status;

	if (unshare(CLONE_NEWPID)) {
		printf("ok %d - %s # SKIP no PID namespace can be made: %s\n", ++number, name,
		       strerror(errno));
		return;
	}
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		number = failures = 0;
		/* Its own /proc, as a container has. */
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("proc", "/proc", "proc", 0, NULL) || watch__open(&w, &why))
			_exit(1);
		for (size_t i = 0; i < proofs_cnt; i++)
			if (proofs[i].process) {
				printf("    ");
				prove(w, &proofs[i], 1, ", in a PID namespace");
			}
		watch__close(w);
		_exit(failures != 0);
	}
	result(waitpid(pid, &status, 0) == pid && status == 0, name, "");
}

int main(int argc, char **argv)
{
	int repetitions = argc > 1 ? atoi(argv[1]) : 3;
	enum watch_result why;
	const char *what, *tracepoint;
	struct watch *w;

	if (argc > 1 && !strcmp(argv[0], COMMAND_ARGV0))
		command_main(argv[1]);
	if (argc > 2)
		only = argv[2];
	if (repetitions <= 0)
		return 64;
	if (watch__open(&w, &why)) {
		printf("1..0 # SKIP %s\n", watch_result_str(why));
		return SKIPPED;
	}
	find_cpus();
	printf("1..%zu\n", proofs_cnt + command_proofs_cnt + 4 + privileges_cnt);
	for (size_t i = 0; (tracepoint = watch__missing(w, i, &what)); i++)
		printf("# not watched: %s (%s)\n", what, tracepoint);
	if (measure_switch(w))
		abort();
	(void)fflush(stdout); /* children must not print it again */
	for (size_t i = 0; i < proofs_cnt; i++)
		prove(w, &proofs[i], repetitions, "");
	for (size_t i = 0; i < command_proofs_cnt; i++)
		prove_command(w, &command_proofs[i], repetitions);
	prove_frozen(w);
	prove_unloaded();
	watch__close(w);
	for (size_t i = 0; i < privileges_cnt; i++)
		prove_privilege(i);
	prove_nested("the engine may sit in a PID namespace");
	return failures != 0;
}
