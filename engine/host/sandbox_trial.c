/* SPDX-License-Identifier: BSD-2-Clause */
/* Which layers this host permits: each trial starts a child through all of them. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "sandbox_private.h"

struct trial {
	enum sandbox_layer layer; /* the one that failed, with error */
	int error;
	bool done;
};

static _Noreturn void try_inside(const struct sandbox *s, struct trial *t)
{
	if (sandbox_layer_on(s, LAYER_ROOT) && sandbox_enter_root(s, NULL, 0, &t->layer)) {
		t->error = errno;
		_exit(1);
	}
	if (sandbox_drop_bounding() || sandbox_drop_capabilities() ||
	    sandbox_enter_locked(s, NULL, 0, -1, &t->layer)) {
		t->error = errno;
		_exit(1);
	}
	t->done = true;
	_exit(0);
}

static _Noreturn void try_outside(const struct sandbox *s, struct trial *t)
{
	enum sandbox_layer layer;
	pid_t pid;

	if (sandbox_enter_namespaces(s, &layer)) {
		t->layer = layer;
		t->error = errno;
		_exit(1);
	}
	if (!sandbox_layer_on(s, LAYER_PID))
		try_inside(s, t);
	pid = fork();
	if (pid == 0)
		try_inside(s, t);
	if (pid < 0) {
		t->layer = LAYER_PID;
		t->error = errno;
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	_exit(0);
}

static int run_trial(const struct sandbox *s, struct trial *t)
{
	pid_t pid = fork();

	if (pid == 0)
		try_outside(s, t);
	if (pid < 0)
		return -errno;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

static int make_filter(struct sandbox *s, const struct sandbox_request *req, const char **ret_word)
{
	seccomp_filter__done(&s->filter);
	return seccomp_filter__new(&s->filter,
				   &(struct seccomp_wish){
					   .network = req->network,
					   .ipc = sandbox_layer_on(s, LAYER_IPC),
					   .notify = sandbox_layer_on(s, LAYER_NOTIFY),
					   .allow = req->allow,
				   },
				   ret_word);
}

static void give_up(struct sandbox *s, const struct trial *t)
{
	/* a child that died without a word died of the filter, the last to be put on */
	enum sandbox_layer layer = t->error ? t->layer : LAYER_SECCOMP;

	sandbox__miss(s, layer, t->error ? t->error : EIO);
	if (layer == LAYER_SECCOMP)
		sandbox__miss(s, LAYER_NOTIFY, s->missing[LAYER_SECCOMP]);
}

int sandbox_trial__settle(struct sandbox *s, const struct sandbox_request *req,
			  const char **ret_word)
{
	struct trial *t =
		mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int err = t == MAP_FAILED ? -errno : 0;

	for (size_t i = 0; !err && i <= LAYER_CNT; i++) {
		err = make_filter(s, req, ret_word);
		*t = (struct trial){0};
		if (!err)
			err = run_trial(s, t);
		if (err || t->done)
			break;
		if (sandbox_is_shortage(t->error))
			err = -t->error;
		else
			give_up(s, t);
	}
	if (t != MAP_FAILED)
		(void)munmap(t, sizeof(*t));
	return err;
}
