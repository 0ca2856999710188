#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Benchmarks that take next to nothing, and longer than there is time for.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 8

# --- too short for any clock: many iterations are one sample
bench_project "$tmp/short" 0
cd "$tmp/short" || exit 1
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status $(record '.benchmarks[0].verdict')" "0 same" "a loop that does nothing is compared"
is "$(record '.benchmarks[0].plan | .iterations > 1000 and .slice_ns > 1000')" true \
	"by many iterations in a slice"
is "$(record '[.benchmarks[0].blocks[].pairs[] | .baseline, .candidate | .cpu_ns, .wall_ns] |
	all(. > 0)')" true "none of which took no time"

# --- longer than the budget: the round that was begun is the last, and nothing is judged
cat >joust.conf <<-END
	[benchmark "long"]
		command = sh -c 'sleep 0.5'
END
commit . long
joust compare --base HEAD --candidate HEAD --force --pairs 1 --max-time 0.01
is "$status $(record '.benchmarks[0].verdict')" "0 undecided" "what takes too long is undecided"
like "$out" 'max-time was over before it was settled' "that is said"
like "$out" '^Next: .*--max-time' "with what to do about it"
is "$(record '.benchmarks[0].blocks | length')" 1 "after one block"
joust compare --base HEAD --candidate HEAD --force --pairs 1 --max-time 0.01 --strict
is "$status" 2 "under --strict that is 2"
