/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMU that is not there: perf_event_open, ioctl and read are played, so that every attribute can be
 * compared and every fault be had on any machine (no PMU, taken counters, the watchdog, two kinds of
 * cores, no more descriptors, a protected process, a hypervisor that counts nothing).
 */
#include "test_tree_fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include "engine/host/perf_probe.h"

#define OPENS_MAX 64
#define FDS	  1024
#define ANY_OPEN  -1

long __wrap_syscall(long nr, ...);
ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __real_read(int fd, void *buf, size_t len);
int __wrap_close(int fd);
int __real_close(int fd);
int __wrap_ioctl(int fd, unsigned long request, ...);
pid_t __wrap_fork(void);

struct call {
	struct perf_event_attr attr;
	pid_t tid;
	int group;
};

static struct {
	/* the script */
	int err;	 /* errno of open number err_at (from 0), or of all from there on */
	int err_at;	 /* ANY_OPEN: all */
	pid_t err_tid;	 /* only for this thread; 0: for all */
	unsigned room;	 /* a hardware group of more events reads as 0 bytes */
	unsigned shared; /* a hardware group of more events runs half of the time */
	bool counts_nothing;
	/* what came */
	unsigned opens;
	struct call call[OPENS_MAX];
	unsigned events[FDS]; /* in the group that this descriptor leads */
	bool hardware[FDS];
	uint64_t time;
} pmu;

static long play_open(const struct perf_event_attr *attr, pid_t tid, int group)
{
	unsigned n = pmu.opens++;
	int fd;

	assert_true(n < OPENS_MAX);
	pmu.call[n] = (struct call){*attr, tid, group};
	if (pmu.err && (pmu.err_at == ANY_OPEN || n == (unsigned)pmu.err_at) &&
	    (!pmu.err_tid || tid == pmu.err_tid)) {
		errno = pmu.err;
		return -1;
	}
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && fd < FDS);
	pmu.events[fd] = 1;
	pmu.hardware[fd] = attr->type != PERF_TYPE_SOFTWARE;
	if (group >= 0)
		pmu.events[group]++;
	return fd;
}

long __wrap_syscall(long nr, ...)
{
	va_list ap;
	long a[5];

	va_start(ap, nr);
	for (size_t i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	assert_int_equal(nr, SYS_perf_event_open);
	return play_open((const struct perf_event_attr *)a[0], (pid_t)a[1], (int)a[3]);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	assert_true(pmu.events[fd] > 0);
	assert_int_equal(request, PERF_EVENT_IOC_ENABLE);
	return 0;
}

/* The next file of this number is the host's. */
int __wrap_close(int fd)
{
	if (fd >= 0 && fd < FDS)
		pmu.events[fd] = 0;
	return __real_close(fd);
}

/* No child of the probe: it would map a descriptor that is none of perf's. */
pid_t __wrap_fork(void)
{
	errno = EAGAIN;
	return -1;
}

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	uint64_t raw[3 + PERF_GROUP_MAX] = {0};
	unsigned cnt = pmu.events[fd];
	size_t size = (3 + cnt) * sizeof(*raw);

	if (!cnt) /* a file of the host's */
		return __real_read(fd, buf, len);
	if (pmu.hardware[fd] && pmu.room && cnt > pmu.room)
		return 0;
	pmu.time += 1000;
	raw[0] = cnt;
	raw[1] = pmu.time;
	raw[2] = pmu.hardware[fd] && pmu.shared && cnt > pmu.shared ? pmu.time / 2 : pmu.time;
	for (unsigned i = 0; i < cnt; i++)
		raw[3 + i] = pmu.counts_nothing ? 0 : pmu.time * (i + 5);
	assert_true(len >= size);
	memcpy(buf, raw, size);
	return (ssize_t)size;
}

static int reset(void **state)
{
	(void)state;
	memset(&pmu, 0, sizeof(pmu));
	return 0;
}

static int lowest_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

/* ---- attributes ---- */

struct golden {
	uint32_t type;
	uint64_t config;
	bool user_only;
};

static const struct golden hw[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, true},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true},
};
static const struct golden misses[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, true},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, true},
};
static const struct golden sw[] = {
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false},
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false},
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, false},
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, false},
};

