/* SPDX-License-Identifier: BSD-2-Clause */
#include "target.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include "../util/files.h"
#include "../util/path.h"
#include "../project/tree.h"
#include "cases.h"
#include "locate.h"
#include "sections.h"
#include "../../report/text.h"

static void target__done(struct target *t)
{
	words__done(&t->argv);
	for (int s = 0; s < SIDE_CNT; s++)
		free(t->program[s]);
}

/* `worker`: it is a worker program, which no host has in its PATH. Takes the words of *argv. */
static int target__init(struct target *t, const struct versions *versions, struct words *argv,
			bool worker)
{
	struct located l;
	int err = locate(&l, versions, argv->items[0], worker);

	if (err)
		return err;
	*t = (struct target){.argv = *argv,
			     .program = {l.program[0], l.program[1]},
			     .in_tree = l.in_tree,
			     .one_file = l.one_file,
			     .timeout_s = NAN};
	*argv = (struct words){0};
	return 0;
}

/* What is the same file in both versions cannot tell them apart: whoever meant two must learn it. */
static int note_one_file(const struct discover_request *req, struct record *rec,
			 const struct target *t)
{
	const char *word = t->argv.items[0], *program = t->program[SIDE_CANDIDATE];
	bool link = strcmp(word, program) != 0;
	int err = 0;

	if (req->one_side)
		return 0;
	if (t->one_file)
		err = record__note(rec, "%s%s%s is the same file on both sides", word,
				   link ? " leads out of both versions: " : "",
				   link ? program : "");
	for (size_t i = 1; i < t->argv.cnt && !err; i++)
		err = locate_note_argument(rec, req->versions, t->argv.items[i]);
	return err;
}

