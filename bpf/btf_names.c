/* SPDX-License-Identifier: BSD-2-Clause */
#include "btf_names.h"
#include <errno.h>
#include <linux/btf.h>
#include <string.h>

static const char prefix[] = "\0btf_trace_";
#define PREFIX_LEN (sizeof(prefix) - 1)

static void mark(const char *name, size_t len, const char *const *names, size_t cnt, bool *found)
{
	for (size_t i = 0; i < cnt; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			found[i] = true;
}

int btf_names_find(const void *btf, size_t len, const char *const *names, size_t cnt,
		   bool *ret_found)
{
	const char *at, *end;
	struct btf_header h;

	if (len < sizeof(h))
		return -EINVAL;
	memcpy(&h, btf, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len > len || h.str_off > len - h.hdr_len ||
	    h.str_len > len - h.hdr_len - h.str_off)
		return -EINVAL;
	memset(ret_found, 0, cnt * sizeof(*ret_found));
	at = (const char *)btf + h.hdr_len + h.str_off;
	end = at + h.str_len;
	while ((at = memmem(at, (size_t)(end - at), prefix, PREFIX_LEN))) {
		const char *name = at + PREFIX_LEN;
		const char *stop = memchr(name, 0, (size_t)(end - name));

		if (!stop)
			break;
		mark(name, (size_t)(stop - name), names, cnt, ret_found);
		at = stop;
	}
	return 0;
}
