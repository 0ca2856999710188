/* SPDX-License-Identifier: BSD-2-Clause */
#include "cgroup_find.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "smallfile.h"

void cgroup_texts__read(struct cgroup_texts *t, const char *root)
{
	if (smallfile_read(root, "/proc/self/cgroup", t->groups, sizeof(t->groups)) < 0 ||
	    smallfile_read(root, "/proc/self/mountinfo", t->mounts, sizeof(t->mounts)) < 0)
		t->groups[0] = t->mounts[0] = '\0';
}

bool cgroup_lists(const char *list, size_t len, const char *word, char parting)
{
	size_t n = strlen(word);

	for (const char *p = list; p + n <= list + len; p++) {
		bool starts = p == list || p[-1] == parting;
		bool ends = p + n == list + len || p[n] == parting;

		if (starts && ends && !memcmp(p, word, n))
			return true;
	}
	return false;
}

struct piece {
	const char *at;
	size_t len;
};

/*
 * The path of our group: of the line "N:LIST:PATH" whose list has `name`; "" for the one of v2.
 * False when there is no such line.
 */
static bool group_path(const char *groups, const char *name, struct piece *ret)
{
	for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *list = line + strcspn(line, ":\n");
		size_t len;

		if (*list != ':')
			continue;
		list++;
		len = strcspn(list, ":\n");
		if (list[len] != ':' || (*name ? !cgroup_lists(list, len, name, ',') : len != 0))
			continue;
		*ret = (struct piece){list + len + 1, strcspn(list + len + 1, "\n")};
		return true;
	}
	return false;
}

/* Word number `index` of a line, or an empty piece. */
static struct piece word_of(const char *line, size_t len, unsigned index)
{
	const char *end = line + len, *p = line;

	for (; index && p < end; index--) {
		p += strcspn(p, " \n");
		p += p < end && *p == ' ';
	}
	return index || p >= end ? (struct piece){end, 0} : (struct piece){p, strcspn(p, " \n")};
}

static bool piece_is(struct piece p, const char *text)
{
	return p.len == strlen(text) && !memcmp(p.at, text, p.len);
}

struct mount {
	struct piece root; /* the group that is mounted */
	struct piece point;
};

/* One line of mountinfo: "ID PARENT DEV ROOT POINT OPTIONS [TAG...] - TYPE SOURCE SUPER-OPTIONS". */
static bool line_is(const char *line, size_t len, const char *option, struct mount *ret)
{
	const char *dash = memmem(line, len, " - ", 3);
	struct piece type, options;
	size_t left;

	if (!dash)
		return false;
	left = len - (size_t)(dash + 3 - line);
	type = word_of(dash + 3, left, 0);
	options = word_of(dash + 3, left, 2);
	if (!piece_is(type, option ? "cgroup" : "cgroup2"))
		return false;
	if (option && !cgroup_lists(options.at, options.len, option, ','))
		return false;
	*ret = (struct mount){word_of(line, len, 3), word_of(line, len, 4)};
	return ret->point.len > 0;
}

/* The mount of v2 (`option` NULL), or of the v1 hierarchy with that controller. */
static bool find_mount(const char *mounts, const char *option, struct mount *ret)
{
	for (const char *line = mounts; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (line_is(line, strcspn(line, "\n"), option, ret))
			return true;
	}
	return false;
}

/* mountinfo writes a blank, a tab, a newline and a backslash as \ooo. */
static size_t unescape(char *s)
{
	char *to = s;

	for (const char *from = s; *from; from++) {
		unsigned v;

		if (*from == '\\' && sscanf(from + 1, "%3o", &v) == 1 && v && v < 256) {
			*to++ = (char)v;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return (size_t)(to - s);
}

/* The directory of group `path`: below the mount point, less what the mount leaves out. */
static bool place_at(const struct mount *m, struct piece path, struct cgroup_place *ret)
{
	size_t skip = piece_is(m->root, "/") ? 0 : m->root.len;
	size_t point;

	if (path.len < skip || memcmp(path.at, m->root.at, skip) ||
	    (path.len > skip && path.at[skip] != '/'))
		return false; /* our group lies outside of what is mounted */
	if (m->point.len + path.len - skip >= sizeof(ret->dir))
		return false;
	(void)snprintf(ret->dir, sizeof(ret->dir), "%.*s", (int)m->point.len, m->point.at);
	point = unescape(ret->dir);
	if (path.len - skip > 1) /* more than "/" */
		(void)snprintf(ret->dir + point, sizeof(ret->dir) - point, "%.*s",
			       (int)(path.len - skip), path.at + skip);
	ret->point_len = point;
	return true;
}

static bool find_on(const struct cgroup_texts *t, const char *v1, struct cgroup_place *ret)
{
	struct mount m;
	struct piece path;

	return group_path(t->groups, v1 ? v1 : "", &path) && find_mount(t->mounts, v1, &m) &&
	       place_at(&m, path, ret);
}

static bool offers(const char *root, const char *dir, const char *controller)
{
	char path[PATH_MAX + 32], buf[1024];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "%s/cgroup.controllers", dir);
	len = smallfile_read(root, path, buf, sizeof(buf));
	return len >= 0 && (!*controller || cgroup_lists(buf, (size_t)len, controller, ' '));
}

static bool may_write(const char *root, const char *dir)
{
	char full[2 * PATH_MAX];

	(void)snprintf(full, sizeof(full), "%s%s", root, dir);
	return !access(full, W_OK); /* EROFS counts: containers mount it read-only */
}

void cgroup_find(const struct cgroup_texts *t, const char *root, const char *controller,
		 struct cgroup_place *ret)
{
	*ret = (struct cgroup_place){0};
	if (find_on(t, NULL, ret) && offers(root, ret->dir, controller))
		ret->version = 2;
	else if (*controller && find_on(t, controller, ret))
		ret->version = 1;
	ret->writable = ret->version && may_write(root, ret->dir);
}

const char *cgroup_layout(const struct cgroup_texts *t)
{
	struct mount unused;
	bool v2 = find_mount(t->mounts, NULL, &unused);
	bool v1 = strstr(t->mounts, " - cgroup ") && t->groups[0];

	return v1 && v2 ? "hybrid" : v1 ? "v1" : v2 ? "v2" : "none";
}
