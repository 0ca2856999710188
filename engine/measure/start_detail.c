/* SPDX-License-Identifier: BSD-2-Clause */
#include "start_detail.h"
#include <errno.h>
#include <string.h>
#include "../project/elf_file.h"
#include "../util/files.h"

/* What follows #! in a script, without its argument. Owned; NULL: nothing. */
static char *script_interpreter(const char *program)
{
	char line[FILES_SCRIPT_LINE];

	if (!files_script_line(program, line) || !line[0])
		return NULL;
	return strndup(line, strcspn(line, " \t"));
}

char *start_detail(const char *program, const struct child *c, int err)
{
	bool missing = err == -ENOENT || err == -ENOTDIR;
	bool either = err == -EACCES; /* a rule may forbid the program too, whatever its mode */
	AUTO_FREE char *interpreter = NULL;
	char *text;

	if ((missing || either) && c->exec_ns && files_can_run(program) &&
	    elf_interpreter(program, &interpreter))
		interpreter = script_interpreter(program);
	if (!interpreter)
		return strdup(strerror(-err));
	if (asprintf(&text, "%sits interpreter %s: %s", either ? "it or " : "", interpreter,
		     strerror(-err)) < 0)
		return NULL;
	return text;
}
