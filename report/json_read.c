/* SPDX-License-Identifier: BSD-2-Clause */
/* The run, its versions and its host. */
#include "json_read.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "json.h"
#include "json_read_parts.h"

#define CNT(table)  (sizeof(table) / sizeof((table)[0]))
#define LIST_MAX    100000 /* notes, options, layers */
#define BENCHES_MAX 100000
#define FIELD(s, f) offsetof(struct s, f)
#define SECONDS_MAX 1e9 /* 30 years */

static int find_status(const char *name)
{
	for (int i = 0; name && i <= STATUS_INTERRUPTED; i++)
		if (!strcmp(run_status_name((enum run_status)i), name))
			return i;
	return -1;
}

static int find_version_kind(const char *name)
{
	for (int i = 0; name && i <= VERSION_PROGRAM; i++)
		if (!strcmp(version_kind_name((enum version_kind)i), name))
			return i;
	return -1;
}

static int find_interference(const char *name)
{
	for (int i = 0; i <= INTERFERENCE_BPF; i++) {
		const char *known = interference_source_name((enum interference_source)i);

		if (known == name || (known && name && !strcmp(known, name)))
			return i;
	}
	return -1;
}

static int find_rule(const char *name)
{
	for (int i = 0; name && i < RULE_CNT; i++)
		if (!strcmp(rule_name((enum judge_rule)i), name))
			return i;
	return -1;
}

static const struct json_field run_fields[] = {
	{"verb", JSON_TEXT, FIELD(record, verb), 0, NULL},
	{"status", JSON_CHOICE, FIELD(record, status), 0, find_status},
	{"exit", JSON_INT, FIELD(record, exit), 0, NULL},
	{"message", JSON_TEXT, FIELD(record, message), 0, NULL},
	{"project", JSON_TEXT, FIELD(record, project), 0, NULL},
	{"path", JSON_TEXT, FIELD(record, path), 0, NULL},
	{"started", JSON_TEXT, FIELD(record, started), 0, NULL},
	{"seconds", JSON_REAL, FIELD(record, seconds), 0, NULL},
	{"seed", JSON_U64, FIELD(record, seed), 0, NULL},
	{"strict", JSON_FLAG, FIELD(record, strict), 0, NULL},
	{"bisect", JSON_FLAG, FIELD(record, bisect), 0, NULL},
	{"gate", JSON_TEXT, FIELD(record, gate), 0, NULL},
	{"build", JSON_TEXT, FIELD(record, build), 0, NULL},
	{"sandbox", JSON_TEXT, FIELD(record, sandbox), 0, NULL},
	{"sandbox_log", JSON_FLAG, FIELD(record, sandbox_log), 0, NULL},
};

static const struct json_field judging_fields[] = {
	{"rule", JSON_CHOICE, FIELD(rec_judging, rule), 0, find_rule},
	{"alpha", JSON_REAL, FIELD(rec_judging, alpha), 0, NULL},
	{"blocks", JSON_SIZE, FIELD(rec_judging, blocks), 4096, NULL},
	{"prove_same", JSON_REAL, FIELD(rec_judging, prove_same), 0, NULL},
};

static const struct json_field version_fields[] = {
	{"kind", JSON_CHOICE, FIELD(rec_version, kind), 0, find_version_kind},
	{"ref", JSON_TEXT, FIELD(rec_version, ref), 0, NULL},
	{"commit", JSON_TEXT, FIELD(rec_version, commit), 0, NULL},
	{"path", JSON_TEXT, FIELD(rec_version, path), 0, NULL},
	{"source", JSON_TEXT, FIELD(rec_version, source), 0, NULL},
	{"tree_hash", JSON_TEXT, FIELD(rec_version, tree_hash), 0, NULL},
	{"changed_files", JSON_SIZE, FIELD(rec_version, changed_files), 1e15, NULL},
	{"built", JSON_FLAG, FIELD(rec_version, built), 0, NULL},
	{"build_cached", JSON_FLAG, FIELD(rec_version, build_cached), 0, NULL},
	{"build_seconds", JSON_REAL, FIELD(rec_version, build_seconds), 0, NULL},
	{"build_log", JSON_TEXT, FIELD(rec_version, build_log), 0, NULL},
};

