/* SPDX-License-Identifier: BSD-2-Clause */
#include <asm/ioctls.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <stddef.h>
#include "seccomp_policy.h"

const struct seccomp_group seccomp_policy[] = {
	{RULE_ALLOW, "bytes through descriptors it has",
	 "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close "
	 "close_range dup dup2 dup3 fcntl pipe pipe2 sendfile splice tee vmsplice copy_file_range "
	 "fsync fdatasync sync_file_range syncfs fallocate ftruncate truncate fadvise64 readahead"},
	{RULE_ALLOW, "files: which ones, its root and Landlock say",
	 "open openat openat2 creat access faccessat faccessat2 stat fstat lstat newfstatat statx "
	 "statfs fstatfs readlink readlinkat getdents getdents64 getcwd chdir fchdir mkdir mkdirat "
	 "rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat chmod "
	 "fchmod "
	 "fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat umask "
	 "flock mknod mknodat getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr "
	 "setxattr "
	 "lsetxattr fsetxattr removexattr lremovexattr fremovexattr inotify_init inotify_init1 "
	 "inotify_add_watch inotify_rm_watch"},
	{RULE_ALLOW, "its own memory",
	 "brk mmap munmap mremap mprotect madvise msync mincore mlock mlock2 munlock mlockall "
	 "munlockall memfd_create pkey_alloc pkey_free pkey_mprotect membarrier"},
	{RULE_ALLOW,
	 "processes and threads of its own: the PID namespace and the cgroup bound them",
	 "execve execveat exit exit_group wait4 waitid fork vfork getpid gettid getppid getpgid "
	 "setpgid getpgrp setsid getsid set_tid_address set_robust_list get_robust_list rseq prctl "
	 "arch_prctl pidfd_open pidfd_send_signal"},
	{RULE_ALLOW, "who it is: without capabilities it cannot become another",
	 "getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid "
	 "setregid setresuid setresgid setfsuid setfsgid capget capset"},
	{RULE_ALLOW, "asking about the machine, and lowering its own share of it",
	 "uname sysinfo times getrusage getrlimit setrlimit prlimit64 getpriority setpriority "
	 "sched_getaffinity sched_yield sched_getparam sched_getscheduler sched_getattr "
	 "sched_get_priority_max sched_get_priority_min sched_rr_get_interval getcpu getrandom"},
	{RULE_ALLOW, "signals: they reach its own PID namespace alone",
	 "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack rt_sigpending rt_sigsuspend "
	 "rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo kill tkill tgkill pause alarm "
	 "setitimer "
	 "getitimer signalfd signalfd4 restart_syscall"},
	{RULE_ALLOW, "waiting",
	 "futex futex_waitv poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl "
	 "epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 nanosleep clock_nanosleep"},
	{RULE_ALLOW, "reading clocks, timers of its own",
	 "clock_gettime clock_getres gettimeofday time timer_create timer_settime timer_gettime "
	 "timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime"},
	{RULE_ALLOW, "the protocol's socket, and pairs within the program",
	 "socketpair sendmsg sendto sendmmsg recvmsg recvfrom recvmmsg shutdown getsockopt "
	 "setsockopt getsockname getpeername"},
	{RULE_ALLOW, "it can only bind itself tighter",
	 "landlock_create_ruleset landlock_add_rule landlock_restrict_self"},
	{RULE_ALLOW_IPC, "System V and POSIX queues, in a namespace of its own",
	 "shmget shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl "
	 "mq_open mq_unlink mq_timedsend mq_timedreceive mq_getsetattr mq_notify"},
	{RULE_ALLOW_NETWORK, "sockets to others: only where the project asks for them",
	 "socket connect bind listen accept accept4"},
	{RULE_UNKNOWN, "its flags lie in memory, which a filter cannot read; libc then uses clone",
	 "clone3"},
	{RULE_DENY, "looking into or steering other processes",
	 "ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp"},
	{RULE_DENY, "other mounts, other namespaces: the way out of the root",
	 "mount umount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount "
	 "fspick "
	 "mount_setattr unshare setns name_to_handle_at open_by_handle_at"},
	{RULE_DENY, "large and often faulty parts of the kernel that no benchmark needs",
	 "bpf perf_event_open io_uring_setup io_uring_enter io_uring_register userfaultfd "
	 "fanotify_init lookup_dcookie"},
	{RULE_DENY, "keys of the user's session", "add_key keyctl request_key"},
	{RULE_DENY, "the machine itself",
	 "kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff reboot "
	 "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname acct "
	 "quotactl "
	 "syslog iopl ioperm vhangup setgroups"},
	{RULE_DENY, "where it runs is the measurement's to say; emulators ask and go on without",
	 "sched_setaffinity sched_setscheduler sched_setparam sched_setattr set_mempolicy "
	 "get_mempolicy mbind migrate_pages move_pages"},
};
const size_t seccomp_policy_cnt = sizeof(seccomp_policy) / sizeof(seccomp_policy[0]);

#define NAMESPACES                                                                                 \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |             \
	 CLONE_NEWPID | CLONE_NEWNET)

/* The kernel looks at the low 32 bits of an ioctl's number and of a persona: so does the mask. */
#define LOW 0xffffffffu

const struct seccomp_argument seccomp_arguments[] = {
	{"clone", 0, NAMESPACES, 0, "threads and processes, but no new namespace"},
	{"personality", 0, LOW, 0xffffffff, "asking for the persona"},
	{"personality", 0, LOW, 0, "the usual persona"},
	{"ioctl", 1, LOW, TCGETS, "is it a terminal?"},
	{"ioctl", 1, LOW, TIOCGWINSZ, "how wide is it?"},
	{"ioctl", 1, LOW, TIOCGPGRP, "is the program in front?"},
	{"ioctl", 1, LOW, FIONREAD, "how much is there to read?"},
	{"ioctl", 1, LOW, FIONBIO, "do not block"},
	{"ioctl", 1, LOW, FIOCLEX, "close on exec"},
	{"ioctl", 1, LOW, FIONCLEX, "keep on exec"},
	{"ioctl", 1, LOW, FS_IOC_GETFLAGS, "compilers and copies ask for a file's flags"},
	{"ioctl", 1, LOW, FICLONE, "copy by reference"},
	{"ioctl", 1, LOW, FICLONERANGE, "likewise"},
	{"ioctl", 1, LOW, FS_IOC_FIEMAP, "where are the holes of a file?"},
};
const size_t seccomp_arguments_cnt = sizeof(seccomp_arguments) / sizeof(seccomp_arguments[0]);
