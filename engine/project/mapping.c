/* SPDX-License-Identifier: BSD-2-Clause */
#include "mapping.h"
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

static void cut_deleted(struct mapping *m)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(m->path), tail = sizeof(deleted) - 1;

	m->deleted = len > tail && !strcmp(m->path + len - tail, deleted);
	if (m->deleted)
		m->path[len - tail] = '\0';
}

bool mapping_parse(char *line, struct mapping *m)
{
	unsigned major, minor;
	unsigned long inode;
	char perms[8] = "";
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%63s %7s %*s %x:%x %lu %n", m->range, perms, &major, &minor, &inode,
		   &at) < 5)
		return false;
	if (perms[2] != 'x' || line[at] != '/' || !inode)
		return false; /* data, [vdso], code made at run time */
	(void)snprintf(m->path, sizeof(m->path), "%s", line + at); /* the kernel's are shorter */
	cut_deleted(m);
	m->file[0] = '\0';
	m->dev = makedev(major, minor);
	m->ino = inode;
	return true;
}
