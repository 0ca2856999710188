#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Is what BPF records true? A few repetitions of each proof; more by hand: the program's argument.
: "${JOUST_OUT:?is not set: run the tests with make check-root}"

program=$JOUST_OUT/tests/root/interference_proofs
if [ ! -x "$program" ]; then
	echo '1..0 # SKIP this tree was built without BPF (NO_BPF)'
	exit 0
fi
"$program" 3
code=$?
[ "$code" -ne 77 ] || code=0
exit "$code"
