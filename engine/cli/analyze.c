/* SPDX-License-Identifier: BSD-2-Clause */
/* A stored record, judged again by its blocks: nothing is measured, nothing of the project is asked. */
#include "commands.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../../report/json.h"
#include "../../report/json_read.h"
#include "../../report/text.h"
#include "../decide/judge.h"
#include "../project/dirs.h"
#include "../project/versions.h"
#include "output.h"
#include "present.h"

#define READ_STEP (1u << 20)

/* One byte more than is allowed, at most: json_read says that it is too much. */
static int read_all(int fd, char **ret, size_t *ret_len)
{
	AUTO_FREE char *text = NULL;
	size_t len = 0, room = 0;
	ssize_t n = 1;

	while (n > 0 && len <= JSON_RECORD_BYTES_MAX) {
		if (room - len < READ_STEP) {
			char *grown = realloc(text, room = 2 * room + READ_STEP);

			if (!grown)
				return -ENOMEM;
			text = grown;
		}
		n = read(fd, text + len, READ_STEP);
		if (n < 0 && errno == EINTR)
			n = 1; /* once more */
		else if (n < 0)
			return -errno;
		else
			len += (size_t)n;
	}
	*ret = TAKE_PTR(text);
	*ret_len = len;
	return 0;
}

static int read_file(const char *path, char **ret, size_t *ret_len, struct problem *why)
{
	bool standard = !strcmp(path, "-");
	AUTO_FD int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : read_all(fd, ret, ret_len);

	return err ? problem_set(why, problem_exit_of_path(err), err, "cannot read %s: %s",
				 standard ? "stdin" : path, strerror(-err))
		   : 0;
}

static int no_record(const char *path, int err, const char *cause, struct problem *why)
{
	if (err == -ENOMEM)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "out of memory");
	return problem_set(why, EXIT_USAGE, err, "%s is no record that can be judged: %s", path,
			   cause);
}

/* A run that ended before it measured: what it said of its end is all that there is to say. */
static int keep_end(struct record *rec, const char *path, struct problem *why)
{
	if (!judge_status_stays(rec))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENODATA,
				   "there is nothing to judge in %s: it has no benchmarks", path);
	rec->exit = judge_exit_that_stays(rec);
	return 0;
}

static int judge(struct record *rec, const char *path, struct problem *why)
{
	CLEANUP(policy__done) struct policy p;
	int err;

	policy__of_record(&p, rec);
	err = policy__prepare(&p);
	if (!err)
		err = judge_again(rec, &p);
	return err ? no_record(path, err, "its numbers allow no verdict", why) : 0;
}

/* Whoever changed a verdict in the file, or has it from another joust, is told. */
static int compare_text(struct record *rec, const char *text, size_t len)
{
	AUTO_FREE char *anew = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&anew, &size);
	int err = f ? json_write(f, rec) : -ENOMEM;

	if (f && fclose(f))
		err = -ENOMEM;
	if (!err && (size != len || memcmp(anew, text, len) != 0))
		err = record__note(rec, "judged again, this is not what the file says");
	return err;
}

static int analyze(const char *path, struct record *rec, struct problem *why)
{
	AUTO_FREE char *text = NULL;
	char cause[256] = "";
	size_t len = 0;
	int err = read_file(path, &text, &len, why);

	if (err)
		return err;
	err = json_read(rec, text, len, cause);
	if (err)
		return no_record(path, err, cause, why);
	if (!rec->benches_cnt || (judge_status_stays(rec) && !record__has_blocks(rec)))
		err = keep_end(rec, path, why);
	else
		err = judge(rec, path, why);
	if (!err && compare_text(rec, text, len))
		err = no_record(path, -ENOMEM, "", why);
	return err;
}

/* Where the last comparison of the project is that joust was started in. */
static int last_record(char **ret, struct problem *why)
{
	AUTO_FREE char *cwd = getcwd(NULL, 0), *root = NULL, *dir = NULL;
	AUTO_FREE char *path = NULL;
	int err;

	if (!cwd)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -errno,
				   "cannot tell the working directory: %s", strerror(errno));
	err = project_root(cwd, &root, why);
	if (!err)
		err = dirs_state_found(root, &dir, why);
	if (err)
		return err;
	if (asprintf(&path, "%s/last.json", dir) < 0) {
		path = NULL;
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	}
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return problem_set(
			why, EXIT_USAGE, -ENOENT,
			"no comparison of this project is stored: there is no %s; name a "
			"file of your own",
			path);
	*ret = TAKE_PTR(path);
	return 0;
}

/* Nobody named it, so it is said; on stderr, since the record may go to stdout. */
static void say_which(const char *path)
{
	fputs("joust: judging ", stderr);
	text_escape(stderr, path, strlen(path));
	fputs(" again\n", stderr);
}

static int analyze_named_or_last(const struct options *o, struct record *rec, struct problem *why)
{
	AUTO_FREE char *last = NULL;
	int err;

	if (o->file)
		return analyze(o->file, rec, why);
	err = last_record(&last, why);
	if (err)
		return err;
	if (!o->quiet)
		say_which(last);
	return analyze(last, rec, why);
}

static int present(const struct options *o, const struct record *rec)
{
	int err = present_export(rec, o->export_json, NULL);

	present_report(rec, o);
	return err ? EXIT_COULD_NOT_COMPARE : rec->exit;
}

int cmd_analyze(const struct options *o)
{
	CLEANUP(record__done) struct record rec;
	struct problem why = {0};
	int err, status;

	record__init(&rec);
	err = analyze_named_or_last(o, &rec, &why);
	status = err ? output_problem(stderr, &why) : present(o, &rec);
	problem__done(&why);
	return status;
}
