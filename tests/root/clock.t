#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Somebody sets the clock, or the host sleeps, while joust measures.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

shim=$JOUST_OUT/tests/root/preload_clock.so
[ -e "$shim" ] || skip_all "there is no $shim: run make check-root"
plan 10

bench_project "$tmp/clock" 20000 80000
cd "$tmp/clock" || exit 1

# with_clock MODE
with_clock() {
	# shellcheck disable=SC2086
	run env LD_PRELOAD="$shim" PRELOAD_CLOCK="$1" "$JOUST_BIN" compare $fast
}

with_clock wall
is "$status" 1 "the time of day jumps: the verdict stands"
is "$(record '.started[:4] | tonumber > now / 31557600 + 1970')" true "the record has the time that it was told"
is "$(record '.benchmarks[0].metrics.cpu.verdict')" slower "by the same metric"
is "$(record '.seconds > 0 and .seconds < 3600')" true "how long it took is no difference of such times"
is "$(record '[.benchmarks[0].blocks[] | .at_ns, .baseline.start_ns, (.pairs[] | .baseline, .candidate |
	.wall_ns[], .cpu_ns[])] | all(. >= 0 and . < 3600e9)')" true "and no time is negative"
is "$(record '[.benchmarks[0].blocks[].lost] | unique | tostring')" '[null]' "no block is lost"

with_clock sleep
is "$status" 1 "the host sleeps: the verdict stands"
is "$(record '[.benchmarks[0].blocks[].lost | values] | unique | tostring')" '["suspended"]' \
	"the block in which it slept is lost"
is "$(record '.benchmarks[0].lost')" 1 "it alone"
is "$(record '.benchmarks[0].blocks as $all | $all[] | select(.lost) | .stage as $stage | .slot as $slot |
	[$all[] | select(.stage == $stage and .slot == $slot and .lost == null)] | length')" 1 \
	"and is taken again in its slot"
