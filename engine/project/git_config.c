/* SPDX-License-Identifier: BSD-2-Clause */
#include "git_private.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include "../util/num.h"

struct walk {
	int (*each)(void *arg, const char *name, const char *value);
	void *arg;
	int err;
};

static int walk_entry(const git_config_entry *entry, void *payload)
{
	struct walk *w = payload;

	w->err = entry->include_depth ? -ELOOP : w->each(w->arg, entry->name, entry->value);
	return w->err;
}

/* "failed to parse config file: WHAT (in /proc/self/fd/5:LINE, column N)" to WHAT and LINE. */
static void parse_failure(char *error, size_t size, unsigned *ret_line)
{
	static const char prefix[] = "failed to parse config file: ";
	const char *words = git_words();
	const char *where = strstr(words, " (in ");
	const char *colon = where ? strchr(where, ':') : NULL;
	char digits[16] = "";
	uint64_t line;
	int len;

	if (!strncmp(words, prefix, sizeof(prefix) - 1))
		words += sizeof(prefix) - 1;
	len = where && where > words ? (int)(where - words) : (int)strlen(words);
	(void)snprintf(error, size, "%.*s", len, words); /* a cut sentence will do */
	if (!colon)
		return;
	(void)snprintf(digits, sizeof(digits), "%.*s", (int)strspn(colon + 1, "0123456789"),
		       colon + 1);
	if (!num_u64(digits, 1, 1u << 30, &line))
		*ret_line = (unsigned)line;
}

/*
 * libgit2 1.5 reads configurations from files alone. An anonymous file holds exactly the bytes that
 * were looked at, whatever happens to the original meanwhile.
 */
static int text_to_path(const char *text, size_t len, int *ret_fd, char path[static 64])
{
	AUTO_FD int fd = memfd_create("joust-config", MFD_CLOEXEC);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < len) {
		ssize_t n = write(fd, text + done, len - done);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	(void)snprintf(path, 64, "/proc/self/fd/%d", fd); /* always fits */
	if (access(path, R_OK)) /* libgit2 would take the lack of /proc for an empty file */
		return -ENOSYS;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* libgit2 returns -1 for all of it. */
static int failure_of_git(void)
{
	const git_error *e = git_error_last();

	if (e && e->klass == GIT_ERROR_NOMEMORY)
		return -ENOMEM;
	return e && e->klass == GIT_ERROR_OS ? -EIO : -EINVAL;
}

static int each_of(const char *path, struct walk *w)
{
	CLEANUP(cleanup_git_config) git_config *config = NULL;

	git_error_clear();
	if (git_config_open_ondisk(&config, path))
		return failure_of_git();
	if (git_config_foreach(config, walk_entry, w))
		return w->err ? w->err : failure_of_git();
	return 0;
}

int git_config_each(const char *text, size_t len,
		    int (*each)(void *arg, const char *name, const char *value), void *arg,
		    char *error, size_t error_size, unsigned *ret_line)
{
	struct walk w = {.each = each, .arg = arg};
	AUTO_FD int fd = -1;
	char path[64];
	int err = text_to_path(text, len, &fd, path);

	if (err) {
		(void)snprintf(error, error_size, "%s",
			       err == -ENOSYS ? "cannot be parsed without /proc" : strerror(-err));
		return err;
	}
	if (git_libgit2_init() < 0)
		return -ENOMEM;
	err = each_of(path, &w);
	if (err == -ELOOP)
		(void)snprintf(error, error_size, "includes are not allowed here");
	else if (err && !w.err)
		parse_failure(error, error_size, ret_line);
	(void)git_libgit2_shutdown(); /* counted: others may still be in */
	return err;
}
