#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Control groups as the engine uses them, on this host's kernel: peak memory, limits, ends, leftovers. A
# few comparisons of peak memory; `make check-peak` makes 200 of each.
cd "${TMPDIR:-/tmp}" || exit 1
"$JOUST_OUT/vm/amd64/cgroup_proofs" "${1-3}"
status=$?
[ $status -eq 77 ] || exit $status
