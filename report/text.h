/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * Hostile text on its way to a terminal, and numbers as people read them. Numbers have a '.' in any
 * environment, because joust never calls setlocale: printf stays in the "C" locale.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes s[0..len) so that nothing reaches the terminal raw: C0, DEL, C1, bidi and zero-width
 * characters and invalid UTF-8 bytes become \xNN or \u{NNNN}; a newline becomes \n (two
 * characters). "##[" becomes ##\x5b, for GitHub's runner obeys it anywhere in a log. Idempotent on
 * what it writes: a backslash stays as it is.
 */
void text_escape(FILE *out, const char *s, size_t len);

/* The same into a new string; NULL when memory is out. */
char *text_escaped(const char *s);

/* Columns that `s` takes on a terminal after escaping. */
size_t text_width(const char *s);

/*
 * 1..256 bytes of valid UTF-8 without control, format, surrogate, separator or private characters.
 * Whether it is in form NFC is not looked at: that would need Unicode's tables, and so a library.
 * *ret_why (may be NULL) becomes a static fragment such as "it is empty".
 */
bool text_name_valid(const char *s, const char **ret_why);

/*
 * Shell quoting such that copy and paste is inert: plain, '...', or $'...' (bash, zsh, ksh, POSIX
 * 2024) where the text has bytes that text_escape would not let through.
 */
void text_shell_quote(FILE *out, const char *s);

/* "112.4 us", "1.52 ms", "9.3 s" */
void text_duration(FILE *out, double ns);

/*
 * A measured value with four significant digits: "112.4 us" for unit "ns", "1.500 MB" for "B" (of
 * 1000), else "1.521e+06".
 */
void text_value(FILE *out, double value, const char *unit);

/* Edit distance based nearest of names[0..n); NULL when nothing is near. */
const char *text_nearest(const char *word, const char *const *names, size_t n);
/* The same; names[i] that begins with `word`, of two letters or more, comes before what is near. */
const char *text_meant(const char *word, const char *const *names, size_t n);
