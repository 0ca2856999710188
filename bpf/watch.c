/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "heap.h"
#include "watch_culprits.h"
#include "watch_private.h"
#include "interference.skel.h"

#define BTF_PATH "/sys/kernel/btf/vmlinux"
#define FIRST_PID_NS                                                                               \
	0xeffffffcu /* PROC_PID_INIT_INO: the inode of the kernel's first PID namespace */
#define TASK_PATH_SIZE 64

struct tracepoint {
	const char *name, *program;
	const char *what; /* missing from the record without it */
	bool required;
};

/* Those of hardware come on different vectors and are handled by few programs. */
static const struct tracepoint tracepoints[] = {
	{"sched_switch", "on_switch", "everything", true},
	{"sched_wakeup", "on_wakeup", "waiting after a wake-up", true},
	{"sched_wakeup_new", "on_wakeup_new", "waiting of new-born threads", true},
	{"task_newtask", "on_newtask", "threads born later", true},
	{"sched_process_exit", "on_exit", "threads whose number is used again at once", false},
	{"irq_handler_entry", "device_begin", "interrupts of devices", false},
	{"irq_handler_exit", "hard_end", "interrupts of devices", false},
	{"softirq_entry", "softirq_begin", "soft interrupts", false},
	{"softirq_exit", "softirq_end", "soft interrupts", false},
	{"cpu_frequency", "on_frequency", "changes of frequency", false},
#if defined(__x86_64__) || defined(__i386__)
	{"local_timer_entry", "timer_begin", "timer interrupts", false},
	{"local_timer_exit", "hard_end", "timer interrupts", false},
	{"reschedule_entry", "vector_begin", "interrupts to reschedule", false},
	{"reschedule_exit", "hard_end", "interrupts to reschedule", false},
	{"call_function_entry", "vector_begin", "calls from other CPUs", false},
	{"call_function_exit", "hard_end", "calls from other CPUs", false},
	{"call_function_single_entry", "vector_begin", "calls from other CPUs", false},
	{"call_function_single_exit", "hard_end", "calls from other CPUs", false},
	{"irq_work_entry", "vector_begin", "deferred interrupt work", false},
	{"irq_work_exit", "hard_end", "deferred interrupt work", false},
	{"thermal_apic_entry", "vector_begin", "thermal interrupts", false},
	{"thermal_apic_exit", "hard_end", "thermal interrupts", false},
#else
	{"ipi_entry", "vector_begin", "interrupts from other CPUs", false},
	{"ipi_exit", "hard_end", "interrupts from other CPUs", false},
#endif
};
#define TRACEPOINTS (sizeof(tracepoints) / sizeof(tracepoints[0]))
_Static_assert(TRACEPOINTS <= WATCH_TRACEPOINTS, "the header says how many");

struct watch {
	struct interference *programs;
	const struct interference_lane *lane[WATCH_LANES];
	struct bpf_link *link[TRACEPOINTS]; /* NULL: this kernel does not have it */
	uint32_t namespace_inode;
	unsigned cpus_cnt;
};

/* Errno of loading, in words. */
static const struct {
	int err;
	enum watch_result why;
} load_errors[] = {
	{EPERM, WATCH_NO_CAPABILITY}, {ENOSYS, WATCH_NO_KERNEL},    {ENOMEM, WATCH_NO_MEMORY},
	{EACCES, WATCH_REJECTED},     {EINVAL, WATCH_REJECTED},	    {E2BIG, WATCH_REJECTED},
	{ENOSPC, WATCH_REJECTED},     {ESRCH, WATCH_NO_TRACEPOINT},
};

static enum watch_result load_result(int err)
{
	for (size_t i = 0; i < sizeof(load_errors) / sizeof(load_errors[0]); i++)
		if (load_errors[i].err == -err)
			return load_errors[i].why;
	return WATCH_FAILED;
}

/* A program that does nothing, of a type that needs both capabilities. */
static int load_nothing(void)
{
	const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "GPL", nothing,
			       sizeof(nothing) / sizeof(nothing[0]), NULL);

	if (fd < 0)
		return fd;
	(void)close(fd); /* nothing was written to it */
	return 0;
}

enum watch_result watch_probe(void)
{
	int err;

	if (access(BTF_PATH, R_OK))
		return WATCH_NO_BTF;
	err = load_nothing();
	return err ? load_result(err) : WATCH_ATTACHED;
}

static struct bpf_map *lane_map(const struct watch *w, unsigned lane)
{
	struct bpf_map *const maps[WATCH_LANES] = {
		w->programs->maps.lane0, w->programs->maps.lane1, w->programs->maps.lane2,
		w->programs->maps.lane3, w->programs->maps.lane4, w->programs->maps.lane5,
		w->programs->maps.lane6, w->programs->maps.lane7,
	};

	return maps[lane];
}

int watch__lane_fd(const struct watch *w, unsigned lane)
{
	return lane < WATCH_LANES ? bpf_map__fd(lane_map(w, lane)) : -1;
}