static const struct json_field host_fields[] = {
	{"kernel", JSON_TEXT, FIELD(rec_host, kernel), 0, NULL},
	{"cpu_model", JSON_TEXT, FIELD(rec_host, cpu_model), 0, NULL},
	{"hostname_hash", JSON_TEXT, FIELD(rec_host, hostname_hash), 0, NULL},
	{"cpus", JSON_INT, FIELD(rec_host, cpus), 0, NULL},
	{"cpu", JSON_INT, FIELD(rec_host, cpu), 0, NULL},
	{"virtual_machine", JSON_FLAG, FIELD(rec_host, virtual_machine), 0, NULL},
	{"pmu", JSON_FLAG, FIELD(rec_host, pmu), 0, NULL},
	{"pmu_missing", JSON_TEXT, FIELD(rec_host, pmu_missing), 0, NULL},
	{"user_read", JSON_FLAG, FIELD(rec_host, user_read), 0, NULL},
	{"bpf", JSON_FLAG, FIELD(rec_host, bpf), 0, NULL},
	{"interference", JSON_CHOICE, FIELD(rec_host, interference), 0, find_interference},
	{"interference_missing", JSON_TEXT, FIELD(rec_host, interference_missing), 0, NULL},
	{"governor", JSON_TEXT, FIELD(rec_host, governor), 0, NULL},
	{"cgroup", JSON_TEXT, FIELD(rec_host, cgroup), 0, NULL},
};

static const struct json_field empty_fields[] = {
	{"cpu_ns", JSON_REAL, FIELD(rec_host, empty_cpu_ns), 0, NULL},
	{"wall_ns", JSON_REAL, FIELD(rec_host, empty_wall_ns), 0, NULL},
	{"instructions", JSON_REAL, FIELD(rec_host, empty_instructions), 0, NULL},
};

static const struct json_field missing_field[] = {
	{"missing", JSON_CHOICE, 0, 0, json_find_reason},
};

static const struct json_field across_fields[] = {
	{"reason", JSON_CHOICE, FIELD(rec_across, reason), 0, json_find_reason},
};

int json_find_reason(const char *name)
{
	for (int i = 0; i < REASON_CNT; i++)
		if (i && name && !strcmp(reason_get((enum reason)i)->name, name))
			return i;
	return name ? -1 : REASON_NONE;
}

void json_check_seconds(struct json_reader *r, const char *key, double seconds)
{
	if (!isnan(seconds) && !(seconds >= 0 && seconds < SECONDS_MAX))
		json_flaw(r, "\"%s\" has a value that it cannot have", key);
}

static void read_version(struct json_reader *r, const cJSON *root, const char *key,
			 struct rec_version *to)
{
	const cJSON *item = json_member(r, root, key);

	if (item && !cJSON_IsNull(item)) {
		json_fields(r, item, version_fields, CNT(version_fields), to);
		json_check_seconds(r, "build_seconds", to->build_seconds);
	}
}

static void read_host(struct json_reader *r, const cJSON *root, struct rec_host *to)
{
	const cJSON *host = json_object(r, root, "host");

	json_fields(r, host, host_fields, CNT(host_fields), to);
	json_fields(r, json_object(r, host, "hw"), missing_field, 1, &to->hw_missing);
	json_fields(r, json_object(r, host, "sw"), missing_field, 1, &to->sw_missing);
	json_fields(r, json_object(r, host, "empty_window"), empty_fields, CNT(empty_fields), to);
}

/* Elements of an array are read into one of these, then added to the record. */
struct element {
	char *name, *value;
	bool engaged;
	int number;
	uint64_t cnt;
	enum reason missing;
};

static void element_done(struct element *e)
{
	free(e->name);
	free(e->value);
}

static int add_option(struct record *rec, const struct element *e)
{
	return e->name ? record__add_option(rec, e->name, e->value) : -EINVAL;
}

static int add_layer(struct record *rec, const struct element *e)
{
	return e->name ? record__add_layer(rec, e->name, e->engaged, e->value) : -EINVAL;
}

static int add_refusal(struct record *rec, const struct element *e)
{
	return record__add_refusal(rec, e->number, e->name, e->cnt);
}

static int add_event(struct record *rec, const struct element *e)
{
	int err = e->name ? record__add_event(rec, e->name) : -EINVAL;

	if (!err)
		rec->events[rec->events_cnt - 1].missing = e->missing;
	return err;
}

static const struct json_field option_fields[] = {
	{"name", JSON_TEXT, FIELD(element, name), 0, NULL},
	{"value", JSON_TEXT, FIELD(element, value), 0, NULL},
};

static const struct json_field layer_fields[] = {
	{"name", JSON_TEXT, FIELD(element, name), 0, NULL},
	{"engaged", JSON_FLAG, FIELD(element, engaged), 0, NULL},
	{"missing", JSON_TEXT, FIELD(element, value), 0, NULL},
};

