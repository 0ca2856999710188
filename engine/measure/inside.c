/* SPDX-License-Identifier: BSD-2-Clause */
#include "inside.h"
#include <errno.h>
#include <string.h>

/* Two programs that belong to no tree have one path, too. */
#define LOOSE_PLACE "/run/joust/program"

static int place_program(struct inside *in, const struct tree *tree, const struct sandbox *sandbox)
{
	size_t n = strlen(in->root);
	bool below = !strncmp(in->program, in->root, n) && in->program[n] == '/';

	in->shown = below || sandbox_shows(sandbox, in->program);
	if (!tree->program || !sandbox_has(sandbox, LAYER_ROOT))
		return tree_inside(tree, in->program, &in->path);
	in->shown = false;
	in->path = strdup(LOOSE_PLACE);
	return in->path ? 0 : -ENOMEM;
}

/*
 * `real`: the version's top, without links. What lies below it is the build's, which may have put links
 * there: it is named as it is written, and followed by nobody.
 */
static int add_write(struct inside *in, const struct tree *tree, const char *real,
		     const char *below)
{
	const char *project = tree->project + strlen(in->root);
	AUTO_FREE char *shown = NULL;
	char *path = NULL;
	int err;

	if (below[0] == '/' || below[0] == '~') /* of the sandbox as a whole */
		return 0;
	if (in->writes_cnt == INSIDE_WRITES_MAX)
		return -E2BIG;
	if (asprintf(&path, "%s%s/%s", real, project, below) < 0)
		return -ENOMEM;
	in->write[in->writes_cnt] = path;
	if (asprintf(&shown, "%s/%s", tree->project, below) < 0) {
		shown = NULL;
		err = -ENOMEM;
	} else {
		err = tree_inside(tree, shown, &in->write_at[in->writes_cnt]);
	}
	in->writes_cnt++;
	return err;
}

int inside__init(struct inside *ret, const struct tree *tree, const char *program,
		 const struct config *config, const struct sandbox *sandbox)
{
	const char *root = tree->program ? tree->project : tree->root;
	AUTO_FREE char *real = realpath(root, NULL);
	int err = real ? 0 : -errno;
	struct inside in = {.root = strdup(root), .program = strdup(program)};

	if (!err && (!in.root || !in.program))
		err = -ENOMEM;

	if (!err)
		err = tree_inside(tree, root, &in.root_at);
	if (!err)
		err = tree_inside(tree, tree->project, &in.cwd);
	if (!err)
		err = place_program(&in, tree, sandbox);
	for (size_t i = 0; i < config->sandbox_write.cnt && !err; i++)
		err = add_write(&in, tree, real, config->sandbox_write.items[i]);
	if (err)
		inside__done(&in);
	else
		*ret = in;
	return err;
}

void inside__done(struct inside *in)
{
	free(in->root);
	free(in->root_at);
	free(in->program);
	free(in->path);
	free(in->cwd);
	for (size_t i = 0; i < in->writes_cnt; i++) {
		free(in->write[i]);
		free(in->write_at[i]);
	}
	*in = (struct inside){0};
}

static void bind(struct child_spec *spec, const char *from, const char *to, unsigned flags)
{
	spec->bind[spec->bind_cnt++] = (struct sandbox_bind){from, to, flags};
}

void inside_apply(const struct inside *in, struct sandbox *sandbox, const char *file,
		  struct child_spec *spec)
{
	bool copy = strcmp(file, in->program) != 0;

	_Static_assert(INSIDE_WRITES_MAX + 2 <= CHILD_BINDS_MAX, "room for all binds");
	spec->sandbox = sandbox;
	spec->cwd = in->cwd;
	spec->path = sandbox_has(sandbox, LAYER_ROOT) ? in->path : file;
	if (!sandbox)
		return;
	bind(spec, in->root, in->root_at, BIND_OPTIONAL);
	/* a tree that is the candidate's may have a link there, which leads out of it */
	for (size_t i = 0; i < in->writes_cnt; i++)
		bind(spec, in->write[i], in->write_at[i],
		     BIND_OPTIONAL | BIND_WRITE | BIND_NO_LINKS);
	if (copy || !in->shown)
		bind(spec, file, spec->path, BIND_FILE);
}

const char *inside_hint(const struct sandbox *sandbox, enum reason why, int code)
{
	/* 126 and 127: of a shell, env or the dynamic loader */
	bool missed = why == REASON_EXIT_STATUS && (code == 126 || code == 127);
	bool no_file = why == REASON_START_FAILED && code == ENOENT;

	if (!sandbox_has(sandbox, LAYER_ROOT) || (!missed && !no_file))
		return NULL;
	return "the sandbox shows the system's directories and the version's own; an interpreter, "
	       "a library or a program elsewhere is named in " CONFIG_FILE
	       ": [sandbox], read = DIR, env = NAME";
}
