/* SPDX-License-Identifier: BSD-2-Clause */
#include "tree.h"
#include <errno.h>
#include <string.h>
#include "../util/path.h"
#include "mapping.h"

/*
 * (device, inode) as stat shows them: maps itself shows the device of the superblock, which is
 * another one on overlayfs and btrfs. Following map_files takes CAP_CHECKPOINT_RESTORE; without it
 * the path is asked, as the process sees it, and as the last way out the numbers of maps stand.
 * False: map_files was closed to us.
 */
static bool resolve(pid_t pid, struct mapping *m)
{
	bool open = true;
	struct stat st;

	(void)snprintf(m->file, sizeof(m->file), "/proc/%d/map_files/%s", (int)pid,
		       m->range); /* fits */
	if (stat(m->file, &st)) {
		open = errno != EPERM && errno != EACCES;
		(void)snprintf(m->file, sizeof(m->file), "/proc/%d/root%s", (int)pid,
			       m->path); /* fits */
		if (m->deleted || stat(m->file, &st))
			return open;
	}
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	return open;
}

/* What lies in the tree beside the files that were indexed. */
static bool is_about(const struct tree *t, const struct mapping *m)
{
	if (t->twin && path_below(m->path, t->twin))
		return true;
	/*
	 * Written after the tree was indexed, such as a plug-in that the program itself compiles. Where
	 * both sides are seen at one place their paths are the same and tell nothing.
	 */
	return !t->program && !t->place && t->root && path_below(m->path, t->root);
}

/* "libx.so.1.2": length of "libx.so", and *ret_major to "1" or "". 0: no shared object's name. */
static size_t library_stem(const char *base, const char **ret_major)
{
	const char *so = strstr(base, ".so");

	while (so && so[3] && so[3] != '.')
		so = strstr(so + 1, ".so");
	if (!so)
		return 0;
	*ret_major = so[3] ? so + 4 : so + 3;
	return (size_t)(so + 3 - base);
}

/* The same library as far as the loader is concerned: equal up to the first number of the version,
 * and a name without one stands for all. */
static bool same_library(const char *a, const char *b)
{
	const char *major_a = "", *major_b = "";
	size_t na = library_stem(a, &major_a), nb = library_stem(b, &major_b);
	size_t la = strcspn(major_a, "."), lb = strcspn(major_b, ".");

	if (!na || na != nb || strncmp(a, b, na))
		return false;
	return !la || !lb || (la == lb && !strncmp(major_a, major_b, la));
}

static bool stands_in(const struct tree *own, const struct mapping *m)
{
	for (size_t i = 0; i < own->files_cnt; i++) {
		if (same_library(basename(own->files[i].path), basename(m->path)))
			return true;
	}
	return false;
}

static bool has_build_id(const struct tree *t, const char *id)
{
	for (size_t i = 0; i < t->files_cnt; i++) {
		if (!strcmp(t->files[i].build_id, id))
			return true;
	}
	return false;
}

/*
 * A file that is written anew keeps its inode, and one that is removed leaves it to another: is it
 * still what was indexed? `f` NULL: a copy of any program of the tree. A file that is gone, with its
 * process or without, is known by its inode alone.
 */
static enum reason as_built(const struct tree *own, const struct tree_file *f,
			    const struct mapping *m)
{
	char id[sizeof(f->build_id)];
	int err = elf_build_id(m->file, id);

	if (err == -ENOENT || err == -ESRCH)
		return REASON_NONE;
	if (err == -ENOEXEC)
		return REASON_BUILD_CHANGED;
	if (err)
		return REASON_BUILD_UNSEEN;
	if (f ? !strcmp(f->build_id, id) : has_build_id(own, id))
		return REASON_NONE;
	return REASON_BUILD_CHANGED;
}

static enum reason judge(const struct mapping *m, const struct tree *own, const struct tree *other,
			 const struct stat *slot)
{
	const struct tree_file *f = tree_find(own, m->dev, m->ino);

	if (slot && m->dev == slot->st_dev && m->ino == slot->st_ino)
		return own->twin ? REASON_NONE /* of another link, which has its own build id */
				 : as_built(own, NULL, m);
	if (f)
		return as_built(own, f, m);
	if (is_about(own, m))
		return REASON_NONE;
	if (tree_find(other, m->dev, m->ino) || is_about(other, m))
		return REASON_FOREIGN_BUILD;
	return stands_in(own, m) ? REASON_NOT_OWN_BUILD : REASON_NONE;
}

/* NULL when memory is out: the reason still stands. */
static char *cannot_read(const char *path, int err)
{
	char *text;

	return asprintf(&text, "%s: %s", path, strerror(err)) < 0 ? NULL : text;
}

/* A process that has ended is told by its end. */
static enum reason unreadable(const char *path, int err, struct identity *ret)
{
	if (err == ENOENT || err == ESRCH)
		return REASON_NONE;
	ret->detail = cannot_read(path, err);
	return REASON_BUILD_UNSEEN;
}

enum reason identity_check(pid_t pid, const struct tree *own, const struct tree *other,
			   const struct stat *slot, struct identity *ret)
{
	AUTO_FREE char *line = NULL;
	AUTO_FILE FILE *f = NULL;
	struct mapping m;
	char maps[64];
	size_t size = 0;

	*ret = (struct identity){0};
	(void)snprintf(maps, sizeof(maps), "/proc/%d/maps", (int)pid); /* fits */
	f = fopen(maps, "re");
	if (!f)
		return unreadable(maps, errno, ret);
	while (getline(&line, &size, f) > 0) {
		enum reason why;

		if (!mapping_parse(line, &m))
			continue;
		if (!resolve(pid, &m))
			ret->by_path = true;
		why = judge(&m, own, other, slot);
		if (why == REASON_NONE)
			continue;
		ret->detail = strdup(m.path); /* NULL when memory is out: the reason stands */
		return why;
	}
	return feof(f) ? REASON_NONE : unreadable(maps, errno, ret);
}

/* "	libx.so => /path/libx.so (0x7f..)" or "	/path/ld.so (0x7f..)"; false for what names no file. */
static bool parse_listed(const struct tree *own, const char *line, size_t len, struct mapping *m)
{
	const char *path = memchr(line, '/', len);
	const char *end = path ? memmem(path, len - (size_t)(path - line), " (0x", 4) : NULL;
	AUTO_FREE char *here = NULL;
	struct stat st;

	if (!end || (size_t)(end - path) >= sizeof(m->path))
		return false;
	*m = (struct mapping){0};
	memcpy(m->path, path, (size_t)(end - path));
	if (tree_outside(own, m->path, &here) || strlen(here) >= sizeof(m->file) || stat(here, &st))
		return false;
	strcpy(m->file, here);
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	return true;
}

enum reason identity_check_listing(const char *listing, size_t len, const struct tree *own,
				   const struct tree *other, char **ret_detail)
{
	while (len) {
		const char *newline = memchr(listing, '\n', len);
		size_t line = newline ? (size_t)(newline - listing) : len;
		struct mapping m;
		enum reason why = REASON_NONE;

		if (parse_listed(own, listing, line, &m))
			why = judge(&m, own, other, NULL);
		if (why != REASON_NONE) {
			*ret_detail =
				strdup(m.path); /* NULL when memory is out: the reason stands */
			return why;
		}
		line += line < len; /* the newline */
		listing += line;
		len -= line;
	}
	return REASON_NONE;
}
