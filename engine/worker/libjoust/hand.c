/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_USAGE 64

/* What a child says about its benchmark, whole, through a pipe. */
struct report {
	enum joust_result result;
	struct joust_summary summary;
	char text[PROTOCOL_TEXT_MAX];
};

typedef enum joust_result (*job)(struct joust *b, const struct joust_bench *bench,
				 struct joust_summary *ret);

static const char help[] =
	"Usage: %s [--list | --test] [--filter REGEX]\n"
	"Benchmarks built with libjoust. Without --list and --test each one is measured:\n"
	"CPU time per iteration, the median of the slices and their 10 and 90 %% points.\n"
	"To compare two versions, use joust.\n"
	"\n"
	"  --list          print the names\n"
	"  --test          run one iteration of each, in a fresh process\n"
	"  --filter REGEX  only the benchmarks whose name contains a match (POSIX extended)\n"
	"  --help          this text\n";

static bool once(struct joust *b, struct joust_window *ret)
{
	bool *taken = b->context;

	*ret = (struct joust_window){.n = 1, .k = 1};
	return !*taken;
}

static void once_done(struct joust *b, const struct frame_sample *s)
{
	bool *taken = b->context;

	(void)s; /* a test measures nothing */
	*taken = true;
}

static const struct joust_driver test_driver = {.next = once, .sample = once_done};

static enum joust_result test(struct joust *b, const struct joust_bench *bench,
			      struct joust_summary *ret)
{
	bool taken = false;

	(void)ret; /* nothing measured */
	joust_init(b, bench, &test_driver, &taken);
	return joust_run(b);
}

static _Noreturn void child(int fd, job run, const struct joust_bench *bench)
{
	static struct joust b;
	struct report r;

	memset(&r, 0, sizeof(r));
	r.result = run(&b, bench, &r.summary);
	memcpy(r.text, b.text, sizeof(r.text));
	/* less than PIPE_BUF, so in one piece or not at all */
	exit(write(fd, &r, sizeof(r)) == (ssize_t)sizeof(r) ? 0 : 1);
}

static void explain_death(int status, struct report *r)
{
	r->result = RESULT_FAILED;
	if (WIFSIGNALED(status))
		(void)snprintf(r->text, sizeof(r->text), "killed by signal %d (%s)",
			       WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		(void)snprintf(r->text, sizeof(r->text), "exited with status %d",
			       WEXITSTATUS(status));
}

static void failed(struct report *r, const char *what)
{
	r->result = RESULT_FAILED;
	(void)snprintf(r->text, sizeof(r->text), "%s: %s", what, strerror(errno));
}

static ssize_t read_report(int fd, struct report *r)
{
	ssize_t n;

	do
		n = read(fd, r, sizeof(*r));
	while (n < 0 && errno == EINTR);
	return n;
}

/* The child may leave children of its own that hold the pipe: hence one read, then wait. */
static void collect(pid_t pid, int fd, struct report *r)
{
	ssize_t n = read_report(fd, r);
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR) {
			failed(r, "waitpid");
			return;
		}
	if (n != (ssize_t)sizeof(*r) || status != 0)
		explain_death(status, r);
}

static void run_in_child(job run, const struct joust_bench *bench, struct report *r)
{
	int fds[2];
	pid_t pid;

	memset(r, 0, sizeof(*r));
	(void)fflush(NULL); /* what is buffered must not be written twice */
	if (pipe2(fds, O_CLOEXEC) < 0) {
		failed(r, "pipe");
		return;
	}
	pid = fork();
	if (pid == 0) {
		(void)close(fds[0]);
		child(fds[1], run, bench);
	}
	(void)close(fds[1]);
	if (pid < 0)
		failed(r, "fork");
	else
		collect(pid, fds[0], r);
	(void)close(fds[0]);
}

static bool print_test(const struct joust_bench *bench, int width)
{
	struct report r;

	(void)width; /* no columns here */
	run_in_child(test, bench, &r);
	if (r.result == RESULT_DONE)
		printf("ok %s\n", bench->name);
	else
		printf("%s %s: %s\n", r.result == RESULT_SKIPPED ? "skip" : "FAIL", bench->name,
		       r.text);
	return r.result != RESULT_FAILED;
}

