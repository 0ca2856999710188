/* SPDX-License-Identifier: BSD-2-Clause */
#include "aa_report.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "../project/dirs.h"
#include "../util/num.h"

#define NAME	       "aa.last"
#define WORDS	       7
#define DATE_LEN       10 /* 2026-11-30 */
#define LINE_MAX_BYTES 512

/* Date, host, slower, stages, bound, failing, runs: one line, blanks between. */
int aa_keep(const char *dir, const struct aa_result *r)
{
	struct aa_rate rate = aa_rate_of(r->alarms);
	AUTO_FREE char *path = NULL;
	struct atomic_file f;
	int err;

	if (!isnan(r->inject) || !rate.stages || !r->rec->started || !r->rec->host.hostname_hash)
		return 0;
	if (asprintf(&path, "%s/%s", dir, NAME) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	err = atomic__open(&f, path);
	if (err)
		return err;
	fprintf(f.file, "%.*s %s %zu %zu %.6g %zu %zu\n", DATE_LEN, r->rec->started,
		r->rec->host.hostname_hash, rate.slower, rate.stages, rate.bound, rate.failing,
		rate.runs);
	return atomic__commit(&f);
}

static bool read_line(const char *dir, char line[static LINE_MAX_BYTES])
{
	AUTO_FREE char *path = NULL;
	AUTO_FILE FILE *f = NULL;

	if (asprintf(&path, "%s/%s", dir, NAME) < 0) {
		path = NULL;
		return false;
	}
	f = fopen(path, "re");
	return f && fgets(line, LINE_MAX_BYTES, f) && strchr(line, '\n');
}

static size_t cut(char *line, char *word[static WORDS])
{
	char *save = NULL, *w = strtok_r(line, " \n", &save);
	size_t n = 0;

	for (; w && n < WORDS; w = strtok_r(NULL, " \n", &save))
		word[n++] = w;
	return w ? 0 : n; /* too many are as wrong as too few */
}

static bool is_date(const char *s)
{
	static const char shape[] = "dddd-dd-dd";

	for (size_t i = 0; i < DATE_LEN; i++)
		if (shape[i] == '-' ? s[i] != '-' : s[i] < '0' || s[i] > '9')
			return false; /* its end, too */
	return !s[DATE_LEN];
}

int aa_cite_line(char *line, struct record *rec)
{
	uint64_t slower, stages, failing, runs;
	char *word[WORDS];
	double bound;

	if (!rec->host.hostname_hash || cut(line, word) != WORDS || !is_date(word[0]) ||
	    strcmp(word[1], rec->host.hostname_hash) != 0 ||
	    num_u64(word[2], 0, UINT32_MAX, &slower) || num_u64(word[3], 1, UINT32_MAX, &stages) ||
	    num_double(word[4], 0, 1, &bound) || num_u64(word[5], 0, UINT32_MAX, &failing) ||
	    num_u64(word[6], 1, UINT32_MAX, &runs) || slower > stages || failing > runs)
		return 0;
	return record__note(
		rec,
		"on this host, %s, `joust aa` compared equal code: one stage said slower "
		"%llu of %llu times (at most %.2g %% with 99 %% confidence), and %llu of "
		"%llu runs failed",
		word[0], (unsigned long long)slower, (unsigned long long)stages, 100 * bound,
		(unsigned long long)failing, (unsigned long long)runs);
}

int aa_cite(const char *dir, struct record *rec)
{
	char line[LINE_MAX_BYTES];

	return read_line(dir, line) ? aa_cite_line(line, rec) : 0;
}