static const struct json_field refusal_fields[] = {
	{"number", JSON_INT, FIELD(element, number), 0, NULL},
	{"name", JSON_TEXT, FIELD(element, name), 0, NULL},
	{"count", JSON_U64, FIELD(element, cnt), 0, NULL},
};

static const struct json_field event_fields[] = {
	{"name", JSON_TEXT, FIELD(element, name), 0, NULL},
	{"missing", JSON_CHOICE, FIELD(element, missing), 0, json_find_reason},
};

static const struct list {
	const char *key;
	size_t most;
	const struct json_field *fields;
	size_t cnt;
	int (*add)(struct record *rec, const struct element *e);
} lists[] = {
	{"options", LIST_MAX, option_fields, CNT(option_fields), add_option},
	{"sandbox_layers", LIST_MAX, layer_fields, CNT(layer_fields), add_layer},
	{"refused_calls", LIST_MAX, refusal_fields, CNT(refusal_fields), add_refusal},
	{"events", EVENTS_MAX, event_fields, CNT(event_fields), add_event},
};

static void read_element(struct json_reader *r, const cJSON *item, const struct list *l,
			 struct record *rec)
{
	CLEANUP(element_done) struct element e = {.name = NULL};
	int err;

	json_fields(r, item, l->fields, l->cnt, &e);
	err = r->err ? r->err : l->add(rec, &e);
	if (err == -EINVAL)
		json_flaw(r, "\"%s\" has an element without a name", l->key);
	else if (err)
		json_no_memory(r);
}

static void read_lists(struct json_reader *r, const cJSON *root, struct record *rec)
{
	const cJSON *array, *item;

	for (size_t i = 0; i < CNT(lists); i++) {
		array = json_array(r, root, lists[i].key, lists[i].most);
		cJSON_ArrayForEach(item, array)
			read_element(r, item, &lists[i], rec);
	}
	array = json_array(r, root, "notes", LIST_MAX);
	cJSON_ArrayForEach(item, array) {
		if (!cJSON_IsString(item))
			json_flaw(r, "\"notes\" holds no strings");
		else if (!r->err && record__note(rec, "%s", item->valuestring))
			json_no_memory(r);
	}
}

static void read_schema(struct json_reader *r, const cJSON *root)
{
	const cJSON *schema = json_member(r, root, "schema");

	if (schema && (!cJSON_IsNumber(schema) || schema->valuedouble != JSON_SCHEMA))
		json_flaw(r, "its schema is not %d, which is this joust's", JSON_SCHEMA);
}

static void read_benches(struct json_reader *r, const cJSON *root, struct record *rec)
{
	const cJSON *array = json_array(r, root, "benchmarks", BENCHES_MAX), *item;
	size_t n = 0;

	cJSON_ArrayForEach(item, array) {
		(void)snprintf(r->where, sizeof(r->where), "benchmark %zu: ", n++);
		json_read_bench(r, item, rec);
		if (r->err)
			return;
	}
	r->where[0] = '\0';
}

static void read_all(struct json_reader *r, const cJSON *root, struct record *rec)
{
	const cJSON *across;

	if (!cJSON_IsObject(root))
		json_flaw(r, "it is no object");
	read_schema(r, root);
	json_fields(r, root, run_fields, CNT(run_fields), rec);
	json_check_seconds(r, "seconds", rec->seconds);
	json_fields(r, json_object(r, root, "judging"), judging_fields, CNT(judging_fields),
		    &rec->judging);
	read_version(r, root, "baseline", &rec->version[SIDE_BASELINE]);
	read_version(r, root, "candidate", &rec->version[SIDE_CANDIDATE]);
	read_host(r, root, &rec->host);
	read_lists(r, root, rec);
	across = json_member(r, root, "across");
	if (across && !cJSON_IsNull(across))
		json_fields(r, across, across_fields, CNT(across_fields), &rec->across);
	read_benches(r, root, rec);
}

int json_read(struct record *ret, const char *text, size_t len, char why[static 256])
{
	struct json_reader r = {.err = 0};
	CLEANUP(json_delete) cJSON *root = NULL;

	if (len > JSON_RECORD_BYTES_MAX)
		json_flaw(&r, "it is larger than %u MiB", JSON_RECORD_BYTES_MAX >> 20);
	if (!r.err)
		root = json_parse(&r, text, len);
	if (!r.err)
		read_all(&r, root, ret);
	memcpy(why, r.why, sizeof(r.why));
	return r.err;
}
