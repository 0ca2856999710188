/* SPDX-License-Identifier: BSD-2-Clause */
#include "world.h"
#include <errno.h>
#include <string.h>
#include "../measure/inside.h"
#include "../project/dirs.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Absolute paths of one list of the configuration; NULL-terminated. */
struct paths {
	char **items;
	size_t cnt;
};

static void paths__done(struct paths *p)
{
	for (size_t i = 0; i < p->cnt; i++)
		free(p->items[i]);
	free(p->items);
}

/* Relative ones lie in the tree, and are opened with it. */
static int paths__init(struct paths *ret, const struct strings *list)
{
	const char *home = getenv("HOME");

	*ret = (struct paths){.items = calloc(list->cnt + 1, sizeof(char *))};
	if (!ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < list->cnt; i++) {
		const char *item = list->items[i];
		char *path = NULL;

		if (item[0] == '/')
			path = strdup(item);
		else if (item[0] != '~' || !home || home[0] != '/')
			continue;
		else if (asprintf(&path, "%s%s", home, item + 1) < 0)
			path = NULL;
		if (!path)
			return -ENOMEM;
		ret->items[ret->cnt++] = path;
	}
	return 0;
}

static void list(FILE *f, const char *what, const struct strings *items)
{
	for (size_t i = 0; i < items->cnt; i++)
		fprintf(f, "%s%s %s", ftello(f) ? ", " : "", what, items->items[i]);
}

/* "read /a, write out, network": owned; "" when nothing is opened. */
static char *opened(const struct config *c)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	list(f, "read", &c->sandbox_read);
	list(f, "write", &c->sandbox_write);
	list(f, "env", &c->sandbox_env);
	list(f, "allow", &c->sandbox_allow);
	if (c->sandbox_network)
		fprintf(f, "%snetwork", ftello(f) ? ", " : "");
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static int no_memory(struct session *s)
{
	return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -ENOMEM, "out of memory");
}

static int refuse(struct session *s, const struct sandbox_fault *fault, int err)
{
	switch (fault->kind) {
	case FAULT_OF_CALL:
		return problem_set(&s->why, EXIT_USAGE, err,
				   CONFIG_FILE ": [sandbox] allow: there is no system call \"%s\"",
				   fault->word);
	case FAULT_OF_LINK:
		return problem_set(
			&s->why, EXIT_COULD_NOT_COMPARE, err,
			"[sandbox]: %s leads through a symbolic link in a directory where a "
			"version or a benchmark may have put it%s: name what it leads to, or "
			"write the directory anew",
			fault->word,
			s->opt->sandbox == SANDBOX_STRICT ? " in any run (--sandbox strict)" : "");
	case FAULT_OF_PATH:
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err,
				   "[sandbox]: %s cannot be opened to what is measured: %s",
				   fault->word, strerror(-err));
	case FAULT_OF_ROOT:
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err,
				   "[sandbox]: %s is the whole file system; name what is needed",
				   fault->word);
	case FAULT_OF_NONE:
		break;
	}
	return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, err,
			   "the sandbox cannot be made: %s (--sandbox none does without)",
			   strerror(-err));
}

/* Where a version lies: all of its repository, and of those that this is a part of. NULL: a revision. */
static int find_version_dir(const char *name, char **ret)
{
	size_t top;

	*ret = name ? realpath(name, NULL) : NULL;
	if (!*ret)
		return name && errno == ENOMEM ? -ENOMEM : 0;
	top = project_outermost(*ret);
	if (top)
		(*ret)[top] = '\0';
	return 0;
}

/* Paths of the configuration, and whose links are not the user's: of the versions, wherever they lie. */
struct places {
	struct paths read, write, others;
};

static void places__done(struct places *p)
{
	paths__done(&p->read);
	paths__done(&p->write);
	paths__done(&p->others);
}

static int places__init(struct places *ret, struct session *s)
{
	const char *const dirs[] = {s->root, s->opt->base, s->opt->candidate};
	CLEANUP(problem__done) struct problem unused = {0};
	int err = paths__init(&ret->read, &s->config.sandbox_read);

	if (!err)
		err = paths__init(&ret->write, &s->config.sandbox_write);
	ret->others.items = calloc(COUNT(dirs) + 2, sizeof(char *));
	if (err || !ret->others.items)
		return no_memory(s);
	err = dirs_cache(&ret->others.items[0], &unused);
	ret->others.cnt += !err; /* else no version lies there */
	for (size_t i = 0; i < COUNT(dirs) && err != -ENOMEM; i++) {
		char **dir = &ret->others.items[ret->others.cnt];

		err = find_version_dir(dirs[i], dir);
		ret->others.cnt += *dir != NULL;
	}
	return err == -ENOMEM ? no_memory(s) : 0;
}

