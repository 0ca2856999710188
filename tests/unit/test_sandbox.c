/* SPDX-License-Identifier: BSD-2-Clause */
/* The sandbox around one child: what it can do, how it ends, and what each missing layer does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "engine/host/child.h"
#include "engine/host/doctor_rows.h"
#include "engine/host/seccomp_filter.h"
#include "engine/util/clock.h"

#define LIMIT_NS (60 * 1000000000ull) /* against hanging alone */

static const char *const no_env[] = {"PATH=/usr/bin:/bin", NULL};

/* ---- System calls that a test refuses. ---- */

static int refused_flag; /* of unshare */
static long refused_call;
static int killed_at; /* the flags of the unshare that its child does not survive */

int __real_unshare(int flags);
int __wrap_unshare(int flags);
int __wrap_unshare(int flags)
{
	if (killed_at && flags == killed_at)
		_exit(9); /* as by a signal: nothing is said */
	if (flags & refused_flag) {
		errno = EPERM;
		return -1;
	}
	return __real_unshare(flags);
}

static int generation, childless = -1; /* the generation that may not fork */
static int forks_left = -1;	       /* of this process; -1: any number */

pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
	pid_t pid;

	if (!generation && forks_left >= 0 && !forks_left--) {
		errno = EAGAIN;
		return -1;
	}
	if (generation == childless) {
		errno = EAGAIN;
		return -1;
	}
	pid = __real_fork();
	generation += !pid;
	return pid;
}

static bool no_init;

int __real_fexecve(int fd, char *const argv[], char *const envp[]);
int __wrap_fexecve(int fd, char *const argv[], char *const envp[]);
int __wrap_fexecve(int fd, char *const argv[], char *const envp[])
{
	if (no_init) {
		errno = ETXTBSY;
		return -1;
	}
	return __real_fexecve(fd, argv, envp);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
/* As libc's own, it takes six arguments whatever the caller gave: the sanitizer must not look. */
__attribute__((no_sanitize("address"))) long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	/* NOTIFY is a flag of seccomp: 8, SECCOMP_FILTER_FLAG_NEW_LISTENER */
	if (number == refused_call || (refused_call == -8 && number == SYS_seccomp && a[1] & 8)) {
		errno = ENOSYS;
		return -1;
	}
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- Helpers ---- */

static struct sandbox *new_sandbox(const struct sandbox_request *req)
{
	struct sandbox *s;
	struct sandbox_fault fault;

	assert_int_equal(sandbox__new(&s, req, &fault), 0);
	assert_non_null(s);
	return s;
}

static struct sandbox *standard(void)
{
	return new_sandbox(&(struct sandbox_request){.level = SANDBOX_STANDARD});
}

/* Skips where this host does not give all layers: which one is missing is said. */
static struct sandbox *complete(void)
{
	struct sandbox *s = standard();

	for (int l = 0; l < LAYER_CNT; l++) {
		if (sandbox_has(s, (enum sandbox_layer)l))
			continue;
		print_message("# skipped: this host has no layer \"%s\": %s\n",
			      sandbox_layer_name((enum sandbox_layer)l),
			      sandbox_missing_str(sandbox_missing(s, (enum sandbox_layer)l)));
		sandbox__free(s);
		skip();
	}
	return s;
}

static void start(struct child *c, struct sandbox *s, const char *script)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	const struct child_spec spec = {.path = "/bin/sh",
					.argv = argv,
					.envp = no_env,
					.cwd = "/",
					.protocol_fd = -1,
					.output_fd = -1,
					.sandbox = s};

	assert_int_equal(child__start(c, &spec), 0);
}

static void finish(struct child *c)
{
	uint64_t deadline = clock_ns(CLOCK_MONOTONIC) + LIMIT_NS;

	assert_int_equal(child__wait(c, -1, deadline, -1), CHILD_EXITED);
}

static void expect_line(const struct child *c, const char *line)
{
	AUTO_FREE char *text = kept_text(&c->output);

	assert_non_null(text);
	assert_memory_equal(text, line, strlen(line));
}

/* Runs it; its output and how it ended. */
static void run(struct sandbox *s, const char *script, const char *want_end, const char *want)
{
	struct child c;
	AUTO_FREE char *end = NULL;
	AUTO_FREE char *text = NULL;

	start(&c, s, script);
	finish(&c);
	text = kept_text(&c.output);
	end = child_end_name(c.status);
	assert_string_equal(end, want_end);
	if (want)
		assert_string_equal(text ? text : "", want);
	assert_false(c.left_processes);
	child__done(&c);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* "Seccomp:	2" of /proc/PID/status, as a number in the given base. */
static unsigned long long status_of(pid_t pid, const char *key, int base)
{
	char path[48], line[256];
	AUTO_FILE FILE *f = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ':')
			return strtoull(line + strlen(key) + 1, NULL, base);
	}
	fail_msg("no %s in %s", key, path);
	return 0;
}

