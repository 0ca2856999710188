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

static int make_filter(struct sandbox *s, const struct sandbox_request *req,
		       struct sandbox_fault *fault)
{
	const char *word = NULL;
	int err;

	seccomp_filter__done(&s->filter);
	err = seccomp_filter__new(&s->filter,
				  &(struct seccomp_wish){
					  .network = req->network,
					  .ipc = sandbox_layer_on(s, LAYER_IPC),
					  .notify = sandbox_layer_on(s, LAYER_NOTIFY),
					  .allow = req->allow,
				  },
				  &word);
	if (word)
		sandbox_fault__set(fault, FAULT_OF_CALL, word);
	return err;
}

static void give_up(struct sandbox *s, const struct trial *t)
{
	/* a child that died without a word died of the filter, the last to be put on */
	enum sandbox_layer layer = t->error ? t->layer : LAYER_SECCOMP;

	sandbox__miss(s, layer, t->error ? t->error : EIO);
	if (layer == LAYER_SECCOMP)
		sandbox__miss(s, LAYER_NOTIFY, s->missing[LAYER_SECCOMP]);
}

/* Whether `failed` happens with fewer binds of the configuration, too. Leaves *t as the trial left it. */
static bool fails_with(struct sandbox *s, size_t binds, size_t aliases, const struct trial *failed,
		       struct trial *t)
{
	size_t binds_cnt = s->binds_cnt, aliases_cnt = s->aliases_cnt;
	int err;

	s->binds_cnt = binds;
	s->aliases_cnt = aliases;
	*t = (struct trial){0};
	err = run_trial(s, t);
	s->binds_cnt = binds_cnt;
	s->aliases_cnt = aliases_cnt;
	return err || (!t->done && t->layer == failed->layer);
}

/* The path of the configuration with which a layer fails that does without it; NULL: the host refuses it. */
static const char *path_at_fault(struct sandbox *s, struct trial *t)
{
	const struct trial failed = *t;
	const char *path = NULL;

	if (s->binds_cnt == s->table_cnt || !failed.error ||
	    fails_with(s, s->table_cnt, 0, &failed, t))
		return NULL;
	for (size_t n = s->table_cnt; n < s->binds_cnt && !path; n++)
		if (fails_with(s, n + 1, 0, &failed, t))
			path = s->binds[n].to;
	for (size_t n = 0; n < s->aliases_cnt && !path; n++)
		if (fails_with(s, s->binds_cnt, n + 1, &failed, t))
			path = s->aliases[n].at;
	*t = failed;
	return path;
}

/* A trial failed: the configuration is at fault, or this host has a layer less. */
static int blame(struct sandbox *s, struct trial *t, struct sandbox_fault *fault)
{
	const char *path;

	if (sandbox_is_shortage(t->error))
		return -t->error;
	path = path_at_fault(s, t);
	if (path)
		return sandbox_fault__set(fault, FAULT_OF_PATH, path), -t->error;
	give_up(s, t);
	return 0;
}

int sandbox_trial__settle(struct sandbox *s, const struct sandbox_request *req,
			  struct sandbox_fault *fault)
{
	struct trial *t =
		mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int err = t == MAP_FAILED ? -errno : 0;

	for (size_t i = 0; !err && i <= LAYER_CNT; i++) {
		err = make_filter(s, req, fault);
		*t = (struct trial){0};
		if (!err)
			err = run_trial(s, t);
		if (err || t->done)
			break;
		err = blame(s, t, fault);
	}
	if (t != MAP_FAILED)
		(void)munmap(t, sizeof(*t));
	return err;
}
