/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
#include <stdint.h>
#include "../../report/record.h"

/*
 * Fills value[] of the metrics that a window's slices decide, per iteration (n >= 1 iterations a
 * slice): `cpu` and `wall` are medians of the slices, `cpu_total` the sum, which exists only where
 * there is more than one slice. NaN where a slice has no value. Other metrics are left alone.
 */
void values_from_slices(struct rec_half *h, uint64_t n);
