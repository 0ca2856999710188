/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to 15 digits and a power of ten up to 22: both exact, so one division or product is, too. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,	1e4,  1e5,  1e6,  1e7,
				1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The C library rounds what the short way cannot; its decimal point is the locale's. */
static int by_library(const char *text, size_t len, double *ret)
{
	const char *point = localeconv()->decimal_point;
	size_t point_len = strlen(point);
	char *copy = malloc(len + point_len + 1);
	const char *dot = memchr(text, '.', len);
	size_t head = dot ? (size_t)(dot - text) : len;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, head);
	if (dot) {
		memcpy(copy + head, point, point_len);
		memcpy(copy + head + point_len, dot + 1, len - head - 1);
		len += point_len - 1;
	}
	copy[len] = '\0';
	*ret = strtod(copy, NULL);
	free(copy);
	return isfinite(*ret) ? 0 : -ERANGE;
}

static int to_double(const struct number *n, const char *text, size_t len, double *ret)
{
	double value = (double)n->digits;

	if (n->count > 15 || n->exponent < -22 || n->exponent > 22)
		return by_library(text, len, ret);
	value = n->exponent < 0 ? value / powers[-n->exponent] : value * powers[n->exponent];
	*ret = n->negative ? -value : value;
	return 0;
}

int read_number(struct reader *r, struct json_value *v)
{
	const char *start = r->at;
	struct number n = {0};
	const char *end = number_scan(start, r->end, &n);
	int err;

	if (!end)
		return reader_fail(r, start, "this is not a number");
	r->at = end;
	if (!n.real && n.count <= 18 && !(n.negative && n.digits == 0)) {
		v->type = JSON_INTEGER;
		v->integer = n.negative ? -(int64_t)n.digits : (int64_t)n.digits;
		return 0;
	}
	v->type = JSON_REAL;
	err = to_double(&n, start, (size_t)(end - start), &v->real);
	return err == -ERANGE ? reader_fail(r, start, "this number is too large for a double")
			      : err;
}