/* From now on only the programs write: whoever gets a descriptor may read. */
static int freeze_lanes(struct watch *w)
{
	for (unsigned i = 0; i < WATCH_LANES; i++) {
		int err = bpf_map_freeze(watch__lane_fd(w, i));

		if (err)
			return err;
		w->lane[i] = joust_interference_map(watch__lane_fd(w, i));
		if (!w->lane[i])
			return -errno;
	}
	return 0;
}

static int keep_silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

static int attach(struct watch *w)
{
	for (size_t i = 0; i < TRACEPOINTS; i++) {
		const struct tracepoint *tp = &tracepoints[i];
		struct bpf_program *p =
			bpf_object__find_program_by_name(w->programs->obj, tp->program);

		if (bpf_program__type(p) == BPF_PROG_TYPE_RAW_TRACEPOINT)
			w->link[i] = bpf_program__attach_raw_tracepoint(p, tp->name);
		else
			w->link[i] = bpf_program__attach(p);
		if (!w->link[i] && (tp->required || errno != ENOENT))
			return -errno;
	}
	return 0;
}

static int load(struct watch *w, enum watch_result *ret_why)
{
	int err = libbpf_num_possible_cpus();

	*ret_why = WATCH_FAILED;
	if (err > WATCH_MAX_CPUS)
		return -E2BIG;
	w->cpus_cnt = err > 0 ? (unsigned)err : 0;
	w->programs = interference__open();
	if (!w->programs)
		return -errno;
	(void)bpf_program__set_autoload(w->programs->progs.find,
					w->namespace_inode !=
						FIRST_PID_NS); /* only fails once it is loaded */
	err = interference__load(w->programs);
	if (!err && !w->programs->bss) /* libbpf 1.1 goes on where it could not map it again */
		err = -ENOMEM;
	if (err) {
		*ret_why = load_result(err);
		return err;
	}
	err = freeze_lanes(w);
	if (!err)
		err = attach(w);
	if (err) {
		*ret_why = err == -ENOENT ? WATCH_NO_TRACEPOINT : WATCH_FAILED;
		return err;
	}
	*ret_why = WATCH_ATTACHED;
	return 0;
}

static int open_inner(struct watch *w, enum watch_result *ret_why)
{
	struct stat ns;
	int err;

	*ret_why = WATCH_NO_BTF;
	if (access(BTF_PATH, R_OK))
		return -errno;
	*ret_why = WATCH_FAILED;
	if (stat("/proc/self/ns/pid", &ns))
		return -errno;
	w->namespace_inode = (uint32_t)ns.st_ino;
	heap_prepare(BTF_PATH);
	err = load(w, ret_why);
	heap_return();
	return err;
}

int watch__open(struct watch **ret, enum watch_result *ret_why)
{
	libbpf_print_fn_t before;
	struct watch *w = calloc(1, sizeof(*w));
	int err;

	*ret_why = WATCH_NO_MEMORY;
	if (!w)
		return -ENOMEM;
	before = libbpf_set_print(keep_silent); /* what it says is for its authors */
	err = open_inner(w, ret_why);
	(void)libbpf_set_print(before);
	if (err) {
		watch__close(w);
		return err;
	}
	*ret = w;
	return 0;
}

void watch__close(struct watch *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < WATCH_LANES; i++)
		joust_interference_unmap(w->lane[i]);
	for (size_t i = 0; i < TRACEPOINTS; i++)
		(void)bpf_link__destroy(w->link[i]); /* nothing is left to be undone */
	if (w->programs)
		interference__destroy(w->programs);
	free(w);
}

static bool is_silent(const struct tracepoint *tp)
{
	return !strcmp(tp->name, "cpu_frequency") &&
	       access("/sys/devices/system/cpu/cpu0/cpufreq", F_OK);
}

const char *watch__missing(const struct watch *w, size_t i, const char **ret_what)
{
	for (size_t t = 0; t < TRACEPOINTS; t++) {
		if ((w->link[t] && !is_silent(&tracepoints[t])) || i--)
			continue;
		*ret_what = tracepoints[t].what;
		return tracepoints[t].name;
	}
	return NULL;
}

/* Runs the program "control" in the kernel; what it returns, or a negative errno. */
static int control(struct watch *w, struct watch_request *rq)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = rq, .ctx_size_in = sizeof(*rq));
	int err = bpf_prog_test_run_opts(bpf_program__fd(w->programs->progs.control), &opts);

	return err ? err : (int)opts.retval;
}

static int add_thread(struct watch *w, unsigned lane, const char *name)
{
	struct watch_request rq = {.op = WATCH_OP_ADD, .lane = lane};
	int err;

	if (name[0] < '0' || name[0] > '9')
		return 0;
	for (; *name; name++)
		rq.tid = rq.tid * 10 + (uint32_t)(*name - '0');
	err = control(w, &rq);
	return err > 0 ? -ENOSPC : err;
}

static int add_threads(struct watch *w, unsigned lane, pid_t pid)
{
	char path[TASK_PATH_SIZE];
	struct dirent *entry;
	int err = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid); /* fits */
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	while (!err && (entry = readdir(dir)))
		err = add_thread(w, lane, entry->d_name);
	(void)closedir(dir); /* only read */
	return err;
}

