/* SPDX-License-Identifier: BSD-2-Clause */
/* Which layers this host permits: each trial starts a child through all of them. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "sandbox_private.h"

struct trial {
	enum sandbox_layer layer; /* the one that failed, with error */
	int error;
	int status; /* of the child's end, as waitpid gives it */
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
	while (pid > 0 && waitpid(pid, &t->status, 0) < 0 && errno == EINTR)
		;
	_exit(0);
}

/*
 * Fills *t. What is of this moment is an error: a shortage, or a child that somebody killed. One that died
 * of the filter, the last to be put on, died by SIGSYS, without a word.
 */
static int run_trial(const struct sandbox *s, struct trial *t)
{
	int status = 0;
	pid_t pid;

	*t = (struct trial){0};
	pid = fork();
	if (pid == 0)
		try_outside(s, t);
	if (pid < 0)
		return -errno;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (t->done)
		return 0;
	if (sandbox_is_shortage(t->error))
		return -t->error;
	if (t->error)
		return 0;
	if (!WIFSIGNALED(t->status))
		t->status = status;
	t->layer = LAYER_SECCOMP;
	return WIFSIGNALED(t->status) && WTERMSIG(t->status) == SIGSYS ? 0 : -EIO;
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
	return word ? sandbox_fault__set(fault, FAULT_OF_CALL, word, err) : err;
}

static void give_up(struct sandbox *s, const struct trial *t)
{
	sandbox__miss(s, t->layer, t->error ? t->error : EIO);
	if (t->layer == LAYER_SECCOMP)
		sandbox__miss(s, LAYER_NOTIFY, s->missing[LAYER_SECCOMP]);
}

/* Whether the layer `failed` fails with so much of the configuration alone: 1, 0, or a negative errno. */
static int fails_with(struct sandbox *s, size_t binds, size_t aliases, enum sandbox_layer failed,
		      struct trial *t)
{
	size_t binds_cnt = s->binds_cnt, aliases_cnt = s->aliases_cnt;
	int err;

	s->binds_cnt = binds;
	s->aliases_cnt = aliases;
	err = run_trial(s, t);
	s->binds_cnt = binds_cnt;
	s->aliases_cnt = aliases_cnt;
	return err ? err : !t->done && t->layer == failed;
}

/*
 * The path of the configuration with which a layer fails that does without it; NULL: the host refuses the
 * layer.
 */
static int find_path_at_fault(struct sandbox *s, enum sandbox_layer failed, struct trial *t,
			      const char **ret)
{
	int fails = fails_with(s, s->table_cnt, 0, failed, t);

	*ret = NULL;
	if (fails)
		return fails < 0 ? fails : 0;
	for (size_t n = s->table_cnt; n < s->binds_cnt && !fails; n++) {
		fails = fails_with(s, n + 1, 0, failed, t);
		*ret = s->binds[n].to;
	}
	for (size_t n = 0; n < s->aliases_cnt && !fails; n++) {
		fails = fails_with(s, s->binds_cnt, n + 1, failed, t);
		*ret = s->aliases[n].at;
	}
	if (fails < 0)
		return fails;
	/* All of it does now: the trial failed by chance. */
	return fails ? 0 : -EAGAIN;
}

/* A trial failed: the configuration is at fault, or this host has a layer less. */
static int blame(struct sandbox *s, struct trial *t, struct sandbox_fault *fault)
{
	const struct trial failed = *t;
	const char *path = NULL;
	int err = 0;

	if (s->binds_cnt > s->table_cnt && failed.error)
		err = find_path_at_fault(s, failed.layer, t, &path);
	if (err)
		return err;
	if (path)
		return sandbox_fault__set(fault, FAULT_OF_PATH, path, -failed.error);
	give_up(s, &failed);
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
