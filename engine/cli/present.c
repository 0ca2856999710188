/* SPDX-License-Identifier: BSD-2-Clause */
#include "present.h"
#include <string.h>
#include <unistd.h>
#include "../../report/json.h"
#include "../../report/terminal.h"
#include "output.h"
#include "terminal.h"

/* Says what failed. */
static int failed_at(const char *path, int err)
{
	struct problem failed = {0};

	if (!err)
		return 0;
	(void)problem_set(&failed, EXIT_COULD_NOT_COMPARE, err, "cannot write the record %s: %s",
			  path, atomic_strerror(err));
	(void)output_problem(stderr, &failed); /* its status is known */
	problem__done(&failed);
	return err;
}

static int write_json(FILE *f, const void *rec)
{
	return json_write(f, rec);
}

int present_json(const struct record *rec, const char *path)
{
	struct atomic_file f;
	int err = atomic__open(&f, path);

	if (!err) {
		err = json_write(f.file, rec);
		if (err)
			atomic__abort(&f);
		else
			err = atomic__commit(&f);
	}
	return failed_at(path, err);
}

int present_export(const struct record *rec, const char *path, struct atomic_file *held)
{
	if (!path)
		return 0;
	if (strcmp(path, "-") != 0)
		return failed_at(path, export_write(path, held, write_json, rec));
	IGNORE_ERROR(json_write(stdout, rec)); /* output_finish asks about stdout */
	return 0;
}

/* The report goes to stdout, or to stderr where the record is on stdout. */
void present_report(const struct record *rec, const struct options *opt)
{
	bool json_on_stdout = opt->export_json && !strcmp(opt->export_json, "-");
	FILE *out = json_on_stdout ? stderr : stdout;
	struct terminal_style style = {
		.color = terminal_color(opt->color, isatty(fileno(out))),
		.verbosity = opt->quiet ? -1 : opt->verbose,
		.columns = terminal_columns(fileno(out)),
	};

	if (rec->verb && !strcmp(rec->verb, "run"))
		terminal_measured(out, rec, &style);
	else
		terminal_report(out, rec, &style);
}
