/* SPDX-License-Identifier: BSD-2-Clause */
#include "require.h"
#include <errno.h>
#include <string.h>
#include "../../report/text.h"

static int unknown(const struct doctor *d, const char *name, struct problem *why)
{
	AUTO_FREE const char **names = calloc(d->cnt + 1, sizeof(*names));
	const char *near;

	if (!names)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	for (size_t i = 0; i < d->cnt; i++)
		names[i] = d->rows[i].name;
	near = text_nearest(name, names, d->cnt);
	return problem_set(why, EXIT_USAGE, -EINVAL, "--require: `joust doctor` knows no %s%s%s%s",
			   name[0] ? name : "empty name", near ? "; did you mean " : "",
			   near ? near : "", near ? "?" : "");
}

/* Each name of `list`, which is cut up; the unmet ones go to `unmet`. */
static int check_names(const struct doctor *d, char *list, FILE *unmet, struct problem *why)
{
	for (char *name = strsep(&list, ","); name; name = strsep(&list, ",")) {
		bool met;

		if (!doctor_requirement(d, name, &met))
			return unknown(d, name, why);
		if (!met)
			fprintf(unmet, "%s%s", ftello(unmet) ? ", " : "", name);
	}
	return 0;
}

int require_check(const struct doctor *d, const char *list, struct problem *why)
{
	AUTO_FREE char *copy = strdup(list);
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *unmet = copy ? open_memstream(&text, &len) : NULL;
	int err;

	if (!unmet)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	err = check_names(d, copy, unmet, why);
	if (fclose(unmet))
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
	if (err || !len)
		return err;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
			   "--require: this host lacks %s; `joust doctor` says what to do", text);
}
