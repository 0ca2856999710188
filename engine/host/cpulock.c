/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpulock.h"
#include <errno.h>
#include <fcntl.h>

static struct flock byte_of(int cpu, short type)
{
	return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = cpu, .l_len = 1};
}

static int lock_one(int fd, int cpu, struct cpulock_holder *ret_holder)
{
	struct flock lock = byte_of(cpu, F_WRLCK);

	if (!fcntl(fd, F_SETLK, &lock))
		return 0;
	if (errno != EAGAIN && errno != EACCES)
		return -errno;
	*ret_holder = (struct cpulock_holder){.cpu = cpu};
	/* it may have let go in between: nobody then, and the next try will do */
	if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK && lock.l_pid > 0)
		ret_holder->pid = lock.l_pid;
	return -EAGAIN;
}

static void unlock_all(int fd)
{
	struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

	(void)fcntl(fd, F_SETLK, &all); /* letting go cannot fail on a file that could be locked */
}

int cpulock__try(int fd, const cpu_set_t *cpus, struct cpulock_holder *ret_holder)
{
	int err = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && !err; cpu++) {
		if (CPU_ISSET(cpu, cpus))
			err = lock_one(fd, cpu, ret_holder);
	}
	if (err)
		unlock_all(fd);
	return err;
}
