/* SPDX-License-Identifier: BSD-2-Clause */
#include "json.h"
#include <errno.h>
#include <math.h>
#include "json_bench.h"
#include "json_stream.h"

static void write_options(struct json_stream *j, const struct record *r)
{
	json_open(j, "options", '[');
	for (size_t i = 0; i < r->options_cnt; i++) {
		json_open_flat(j, NULL, '{');
		json_string(j, "name", r->options[i].name);
		json_string(j, "value", r->options[i].value);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_version(struct json_stream *j, const char *key, const struct rec_version *v)
{
	if (!rec_version__known(v)) {
		json_null(j, key);
		return;
	}
	json_open(j, key, '{');
	json_string(j, "kind", version_kind_name(v->kind));
	json_string(j, "ref", v->ref);
	json_string(j, "commit", v->commit);
	json_string(j, "path", v->path);
	json_string(j, "source", v->source);
	json_string(j, "tree_hash", v->tree_hash);
	json_uint(j, "changed_files", v->changed_files);
	json_bool(j, "built", v->built);
	json_bool(j, "build_cached", v->build_cached);
	json_raw(j, "build_seconds", v->built ? v->build_seconds : NAN);
	json_string(j, "build_log", v->build_log);
	json_close(j, '}');
}

static void write_quality(struct json_stream *j, enum reason missing)
{
	json_string(j, "quality", quality_name(missing));
	json_string(j, "missing", missing == REASON_NONE ? NULL : reason_get(missing)->name);
}

static void write_tier(struct json_stream *j, const char *key, enum reason missing)
{
	json_open_flat(j, key, '{');
	write_quality(j, missing);
	json_close(j, '}');
}

static void write_empty_window(struct json_stream *j, const struct rec_host *h)
{
	json_open_flat(j, "empty_window", '{');
	json_raw(j, "cpu_ns", h->empty_cpu_ns);
	json_raw(j, "wall_ns", h->empty_wall_ns);
	json_raw(j, "instructions", h->empty_instructions);
	json_close(j, '}');
}

static void write_events(struct json_stream *j, const struct record *r)
{
	json_open(j, "events", '[');
	for (size_t i = 0; i < r->events_cnt; i++) {
		json_open_flat(j, NULL, '{');
		json_string(j, "name", r->events[i].name);
		write_quality(j, r->events[i].missing);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_host(struct json_stream *j, const struct rec_host *h)
{
	json_open(j, "host", '{');
	json_string(j, "kernel", h->kernel);
	json_string(j, "cpu_model", h->cpu_model);
	json_string(j, "hostname_hash", h->hostname_hash);
	json_int(j, "cpus", h->cpus);
	json_int_or_null(j, "cpu", h->cpu, h->cpu >= 0);
	json_bool(j, "virtual_machine", h->virtual_machine);
	json_bool(j, "pmu", h->pmu);
	json_string(j, "pmu_missing", h->pmu_missing);
	json_string(j, "tier", rec_host__tier(h));
	write_tier(j, "hw", h->hw_missing);
	write_tier(j, "sw", h->sw_missing);
	json_bool(j, "user_read", h->user_read);
	json_bool(j, "bpf", h->bpf);
	json_string(j, "interference", interference_source_name(h->interference));
	json_string(j, "interference_missing", h->interference_missing);
	write_empty_window(j, h);
	json_string(j, "governor", h->governor);
	json_string(j, "cgroup", h->cgroup);
	json_close(j, '}');
}

static void write_sandbox(struct json_stream *j, const struct record *r)
{
	json_string(j, "sandbox", r->sandbox);
	json_bool(j, "sandbox_log", r->sandbox_log);
	json_open(j, "sandbox_layers", '[');
	for (size_t i = 0; i < r->layers_cnt; i++) {
		json_open_flat(j, NULL, '{');
		json_string(j, "name", r->layers[i].name);
		json_bool(j, "engaged", r->layers[i].engaged);
		json_string(j, "missing", r->layers[i].missing);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_open(j, "refused_calls", '[');
	for (size_t i = 0; i < r->refusals_cnt; i++) {
		json_open_flat(j, NULL, '{');
		json_int(j, "number", r->refusals[i].number);
		json_string(j, "name", r->refusals[i].name);
		json_uint(j, "count", r->refusals[i].cnt);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_judging(struct json_stream *j, const struct rec_judging *judging)
{
	json_open_flat(j, "judging", '{');
	json_string(j, "rule", rule_name(judging->rule));
	json_raw(j, "alpha", judging->alpha);
	json_uint(j, "blocks", judging->blocks);
	json_raw(j, "prove_same", judging->prove_same);
	json_close(j, '}');
}

static void write_run(struct json_stream *j, const struct record *r)
{
	json_string(j, "verb", r->verb);
	json_string(j, "status", run_status_name(r->status));
	json_int(j, "exit", r->exit);
	json_string(j, "message", r->message);
	json_string(j, "project", r->project);
	json_string(j, "path", r->path);
	json_string(j, "started", r->started);
	json_raw(j, "seconds", r->seconds);
	json_uint_string(j, "seed", r->seed);
	json_bool(j, "strict", r->strict);
	json_string(j, "gate", r->gate);
	json_bool(j, "bisect", r->bisect);
	write_judging(j, &r->judging);
	write_options(j, r);
	json_string(j, "build", r->build);
	write_sandbox(j, r);
}

static void write_notes(struct json_stream *j, const struct record *r)
{
	json_open(j, "notes", '[');
	for (size_t i = 0; i < r->notes_cnt; i++)
		json_string(j, NULL, r->notes[i]);
	json_close(j, ']');
}

int json_write(FILE *out, const struct record *r)
{
	struct json_stream j = {.out = out, .empty = true};

	errno = 0;
	json_open(&j, NULL, '{');
	json_int(&j, "schema", JSON_SCHEMA);
	json_string(&j, "joust_version", JOUST_VERSION);
	write_run(&j, r);
	write_version(&j, "baseline", &r->version[SIDE_BASELINE]);
	write_version(&j, "candidate", &r->version[SIDE_CANDIDATE]);
	write_host(&j, &r->host);
	write_events(&j, r);
	write_notes(&j, r);
	json_across(&j, &r->across);
	json_open(&j, "benchmarks", '[');
	for (size_t i = 0; i < r->benches_cnt; i++)
		json_bench(&j, &r->benches[i], r->events_cnt);
	json_close(&j, ']');
	json_close(&j, '}');
	fputc('\n', out);
	/* A full disk may show only here: small writes sit in the buffer until then. */
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
