/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software counters of the real kernel, and its refusals by a wrapped system call: most hosts that
 * run this have no PMU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "engine/host/perf_probe.h"

#define PRIME_PAGES 997
/* Faults of ours beside the pages touched: page tables and the stack are warm after one round. */
#define OTHER_FAULTS 16

long __wrap_syscall(long nr, ...);
long __real_syscall(long nr, ...);
ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __real_read(int fd, void *buf, size_t len);

static struct {
	bool active;
	int err_at[8]; /* errno of the n-th open, 0: it succeeds (as /dev/null) */
	unsigned opens;
	uint32_t size_known; /* E2BIG above it */
	struct perf_event_attr attr[8];
	int group[8];
} fake;

static long fake_open(struct perf_event_attr *attr, int group)
{
	unsigned n = fake.opens++;

	assert_true(n < 8);
	fake.attr[n] = *attr;
	fake.group[n] = group;
	if (fake.size_known && attr->size > fake.size_known) {
		attr->size = fake.size_known;
		errno = E2BIG;
		return -1;
	}
	if (fake.err_at[n]) {
		errno = fake.err_at[n];
		return -1;
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

long __wrap_syscall(long nr, ...)
{
	va_list ap;
	long a[5];

	va_start(ap, nr);
	for (size_t i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_perf_event_open && fake.active)
		return fake_open((struct perf_event_attr *)a[0], (int)a[3]);
	return __real_syscall(nr, a[0], a[1], a[2], a[3], a[4]);
}

static bool read_returns_nothing;

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	return read_returns_nothing ? 0 : __real_read(fd, buf, len);
}

static int reset(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	read_returns_nothing = false;
	return 0;
}

static void every_refusal_has_its_reason(void **state)
{
	static const struct {
		int err;
		enum reason why;
	} cases[] = {
		{0, REASON_NONE},
		{EACCES, REASON_PERF_FORBIDDEN},
		{EPERM, REASON_PERF_FORBIDDEN},
		{ENOENT, REASON_NO_PMU},
		{EOPNOTSUPP, REASON_NO_PMU},
		{ENODEV, REASON_NO_PMU},
		{ENOSYS, REASON_NO_PMU},
		{EBUSY, REASON_PERF_BUSY},
		{EMFILE, REASON_PERF_FILES},
		{ENFILE, REASON_PERF_FILES},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct perf_group g;
		enum reason why = REASON_NONE;

		assert_int_equal(perf_reason(cases[i].err), cases[i].why);
		assert_int_equal(perf_reason(-cases[i].err), cases[i].why);
		if (!cases[i].err)
			continue;
		memset(&fake, 0, sizeof(fake));
		fake.active = true;
		fake.err_at[0] = cases[i].err;
		assert_int_equal(perf_group__open_hw(&g, 0, &why), -cases[i].err);
		assert_int_equal(why, cases[i].why);
		assert_int_equal(g.cnt, 0);
	}
}

static void a_group_that_fails_half_way_leaks_nothing(void **state)
{
	struct perf_group g;
	enum reason why;
	int before, after;

	(void)state;
	before = dup(0);
	close(before);
	fake.active = true;
	fake.err_at[2] = EMFILE;
	assert_int_equal(perf_group__open_sw(&g, 0, &why), -EMFILE);
	assert_int_equal(why, REASON_PERF_FILES);
	after = dup(0);
	close(after);
	assert_int_equal(before, after);
}

/* kernel.md 1.2 and 1.6: what the attributes must and must not say. */
static void attributes_heed_the_traps(void **state)
{
	struct perf_group g;
	enum reason why;

	(void)state;
	fake.active = true;
	/* /dev/null takes no enable: the descriptors are wrong, the attributes are what counts */
	assert_int_equal(perf_group__open_sw(&g, 0, &why), -ENOTTY);
	assert_int_equal(fake.opens, 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(fake.attr[i].disabled, i == 0);
		assert_int_equal(fake.attr[i].exclude_kernel, 0);
		assert_int_equal(fake.attr[i].pinned, 0);
	}
	fake.opens = 0;
	assert_int_equal(perf_group__open_hw(&g, 0, &why), -ENOTTY);
	assert_int_equal(fake.opens, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(fake.attr[i].disabled, i == 0);
		assert_int_equal(fake.attr[i].pinned, i == 0);
		assert_int_equal(fake.attr[i].exclude_kernel, 1);
		assert_int_equal(fake.attr[i].inherit, 0);
		assert_true(i == 0 ? fake.group[i] == -1 : fake.group[i] >= 0);
	}
}

static void an_older_kernel_is_asked_again_in_its_size(void **state)
{
	struct perf_group g;
	enum reason why;

	(void)state;
	fake.active = true;
	fake.size_known = PERF_ATTR_SIZE_VER5;
	assert_int_equal(perf_group__open_hw(&g, 0, &why), -ENOTTY);
	assert_int_equal(fake.opens, 4);
	assert_int_equal(fake.attr[1].size, PERF_ATTR_SIZE_VER5);
}

static void a_stolen_counter_reads_as_busy(void **state)
{
	const struct perf_group g = {.fd = {0, -1, -1, -1}, .cnt = 1};
	struct perf_reading r;

	(void)state;
	read_returns_nothing = true;
	assert_int_equal(perf_group__read(&g, &r), -EBUSY);
	assert_int_equal(perf_reason(-EBUSY), REASON_PERF_BUSY);
}

static void a_closed_group_is_harmless(void **state)
{
	struct perf_group g = {0};
	struct perf_reading r;

	(void)state;
	perf_group__close(&g);
	perf_group__close(&g);
	assert_int_equal(perf_group__read(&g, &r), -EBADF);
}

static void multiplexed_readings_are_no_numbers(void **state)
{
	const struct perf_reading from = {.enabled_ns = 100, .running_ns = 90, .value = {5, 1}};
	struct perf_reading to = {.enabled_ns = 300, .running_ns = 290, .value = {1005, 8, 2, 1}};
	struct rec_check c;

	(void)state;
	perf_check_fill(&c, &from, &to);
	assert_int_equal(c.missing, REASON_NONE);
	assert_true(c.task_clock_ns == 1000 && c.page_faults == 7);
	assert_true(c.switches == 2 && c.migrations == 1);
	to.running_ns = 289;
	perf_check_fill(&c, &from, &to);
	assert_int_equal(c.missing, REASON_MULTIPLEXED);
	assert_true(isnan(c.task_clock_ns) && isnan(c.page_faults));
	assert_true(isnan(c.switches) && isnan(c.migrations));
}

/* ---- The real kernel ---- */

static void open_real(struct perf_group *g, pid_t tid)
{
	enum reason why;

	if (perf_group__open_sw(g, tid, &why)) {
		print_message("# skipped: software events are refused here (reason %d)\n",
			      (int)why);
		skip();
	}
}

static void touch(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(p != MAP_FAILED);
	(void)madvise((void *)p, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		p[i * page] = 1;
	assert_int_equal(munmap((void *)p, pages * page), 0);
}

static void a_prime_number_of_faults_is_counted(void **state)
{
	struct perf_group g;
	struct perf_reading from, to;
	struct rec_check c;

	(void)state;
	open_real(&g, 0);
	touch(PRIME_PAGES); /* warm: code, stack and page tables */
	assert_int_equal(perf_group__read(&g, &from), 0);
	touch(PRIME_PAGES);
	assert_int_equal(perf_group__read(&g, &to), 0);
	perf_check_fill(&c, &from, &to);
	assert_int_equal(c.missing, REASON_NONE);
	assert_true(c.page_faults >= PRIME_PAGES);
	assert_true(c.page_faults <= PRIME_PAGES + OTHER_FAULTS);
	assert_true(c.task_clock_ns > 0);
	perf_group__close(&g);
}

/* How often the process gave up its CPU by itself: the kernel counts it while it switches (6.18). */
static unsigned long voluntary_switches(pid_t pid)
{
	char path[64], line[256];
	unsigned long n = 0;
	FILE *f;

	assert_true(snprintf(path, sizeof(path), "/proc/%d/status", (int)pid) > 0);
	f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &n) == 1)
			break;
	fclose(f);
	return n;
}