static bool same_namespace(pid_t pid, const char *name)
{
	char path[64], own[64];
	struct stat a, b;

	(void)snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, name);
	(void)snprintf(own, sizeof(own), "/proc/self/ns/%s", name);
	assert_int_equal(stat(path, &a), 0);
	assert_int_equal(stat(own, &b), 0);
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* ---- Tests ---- */

static void seen_from_outside_it_is_confined(void **state)
{
	static const char *const names[] = {"user", "mnt", "pid", "ipc", "uts", "net"};
	struct sandbox *s = complete();
	struct child c;

	(void)state;
	start(&c, s, "sleep 100");
	assert_int_equal(status_of(c.pid, "Seccomp", 10), 2);
	assert_int_equal(status_of(c.pid, "NoNewPrivs", 10), 1);
	assert_int_equal(status_of(c.pid, "CapEff", 16), 0);
	assert_int_equal(status_of(c.pid, "CapPrm", 16), 0);
	assert_int_equal(status_of(c.pid, "CapBnd", 16), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_false(same_namespace(c.pid, names[i]));
	assert_true(c.init > 0);
	assert_int_equal(status_of(c.pid, "PPid", 10), getpid()); /* its usage is its own */
	child__done(&c);
	sandbox__free(s);
}

static void ends_keep_their_names(void **state)
{
	static const char *const cases[][2] = {
		{"exit 0", "exit status 0"},  {"exit 3", "exit status 3"},
		{"kill -SEGV $$", "SIGSEGV"}, {"kill -ABRT $$", "SIGABRT"},
		{"kill -TERM $$", "SIGTERM"}, {"kill -KILL $$", "SIGKILL"},
		{"kill -40 $$", "signal 40"},
	};
	struct sandbox *s = standard();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(s, cases[i][0], cases[i][1], "");
	sandbox__free(s);
}

static void the_root_is_made_from_the_table(void **state)
{
	struct sandbox *s = complete();

	(void)state;
	run(s, "echo /*", "exit status 0",
	    access("/opt", F_OK) ? "/bin /dev /etc /lib /lib32 /lib64 /proc /sbin /tmp /usr /var\n"
				 : "/bin /dev /etc /lib /lib32 /lib64 /opt /proc /sbin /tmp /usr "
				   "/var\n");
	run(s, "test ! -e /root && test ! -e /home && test ! -e /sys && test ! -e /etc/shadow",
	    "exit status 0", "");
	run(s,
	    "touch /x /usr/x /etc/x 2>/dev/null; echo /x* /usr/x /etc/x | cat; ls /usr/x 2>&1 "
	    ">/dev/null | wc -l",
	    "exit status 0", "/x* /usr/x /etc/x\n1\n");
	run(s, "echo a >/proc/sys/kernel/core_pattern", "exit status 2", NULL);
	run(s, "echo $$ $PPID; hostname", "exit status 0", "2 0\njoust\n");
	sandbox__free(s);
}

static void tmp_is_private_and_new_each_time(void **state)
{
	char name[] = "/tmp/joust-test-XXXXXX";
	int fd = mkstemp(name);
	struct sandbox *s = complete();

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	run(s, "ls -A /tmp; echo x >/tmp/left; cat /tmp/left", "exit status 0", "x\n");
	run(s, "ls -A /tmp", "exit status 0", "");
	unlink(name);
	sandbox__free(s);
}

static void a_tree_appears_where_it_is_told_to(void **state)
{
	char dir[] = "/tmp/joust-test-XXXXXX", file[64];
	const char *argv[] = {"sh", "-c", "cat f; echo y >f", NULL};
	struct sandbox *s = complete();
	struct child_spec spec = {.path = "/bin/sh",
				  .argv = argv,
				  .envp = no_env,
				  .cwd = "/some/where/else",
				  .protocol_fd = -1,
				  .output_fd = -1,
				  .sandbox = s,
				  .bind = {{dir, "/some/where/else", 0}},
				  .bind_cnt = 1};
	struct child c;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(file, sizeof(file), "%s/f", dir);
	f = fopen(file, "we");
	assert_non_null(f);
	assert_true(fputs("x\n", f) >= 0 && !fclose(f));
	for (int i = 0; i < 2; i++) { /* read-only, then writable */
		spec.bind[0].flags = i ? BIND_WRITE : 0;
		assert_int_equal(child__start(&c, &spec), 0);
		finish(&c);
		expect_line(&c, "x\n");
		assert_int_equal(WEXITSTATUS(c.status), i ? 0 : 2);
		child__done(&c);
	}
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(dir), 0);
	sandbox__free(s);
}

