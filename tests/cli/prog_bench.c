/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker program that does what files in its working directory say, so that two versions differ
 * without a compiler: work.txt and second.txt hold the steps of an iteration, fault.txt what goes
 * wrong in "faulty", digest.txt the output and late.txt what becomes of it.
 */
#include "joust.h"
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PROTOCOL_FD 3
#define LIFE_S	    120 /* what is left behind ends by itself, should joust not end it */

static bool read_file(const char *name, char *buf, size_t size)
{
	FILE *f = fopen(name, "re");
	size_t len = f ? fread(buf, 1, size - 1, f) : 0;

	buf[len] = '\0';
	if (!f)
		return false;
	fclose(f);
	return true;
}

static long steps_of(const char *name)
{
	char text[64];

	return read_file(name, text, sizeof(text)) ? strtol(text, NULL, 10) : 1000;
}

static unsigned work(unsigned x, long steps)
{
	/* each step needs the one before: no compiler makes it shorter */
	for (long i = 0; i < steps; i++)
		x = (x ^ x >> 13) * 1664525u + (unsigned)i;
	return x;
}

/* Every process counts itself in the file `count`. */
static long count_process(void)
{
	int fd = open("count", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0 || write(fd, "x", 1) != 1 || fstat(fd, &st))
		abort();
	close(fd);
	return (long)st.st_size;
}

/* late.txt: how many processes give the output of digest.txt before one gives what follows here. */
static bool read_late(char text[static 256])
{
	char late[256];
	long after;

	return read_file("late.txt", late, sizeof(late)) &&
	       sscanf(late, "%ld %255s", &after, text) == 2 && count_process() > after;
}

static void give_digest(struct joust *b)
{
	char text[256];

	if (read_late(text) || read_file("digest.txt", text, sizeof(text)))
		joust_digest(b, text, strlen(text));
}

JOUST_BENCH(bench_work, "work")
{
	long steps = steps_of("work.txt");
	unsigned x = 1;

	JOUST_LOOP(b) {
		x = work(x, steps);
		joust_keep(x);
	}
	give_digest(b);
}

JOUST_BENCH(bench_second, "second")
{
	long steps = steps_of("second.txt");
	unsigned x = 1;

	JOUST_LOOP(b) {
		x = work(x, steps);
		joust_keep(x);
	}
}

/* fault.txt: a word, how many processes come before it goes wrong, a path, the rest of the line. */
struct fault {
	char word[32];
	long after;
	char path[512];
	char rest[512];
};

static struct fault read_fault(void)
{
	struct fault f = {.word = "none"};
	char text[1200];

	if (read_file("fault.txt", text, sizeof(text)))
		(void)sscanf(text, "%31s %ld %511s %511[^\n]", f.word, &f.after, f.path, f.rest);
	if (f.after && count_process() <= f.after)
		strcpy(f.word, "none");
	return f;
}

static bool is(const struct fault *f, const char *word)
{
	return strcmp(f->word, word) == 0;
}

static void touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		abort();
	close(fd);
}

/* In a session and with a parent of its own; `marker` holds its number. */
static void leave_daemon(const char *marker)
{
	FILE *f;

	if (fork())
		return;
	if (setsid() < 0 || fork())
		_exit(0);
	alarm(LIFE_S);
	f = fopen(marker, "we");
	if (f) {
		fprintf(f, "%d\n", (int)getpid());
		fclose(f);
	}
	for (;;)
		pause();
}

/* Says that it is there, and goes on once "PATH.open" is. */
static void pass_gate(const char *path)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	char open_path[600];

	touch(path);
	(void)snprintf(open_path, sizeof(open_path), "%s.open", path);
	(void)alarm(LIFE_S);
	while (access(open_path, F_OK))
		(void)nanosleep(&nap, NULL);
	(void)alarm(0);
}

static void flood(void)
{
	static char block[65536];

	memset(block, 'y', sizeof(block));
	for (int i = 0; i < 160; i++)
		if (write(STDOUT_FILENO, block, sizeof(block)) < 0)
			abort();
}

static void garbage(void)
{
	char bytes[1000];

	memset(bytes, 0xa5, sizeof(bytes));
	if (write(PROTOCOL_FD, bytes, sizeof(bytes)) < 0)
		abort();
}

/* Touched page by page, so that it is really there. */
static void eat(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		abort();
	for (size_t i = 0; i < bytes; i += 4096)
		p[i] = 1;
}

static void fork_without_end(void)
{
	for (;;) {
		pid_t pid = fork();

		if (pid == 0) {
			alarm(LIFE_S);
			pause();
		}
		if (pid < 0)
			usleep(1000);
	}
}

/* Something that a person reads before the end. */
static void last_words(const struct fault *f)
{
	if (f->rest[0])
		fprintf(stderr, "%s\n", f->rest);
}

static void go_wrong(const struct fault *f)
{
	alarm(LIFE_S);
	last_words(f);
	if (is(f, "segv"))
		raise(SIGSEGV);
	if (is(f, "abort"))
		abort();
	if (is(f, "exit"))
		_exit(3);
	if (is(f, "exit-early"))
		_exit(0);
	if (is(f, "garbage"))
		garbage();
	if (is(f, "flood"))
		flood();
	if (is(f, "shout")) { /* its first and its last words are far apart */
		flood();
		fputs("the end\n", stderr);
		_exit(3);
	}
	if (is(f, "daemon"))
		leave_daemon(f->path);
	if (is(f, "eat"))
		eat((size_t)10 << 30);
	if (is(f, "bomb"))
		fork_without_end();
	if (is(f, "stop"))
		raise(SIGSTOP);
	if (is(f, "kill"))
		raise(SIGKILL);
	if (is(f, "close"))
		close(PROTOCOL_FD);
	if (is(f, "gate"))
		pass_gate(f->path);
	if (is(f, "wait"))
		touch(f->path);
	while (is(f, "hang") || is(f, "close") || is(f, "wait"))
		pause();
	while (is(f, "spin"))
		joust_clobber();
}

/* Colours, a bell, a new title and commands that CI servers take from logs. */
static const char hostile[] = "\033[31mred\007\n::error::from stderr\n"
			      "##[error]old style\n\033]0;title\007\r PASS\n";

JOUST_BENCH(bench_faulty, "faulty")
{
	struct fault f = read_fault();
	unsigned x = 1;

	if (is(&f, "no-loop"))
		return;
	if (is(&f, "skip")) {
		joust_skip(b, f.rest);
		return;
	}
	if (is(&f, "fail")) {
		joust_fail(b, "%s", f.rest);
		return;
	}
	if (is(&f, "hostile"))
		fputs(hostile, stderr);
	JOUST_LOOP(b) {
		if (!is(&f, "none")) {
			go_wrong(&f);
			if (is(&f, "hostile"))
				raise(SIGSEGV);
			strcpy(f.word, "none");
		}
		x = work(x, 1000);
		joust_keep(x);
	}
}