/* The case of the engine: another process, parked while its group is opened and read. */
static void a_parked_process_is_counted_from_outside(void **state)
{
	int go[2], done[2], status;
	struct perf_group g;
	struct perf_reading from, to;
	unsigned long parked;
	char byte = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(done), 0);
	pid = fork();
	if (pid == 0) {
		close(go[1]); /* so that it ends with the test, should that fail */
		while (__real_read(go[0], &byte, 1) == 1 && byte == 'g') {
			touch(PRIME_PAGES);
			(void)!write(done[1], "d", 1);
		}
		_exit(0);
	}
	open_real(&g, pid);
	assert_int_equal(perf_group__read(&g, &from), 0);
	parked = voluntary_switches(pid);
	assert_int_equal(write(go[1], "g", 1), 1);
	assert_int_equal(read(done[0], &byte, 1), 1);
	/* It answers before it is off its CPU, and what counts is the switch away. */
	while (voluntary_switches(pid) == parked)
		sched_yield();
	assert_int_equal(perf_group__read(&g, &to), 0);
	/* after fork every page it writes is copied once: more, but never fewer */
	assert_true(to.value[1] - from.value[1] >= PRIME_PAGES);
	assert_true(to.value[2] - from.value[2] >= 1);
	assert_int_equal(write(go[1], "q", 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	perf_group__close(&g);
	for (int i = 0; i < 2; i++) {
		close(go[i]);
		close(done[i]);
	}
}

static void a_thread_that_is_gone_is_an_error(void **state)
{
	struct perf_group g;
	enum reason why;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(perf_group__open_sw(&g, pid, &why) < 0);
}

static void the_self_test_believes_this_kernel(void **state)
{
	struct perf_group g;

	(void)state;
	open_real(&g, 0); /* skips where perf is refused: then the self-test says so as well */
	perf_group__close(&g);
	assert_int_equal(perf_self_test(), REASON_NONE);
}

static void the_self_test_reports_a_refusal(void **state)
{
	(void)state;
	fake.active = true;
	fake.err_at[0] = EACCES;
	assert_int_equal(perf_self_test(), REASON_PERF_FORBIDDEN);
	assert_int_equal(fake.opens, 1);
}

static void hardware_is_counted_or_the_reason_is_said(void **state)
{
	struct perf_group g;
	struct perf_reading r;
	enum reason why = perf_hw_available();

	(void)state;
	if (why != REASON_NONE) {
		assert_true(reason_get(why)->places & PLACE_MISSING);
		return;
	}
	assert_int_equal(perf_group__open_hw(&g, 0, &why), 0);
	assert_int_equal(perf_group__read(&g, &r), 0);
	assert_int_equal(r.enabled_ns, r.running_ns);
	perf_group__close(&g);
}

#define TEST(f) cmocka_unit_test_setup(f, reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_refusal_has_its_reason),
		TEST(a_group_that_fails_half_way_leaks_nothing),
		TEST(attributes_heed_the_traps),
		TEST(an_older_kernel_is_asked_again_in_its_size),
		TEST(a_stolen_counter_reads_as_busy),
		TEST(a_closed_group_is_harmless),
		TEST(multiplexed_readings_are_no_numbers),
		TEST(a_prime_number_of_faults_is_counted),
		TEST(a_parked_process_is_counted_from_outside),
		TEST(a_thread_that_is_gone_is_an_error),
		TEST(the_self_test_believes_this_kernel),
		TEST(the_self_test_reports_a_refusal),
		TEST(hardware_is_counted_or_the_reason_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
