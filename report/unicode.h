/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Just enough of UTF-8 and of Unicode's categories to print a stranger's text. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The first code point of s[0..len), len >= 1: bytes taken (1..4), or 0 when they are not UTF-8
 * (overlong forms, surrogates and values above U+10FFFF included).
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *ret_cp);

/*
 * Never shown raw: control (Cc), format (Cf: bidi, zero-width), separators (Zl, Zp), private (Co),
 * surrogates, noncharacters and the invisible plane 14. Unassigned code points pass: which ones
 * they are changes with every version of Unicode.
 */
bool unicode_hidden(uint32_t cp);

/* Columns on a terminal: 0 combining, 2 East Asian wide and emoji, else 1. Simple ranges. */
size_t unicode_width(uint32_t cp);
