/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/*
 * The few members of kernel structures that are read; where they lie is found when the programs are
 * loaded (CO-RE). Order and neighbours here mean nothing.
 */
#include <stdbool.h>
#include <stdint.h>

/* Of <linux/bpf.h>, which would bring the headers of the machine that compiles. */
typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint32_t __u32;
typedef uint64_t __u64;
typedef int32_t __s32;
typedef int64_t __s64;
typedef uint16_t __be16;
typedef uint32_t __be32;
typedef uint32_t __wsum;
enum {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_F_MMAPABLE = 1 << 10,
};

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[];
};

struct thread_info {
	uint32_t cpu;
};

struct sighand_struct;

struct sched_info {
	unsigned long pcount;
	unsigned long long run_delay, last_arrival, last_queued;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	int exit_state;
	int pid;
	int tgid;
	char comm[16];
	struct task_struct *group_leader;
	struct pid *thread_pid;
	unsigned long nvcsw, nivcsw;
	struct sighand_struct *sighand;
	struct sched_info sched_info;
};

struct bpf_iter_meta {
	uint64_t session_id;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

/* 5.18 gave sched_switch the state of the task that leaves (9c2136be0878). */
typedef void (*btf_trace_sched_switch)(void *, bool, struct task_struct *, struct task_struct *,
				       unsigned int);

#define KERNEL_CLONE_THREAD 0x10000
#define KERNEL_TASK_DEAD    0x80 /* since 4.14 (8ef9925b02c2) */
