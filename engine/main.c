/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include <sys/stat.h>
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/own_limits.h"
#include "decide/judge.h"

static int run(const struct options *o)
{
	if (o->help)
		help_print(stdout, o);
	else if (o->version)
		help_version(stdout);
	else
		return verb_dispatch(o);
	return EXIT_PASSED;
}

/* What joust makes it also has to use; what others may is the user's to say. */
static void keep_own_rights(void)
{
	(void)umask(umask(077) & 077); /* returns the mask before, and cannot fail */
}

int main(int argc, char **argv)
{
	CLEANUP(options__done) struct options o = {0};
	CLEANUP(problem__done) struct problem why = {0};
	int err = output_setup();
	int status;

	keep_own_rights();
	if (err)
		return EXIT_COULD_NOT_COMPARE; /* there is nowhere to say it */
	if (options__parse(&o, argc, argv, &why) || own_limits_raise(&why))
		status = output_problem(stderr, &why);
	else
		status = output_status(run(&o));
	return judge_exit(status, o.bisect);
}
