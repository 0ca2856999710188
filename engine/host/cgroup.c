/* SPDX-License-Identifier: BSD-2-Clause */
#include "cgroup.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include "cgroup_clean.h"
#include "cgroup_files.h"
#include "cgroup_find.h"

#define ENGINE_LEAF  "engine"
#define MEMORY_LEAST (64u << 20) /* a limit below it would stop programs that are in order */
#define V1_UNLIMITED (1ull << 62)

static const struct {
	const char *name;
	bool build_only;
	const char *said; /* what it is for, in cgroup_describe */
} controllers[] = {
	[CGROUP_MEMORY] = {"memory", false, "memory"},
	[CGROUP_PIDS] = {"pids", false, "pids"},
	[CGROUP_CPU] = {"cpu", true, NULL},
	[CGROUP_TREE] = {"", false, "kill"},
};

_Static_assert(sizeof(controllers) / sizeof(controllers[0]) == CGROUP_CONTROLLER_CNT,
	       "one row each");

/* --- one hierarchy --- */

static void hierarchy_close(struct cgroup_hierarchy *h)
{
	cleanup_fd(&h->base_fd);
	cleanup_fd(&h->top_fd);
	h->base_fd = h->top_fd = -1;
}

static int open_dir(int at, const char *path, int *ret)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret = fd;
	return 0;
}

static int make_top(struct cgroup_hierarchy *h, const char *name)
{
	int err = open_dir(AT_FDCWD, h->base, &h->base_fd);

	if (err)
		return err;
	cgroup_clean_dead(h->base_fd, h->base, h->home);
	if (mkdirat(h->base_fd, name, 0755) && errno != EEXIST)
		return -errno;
	err = open_dir(h->base_fd, name, &h->top_fd);
	if (!err && mkdirat(h->top_fd, ENGINE_LEAF, 0755) && errno != EEXIST)
		err = -errno;
	return err;
}

static int move_in(struct cgroup_hierarchy *h)
{
	int err = cgroup_file_write(h->top_fd, ENGINE_LEAF "/cgroup.procs", "0");

	h->moved = !err;
	return err;
}

/* Back to where the engine was; its children come along only where they are still in its leaf. */
static int move_home(struct cgroup_hierarchy *h)
{
	char path[PATH_MAX + 16];
	int err;

	if (!h->moved)
		return 0;
	(void)snprintf(path, sizeof(path), "%s/cgroup.procs", h->home);
	err = cgroup_file_write(AT_FDCWD, path, "0");
	h->moved = err != 0;
	return err;
}

/* --- v2: what a group offers has to be handed on, level by level --- */

static bool needs_handing(int version, enum cgroup_controller id)
{
	return version == 2 && *controllers[id].name;
}

static bool offers_below(int dir_fd, const char *controller)
{
	char buf[1024];
	ssize_t len = cgroup_file_read(dir_fd, "cgroup.subtree_control", buf, sizeof(buf));

	if (len <= 0)
		return false;
	len -= buf[len - 1] == '\n';
	return cgroup_lists(buf, (size_t)len, controller, ' ');
}

static int switch_control(int dir_fd, const char *controller, char sign)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%c%s", sign, controller);
	return cgroup_file_write(dir_fd, "cgroup.subtree_control", text);
}

/*
 * EBUSY: other processes live in the group itself, which v2 does not allow beside controllers for
 * children (the root is exempt), or the group is not the one we came from and not ours to change.
 * What is switched on here is put back at the end.
 */
static int hand_on(struct cgroup_hierarchy *h, enum cgroup_controller id)
{
	const char *name = controllers[id].name;
	int err;

	if (!offers_below(h->base_fd, name)) {
		err = strcmp(h->base, h->home) ? -EBUSY : switch_control(h->base_fd, name, '+');
		if (err)
			return err;
		h->switched_on |= 1u << id;
	}
	return switch_control(h->top_fd, name, '+');
}

static void take_back(struct cgroup_hierarchy *h)
{
	for (unsigned i = 0; h->version == 2 && i < CGROUP_CONTROLLER_CNT; i++) {
		const char *name = controllers[i].name;

		if (*name) /* not on is as good */
			IGNORE_ERROR(switch_control(h->top_fd, name, '-'));
		if (h->switched_on & 1u << i) /* EBUSY where others use it by now */
			IGNORE_ERROR(switch_control(h->base_fd, name, '-'));
	}
}

/* The group above, as long as it lies below the mount point; false: there is none. */
static bool step_up(char *dir, size_t point_len)
{
	char *slash = strrchr(dir, '/');

	if (!slash || (size_t)(slash - dir) < point_len || strlen(dir) <= point_len)
		return false;
	*slash = '\0';
	return true;
}

/* --- the tree --- */

