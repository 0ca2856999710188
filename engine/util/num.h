/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* The one number parser: the whole string, no sign surprises, range checked, locale-independent. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../../report/cleanup.h"

/* 0, -EINVAL (not a number), -ERANGE (outside lo..hi). *ret is untouched on failure. */
int num_u64(const char *s, uint64_t lo, uint64_t hi, uint64_t *ret) MUST_CHECK;
/* "0x" and 1 to 16 hexadecimal digits. 0 or -EINVAL. */
int num_hex(const char *s, uint64_t *ret) MUST_CHECK;
int num_double(const char *s, double lo, double hi, double *ret) MUST_CHECK;

/* A limit: "1.02" or "2%" (= 1.02), > 1; from 2 on in percent alone ("100%"). Else -ERANGE. */
int num_limit(const char *s, double *ret) MUST_CHECK;

#define NUM_BYTES_MAX (1ull << 50) /* for limits: more than a machine has */
/* Bytes: "1048576", "512M", "2G", "5MiB" (powers of 1024, K M G T). */
int num_bytes(const char *s, uint64_t lo, uint64_t hi, uint64_t *ret) MUST_CHECK;

/* "yes/no/true/false/1/0/on/off" */
int num_bool(const char *s, bool *ret) MUST_CHECK;
