/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "../util/path.h"
#include "sandbox_private.h"

#define MFD_EXEC_6_3 0x10u /* MFD_EXEC: refused with EINVAL by older kernels */

static const struct {
	const char *name, *remedy;
} layers[LAYER_CNT] = {
	[LAYER_USER] = {"user", "sudo sysctl user.max_user_namespaces=1000, and where AppArmor "
				"restricts them kernel.apparmor_restrict_unprivileged_userns=0"},
	[LAYER_ROOT] = {"root", "allow user namespaces, or run as root"},
	[LAYER_PID] = {"pid", "allow user namespaces, or run as root; in a container, leave /proc "
			      "unmasked (docker: --security-opt systempaths=unconfined)"},
	[LAYER_IPC] = {"ipc", "allow user namespaces, or run as root"},
	[LAYER_UTS] = {"uts", "allow user namespaces, or run as root"},
	[LAYER_NET] = {"net", "allow user namespaces, or run as root"},
	[LAYER_LANDLOCK] = {"landlock", "run Linux 5.13 or newer, booted with lsm=landlock,..."},
	[LAYER_SECCOMP] = {"seccomp", "run a kernel with CONFIG_SECCOMP_FILTER"},
	[LAYER_NOTIFY] = {"notify", "run Linux 5.0 or newer, outside of another program's filter"},
};

const char *sandbox_level_name(enum sandbox_level level)
{
	static const char *const names[] = {[SANDBOX_STANDARD] = "standard",
					    [SANDBOX_STRICT] = "strict",
					    [SANDBOX_NONE] = "none"};

	return names[level];
}

const char *sandbox_layer_name(enum sandbox_layer layer)
{
	return layers[layer].name;
}

const char *sandbox_layer_remedy(enum sandbox_layer layer)
{
	return layers[layer].remedy;
}

bool sandbox_has(const struct sandbox *s, enum sandbox_layer layer)
{
	return s && sandbox_layer_on(s, layer);
}

int sandbox_missing(const struct sandbox *s, enum sandbox_layer layer)
{
	return s ? s->missing[layer] : 0;
}

const char *sandbox_missing_str(int err)
{
	if (err == ENOSPC) /* what unshare(2) says of user.max_*_namespaces; no disk is full */
		return "the limit of namespaces is reached";
	return err ? strerror(err) : NULL;
}

const char *sandbox_list_missing(const struct sandbox *s, FILE *f)
{
	const char *remedy = NULL;

	for (int l = 0; l < LAYER_CNT; l++) {
		int err = sandbox_missing(s, (enum sandbox_layer)l);

		if (!err)
			continue;
		fprintf(f, "%s%s (%s)", remedy ? ", " : "", layers[l].name,
			sandbox_missing_str(err));
		remedy = remedy ? remedy : layers[l].remedy;
	}
	return remedy;
}

bool sandbox_shows(const struct sandbox *s, const char *path)
{
	if (!sandbox_has(s, LAYER_ROOT) && !sandbox_has(s, LAYER_LANDLOCK))
		return true;
	for (size_t i = 0; i < s->binds_cnt; i++) {
		if (path_below(path, s->binds[i].to))
			return true;
	}
	for (size_t i = 0; i < s->aliases_cnt; i++) {
		if (path_below(path, s->aliases[i].at))
			return true;
	}
	for (const struct sandbox_link *l = sandbox_links; l->at; l++) {
		if (path_below(path, l->at))
			return true;
	}
	return false;
}

bool sandbox_can_show(const struct sandbox *s, const char *path)
{
	if (!path[0] || !path[1] || path_below(path, "/proc") || path_below(path, "/dev"))
		return false;
	for (size_t i = 0; s && i < s->binds_cnt; i++) {
		if (path_below(s->binds[i].to, path))
			return false;
	}
	for (const struct sandbox_dir *d = sandbox_dirs; d->at; d++) {
		if (path_below(d->at, path))
			return false;
	}
	return true;
}

/* ---- What is made once. ---- */

/* The program of PID 1, linked into ours. */
extern const char sandbox_init[];
extern const uint32_t sandbox_init_bytes;
__asm__(".section .rodata\n"
	".globl sandbox_init, sandbox_init_bytes\n"
	"sandbox_init:\n"
	".incbin \"" INIT_PROGRAM "\"\n"
	"0:\n"
	".balign 4\n"
	"sandbox_init_bytes:\n"
	".long 0b - sandbox_init\n"
	".previous\n");

/* Sysctl vm.memfd_noexec can forbid it: then there is no PID namespace. */
static int open_init(struct sandbox *s)
{
	int fd = memfd_create("joust-init", MFD_CLOEXEC | MFD_EXEC_6_3);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("joust-init", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	s->init_fd = fd;
	if (write(fd, sandbox_init, sandbox_init_bytes) != (ssize_t)sandbox_init_bytes ||
	    fchmod(fd, 0500))
		return -errno;
	return 0;
}

static int open_all(struct sandbox *s, const struct sandbox_request *req,
		    struct sandbox_fault *fault)
{
	int err = sandbox_table__resolve(s);

	if (!err)
		err = sandbox_opened__add(s, req, fault);
	if (!err)
		err = sandbox_namespaces__open(s);
	if (err)
		return err;
	err = open_init(s);
	if (sandbox_is_shortage(-err))
		return err;
	if (err)
		sandbox__miss(s, LAYER_PID, -err);
	return sandbox_trial__settle(s, req, fault);
}

int sandbox__new(struct sandbox **ret, const struct sandbox_request *req,
		 struct sandbox_fault *ret_fault)
{
	struct sandbox *s;
	int err;

	*ret = NULL;
	ret_fault->kind = FAULT_OF_NONE;
	if (req->level == SANDBOX_NONE)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->user_fd = s->net_fd = s->init_fd = -1;
	s->layers = (1u << LAYER_CNT) - 1;
	s->log = req->log;
	s->network = req->network;
	if (req->network)
		s->layers &= ~(1u << LAYER_NET);
	err = open_all(s, req, ret_fault);
	if (err)
		sandbox__free(s);
	else
		*ret = s;
	return err;
}

void sandbox__free(struct sandbox *s)
{
	if (!s)
		return;
	seccomp_filter__done(&s->filter);
	cleanup_fd(&s->user_fd);
	cleanup_fd(&s->net_fd);
	cleanup_fd(&s->init_fd);
	for (size_t i = 0; i < s->owned_cnt; i++)
		free(s->owned[i]);
	free(s->owned);
	free(s);
}
