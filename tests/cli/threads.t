#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# A change that makes threads wait for each other costs no CPU time, and must fail all the same.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 8

project=$tmp/contend
new_repo "$project" && cp "$JOUST_OUT/tests/cli/prog_contend" "$project/bench" || exit 1
printf '[benchmark "contend"]\n\tworker = bench\n' >"$project/joust.conf"
echo 1000 >"$project/hold.txt"
commit "$project" first || exit 1
git -C "$project" checkout -q -b change && echo 8000 >"$project/hold.txt" && commit "$project" change || exit 1
cd "$project" || exit 1

# CPU time may be anything on a busy machine: it is not to decide here.
joust compare --limit 1000% --limit wall=200% --max-blocks 12 --pairs 1
is "$status" 1 "a longer hold of the lock is a regression"
is "$(record '.benchmarks[0].metrics.wall.verdict')" slower "of elapsed time"
is "$(record '.benchmarks[0].metrics.wall.judged')" true "which is judged because there are threads"
unlike "$(record '.benchmarks[0].metrics.cpu.verdict')" slower "not of CPU time"
like "$out" 'regressed .*contend .*wall' "the report says so"
is "$(record '[.benchmarks[0].blocks[].pairs[] | .baseline.threads, .candidate.threads | length] | unique | tostring')" '[2]' \
	"both threads have a row in every half"
if [ "$(record .host.interference)" = bpf ]; then
	is "$(record '.benchmarks[0].metrics.blocked | .candidate > 2 * .baseline')" true \
		"blocked time explains it"
	is "$(record '.benchmarks[0].metrics.blocked.judged')" false "and is not judged"
else
	skip "blocked time explains it" "no BPF here: $(record .host.interference_missing)"
	is "$(record '.benchmarks[0].metrics.blocked.missing')" no-bpf "without BPF it says why it lacks"
fi
