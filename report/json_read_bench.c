/* SPDX-License-Identifier: BSD-2-Clause */
/* One benchmark and its blocks. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "json_read_parts.h"
#include "text.h"

#define CNT(table)  (sizeof(table) / sizeof((table)[0]))
#define FIELD(s, f) offsetof(struct s, f)

/* Above anything that a run writes, below what would make the judge slow. */
#define STAGE_BLOCKS_MAX 4096
#define ROUNDS_MAX	 16384
#define BLOCKS_MAX	 100000
#define THREADS_MAX	 65536
#define LIST_MAX	 100000

static int find_side(const char *name)
{
	for (int i = 0; name && i <= SIDE_CNT; i++)
		if (!strcmp(side_name((enum side)i), name))
			return i;
	return name ? -1 : SIDE_CNT;
}

static int find_one_side(const char *name)
{
	int side = find_side(name);

	return side == SIDE_CNT ? -1 : side;
}

static int find_bench_verdict(const char *name)
{
	for (int i = 1; name && i <= BENCH_SAME; i++)
		if (!strcmp(bench_verdict_name((enum bench_verdict)i), name))
			return i;
	return name ? -1 : BENCH_OPEN;
}

static int find_kind(const char *name)
{
	if (name && !strcmp(name, "command"))
		return BENCH_COMMAND;
	return name && !strcmp(name, "function") ? BENCH_FUNCTION : -1;
}

static const struct json_field bench_fields[] = {
	{"kind", JSON_CHOICE, FIELD(rec_bench, kind), 0, find_kind},
	{"command", JSON_TEXT, FIELD(rec_bench, command), 0, NULL},
	{"threads", JSON_SIZE, FIELD(rec_bench, threads), THREADS_MAX, NULL},
	{"verdict", JSON_CHOICE, FIELD(rec_bench, verdict), 0, find_bench_verdict},
	{"reason", JSON_CHOICE, FIELD(rec_bench, reason), 0, json_find_reason},
	{"side", JSON_CHOICE, FIELD(rec_bench, reason_side), 0, find_side},
	{"detail", JSON_TEXT, FIELD(rec_bench, detail), 0, NULL},
	{"stderr", JSON_TEXT, FIELD(rec_bench, stderr_tail), 0, NULL},
	{"accepted", JSON_TEXT, FIELD(rec_bench, accepted), 0, NULL},
	{"accepted_by", JSON_TEXT, FIELD(rec_bench, accepted_by), 0, NULL},
	{"seconds", JSON_REAL, FIELD(rec_bench, seconds), 0, NULL},
	{"lost", JSON_SIZE, FIELD(rec_bench, lost_cnt), BLOCKS_MAX, NULL},
};

static const struct json_field digest_fields[] = {
	{"baseline", JSON_TEXT, FIELD(rec_bench, digest[SIDE_BASELINE]), 0, NULL},
	{"candidate", JSON_TEXT, FIELD(rec_bench, digest[SIDE_CANDIDATE]), 0, NULL},
};

static const struct json_field plan_fields[] = {
	{"iterations", JSON_U64, FIELD(rec_bench, n), 0, NULL},
	{"slices", JSON_SIZE, FIELD(rec_bench, k), SLICES_MAX, NULL},
	{"pairs", JSON_SIZE, FIELD(rec_bench, m), PAIRS_MAX, NULL},
	{"slice_ns", JSON_REAL, FIELD(rec_bench, slice_ns), 0, NULL},
	{"blocks_min", JSON_SIZE, FIELD(rec_bench, blocks_min), STAGE_BLOCKS_MAX, NULL},
	{"precision", JSON_REAL, FIELD(rec_bench, precision), 0, NULL},
	{"loader_share", JSON_REAL, FIELD(rec_bench, loader_share), 0, NULL},
	{"layouts", JSON_SIZE, FIELD(rec_bench, layouts), 65536, NULL},
	{"one_layout_because", JSON_TEXT, FIELD(rec_bench, layouts_why), 0, NULL},
};

static const struct json_field planning_fields[] = {
	{"blocks", JSON_SIZE, FIELD(rec_planning, blocks), STAGE_BLOCKS_MAX, NULL},
	{"iterations", JSON_U64, FIELD(rec_planning, n), 0, NULL},
	{"pairs", JSON_SIZE, FIELD(rec_planning, m), PAIRS_MAX, NULL},
	{"disturbed_slices", JSON_REAL, FIELD(rec_planning, disturbed), 0, NULL},
	{"within", JSON_REAL, FIELD(rec_planning, within), 0, NULL},
	{"between", JSON_REAL, FIELD(rec_planning, between), 0, NULL},
	{"predicted", JSON_REAL, FIELD(rec_planning, predicted), 0, NULL},
	{"wanted", JSON_REAL, FIELD(rec_planning, wanted), 0, NULL},
};

