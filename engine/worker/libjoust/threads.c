/* SPDX-License-Identifier: BSD-2-Clause */
#include "threads.h"
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TASKS	   "/proc/self/task"
#define UNSEEN_NS  10000 /* a thread that is born and dies costs more */
#define NS_PER_SEC 1000000000u

/* What getdents64 writes. */
struct entry {
	uint64_t inode;
	int64_t next;
	uint16_t len;
	uint8_t type;
	char name[];
};

static uint64_t read_clock_ns(clockid_t id)
{
	struct timespec ts = {0};

	(void)clock_gettime(id, &ts); /* fails for a thread that has ended: then it is 0 */
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* The kernel's number for the CPU clock of a thread of this process: what pthread_getcpuclockid
 * gives, which needs a pthread_t. */
static clockid_t clock_of(int32_t tid)
{
	return (clockid_t)((~(unsigned)tid << 3) | 6u);
}

void joust_threads__init(struct joust_threads *t, bool several)
{
	memset(t, 0, sizeof(*t));
	t->several = several;
	t->dir_fd = -1;
}

void joust_threads__open(struct joust_threads *t)
{
	if (t->several && t->dir_fd < 0)
		t->dir_fd = open(TASKS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int32_t number(const char *name)
{
	int32_t n = 0;

	for (; *name >= '0' && *name <= '9' && n < 100000000; name++)
		n = n * 10 + (*name - '0');
	return *name ? 0 : n;
}

/* Without opendir, which allocates. In the order of birth. How many, 0 when it cannot be told. */
static uint32_t scan(int dir_fd, int32_t tid[static JOUST_THREADS_MAX])
{
	static _Alignas(struct entry) char buf[8192];
	uint32_t cnt = 0;
	long len;

	if (dir_fd < 0 || lseek(dir_fd, 0, SEEK_SET) < 0)
		return 0;
	while ((len = syscall(SYS_getdents64, dir_fd, buf, sizeof(buf))) > 0)
		for (long at = 0; at < len;) {
			const struct entry *e = (const struct entry *)(buf + at);
			int32_t n = number(e->name);

			at += e->len;
			if (n && cnt == JOUST_THREADS_MAX)
				return 0;
			if (n)
				tid[cnt++] = n;
		}
	return len < 0 ? 0 : cnt;
}

uint64_t joust_threads__cpu_ns(const struct joust_threads *t)
{
	uint64_t sum = 0;

	if (!t->several)
		return read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!t->cnt)
		return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (uint32_t i = 0; i < t->cnt; i++)
		sum += read_clock_ns(clock_of(t->tid[i]));
	return sum;
}

/* Every other thread's clock, kept in at_ns; the sum. */
static uint64_t others_ns(struct joust_threads *t)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->cnt; i++) {
		if (t->tid[i] == t->self)
			continue;
		t->at_ns[i] = read_clock_ns(clock_of(t->tid[i]));
		sum += t->at_ns[i];
	}
	return sum;
}

static void keep_own(struct joust_threads *t, uint64_t own_ns)
{
	for (uint32_t i = 0; i < t->cnt; i++)
		if (t->tid[i] == t->self)
			t->at_ns[i] = own_ns;
}

void joust_threads__look(struct joust_threads *t, struct joust_threads_look *ret)
{
	uint64_t before = others_ns(t), own, after;

	ret->sum_before_ns = before + read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	ret->process_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	own = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	after = others_ns(t);
	ret->sum_after_ns = after + own;
	ret->parked = before == after;
	keep_own(t, own);
}

static uint64_t now_ns(void)
{
	return read_clock_ns(CLOCK_MONOTONIC);
}

/* The rows of threads that live, in the order of birth as /proc has them. */
static void read_rows(struct joust_threads *t, const struct joust_sources *s)
{
	t->rows_cnt = 0;
	for (uint32_t i = 0; s->lane && i < INTERFERENCE_ROWS; i++) {
		struct interference_row *row = &t->row[t->rows_cnt];

		if (t->rows_cnt == PROTOCOL_THREADS_MAX)
			return;
		if (joust_interference_thread(s->lane, 0, i, now_ns(), row) < 0 ||
		    row->state == INTERFERENCE_ENDED)
			continue;
		t->row_index[t->rows_cnt++] = i;
	}
}

void joust_threads__begin(struct joust_threads *t, const struct joust_sources *s)
{
	if (t->several) {
		t->cnt = scan(t->dir_fd, t->tid);
		t->self = (int32_t)syscall(SYS_gettid);
		read_rows(t, s);
	}
	joust_threads__look(t, &t->begin);
	memcpy(t->from_ns, t->at_ns, t->cnt * sizeof(*t->from_ns));
}

