/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* What only the programs and the engine see. */
#include "kernel.bpf.h"
#include "interference.h"
#include "watch_private.h"

#define NOT_WATCHED UINT32_MAX

struct watch_state state;

/* The masks are for the verifier. */
static __always_inline struct watch_thread *thread_of(uint32_t t)
{
	return &state.thread[t & (WATCH_THREADS - 1)];
}

static __always_inline struct watch_cpu_state *cpu_of(uint32_t cpu)
{
	return &state.cpu[cpu & (WATCH_MAX_CPUS - 1)];
}

static __always_inline struct watch_lane *watch_lane_of(uint32_t lane)
{
	return &state.lane[lane & (INTERFERENCE_LANES - 1)];
}
