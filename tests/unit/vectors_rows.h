/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Matrices and strata of reference vectors. */
#include "vectors.h"

/* A matrix of at most `room` numbers, row by row to x; false when its rows differ in length. */
bool vector_matrix(const cJSON *matrix, double *x, size_t room, size_t *ret_rows,
		   size_t *ret_columns);

/*
 * in.strata as numbers in the sorted order of the labels, which out.strata must be unless the case
 * wants an error; returns how many.
 */
size_t vector_strata(const struct vector *v, unsigned char *ret, size_t room);

/* out[key], an array of cnt numbers or one number, close to got[0..cnt). */
void vector_close_list(const struct vector *v, const char *key, const double *got, size_t cnt,
		       double rel, double abs);
