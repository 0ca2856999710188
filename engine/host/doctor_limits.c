/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include "cgroup_find.h"
#include "smallfile.h"

#define LANDLOCK_VERSION_ONLY 1u /* LANDLOCK_CREATE_RULESET_VERSION, absent from older headers */

static const char *where_name(const struct cgroup_place *c)
{
	static const char *const names[3][2] = {{"not offered", "not offered"},
						{"on v1, read-only", "on v1, writable"},
						{"on v2, not delegated", "on v2, writable"}};

	return names[c->version][c->writable];
}

static char *printed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *printed(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	return len < 0 ? NULL : text;
}

/* Whether the root of the v2 tree, where `tree` lies, has `controller`. */
static bool root_offers(const char *root, const struct cgroup_place *tree, const char *controller)
{
	char path[PATH_MAX + 32], list[1024];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "%.*s/cgroup.controllers", (int)tree->point_len,
		       tree->dir);
	len = smallfile_read(root, path, list, sizeof(list));
	return len > 0 && cgroup_lists(list, (size_t)len, controller, ' ');
}

/* v2: the root is exempt from the rule that a group with processes hands nothing on. */
static char *remedy_of_v2(const char *root, const struct cgroup_place *tree)
{
	int len = (int)tree->point_len;

	if (smallfile_exists(root, "/run/systemd/system"))
		return printed("run: systemd-run --user --scope -p Delegate=yes joust ...");
	return printed("as root: echo +memory +pids >%.*s/cgroup.subtree_control, mkdir "
		       "%.*s/joust, chown -R it to this user, and write the number of its shell to "
		       "%.*s/joust/cgroup.procs",
		       len, tree->dir, len, tree->dir, len, tree->dir);
}

/* How this user gets groups of its own, owned. v1 has no delegation, and systemd gives none there. */
static char *remedy_of(const char *root, const struct cgroup_texts *texts,
		       const struct cgroup_place *memory, const struct cgroup_place *pids)
{
	struct cgroup_place tree;

	if (!strcmp(cgroup_layout(texts), "none"))
		return printed("as root: mount -t cgroup2 none /sys/fs/cgroup; or let the "
			       "container have it");
	if (memory->version == 1 && pids->version == 1)
		return printed("run joust as root; or as root: mkdir %s/joust %s/joust, chown both "
			       "to this user, and write the number of its shell to the "
			       "cgroup.procs of both",
			       memory->dir, pids->dir);
	cgroup_find(texts, root, "", &tree);
	if (tree.version == 2 && root_offers(root, &tree, "memory") &&
	    root_offers(root, &tree, "pids"))
		return remedy_of_v2(root, &tree);
	return printed("boot a kernel with CONFIG_MEMCG and CONFIG_CGROUP_PIDS, without "
		       "cgroup_disable=, and mount both controllers");
}

int doctor_look_cgroups(const char *root, struct doctor_row *row)
{
	AUTO_FREE char *remedy = NULL;
	struct cgroup_texts texts;
	struct cgroup_place memory, pids;
	bool full;

	cgroup_texts__read(&texts, root);
	cgroup_find(&texts, root, "memory", &memory);
	cgroup_find(&texts, root, "pids", &pids);
	full = memory.writable && pids.writable;
	if (!full)
		remedy = remedy_of(root, &texts, &memory, &pids);
	if (!full && !remedy)
		return -ENOMEM;
	return doctor_row__set(row, full ? DOCTOR_OK : DOCTOR_WARN, remedy,
			       "%s: memory %s, pids %s", cgroup_layout(&texts), where_name(&memory),
			       where_name(&pids));
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
	if (!cgroup_lists(actions, (size_t)len, "user_notif", ' '))
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