static void what_is_left_behind_is_told_and_ended(void **state)
{
	/* out of the session, its parent gone: only the namespace still knows whose it is */
	static const char script[] = "setsid sleep 1000 </dev/null >/dev/null 2>&1 & exit 0";
	struct sandbox *s = complete();
	struct child c;
	pid_t init;

	(void)state;
	start(&c, s, script);
	init = c.init;
	finish(&c);
	assert_true(c.left_processes);
	assert_int_equal(c.status, 0);
	child__done(&c);
	assert_int_equal(kill(init, 0), -1);
	assert_int_equal(errno, ESRCH);
	sandbox__free(s);
}

static struct child_spec spec_of(struct sandbox *s, const char *path)
{
	static const char *const argv[] = {"x", NULL};

	return (struct child_spec){.path = path,
				   .argv = argv,
				   .envp = no_env,
				   .protocol_fd = -1,
				   .output_fd = -1,
				   .sandbox = s};
}

/* The reason is PID 1's own, not that of the clone into a namespace without one. */
static void an_init_that_cannot_start_says_why(void **state)
{
	struct sandbox *s = complete();
	const struct child_spec spec = spec_of(s, "/bin/true");
	struct child c;

	(void)state;
	no_init = true;
	assert_int_equal(child__start(&c, &spec), -ETXTBSY);
	no_init = false;
	child__done(&c);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	sandbox__free(s);
}

static void refused_calls_are_counted(void **state)
{
	const struct sandbox_refusal *calls;
	struct sandbox *s = complete();
	AUTO_FREE char *name = NULL;

	(void)state;
	run(s, "unshare -i true; unshare -i true", "exit status 1", NULL);
	assert_int_equal(sandbox_refusals(s, &calls), 1);
	assert_int_equal(calls[0].number, SYS_unshare);
	assert_int_equal(calls[0].cnt, 2);
	name = seccomp_call_name(calls[0].number);
	assert_string_equal(name, "unshare");
	sandbox__free(s);
}

static void a_log_lets_them_through(void **state)
{
	const struct sandbox_refusal *calls;
	struct sandbox *s =
		new_sandbox(&(struct sandbox_request){.level = SANDBOX_STANDARD, .log = true});

	(void)state;
	if (!sandbox_has(s, LAYER_NOTIFY)) {
		print_message("# skipped: this host has no layer \"notify\": %s\n",
			      sandbox_missing_str(sandbox_missing(s, LAYER_NOTIFY)));
		sandbox__free(s);
		skip();
	}
	run(s, "taskset -c 0 true", "exit status 0", "");
	assert_int_equal(sandbox_refusals(s, &calls), 1);
	assert_int_equal(calls[0].number, SYS_sched_setaffinity);
	sandbox__free(s);
}

static void a_call_can_be_allowed(void **state)
{
	static const char *const names[] = {"sched_setaffinity", NULL}, *const bad[] = {"opne",
											NULL};
	const struct sandbox_refusal *calls;
	struct sandbox *s =
		new_sandbox(&(struct sandbox_request){.level = SANDBOX_STANDARD, .allow = names});
	struct sandbox_fault fault;
	struct sandbox *none;

	(void)state;
	run(s, "taskset -c 0 true", "exit status 0", "");
	assert_int_equal(sandbox_refusals(s, &calls), 0);
	sandbox__free(s);
	assert_int_equal(sandbox__new(&none, &(struct sandbox_request){.allow = bad}, &fault),
			 -EINVAL);
	assert_int_equal(fault.kind, FAULT_OF_CALL);
	assert_string_equal(fault.word, "opne");
}

static int error_of_new(void)
{
	struct sandbox *s = NULL;
	struct sandbox_fault fault;
	int err = sandbox__new(&s, &(struct sandbox_request){.level = SANDBOX_STANDARD}, &fault);

	for (int l = 0; l < LAYER_CNT; l++) {
		int missing = sandbox_missing(s, (enum sandbox_layer)l);

		assert_true(missing != EMFILE && missing != EAGAIN);
	}
	sandbox__free(s);
	return err;
}