static const struct json_field metric_fields[] = {
	{"judged", JSON_FLAG, FIELD(rec_metric, judged), 0, NULL},
	{"reason", JSON_CHOICE, FIELD(rec_metric, reason), 0, json_find_reason},
	{"missing", JSON_CHOICE, FIELD(rec_metric, missing), 0, json_find_reason},
	{"limit", JSON_REAL, FIELD(rec_metric, limit), 0, NULL},
	{"least", JSON_REAL, FIELD(rec_metric, least), 0, NULL},
};

static const struct json_field block_fields[] = {
	{"stage", JSON_UINT, FIELD(rec_block, stage), STAGES_MAX, NULL},
	{"slot", JSON_UINT, FIELD(rec_block, slot), BLOCKS_MAX, NULL},
	{"attempt", JSON_UINT, FIELD(rec_block, attempt), BLOCKS_MAX, NULL},
	{"round", JSON_UINT, FIELD(rec_block, round), ROUNDS_MAX, NULL},
	{"lost", JSON_CHOICE, FIELD(rec_block, lost), 0, json_find_reason},
	{"lost_side", JSON_CHOICE, FIELD(rec_block, lost_side), 0, find_side},
	{"layout", JSON_UINT, FIELD(rec_block, layout), 65536, NULL},
	{"cpu", JSON_INT, FIELD(rec_block, cpu), 0, NULL},
	{"at_ns", JSON_REAL, FIELD(rec_block, at_ns), 0, NULL},
	{"steal_ns", JSON_REAL, FIELD(rec_block, steal_ns), 0, NULL},
	{"frequency_changes", JSON_REAL, FIELD(rec_block, frequency_changes), 0, NULL},
};

static const struct json_field environment_field[] = {
	{"environment_bytes", JSON_U64, 0, 0, NULL},
};

static const struct json_field coin_fields[] = {
	{"spawned_first", JSON_CHOICE, FIELD(rec_coins, spawned_first), 0, find_one_side},
	{"majority", JSON_CHOICE, FIELD(rec_coins, majority), 0, find_one_side},
	{"arrangement", JSON_UINT, FIELD(rec_coins, arrangement), UINT32_MAX, NULL},
	{"slot0", JSON_CHOICE, FIELD(rec_coins, slot0), 0, find_one_side},
	{"leaf0", JSON_CHOICE, FIELD(rec_coins, leaf0), 0, find_one_side},
	{"low_fds", JSON_CHOICE, FIELD(rec_coins, low_fds), 0, find_one_side},
};

/* One of a block's processes, whose values lie apart in the block. */
struct process {
	int64_t pid;
	uint64_t inode;
	double start_ns, peak_bytes;
};

static const struct json_field process_fields[] = {
	{"pid", JSON_I64, FIELD(process, pid), 0, NULL},
	{"inode", JSON_U64, FIELD(process, inode), 0, NULL},
	{"start_ns", JSON_REAL, FIELD(process, start_ns), 0, NULL},
	{"peak_bytes", JSON_REAL, FIELD(process, peak_bytes), 0, NULL},
};

static const struct json_field check_fields[] = {
	{"task_clock_ns", JSON_REAL, FIELD(rec_check, task_clock_ns), 0, NULL},
	{"page_faults", JSON_REAL, FIELD(rec_check, page_faults), 0, NULL},
	{"switches", JSON_REAL, FIELD(rec_check, switches), 0, NULL},
	{"migrations", JSON_REAL, FIELD(rec_check, migrations), 0, NULL},
	{"cpu_ns", JSON_REAL, FIELD(rec_check, cpu_ns), 0, NULL},
	{"claimed", JSON_REAL, FIELD(rec_check, claimed), 0, NULL},
	{"missing", JSON_CHOICE, FIELD(rec_check, missing), 0, json_find_reason},
};

