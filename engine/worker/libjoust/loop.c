/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <string.h>
#include <time.h>

#define STACK_BYTES 32768
#define PAGE_BYTES  4096

static uint64_t read_wall_ns(void)
{
	struct timespec ts = {0};

	(void)clock_gettime(CLOCK_MONOTONIC, &ts); /* exists on every Linux */
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* One reading ends a slice and begins the next: its cost is part of exactly one of them. */
static struct joust_clocks read_clocks(const struct joust *b)
{
	struct joust_clocks c;

	c.cpu_ns = joust_threads__cpu_ns(&b->threads);
	c.wall_ns = read_wall_ns();
	return c;
}

/* The stack that the calls between slices will use gets its pages now. */
static __attribute__((noinline)) void touch_stack(void)
{
	volatile char stack[STACK_BYTES];

	for (size_t i = 0; i < sizeof(stack); i += PAGE_BYTES)
		stack[i] = 0;
}

/* Every path of a window once, so that its code is mapped and its symbols are bound. */
static void rehearse(struct joust *b)
{
	struct joust_counters c;

	touch_stack();
	joust_threads__open(&b->threads);
	joust_threads__begin(&b->threads, &b->sources);
	joust_counters_before(&b->sources, &c);
	joust_counters_after(&b->sources, &c);
	b->paused_at = read_clocks(b);
	joust_peak__rehearse(&b->sources.peak);
	memset(b->reading, 0, sizeof(b->reading));
	memset(b->untimed, 0, sizeof(b->untimed));
}

static void fill_slices(const struct joust *b, struct frame_sample *s)
{
	for (uint32_t i = 0; i < b->window.k; i++) {
		const struct joust_clocks *from = &b->reading[i], *to = &b->reading[i + 1];

		s->cpu_ns[i] = to->cpu_ns - from->cpu_ns - b->untimed[i].cpu_ns;
		s->wall_ns[i] = to->wall_ns - from->wall_ns - b->untimed[i].wall_ns;
	}
	s->cpu_before_ns = b->reading[0].cpu_ns;
	s->cpu_after_ns = b->reading[b->window.k].cpu_ns;
}

static void end_window(struct joust *b)
{
	struct joust_threads_look look;
	struct joust_counters after;

	joust_threads__look(&b->threads, &look);
	joust_counters_after(&b->sources, &after);
	memset(&b->sample, 0, sizeof(b->sample));
	b->sample.n = b->window.n;
	b->sample.k = b->window.k;
	b->sample.inject_ppm = b->window.inject_ppm;
	fill_slices(b, &b->sample);
	joust_counters_fill(&b->sources, &b->before, &after, &b->sample);
	joust_threads__end(&b->threads, &b->sources, &look, &b->sample);
	if (b->window.inject_ppm)
		joust_burn__learn(&b->burn, &b->sample, b->window.inject_ppm);
	b->driver->sample(b, &b->sample);
}

/* Waits for a window and begins it: n, or 0 when the loop is over. */
static uint64_t begin_window(struct joust *b)
{
	if (b->failed || !b->driver->next(b, &b->window)) {
		b->state = STATE_AFTER;
		return 0;
	}
	memset(b->untimed, 0, sizeof(b->untimed));
	b->slice = 0;
	joust_threads__begin(&b->threads, &b->sources);
	joust_counters_before(&b->sources, &b->before);
	b->reading[0] = read_clocks(b);
	return b->window.n;
}

uint64_t joust_begin_(struct joust *b)
{
	if (b->state != STATE_SETUP)
		joust_fail(b, "more than one JOUST_LOOP in a body");
	if (b->failed || b->skipped)
		return 0;
	b->state = STATE_LOOP;
	rehearse(b);
	if (b->driver->ready)
		b->driver->ready(b);
	return begin_window(b);
}

/* In the first window of a process, where nothing is known yet. Reading the clock adds to it. */
static void inject_by_clock(const struct joust *b)
{
	uint64_t from = b->reading[b->slice].cpu_ns + b->untimed[b->slice].cpu_ns;
	uint64_t spent = joust_threads__cpu_ns(&b->threads) - from;
	uint64_t until = from + spent + spent * b->window.inject_ppm / 1000000;

	while (joust_threads__cpu_ns(&b->threads) < until)
		;
}

/* The share of the slice's own time is spent once more, within it. */
static void inject(const struct joust *b)
{
	uint64_t steps = joust_burn__steps(&b->burn, b->window.n, b->window.inject_ppm);

	if (steps)
		joust_burn_count(steps);
	else
		inject_by_clock(b);
}

/* After each slice; `done` iterations were finished. Nothing may stand before the clocks. */
uint64_t joust_next_(struct joust *b, uint64_t done)
{
	if (b->window.inject_ppm)
		inject(b);
	b->reading[b->slice + 1] = read_clocks(b);
	if (done != b->window.n)
		joust_fail(b, "break out of JOUST_LOOP");
	if (b->paused)
		joust_fail(b, "break out of JOUST_UNTIMED");
	if (b->failed) {
		b->state = STATE_AFTER;
		return 0;
	}
	if (++b->slice < b->window.k)
		return b->window.n;
	end_window(b);
	return begin_window(b);
}

int joust_pause_(struct joust *b)
{
	b->paused = true;
	b->paused_at = read_clocks(b);
	joust_peak__pause(&b->sources.peak);
	return 1;
}

int joust_resume_(struct joust *b)
{
	struct joust_clocks now;

	joust_peak__resume(&b->sources.peak);
	now = read_clocks(b);
	b->untimed[b->slice].cpu_ns += now.cpu_ns - b->paused_at.cpu_ns;
	b->untimed[b->slice].wall_ns += now.wall_ns - b->paused_at.wall_ns;
	b->paused = false;
	return 0;
}