/* Nothing is missing on this host because too many files are open in this process. */
static void a_shortage_of_files_is_no_missing_layer(void **state)
{
	struct rlimit before, few;
	unsigned failed = 0;
	int free_fd, err;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	free_fd = dup(STDERR_FILENO); /* how many are taken is not ours to say */
	assert_true(free_fd >= 0);
	assert_int_equal(close(free_fd), 0);
	few.rlim_cur = (rlim_t)free_fd;
	do {
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		err = error_of_new();
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
		failed += err != 0;
		assert_true(!err || err == -EMFILE);
	} while (err && few.rlim_cur++ < before.rlim_cur);
	assert_int_equal(err, 0);
	assert_true(failed > 0);
}

/* Neither is a PID namespace when there is no room for one more process, of the trial or in it. */
static void a_shortage_of_processes_is_no_missing_layer(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		childless = i;
		assert_int_equal(error_of_new(), -EAGAIN);
		childless = -1;
	}
}

/* A path that no root can show is named, and a shortage while it is looked for is no missing layer. */
static void a_path_at_fault_is_told_from_a_missing_layer(void **state)
{
	static const char *const read[] = {"/usr/share", "/proc/self/task", NULL};
	const struct sandbox_request req = {.level = SANDBOX_STANDARD, .read = read};
	struct sandbox *s = standard();
	struct sandbox_fault fault;
	bool root = sandbox_has(s, LAYER_ROOT);
	int err, forks = 0;

	(void)state;
	sandbox__free(s);
	if (!root) {
		print_message("# skipped: this host gives a sandbox no root of its own\n");
		skip();
	}
	do {
		forks_left = forks++;
		err = sandbox__new(&s, &req, &fault);
		assert_null(s);
		assert_true(err < 0);
	} while (forks_left < 0 && err == -EAGAIN && fault.kind == FAULT_OF_NONE);
	forks_left = -1;
	assert_true(forks > 3); /* the trial, and those of the search */
	assert_int_equal(fault.kind, FAULT_OF_PATH);
	assert_non_null(strstr(fault.word, "/task"));
}

static void a_link_of_others_is_not_followed(void **state)
{
	char dir[] = "/tmp/joust-test-XXXXXX", link[64];
	const char *const read[] = {link, NULL}, *const others[] = {dir, NULL};
	struct sandbox_request req = {.level = SANDBOX_STANDARD, .read = read};
	struct sandbox_fault fault;
	struct sandbox *s;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink("/usr/share", link), 0);
	assert_int_equal(sandbox__new(&s, &req, &fault), 0);
	sandbox__free(s);
	req.others = others;
	assert_int_equal(sandbox__new(&s, &req, &fault), -EPERM);
	assert_int_equal(fault.kind, FAULT_OF_LINK);
	assert_string_equal(fault.word, link);
	req.others = NULL;
	assert_int_equal(chmod(dir, 0777), 0);
	assert_int_equal(sandbox__new(&s, &req, &fault), -EPERM);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* Each layer alone refused by the host: the others hold, and it is known which one is missing. */
static void each_layer_alone_can_be_missing(void **state)
{
	static const struct {
		enum sandbox_layer layer;
		int flag;
		long call;
		unsigned others; /* that cannot be had without it */
	} cases[] = {
		{LAYER_USER, CLONE_NEWUSER, 0, 0},
		{LAYER_ROOT, CLONE_NEWNS, 0, 0},
		{LAYER_ROOT, 0, SYS_pivot_root, 0},
		{LAYER_PID, CLONE_NEWPID, 0, 0},
		{LAYER_IPC, CLONE_NEWIPC, 0, 0},
		{LAYER_UTS, CLONE_NEWUTS, 0, 0},
		{LAYER_NET, CLONE_NEWNET, 0, 0},
		{LAYER_LANDLOCK, 0, SYS_landlock_create_ruleset, 0},
		{LAYER_NOTIFY, 0, -8, 0},
		{LAYER_SECCOMP, 0, SYS_seccomp, 1u << LAYER_NOTIFY},
	};

	(void)state;
	if (geteuid()) {
		print_message(
			"# skipped: only root has the other layers without a user namespace\n");
		skip();
	}
	sandbox__free(complete());
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sandbox *s;

		refused_flag = cases[i].flag;
		refused_call = cases[i].call;
		s = standard();
		for (int l = 0; l < LAYER_CNT; l++) {
			bool gone = l == (int)cases[i].layer || cases[i].others & 1u << l;

			if (sandbox_has(s, (enum sandbox_layer)l) == gone)
				fail_msg("case %zu: layer %s", i,
					 sandbox_layer_name((enum sandbox_layer)l));
			assert_int_equal(sandbox_missing(s, (enum sandbox_layer)l) != 0, gone);
		}
		run(s, "kill -TERM $$", "SIGTERM", "");
		sandbox__free(s);
		refused_flag = 0;
		refused_call = 0;
	}
}

