/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors_table.h"

#include <string.h>

static const struct vector_group groups[] = {
	{"a_median_ci", check_a_median_ci,
	 "ranks exact; lo, hi, median exact (same doubles); attained rel 1e-12"},
	{"a_min_n", check_a_min_n, "exact"},
	{"b_bootstrap_median", check_b_bootstrap_median,
	 "lo in [lo_min, lo_max], hi in [hi_min, hi_max] for any seed (4.5 sigma); spec_prng.lo/hi "
	 "rel 1e-12 when the specified generator is used"},
	{"c_maxt", check_c_maxt,
	 "estimate, se: rel 1e-10 (abs 1e-14); crit in [crit_min, crit_max] for any seed; t05/t95 "
	 "within their *_tol; spec_prng.crit rel 1e-9 when the specified generator is used; se is "
	 "exactly 0 where given as 0"},
	{"d_tost", check_d_tost,
	 "rel 1e-9 (p-values rel 1e-8, abs 1e-300); equivalent, superiority exact"},
	{"e_scaling", check_e_scaling, "rel 1e-10, abs 1e-13"},
	{"f_kendall", check_f_kendall, "s exact; rel 1e-10; p rel 1e-8; method, trend exact"},
	{"g_describe", check_g_describe, "rel 1e-12, abs 1e-15; counts exact"},
	{"g_quantile", check_g_quantile, "rel 1e-13"},
	{"h_across", check_h_across, "exact"},
	{"h_conf_sequence", check_h_conf_sequence, "exact"},
	{"h_duel_chain", check_h_duel_chain, "exact"},
	{"h_duel_measure", check_h_duel_measure, "exact; attained rel 1e-12"},
	{"h_evalue", check_h_evalue, "log_e rel 1e-9, abs 1e-9"},
	{"h_gs_bounds", check_h_gs_bounds, "reject_at, ranks exact; spent rel 1e-9"},
	{"h_gs_operating", check_h_gs_operating, "rel 1e-9, abs 1e-13"},
	{"h_stage", check_h_stage, "exact"},
	{"h_stage_rule", check_h_stage_rule, "exact"},
	{"i_power_sign", check_i_power_sign, "c exact; rel 1e-8"},
	{"i_power_t", check_i_power_t, "d_approx rel 1e-9; d_exact rel 1e-6 (optional)"},
	{"j_betainc", check_j_betainc, "rel 1e-10"},
	{"j_binom", check_j_binom, "rel 1e-11, abs 1e-300"},
	{"j_pnorm", check_j_pnorm, "rel 1e-11"},
	{"j_pt", check_j_pt, "rel 1e-10"},
	{"j_qnorm", check_j_qnorm, "rel 1e-12, abs 1e-15"},
	{"j_qt", check_j_qt, "rel 1e-9"},
	{"k_prng_double", check_k_prng_double, "exact"},
	{"k_prng_index", check_k_prng_index, "exact"},
	{"k_prng_key", check_k_prng_key, "exact"},
	{"k_prng_shuffle", check_k_prng_shuffle, "exact"},
	{"k_prng_u64", check_k_prng_u64, "exact (decimal strings of unsigned 64-bit)"},
};

const struct vector_group *vectors_find(const char *group)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (strcmp(groups[i].name, group) == 0)
			return &groups[i];
	return NULL;
}