static void assert_golden(const struct golden *want, size_t cnt, const struct perf_target *t,
			  bool pinned)
{
	assert_int_equal(pmu.opens, cnt);
	for (size_t i = 0; i < cnt; i++) {
		const struct call *c = &pmu.call[i];
		struct perf_event_attr a = {
			.type = want[i].type,
			.size = sizeof(a),
			.config = want[i].config | (uint64_t)t->core_type << 32,
			.disabled = i == 0,
			.pinned = i == 0 && pinned,
			.inherit = t->inherit,
			.exclude_kernel = want[i].user_only,
			.exclude_hv = want[i].user_only,
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING,
		};
#ifdef __aarch64__
		a.config1 = t->user_read ? 3 : 0;
#endif
		assert_memory_equal(&c->attr, &a, sizeof(a));
		assert_int_equal(c->tid, t->tid);
		assert_int_equal(c->group == -1, i == 0);
	}
}

static void every_attribute_of_every_mode(void **state)
{
	static const struct {
		enum perf_set set;
		const struct golden *want;
		size_t cnt;
		bool pinned;
		struct perf_target t;
	} rows[] = {
		{PERF_SET_HW, hw, 2, true, {.tid = 0}},
		{PERF_SET_HW, hw, 2, true, {.tid = 77, .user_read = true}},
		{PERF_SET_HW, hw, 2, true, {.tid = 77, .inherit = true}},
		{PERF_SET_HW, hw, 2, true, {.tid = 77, .core_type = 8}},
		{PERF_SET_HW, hw, 1, true, {.tid = 77, .events_max = 1}},
		{PERF_SET_MISSES, misses, 2, false, {.tid = 77}},
		{PERF_SET_SW, sw, 4, false, {.tid = 77}},
		{PERF_SET_SW, sw, 4, false, {.tid = 77, .inherit = true}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_group g;
		enum reason why;

		reset(state);
		assert_int_equal(perf_group__open_set(&g, rows[i].set, &rows[i].t, &why), 0);
		assert_int_equal(g.cnt, rows[i].cnt);
		assert_golden(rows[i].want, rows[i].cnt, &rows[i].t, rows[i].pinned);
		perf_group__close(&g);
	}
}

static void events_of_the_users_choice(void **state)
{
	const struct perf_event_spec events[] = {
		{.type = PERF_TYPE_RAW,
		 .config = 0x1a2,
		 .config1 = 3,
		 .config2 = 4,
		 .user_only = true},
		{.type = PERF_TYPE_HARDWARE, .config = 5, .kernel_only = true},
	};
	const struct perf_target t = {.tid = 5, .core_type = 10};
	struct perf_group g;
	enum reason why = REASON_NONE;

	(void)state;
	assert_int_equal(perf_group__open_events(&g, events, 2, &t, &why), 0);
	assert_int_equal(pmu.call[0].attr.config, 0x1a2); /* a raw code has its PMU already */
	assert_int_equal(pmu.call[0].attr.config1, 3);
	assert_int_equal(pmu.call[0].attr.config2, 4);
	assert_int_equal(pmu.call[0].attr.exclude_kernel, 1);
	assert_int_equal(pmu.call[0].attr.exclude_user, 0);
	assert_int_equal(pmu.call[1].attr.config, 5 | 10ull << 32);
	assert_int_equal(pmu.call[1].attr.exclude_kernel, 0);
	assert_int_equal(pmu.call[1].attr.exclude_user, 1);
	perf_group__close(&g);
	assert_int_equal(perf_group__open_events(&g, events, PERF_GROUP_MAX + 1, &t, &why),
			 -EINVAL);
	assert_int_equal(perf_group__open_events(&g, events, 0, &t, &why), -EINVAL);
}

/* ---- faults ---- */

static void probe(struct perf_tiers *ret)
{
	perf_tiers_probe("/nonexistent", NULL, ret);
}

static void a_sound_pmu_has_every_tier(void **state)
{
	struct perf_tiers t;

	(void)state;
	probe(&t);
	assert_int_equal(t.hw, REASON_NONE);
	assert_int_equal(t.hw_events, 2);
	assert_int_equal(t.misses, REASON_NONE);
	assert_int_equal(t.core_type, 0);
	assert_false(t.user_read); /* no child, no proof */
	/* the faults that it counts are played as well: five a microsecond */
	assert_int_equal(t.sw, REASON_NONE);
}

static void each_refusal_has_its_reason(void **state)
{
	static const struct {
		int err;
		enum reason why;
	} rows[] = {
		{ENOENT, REASON_NO_PMU},	 {EOPNOTSUPP, REASON_NO_PMU},
		{ENODEV, REASON_NO_PMU},	 {ENOSYS, REASON_NO_PMU},
		{EACCES, REASON_PERF_FORBIDDEN}, {EPERM, REASON_PERF_FORBIDDEN},
		{EBUSY, REASON_PERF_BUSY},	 {ENOSPC, REASON_PERF_FEW},
		{EMFILE, REASON_PERF_FILES},	 {ENFILE, REASON_PERF_FILES},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_tiers t;

		reset(state);
		pmu.err = rows[i].err;
		pmu.err_at = ANY_OPEN;
		probe(&t);
		assert_int_equal(t.hw, rows[i].why);
		assert_int_equal(t.misses, rows[i].why);
		assert_int_equal(t.sw, rows[i].why);
	}
}

static void a_group_thrown_off_is_tried_smaller(void **state)
{
	struct perf_tiers t;

	(void)state;
	pmu.room = 1;
	probe(&t);
	assert_int_equal(t.hw, REASON_NONE);
	assert_int_equal(t.hw_events, 1);
	assert_int_equal(t.misses, REASON_PERF_BUSY);
}

static void a_group_that_shares_is_tried_smaller(void **state)
{
	struct perf_tiers t;

	(void)state;
	pmu.shared = 1;
	probe(&t);
	assert_int_equal(t.hw, REASON_NONE);
	assert_int_equal(t.hw_events, 1);
	assert_int_equal(t.misses, REASON_MULTIPLEXED);
}

static void what_counts_nothing_is_no_pmu(void **state)
{
	struct perf_tiers t;

	(void)state;
	pmu.counts_nothing = true;
	probe(&t);
	assert_int_equal(t.hw, REASON_NO_PMU);
	assert_int_equal(t.sw, REASON_COUNTER_MISMATCH); /* 8 fresh pages, no fault */
}

static void a_sibling_may_lack(void **state)
{
	struct perf_group g;
	enum reason why;

	(void)state;
	pmu.err = EBUSY;
	pmu.err_at = 1;
	assert_int_equal(perf_group__open_hw(&g, 0, &why), 0);
	assert_int_equal(g.cnt, 1);
	assert_int_equal(g.event[0], PERF_HW_INSTRUCTIONS);
	perf_group__close(&g);
	reset(state);
	pmu.err = ENOENT;
	pmu.err_at = 0; /* no branch misses: the cache's lead the group, under their own number */
	assert_int_equal(perf_group__open_set(&g, PERF_SET_MISSES, &(struct perf_target){0}, &why),
			 0);
	assert_int_equal(g.cnt, 1);
	assert_int_equal(g.event[0], PERF_MISSES_CACHE);
	assert_int_equal(pmu.call[1].group, -1);
	assert_int_equal(pmu.call[1].attr.disabled, 1);
	perf_group__close(&g);
}

/* EMFILE at every open in turn: a reason, nothing leaked, whatever was open closed again. */
static void no_more_descriptors_at_any_open(void **state)
{
	static const unsigned events[PERF_SET_CNT] = {2, 2, 4};

	for (int set = 0; set < PERF_SET_CNT; set++)
		for (unsigned n = 0; n < events[set]; n++) {
			struct perf_group g;
			enum reason why = REASON_NONE;
			int before;

			reset(state);
			before = lowest_fd();
			pmu.err = EMFILE;
			pmu.err_at = (int)n;
			assert_int_equal(perf_group__open_set(&g, (enum perf_set)set,
							      &(struct perf_target){.tid = 9},
							      &why),
					 -EMFILE);
			assert_int_equal(why, REASON_PERF_FILES);
			assert_int_equal(g.cnt, 0);
			assert_int_equal(lowest_fd(), before);
		}
}

static void a_protected_process_is_told_from_a_rule_of_the_host(void **state)
{
	(void)state;
	/* refused for another process, not for oneself */
	assert_int_equal(perf_explain("", REASON_PERF_FORBIDDEN, 77), REASON_NOT_DUMPABLE);
	pmu.err = EACCES;
	pmu.err_at = ANY_OPEN;
	assert_int_equal(perf_explain("", REASON_PERF_FORBIDDEN, 77), REASON_PERF_FORBIDDEN);
	assert_int_equal(perf_explain("", REASON_PERF_FORBIDDEN, 0), REASON_PERF_FORBIDDEN);
	assert_int_equal(perf_explain("", REASON_NO_PMU, 77), REASON_NO_PMU);
}

/* ---- a tree of files in place of the host's ---- */

static int begin_in_root(void **state)
{
	return make_root(state) ? -1 : reset(state);
}

static void the_watchdog_is_named_when_it_is_on(void **state)
{
	struct perf_tiers t;

	(void)state;
	put("/proc/sys/kernel/nmi_watchdog", "1\n");
	assert_int_equal(perf_explain(root, REASON_PERF_BUSY, 0), REASON_NMI_WATCHDOG);
	assert_int_equal(perf_explain(root, REASON_PERF_FEW, 0), REASON_NMI_WATCHDOG);
	assert_int_equal(perf_explain(root, REASON_MULTIPLEXED, 0), REASON_NMI_WATCHDOG);
	assert_int_equal(perf_explain(root, REASON_NO_PMU, 0), REASON_NO_PMU);
	pmu.err = EBUSY;
	pmu.err_at = ANY_OPEN;
	perf_tiers_probe(root, NULL, &t);
	assert_int_equal(t.hw, REASON_NMI_WATCHDOG);
	put("/proc/sys/kernel/nmi_watchdog", "0\n");
	assert_int_equal(perf_explain(root, REASON_PERF_BUSY, 0), REASON_PERF_BUSY);
}

static void put_pmu(const char *name, const char *type, const char *cpus)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	put(path, type);
	(void)snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/cpus", name);
	if (cpus)
		put(path, cpus);
}

