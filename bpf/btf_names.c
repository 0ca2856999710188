/* SPDX-License-Identifier: BSD-2-Clause */
#include "btf_names.h"
#include <errno.h>
#include <linux/btf.h>
#include <string.h>

static const char prefix[] = "\0btf_trace_";
#define PREFIX_LEN (sizeof(prefix) - 1)

int btf_names_section(const void *head, size_t len, uint64_t *ret_offset, uint64_t *ret_len)
{
	struct btf_header h;

	if (len < sizeof(h))
		return -EINVAL;
	memcpy(&h, head, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len < sizeof(h))
		return -EINVAL;
	*ret_offset = (uint64_t)h.hdr_len + h.str_off;
	*ret_len = h.str_len;
	return 0;
}

static void mark(const char *name, size_t len, const char *const *names, size_t cnt, bool *found)
{
	for (size_t i = 0; i < cnt; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			found[i] = true;
}

void btf_names_mark(const char *piece, size_t len, const char *const *names, size_t cnt,
		    bool *found)
{
	const char *at = piece, *end = piece + len;

	while ((at = memmem(at, (size_t)(end - at), prefix, PREFIX_LEN))) {
		const char *name = at + PREFIX_LEN;
		const char *stop = memchr(name, 0, (size_t)(end - name));

		if (!stop)
			return;
		mark(name, (size_t)(stop - name), names, cnt, found);
		at = stop;
	}
}
