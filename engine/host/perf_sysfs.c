/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../util/num.h"
#include "perf_name.h"
#include "smallfile.h"

#define DEVICES	   "/sys/bus/event_source/devices"
#define TERMS_MAX  512
#define RANGES_MAX 8

static const char *const core_pmus[] = {"cpu", "cpu_core", "cpu_atom", "armv8_pmuv3",
					"armv8_pmuv3_0"};

static int bad(char *why, const char *what, const char *which)
{
	(void)snprintf(why, PERF_WHY_MAX, "%s \"%s\"", what, which);
	return -EINVAL;
}

/* A name that is a file name must not lead elsewhere. */
static bool is_plain(const char *name)
{
	return name[0] && name[0] != '.' && !strchr(name, '/') && strlen(name) < PERF_NAME_MAX;
}

static ssize_t read_file(const char *root, const char *pmu, const char *dir, const char *name,
			 char *buf, size_t size)
{
	char path[sizeof(DEVICES) + 3 * PERF_NAME_MAX];

	if (!is_plain(pmu) || !is_plain(name))
		return -ENOENT;
	(void)snprintf(path, sizeof(path), DEVICES "/%s%s/%s", pmu, dir, name);
	return smallfile_read(root, path, buf, size);
}

static uint64_t *word_of(const char *name, struct perf_event_spec *e)
{
	if (strcmp(name, "config") == 0)
		return &e->config;
	if (strcmp(name, "config1") == 0)
		return &e->config1;
	return strcmp(name, "config2") == 0 ? &e->config2 : NULL;
}

/* "0-7,32-35" or "18": the low bits of the value into the first range, the next into the next. */
static int scatter(char *ranges, uint64_t value, uint64_t *ret)
{
	char *save = NULL;

	for (char *r = strtok_r(ranges, ",", &save); r; r = strtok_r(NULL, ",", &save)) {
		char *dash = strchr(r, '-');
		uint64_t lo, hi;

		if (dash)
			*dash++ = '\0';
		if (num_u64(r, 0, 63, &lo) || num_u64(dash ? dash : r, lo, 63, &hi))
			return -EINVAL;
		for (uint64_t bit = lo; bit <= hi; bit++, value >>= 1)
			*ret = (*ret & ~(UINT64_C(1) << bit)) | (value & 1) << bit;
	}
	return value ? -ERANGE : 0;
}

/* One "field=value"; a field alone is 1. */
static int add_term(const char *root, const char *pmu, char *term, struct perf_event_spec *e,
		    char *why)
{
	char format[128], *colon, *text = strchr(term, '=');
	uint64_t value = 1, *word;
	int err;

	if (text)
		*text++ = '\0';
	if (text && num_hex(text, &value) && num_u64(text, 0, UINT64_MAX, &value))
		return bad(why, "not a number:", text);
	word = word_of(term, e);
	if (word) {
		*word |= value;
		return 0;
	}
	if (read_file(root, pmu, "/format", term, format, sizeof(format)) <= 0)
		return bad(why, "this PMU has no field", term);
	colon = strchr(format, ':');
	if (!colon)
		return bad(why, "joust does not understand this PMU's field", term);
	*colon++ = '\0';
	word = word_of(format, e);
	err = word ? scatter(colon, value, word) : -EINVAL;
	if (err == -ERANGE)
		return bad(why, "too large a value for field", term);
	return err ? bad(why, "joust does not understand this PMU's field", term) : 0;
}

static int add_terms(const char *root, const char *pmu, const char *terms,
		     struct perf_event_spec *e, char *why)
{
	char copy[TERMS_MAX], *save = NULL;
	int err = 0;

	if (strlen(terms) >= sizeof(copy))
		return bad(why, "too long:", "terms");
	strcpy(copy, terms);
	for (char *t = strtok_r(copy, ",", &save); t && !err; t = strtok_r(NULL, ",", &save))
		err = add_term(root, pmu, t, e, why);
	return err;
}

static int type_of(const char *root, const char *pmu, uint32_t *ret)
{
	char text[32];
	uint64_t type;

	if (read_file(root, pmu, "", "type", text, sizeof(text)) <= 0)
		return -ENOENT;
	if (num_u64(text, 0, UINT32_MAX, &type))
		return -EINVAL;
	*ret = (uint32_t)type;
	return 0;
}

int perf_sysfs_event(const char *root, const char *pmu, const char *terms,
		     struct perf_event_spec *ret, char why[static PERF_WHY_MAX])
{
	struct perf_event_spec e = {0};
	char alias[TERMS_MAX];
	int err = type_of(root, pmu, &e.type);

	if (err)
		return bad(why, "this kernel has no PMU", pmu);
	if (!terms[0])
		return bad(why, "no event is named for PMU", pmu);
	if (read_file(root, pmu, "/events", terms, alias, sizeof(alias)) > 0)
		terms = alias;
	err = add_terms(root, pmu, terms, &e, why);
	if (!err)
		*ret = e;
	return err;
}

int perf_sysfs_alias(const char *root, const char *name, struct perf_event_spec *ret,
		     char why[static PERF_WHY_MAX])
{
	char alias[TERMS_MAX];

	for (size_t i = 0; i < sizeof(core_pmus) / sizeof(core_pmus[0]); i++)
		if (read_file(root, core_pmus[i], "/events", name, alias, sizeof(alias)) > 0)
			return perf_sysfs_event(root, core_pmus[i], name, ret, why);
	return -ENOENT;
}
