/* SPDX-License-Identifier: BSD-2-Clause */
#include "error.h"

const char *stats_error_name(enum stats_error e)
{
	switch (e) {
	case STATS_OK:
		return "ok";
	case STATS_EMPTY:
		return "empty";
	case STATS_NONFINITE:
		return "nonfinite";
	case STATS_NONPOSITIVE:
		return "nonpositive";
	case STATS_RANGE:
		return "range";
	case STATS_MARGIN:
		return "margin";
	case STATS_STRATA:
		return "strata";
	case STATS_SHAPE:
		return "shape";
	case STATS_SIZES:
		return "sizes";
	default:
		return "unknown";
	}
}
