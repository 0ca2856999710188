/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a, 128 bits: offset basis 0x6c62272e07bb014262b821756295c58d, prime 2^88 + 0x13b */
#define FNV_BASIS_HIGH 0x6c62272e07bb0142u
#define FNV_BASIS_LOW  0x62b821756295c58du
#define FNV_PRIME_LOW  0x13bu

void joust_init(struct joust *b, const struct joust_bench *bench, const struct joust_driver *driver,
		void *context)
{
	memset(b, 0, sizeof(*b));
	b->bench = bench;
	b->driver = driver;
	b->context = context;
	joust_sources__init(&b->sources, bench->of->threads > 1);
	joust_threads__init(&b->threads, bench->of->threads > 1);
	b->digest[0] = FNV_BASIS_HIGH;
	b->digest[1] = FNV_BASIS_LOW;
}

enum joust_result joust_run(struct joust *b)
{
	b->bench->of->body(b);
	if (b->state == STATE_LOOP)
		joust_fail(b, "return or goto out of JOUST_LOOP");
	if (b->state == STATE_SETUP && !b->skipped)
		joust_fail(b, PROTOCOL_NO_LOOP);
	if (b->failed)
		return RESULT_FAILED;
	return b->skipped ? RESULT_SKIPPED : RESULT_DONE;
}

void joust_fail(struct joust *b, const char *format, ...)
{
	va_list args;

	if (b->failed)
		return;
	b->failed = true;
	va_start(args, format);
	(void)vsnprintf(b->text, sizeof(b->text), format, args); /* long texts are cut */
	va_end(args);
}

void joust_skip(struct joust *b, const char *reason)
{
	if (b->state != STATE_SETUP) {
		joust_fail(b, "joust_skip after JOUST_LOOP was reached");
		return;
	}
	if (b->failed || b->skipped)
		return;
	b->skipped = true;
	(void)snprintf(b->text, sizeof(b->text), "%s", reason);
}

const char *joust_param(struct joust *b, const char *key)
{
	const struct joust_case *c = b->bench->of;

	for (size_t i = 0; i < c->axes_cnt; i++)
		if (!strcmp(c->axes[i].key, key))
			return b->bench->values[i];
	joust_fail(b, "no parameter \"%s\"", key);
	return "";
}

long joust_param_long(struct joust *b, const char *key)
{
	const char *text = joust_param(b, key);
	long value = 0;

	if (!b->failed && joust_parse_long(text, LONG_MIN, LONG_MAX, &value) < 0)
		joust_fail(b, "parameter \"%s\" is \"%s\", not a number", key, text);
	return value;
}

uint64_t joust_size(struct joust *b)
{
	if (!b->bench->size)
		joust_fail(b, "it has no sizes");
	return b->bench->size;
}

/* digest * prime modulo 2^128, in 64-bit pieces: not every target has a 128-bit type */
static void fnv_multiply(uint64_t digest[static 2])
{
	uint64_t low = (digest[1] & 0xffffffffu) * FNV_PRIME_LOW;
	uint64_t mid = (digest[1] >> 32) * FNV_PRIME_LOW + (low >> 32);

	digest[0] = digest[0] * FNV_PRIME_LOW + (mid >> 32) + (digest[1] << 24);
	digest[1] = (mid << 32) | (low & 0xffffffffu);
}

void joust_digest(struct joust *b, const void *data, size_t len)
{
	const unsigned char *p = data;

	if (b->state == STATE_LOOP) {
		/* how often a loop runs is no property of the code under test */
		joust_fail(b, "joust_digest inside JOUST_LOOP");
		return;
	}
	b->has_digest = true;
	for (size_t i = 0; i < len; i++) {
		b->digest[1] ^= p[i];
		fnv_multiply(b->digest);
	}
}