static int open_with(struct session *s, const struct places *p)
{
	AUTO_FREE const char **allow = calloc(s->config.sandbox_allow.cnt + 1, sizeof(*allow));
	struct sandbox_fault fault;
	int err;

	if (!allow)
		return no_memory(s);
	for (size_t i = 0; i < s->config.sandbox_allow.cnt; i++)
		allow[i] = s->config.sandbox_allow.items[i];
	err = sandbox__new(&s->sandbox,
			   &(struct sandbox_request){
				   .level = s->opt->sandbox,
				   .read = (const char *const *)p->read.items,
				   .write = (const char *const *)p->write.items,
				   .others = (const char *const *)p->others.items,
				   .allow = allow,
				   .network = s->config.sandbox_network,
				   .log = s->opt->sandbox_log,
			   },
			   &fault);
	return err ? refuse(s, &fault, err) : 0;
}

static int record_layers(struct session *s)
{
	int err = 0;

	for (int l = 0; l < LAYER_CNT && !err; l++) {
		enum sandbox_layer layer = (enum sandbox_layer)l;

		err = record__add_layer(&s->rec, sandbox_layer_name(layer),
					sandbox_has(s->sandbox, layer),
					sandbox_missing_str(sandbox_missing(s->sandbox, layer)));
	}
	return err;
}

/* One line for all that is missing. */
static int say_missing(struct session *s)
{
	AUTO_FREE char *text = NULL;
	const char *remedy = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (f)
		remedy = sandbox_list_missing(s->sandbox, f);
	if (!f || fclose(f) || record_layers(s))
		return no_memory(s);
	if (!remedy)
		return 0;
	if (s->opt->sandbox == SANDBOX_STRICT)
		return problem_set(&s->why, EXIT_COULD_NOT_COMPARE, -ENOTSUP,
				   "--sandbox strict: this host refuses %s; %s", text, remedy);
	return record__note(&s->rec, "the sandbox is weaker here, without %s; %s", text, remedy)
		       ? no_memory(s)
		       : 0;
}

/* A change of joust.conf comes with the candidate: what it opens must be seen. */
static int say_opened(struct session *s)
{
	s->world = opened(&s->config);
	if (!s->world)
		return no_memory(s);
	if (!s->world[0])
		return 0;
	return record__note(&s->rec, "opened in the sandbox by configuration: %s", s->world)
		       ? no_memory(s)
		       : 0;
}

int world__open(struct session *s)
{
	CLEANUP(places__done) struct places places = {0};
	int err;

	if (s->opt->sandbox == SANDBOX_NONE)
		return 0;
	err = places__init(&places, s);
	if (!err)
		err = open_with(s, &places);
	if (err || !s->sandbox)
		return err;
	err = say_missing(s);
	return err ? err : say_opened(s);
}

static int say_refused(struct session *s, const struct sandbox_refusal *calls, size_t cnt)
{
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int err = f ? 0 : -ENOMEM;

	for (size_t i = 0; f && i < cnt && !err; i++) {
		AUTO_FREE char *name = sandbox_call_name(calls[i].number);

		err = record__add_refusal(&s->rec, calls[i].number, name, calls[i].cnt);
		fprintf(f, "%s%s (%d) %llu time%s", i ? ", " : "", name ? name : "unknown",
			calls[i].number, (unsigned long long)calls[i].cnt,
			calls[i].cnt == 1 ? "" : "s");
	}
	if (!f || fclose(f) || err)
		return -ENOMEM;
	return record__note(&s->rec,
			    s->opt->sandbox_log ? "system calls that the sandbox would refuse: %s"
						: "system calls that the sandbox refused: %s",
			    text);
}

void world_refusals(struct session *s)
{
	const struct sandbox_refusal *calls;
	size_t cnt = sandbox_refusals(s->sandbox, &calls);

	if (cnt)
		IGNORE_ERROR(say_refused(s, calls, cnt)); /* the verdict does not hang on it */
}

void world_hints(struct session *s)
{
	for (size_t i = 0; i < s->rec.benches_cnt; i++) {
		const struct rec_bench *b = &s->rec.benches[i];
		const char *hint = b->verdict == BENCH_ERROR
					   ? inside_hint(s->sandbox, b->reason, b->code)
					   : NULL;

		if (hint)
			IGNORE_ERROR(record__note(&s->rec, "\"%s\", %s: %s", b->name,
						  b->detail ? b->detail
							    : reason_get(b->reason)->sentence,
						  hint)); /* only a note */
	}
}
