/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../../engine/worker/joust.h"
#include "loop.h"
#include "tap.h"

#define TRIPS_ENV  "PROOF_TRIPS"
#define TIMEOUT_NS UINT64_C(120000000000)

static uint64_t trips_wanted(struct joust *b)
{
	const char *text = getenv(TRIPS_ENV);
	uint64_t trips = text ? strtoull(text, NULL, 10) : 0;

	if (!trips)
		joust_fail(b, "%s is not set", TRIPS_ENV);
	return trips;
}

JOUST_BENCH(spin, BENCH_SPIN)
{
	uint64_t trips = trips_wanted(b);

	JOUST_LOOP(b)
		loop_spin(trips);
}

struct row {
	uint64_t trips;
	int go[2], done; /* pipes: a lock would spin now and then, and so count differently */
};

static void *serve_row(void *arg)
{
	const struct row *row = arg;
	char byte;

	while (read(row->go[0], &byte, 1) == 1) {
		loop_spin(row->trips);
		if (write(row->done, &byte, 1) != 1)
			break;
	}
	return NULL;
}

static void rows_once(const struct row *rows, int done)
{
	char byte = 0;

	for (size_t i = 0; i < BENCH_ROWS; i++)
		if (write(rows[i].go[1], &byte, 1) != 1)
			abort();
	for (size_t i = 0; i < BENCH_ROWS; i++)
		if (read(done, &byte, 1) != 1)
			abort();
}

JOUST_BENCH_THREADS(rows, BENCH_ROWS_NAME, BENCH_ROWS + 1)
{
	uint64_t trips = trips_wanted(b);
	struct row row[BENCH_ROWS];
	pthread_t thread[BENCH_ROWS];
	int done[2];

	if (pipe(done))
		abort();
	for (size_t i = 0; i < BENCH_ROWS; i++) {
		row[i] = (struct row){.trips = (i + 1) * trips, .done = done[1]};
		if (pipe(row[i].go) || pthread_create(&thread[i], NULL, serve_row, &row[i]))
			abort();
	}
	JOUST_LOOP(b)
		rows_once(row, done[0]);
	for (size_t i = 0; i < BENCH_ROWS; i++) {
		close(row[i].go[1]);
		(void)pthread_join(thread[i], NULL); /* it is ours and not joined yet */
	}
}

static void *live_and_die(void *arg)
{
	loop_spin(*(const uint64_t *)arg);
	return NULL;
}

JOUST_BENCH_THREADS(born, BENCH_BORN, 2)
{
	uint64_t trips = trips_wanted(b);
	pthread_t thread;

	JOUST_LOOP(b)
		if (pthread_create(&thread, NULL, live_and_die, &trips) ||
		    pthread_join(thread, NULL))
			abort();
}

void bench_serve(int argc, char **argv)
{
	if (getenv(PROTOCOL_FD_ENV))
		exit(joust_main(argc, argv));
	if (child_engine_setup())
		tap_die("child_engine_setup");
}

static void must(const struct worker *w, enum worker_result r, const char *what)
{
	AUTO_FREE char *said = NULL;

	if (r == WORKER_OK)
		return;
	tap_note("%s: %s%s%s", what, reason_get(w->reason)->sentence, w->detail ? ": " : "",
		 w->detail ? w->detail : "");
	said = kept_text(&w->child.output);
	tap_note("%s", said ? said : "it said nothing");
	errno = EPROTO;
	tap_die(what);
}

void bench_start(struct worker *w, const char *name, uint64_t trips,
		 const struct worker_sources *sources)
{
	static const char *const argv[] = {"proof", NULL};
	char set[64];
	const char *const envp[] = {PROTOCOL_FD_ENV "=3", set, NULL};
	const struct child_spec spec = {
		.path = "/proc/self/exe", .argv = argv, .envp = envp, .cwd = "/", .output_fd = -1};

	(void)snprintf(set, sizeof(set), TRIPS_ENV "=%llu", (unsigned long long)trips);
	must(w, worker__start(w, &spec, TIMEOUT_NS, -1), "worker__start");
	must(w, worker__open(w, name, sources), "worker__open");
}

struct frame_reading bench_window(struct worker *w, uint64_t n)
{
	struct frame_sample s;

	must(w, worker__window(w, n, 1, &s), "worker__window");
	return s.group[GROUP_HARDWARE];
}

uint64_t bench_instructions(struct worker *w, uint64_t n)
{
	struct frame_reading r = bench_window(w, n);

	if (r.valid && r.running_ns == r.enabled_ns)
		return r.value[PERF_HW_INSTRUCTIONS];
	errno = EBUSY;
	tap_die("the counters of a worker");
}

void bench_end(struct worker *w)
{
	struct frame_done done;

	must(w, worker__stop(w, &done), "worker__stop");
	worker__done(w);
}
