/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Which function checks a group of reference vectors, and how closely. */
#include "vectors.h"

struct vector_group {
	const char *name;
	void (*check)(const struct vector *v);
	const char *tolerance; /* as a file of the group must state it: the check has it built in */
};

/* NULL: no kernel for a group of this name. */
const struct vector_group *vectors_find(const char *group);

/* Why a file (NULL: unread) is none of this group (NULL: unknown) as its check expects; NULL: it is. */
const char *vectors_refused(const cJSON *root, const struct vector_group *group);

void check_a_median_ci(const struct vector *v);
void check_a_min_n(const struct vector *v);
void check_b_bootstrap_median(const struct vector *v);
void check_c_maxt(const struct vector *v);
void check_d_tost(const struct vector *v);
void check_e_scaling(const struct vector *v);
void check_f_kendall(const struct vector *v);
void check_g_describe(const struct vector *v);
void check_g_quantile(const struct vector *v);
void check_h_across(const struct vector *v);
void check_h_conf_sequence(const struct vector *v);
void check_h_duel_chain(const struct vector *v);
void check_h_duel_measure(const struct vector *v);
void check_h_evalue(const struct vector *v);
void check_h_gs_bounds(const struct vector *v);
void check_h_gs_operating(const struct vector *v);
void check_h_stage(const struct vector *v);
void check_h_stage_rule(const struct vector *v);
void check_i_power_sign(const struct vector *v);
void check_i_power_t(const struct vector *v);
void check_j_betainc(const struct vector *v);
void check_j_binom(const struct vector *v);
void check_j_pnorm(const struct vector *v);
void check_j_pt(const struct vector *v);
void check_j_qnorm(const struct vector *v);
void check_j_qt(const struct vector *v);
void check_k_prng_double(const struct vector *v);
void check_k_prng_index(const struct vector *v);
void check_k_prng_key(const struct vector *v);
void check_k_prng_shuffle(const struct vector *v);
void check_k_prng_u64(const struct vector *v);
