/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What becomes of a record at the end. */
#include "export.h"
#include "options.h"
#include "../../report/record.h"

/* Writes it to a file of joust's own. 0 or a negative errno, which has been said on stderr. */
int present_json(const struct record *rec, const char *path) MUST_CHECK;

/* To what --export-json names, which may be NULL; `held` as export_write has it. Returns the same. */
int present_export(const struct record *rec, const char *path, struct atomic_file *held) MUST_CHECK;

/* The report goes to stdout, or to stderr where the record is on stdout. */
void present_report(const struct record *rec, const struct options *opt);
