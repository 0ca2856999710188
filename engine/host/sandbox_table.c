/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "sandbox_private.h"

/*
 * What a program of this host may see. Nothing else of it exists inside: no home, no /root, no /sys,
 * no /run, no /var; of /etc only what programs need to run, never shadow, gshadow, sudoers or ssh.
 */
static const struct {
	const char *path;
	unsigned flags;
	const char *why;
} table[] = {
	{"/usr", 0, "programs, libraries, compilers, headers"},
	{"/bin", 0, "a directory of its own on older systems"},
	{"/sbin", 0, "likewise"},
	{"/lib", 0, "likewise"},
	{"/lib32", 0, "likewise"},
	{"/lib64", 0, "likewise: the dynamic loader"},
	{"/opt", 0, "compilers that were not packaged"},
	{"/nix/store", 0, "all programs, on such a system"},
	{"/etc/ld.so.cache", BIND_FILE, "where libraries are"},
	{"/etc/ld.so.conf", BIND_FILE, "likewise"},
	{"/etc/ld.so.conf.d", 0, "likewise"},
	{"/etc/passwd", BIND_FILE, "names of users; no secrets have been there for decades"},
	{"/etc/group", BIND_FILE, "names of groups"},
	{"/etc/nsswitch.conf", BIND_FILE, "how names are found"},
	{"/etc/hosts", BIND_FILE, "localhost"},
	{"/etc/localtime", BIND_FILE, "time zone"},
	{"/etc/alternatives", 0, "which cc is cc"},
	{"/etc/os-release", BIND_FILE, "build scripts ask for the distribution"},
	{"/etc/debian_version", BIND_FILE, "likewise"},
	{"/etc/ssl/certs", 0, "public certificates: TLS libraries load them at start"},
	{"/etc/perl", 0, "perl does not start without it"},
	{"/etc/fonts", 0, "renderers"},
	{"/etc/magic", BIND_FILE, "file(1)"},
	{"/dev/null", BIND_FILE | BIND_WRITE | BIND_DEVICE, "the minimum of /dev"},
	{"/dev/zero", BIND_FILE | BIND_WRITE | BIND_DEVICE, "likewise"},
	{"/dev/full", BIND_FILE | BIND_WRITE | BIND_DEVICE, "likewise"},
	{"/dev/random", BIND_FILE | BIND_WRITE | BIND_DEVICE, "likewise"},
	{"/dev/urandom", BIND_FILE | BIND_WRITE | BIND_DEVICE, "likewise"},
};

const struct sandbox_link sandbox_links[] = {
	{"/bin", "usr/bin"},
	{"/sbin", "usr/sbin"},
	{"/lib", "usr/lib"},
	{"/lib32", "usr/lib32"},
	{"/lib64", "usr/lib64"},
	{"/dev/fd", "/proc/self/fd"},
	{"/dev/stdin", "/proc/self/fd/0"},
	{"/dev/stdout", "/proc/self/fd/1"},
	{"/dev/stderr", "/proc/self/fd/2"},
	{NULL, NULL},
};

/* Private and empty at every start. Sizes: what fills them must not fill the host's memory. */
const struct sandbox_dir sandbox_dirs[] = {
	{"/proc", NULL},
	{"/etc", NULL},
	{"/var/tmp", "mode=1777,size=256m,nr_inodes=65536"},
	{"/tmp", "mode=1777,size=1g,nr_inodes=262144"},
	{"/dev/shm", "mode=1777,size=256m,nr_inodes=65536"},
	{NULL, NULL},
};

static bool is_here(const char *path)
{
	struct stat st;

	/* Links (/bin -> usr/bin) are made from their own table, links to files are followed. */
	if (lstat(path, &st))
		return false;
	if (!S_ISLNK(st.st_mode))
		return true;
	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

int sandbox_table__resolve(struct sandbox *s)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!is_here(table[i].path))
			continue;
		if (s->binds_cnt == SANDBOX_BINDS_MAX)
			return -E2BIG;
		s->binds[s->binds_cnt++] = (struct sandbox_bind){
			.from = table[i].path, .to = table[i].path, .flags = table[i].flags};
	}
	return 0;
}
