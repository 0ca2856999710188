#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# BPF programs that are gone in the middle of a run: what was seen before stays, and from then on the
# interference is unknown, never none. Which windows have it is asked, and no duration.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

mkdir "$tmp/programs" && cd "$tmp/programs" || exit 1
cp "$JOUST_OUT/tests/cli/prog_worker" new || exit 1
measure="run --candidate ./new --filter ^plain --pairs 5"

# shellcheck disable=SC2086
joust $measure --blocks 2
[ "$(record .host.interference)" = bpf ] ||
	skip_all "no BPF here: $(record .host.interference_missing)"
plan 8

# unloaded VARIABLE N ARGUMENT...: a run whose programs are taken off then
unloaded() {
	export LD_PRELOAD="$JOUST_OUT/tests/root/preload_unload.so" "$1=$2"
	variable=$1
	shift 2
	joust "$@"
	unset LD_PRELOAD "$variable"
}


# shellcheck disable=SC2086
unloaded UNLOAD_AT_ORDER 9 $measure --blocks 4
is "$status" 0 "a run whose programs are gone from the third block on"
like "$err" '[1-9][0-9]* programs taken off' "they were there before"
ok "before, something is known" [ "$(record '[.benchmarks[].blocks[:2][].pairs[].candidate.values.waiting] | any(. != null)')" = true ]
is "$(record '[.benchmarks[].blocks[2:][].pairs[].candidate.values.waiting] | unique | tostring')" \
	'[null]' "after, nothing is"
is "$(record '[.benchmarks[].blocks[2:][].pairs[].candidate.missing[] | select(.metric == "waiting") | .reason] | unique | tostring')" \
	'["events-lost"]' "and the record says why"

# The fourth round is that before the pairs of the second block.
# shellcheck disable=SC2086
unloaded UNLOAD_AT_ROUND 4 $measure --blocks 4
is "$status" 0 "a run whose programs are gone between two windows"
like "$err" '[1-9][0-9]* programs taken off' "they were there before"
is "$(record '[.benchmarks[].blocks[1].pairs[4].candidate.values.waiting, (.benchmarks[].blocks[2:][].pairs[].candidate.values.waiting)] | unique | tostring')" \
	'[null]' "from then on nothing is known"
