/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* --help and --version, generated from the tables of verbs and options. At most 100 columns. */
#include <stdio.h>
#include "options.h"

void help_print(FILE *out, const struct options *o);
void help_version(FILE *out);
