#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# The coins of recorded runs: those of the seed, and obeyed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 13

# check NAME: the record of the run just made
check() {
	is "$(record '[.benchmarks[].blocks[] | select(.lost == null)] | length > 0')" true "$1: has blocks"
	is "$(record '.benchmarks | map(.plan as $plan | .blocks | map(select(.lost == null)) | all(
		(if .stage == 0 then $plan.planning.pairs else $plan.pairs end) as $m |
		.coins.majority as $side | [.pairs[] | select(.first == $side)] | length == ($m + 1) / 2)) |
		all')" true "$1: the majority's side goes first in (m+1)/2 pairs of each block"
	record '.seed as $seed | .benchmarks[] | .name as $name | .plan as $plan | .blocks[] |
		(if .stage == 0 then $plan.planning.pairs else $plan.pairs end) as $m |
		"\($seed) \(.stage) \(.slot) \($m) \($name)"' >"$tmp/blocks"
	record '.benchmarks[].blocks[] | (.coins |
		"\(.spawned_first) \(.majority) \(.arrangement) \(.slot0) \(.leaf0) \(.low_fds):") +
		([.pairs[].first | " " + .] | add)' >"$tmp/recorded"
	"$JOUST_OUT/tests/cli/prog_coins" <"$tmp/blocks" >"$tmp/computed"
	is "$(diff "$tmp/recorded" "$tmp/computed")" "" "$1: all coins are those of the seed"
	is "$(record '[.benchmarks[] | .blocks | group_by(.stage)[] | [.[] | select(.lost == null).slot] ==
		[range(0; length)]] | all')" true "$1: slots count from 0 in each stage"
}

bench_project "$tmp/coins" 20000 80000
cd "$tmp/coins" || exit 1
with_benchmark . second
joust compare --limit 100% --max-blocks 12
is "$status" 1 "a regression, by default pairs"
check "functions"
is "$(record '[.benchmarks[0].blocks[].stage] | unique | tojson')" "[0,1,2,3]" \
	"they cover the planning and three stages"
is "$(record '[.benchmarks[].blocks[] | .coins | [.spawned_first, .majority, .slot0]] | unique | length > 4')" \
	true "and many outcomes"
joust compare --limit 100% --blocks 12 --pairs 5 --force --base HEAD -- true
is "$status" 0 "a command"
check "commands"
is "$(record '[.benchmarks[].blocks[] | [.pairs[].first]] | unique | length > 4')" true \
	"pairs come in many orders"
