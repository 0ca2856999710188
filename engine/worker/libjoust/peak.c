/* SPDX-License-Identifier: BSD-2-Clause */
#include "peak.h"
#include <string.h>
#include <unistd.h>

#define STATUS_BYTES 4096
#define NUMBER_BYTES 32

/* How a peak is read and set back. */
static const struct {
	uint32_t fds;
	size_t bytes;	   /* as much as has to be read for it */
	const char *key;   /* of the line that has it; NULL: the file is one number */
	uint64_t unit;	   /* bytes */
	const char *reset; /* what is written */
} kinds[PEAK_KIND_CNT] = {
	[PEAK_KIND_NONE] = {0, 0, NULL, 0, NULL},
	/* memory.max_usage_in_bytes, memory.peak: any write sets them back */
	[PEAK_KIND_GROUP] = {1, NUMBER_BYTES, NULL, 1, "0"},
	/* proc(5): VmHWM of status, and clear_refs */
	[PEAK_KIND_RESIDENT] = {2, STATUS_BYTES, "VmHWM:", 1024, "5"},
};

uint32_t joust_peak_fds(uint32_t kind)
{
	return kind < PEAK_KIND_CNT ? kinds[kind].fds : 0;
}

void joust_peak__take(struct joust_peak *p, uint32_t kind, const int *fds)
{
	*p = (struct joust_peak){.kind = kind, .fd = -1, .reset_fd = -1};
	if (joust_peak_fds(kind))
		p->fd = p->reset_fd = fds[0];
	if (joust_peak_fds(kind) > 1)
		p->reset_fd = fds[1];
}

/* Without libc's: strtoull would look at the locale. */
static bool parse_number(const char *text, uint64_t *ret)
{
	uint64_t v = 0;
	const char *p = text + strspn(text, " \t");
	size_t digits = strspn(p, "0123456789");

	for (size_t i = 0; i < digits; i++)
		v = v * 10 + (uint64_t)(p[i] - '0');
	*ret = v;
	return digits && digits < 19;
}

static bool read_peak(const struct joust_peak *p, uint64_t *ret)
{
	char text[STATUS_BYTES];
	ssize_t n = pread(p->fd, text, kinds[p->kind].bytes - 1, 0);
	const char *at = text;

	if (n <= 0)
		return false;
	text[n] = '\0';
	if (kinds[p->kind].key) {
		at = strstr(text, kinds[p->kind].key);
		at = at ? at + strlen(kinds[p->kind].key) : NULL;
	}
	if (!at || !parse_number(at, ret))
		return false;
	*ret *= kinds[p->kind].unit;
	return true;
}

void joust_peak__pause(struct joust_peak *p)
{
	uint64_t now = 0;

	if (p->kind == PEAK_KIND_NONE)
		return;
	if (!read_peak(p, &now))
		p->failed = true;
	if (now > p->most)
		p->most = now;
}

void joust_peak__resume(struct joust_peak *p)
{
	const char *text = kinds[p->kind].reset;

	if (p->kind != PEAK_KIND_NONE && pwrite(p->reset_fd, text, strlen(text), 0) < 0)
		p->failed = true;
}

void joust_peak__rehearse(struct joust_peak *p)
{
	joust_peak__pause(p);
	joust_peak__resume(p);
	p->most = 0;
}

uint64_t joust_peak__most(const struct joust_peak *p)
{
	return p->failed ? UINT64_MAX : p->most;
}
