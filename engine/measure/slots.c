/* SPDX-License-Identifier: BSD-2-Clause */
#include "slots.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "../util/files.h"
#include "../../report/grow.h"

#define PER_BLOCK_BYTES (4 << 20) /* a copy takes about a millisecond */
#define NAME_TRIES	10	  /* one digit */

static void drop(char **path)
{
	if (*path)
		(void)unlink(*path); /* a leftover copy is harmless and `joust clean` removes it */
	free(*path);
	*path = NULL;
}

/* A copy that has served is kept, empty: see slots__renew. */
static int retire(struct slots *s, char **path)
{
	char **grown;

	if (!*path)
		return 0;
	grown = grow_by_one(s->spent, s->spent_cnt, sizeof(*s->spent));
	if (!grown)
		return -ENOMEM;
	s->spent = grown;
	s->spent[s->spent_cnt++] = TAKE_PTR(*path);
	return 0;
}

/* Gives back the pages of the copies from number `from` on. */
static void empty_spent(struct slots *s, size_t from)
{
	for (size_t i = from; i < s->spent_cnt; i++) {
		/* beside a program somebody may have put a link in its place */
		AUTO_FD int fd = open(s->spent[i], O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0 || ftruncate(fd, 0))
			(void)unlink(s->spent[i]); /* somebody still runs it */
	}
}

/*
 * DIR/.joust-slot-PID-ID-GENERATION-SIDE-SLOT-ATTEMPT: unique to this run, and of equal length on both
 * sides, because the kernel puts the path on the new process's stack.
 */
static int slot_name(const struct slots *s, enum side side, unsigned slot, unsigned attempt,
		     char **ret)
{
	const char *program = s->beside[side], *slash = strrchr(program, '/');
	int len = s->dir ? (int)strlen(s->dir) : slash ? (int)(slash - program) : 1;

	if (asprintf(ret, "%.*s/" SLOT_PREFIX "%d-%u-%u-%d-%u-%u", len,
		     s->dir  ? s->dir
		     : slash ? program
			     : ".",
		     getpid(), s->id, s->generation, (int)side, slot, attempt) < 0)
		return -ENOMEM;
	return 0;
}

static int remember(struct slots *s, const char *const program[static SIDE_CNT], bool copy)
{
	for (int i = 0; i < SIDE_CNT; i++) {
		s->beside[i] = program[i];
		s->program[i] = strdup(program[i]);
		if (!s->program[i])
			return -ENOMEM;
		for (int slot = 0; slot < 2; slot++) {
			if (stat(program[i], &s->st[i][slot]))
				return -errno;
			if (copy && s->st[i][slot].st_size > FILES_PROGRAM_MAX)
				return -EOVERFLOW;
		}
	}
	return 0;
}

int slots__init(struct slots *s, unsigned id, const char *const program[static SIDE_CNT],
		const char *dir, bool copy, bool own_libraries)
{
	bool same = false;
	int err;

	*s = (struct slots){.dir = dir, .id = id};
	err = remember(s, program, copy);
	if (!err && copy)
		err = files_equal(program[0], program[1], &same);
	s->shared = same && !own_libraries;
	s->copies = copy;
	return err;
}

bool slots_per_block(const struct slots *s)
{
	return s->st[0][0].st_size <= PER_BLOCK_BYTES && s->st[1][0].st_size <= PER_BLOCK_BYTES;
}

static int renew_one(struct slots *s, enum side side, unsigned slot)
{
	int err = -EEXIST;

	/* a killed run of the same pid, which is always the same in a container, may have left one */
	for (unsigned i = 0; i < NAME_TRIES && err == -EEXIST; i++) {
		AUTO_FREE char *path = NULL;

		err = slot_name(s, side, slot, i, &path);
		if (!err)
			err = files_copy_program(s->program[side], path, &s->st[side][slot]);
		if (!err)
			s->path[side][slot] = TAKE_PTR(path);
	}
	return err;
}

static int write_all(struct slots *s, enum side first)
{
	enum side order[SIDE_CNT] = {first, !first};
	int err = 0;

	/*
	 * One pair of copies, kept with the baseline. Beside the programs they are in sight of those, and
	 * the candidate's directory has as many.
	 */
	if (s->shared && s->dir) {
		for (unsigned i = 0; i < 2 && !err; i++)
			err = renew_one(s, SIDE_BASELINE, first == SIDE_BASELINE ? i : !i);
		return err;
	}
	for (unsigned i = 0; i < SIDE_CNT * 2 && !err; i++)
		err = renew_one(s, order[i % 2], i / 2);
	return err;
}

int slots__renew(struct slots *s, enum side first)
{
	size_t spent = s->spent_cnt;
	int err = 0;

	if (!s->copies)
		return 0;
	for (int i = 0; i < SIDE_CNT * 2 && !err; i++)
		err = retire(s, &s->path[i / 2][i % 2]);
	if (!slots_per_block(s))
		empty_spent(s, spent); /* large ones must not be on the disk twice */
	s->generation++;
	if (!err)
		err = write_all(s, first);
	empty_spent(s, spent);
	return err;
}

static enum side home(const struct slots *s, enum side side)
{
	return s->shared ? SIDE_BASELINE : side;
}

const char *slots_path(const struct slots *s, enum side side, enum side slot0)
{
	const char *copy = s->path[home(s, side)][side != slot0];

	return copy ? copy : s->program[side];
}

const struct stat *slots_stat(const struct slots *s, enum side side, enum side slot0)
{
	return &s->st[home(s, side)][side != slot0];
}

void slots__done(struct slots *s)
{
	for (int i = 0; i < SIDE_CNT; i++) {
		drop(&s->path[i][0]);
		drop(&s->path[i][1]);
		free(s->program[i]);
		s->program[i] = NULL;
	}
	for (size_t i = 0; i < s->spent_cnt; i++)
		drop(&s->spent[i]);
	free(s->spent);
	s->spent = NULL;
	s->spent_cnt = 0;
}
