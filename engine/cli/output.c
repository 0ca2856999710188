/* SPDX-License-Identifier: BSD-2-Clause */
#include "output.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include "../../report/text.h"

int output_setup(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/*
		 * The lowest free number, which is fd; open in the direction that is of no use, and
		 * closing at exec, by which what nobody gave us is told (output_file.c).
		 */
		if (open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
			return -errno;
	}
	/* what they would kill for is an error of the write, with a path and a status */
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR || signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
		return -errno;
	return 0;
}

/* Asked of the descriptor, because stdio does not keep the errno of an earlier write. */
static bool reader_gone(FILE *out)
{
	struct pollfd p = {.fd = fileno(out), .events = POLLOUT};

	return poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP));
}

int output_finish(FILE *out, struct problem *why)
{
	int err = fflush(out) ? errno : 0;

	if (!err && !ferror(out))
		return 0;
	if (err == EPIPE || reader_gone(out))
		return 0;
	if (!err)
		err = EIO;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -err, "cannot write to stdout: %s",
			   strerror(err));
}

int output_status(int status)
{
	struct problem why = {0};

	if (!output_finish(stdout, &why))
		return status;
	(void)output_problem(stderr, &why); /* its status is known */
	problem__done(&why);
	if (status != EXIT_PASSED && status != EXIT_REGRESSED && status != EXIT_UNDECIDED)
		return status;
	return EXIT_COULD_NOT_COMPARE;
}

int output_problem(FILE *err, const struct problem *why)
{
	const char *line = why->detail;

	fputs("joust: ", err);
	text_escape(err, why->text, strlen(why->text));
	fputc('\n', err);
	while (line && *line) {
		size_t len = strcspn(line, "\n");

		fputs("  | ", err); /* a bare "::error::" would be a command to GitHub's runner */
		text_escape(err, line, len);
		fputc('\n', err);
		line += len + (line[len] == '\n');
	}
	return (int)why->exit;
}
