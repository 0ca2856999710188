/* SPDX-License-Identifier: BSD-2-Clause */
#include "sandbox_private.h"

static void count(struct refusals *r, int number)
{
	size_t i = 0;

	while (i < r->cnt && r->call[i].number != number)
		i++;
	if (i == SANDBOX_REFUSALS) /* a program that tries them all: the last one stands for many */
		i--;
	if (i == r->cnt)
		r->call[r->cnt++] = (struct sandbox_refusal){.number = number};
	r->call[i].cnt++;
}

int sandbox__serve(struct sandbox *s, int listener)
{
	struct seccomp_call call;
	int answered = 0, more;

	while ((more = seccomp_answer(&s->filter, listener, s->log, &call)) > 0) {
		count(&s->refused, call.number);
		answered++;
	}
	return more < 0 ? more : answered;
}

size_t sandbox_refusals(const struct sandbox *s, const struct sandbox_refusal **ret)
{
	*ret = s ? s->refused.call : NULL;
	return s ? s->refused.cnt : 0;
}
