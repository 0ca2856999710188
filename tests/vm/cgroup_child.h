/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* What children do in the engine's groups: cgroup_proofs --child WHAT [MIB [MIB]]. */

#define CGROUP_CHILD_FILE                                                                          \
	"cgroup_proofs.data" /* in the working directory: the big input of "file" */

/* arg: WHAT and what follows it, with a NULL at the end. */
_Noreturn void cgroup_child(char **arg);
