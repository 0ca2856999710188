/* SPDX-License-Identifier: BSD-2-Clause */
#include "record.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "grow.h"

/* One more zeroed element behind array[0..cnt); on failure the array stays as it is. */
static void *append(void *array, size_t *cnt, size_t size, int *ret_err)
{
	char *grown = grow_by_one(array, *cnt, size);

	*ret_err = grown ? 0 : -ENOMEM;
	if (!grown)
		return array;
	memset(grown + *cnt * size, 0, size);
	++*cnt;
	return grown;
}

static void fill_nan(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = NAN;
}

void record__init(struct record *r)
{
	memset(r, 0, sizeof(*r));
	r->host.cpu = -1;
	r->across.limit = r->across.detectable = NAN;
	r->host.empty_cpu_ns = r->host.empty_wall_ns = r->host.empty_instructions = NAN;
}

static void pair_done(struct rec_pair *pair)
{
	for (size_t side = 0; side < SIDE_CNT; side++)
		free(pair->half[side].threads);
}

static void pairs_done(struct rec_pair *pairs, size_t cnt)
{
	for (size_t i = 0; pairs && i < cnt; i++)
		pair_done(&pairs[i]);
	free(pairs);
}

static void block_done(struct rec_block *b)
{
	pairs_done(b->pairs, b->pairs_room);
	for (size_t i = 0; i < b->rejected_cnt; i++)
		pair_done(&b->rejected[i].values);
	free(b->rejected);
	free(b->preemptors);
}

static void bench_done(struct rec_bench *b)
{
	free(b->name);
	free(b->command);
	free(b->detail);
	free(b->stderr_tail);
	free(b->accepted);
	free(b->accepted_by);
	free(b->layouts_why);
	for (size_t i = 0; i < SIDE_CNT; i++)
		free(b->digest[i]);
	for (size_t i = 0; i < b->blocks_cnt; i++)
		block_done(&b->blocks[i]);
	free(b->blocks);
}

static void version_done(struct rec_version *v)
{
	free(v->ref);
	free(v->commit);
	free(v->path);
	free(v->source);
	free(v->tree_hash);
	free(v->build_log);
}

static void host_done(struct rec_host *h)
{
	free(h->kernel);
	free(h->cpu_model);
	free(h->hostname_hash);
	free(h->pmu_missing);
	free(h->interference_missing);
	free(h->governor);
	free(h->cgroup);
}

static void strings_done(struct record *r)
{
	free(r->message);
	free(r->verb);
	free(r->project);
	free(r->path);
	free(r->build);
	free(r->gate);
	free(r->started);
	free(r->sandbox);
	for (size_t i = 0; i < r->layers_cnt; i++) {
		free(r->layers[i].name);
		free(r->layers[i].missing);
	}
	free(r->layers);
	for (size_t i = 0; i < r->refusals_cnt; i++)
		free(r->refusals[i].name);
	free(r->refusals);
	for (size_t i = 0; i < r->options_cnt; i++) {
		free(r->options[i].name);
		free(r->options[i].value);
	}
	free(r->options);
	for (size_t i = 0; i < r->events_cnt; i++)
		free(r->events[i].name);
	free(r->events);
	for (size_t i = 0; i < r->notes_cnt; i++)
		free(r->notes[i]);
	free(r->notes);
}

void record__done(struct record *r)
{
	if (!r)
		return;
	strings_done(r);
	for (size_t i = 0; i < SIDE_CNT; i++)
		version_done(&r->version[i]);
	host_done(&r->host);
	for (size_t i = 0; i < r->benches_cnt; i++)
		bench_done(&r->benches[i]);
	free(r->benches);
	record__init(r);
}

static void bench_init(struct rec_bench *b)
{
	b->threads = 1;
	b->reason_side = SIDE_CNT;
	b->slice_ns = NAN;
	b->planning = (struct rec_planning){0, 0, 0, NAN, NAN, NAN, NAN, NAN};
	b->precision = NAN;
	b->loader_share = NAN;
	fill_nan(b->gap_s, STAGES_MAX);
	for (size_t i = 0; i < METRIC_CNT; i++) {
		struct rec_metric *m = &b->metric[i];

		m->limit = metric_get(i)->limit;
		m->least = metric_get(i)->least;
		m->detectable = NAN;
		m->order_effect = m->spread_ratio = m->serial_correlation = NAN;
		m->decile_lo = m->decile_hi = NAN;
		m->equivalence = (struct rec_equivalence){NAN, NAN, NAN, NAN, false};
		fill_nan(m->per_iteration, SIDE_CNT);
	}
}

int record__add_bench(struct record *r, const char *name, struct rec_bench **ret)
{
	AUTO_FREE char *copy = strdup(name);
	struct rec_bench *b;
	int err;

	if (!copy)
		return -ENOMEM;
	r->benches = append(r->benches, &r->benches_cnt, sizeof(*r->benches), &err);
	if (err)
		return err;
	b = &r->benches[r->benches_cnt - 1];
	bench_init(b);
	b->name = TAKE_PTR(copy);
	*ret = b;
	return 0;
}