static void remove_top(struct cgroup_hierarchy *h, const char *name)
{
	if (h->top_fd >= 0)
		take_back(h);
	if (!move_home(h) && h->base_fd >= 0)
		IGNORE_ERROR(cgroup_take_down(h->base_fd, name)); /* the next start meets it */
	hierarchy_close(h);
}

/* Opens our tree in `h->base` and hands on the controllers; all of it or nothing. */
static int try_base(struct cgroup_hierarchy *h, const char *name, enum cgroup_controller id)
{
	int err = make_top(h, name);

	if (!err)
		err = move_in(h);
	if (!err && needs_handing(h->version, id))
		err = hand_on(h, id);
	if (err)
		remove_top(h, name);
	return err;
}

/*
 * Our own group first. Where others live in it (v2), the group above will do if it hands the
 * controller on already: then ours are siblings of the group that we came from.
 */
static int open_hierarchy(struct cgroup_hierarchy *h, const struct cgroup_place *p,
			  const char *name, enum cgroup_controller id)
{
	int err;

	*h = (struct cgroup_hierarchy){.version = p->version, .base_fd = -1, .top_fd = -1};
	(void)snprintf(h->base, sizeof(h->base), "%s", p->dir);
	(void)snprintf(h->home, sizeof(h->home), "%s", p->dir);
	err = try_base(h, name, id);
	if (err && needs_handing(p->version, id) && step_up(h->base, p->point_len))
		err = try_base(h, name, id);
	return err;
}

/* A v2 hierarchy serves every controller that our group offers. */
static int find_open(struct cgroup *c, const struct cgroup_place *p)
{
	for (unsigned i = 0; i < c->cnt; i++) {
		if (c->hierarchy[i].version == p->version && !strcmp(c->hierarchy[i].home, p->dir))
			return (int)i;
	}
	return -1;
}

static int use_controller(struct cgroup *c, enum cgroup_controller id, const struct cgroup_place *p)
{
	int at = find_open(c, p), err;

	if (at >= 0) {
		err = needs_handing(p->version, id) ? hand_on(&c->hierarchy[at], id) : 0;
	} else {
		at = (int)c->cnt;
		err = open_hierarchy(&c->hierarchy[at], p, c->name, id);
		c->cnt += !err;
	}
	if (!err)
		c->of[id] = at;
	return err;
}

void cgroup__open(struct cgroup *c, bool build)
{
	AUTO_FREE struct cgroup_texts *texts = malloc(sizeof(*texts));
	int err = texts ? 0 : -ENOMEM;

	*c = (struct cgroup){0};
	if (!err)
		err = cgroup_name(c->name, sizeof(c->name));
	if (!err)
		cgroup_texts__read(texts, "");
	for (int i = 0; i < CGROUP_CONTROLLER_CNT; i++) {
		struct cgroup_place p = {0};

		c->of[i] = -1;
		c->err[i] = err ? err : -ENOENT;
		if (err || (controllers[i].build_only && !build))
			continue;
		cgroup_find(texts, "", controllers[i].name, &p);
		if (p.version)
			c->err[i] = p.writable ? use_controller(c, (enum cgroup_controller)i, &p)
					       : -EACCES;
	}
	if (!c->cnt)
		c->name[0] = '\0';
}

void cgroup__close(struct cgroup *c)
{
	for (unsigned i = 0; i < c->cnt; i++)
		remove_top(&c->hierarchy[i], c->name);
	*c = (struct cgroup){0};
}

char *cgroup_describe(const struct cgroup *c)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	for (int i = 0; i < CGROUP_CONTROLLER_CNT; i++) {
		if (controllers[i].said && cgroup_has(c, (enum cgroup_controller)i))
			fprintf(f, "%s%s v%d", ftello(f) ? ", " : "", controllers[i].said,
				c->hierarchy[c->of[i]].version);
	}
	if (!ftello(f))
		fputs("none", f);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

/* What our own group may use, where somebody limits it. */
static uint64_t group_limit(const struct cgroup *c)
{
	const struct cgroup_hierarchy *h = &c->hierarchy[c->of[CGROUP_MEMORY]];
	char path[PATH_MAX + 32];
	uint64_t limit;

	(void)snprintf(path, sizeof(path), "%s/%s", h->home,
		       h->version == 2 ? "memory.max" : "memory.limit_in_bytes");
	if (cgroup_file_u64(AT_FDCWD, path, &limit) || limit >= V1_UNLIMITED)
		return UINT64_MAX; /* the root of v2 has no such file */
	return limit;
}

uint64_t cgroup_memory_share(const struct cgroup *c, unsigned eighths)
{
	struct sysinfo info = {0};
	uint64_t all = sysinfo(&info) ? UINT64_MAX : (uint64_t)info.totalram * info.mem_unit;
	uint64_t limit = cgroup_has(c, CGROUP_MEMORY) ? group_limit(c) : UINT64_MAX;

	if (limit < all)
		all = limit;
	all = all / 8 * eighths;
	return all < MEMORY_LEAST ? MEMORY_LEAST : all;
}
