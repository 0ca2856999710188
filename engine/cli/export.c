/* SPDX-License-Identifier: BSD-2-Clause */
#include "export.h"
#include <string.h>

int export_check(const char *path, struct atomic_file *held, struct problem *why)
{
	int err = path && strcmp(path, "-") ? atomic__open_named(held, path) : 0;

	if (err)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "cannot write %s: %s", path,
				   atomic_strerror(err));
	if (!held->through)
		atomic__abort(held);
	return 0;
}

int export_write(const char *path, struct atomic_file *held, export_fn *write, const void *arg)
{
	struct atomic_file f = {0};
	int err = 0;

	if (held && held->file) {
		f = *held;
		*held = (struct atomic_file){0};
	} else {
		err = atomic__open_named(&f, path);
	}
	if (err)
		return err;
	err = write(f.file, arg);
	if (!err)
		return atomic__commit(&f);
	atomic__abort(&f);
	return err;
}
