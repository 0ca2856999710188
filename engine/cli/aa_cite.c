/* SPDX-License-Identifier: BSD-2-Clause */
#include "aa_report.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "../../stats/fnv.h"
#include "../project/dirs.h"
#include "../util/num.h"

#define NAME	 "aa.last"
#define WORDS	 6  /* before the benchmarks */
#define DATE_LEN 10 /* 2026-11-30 */
#define ROOM	 (1 << 20)

/* A bound above this is five times what a stage promises, and tells nobody anything. */
#define BOUND_MOST .05

struct cited {
	const char *date;
	uint64_t slower, stages, failing, runs;
	double bound;
};

static uint64_t add_text(uint64_t h, const char *text)
{
	for (; text && *text; text++)
		h = fnv1a64_add(h, (unsigned char)*text);
	return fnv1a64_add(h, 0);
}

void aa_circumstances(const struct rec_host *host, const struct record *rec,
		      char ret[static AA_KEY_BYTES])
{
	char numbers[64];
	uint64_t h = FNV1A64_BASIS;

	(void)snprintf(numbers, sizeof(numbers), "%d %d %.6g", host->cpus, (int)rec->judging.rule,
		       rec->judging.alpha);
	h = add_text(h, JOUST_VERSION);
	h = add_text(h, host->hostname_hash);
	h = add_text(h, host->kernel);
	h = add_text(h, host->cpu_model);
	h = add_text(h, rec->gate);
	h = add_text(h, numbers);
	(void)snprintf(ret, AA_KEY_BYTES, "%016" PRIx64, h);
}

/* Date, circumstances, slower, stages, failing, runs, and name:limit of each benchmark. */
static void write_line(FILE *f, const struct aa_result *r, const struct aa_rate *rate)
{
	fprintf(f, "%.*s %s %zu %zu %zu %zu", DATE_LEN, r->rec->started, r->key, rate->slower,
		rate->stages, rate->failing, rate->runs);
	for (size_t i = 0; i < r->alarms->benches_cnt; i++)
		fprintf(f, " %016" PRIx64 ":%.9g", fnv1a64(r->alarms->benches[i].name),
			r->alarms->benches[i].limit);
	fputc('\n', f);
}

/* Stages that exclude a rate of BOUND_MOST when none of them is an alarm. */
static size_t stages_needed(void)
{
	size_t cnt = 1;

	while (aa_upper_bound(0, cnt) > BOUND_MOST)
		cnt++;
	return cnt;
}

void aa_say_cited(FILE *out, const struct aa_result *r)
{
	struct aa_rate rate = aa_rate_of(r->alarms);
	size_t needed = stages_needed();

	if (!isnan(r->inject))
		return;
	if (!rate.stages)
		fputs("Later comparisons do not cite this: no stage counts.\n", out);
	else if (rate.bound <= BOUND_MOST || rate.slower || rate.failing)
		fputs("Later comparisons of these benchmarks on this host cite this.\n", out);
	else
		fprintf(out,
			"Later comparisons do not cite this, for it excludes too little: it takes "
			"%zu stages without an alarm, here --runs %zu.\n",
			needed, (needed * rate.runs + rate.stages - 1) / rate.stages);
}

int aa_keep(const char *dir, const struct aa_result *r)
{
	struct aa_rate rate = aa_rate_of(r->alarms);
	AUTO_FREE char *path = NULL;
	struct atomic_file f;
	int err;

	if (!isnan(r->inject) || !rate.stages || !r->rec->started)
		return 0;
	if (asprintf(&path, "%s/%s", dir, NAME) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	err = atomic__open(&f, path);
	if (err)
		return err;
	write_line(f.file, r, &rate);
	return atomic__commit(&f);
}

static bool is_date(const char *s)
{
	static const char shape[] = "dddd-dd-dd";

	for (size_t i = 0; i < DATE_LEN; i++)
		if (shape[i] == '-' ? s[i] != '-' : s[i] < '0' || s[i] > '9')
			return false; /* its end, too */
	return !s[DATE_LEN];
}

static bool parse_figures(char *word[static WORDS], struct cited *c)
{
	c->date = word[0];
	if (!is_date(word[0]) || num_u64(word[2], 0, UINT32_MAX, &c->slower) ||
	    num_u64(word[3], 1, UINT32_MAX, &c->stages) ||
	    num_u64(word[4], 0, UINT32_MAX, &c->failing) ||
	    num_u64(word[5], 1, UINT32_MAX, &c->runs) || c->slower > c->stages ||
	    c->failing > c->runs)
		return false;
	c->bound = aa_upper_bound(c->slower, c->stages);
	return true;
}

/* Few stages exclude nothing. But an alarm is one, however few there were. */
static bool says_something(const struct cited *c)
{
	return c->bound <= BOUND_MOST || c->slower || c->failing;
}

/* At a limit that is no larger: the larger one has fewer false alarms. */
static bool covers(const char *word, const struct rec_bench *b)
{
	char name[24];
	double limit;

	(void)snprintf(name, sizeof(name), "%016" PRIx64 ":", fnv1a64(b->name));
	return !strncmp(word, name, strlen(name)) &&
	       !num_double(word + strlen(name), 1, 1e9, &limit) &&
	       limit <= b->metric[METRIC_CPU].limit * (1 + 1e-8); /* it was printed */
}

/* Marks those that the words cover. */
static void mark(char **save, const struct record *rec, bool *covered)
{
	for (char *w; (w = strtok_r(NULL, " \n", save));)
		for (size_t i = 0; i < rec->benches_cnt; i++)
			covered[i] = covered[i] || covers(w, &rec->benches[i]);
}

static bool all_covered(const struct record *rec, const bool *covered)
{
	size_t measured = 0;

	for (size_t i = 0; i < rec->benches_cnt; i++) {
		if (!rec_bench__measured(&rec->benches[i]))
			continue;
		if (!covered[i])
			return false;
		measured++;
	}
	return measured > 0;
}

int aa_cite_line(char *line, struct record *rec)
{
	AUTO_FREE bool *covered = calloc(rec->benches_cnt + 1, sizeof(*covered));
	char *save = NULL, *word[WORDS], key[AA_KEY_BYTES];
	struct cited c;

	if (!covered)
		return -ENOMEM;
	for (size_t i = 0; i < WORDS; i++) {
		word[i] = strtok_r(i ? NULL : line, " \n", &save);
		if (!word[i])
			return 0;
	}
	aa_circumstances(&rec->host, rec, key);
	if (strcmp(word[1], key) != 0 || !parse_figures(word, &c) || !says_something(&c))
		return 0;
	mark(&save, rec, covered);
	if (!all_covered(rec, covered))
		return 0;
	return record__note(rec,
			    "on this host, %s, `joust aa` compared equal code: stage 1 said slower "
			    "%" PRIu64 " of %" PRIu64
			    " times (at most %.2g %% with 99 %% confidence), and %" PRIu64
			    " of %" PRIu64 " runs failed",
			    c.date, c.slower, c.stages, 100 * c.bound, c.failing, c.runs);
}

int aa_cite(const char *dir, struct record *rec)
{
	AUTO_FREE char *path = NULL;
	AUTO_FREE char *line = NULL;
	AUTO_FILE FILE *f = NULL;
	size_t len;

	if (asprintf(&path, "%s/%s", dir, NAME) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	f = fopen(path, "re");
	line = calloc(ROOM, 1);
	if (!line)
		return -ENOMEM;
	len = f ? fread(line, 1, ROOM - 1, f) : 0;
	return len && line[len - 1] == '\n' && !memchr(line, '\0', len) ? aa_cite_line(line, rec)
									: 0;
}
