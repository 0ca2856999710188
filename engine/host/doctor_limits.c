/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include "smallfile.h"

#define LANDLOCK_VERSION_ONLY 1u /* LANDLOCK_CREATE_RULESET_VERSION, absent from older headers */
#define FILE_BYTES	      16384

/* Where one controller lives. */
struct controller {
	int version; /* 0: nowhere, 1, 2 */
	char dir[PATH_MAX];
	bool writable;
};

static bool list_has(const char *list, size_t len, const char *word, char parting)
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

/*
 * The path of our group: the line "N:LIST:PATH" whose list has `name`; "" for the one of v2.
 * Copies at most `size` bytes; false when there is no such line.
 */
static bool group_path(const char *groups, const char *name, char *ret, size_t size)
{
	for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *list = line + strcspn(line, ":\n");
		size_t len;

		if (*list != ':')
			continue;
		list++;
		len = strcspn(list, ":\n");
		if (list[len] != ':' || (*name ? !list_has(list, len, name, ',') : len != 0))
			continue;
		(void)snprintf(ret, size, "%.*s", (int)strcspn(list + len + 1, "\n"),
			       list + len + 1);
		return true;
	}
	return false;
}

/* The mount point of a cgroup file system: of v2, or of the v1 hierarchy with `option`. */
static bool mount_point(const char *mounts, const char *option, char *ret, size_t size)
{
	AUTO_FREE char *copy = strdup(mounts);
	char *line, *lines;

	for (line = copy ? strtok_r(copy, "\n", &lines) : NULL; line;
	     line = strtok_r(NULL, "\n", &lines)) {
		char *words, *dir, *type, *options;

		(void)strtok_r(line, " ", &words);
		dir = strtok_r(NULL, " ", &words);
		type = strtok_r(NULL, " ", &words);
		options = strtok_r(NULL, " ", &words);
		if (!options || strcmp(type, option ? "cgroup" : "cgroup2"))
			continue;
		if (option && !list_has(options, strlen(options), option, ','))
			continue;
		(void)snprintf(ret, size, "%s", dir);
		return true;
	}
	return false;
}

static bool v2_offers(const char *root, const char *dir, const char *name)
{
	char path[PATH_MAX + 32], buf[1024];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "%s/cgroup.controllers", dir);
	len = smallfile_read(root, path, buf, sizeof(buf));
	return len > 0 && list_has(buf, (size_t)len, name, ' ');
}

static bool may_write(const char *root, const char *dir)
{
	char full[2 * PATH_MAX];

	(void)snprintf(full, sizeof(full), "%s%s", root, dir);
	return !access(full, W_OK); /* EROFS counts: containers mount it read-only */
}

static void controller_find(const char *root, const char *groups, const char *mounts,
			    const char *name, struct controller *ret)
{
	char point[PATH_MAX / 2], path[PATH_MAX / 2];

	*ret = (struct controller){0};
	if (group_path(groups, "", path, sizeof(path)) &&
	    mount_point(mounts, NULL, point, sizeof(point))) {
		(void)snprintf(ret->dir, sizeof(ret->dir), "%s%s", point, path);
		if (v2_offers(root, ret->dir, name))
			ret->version = 2;
	}
	if (!ret->version && group_path(groups, name, path, sizeof(path)) &&
	    mount_point(mounts, name, point, sizeof(point))) {
		(void)snprintf(ret->dir, sizeof(ret->dir), "%s%s", point, path);
		ret->version = 1;
	}
	ret->writable = ret->version && may_write(root, ret->dir);
}

static const char *layout_name(const char *groups, const char *mounts)
{
	char unused[PATH_MAX];
	bool v2 = mount_point(mounts, NULL, unused, sizeof(unused));
	bool v1 = strstr(mounts, " cgroup ") && groups[0];

	return v1 && v2 ? "hybrid" : v1 ? "v1" : v2 ? "v2" : "none";
}

static const char *where_name(const struct controller *c)
{
	static const char *const names[3][2] = {{"not offered", "not offered"},
						{"on v1, read-only", "on v1, writable"},
						{"on v2, not delegated", "on v2, writable"}};

	return names[c->version][c->writable];
}

int doctor_look_cgroups(const char *root, struct doctor_row *row)
{
	static const char remedy[] = "run: systemd-run --user --scope -p Delegate=yes joust ...";
	char groups[FILE_BYTES] = "", mounts[4 * FILE_BYTES] = "";
	struct controller memory, pids;
	bool full;

	if (smallfile_read(root, "/proc/self/cgroup", groups, sizeof(groups)) < 0 ||
	    smallfile_read(root, "/proc/self/mounts", mounts, sizeof(mounts)) < 0)
		groups[0] = mounts[0] = '\0';
	controller_find(root, groups, mounts, "memory", &memory);
	controller_find(root, groups, mounts, "pids", &pids);
	full = memory.writable && pids.writable;
	return doctor_row__set(row, full ? DOCTOR_OK : DOCTOR_WARN, full ? NULL : remedy,
			       "%s: memory %s, pids %s", layout_name(groups, mounts),
			       where_name(&memory), where_name(&pids));
}

int doctor_look_namespaces(const char *root, struct doctor_row *row)
{
	static const struct {
		const char *path, *remedy;
		uint64_t refused;
	} locks[] = {
		{"/proc/sys/user/max_user_namespaces", "sudo sysctl user.max_user_namespaces=1000",
		 0},
		{"/proc/sys/kernel/unprivileged_userns_clone",
		 "sudo sysctl kernel.unprivileged_userns_clone=1", 0},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		 "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0", 1},
	};
	uint64_t v;

	if (!smallfile_exists(root, "/proc/self/ns/user"))
		return doctor_row__set(row, DOCTOR_MISSING, "run a kernel with CONFIG_USER_NS",
				       "the kernel has no user namespaces");
	for (size_t i = 0; i < sizeof(locks) / sizeof(locks[0]); i++)
		if (!smallfile_u64(root, locks[i].path, &v) && v == locks[i].refused)
			return doctor_row__set(row, DOCTOR_MISSING, locks[i].remedy,
					       "user namespaces are refused: %s is %u",
					       locks[i].path, (unsigned)v);
	return doctor_row__set(row, DOCTOR_OK, NULL, "user namespaces are allowed");
}

int doctor_look_seccomp(const char *root, struct doctor_row *row)
{
	char actions[256];
	ssize_t len = smallfile_read(root, "/proc/sys/kernel/seccomp/actions_avail", actions,
				     sizeof(actions));

	if (len <= 0)
		return doctor_row__set(row, DOCTOR_MISSING,
				       "run a kernel with CONFIG_SECCOMP_FILTER",
				       "no seccomp filters");
	if (!list_has(actions, (size_t)len, "user_notif", ' '))
		return doctor_row__set(row, DOCTOR_WARN, "run Linux 5.0 or newer",
				       "filters without notification: a refused call has no name");
	return doctor_row__set(row, DOCTOR_OK, NULL, "filters with notification");
}

int doctor_look_landlock(const char *root, struct doctor_row *row)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION_ONLY);

	(void)root;
	if (abi > 0)
		return doctor_row__set(row, DOCTOR_OK, NULL, "version %ld", abi);
	return doctor_row__set(row, DOCTOR_MISSING,
			       errno == EOPNOTSUPP ? "boot with lsm=landlock,..."
						   : "run Linux 5.13 or newer with "
						     "CONFIG_SECURITY_LANDLOCK",
			       errno == EOPNOTSUPP ? "in the kernel, but switched off"
						   : "not in this kernel");
}
