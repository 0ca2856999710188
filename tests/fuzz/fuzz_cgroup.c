/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: any bytes as the kernel's texts about groups and memory end in an answer within bounds. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine/host/cgroup_clean.h"
#include "engine/host/cgroup_files.h"
#include "engine/host/cgroup_find.h"
#include "engine/host/peak.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct cgroup_texts texts;

/* The first half is what we are in, the second what is mounted. */
static void look_for(const uint8_t *data, size_t size, const char *controller)
{
	struct cgroup_place p;
	size_t half = size / 2;

	memcpy(texts.groups, data, half);
	memcpy(texts.mounts, data + half, size - half);
	texts.groups[half] = texts.mounts[size - half] = '\0';
	cgroup_find(&texts, "/nowhere", controller, &p);
	if (p.version < 0 || p.version > 2 || (p.version && p.point_len > strlen(p.dir)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;
	struct resident r;
	uint64_t v;

	if (size > sizeof(texts.groups))
		return 0;
	look_for(data, size, "memory");
	look_for(data, size, "");
	text = strndup((const char *)data, size);
	if (!text)
		abort();
	if (!cgroup_text_key(text, "oom_kill", &v) && !strstr(text, "oom_kill"))
		abort();
	(void)cgroup_name_is_dead(text);
	if (!resident_parse(text, &r) && !(isfinite(r.now) && isfinite(r.peak)))
		abort();
	free(text);
	return 0;
}
