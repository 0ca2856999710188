/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

int read_key(struct reader *r, struct json_value *member)
{
	int err;

	skip_space(r);
	if (r->at == r->end || *r->at != '"')
		return reader_fail(r, r->at, "a member's name in quotes is missing here");
	err = read_string(r, &member->key, &member->key_len);
	if (err)
		return err;
	return take(r, ':') ? 0 : reader_fail(r, r->at, "a ':' is missing here");
}
