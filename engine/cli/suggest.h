/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What someone who typed a name that does not exist has probably meant. */
#include <stddef.h>
#include "option_table.h"

/* The nearest option of `verb`, without dashes; NULL when nothing is near. */
const char *suggest_option(const char *word, enum verb verb);

/* The nearest verb; NULL when nothing is near. */
const char *suggest_verb(const char *word);

/*
 * What to use in place of a name that other tools have ("runs", "r"), without its dashes: "use
 * --blocks N"; NULL: not a name we know from elsewhere.
 */
const char *suggest_neighbour_option(const char *word);
/* The same for a name that is only near to one of them. */
const char *suggest_misspelt_neighbour(const char *word);
const char *suggest_neighbour_verb(const char *word);
