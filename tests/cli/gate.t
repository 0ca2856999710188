#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The gate over real workers. Nothing here hangs on how quiet the machine is: on a busy one more is
# rejected, and in the end the verdict is "undecided".
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 12

bench_project "$tmp/gate" 20000 20000
cd "$tmp/gate" || exit 1
joust compare --force --pairs 3 --max-blocks 12
is "$(record .gate)" null "no gate by default"
is "$(record '[.benchmarks[0].blocks[] | .rejected | length] | add')" 0 "everything is kept"
is "$(record '[.benchmarks[0].blocks[].pairs[].canary_ns] | unique | tojson')" "[null]" "without canaries"

cat >>joust.conf <<-END
	[project]
		gate = canary
		gate = switches
END
joust compare --force --pairs 3 --max-blocks 12
is "$status" 0 "equal versions"
like "$(record '.benchmarks[0].verdict')" '^(same|undecided|faster)$' "are no regression"
is "$(record .gate)" "canary switches" "the record names the rules"
is "$(record '[.benchmarks[0].blocks[] | select(.stage > 0) | .pairs[] | .baseline, .candidate |
	.values.involuntary_switches | select(. != 0)] | length')" 0 "no window that was switched away is kept"
is "$(record '[.benchmarks[0].blocks[].pairs[].canary_ns | length == 2 and .[0] > 0 and .[1] > 0] | all')" \
	true "canaries beside every pair"
is "$(record '[.benchmarks[0].blocks[].rejected[] | .why] - ["slow-canary", "switched"] | length')" 0 \
	"what was rejected says why"
is "$(record '[.benchmarks[0].blocks[] | select(.lost == null and .stage > 0) |
	([.pairs[].place] + [.rejected[] | select(.attempt == 3) | .pair] | sort) == [0, 1, 2]] | all')" true \
	"every pair was kept or tried four times"
is "$(record '[.benchmarks[0].blocks[] | select(.lost == "gated") | .pairs | length] | unique - [0] | length')" \
	0 "a block is lost to the gate where nothing was kept"

joust compare --force --pairs 3 --max-blocks 12 --base HEAD --candidate HEAD -- true
like "$out" 'the gate.s rule "switches" has nothing to look at' "a rule that is blind to a command says so"