/* CPU time that the known clocks cannot account for, at least. */
static uint64_t unseen_ns(const struct joust_threads_look *from,
			  const struct joust_threads_look *to)
{
	uint64_t process = to->process_ns - from->process_ns;
	uint64_t known = to->sum_after_ns - from->sum_before_ns;

	return process > known + UNSEEN_NS ? process - known : 0;
}

/* The window's CPU time from the one clock that saw every thread. */
static void use_process_clock(const struct joust_threads *t, const struct joust_threads_look *end,
			      struct frame_sample *s)
{
	uint64_t known = s->cpu_after_ns - s->cpu_before_ns;
	uint64_t untimed = known > s->cpu_ns[0] ? known - s->cpu_ns[0] : 0;
	uint64_t whole = end->process_ns - t->begin.process_ns;

	s->cpu = CPU_PROCESS;
	s->cpu_before_ns = t->begin.process_ns;
	s->cpu_after_ns = end->process_ns;
	s->cpu_ns[0] = whole > untimed ? whole - untimed : 0;
}

static enum frame_cpu judge(const struct joust_threads *t, const struct joust_threads_look *end,
			    bool same, uint32_t k)
{
	bool parked = t->begin.parked && end->parked;

	/* While others run the process clock proves nothing; the same threads are all there are. */
	if (same && !(parked && unseen_ns(&t->begin, end)))
		return CPU_THREADS;
	return parked && t->cnt && k == 1 ? CPU_PROCESS : CPU_UNKNOWN;
}

/* This thread runs. A row that knows nothing of that has missed how it came. */
static bool is_believable(const struct joust_threads *t, uint32_t i,
			  const struct interference_row *row)
{
	return t->tid[i] != t->self || row->state == INTERFERENCE_RUNNING;
}

/* The thread's row at both ends of the window. */
static bool read_row(const struct joust_threads *t, const struct joust_sources *s, uint32_t i,
		     struct interference_row *ret)
{
	if (i >= t->rows_cnt || t->rows_cnt != t->cnt)
		return false;
	return joust_interference_thread(s->lane, 0, t->row_index[i], now_ns(), ret) == 0 &&
	       ret->tid == t->row[i].tid && is_believable(t, i, &t->row[i]) &&
	       is_believable(t, i, ret);
}

/* `seen`: whether the record of the whole process is believed; else its rows are not either. */
static void fill_row(const struct joust_threads *t, const struct joust_sources *s, uint32_t i,
		     bool seen, struct frame_thread *ret)
{
	struct interference_counts d;
	struct interference_row row;

	*ret = (struct frame_thread){
		.cpu_ns = t->at_ns[i] - t->from_ns[i],
		.running_ns = UINT64_MAX,
		.waiting_ns = UINT64_MAX,
		.blocked_ns = UINT64_MAX,
	};
	if (!seen || !read_row(t, s, i, &row))
		return;
	joust_interference_diff(&d, &t->row[i].counts, &row.counts);
	ret->running_ns = d.time_ns[INTERFERENCE_RUNNING];
	ret->waiting_ns = joust_interference_disturbed_ns(&d);
	ret->blocked_ns = d.time_ns[INTERFERENCE_BLOCKED];
}

static void end_several(struct joust_threads *t, const struct joust_sources *s,
			const struct joust_threads_look *end, struct frame_sample *sample)
{
	static int32_t now[JOUST_THREADS_MAX];
	uint32_t cnt = scan(t->dir_fd, now);
	bool same = cnt && cnt == t->cnt && !memcmp(now, t->tid, cnt * sizeof(*now));

	sample->cpu = judge(t, end, same, sample->k);
	if (sample->cpu == CPU_PROCESS)
		use_process_clock(t, end, sample);
	if (!same)
		return;
	for (uint32_t i = 0; i < cnt && i < PROTOCOL_THREADS_MAX; i++)
		fill_row(t, s, i, sample->seen.state == SEEN_ALL, &sample->thread[i]);
	sample->threads_cnt = cnt < PROTOCOL_THREADS_MAX ? cnt : PROTOCOL_THREADS_MAX;
}

void joust_threads__end(struct joust_threads *t, const struct joust_sources *s,
			const struct joust_threads_look *end, struct frame_sample *sample)
{
	if (t->several) {
		end_several(t, s, end, sample);
		return;
	}
	sample->cpu = CPU_THREAD;
	sample->foreign_cpu_ns += unseen_ns(&t->begin, end);
}
