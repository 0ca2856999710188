/* SPDX-License-Identifier: BSD-2-Clause */
#include "value.h"

static bool is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

static const char *take_digits(const char *p, const char *end, struct number *n)
{
	for (; is_digit(p, end); p++) {
		if (n->digits || *p != '0')
			n->count++;
		if (n->count <= 19)
			n->digits = n->digits * 10 + (uint64_t)(*p - '0');
	}
	return p;
}

static const char *take_exponent(const char *p, const char *end, struct number *n)
{
	bool negative = false;
	int value = 0;

	n->real = true;
	if (p < end && (*p == '+' || *p == '-'))
		negative = *p++ == '-';
	if (!is_digit(p, end))
		return NULL;
	for (; is_digit(p, end); p++)
		value = value < 100000 ? value * 10 + (*p - '0') : value;
	n->exponent += negative ? -value : value;
	return p;
}

const char *number_scan(const char *p, const char *end, struct number *n)
{
	const char *digits;

	if (*p == '-') {
		n->negative = true;
		p++;
	}
	if (!is_digit(p, end) || (*p == '0' && is_digit(p + 1, end)))
		return NULL;
	p = take_digits(p, end, n);
	if (p < end && *p == '.') {
		digits = ++p;
		n->real = true;
		p = take_digits(p, end, n);
		if (p == digits)
			return NULL;
		n->exponent -= (int)(p - digits < 100000 ? p - digits : 100000);
	}
	if (p < end && (*p == 'e' || *p == 'E'))
		p = take_exponent(p + 1, end, n);
	return p;
}
