/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks of CPUs between processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine/host/cpulock.h"

static cpu_set_t set_of(int a, int b)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(a, &set);
	CPU_SET(b, &set);
	return set;
}

/* What another process gets, which opens the file itself; its holder comes back through a pipe. */
static int try_elsewhere(const char *path, const cpu_set_t *set, struct cpulock_holder *ret)
{
	struct cpulock_holder holder = {.cpu = -1};
	int pipe_fds[2], status = 0;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	if (pid == 0) {
		int fd = open(path, O_RDWR | O_CLOEXEC);
		int err = cpulock__try(fd, set, &holder);

		if (write(pipe_fds[1], &holder, sizeof(holder)) != sizeof(holder))
			_exit(255);
		_exit(-err);
	}
	assert_true(pid > 0);
	assert_int_equal(read(pipe_fds[0], ret, sizeof(*ret)), sizeof(*ret));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	return -WEXITSTATUS(status);
}

static void one_has_a_cpu_and_others_are_told(void **state)
{
	char path[] = "/tmp/joust-cpulock.XXXXXX";
	cpu_set_t mine = set_of(1, 3), overlapping = set_of(0, 3), other = set_of(0, 2);
	struct cpulock_holder holder;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(cpulock__try(fd, &mine, &holder), 0);
	assert_int_equal(try_elsewhere(path, &overlapping, &holder), -EAGAIN);
	assert_int_equal(holder.cpu, 3);
	assert_int_equal(holder.pid, getpid());
	assert_int_equal(try_elsewhere(path, &other, &holder), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(try_elsewhere(path, &mine, &holder), 0); /* let go with the file */
	assert_int_equal(unlink(path), 0);
}

/* Who gets not all has nothing: two that wait for each other would wait for ever. */
static void all_or_none(void **state)
{
	char path[] = "/tmp/joust-cpulock.XXXXXX";
	cpu_set_t theirs = set_of(3, 3), mine = set_of(1, 3), first = set_of(1, 1);
	struct cpulock_holder holder;
	int fd = mkstemp(path), ready[2], go[2], status;
	char byte = 0;
	pid_t pid;

	(void)state;
	assert_true(fd >= 0 && !pipe(ready) && !pipe(go));
	pid = fork();
	if (pid == 0) {
		int own = open(path, O_RDWR | O_CLOEXEC);

		close(go[1]);
		if (cpulock__try(own, &theirs, &holder) || write(ready[1], "r", 1) != 1)
			_exit(1);
		_exit(read(go[0], &byte, 1) != 0); /* until the other end is closed */
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(cpulock__try(fd, &mine, &holder), -EAGAIN);
	assert_int_equal(holder.cpu, 3);
	assert_int_equal(holder.pid, pid);
	assert_int_equal(try_elsewhere(path, &first, &holder), 0); /* 1 was let go again */
	close(go[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(cpulock__try(fd, &mine, &holder), 0);
	assert_int_equal(unlink(path), 0);
	close(fd);
}

static void what_cannot_be_locked_is_an_error(void **state)
{
	cpu_set_t set = set_of(0, 1);
	struct cpulock_holder holder;

	(void)state;
	assert_int_equal(cpulock__try(-1, &set, &holder), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_has_a_cpu_and_others_are_told),
		cmocka_unit_test(all_or_none),
		cmocka_unit_test(what_cannot_be_locked_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
