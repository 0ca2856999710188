/* SPDX-License-Identifier: BSD-2-Clause */
#include "perf_name.h"
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "../util/num.h"

enum kind {
	KIND_HARDWARE,
	KIND_SOFTWARE,
	KIND_SCHEDULER /* software, fires in the kernel: of user mode alone it would always be 0 */
};

static const struct known {
	const char *name;
	uint64_t config;
	enum kind kind;
} events[] = {
	{"cycles", PERF_COUNT_HW_CPU_CYCLES, KIND_HARDWARE},
	{"cpu-cycles", PERF_COUNT_HW_CPU_CYCLES, KIND_HARDWARE},
	{"instructions", PERF_COUNT_HW_INSTRUCTIONS, KIND_HARDWARE},
	{"cache-references", PERF_COUNT_HW_CACHE_REFERENCES, KIND_HARDWARE},
	{"cache-misses", PERF_COUNT_HW_CACHE_MISSES, KIND_HARDWARE},
	{"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, KIND_HARDWARE},
	{"branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, KIND_HARDWARE},
	{"branch-misses", PERF_COUNT_HW_BRANCH_MISSES, KIND_HARDWARE},
	{"bus-cycles", PERF_COUNT_HW_BUS_CYCLES, KIND_HARDWARE},
	{"stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, KIND_HARDWARE},
	{"stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, KIND_HARDWARE},
	{"ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES, KIND_HARDWARE},
	{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK, KIND_SOFTWARE},
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK, KIND_SOFTWARE},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS, KIND_SOFTWARE},
	{"faults", PERF_COUNT_SW_PAGE_FAULTS, KIND_SOFTWARE},
	{"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, KIND_SOFTWARE},
	{"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, KIND_SOFTWARE},
	{"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, KIND_SOFTWARE},
	{"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS, KIND_SOFTWARE},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, KIND_SCHEDULER},
	{"cs", PERF_COUNT_SW_CONTEXT_SWITCHES, KIND_SCHEDULER},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS, KIND_SCHEDULER},
	{"migrations", PERF_COUNT_SW_CPU_MIGRATIONS, KIND_SCHEDULER},
	{"cgroup-switches", PERF_COUNT_SW_CGROUP_SWITCHES, KIND_SCHEDULER},
};

/* CACHE-OP, in perf's spelling of both: "L1-dcache-loads", "L1-dcache-load-misses". */
static const struct {
	const char *name;
	uint64_t id;
} caches[] = {
	{"L1-dcache", PERF_COUNT_HW_CACHE_L1D}, {"L1-icache", PERF_COUNT_HW_CACHE_L1I},
	{"LLC", PERF_COUNT_HW_CACHE_LL},	{"dTLB", PERF_COUNT_HW_CACHE_DTLB},
	{"iTLB", PERF_COUNT_HW_CACHE_ITLB},	{"branch", PERF_COUNT_HW_CACHE_BPU},
	{"node", PERF_COUNT_HW_CACHE_NODE},
};
static const struct {
	const char *name;
	uint64_t op, result;
} accesses[] = {
	{"loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* One event while it is taken apart. `base` is without modifiers. */
struct parse {
	const char *root;
	char base[PERF_NAME_MAX];
	char modifiers[8];
	enum kind kind;
	struct perf_event_spec spec;
	char *why;
};

static __attribute__((format(printf, 2, 3))) int refuse(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(why, PERF_WHY_MAX, format, args); /* long texts are cut */
	va_end(args);
	return -EINVAL;
}

static bool generic(struct parse *p)
{
	for (size_t i = 0; i < COUNT(events); i++) {
		if (strcmp(events[i].name, p->base) != 0)
			continue;
		p->kind = events[i].kind;
		p->spec.type = p->kind == KIND_HARDWARE ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
		p->spec.config = events[i].config;
		return true;
	}
	return false;
}

static bool cache(struct parse *p)
{
	for (size_t i = 0; i < COUNT(caches); i++) {
		size_t len = strlen(caches[i].name);

		if (strncmp(p->base, caches[i].name, len) != 0 || p->base[len] != '-')
			continue;
		for (size_t j = 0; j < COUNT(accesses); j++) {
			if (strcmp(p->base + len + 1, accesses[j].name) != 0)
				continue;
			p->spec.type = PERF_TYPE_HW_CACHE;
			p->spec.config =
				caches[i].id | accesses[j].op << 8 | accesses[j].result << 16;
			return true;
		}
	}
	return false;
}

/* "r1a2": hexadecimal without a prefix. */
static bool raw(struct parse *p)
{
	char number[PERF_NAME_MAX + 2];

	if (p->base[0] != 'r' || !p->base[1] ||
	    p->base[1 + strspn(p->base + 1, "0123456789abcdefABCDEF")])
		return false;
	(void)snprintf(number, sizeof(number), "0x%s", p->base + 1);
	p->spec.type = PERF_TYPE_RAW;
	return num_hex(number, &p->spec.config) == 0;
}

/* "pmu/terms/" */
static int of_pmu(struct parse *p)
{
	char pmu[PERF_NAME_MAX], *terms;

	strcpy(pmu, p->base);
	terms = strchr(pmu, '/');
	*terms++ = '\0';
	terms[strlen(terms) - 1] = '\0'; /* the second slash, which take_apart has seen */
	return perf_sysfs_event(p->root, pmu, terms, &p->spec, p->why);
}

static int resolve(struct parse *p)
{
	int err;

	if (strchr(p->base, '/'))
		return of_pmu(p);
	if (generic(p) || cache(p) || raw(p))
		return 0;
	err = perf_sysfs_alias(p->root, p->base, &p->spec, p->why);
	if (err == -ENOENT)
		return refuse(p->why, "no event \"%s\" is known; `perf list` shows perf's names",
			      p->base);
	return err;
}

static int apply_modifiers(struct parse *p)
{
	bool user = strchr(p->modifiers, 'u'), kernel = strchr(p->modifiers, 'k');

	if (p->modifiers[strspn(p->modifiers, "uk")])
		return refuse(p->why, "\"%s\": the modifiers are u (user mode) and k (kernel)",
			      p->base);
	if (p->kind == KIND_SCHEDULER && user && !kernel)
		return refuse(p->why, "\"%s:u\" would always be 0: it happens in the kernel",
			      p->base);
	if (p->kind == KIND_HARDWARE && !user && !kernel) {
		strcpy(p->modifiers, "u");
		user = true;
	}
	p->spec.user_only = user && !kernel;
	p->spec.kernel_only = kernel && !user;
	return 0;
}

static bool is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)text[i]))
			return true;
	return false;
}

/* Where the modifiers of text[0..len) begin: at a colon, or behind the second slash. */
static size_t base_len(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);
	const char *colon = slash ? NULL : memchr(text, ':', len);
	const char *end = slash ? memchr(slash + 1, '/', (size_t)(text + len - slash - 1)) : NULL;

	if (slash)
		return end && slash > text ? (size_t)(end + 1 - text) : 0;
	return colon ? (size_t)(colon - text) : len;
}

/* "branches:u" and "cpu/event=1/u" into name and modifiers. */
static int take_apart(const char *text, size_t len, struct parse *p)
{
	size_t base = base_len(text, len);
	const char *modifiers = text + base;
	size_t cnt = len - base;

	if (!base || base >= sizeof(p->base) || is_blank(text, len))
		return refuse(p->why, "\"%.*s\" is no event", (int)(len < 64 ? len : 64), text);
	if (cnt && *modifiers == ':') {
		modifiers++;
		cnt--;
	}
	if (cnt >= sizeof(p->modifiers) || (!cnt && base < len))
		return refuse(p->why, "\"%.*s\" has no modifiers that make sense",
			      (int)(len < 64 ? len : 64), text);
	memcpy(p->base, text, base);
	memcpy(p->modifiers, modifiers, cnt);
	return 0;
}

static int parse_one(const char *root, const char *text, size_t len, struct perf_named *ret,
		     char *why)
{
	struct parse p = {.root = root, .why = why};
	int err = take_apart(text, len, &p);

	if (!err)
		err = resolve(&p);
	if (!err)
		err = apply_modifiers(&p);
	if (err)
		return err;
	*ret = (struct perf_named){.spec = p.spec};
	if ((size_t)snprintf(ret->name, sizeof(ret->name), "%s%s%s", p.base,
			     p.modifiers[0] ? ":" : "", p.modifiers) >= sizeof(ret->name))
		return refuse(why, "\"%s\" is too long", p.base);
	return 0;
}

/* Up to the next comma that stands outside slashes. */
static size_t first_len(const char *list)
{
	bool inside = false;
	size_t len = 0;

	for (; list[len] && (inside || list[len] != ','); len++)
		if (list[len] == '/')
			inside = !inside;
	return len;
}

int perf_names_add(const char *root, const char *list, struct perf_names *ret,
		   char why[static PERF_WHY_MAX])
{
	for (;;) {
		size_t len = first_len(list);
		int err;

		if (ret->cnt == EVENTS_MAX)
			return refuse(why, "more than %d events", EVENTS_MAX);
		err = len ? parse_one(root, list, len, &ret->item[ret->cnt], why)
			  : refuse(why, "an event without a name");
		if (err)
			return err;
		ret->cnt++;
		if (!list[len])
			return 0;
		list += len + 1;
	}
}

enum reason perf_name_probe(const struct perf_named *e)
{
	CLEANUP(perf_group__close) struct perf_group g = {0};
	struct perf_reading reading;
	enum reason why;
	int err = perf_group__open_events(&g, &e->spec, 1, &(struct perf_target){0}, &why);

	if (err)
		return why == REASON_NO_PMU && e->spec.type != PERF_TYPE_HARDWARE ? REASON_NO_EVENT
										  : why;
	err = perf_group__read(&g, &reading);
	return err ? perf_reason(err) : REASON_NONE;
}
