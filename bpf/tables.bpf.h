/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* What only the programs and the engine see. */
#include "kernel.bpf.h"
#include "interference.h"
#include "watch_private.h"

#define NOT_WATCHED UINT32_MAX

struct watch_thread threads[WATCH_THREADS];
struct watch_cpu_state cpus[WATCH_MAX_CPUS];
struct watch_lane lanes[INTERFERENCE_LANES];

/* Who had the CPU, by lane and process. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WATCH_PREEMPTORS);
	__type(key, struct watch_preemptor_key);
	__type(value, struct watch_preemptor_value);
} preemptors SEC(".maps");
