/* SPDX-License-Identifier: BSD-2-Clause */
#include "procstat.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "smallfile.h"

/* Words behind the name, from 0. */
enum { WORD_PPID = 1, WORD_SESSION = 3, WORD_START = 19 };

int procstat_parse(const char *text, struct procstat *ret)
{
	const char *after = strrchr(text, ')'); /* a name may hold blanks and brackets */
	uint64_t ppid, sid, start;

	if (!after || after[1] != ' ' || !after[2] ||
	    smallfile_word_u64(after + 1, WORD_PPID, &ppid) ||
	    smallfile_word_u64(after + 1, WORD_SESSION, &sid) ||
	    smallfile_word_u64(after + 1, WORD_START, &start))
		return -EINVAL;
	*ret = (struct procstat){
		.state = after[2], .ppid = (pid_t)ppid, .sid = (pid_t)sid, .start = start};
	return 0;
}

int procstat_read(pid_t pid, struct procstat *ret)
{
	char path[48], buf[1024];

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid); /* fits */
	if (smallfile_read("", path, buf, sizeof(buf)) <= 0 || procstat_parse(buf, ret))
		return -ESRCH;
	return 0;
}
