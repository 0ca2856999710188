/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* From an option's text to its typed field. The value is never empty here. */
#include "option_table.h"

option_parser parse_flag;    /* bool: yes or no */
option_parser parse_help;    /* enum help_kind */
option_parser parse_string;  /* const char *, borrowed */
option_parser parse_only;    /* the same; row->only alone is accepted */
option_parser parse_regex;   /* the same; compiled once to be sure that it can be */
option_parser parse_number;  /* double within lo..hi */
option_parser parse_percent; /* the same, with or without a percent sign */
option_parser parse_count;   /* uint64_t within lo..hi */
option_parser parse_pairs;   /* the same, odd */
option_parser parse_seed;    /* uint64_t, and seed_given */
option_parser parse_when;    /* enum when */
option_parser parse_sandbox; /* enum sandbox_level */
option_parser parse_margin;  /* double, a ratio above 1 */
option_parser parse_rule;    /* enum judge_rule */
option_parser parse_limit;   /* double[METRIC_CNT] */
option_parser parse_metric;  /* bool[METRIC_CNT] */
option_parser parse_events;  /* struct perf_names */
