/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands.h"
#include <stdio.h>
#include <string.h>
#include "../host/hostinfo.h"
#include "../project/dirs.h"
#include "output.h"
#include "require.h"
#include "terminal.h"

static int (*const commands[])(const struct options *o) = {
	[VERB_COMPARE] = cmd_compare, [VERB_RUN] = cmd_run,	[VERB_LIST] = cmd_list,
	[VERB_DOCTOR] = cmd_doctor,   [VERB_CLEAN] = cmd_clean, [VERB_AA] = cmd_aa,
	[VERB_ANALYZE] = cmd_analyze,
};

_Static_assert(sizeof(commands) / sizeof(commands[0]) == VERB_REPORT, "one per implemented verb");

/* Says the problem, frees it and returns its exit status. */
static int fail(struct problem *why)
{
	int status = output_problem(stderr, why);

	problem__done(why);
	return status;
}

static int examine(struct doctor *ret, struct problem *why)
{
	int err = doctor__examine(ret);

	if (err)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "cannot look at this host: %s",
				   strerror(-err));
	return 0;
}

/* Looks at the host, shows it when `show` says so, and checks --require. */
static int examine_host(const struct options *o, bool show, struct problem *why)
{
	CLEANUP(doctor__done) struct doctor d = {0};
	int err = examine(&d, why);

	if (err)
		return err;
	if (show)
		doctor_print(stdout, &d, terminal_color(o->color, isatty(STDOUT_FILENO)));
	return o->require ? require_check(&d, o->require, why) : 0;
}

int cmd_doctor(const struct options *o)
{
	struct problem why = {0};

	return examine_host(o, true, &why) ? fail(&why) : EXIT_PASSED;
}

static void print_removed(FILE *out, unsigned long long bytes)
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
	double v = (double)bytes;
	size_t i = 0;

	while (v >= 1000 && i + 1 < sizeof(units) / sizeof(units[0])) {
		v /= 1000;
		i++;
	}
	if (bytes)
		fprintf(out, "Removed %.*f %s.\n", i ? 1 : 0, v, units[i]);
	else
		fputs("Nothing to remove.\n", out);
}

int cmd_clean(const struct options *o)
{
	struct problem why = {0};
	unsigned long long bytes = 0;

	if (dirs_clean(&why, &bytes))
		return fail(&why);
	if (!o->quiet)
		print_removed(stdout, bytes);
	if (why.text[0]) /* what had to stay is no failure */
		(void)output_problem(stderr, &why);
	problem__done(&why);
	return EXIT_PASSED;
}

int verb_dispatch(const struct options *o)
{
	struct problem why = {0};

	/* doctor shows its findings first */
	if (o->require && o->verb != VERB_DOCTOR && examine_host(o, false, &why))
		return fail(&why);
	return commands[o->verb](o);
}