static void check_init(struct rec_check *c)
{
	c->task_clock_ns = c->page_faults = c->switches = c->migrations = c->cpu_ns = c->claimed =
		NAN;
}

int record__add_block(struct rec_bench *b, struct rec_block **ret)
{
	struct rec_block *block;
	int err;

	b->blocks = append(b->blocks, &b->blocks_cnt, sizeof(*b->blocks), &err);
	if (err)
		return err;
	block = &b->blocks[b->blocks_cnt - 1];
	block->lost_side = SIDE_CNT;
	block->cpu = -1;
	block->at_ns = NAN;
	fill_nan(block->start_ns, SIDE_CNT);
	fill_nan(block->peak_bytes, SIDE_CNT);
	fill_nan(block->canary_ns, 2);
	block->steal_ns = block->frequency_changes = NAN;
	for (size_t i = 0; i < SIDE_CNT; i++)
		check_init(&block->check[i]);
	*ret = block;
	return 0;
}

void rec_bench__drop_block(struct rec_bench *b)
{
	block_done(&b->blocks[--b->blocks_cnt]);
}

int record__add_layer(struct record *r, const char *name, bool engaged, const char *missing)
{
	AUTO_FREE char *copy = strdup(name);
	AUTO_FREE char *why = missing ? strdup(missing) : NULL;
	int err;

	if (!copy || (missing && !why))
		return -ENOMEM;
	r->layers = append(r->layers, &r->layers_cnt, sizeof(*r->layers), &err);
	if (!err)
		r->layers[r->layers_cnt - 1] = (struct rec_layer){
			.name = TAKE_PTR(copy), .engaged = engaged, .missing = TAKE_PTR(why)};
	return err;
}

int record__add_refusal(struct record *r, int number, const char *name, uint64_t cnt)
{
	AUTO_FREE char *copy = name ? strdup(name) : NULL;
	int err;

	if (name && !copy)
		return -ENOMEM;
	r->refusals = append(r->refusals, &r->refusals_cnt, sizeof(*r->refusals), &err);
	if (!err)
		r->refusals[r->refusals_cnt - 1] =
			(struct rec_refusal){.number = number, .name = TAKE_PTR(copy), .cnt = cnt};
	return err;
}

int record__add_event(struct record *r, const char *name)
{
	AUTO_FREE char *copy = strdup(name);
	int err;

	if (!copy)
		return -ENOMEM;
	if (r->events_cnt >= EVENTS_MAX)
		return -E2BIG;
	r->events = append(r->events, &r->events_cnt, sizeof(*r->events), &err);
	if (!err)
		r->events[r->events_cnt - 1].name = TAKE_PTR(copy);
	return err;
}

int record__add_option(struct record *r, const char *name, const char *value)
{
	AUTO_FREE char *name_copy = strdup(name);
	AUTO_FREE char *value_copy = value ? strdup(value) : NULL;
	struct rec_option *o;
	int err;

	if (!name_copy || (value && !value_copy))
		return -ENOMEM;
	r->options = append(r->options, &r->options_cnt, sizeof(*r->options), &err);
	if (err)
		return err;
	o = &r->options[r->options_cnt - 1];
	o->name = TAKE_PTR(name_copy);
	o->value = TAKE_PTR(value_copy);
	return 0;
}

static bool noted(const struct record *r, const char *note)
{
	for (size_t i = 0; i < r->notes_cnt; i++)
		if (strcmp(r->notes[i], note) == 0)
			return true;
	return false;
}

int record__note(struct record *r, const char *fmt, ...)
{
	AUTO_FREE char *note = NULL;
	va_list ap;
	int len, err;

	va_start(ap, fmt);
	len = vasprintf(&note, fmt, ap);
	va_end(ap);
	if (len < 0) {
		note = NULL; /* vasprintf leaves it undefined */
		return -ENOMEM;
	}
	if (noted(r, note))
		return 0;
	r->notes = append(r->notes, &r->notes_cnt, sizeof(*r->notes), &err);
	if (err)
		return err;
	r->notes[r->notes_cnt - 1] = TAKE_PTR(note);
	return 0;
}

static void half_init(struct rec_half *h)
{
	h->slices = 0;
	fill_nan(h->cpu_ns, SLICES_MAX);
	fill_nan(h->wall_ns, SLICES_MAX);
	fill_nan(h->value, METRIC_CNT);
	fill_nan(h->event, EVENTS_MAX);
}

void rec_pair__forget(struct rec_pair *p)
{
	fill_nan(p->canary_ns, 2);
	for (size_t side = 0; side < SIDE_CNT; side++) {
		memset(&p->half[side], 0, sizeof(p->half[side]));
		half_init(&p->half[side]);
	}
}

