/* SPDX-License-Identifier: BSD-2-Clause */
#include "hostinfo.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include "../../report/text.h"
#include "doctor_rows.h"

static const struct {
	const char *name;
	int (*look)(const char *root, struct doctor_row *row);
} looks[] = {
	{"cpus", doctor_look_cpus},
	{"virtual-machine", doctor_look_virtual},
	{"quiet", doctor_look_quiet},
	{"load", doctor_look_load},
	{"steal", doctor_look_steal},
	{"isolated-cpus", doctor_look_isolated},
	{"governor", doctor_look_governor},
	{"turbo", doctor_look_turbo},
	{"smt", doctor_look_smt},
	{"clocksource", doctor_look_clocksource},
	{"pmu", doctor_look_pmu},
	{"perf-paranoid", doctor_look_paranoid},
	{"perf-software", doctor_look_software},
	{"nmi-watchdog", doctor_look_watchdog},
	{"bpf", doctor_look_bpf},
	{"btf", doctor_look_btf},
	{"cgroups", doctor_look_cgroups},
	{"namespaces", doctor_look_namespaces},
	{"seccomp", doctor_look_seccomp},
	{"landlock", doctor_look_landlock},
	{"sandbox", doctor_look_sandbox},
	{"thp", doctor_look_thp},
	{"aslr", doctor_look_aslr},
	{"swap", doctor_look_swap},
};
#define LOOKS_CNT (sizeof(looks) / sizeof(looks[0]))

static const struct {
	const char *word, *color;
} states[] = {
	[DOCTOR_OK] = {"ok", "\033[32m"},
	[DOCTOR_INFO] = {"info", "\033[36m"},
	[DOCTOR_WARN] = {"warn", "\033[33m"},
	[DOCTOR_MISSING] = {"missing", "\033[31m"},
};

int doctor_row__set(struct doctor_row *row, enum doctor_state state, const char *remedy,
		    const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&row->finding, fmt, ap);
	va_end(ap);
	if (n < 0) {
		row->finding = NULL;
		return -ENOMEM;
	}
	row->state = state;
	row->remedy = remedy ? strdup(remedy) : NULL;
	return remedy && !row->remedy ? -ENOMEM : 0;
}

/* Without a descriptor to open files with, the rows would call everything missing. */
static int can_open_files(void)
{
	AUTO_FD int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 && (errno == EMFILE || errno == ENFILE) ? -errno : 0;
}

int doctor__examine_below(struct doctor *ret, const char *root)
{
	CLEANUP(doctor__done) struct doctor d = {0};
	int unable = can_open_files();

	if (unable)
		return unable;

	d.rows = calloc(LOOKS_CNT, sizeof(*d.rows));
	if (!d.rows)
		return -ENOMEM;
	for (; d.cnt < LOOKS_CNT; d.cnt++) {
		struct doctor_row *row = &d.rows[d.cnt];
		int err = looks[d.cnt].look(root, row);

		row->name = looks[d.cnt].name;
		if (err) {
			d.cnt++; /* the half-filled row is freed as well */
			return err;
		}
	}
	*ret = d;
	d = (struct doctor){0};
	return 0;
}

int doctor__examine(struct doctor *ret)
{
	return doctor__examine_below(ret, "");
}

void doctor__done(struct doctor *d)
{
	for (size_t i = 0; i < d->cnt; i++) {
		free(d->rows[i].finding);
		free(d->rows[i].remedy);
	}
	free(d->rows);
	*d = (struct doctor){0};
}

bool doctor_requirement(const struct doctor *d, const char *name, bool *ret_met)
{
	for (size_t i = 0; i < d->cnt; i++) {
		if (strcmp(d->rows[i].name, name))
			continue;
		*ret_met = d->rows[i].state == DOCTOR_OK || d->rows[i].state == DOCTOR_INFO;
		return true;
	}
	return false;
}

void doctor_print(FILE *out, const struct doctor *d, bool color)
{
	for (size_t i = 0; i < d->cnt; i++) {
		const struct doctor_row *row = &d->rows[i];

		(void)fprintf(out, "  %s%-7s%s  %-15s  ", color ? states[row->state].color : "",
			      states[row->state].word, color ? "\033[0m" : "", row->name);
		/* a CPU model or a mount point is text from elsewhere */
		text_escape(out, row->finding, strlen(row->finding));
		(void)fputc('\n', out);
		if (row->remedy) {
			(void)fprintf(out, "  %-7s  %-15s    -> ", "", "");
			text_escape(out, row->remedy, strlen(row->remedy));
			(void)fputc('\n', out);
		}
	}
}
