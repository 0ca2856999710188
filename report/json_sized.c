/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_sized.h"

static void write_endpoint(struct json_stream *j, const struct rec_endpoint *e)
{
	json_open_flat(j, NULL, '{');
	json_derived(j, "estimate", e->estimate);
	json_interval(j, "interval", e->lo, e->hi);
	json_derived(j, "upper", e->upper);
	json_derived(j, "margin", e->margin);
	json_close(j, '}');
}

static void write_window(struct json_stream *j, const struct rec_window *w)
{
	json_open_flat(j, NULL, '{');
	json_uint(j, "iterations", w->n);
	json_uint(j, "slices", w->k);
	json_raw(j, "slice_ns", w->slice_ns);
	json_close(j, '}');
}

static bool was_judged(const struct rec_bench *b)
{
	return b->metric[METRIC_CPU].stages_cnt > 0;
}

static void write_endpoints(struct json_stream *j, const struct rec_bench *b)
{
	if (!was_judged(b)) {
		json_null(j, "endpoints");
		return;
	}
	json_open(j, "endpoints", '[');
	for (size_t i = 0; i < 2 * b->sizes_cnt; i++)
		write_endpoint(j, &b->endpoint[i]);
	json_close(j, ']');
}

/* Endpoints are logs: each size, the slope, the growths. */
void json_sized(struct json_stream *j, const struct rec_bench *b)
{
	if (!b->sizes_cnt) {
		json_null(j, "sized");
		return;
	}
	json_open(j, "sized", '{');
	json_raws(j, "sizes", b->sizes, b->sizes_cnt);
	json_open(j, "windows", '[');
	for (size_t i = 0; i < b->sizes_cnt; i++)
		write_window(j, &b->window[i]);
	json_close(j, ']');
	write_endpoints(j, b);
	json_close(j, '}');
}