/* Reads an iterator to its end: each task has been looked at once then. */
static int iterate(struct watch *w)
{
	struct bpf_link *link = bpf_program__attach_iter(w->programs->progs.find, NULL);
	int fd, err = 0;
	char nothing[64];
	ssize_t len;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0) {
		err = fd;
	} else {
		do
			len = read(fd, nothing, sizeof(nothing));
		while (len > 0 || (len < 0 && errno == EINTR));
		err = len < 0 ? -errno : 0;
		(void)close(fd); /* only read */
	}
	(void)bpf_link__destroy(link); /* nothing is left to be undone */
	return err;
}

/*
 * In a nested PID namespace a process has another number than the tracepoints say: the kernel is
 * asked for all tasks that have this number in this namespace.
 */
static int find_threads(struct watch *w, unsigned lane, pid_t pid)
{
	struct watch_wanted *wanted = &w->programs->bss->state.wanted;
	int err;

	*wanted = (struct watch_wanted){
		.lane = lane, .pid = (uint32_t)pid, .namespace_inode = w->namespace_inode};
	err = iterate(w);
	if (err)
		return err;
	if (w->lane[lane]->unwatched_cnt)
		return -ENOSPC;
	return wanted->found_cnt ? 0 : -ESRCH;
}

int watch__enrol(struct watch *w, unsigned lane, pid_t pid, enum watch_scope scope,
		 uint32_t *ret_generation)
{
	struct watch_request rq = {
		.op = WATCH_OP_EMPTY, .lane = lane, .follow = scope == WATCH_TREE};
	int err;

	if (lane >= WATCH_LANES || pid <= 0)
		return -EINVAL;
	err = control(w, &rq);
	if (err)
		return err;
	err = w->namespace_inode == FIRST_PID_NS ? add_threads(w, lane, pid)
						 : find_threads(w, lane, pid);
	if (err) {
		watch__release(w, lane);
		return err;
	}
	*ret_generation = rq.generation;
	return watch__take_preemptors(w, lane, NULL, 0, NULL, NULL);
}

void watch__release(struct watch *w, unsigned lane)
{
	struct watch_request rq = {.op = WATCH_OP_RELEASE, .lane = lane};

	if (lane < WATCH_LANES)
		(void)control(w, &rq); /* otherwise it goes on being watched, until it ends */
}

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t); /* always there */
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int watch__read_at(const struct watch *w, unsigned lane, uint64_t at_ns,
		   struct interference_reading *ret)
{
	if (lane >= WATCH_LANES)
		return -EINVAL;
	return joust_interference_read(w->lane[lane], 0, at_ns, ret);
}

int watch__read(const struct watch *w, unsigned lane, struct interference_reading *ret)
{
	return watch__read_at(w, lane, now_ns(), ret);
}

int watch__thread(const struct watch *w, unsigned lane, uint32_t index,
		  struct interference_row *ret)
{
	if (lane >= WATCH_LANES)
		return -EINVAL;
	return joust_interference_thread(w->lane[lane], 0, index, now_ns(), ret);
}

int watch__take_preemptors(struct watch *w, unsigned lane, struct watch_preemptor *ret, size_t max,
			   size_t *ret_cnt, uint64_t *ret_unknown_ns)
{
	struct watch_state *state = &w->programs->bss->state;
	uint64_t unknown_ns;
	size_t cnt;

	if (lane >= WATCH_LANES)
		return -EINVAL;
	cnt = watch_take_culprits(state->culprit[lane], ret, max);
	unknown_ns = __atomic_exchange_n(&state->lane[lane].unknown_ns, 0, __ATOMIC_RELAXED);
	if (ret_cnt)
		*ret_cnt = cnt;
	if (ret_unknown_ns)
		*ret_unknown_ns = unknown_ns;
	return 0;
}

uint64_t watch__lost(const struct watch *w)
{
	struct bpf_program *p;
	uint64_t missed = 0;

	bpf_object__for_each_program(p, w->programs->obj) {
		struct bpf_prog_info info;
		uint32_t len = sizeof(info);
		int fd = bpf_program__fd(p);

		if (fd < 0)
			continue; /* left out */
		memset(&info, 0, sizeof(info));
		if (bpf_obj_get_info_by_fd(fd, &info, &len))
			return UINT64_MAX;
		missed += info.recursion_misses;
	}
	for (unsigned cpu = 0; cpu < w->cpus_cnt; cpu++)
		missed += __atomic_load_n(&w->programs->bss->state.cpu[cpu].broken_cnt,
					  __ATOMIC_RELAXED);
	return missed;
}

int watch__cpu(const struct watch *w, unsigned cpu, struct watch_cpu *ret)
{
	const struct watch_cpu_state *c;
	const char *name, *what;

	if (cpu >= WATCH_MAX_CPUS)
		return -ERANGE;
	for (size_t i = 0; (name = watch__missing(w, i, &what)); i++)
		if (!strcmp(name, "cpu_frequency"))
			return -ENODATA;
	c = &w->programs->bss->state.cpu[cpu];
	*ret = (struct watch_cpu){.frequency_cnt = c->frequency_cnt,
				  .frequency_khz = c->frequency_khz};
	return 0;
}
