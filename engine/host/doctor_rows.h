/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The rows of `joust doctor`, by what they look at. Each fills state, finding and remedy of its
 * row from files below `root` ("" for the real host) or from a harmless system call: 0 or -ENOMEM.
 */
#include "hostinfo.h"

/* `remedy` may be NULL. Strings are copied. */
int doctor_row__set(struct doctor_row *row, enum doctor_state state, const char *remedy,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5))) MUST_CHECK;

/* As doctor__examine(), of a host whose files lie below `root`. */
int doctor__examine_below(struct doctor *ret, const char *root) MUST_CHECK;

/* doctor_cpu.c */
int doctor_look_cpus(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_virtual(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_governor(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_turbo(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_smt(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_isolated(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_clocksource(const char *root, struct doctor_row *row) MUST_CHECK;
/* doctor_counters.c */
int doctor_look_pmu(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_paranoid(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_software(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_watchdog(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_bpf(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_btf(const char *root, struct doctor_row *row) MUST_CHECK;
/* doctor_limits.c */
int doctor_look_cgroups(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_namespaces(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_seccomp(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_landlock(const char *root, struct doctor_row *row) MUST_CHECK;
/* doctor_sandbox.c: by a trial on the real host, whatever `root` is */
int doctor_look_sandbox(const char *root, struct doctor_row *row) MUST_CHECK;
/* doctor_memory.c */
int doctor_look_thp(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_aslr(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_swap(const char *root, struct doctor_row *row) MUST_CHECK;
/* doctor_quiet.c */
int doctor_look_steal(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_load(const char *root, struct doctor_row *row) MUST_CHECK;
int doctor_look_quiet(const char *root, struct doctor_row *row) MUST_CHECK;
