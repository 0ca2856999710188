/* SPDX-License-Identifier: BSD-2-Clause */
#include "num.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <strings.h>

int num_u64(const char *s, uint64_t lo, uint64_t hi, uint64_t *ret)
{
	char *end;
	unsigned long long v;

	if (s[0] < '0' || s[0] > '9') /* strtoull takes blanks, signs and wraps "-1" */
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, 10);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE || v < lo || v > hi)
		return -ERANGE;
	*ret = v;
	return 0;
}

int num_hex(const char *s, uint64_t *ret)
{
	size_t digits;

	if (s[0] != '0' || s[1] != 'x')
		return -EINVAL;
	digits = strspn(s + 2, "0123456789abcdefABCDEF");
	if (digits < 1 || digits > 16 || s[2 + digits])
		return -EINVAL;
	*ret = strtoull(s + 2, NULL, 16);
	return 0;
}

/* strtod with a decimal point in every locale: a plugin or a library may have set one. */
static double to_double(const char *s, char **ret_end)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", NULL); /* glibc's own object: cannot fail */
	double v = strtod_l(s, ret_end, plain);

	freelocale(plain);
	return v;
}

int num_double(const char *s, double lo, double hi, double *ret)
{
	char *end;
	double v;

	/* digits, sign, point and exponent only: no "inf", "nan", hexadecimal or leading blanks */
	if (!s[0] || strspn(s, "0123456789.eE+-") != strlen(s))
		return -EINVAL;
	v = to_double(s, &end);
	if (*end || end == s)
		return -EINVAL;
	if (!isfinite(v) || v < lo || v > hi)
		return -ERANGE;
	*ret = v;
	return 0;
}

int num_limit(const char *s, double *ret)
{
	AUTO_FREE char *copy = NULL;
	size_t len = strlen(s);
	double v;
	int err;

	if (len < 2 || s[len - 1] != '%') {
		/* "2" is meant as 2 %, not as twice: a limit of 2 and more is written in percent */
		err = num_double(s, 0, 1.999999, &v);
	} else {
		copy = strndup(s, len - 1);
		if (!copy)
			return -ENOMEM;
		err = num_double(copy, 0, 100000, &v);
		v = err ? 0 : 1 + v / 100;
	}
	if (err)
		return err;
	if (v <= 1)
		return -ERANGE;
	*ret = v;
	return 0;
}

int num_bytes(const char *s, uint64_t lo, uint64_t hi, uint64_t *ret)
{
	static const char units[] = "KMGT";
	size_t whole = strlen(s),
	       len = whole > 2 && !strcmp(s + whole - 2, "iB") ? whole - 2 : whole;
	const char *unit = len ? strchr(units, s[len - 1]) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	AUTO_FREE char *digits = strndup(s, unit ? len - 1 : len);
	uint64_t v;
	int err;

	if (!digits)
		return -ENOMEM;
	if (!unit && len != whole) /* "5iB" */
		return -EINVAL;
	err = num_u64(digits, 0, UINT64_MAX >> shift, &v);
	if (err)
		return err;
	v <<= shift;
	if (v < lo || v > hi)
		return -ERANGE;
	*ret = v;
	return 0;
}

int num_bool(const char *s, bool *ret)
{
	static const char *const yes[] = {"yes", "true", "on", "1"};
	static const char *const no[] = {"no", "false", "off", "0"};

	for (size_t i = 0; i < 4; i++) {
		if (!strcasecmp(s, yes[i]) || !strcasecmp(s, no[i])) {
			*ret = !strcasecmp(s, yes[i]);
			return 0;
		}
	}
	return -EINVAL;
}
