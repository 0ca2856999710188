/* SPDX-License-Identifier: BSD-2-Clause */
#include "filter.h"
#include <errno.h>
#include <string.h>

static void part__done(struct filter_part *p)
{
	if (p->given)
		regfree(&p->re);
	p->given = false;
}

static int part__init(struct filter_part *ret, const char *option, const char *pattern,
		      struct problem *why)
{
	char reason[128];
	int err;

	*ret = (struct filter_part){.given = false};
	if (!pattern)
		return 0;
	err = regcomp(&ret->re, pattern, REG_EXTENDED | REG_NOSUB);
	ret->given = !err;
	if (!err)
		return 0;
	(void)regerror(err, &ret->re, reason, sizeof(reason)); /* its length is not needed */
	if (err == REG_ESPACE)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "%s %s: %s", option,
				   pattern, reason);
	return problem_set(why, EXIT_USAGE, -EINVAL, "%s %s is not a regular expression: %s",
			   option, pattern, reason);
}

int filter__init(struct filter *ret, const char *only, const char *without, struct problem *why)
{
	struct filter f;
	int err = part__init(&f.only, "--filter", only, why);

	if (err)
		return err;
	err = part__init(&f.without, "--exclude", without, why);
	if (err) {
		part__done(&f.only);
		return err;
	}
	*ret = f;
	return 0;
}

static bool matches(const struct filter_part *p, const char *name)
{
	return !regexec(&p->re, name, 0, NULL, 0);
}

bool filter_takes(const struct filter *f, const char *name)
{
	return (!f->only.given || matches(&f->only, name)) &&
	       (!f->without.given || !matches(&f->without, name));
}

void filter__done(struct filter *f)
{
	part__done(&f->only);
	part__done(&f->without);
}
