/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

int read_list(struct reader *r, struct json_value *v, int depth)
{
	r->at++;
	return read_children(r, v, ']', depth);
}
