/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A benchmark for each way to become slower. The build defines at most one CAUSE_..., which plants that
 * one. What the two versions do is otherwise the same.
 */
#include <joust.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

#ifdef CAUSE_PLACEMENT
/* Nobody calls it: it moves what follows. */
__asm__(".text\n.skip 4913, 0xcc\n");
#endif

static void work(uint64_t steps)
{
	uint64_t x = steps;

	for (uint64_t i = 0; i < steps; i++) {
		x = x * 6364136223846793005u + i;
		joust_keep(x);
	}
}

JOUST_BENCH(placement, "placement")
{
	JOUST_LOOP(b)
		work(300);
}

#ifdef CAUSE_INSTRUCTIONS
#define STEPS 330
#else
#define STEPS 300
#endif

JOUST_BENCH(instructions, "instructions")
{
	JOUST_LOOP(b)
		work(STEPS);
}

#ifdef CAUSE_LAYOUT
#define WORDS_APART 64
#else
#define WORDS_APART 1
#endif

/* The same instructions whatever it is: a sum of numbers that lie close together or far apart. */
static volatile size_t words_apart = WORDS_APART;

#define NUMBERS 8192

JOUST_BENCH(layout, "layout of data")
{
	size_t apart = words_apart;
	uint64_t *x = calloc(NUMBERS * 64, sizeof(*x));

	if (!x) {
		joust_fail(b, "out of memory");
		return;
	}
	for (size_t i = 0; i < NUMBERS * 64; i++)
		x[i] = i;
	JOUST_LOOP(b) {
		uint64_t sum = 0;

		for (size_t i = 0, at = 0; i < NUMBERS; i++, at += apart) {
			sum += x[at];
			joust_keep(sum);
		}
	}
	free(x);
}

JOUST_BENCH(system_call, "system call")
{
	JOUST_LOOP(b) {
		work(2000);
#ifdef CAUSE_CALL
		(void)syscall(SYS_getppid);
		(void)syscall(SYS_getppid);
#endif
	}
}

/* Memory of its own in every iteration, as a cache that is thrown away would have it. */
JOUST_BENCH(faults, "page faults")
{
	static char kept[4 * PAGE];

	JOUST_LOOP(b) {
		volatile char *p = kept;
#ifdef CAUSE_FAULTS
		void *fresh = mmap(NULL, sizeof(kept), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (fresh == MAP_FAILED)
			abort();
		p = fresh;
#endif
		for (size_t i = 0; i < sizeof(kept); i += PAGE)
			p[i] = 1;
		work(5000);
#ifdef CAUSE_FAULTS
		(void)munmap(fresh, sizeof(kept));
#endif
	}
}

#ifdef CAUSE_MEMORY
#define CACHED (9 << 20)
#else
#define CACHED (4 << 20)
#endif

/* A cache that an early iteration, of those that warm up, fills for the others. */
JOUST_BENCH(memory, "memory")
{
	volatile char *cache = malloc(CACHED);
	size_t iterations = 0;

	if (!cache) {
		joust_fail(b, "out of memory");
		return;
	}
	JOUST_LOOP(b) {
		for (size_t i = 0; iterations == 1000 && i < CACHED; i += PAGE)
			cache[i] = 1;
		iterations++;
		work(300);
	}
	free((void *)cache);
}

/* Two threads that wait, as for a disk, before they take the lock or while they hold it. */
struct pair {
	pthread_mutex_t lock;
	pthread_barrier_t start, stop;
	bool over;
};

static void locked_work(struct pair *p)
{
	static const struct timespec disk = {.tv_nsec = 1000000};

#ifndef CAUSE_LOCK
	(void)nanosleep(&disk, NULL);
#endif
	(void)pthread_mutex_lock(&p->lock);
	work(20000);
#ifdef CAUSE_LOCK
	(void)nanosleep(&disk, NULL);
#endif
	(void)pthread_mutex_unlock(&p->lock);
}

static void *other(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		(void)pthread_barrier_wait(&p->start);
		if (p->over)
			return NULL;
		locked_work(p);
		(void)pthread_barrier_wait(&p->stop);
	}
}

JOUST_BENCH_THREADS(wider_lock, "lock", 2)
{
	struct pair p = {.lock = PTHREAD_MUTEX_INITIALIZER, .over = false};
	pthread_t thread;

	if (pthread_barrier_init(&p.start, NULL, 2) || pthread_barrier_init(&p.stop, NULL, 2) ||
	    pthread_create(&thread, NULL, other, &p)) {
		joust_fail(b, "cannot set up");
		return;
	}
	JOUST_LOOP(b) {
		(void)pthread_barrier_wait(&p.start);
		locked_work(&p);
		(void)pthread_barrier_wait(&p.stop);
	}
	p.over = true;
	(void)pthread_barrier_wait(&p.start);
	(void)pthread_join(thread, NULL);
}

/*
 * An iteration is a slice of its own, of 0.1 ms or more, and every tenth may cost more: how much more
 * makes +3 and +5 % in truth.
 */
#ifdef CAUSE_RARE
#define RARE_3 .3
#define RARE_5 .5
#else
#define RARE_3 0
#define RARE_5 0
#endif

static void rare(struct joust *b, double more)
{
	unsigned at =
		(unsigned)getpid(); /* where it begins must not be the same in every process */

	JOUST_LOOP(b) {
		work(100000);
		if (++at % 10 == 0)
			work((uint64_t)(100000 * more));
	}
}

JOUST_BENCH(rare_3, "rare cost of 3 %")
{
	rare(b, RARE_3);
}

JOUST_BENCH(rare_5, "rare cost of 5 %")
{
	rare(b, RARE_5);
}