static const struct json_field thread_fields[] = {
	{"cpu_ns", JSON_REAL, FIELD(rec_thread, cpu_ns), 0, NULL},
	{"running_ns", JSON_REAL, FIELD(rec_thread, running_ns), 0, NULL},
	{"waiting_ns", JSON_REAL, FIELD(rec_thread, waiting_ns), 0, NULL},
	{"blocked_ns", JSON_REAL, FIELD(rec_thread, blocked_ns), 0, NULL},
};

struct preemptor {
	int64_t pid;
	char *comm;
	double ns, times;
};

static const struct json_field preemptor_fields[] = {
	{"pid", JSON_I64, FIELD(preemptor, pid), 0, NULL},
	{"comm", JSON_TEXT, FIELD(preemptor, comm), 0, NULL},
	{"ns", JSON_REAL, FIELD(preemptor, ns), 0, NULL},
	{"times", JSON_REAL, FIELD(preemptor, times), 0, NULL},
};

static const struct json_field rejected_fields[] = {
	{"pair", JSON_SIZE, FIELD(rec_rejected, pair), PAIRS_MAX *SIZES_MAX, NULL},
	{"attempt", JSON_UINT, FIELD(rec_rejected, attempt), BLOCKS_MAX, NULL},
	{"why", JSON_CHOICE, FIELD(rec_rejected, why), 0, json_find_reason},
	{"side", JSON_CHOICE, FIELD(rec_rejected, side), 0, find_side},
};

static const struct json_field first_field[] = {
	{"first", JSON_CHOICE, FIELD(rec_pair, first), 0, find_one_side},
};

static const struct json_field place_field[] = {
	{"place", JSON_SIZE, FIELD(rec_pair, place), PAIRS_MAX *SIZES_MAX, NULL},
};

struct lacking {
	char *metric;
	enum reason reason;
};

static const struct json_field lacking_fields[] = {
	{"metric", JSON_TEXT, FIELD(lacking, metric), 0, NULL},
	{"reason", JSON_CHOICE, FIELD(lacking, reason), 0, json_find_reason},
};

static void read_lacking(struct json_reader *r, const cJSON *object, struct rec_half *to)
{
	const cJSON *array = json_array(r, object, "missing", METRIC_CNT), *item;

	cJSON_ArrayForEach(item, array) {
		struct lacking l = {NULL, REASON_NONE};
		int id;

		json_fields(r, item, lacking_fields, CNT(lacking_fields), &l);
		id = l.metric ? metric_find(l.metric) : -1;
		if (id >= 0)
			to->missing[id] = l.reason;
		free(l.metric);
	}
}

/* A metric that the record's joust did not have was not measured. */
static void read_values(struct json_reader *r, const cJSON *object, struct rec_half *to)
{
	const cJSON *values = json_object(r, object, "values"), *item;

	cJSON_ArrayForEach(item, values) {
		int id = metric_find(item->string);

		if (!cJSON_IsNumber(item) && !cJSON_IsNull(item))
			json_flaw(r, "\"values\" holds no numbers");
		else if (id >= 0 && cJSON_IsNumber(item) && item->valuedouble < 0)
			json_flaw(r, "\"%s\" is less than nothing", item->string);
		else if (id >= 0 && cJSON_IsNumber(item))
			to->value[id] = item->valuedouble;
	}
}

static void read_threads(struct json_reader *r, const cJSON *object, struct rec_half *to)
{
	const cJSON *array = json_array(r, object, "threads", THREADS_MAX), *item;
	size_t n = array ? (size_t)cJSON_GetArraySize(array) : 0;

	if (n && rec_half__reserve_threads(to, n)) {
		json_no_memory(r);
		return;
	}
	n = 0;
	cJSON_ArrayForEach(item, array)
		json_fields(r, item, thread_fields, CNT(thread_fields), &to->threads[n++]);
}

static void read_half(struct json_reader *r, const cJSON *pair, const char *key,
		      struct rec_half *to)
{
	const cJSON *half = json_object(r, pair, key);
	size_t slices = json_reals(r, half, "cpu_ns", to->cpu_ns, SLICES_MAX);

	if (json_reals(r, half, "wall_ns", to->wall_ns, SLICES_MAX) != slices)
		json_flaw(r, "its clocks have different numbers of slices");
	to->slices = slices;
	read_values(r, half, to);
	read_lacking(r, half, to);
	read_threads(r, half, to);
	(void)json_reals(r, half, "events", to->event, EVENTS_MAX); /* as many as the run has */
}