static bool print_name(const struct joust_bench *bench, int width)
{
	(void)width; /* no columns here */
	puts(bench->name);
	return true;
}

/* Columns of a name: UTF-8 continuation bytes take none. */
static int columns(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static bool print_measurement(const struct joust_bench *bench, int width)
{
	int pad = width - columns(bench->name);
	char p10[JOUST_DURATION_MAX], p50[JOUST_DURATION_MAX], p90[JOUST_DURATION_MAX];
	struct report r;

	run_in_child(joust_measure, bench, &r);
	printf("%s%*s", bench->name, pad, "");
	if (r.result != RESULT_DONE) {
		printf("  %s: %s\n", r.result == RESULT_SKIPPED ? "skipped" : "FAILED", r.text);
		return r.result != RESULT_FAILED;
	}
	joust_format_duration(p10, r.summary.p10_ns);
	joust_format_duration(p50, r.summary.p50_ns);
	joust_format_duration(p90, r.summary.p90_ns);
	printf("  %10s  %10s  %10s  %9llu\n", p50, p10, p90, (unsigned long long)r.summary.n);
	return true;
}

static int name_width(const struct joust_catalog *c, const bool *chosen)
{
	int width = columns("benchmark");

	for (size_t i = 0; i < c->cnt; i++)
		if (chosen[i] && columns(c->benches[i].name) > width)
			width = columns(c->benches[i].name);
	return width;
}

static int each(const struct joust_catalog *c, const bool *chosen,
		bool (*print)(const struct joust_bench *bench, int width))
{
	int width = name_width(c, chosen);
	bool good = true;

	if (print == print_measurement)
		printf("%-*s  %10s  %10s  %10s  %9s\n", width, "benchmark", "p50", "p10", "p90",
		       "n");
	for (size_t i = 0; i < c->cnt; i++)
		if (chosen[i])
			good &= print(&c->benches[i], width);
	if (fflush(stdout) != 0) /* a full disk must not look like a success */
		return 1;
	return good ? 0 : 1;
}

/* Marks what the filter matches. 0, or -1 with `why` filled. */
static int choose(const struct joust_catalog *c, const char *filter, bool *chosen,
		  char why[static PROTOCOL_TEXT_MAX])
{
	bool any = false;
	regex_t re;
	int err = regcomp(&re, filter ? filter : "", REG_EXTENDED | REG_NOSUB);

	if (err) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "--filter %s: ", filter);
		(void)regerror(err, &re, why + strlen(why), PROTOCOL_TEXT_MAX - strlen(why));
		return -1;
	}
	for (size_t i = 0; i < c->cnt; i++) {
		chosen[i] = regexec(&re, c->benches[i].name, 0, NULL, 0) == 0;
		any |= chosen[i];
	}
	regfree(&re);
	if (filter && !any) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "no benchmark matches --filter %s", filter);
		return -1;
	}
	return 0;
}

static int run_catalog(const struct joust_catalog *c, const struct joust_options *o,
		       char why[static PROTOCOL_TEXT_MAX])
{
	bool *chosen = calloc(c->cnt + 1, sizeof(*chosen));
	int status;

	if (!chosen) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "no memory");
		return EXIT_USAGE;
	}
	if (choose(c, o->filter, chosen, why) < 0)
		status = EXIT_USAGE;
	else
		status = each(c, chosen,
			      o->list	? print_name
			      : o->test ? print_test
					: print_measurement);
	free(chosen);
	return status;
}

int joust_by_hand(int argc, char **argv)
{
	const char *program = argc > 0 ? argv[0] : "benchmark";
	struct joust_options options;
	struct joust_catalog catalog;
	char why[PROTOCOL_TEXT_MAX] = "";
	int status = EXIT_USAGE;

	if (joust_options_parse(argc, argv, &options, why) == 0) {
		if (options.help)
			return printf(help, program) < 0 || fflush(stdout) != 0;
		if (joust_catalog__init(&catalog, why) == 0) {
			status = run_catalog(&catalog, &options, why);
			joust_catalog__done(&catalog);
		}
	}
	if (why[0])
		(void)fprintf(stderr, "%s: %s\n", program, why);
	return status;
}
