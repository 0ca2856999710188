/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Ascending, in place, O(n log n), no allocation (the qsort of libc may allocate). */
/* The order is total, -0 before +0: equal multisets give equal bytes. No NaN among x. */
void sort_doubles(double *x, size_t n);

/* Inserts v into sorted x[0..n), which becomes x[0..n]. O(n). */
void sort_insert(double *x, size_t n, double v);

/* Median of sorted x[0..n), n >= 1: the middle value or the mean of the two middle ones. */
double sorted_median(const double *x, size_t n);

/* Neither NaN nor infinity among x[0..n). */
bool all_finite(const double *x, size_t n);

/*
 * Moves the k-th smallest (from 0) of x[0..n) to x[k], nothing greater before and nothing less
 * behind it; returns it. k < n. O(n) on average.
 */
double select_double(double *x, size_t n, size_t k);

/*
 * Moves to the front of x[0..n) the values near the k-th smallest: those with ranks *ret_below to
 * *ret_below + result - 1, k and k + 1 among them. k < n. O(n) with few branches that the processor
 * cannot foretell; of a small x, or near its ends, nothing is left out and n returned.
 */
size_t select_near(double *x, size_t n, size_t k, size_t *ret_below);