static void read_pair(struct json_reader *r, const cJSON *object, struct rec_pair *to)
{
	json_fields(r, object, first_field, 1, to);
	/* only beside a gate */
	if (cJSON_HasObjectItem(object, "canary_ns") &&
	    json_reals(r, object, "canary_ns", to->canary_ns, 2) != 2)
		json_flaw(r, "\"canary_ns\" is no pair");
	read_half(r, object, "baseline", &to->half[SIDE_BASELINE]);
	read_half(r, object, "candidate", &to->half[SIDE_CANDIDATE]);
}

static void read_pairs(struct json_reader *r, const cJSON *object, struct rec_block *to)
{
	const cJSON *array = json_array(r, object, "pairs", PAIRS_MAX * SIZES_MAX), *item;

	if (!array)
		return;
	if (rec_block__reserve(to, (size_t)cJSON_GetArraySize(array))) {
		json_no_memory(r);
		return;
	}
	cJSON_ArrayForEach(item, array) {
		struct rec_pair *pair = &to->pairs[to->pairs_cnt++];

		json_fields(r, item, place_field, 1, pair);
		read_pair(r, item, pair);
	}
}

static void read_rejected(struct json_reader *r, const cJSON *object, struct rec_block *to)
{
	const cJSON *array = json_array(r, object, "rejected", LIST_MAX), *item;

	cJSON_ArrayForEach(item, array) {
		struct rec_rejected *rejected;

		if (rec_block__reject(to, &rejected)) {
			json_no_memory(r);
			return;
		}
		json_fields(r, item, rejected_fields, CNT(rejected_fields), rejected);
		read_pair(r, item, &rejected->values);
	}
}

static void read_preemptors(struct json_reader *r, const cJSON *object, struct rec_block *to)
{
	const cJSON *array = json_array(r, object, "preemptors", LIST_MAX), *item;

	cJSON_ArrayForEach(item, array) {
		struct preemptor p = {.comm = NULL};

		json_fields(r, item, preemptor_fields, CNT(preemptor_fields), &p);
		if (!r->err && !p.comm)
			json_flaw(r, "a preemptor has no name");
		if (!r->err && rec_block__add_preemptor(to, p.pid, p.comm, p.ns, p.times))
			json_no_memory(r);
		free(p.comm);
	}
}

static void read_process(struct json_reader *r, const cJSON *object, enum side side,
			 struct rec_block *to)
{
	const cJSON *item = json_object(r, object, side_name(side));
	struct process p = {.pid = 0};

	json_fields(r, item, process_fields, CNT(process_fields), &p);
	to->pid[side] = p.pid;
	to->inode[side] = p.inode;
	to->start_ns[side] = p.start_ns;
	to->peak_bytes[side] = p.peak_bytes;
	json_fields(r, json_object(r, item, "check"), check_fields, CNT(check_fields),
		    &to->check[side]);
}

static void read_block(struct json_reader *r, const cJSON *object, struct rec_block *to)
{
	uint64_t environment_bytes = 0;

	json_fields(r, object, block_fields, CNT(block_fields), to);
	json_fields(r, object, environment_field, 1, &environment_bytes);
	to->environment_bytes = environment_bytes;
	json_fields(r, json_object(r, object, "coins"), coin_fields, CNT(coin_fields), &to->coins);
	read_process(r, object, SIDE_BASELINE, to);
	read_process(r, object, SIDE_CANDIDATE, to);
	if (json_reals(r, object, "canary_ns", to->canary_ns, 2) != 2)
		json_flaw(r, "\"canary_ns\" is no pair");
	read_preemptors(r, object, to);
	read_pairs(r, object, to);
	read_rejected(r, object, to);
}

static void read_blocks(struct json_reader *r, const cJSON *object, struct rec_bench *b)
{
	const cJSON *array = json_array(r, object, "blocks", BLOCKS_MAX), *item;
	size_t len = strlen(r->where);

	cJSON_ArrayForEach(item, array) {
		struct rec_block *blk;

		if (record__add_block(b, &blk)) {
			json_no_memory(r);
			return;
		}
		(void)snprintf(r->where + len, sizeof(r->where) - len,
			       "block %zu: ", b->blocks_cnt - 1);
		read_block(r, item, blk);
		if (r->err)
			return;
	}
	r->where[len] = '\0';
}

