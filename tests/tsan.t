#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What has several threads, under the thread sanitizer; built by make tsan.

: "${JOUST_OUT:?is not set: run the tests with make tsan}"

# Its shadow memory has no room where the kernel puts mappings at more than 28 random bits.
still='setarch -R'
if ! $still true 2>/dev/null; then
	echo "1..0 # SKIP addresses cannot be made steady here: setarch -R is refused"
	exit 0
fi
TSAN_OPTIONS='halt_on_error=0 exitcode=66'
export TSAN_OPTIONS

number=0
check() {
	number=$((number + 1))
	if said=$($still "$@" 2>&1); then
		echo "ok $number - ${1##*/}"
	else
		echo "not ok $number - ${1##*/}: exit status $?"
		printf '%s\n' "$said" | head -n 80 | sed 's/^/# /'
	fi
}

echo 1..3
check "$JOUST_OUT/tests/unit/test_stats_maxt"
check "$JOUST_OUT/tests/unit/test_libjoust"
check "$JOUST_OUT/tests/cli/prog_worker" --test --filter '^threads: 2$'