size_t rec_bench__pairs(const struct rec_bench *b)
{
	return b->sizes_cnt ? b->m * b->sizes_cnt : b->m;
}

int rec_block__reserve(struct rec_block *b, size_t m)
{
	struct rec_pair *pairs = calloc(m ? m : 1, sizeof(*pairs));

	if (!pairs)
		return -ENOMEM;
	for (size_t i = 0; i < m; i++) {
		pairs[i].place = i;
		rec_pair__forget(&pairs[i]);
	}
	pairs_done(b->pairs, b->pairs_room);
	b->pairs = pairs;
	b->pairs_room = m;
	b->pairs_cnt = 0;
	return 0;
}

int rec_block__reject(struct rec_block *b, struct rec_rejected **ret)
{
	struct rec_rejected *r;
	int err;

	b->rejected = append(b->rejected, &b->rejected_cnt, sizeof(*b->rejected), &err);
	if (err)
		return err;
	r = &b->rejected[b->rejected_cnt - 1];
	r->side = SIDE_CNT;
	rec_pair__forget(&r->values);
	*ret = r;
	return 0;
}

static struct rec_preemptor *find_preemptor(struct rec_block *b, int64_t pid, const char *comm)
{
	for (size_t i = 0; i < b->preemptors_cnt; i++) {
		struct rec_preemptor *p = &b->preemptors[i];

		if (p->pid == pid && strncmp(p->comm, comm, sizeof(p->comm) - 1) == 0)
			return p;
	}
	return NULL;
}

static void worst_first(struct rec_block *b, struct rec_preemptor *p)
{
	for (; p > b->preemptors && p->ns > p[-1].ns; p--) {
		struct rec_preemptor better = p[-1];

		p[-1] = *p;
		*p = better;
	}
}

int rec_block__add_preemptor(struct rec_block *b, int64_t pid, const char *comm, double ns,
			     double times)
{
	struct rec_preemptor *p = find_preemptor(b, pid, comm);
	int err = 0;

	if (!p) {
		b->preemptors = append(b->preemptors, &b->preemptors_cnt, sizeof(*p), &err);
		if (err)
			return err;
		p = &b->preemptors[b->preemptors_cnt - 1];
		p->pid = pid;
		memcpy(p->comm, comm, strnlen(comm, sizeof(p->comm) - 1));
	}
	p->ns += ns;
	p->times += times;
	worst_first(b, p);
	return 0;
}

int rec_half__reserve_threads(struct rec_half *h, size_t cnt)
{
	struct rec_thread *threads = calloc(cnt ? cnt : 1, sizeof(*threads));

	if (!threads)
		return -ENOMEM;
	for (size_t i = 0; i < cnt; i++)
		threads[i] = (struct rec_thread){NAN, NAN, NAN, NAN};
	free(h->threads);
	h->threads = threads;
	h->threads_cnt = cnt;
	return 0;
}

const char *rec_host__tier(const struct rec_host *h)
{
	return h->hw_missing == REASON_NONE && h->pmu ? "hw" : "sw";
}

bool rec_version__known(const struct rec_version *v)
{
	return v->ref || v->commit || v->path || v->source;
}

bool rec_bench__measured(const struct rec_bench *b)
{
	return b->blocks_cnt && b->verdict != BENCH_ERROR && b->verdict != BENCH_SKIPPED;
}

bool record__has_blocks(const struct record *r)
{
	for (size_t i = 0; i < r->benches_cnt; i++)
		if (r->benches[i].blocks_cnt)
			return true;
	return false;
}

bool rec_bench__linked(const struct rec_bench *b)
{
	return b->one_layout != ONE_LAYOUT_FOREIGN && b->one_layout != ONE_LAYOUT_SCRIPT;
}

double rec_bench__span_s(const struct rec_bench *b)
{
	double from = NAN, to = NAN;

	for (size_t i = 0; i < b->blocks_cnt; i++) {
		if (b->blocks[i].stage == 0)
			continue;
		from = fmin(from, b->blocks[i].at_ns); /* of a NaN and a number the number */
		to = fmax(to, b->blocks[i].at_ns);
	}
	return (to - from) / 1e9;
}

bool rec_bench__one_state(const struct rec_bench *b)
{
	return rec_bench__span_s(b) < STATE_SPAN_S;
}

void rec_bench__fail(struct rec_bench *b, enum reason why, enum side side, const char *detail)
{
	rec_bench__fail_by(b, why, side, detail, 0);
}

void rec_bench__fail_by(struct rec_bench *b, enum reason why, enum side side, const char *detail,
			int code)
{
	if (b->verdict == BENCH_ERROR)
		return;
	b->verdict = BENCH_ERROR;
	b->reason = why;
	b->reason_side = side;
	b->code = code;
	free(b->detail);
	b->detail = detail ? strdup(detail) : NULL; /* without memory the reason stands alone */
}