static void read_plan(struct json_reader *r, const cJSON *object, struct rec_bench *b)
{
	const cJSON *plan = json_object(r, object, "plan");
	const cJSON *planning = json_member(r, plan, "planning");
	double most[STAGES_MAX];
	size_t n;

	json_fields(r, plan, plan_fields, CNT(plan_fields), b);
	b->one_layout = one_layout_find(b->layouts_why);
	if (planning && !cJSON_IsNull(planning))
		json_fields(r, planning, planning_fields, CNT(planning_fields), &b->planning);
	n = json_reals(r, plan, "blocks_max", most, STAGES_MAX);
	for (size_t i = 0; i < n; i++) {
		if (!(most[i] >= 1 && most[i] <= STAGE_BLOCKS_MAX && most[i] == floor(most[i])))
			json_flaw(r, "\"blocks_max\" holds no numbers of blocks");
		else
			b->blocks_max[i] = (size_t)most[i];
	}
}

/* Of what --limit can say. NaN: there is none, or that of the table. */
static bool limit_valid(enum metric_id id, double limit)
{
	enum metric_kind kind = metric_get(id)->kind;

	if (kind == METRIC_TIMED || kind == METRIC_PEAK)
		return isnan(limit) || limit > 1;
	return isnan(limit) || limit >= 0;
}

static void check_limits(struct json_reader *r, enum metric_id id, const struct rec_metric *m)
{
	const char *name = metric_get(id)->name;

	if (!limit_valid(id, m->limit))
		json_flaw(r, "\"limit\" of %s has a value that it cannot have", name);
	if (m->least < 0)
		json_flaw(r, "\"least\" of %s has a value that it cannot have", name);
}

static void read_metrics(struct json_reader *r, const cJSON *object, struct rec_bench *b)
{
	const cJSON *metrics = json_object(r, object, "metrics"), *item;

	for (enum metric_id id = 0; id < METRIC_CNT; id++)
		b->metric[id].missing = REASON_NOT_MEASURED;
	cJSON_ArrayForEach(item, metrics) {
		int id = metric_find(item->string);

		if (id < 0)
			continue;
		json_fields(r, item, metric_fields, CNT(metric_fields), &b->metric[id]);
		check_limits(r, (enum metric_id)id, &b->metric[id]);
	}
}

static const struct json_field window_fields[] = {
	{"iterations", JSON_U64, FIELD(rec_window, n), 0, NULL},
	{"slices", JSON_SIZE, FIELD(rec_window, k), SLICES_MAX, NULL},
	{"slice_ns", JSON_REAL, FIELD(rec_window, slice_ns), 0, NULL},
};

static void read_windows(struct json_reader *r, const cJSON *sized, struct rec_bench *b)
{
	const cJSON *array = json_array(r, sized, "windows", SIZES_MAX), *item;
	size_t n = 0;

	cJSON_ArrayForEach(item, array)
		json_fields(r, item, window_fields, CNT(window_fields), &b->window[n++]);
	if (array && n != b->sizes_cnt)
		json_flaw(r, "\"windows\" has not one for each size");
}

static void read_sizes(struct json_reader *r, const cJSON *object, struct rec_bench *b)
{
	const cJSON *sized = json_member(r, object, "sized");

	if (sized && !cJSON_IsNull(sized)) {
		b->sizes_cnt = json_reals(r, sized, "sizes", b->sizes, SIZES_MAX);
		read_windows(r, sized, b);
	}
	for (size_t i = 0; i < b->sizes_cnt; i++)
		if (!(b->sizes[i] > 0))
			json_flaw(r, "\"sizes\" holds no sizes");
}

void json_read_bench(struct json_reader *r, const cJSON *object, struct record *rec)
{
	const cJSON *name = json_member(r, object, "name");
	const char *text = name ? cJSON_GetStringValue(name) : NULL, *flaw;
	struct rec_bench *b;

	if (!text || !text_name_valid(text, &flaw)) {
		json_flaw(r, "it has no name that a benchmark can have");
		return;
	}
	if (record__add_bench(rec, text, &b)) {
		json_no_memory(r);
		return;
	}
	json_fields(r, object, bench_fields, CNT(bench_fields), b);
	json_check_seconds(r, "seconds", b->seconds);
	json_fields(r, json_object(r, object, "digest"), digest_fields, CNT(digest_fields), b);
	(void)json_reals(r, object, "gaps_s", b->gap_s + 1, STAGES_MAX - 1); /* fewer: NaN */
	read_plan(r, object, b);
	read_metrics(r, object, b);
	read_sizes(r, object, b);
	read_blocks(r, object, b);
	json_read_twice(r, b);
}