static int target__copy(struct target *to, const struct target *from)
{
	*to = (struct target){
		.in_tree = from->in_tree, .one_file = from->one_file, .timeout_s = from->timeout_s};
	if (words__copy(&to->argv, from->argv.items, from->argv.cnt))
		return -ENOMEM;
	for (int s = 0; s < SIDE_CNT; s++) {
		to->program[s] = strdup(from->program[s]);
		if (!to->program[s]) {
			target__done(to);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Appends a benchmark to the record and its target, parallel to it; takes ownership of *t. */
static int add(struct targets *list, struct record *rec, const char *name, struct target *t,
	       struct rec_bench **ret)
{
	struct target *grown = realloc(list->items, (list->cnt + 1) * sizeof(*grown));
	int err = grown ? record__add_bench(rec, name, ret) : -ENOMEM;

	if (grown)
		list->items = grown;
	if (!err)
		err = names__add(&list->names, (*ret)->name);
	if (!err) {
		(*ret)->command = words_join(&t->argv);
		err = (*ret)->command ? 0 : -ENOMEM;
	}
	if (err) {
		target__done(t);
		return err;
	}
	grown[list->cnt++] = *t;
	return 0;
}

static void apply_section(struct rec_bench *b, struct target *t, const struct config_bench *section,
			  const struct discover_request *req)
{
	double least;

	for (size_t m = 0; m < METRIC_CNT; m++) {
		double limit = section ? section->limit[m] : NAN;

		b->metric[m].limit = isnan(limit) ? req->config->limit[m] : limit;
		b->metric[m].judged = section && section->judge[m];
	}
	least = section && !isnan(section->peak_least) ? section->peak_least
						       : req->config->peak_least;
	if (!isnan(least))
		b->metric[METRIC_PEAK_MEMORY].least = least;
	b->precision = section ? section->precision : NAN;
	t->section = section;
	t->timeout_s = isnan(req->timeout_s) && section ? section->timeout_s : req->timeout_s;
}

static void mark_presence(struct rec_bench *b, bool on_baseline, bool on_candidate)
{
	if (on_baseline && on_candidate)
		return;
	b->verdict = BENCH_SKIPPED;
	b->reason = on_candidate ? REASON_NEW : REASON_REMOVED;
	b->reason_side = on_candidate ? SIDE_BASELINE : SIDE_CANDIDATE;
}

static int check_name(const struct targets *list, const char *name, struct problem *why)
{
	const char *flaw;

	if (!text_name_valid(name, &flaw))
		return problem_set(why, EXIT_USAGE, -EINVAL, "benchmark name \"%s\": %s", name,
				   flaw);
	return names_find(&list->names, name) ? cases_duplicate(name, why) : 0;
}

/* One benchmark found under `name`, if it was asked for. `t` is the program's; it is copied. */
static int add_found(struct targets *list, const struct discover_request *req, struct record *rec,
		     const struct target *t, const struct config_bench *section, const char *name,
		     bool on_side[static SIDE_CNT], struct rec_bench **ret, struct problem *why)
{
	struct target copy;
	int err = check_name(list, name, why);

	*ret = NULL;
	if (err || !filter_takes(req->names, name))
		return err;
	err = target__copy(&copy, t);
	if (!err)
		err = add(list, rec, name, &copy, ret);
	if (err)
		return err;
	apply_section(*ret, &list->items[list->cnt - 1], section, req);
	mark_presence(*ret, on_side[SIDE_BASELINE], on_side[SIDE_CANDIDATE]);
	return 0;
}

static int add_case(struct targets *list, const struct discover_request *req, struct record *rec,
		    const struct target *t, const char *worker, const struct found_case *c,
		    bool on_side[static SIDE_CNT], struct problem *why)
{
	const struct config_bench *section =
		worker ? config_find(req->config, worker, c->name) : NULL;
	struct rec_bench *b;
	int err;

	if (worker && !section)
		return 0;
	err = add_found(list, req, rec, t, section, c->name, on_side, &b, why);
	if (b) {
		b->kind = BENCH_FUNCTION;
		b->threads = c->threads;
		b->sizes_cnt = c->sizes_cnt;
		memcpy(b->sizes, c->sizes, sizeof(b->sizes));
	}
	return err;
}

/*
 * What both sides have: threads of the one that has more, and the sizes in common. A benchmark that
 * shares fewer than two sizes with what it was is another one: false.
 */
static bool join_cases(struct found_case *c, const struct found_case *before)
{
	size_t kept = 0;

	if (before->threads > c->threads)
		c->threads = before->threads; /* room for both sides */
	if (!c->sizes_cnt && !before->sizes_cnt)
		return true;
	for (size_t i = 0, j = 0; i < c->sizes_cnt && j < before->sizes_cnt;) {
		if (c->sizes[i] == before->sizes[j])
			c->sizes[kept++] = c->sizes[i];
		if (c->sizes[i] > before->sizes[j])
			j++;
		else
			i++;
	}
	if (kept < 2)
		return false;
	c->sizes_cnt = kept;
	return true;
}

/* `joined` is what join_cases left of the candidate's. The largest size in common is what is judged. */
static int note_sizes(struct record *rec, const struct discover_request *req,
		      const struct found_case *joined, const struct found_case *before, bool both)
{
	if (!filter_takes(req->names, joined->name))
		return 0;
	if (!both)
		return record__note(
			rec,
			"\"%s\": both versions have it, but with fewer than two sizes in common",
			joined->name);
	if (joined->sizes_cnt == before->sizes_cnt)
		return 0;
	return record__note(
		rec,
		"\"%s\": the candidate lacks %zu of the baseline's %zu sizes; the largest "
		"in common is %.0f, the baseline's %.0f",
		joined->name, before->sizes_cnt - joined->sizes_cnt, before->sizes_cnt,
		joined->sizes[joined->sizes_cnt - 1], before->sizes[before->sizes_cnt - 1]);
}

static int add_cases(struct targets *list, const struct discover_request *req, struct record *rec,
		     const struct target *t, const char *worker,
		     const struct cases found[static SIDE_CNT], struct problem *why)
{
	const struct cases *new = &found[SIDE_CANDIDATE], *old = &found[SIDE_BASELINE];
	int err = 0;

	for (size_t i = 0; i < new->cnt && !err; i++) {
		const struct found_case *before = cases_find(old, new->items[i].name);
		struct found_case c = new->items[i];
		bool both = before && join_cases(&c, before);

		if (before)
			err = note_sizes(rec, req, &c, before, both);
		if (!err)
			err = add_case(list, req, rec, t, worker, &c,
				       (bool[]){both || req->one_side, true}, why);
	}
	for (size_t i = 0; i < old->cnt && !err; i++) {
		if (!cases_find(new, old->items[i].name))
			err = add_case(list, req, rec, t, worker, &old->items[i],
				       (bool[]){true, false}, why);
	}
	return err;
}

/* Its speed says nothing about the sources beside it: a slowdown would be called "same". */
static int refuse_committed(const struct discover_request *req, const struct target *t,
			    struct problem *why)
{
	for (int s = req->one_side ? SIDE_CANDIDATE : 0; s < SIDE_CNT; s++) {
		const struct tree_file *f = NULL;
		struct stat st;

		if (!stat(t->program[s], &st))
			f = tree_find(&req->versions->tree[s], st.st_dev, st.st_ino);
		if (f && f->committed)
			return problem_set(
				why, EXIT_COULD_NOT_COMPARE, -ESTALE,
				"the %s's build left %s as it was committed, so that it need not "
				"belong to the sources: remove it from git (git rm --cached %s)",
				side_name(s), t->argv.items[0], t->argv.items[0]);
	}
	return 0;
}

/*
 * The file of a program is shown wherever it lies. Under strict a link in a version, or a path that its
 * configuration names, must not open what no line of [sandbox] opens. What the user himself names may.
 */
static int refuse_hidden(const struct discover_request *req, const struct target *t, bool own,
			 struct problem *why)
{
	for (int s = req->one_side ? SIDE_CANDIDATE : 0; s < SIDE_CNT; s++) {
		const struct tree *tree = &req->versions->tree[s];
		AUTO_FREE char *real = realpath(t->program[s], NULL);
		AUTO_FREE char *root = realpath(tree->root, NULL);

		if (!req->strict || !req->sandbox || tree->program || !real || !root ||
		    (own && t->argv.items[0][0] == '/') || path_below(real, root) ||
		    sandbox_shows(req->sandbox, real))
			continue;
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -EPERM,
				   "--sandbox strict: %s of the %s is %s, which is neither part of "
				   "that version nor shown by the sandbox; it takes a line read = "
				   "in the baseline's " CONFIG_FILE " too, or --sandbox standard",
				   t->argv.items[0], side_name(s), real);
	}
	return 0;
}

/* A worker learns from the engine alone what to do: arguments that it ignores would be thought to count. */
static int refuse_arguments(const struct target *t, const char *worker, struct problem *why)
{
	const char *program = t->argv.items[0];

	if (t->argv.cnt == 1)
		return 0;
	return problem_set(
		why, EXIT_USAGE, -EINVAL,
		"%s%s is a program of libjoust, which takes no arguments from joust (%s): "
		"name the program alone, and choose its benchmarks with --filter",
		worker ? "worker = " : "", program, t->argv.items[1]);
}

static int note_unused(struct targets *list, const struct discover_request *req, struct record *rec,
		       const char *worker, const struct cases found[static SIDE_CNT])
{
	size_t before = list->unused.cnt;
	int err = worker ? sections_unused(&list->unused, req->config, worker, found) : 0;

	for (size_t i = before; i < list->unused.cnt && !err; i++)
		err = record__note(rec, "%s", list->unused.items[i]);
	return err;
}

/* All function benchmarks of one worker program. `worker` is its configured line, or NULL. */
static int discover_worker(struct targets *list, const struct discover_request *req,
			   struct record *rec, const struct target *t, const char *worker,
			   struct problem *why)
{
	CLEANUP(cases__done) struct cases old = {.sizes_apart = req->sizes_apart};
	CLEANUP(cases__done) struct cases new = {.sizes_apart = req->sizes_apart};
	int err = refuse_arguments(t, worker, why);

	if (!err)
		err = refuse_committed(req, t, why);
	if (!err)
		err = cases__list(&new, req, t, SIDE_CANDIDATE, why);
	if (!err && !req->one_side)
		err = cases__list(&old, req, t, SIDE_BASELINE, why);
	if (!err && !new.cnt && !old.cnt)
		return problem_set(why, EXIT_COULD_NOT_COMPARE, -ENOENT,
				   "%s has no benchmarks on either side; %s%s", t->argv.items[0],
				   rec->build ? "the build was: " : "nothing was built",
				   rec->build ? rec->build : "");
	if (!err)
		err = note_one_file(req, rec, t);
	if (!err)
		err = note_unused(list, req, rec, worker, (struct cases[]){old, new});
	if (err)
		return err;
	return add_cases(list, req, rec, t, worker, (struct cases[]){old, new}, why);
}

/* Is its program a name that was looked for in PATH? */
static bool searched(const struct target *t)
{
	return !t->in_tree && !strchr(t->argv.items[0], '/');
}

static int on_neither_side(const struct record *rec, const struct target *t,
			   const struct config_bench *section, struct problem *why)
{
	const char *word = t->argv.items[0];
	AUTO_FREE char *users = searched(t) ? locate_users(word) : NULL;

	if (users)
		return problem_set(
			why, EXIT_COULD_NOT_COMPARE, -ENOENT,
			"%s%s%s%s is on neither side, nor in the PATH of what is measured; "
			"your own PATH finds %s: write that path in its place, and what "
			"it needs into " CONFIG_FILE ": [sandbox] read = DIR",
			section ? "\"" : "", section ? section->name : "", section ? "\": " : "",
			word, users);
	return problem_set(
		why, EXIT_COULD_NOT_COMPARE, -ENOENT, "%s%s%s%s is on neither side; %s%s%s",
		section ? "\"" : "", section ? section->name : "", section ? "\": " : "", word,
		rec->build ? "the build was: " : "nothing was built", rec->build ? rec->build : "",
		strchr(word, ' ') ? "; a command's words stand one by one, without quotes "
				    "around them all"
				  : "");
}

static int discover_command(struct targets *list, const struct discover_request *req,
			    struct record *rec, const struct target *t,
			    const struct config_bench *section, const char *name,
			    struct problem *why)
{
	bool on_side[SIDE_CNT];
	struct rec_bench *b;
	int err = refuse_committed(req, t, why);

	if (err)
		return err;
	for (int s = 0; s < SIDE_CNT; s++)
		on_side[s] = files_can_run(t->program[s]);
	if (req->one_side)
		on_side[SIDE_BASELINE] = on_side[SIDE_CANDIDATE];
	if (!on_side[SIDE_BASELINE] && !on_side[SIDE_CANDIDATE])
		return on_neither_side(rec, t, section, why);
	err = add_found(list, req, rec, t, section, name, on_side, &b, why);
	if (!b)
		return err;
	b->kind = BENCH_COMMAND;
	b->threads = 1;
	if (!err)
		err = locate_note(rec, req->sandbox, name, searched(t) ? t->argv.items[0] : NULL,
				  t->program[SIDE_CANDIDATE]);
	return err ? err : note_one_file(req, rec, t);
}

static bool is_worker(const struct target *t)
{
	return elf_is_worker(t->program[SIDE_CANDIDATE]) ||
	       elf_is_worker(t->program[SIDE_BASELINE]);
}

/* The command after `--`, or the two programs with the arguments after `--`. */
static int zero_config_words(const struct discover_request *req, struct words *ret)
{
	const struct tree *tree = &req->versions->tree[SIDE_CANDIDATE];
	AUTO_FREE const char **items = calloc(req->command_cnt + 1, sizeof(*items));
	size_t cnt = 0;

	if (!items)
		return -ENOMEM;
	if (tree->program)
		items[cnt++] = basename(tree->program);
	for (size_t i = 0; i < req->command_cnt; i++)
		items[cnt++] = req->command[i];
	return words__copy(ret, (char *const *)items, cnt);
}

static int discover_zero_config(struct targets *list, const struct discover_request *req,
				struct record *rec, struct problem *why)
{
	AUTO_FREE char *name = NULL;
	struct words argv = {0};
	struct target t;
	int err = zero_config_words(req, &argv);

	if (err)
		return err;
	name = words_join(&argv);
	err = name ? target__init(&t, req->versions, &argv, false) : -ENOMEM;
	words__done(&argv);
	if (err)
		return err;
	err = refuse_hidden(req, &t, true, why);
	if (!err && is_worker(&t))
		err = discover_worker(list, req, rec, &t, NULL, why);
	else if (!err)
		err = discover_command(list, req, rec, &t, NULL, name, why);
	target__done(&t);
	return err;
}

static bool listed_before(const struct config *c, size_t i)
{
	for (size_t j = 0; j < i; j++) {
		if (c->benches[j].worker && !strcmp(c->benches[j].worker, c->benches[i].worker))
			return true;
	}
	return false;
}

static int discover_section(struct targets *list, const struct discover_request *req,
			    struct record *rec, size_t i, struct problem *why)
{
	const struct config_bench *section = &req->config->benches[i];
	const char *line = section->worker ? section->worker : section->command;
	struct words argv = {0};
	struct target t;
	int err;

	if (section->worker && listed_before(req->config, i))
		return 0; /* its program was listed once, for all its sections */
	err = words__split(&argv, line);
	if (!err)
		err = target__init(&t, req->versions, &argv, section->worker != NULL);
	words__done(&argv);
	if (err == -EINVAL)
		return problem_set(why, EXIT_USAGE, err,
				   "benchmark \"%s\": cannot read \"%s\" as a command",
				   section->name, line);
	if (err)
		return err;
	err = refuse_hidden(req, &t, false, why);
	if (!err && section->worker)
		err = discover_worker(list, req, rec, &t, section->worker, why);
	else if (!err)
		err = discover_command(list, req, rec, &t, section, section->name, why);
	target__done(&t);
	return err;
}

static bool zero_config(const struct discover_request *req)
{
	return req->command_cnt || req->versions->tree[SIDE_CANDIDATE].program;
}

int targets__discover(struct targets *ret, const struct discover_request *req, struct record *rec,
		      struct problem *why)
{
	struct targets list = {0};
	int err = req->one_side ? 0 : locate_note_place(rec, req->sandbox, req->versions);

	if (!err && zero_config(req))
		err = discover_zero_config(&list, req, rec, why);
	for (size_t i = 0; !zero_config(req) && i < req->config->benches_cnt && !err; i++)
		err = discover_section(&list, req, rec, i, why);
	if (!err && !list.cnt)
		err = problem_set(
			why, EXIT_USAGE, -ENOENT, "no benchmark matches%s%s%s%s",
			req->filter    ? " --filter "
			: req->exclude ? ""
				       : " the sections of " CONFIG_FILE
					 ": the name of a section is a benchmark's, or a "
					 "pattern like \"*\"; PROGRAM --list names them",
			req->filter ? req->filter : "", req->exclude ? " (after --exclude)" : "",
			req->filter || req->exclude ? "; `joust list` shows their names" : "");
	if (err) {
		targets__done(&list);
		return problem_set(why, EXIT_COULD_NOT_COMPARE, err, "%s", strerror(-err));
	}
	*ret = list;
	return 0;
}

void targets__done(struct targets *t)
{
	for (size_t i = 0; i < t->cnt; i++)
		target__done(&t->items[i]);
	free(t->items);
	names__done(&t->names);
	strings__done(&t->unused);
	*t = (struct targets){0};
}
