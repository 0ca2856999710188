/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * What the parts of libjoust share. Everything with linkage starts with joust_, because libjoust.a is
 * linked into other people's programs; nothing in here is exported from libjoust.so.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define JOUST_NO_NOTE
#include "joust.h"
#include "protocol.h"
#include "burn.h"
#include "counters.h"
#include "threads.h"

#pragma GCC visibility push(hidden)

/* `why` below: a text for people, of PROTOCOL_TEXT_MAX bytes. */

/* A benchmark with its parameters chosen: what has a name. */
struct joust_bench {
	const struct joust_case *of;
	const char **values; /* of->axes_cnt of them */
	char name[PROTOCOL_NAME_MAX];
	uint64_t size;	 /* 0: it has none */
	uint32_t family; /* bytes of the name before the size; 0: it has none */
};

struct joust_catalog {
	struct joust_bench *benches;
	size_t cnt;
};

/* Everything registered. 0, or -1 with `why` filled: a bad name, a duplicate, no memory. */
int joust_catalog__init(struct joust_catalog *c, char why[static PROTOCOL_TEXT_MAX])
	__attribute__((warn_unused_result));
void joust_catalog__done(struct joust_catalog *c);
const struct joust_bench *joust_catalog__find(const struct joust_catalog *c, const char *name);

struct joust_window {
	uint64_t n;
	uint32_t k;
	uint32_t inject_ppm; /* of each slice, burnt on top of it */
};

/* Where windows come from and samples go: the engine, a test, or a measurement by hand. */
struct joust_driver {
	/* The body has reached its loop (may be NULL). */
	void (*ready)(struct joust *b);
	/* The next window; false when there is none, or after joust_fail(). */
	bool (*next)(struct joust *b, struct joust_window *ret);
	void (*sample)(struct joust *b, const struct frame_sample *s);
};

struct joust_clocks {
	uint64_t cpu_ns, wall_ns;
};

enum joust_state {
	STATE_SETUP,
	STATE_LOOP,
	STATE_AFTER,
};

struct joust {
	/* the window: touched between slices, so that no page of it is new there */
	struct joust_clocks reading[PROTOCOL_SLICES_MAX + 1];
	struct joust_clocks untimed[PROTOCOL_SLICES_MAX];
	struct joust_clocks paused_at;
	struct joust_window window;
	uint32_t slice;
	bool paused;
	struct joust_burn burn;
	enum joust_state state;
	struct joust_counters before;
	struct frame_sample sample;
	struct joust_sources sources;
	struct joust_threads threads;

	const struct joust_bench *bench;
	const struct joust_driver *driver;
	void *context; /* the driver's */

	bool failed, skipped, has_digest;
	char text[PROTOCOL_TEXT_MAX]; /* why it failed or skipped */
	uint64_t digest[2];	      /* high, low */
};

enum joust_result {
	RESULT_DONE,
	RESULT_SKIPPED,
	RESULT_FAILED,
};

void joust_init(struct joust *b, const struct joust_bench *bench, const struct joust_driver *driver,
		void *context);

/* Runs the body. b->text says why it was skipped or failed. */
enum joust_result joust_run(struct joust *b) __attribute__((warn_unused_result));

/* Serves the engine on fd until it is content or gone; the exit status. */
int joust_serve(int fd) __attribute__((warn_unused_result));

struct joust_options {
	bool list, test, help;
	const char *filter;
};

/* 0, or -1 with `why` filled. */
int joust_options_parse(int argc, char **argv, struct joust_options *ret,
			char why[static PROTOCOL_TEXT_MAX]) __attribute__((warn_unused_result));

/* The program as a person starts it; the exit status. */
int joust_by_hand(int argc, char **argv) __attribute__((warn_unused_result));

struct joust_summary {
	double p10_ns, p50_ns, p90_ns; /* of the slices, per iteration */
	uint64_t n;
	uint32_t k;
};

/* Calibrates, warms up and measures; to be called once in a process. */
enum joust_result joust_measure(struct joust *b, const struct joust_bench *bench,
				struct joust_summary *ret) __attribute__((warn_unused_result));

#define JOUST_DURATION_MAX 32

/* "112.4 ns", "1.524 ms": four digits and a unit. */
void joust_format_duration(char buf[static JOUST_DURATION_MAX], double ns);

/* The nearest of names[0..cnt) by edit distance, NULL when none is near. */
const char *joust_nearest(const char *word, const char *const *names, size_t cnt);

/* A whole decimal number within bounds. 0 or -1. */
int joust_parse_long(const char *text, long min, long max, long *ret)
	__attribute__((warn_unused_result));

#pragma GCC visibility pop
