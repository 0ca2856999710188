#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every fuzz target takes its seeds and what replay.c makes of them.

: "${JOUST_OUT:?is not set: run the tests with make check-fuzz}"
# shellcheck source=tests/fuzz/seeds.sh
. "$(dirname "$0")/seeds.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
HOME=$tmp
TMPDIR=$tmp
export HOME TMPDIR

set -- "$here"/fuzz_*.c
echo "1..$#"
number=0
for source; do
	number=$((number + 1))
	name=$(basename "$source" .c)
	if seeds=$(seeds_of "${name#fuzz_}" "$tmp/$name" "$JOUST_OUT") && [ -n "$seeds" ] &&
		(
			IFS='
'
			# shellcheck disable=SC2086 # a list of files
			"$JOUST_OUT/tests/fuzz/$name" 500 $seeds
		) >"$tmp/said" 2>&1; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		head -n 60 "$tmp/said" | sed 's/^/# /'
	fi
done