/* A trial, not what files of the host say. */
static void doctor_shows_what_is_engaged(void **state)
{
	struct doctor_row row = {0};

	(void)state;
	sandbox__free(complete());
	assert_int_equal(doctor_look_sandbox("", &row), 0);
	assert_int_equal(row.state, DOCTOR_OK);
	assert_string_equal(row.finding, "engaged: user, root, pid, ipc, uts, net, landlock, "
					 "seccomp, notify");
	assert_null(row.remedy);
	free(row.finding);
	row = (struct doctor_row){0};
	refused_call = SYS_seccomp;
	assert_int_equal(doctor_look_sandbox("", &row), 0);
	refused_call = 0;
	assert_int_equal(row.state, DOCTOR_WARN);
	assert_string_equal(
		row.finding,
		"engaged: user, root, pid, ipc, uts, net, landlock; refused here: seccomp "
		"(Function not implemented), notify (Function not implemented)");
	assert_string_equal(row.remedy, sandbox_layer_remedy(LAYER_SECCOMP));
	free(row.finding);
	free(row.remedy);
}

static void a_start_that_fails_inside_leaves_nothing(void **state)
{
	struct sandbox *s = standard();
	struct child_spec spec = spec_of(s, "/nonexistent");
	struct child c;

	(void)state;
	assert_int_equal(child__start(&c, &spec), -ENOENT);
	child__done(&c);
	spec.path = "/bin/true";
	spec.cwd = "/nonexistent";
	assert_int_equal(child__start(&c, &spec), -ENOENT);
	child__done(&c);
	spec.cwd = NULL;
	spec.bind[0] = (struct sandbox_bind){"/nonexistent", "/nonexistent", 0};
	spec.bind_cnt = sandbox_has(s, LAYER_ROOT);
	if (spec.bind_cnt)
		assert_int_equal(child__start(&c, &spec), -ENOENT);
	child__done(&c);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	sandbox__free(s);
}

static int set_up(void **state)
{
	(void)state;
	return child_engine_setup();
}

/* Namespaces are tried together and each alone. */
static void a_killed_child_is_no_missing_layer(void **state)
{
	static const struct {
		int killed, refused;
	} rows[] = {{CLONE_NEWUSER | CLONE_NEWNET, 0},
		    {CLONE_NEWUSER, CLONE_NEWNET},
		    {CLONE_NEWNET, CLONE_NEWUSER}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sandbox_fault fault = {0};
		struct sandbox *s = NULL;
		int err;

		killed_at = rows[i].killed;
		refused_flag = rows[i].refused;
		err = sandbox__new(&s, &(struct sandbox_request){.level = SANDBOX_STANDARD},
				   &fault);
		killed_at = refused_flag = 0;
		sandbox__free(s);
		assert_int_equal(err, -EIO);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_child_is_no_missing_layer),
		cmocka_unit_test(seen_from_outside_it_is_confined),
		cmocka_unit_test(ends_keep_their_names),
		cmocka_unit_test(the_root_is_made_from_the_table),
		cmocka_unit_test(tmp_is_private_and_new_each_time),
		cmocka_unit_test(a_tree_appears_where_it_is_told_to),
		cmocka_unit_test(what_is_left_behind_is_told_and_ended),
		cmocka_unit_test(an_init_that_cannot_start_says_why),
		cmocka_unit_test(refused_calls_are_counted),
		cmocka_unit_test(a_log_lets_them_through),
		cmocka_unit_test(a_call_can_be_allowed),
		cmocka_unit_test(a_shortage_of_files_is_no_missing_layer),
		cmocka_unit_test(a_shortage_of_processes_is_no_missing_layer),
		cmocka_unit_test(a_path_at_fault_is_told_from_a_missing_layer),
		cmocka_unit_test(a_link_of_others_is_not_followed),
		cmocka_unit_test(each_layer_alone_can_be_missing),
		cmocka_unit_test(doctor_shows_what_is_engaged),
		cmocka_unit_test(a_start_that_fails_inside_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
