/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two threads that need one lock in every iteration. Who has it sleeps for as many microseconds as
 * hold.txt says: a longer hold costs elapsed time, and no CPU time.
 */
#include "joust.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct pair {
	pthread_barrier_t start, stop;
	pthread_mutex_t lock;
	struct timespec hold;
	bool over;
};

static void work(struct pair *p)
{
	(void)pthread_mutex_lock(&p->lock);
	(void)nanosleep(&p->hold, NULL);
	(void)pthread_mutex_unlock(&p->lock);
}

static void *other(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		(void)pthread_barrier_wait(&p->start);
		if (p->over)
			return NULL;
		work(p);
		(void)pthread_barrier_wait(&p->stop);
	}
}

static bool read_hold(struct pair *p)
{
	FILE *f = fopen("hold.txt", "r");
	long us = 0;
	bool good = f && fscanf(f, "%ld", &us) == 1 && us > 0 && us < 1000000;

	if (f)
		(void)fclose(f);
	p->hold.tv_nsec = us * 1000;
	return good;
}

JOUST_BENCH_THREADS(contend, "contend", 2)
{
	struct pair p = {.lock = PTHREAD_MUTEX_INITIALIZER, .over = false};
	pthread_t thread;

	if (!read_hold(&p) || pthread_barrier_init(&p.start, NULL, 2) ||
	    pthread_barrier_init(&p.stop, NULL, 2) || pthread_create(&thread, NULL, other, &p)) {
		joust_fail(b, "cannot set up");
		return;
	}
	JOUST_LOOP(b) {
		(void)pthread_barrier_wait(&p.start);
		work(&p);
		(void)pthread_barrier_wait(&p.stop);
	}
	p.over = true;
	(void)pthread_barrier_wait(&p.start);
	(void)pthread_join(thread, NULL);
}
