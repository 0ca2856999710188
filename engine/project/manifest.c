/* SPDX-License-Identifier: BSD-2-Clause */
#include "manifest.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "../util/path.h"
#include "beneath.h"
#include "git.h"
#include "../../report/grow.h"

#define SOURCE_TIME 946684800 /* 2000-01-01: later than what archivers refuse, before any build */
#define POINTER_MAX 1024      /* git-lfs: a pointer is shorter */

static int add(struct manifest *m, const char *path, unsigned mode, struct manifest_file **ret)
{
	struct manifest_file *files = grow_by_one(m->files, m->cnt, sizeof(*files));
	char *copy;

	if (!files)
		return -ENOMEM;
	m->files = files;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	files[m->cnt] = (struct manifest_file){.path = copy, .mode = mode};
	*ret = &files[m->cnt++];
	return 0;
}

static bool lfs_pointer(const char *data, size_t len)
{
	static const char *const headers[] = {"version https://git-lfs.github.com/spec/",
					      "version https://hawser.github.com/spec/",
					      "version http://git-media.io/v/"};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]) && len < POINTER_MAX; i++) {
		size_t n = strlen(headers[i]);

		if (len >= n && !memcmp(data, headers[i], n))
			return true;
	}
	return false;
}

static int hash_file(int dir, const char *name, const struct stat *st, struct manifest_file *f)
{
	const struct timespec times[2] = {{.tv_sec = SOURCE_TIME}, {.tv_sec = SOURCE_TIME}};
	AUTO_FD int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	size_t len = (size_t)st->st_size;
	void *data = NULL;
	int err;

	if (fd < 0 || futimens(fd, times))
		return -errno;
	if (len) {
		/* the tree is private: nobody cuts the file under the mapping */
		data = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data == MAP_FAILED)
			return -errno;
	}
	err = git_hash_blob(data, len, f->id);
	f->lfs = len && lfs_pointer(data, len);
	if (len)
		(void)munmap(data, len); /* cannot fail for what mmap returned */
	return err;
}

static int hash_link(int dir, const char *name, struct manifest_file *f)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));

	return n < 0 ? -errno : git_hash_blob(target, (size_t)n, f->id);
}

static int read_entry(struct manifest *m, int dir, const char *name, const char *path,
		      const struct stat *st)
{
	struct manifest_file *f = NULL;
	unsigned mode = S_ISLNK(st->st_mode) ? 0120000 : st->st_mode & 0100 ? 0100755 : 0100644;
	int err = add(m, path, mode, &f);

	if (err)
		return err;
	err = S_ISLNK(st->st_mode) ? hash_link(dir, name, f) : hash_file(dir, name, st, f);
	m->lfs_cnt += f->lfs;
	return err;
}

static int read_dir(struct manifest *m, int fd, const char *prefix, int interrupt_fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	AUTO_DIR DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	int err = dir ? 0 : -errno;

	if (dir)
		rewinddir(dir); /* a duplicate shares its position */
	while (!err && (e = readdir(dir))) {
		AUTO_FREE char *path = NULL;
		AUTO_FD int sub = -1;
		struct stat st;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (interrupted(interrupt_fd))
			return -EINTR;
		if (asprintf(&path, "%s%s%s", prefix, prefix[0] ? "/" : "", e->d_name) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			return -errno;
		if (!S_ISDIR(st.st_mode)) {
			err = read_entry(m, fd, e->d_name, path, &st);
			continue;
		}
		sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		err = sub < 0 ? -errno : read_dir(m, sub, path, interrupt_fd);
	}
	return err;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct manifest_file *)a)->path,
		      ((const struct manifest_file *)b)->path);
}

static int hash_all(struct manifest *m)
{
	AUTO_FREE char *text = NULL;
	AUTO_FILE FILE *f = NULL;
	size_t len = 0;
	int err;

	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < m->cnt; i++) { /* a path can hold any byte but NUL */
		fprintf(f, "%o %s", m->files[i].mode, m->files[i].path);
		fputc('\0', f);
		fprintf(f, "%s\n", m->files[i].id);
	}
	err = fflush(f) || ferror(f) ? -ENOMEM : 0;
	return err ? err : git_hash_blob(text, len, m->hash);
}

int manifest__read(struct manifest *ret, int root_fd, int interrupt_fd)
{
	struct manifest m = {0};
	int err = read_dir(&m, root_fd, "", interrupt_fd);

	if (!err) {
		if (m.cnt)
			qsort(m.files, m.cnt, sizeof(*m.files), by_path);
		err = hash_all(&m);
	}
	if (err) {
		manifest__done(&m);
		return err;
	}
	*ret = m;
	return 0;
}

void manifest__done(struct manifest *m)
{
	for (size_t i = 0; i < m->cnt; i++)
		free(m->files[i].path);
	free(m->files);
	*m = (struct manifest){0};
}

bool manifest_has(const struct manifest *m, const char *path)
{
	struct manifest_file key = {.path = (char *)path};

	return m->cnt && bsearch(&key, m->files, m->cnt, sizeof(*m->files), by_path);
}

bool manifest_untouched(const struct manifest *m, const char *path, const struct stat *st)
{
	return st->st_mtim.tv_sec == SOURCE_TIME && !st->st_mtim.tv_nsec && manifest_has(m, path);
}

/* What counts */

/* The path within the project, NULL when it lies outside. */
static const char *within(const char *path, const char *prefix)
{
	return prefix[0] ? path_below(path, prefix) : path;
}

static bool counts_by_default(const char *path)
{
	size_t n = strlen(path);

	if (n >= 3 && !strcmp(path + n - 3, ".md"))
		return false;
	return !path_below(path, "docs") && !path_below(path, ".github");
}

static bool counts(const char *path, const struct strings *watch, const char *prefix)
{
	const char *inner = within(path, prefix);

	if (!watch->cnt) /* what a monorepo shares may be built into the project: it counts */
		return counts_by_default(path) && counts_by_default(inner ? inner : path);
	for (size_t i = 0; i < watch->cnt && inner; i++) {
		const char *w = watch->items[i];

		w += !strncmp(w, "./", 2) ? 2 : 0;
		if (!strcmp(w, ".") || !w[0] || path_below(inner, w) ||
		    !fnmatch(w, inner, FNM_NOESCAPE))
			return true;
	}
	return false;
}

static bool same_file(const struct manifest_file *a, const struct manifest_file *b)
{
	return a->mode == b->mode && !strcmp(a->id, b->id);
}

bool manifest_equal(const struct manifest *a, const struct manifest *b)
{
	for (size_t i = 0; a->cnt == b->cnt && i < a->cnt; i++)
		if (strcmp(a->files[i].path, b->files[i].path) != 0 ||
		    !same_file(&a->files[i], &b->files[i]))
			return false;
	return a->cnt == b->cnt;
}

bool manifest_changed(const struct manifest *a, const struct manifest *b,
		      const struct strings *watch, const char *prefix)
{
	size_t i = 0, j = 0;

	while (i < a->cnt || j < b->cnt) {
		int order = i == a->cnt	  ? 1
			    : j == b->cnt ? -1
					  : by_path(&a->files[i], &b->files[j]);
		const struct manifest_file *f = order <= 0 ? &a->files[i] : &b->files[j];
		bool same = !order && same_file(&a->files[i], &b->files[j]);

		if (!same && counts(f->path, watch, prefix))
			return true;
		i += order <= 0;
		j += order >= 0;
	}
	return false;
}
