/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What this host is and what it can measure: for the record and for `joust doctor`. */
#include <stdbool.h>
#include <stdio.h>
#include "../../report/record.h"

/*
 * Fills rec->host (owned strings) but for what host_describe_cpu and the measuring itself find out.
 * 0, -ENOMEM or the error of uname; what cannot be read stays NULL.
 */
int host_describe(struct rec_host *ret) MUST_CHECK;
/* The CPU that is measured on and its governor, below `root` ("" for this host); replaces the last. */
void host_describe_cpu(struct rec_host *h, const char *root, int cpu);

enum doctor_state { DOCTOR_OK, DOCTOR_INFO, DOCTOR_WARN, DOCTOR_MISSING };

struct doctor_row {
	const char *name; /* "pmu", "bpf", "btf", "cgroups", "governor", ...: names for --require */
	enum doctor_state state;
	char *finding; /* owned: what was found */
	char *remedy;  /* owned or NULL: what to do, exact */
};

struct doctor {
	size_t cnt;
	struct doctor_row *rows;
};

/* Looks at the host and changes nothing. 0, -ENOMEM, or -EMFILE or -ENFILE: it can open no file. */
int doctor__examine(struct doctor *ret) MUST_CHECK;
void doctor__done(struct doctor *d);
/* True when `name` is one of the rows; *ret_met says whether it is DOCTOR_OK or DOCTOR_INFO. */
bool doctor_requirement(const struct doctor *d, const char *name, bool *ret_met);
void doctor_print(FILE *out, const struct doctor *d, bool color);
