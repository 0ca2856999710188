/* SPDX-License-Identifier: BSD-2-Clause */
#include "own_limits.h"
#include <errno.h>
#include <sys/resource.h>

#define STACK_LEAST  ((rlim_t)512 << 10) /* twice what a run was seen to need */
#define FILES_LEAST  128		 /* one command and its counters need about 100 */
#define FILES_WANTED 65536		 /* counters of many CPUs and threads */

static rlim_t at_most(rlim_t a, rlim_t b)
{
	return a < b ? a : b; /* RLIM_INFINITY is the largest */
}

/* The soft limit that holds afterwards. */
static rlim_t raise_to(int resource, rlim_t wanted)
{
	struct rlimit l, more;

	if (getrlimit(resource, &l))
		return RLIM_INFINITY; /* then nothing is known against it */
	more = (struct rlimit){.rlim_cur = at_most(wanted, l.rlim_max), .rlim_max = l.rlim_max};
	if (l.rlim_cur >= more.rlim_cur || setrlimit(resource, &more))
		return l.rlim_cur;
	return more.rlim_cur;
}

int own_limits_raise(struct problem *why)
{
	rlim_t stack = raise_to(RLIMIT_STACK, STACK_LEAST);

	(void)raise_to(RLIMIT_NOFILE, FILES_WANTED); /* asked again where it matters */
	if (stack >= STACK_LEAST)
		return 0;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -ERANGE,
			   "the stack may have only %llu kB here (ulimit -s); joust needs %llu",
			   (unsigned long long)stack >> 10, (unsigned long long)STACK_LEAST >> 10);
}

int own_limits_check_files(struct problem *why)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= FILES_LEAST)
		return 0;
	return problem_set(why, EXIT_COULD_NOT_COMPARE, -EMFILE,
			   "only %llu files may be open here (ulimit -n); joust needs %d",
			   (unsigned long long)l.rlim_cur, FILES_LEAST);
}
