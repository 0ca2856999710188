/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "sandbox_private.h"

/* Later than the headers of the oldest kernel that we are built with. */
#define FS_REFER	    (1ull << 13) /* ABI 2 */
#define FS_TRUNCATE	    (1ull << 14) /* ABI 3 */
#define FS_IOCTL_DEV	    (1ull << 15) /* ABI 5 */
#define NET_TCP		    3ull	 /* ABI 4: bind and connect */
#define SCOPE_SOCKET_SIGNAL 3ull	 /* ABI 6: abstract sockets, signals */

#define READ_FILES                                                                                 \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define OF_FILES                                                                                   \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |                               \
	 LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

struct ruleset { /* struct landlock_ruleset_attr of ABI 6; zeros at its end are always accepted */
	uint64_t fs, net, scoped;
};

static uint64_t all_of(long abi)
{
	uint64_t all = (1ull << 13) - 1;

	all |= abi >= 2 ? FS_REFER : 0;
	all |= abi >= 3 ? FS_TRUNCATE : 0;
	return all | (abi >= 5 ? FS_IOCTL_DEV : 0);
}

/* A path that is not there grants nothing, and needs nothing. */
static int allow_bind(int ruleset, const struct sandbox_bind *b, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access};
	struct stat st;
	int err;

	rule.parent_fd = sandbox_open_source(b);
	if (rule.parent_fd < 0)
		return errno == ENOENT ? 0 : -1;
	if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed_access &= OF_FILES;
	err = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	(void)close(rule.parent_fd);
	return err;
}

static int allow(int ruleset, const char *path, uint64_t access)
{
	return allow_bind(ruleset, &(struct sandbox_bind){.from = path}, access);
}

/* With a root of its own all that is not writable can be read as a whole. */
static int allow_binds(int ruleset, const struct sandbox *s, const struct sandbox_bind *b,
		       size_t cnt, uint64_t all)
{
	bool root = sandbox_layer_on(s, LAYER_ROOT);

	for (size_t i = 0; i < cnt; i++) {
		bool writes = b[i].flags & BIND_WRITE;

		if (root && !writes)
			continue;
		if (root ? allow(ruleset, b[i].to, all)
			 : allow_bind(ruleset, &b[i], writes ? all : READ_FILES))
			return -1;
	}
	return 0;
}

static int add_rules(int ruleset, const struct sandbox *s, const struct sandbox_bind *extra,
		     size_t extra_cnt, uint64_t all)
{
	if (sandbox_layer_on(s, LAYER_ROOT) && allow(ruleset, "/", READ_FILES))
		return -1;
	for (const struct sandbox_dir *d = sandbox_dirs; d->at; d++) {
		if (d->tmpfs && allow(ruleset, d->at, all))
			return -1;
	}
	if (allow(ruleset, "/proc", READ_FILES | LANDLOCK_ACCESS_FS_WRITE_FILE))
		return -1;
	if (allow_binds(ruleset, s, s->binds, s->binds_cnt, all))
		return -1;
	return allow_binds(ruleset, s, extra, extra_cnt, all);
}

int sandbox_enter_landlock(const struct sandbox *s, const struct sandbox_bind *extra,
			   size_t extra_cnt)
{
	struct ruleset attr = {0};
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u); /* ..._VERSION */
	int fd, err;

	if (abi < 1)
		return -1;
	attr.fs = all_of(abi);
	attr.net = abi >= 4 && !s->network ? NET_TCP : 0;
	attr.scoped = abi >= 6 ? SCOPE_SOCKET_SIGNAL : 0;
	fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (fd < 0)
		return -1;
	err = add_rules(fd, s, extra, extra_cnt, attr.fs);
	if (!err)
		err = (int)syscall(SYS_landlock_restrict_self, fd, 0);
	(void)close(fd);
	return err;
}
