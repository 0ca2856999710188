/* SPDX-License-Identifier: BSD-2-Clause */
#include "tree.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include "beneath.h"
#include "dirs.h"
#include "elf_file.h"
#include "git.h"
#include "../util/files.h"
#include "../../report/grow.h"

#define WALK_DEPTH_MAX                                                                             \
	128 /* each level holds a descriptor; what lies deeper is no program of ours */

static int add_file(struct tree *t, const char *path, const struct stat *st, const char *build_id)
{
	struct tree_file *files = grow_by_one(t->files, t->files_cnt, sizeof(*files));
	char *copy;

	if (!files)
		return -ENOMEM;
	t->files = files;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	files += t->files_cnt++;
	*files = (struct tree_file){.dev = st->st_dev, .ino = st->st_ino, .path = copy};
	(void)snprintf(files->build_id, sizeof(files->build_id), "%s", build_id); /* same size */
	return 0;
}

static int look_at(struct tree *t, int dir, const char *name, const char *path,
		   const struct stat *st)
{
	struct elf_facts facts;

	if (!S_ISREG(st->st_mode) || elf_facts_at(dir, name, &facts) || !facts.loadable)
		return 0; /* what cannot be read as ELF cannot be mapped as a program either */
	return add_file(t, path, st, facts.build_id);
}

static int walk(struct tree *t, int fd, const char *prefix, unsigned depth, int interrupt_fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	AUTO_DIR DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	int err = dir ? 0 : -errno;

	while (!err && (e = readdir(dir))) {
		AUTO_FREE char *path = NULL;
		AUTO_FD int sub = -1;
		struct stat st;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    !strcmp(e->d_name, ".git") || fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (interrupted(interrupt_fd))
			return -EINTR;
		if (files_is_slot(e->d_name)) {
			if (t->alone)
				(void)unlinkat(fd, e->d_name, 0); /* the next run may try again */
			continue;
		}
		if (asprintf(&path, "%s%s%s", prefix, prefix[0] ? "/" : "", e->d_name) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		if (!S_ISDIR(st.st_mode)) {
			err = look_at(t, fd, e->d_name, path, &st);
			continue;
		}
		if (dirs_is_own(&st))
			continue; /* with the other side's programs */
		sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub >= 0 && depth < WALK_DEPTH_MAX)
			err = walk(t, sub, path, depth + 1, interrupt_fd);
	}
	return err;
}

static int by_inode(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

int tree__index(struct tree *t, int interrupt_fd)
{
	AUTO_FD int fd = -1;
	struct stat st;
	int err;

	if (t->program) {
		const char *base = strrchr(t->program, '/');

		if (stat(t->program, &st))
			return -errno;
		return look_at(t, AT_FDCWD, t->program, base ? base + 1 : t->program, &st);
	}
	fd = open(t->root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	err = fd < 0 ? -errno : walk(t, fd, "", 0, interrupt_fd);
	if (!err && t->files_cnt)
		qsort(t->files, t->files_cnt, sizeof(*t->files), by_inode);
	return err;
}

int tree_seal(const struct tree *t, char ret[static 128])
{
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	char id[GIT_ID];
	FILE *f = open_memstream(&text, &len);
	int err;

	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < t->files_cnt; i++) {
		AUTO_FREE char *path = NULL;
		struct stat st = {0};

		if (asprintf(&path, "%s/%s", t->root, t->files[i].path) < 0)
			path = NULL;
		if (path && lstat(path, &st))
			st.st_size = -1;
		fprintf(f, "%llu %lld %lld.%09ld\n", (unsigned long long)t->files[i].ino,
			(long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	}
	if (fclose(f))
		return -ENOMEM;
	err = git_hash_blob(text, len, id);
	if (!err)
		(void)snprintf(ret, 128, "joust-tree 1 programs %zu %s", t->files_cnt,
			       id); /* fits */
	return err;
}

void tree__done(struct tree *t)
{
	for (size_t i = 0; i < t->files_cnt; i++)
		free(t->files[i].path);
	free(t->files);
	if (t->root) /* else zeroed: no descriptor is ours */
		cleanup_fd(&t->lock_fd);
	work__done(&t->work);
	free(t->root);
	free(t->twin);
	free(t->project);
	free(t->program);
	free(t->home);
	free(t->place);
	*t = (struct tree){.lock_fd = -1};
}

const struct tree_file *tree_find(const struct tree *t, dev_t dev, ino_t ino)
{
	struct tree_file key = {.dev = dev, .ino = ino};

	return t->files_cnt ? bsearch(&key, t->files, t->files_cnt, sizeof(*t->files), by_inode)
			    : NULL;
}
