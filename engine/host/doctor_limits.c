/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_rows.h"
#include <errno.h>
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

int doctor_look_cgroups(const char *root, struct doctor_row *row)
{
	static const char remedy[] = "run: systemd-run --user --scope -p Delegate=yes joust ...";
	struct cgroup_texts texts;
	struct cgroup_place memory, pids;
	bool full;

	cgroup_texts__read(&texts, root);
	cgroup_find(&texts, root, "memory", &memory);
	cgroup_find(&texts, root, "pids", &pids);
	full = memory.writable && pids.writable;
	return doctor_row__set(row, full ? DOCTOR_OK : DOCTOR_WARN, full ? NULL : remedy,
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