static cpu_set_t cpus(int a, int b)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(a, &set);
	CPU_SET(b, &set);
	return set;
}

static void two_kinds_of_cores_are_told_apart(void **state)
{
	cpu_set_t fast = cpus(0, 3), slow = cpus(4, 7), both = cpus(3, 4), none = cpus(9, 9);
	struct perf_tiers t;
	uint32_t type = 99;

	(void)state;
	assert_int_equal(perf_core_type(root, &fast, &type), REASON_NONE);
	assert_int_equal(type, 0);
	put_pmu("cpu_core", "4\n", "0-3\n");
	put_pmu("uncore_imc", "12\n", NULL);
	put_pmu("software", "1\n", NULL);
	assert_int_equal(perf_core_type(root, &fast, &type), REASON_NONE);
	assert_int_equal(type, 0); /* one kind is no hybrid */
	put_pmu("cpu_atom", "10\n", "4-7\n");
	assert_int_equal(perf_core_type(root, &fast, &type), REASON_NONE);
	assert_int_equal(type, 4);
	assert_int_equal(perf_core_type(root, &slow, &type), REASON_NONE);
	assert_int_equal(type, 10);
	assert_int_equal(perf_core_type(root, &both, &type), REASON_HYBRID_CORES);
	assert_int_equal(type, 0);
	assert_int_equal(perf_core_type(root, &none, &type), REASON_HYBRID_CORES);
	perf_tiers_probe(root, &slow, &t);
	assert_int_equal(t.hw, REASON_NONE);
	assert_int_equal(t.core_type, 10);
	assert_int_equal(pmu.call[pmu.opens - 1].attr.config >> 32, 10);
	perf_tiers_probe(root, &both, &t);
	assert_int_equal(t.hw, REASON_HYBRID_CORES);
	assert_int_equal(t.misses, REASON_HYBRID_CORES);
	assert_false(t.user_read);
}

#define TEST(f) cmocka_unit_test_setup(f, reset)
#define TREE(f) cmocka_unit_test_setup_teardown(f, begin_in_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_attribute_of_every_mode),
		TEST(events_of_the_users_choice),
		TEST(a_sound_pmu_has_every_tier),
		TEST(each_refusal_has_its_reason),
		TEST(a_group_thrown_off_is_tried_smaller),
		TEST(a_group_that_shares_is_tried_smaller),
		TEST(what_counts_nothing_is_no_pmu),
		TEST(a_sibling_may_lack),
		TEST(no_more_descriptors_at_any_open),
		TEST(a_protected_process_is_told_from_a_rule_of_the_host),
		TREE(the_watchdog_is_named_when_it_is_on),
		TREE(two_kinds_of_cores_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
