/* SPDX-License-Identifier: BSD-2-Clause */
#include "seccomp_filter.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "seccomp_policy.h"

#define NAME_BYTES 64

DEFINE_CLEANUP(cleanup_context, scmp_filter_ctx, seccomp_release);

/* One filter on its way. */
struct making {
	scmp_filter_ctx ctx;
	const struct seccomp_wish *wish;
	struct seccomp_filter *filter;
};

static bool is_wished(const struct making *m, int number)
{
	for (const char *const *name = m->wish->allow; name && *name; name++) {
		if (seccomp_syscall_resolve_name(*name) == number)
			return true;
	}
	return false;
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int remember_denied(struct making *m, int number)
{
	struct seccomp_filter *f = m->filter;
	int *grown = reallocarray(f->denied, f->denied_cnt + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	f->denied = grown;
	grown[f->denied_cnt++] = number;
	return 0;
}

/* Without a listener the filter itself gives the answer that the engine would. */
static int deny(struct making *m, int number)
{
	int err = remember_denied(m, number);

	if (err || m->wish->notify)
		return err;
	return seccomp_rule_add(m->ctx, SCMP_ACT_ERRNO(EPERM), number, 0);
}

static int add_call(struct making *m, enum seccomp_rule rule, int number)
{
	if (rule != RULE_ALLOW && is_wished(m, number))
		return 0;
	switch (rule) {
	case RULE_ALLOW:
		return seccomp_rule_add(m->ctx, SCMP_ACT_ALLOW, number, 0);
	case RULE_ALLOW_IPC:
		return m->wish->ipc ? add_call(m, RULE_ALLOW, number) : deny(m, number);
	case RULE_ALLOW_NETWORK:
		return m->wish->network ? add_call(m, RULE_ALLOW, number) : deny(m, number);
	case RULE_UNKNOWN:
		if (!m->wish->notify) /* libseccomp refuses a rule that says what the rest gets */
			return 0;
		return seccomp_rule_add(m->ctx, SCMP_ACT_ERRNO(ENOSYS), number, 0);
	case RULE_DENY:
	default:
		return deny(m, number);
	}
}

/* Names that this processor or this libseccomp does not have are left out: ENOSYS is right. */
static int add_group(struct making *m, const struct seccomp_group *group)
{
	char name[NAME_BYTES];
	int err = 0;

	for (const char *p = group->names; *p && !err; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		int number;

		(void)snprintf(name, sizeof(name), "%.*s", (int)len, p);
		number = seccomp_syscall_resolve_name(name);
		if (number >= 0)
			err = add_call(m, group->rule, number);
		p += len;
	}
	return err;
}

/* libseccomp's own 32-bit duplicates aside, each row is one more way for the call to be allowed. */
static int add_arguments(struct making *m)
{
	int err = 0;

	for (size_t i = 0; i < seccomp_arguments_cnt && !err; i++) {
		const struct seccomp_argument *a = &seccomp_arguments[i];
		int number = seccomp_syscall_resolve_name(a->name);

		if (number < 0 || is_wished(m, number))
			continue;
		err = seccomp_rule_add(m->ctx, SCMP_ACT_ALLOW, number, 1,
				       SCMP_CMP(a->index, SCMP_CMP_MASKED_EQ, a->mask, a->value));
		if (!err)
			err = remember_denied(m, number);
	}
	return err;
}

static int add_wishes(struct making *m, const char **ret_word)
{
	int err = 0;

	for (const char *const *name = m->wish->allow; name && *name && !err; name++) {
		int number = seccomp_syscall_resolve_name(*name);

		if (number == __NR_SCMP_ERROR) {
			*ret_word = *name;
			return -EINVAL;
		}
		if (number >= 0)
			err = add_call(m, RULE_ALLOW, number);
	}
	return err;
}

static int add_rules(struct making *m, const char **ret_word)
{
	int err = add_wishes(m, ret_word);

	for (size_t i = 0; i < seccomp_policy_cnt && !err; i++)
		err = add_group(m, &seccomp_policy[i]);
	if (!err)
		err = add_arguments(m);
	if (!err && m->filter->denied_cnt)
		qsort(m->filter->denied, m->filter->denied_cnt, sizeof(int), by_number);
	return err;
}

static int set_attributes(struct making *m)
{
	/* A program of another architecture counts its calls differently: the list would lie. */
	int err = seccomp_attr_set(m->ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

	if (!err)
		err = seccomp_attr_set(m->ctx, SCMP_FLTATR_CTL_SSB, 1);
	if (!err) /* a binary tree: libseccomp 2.5, cheaper where arguments are checked */
		err = seccomp_attr_set(m->ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	return err;
}

/* libseccomp 2.5 exports to a descriptor only; the pages then are the program. */
static int export(struct making *m)
{
	AUTO_FD int fd = memfd_create("joust-filter", MFD_CLOEXEC);
	struct seccomp_filter *f = m->filter;
	struct stat st;
	int err;

	if (fd < 0)
		return -errno;
	err = seccomp_export_bpf(m->ctx, fd);
	if (err)
		return err;
	if (fstat(fd, &st))
		return -errno;
	if (st.st_size <= 0 || st.st_size / (off_t)sizeof(struct sock_filter) > BPF_MAXINSNS)
		return -E2BIG;
	f->program = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (f->program == MAP_FAILED) {
		f->program = NULL;
		return -errno;
	}
	f->bytes = (size_t)st.st_size;
	return 0;
}

int seccomp_filter__new(struct seccomp_filter *ret, const struct seccomp_wish *wish,
			const char **ret_word)
{
	uint32_t rest = wish->notify ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(ENOSYS);
	CLEANUP(cleanup_context) scmp_filter_ctx ctx = seccomp_init(rest);
	struct seccomp_filter f = {0};
	struct making m = {.ctx = ctx, .wish = wish, .filter = &f};
	int err;

	if (!ctx)
		return -ENOTSUP;
	err = set_attributes(&m);
	if (!err)
		err = add_rules(&m, ret_word);
	if (!err)
		err = export(&m);
	if (err)
		seccomp_filter__done(&f);
	else
		*ret = f;
	return err;
}

void seccomp_filter__done(struct seccomp_filter *f)
{
	if (f->program)
		(void)munmap(f->program, f->bytes);
	free(f->denied);
	*f = (struct seccomp_filter){0};
}

int seccomp_filter_install(const struct seccomp_filter *f, bool notify)
{
	const struct sock_fprog program = {
		.len = (unsigned short)(f->bytes / sizeof(struct sock_filter)),
		.filter = f->program};
	unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;

	if (notify)
		flags |= SECCOMP_FILTER_FLAG_NEW_LISTENER;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static int error_of(const struct seccomp_filter *f, int number)
{
	return bsearch(&number, f->denied, f->denied_cnt, sizeof(number), by_number) ? EPERM
										     : ENOSYS;
}

int seccomp_answer(const struct seccomp_filter *f, int listener, bool log, struct seccomp_call *ret)
{
	/* Larger on a newer kernel than here: only what both know is filled (SECCOMP_GET_NOTIF_SIZES
	 * has stayed at these sizes since Linux 5.0). */
	struct seccomp_notif call = {0};
	struct seccomp_notif_resp answer;
	struct pollfd p = {.fd = listener, .events = POLLIN};

	if (poll(&p, 1, 0) <= 0)
		return 0;
	if (!(p.revents & POLLIN))
		return -EPIPE; /* nobody is left who could call */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return errno == ENOENT || errno == EINTR ? 0 : -errno; /* the caller was killed */
	ret->number = call.data.nr;
	ret->error = log ? 0 : error_of(f, call.data.nr);
	answer = (struct seccomp_notif_resp){
		.id = call.id,
		.error = -ret->error,
		.flags = log ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0,
	};
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) && errno != ENOENT)
		return -errno;
	return 1;
}

char *seccomp_call_name(int number)
{
	return seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
}
