#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Every sample of a command and every block of a function benchmark runs in fresh processes: as many
# as the kernel saw executed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

strace -f -e trace=execve -o "$tmp/try" true 2>"$tmp/err"
grep -q 'execve(.*) = 0' "$tmp/try" 2>/dev/null || skip_all "strace cannot trace a program here"
plan 15

# traced ARGUMENT...: compares under strace, to $tmp/execs; -s shows paths whole. Without a sandbox,
# where a copy is executed under its own name.
traced() {
	run strace -f -qq -e trace=execve -s 4096 -o "$tmp/execs" "$JOUST_BIN" compare --sandbox none --timeout 60 "$@"
}

# execs ERE: successful executions of a program whose path matches. One that another thread's line
# interrupts is "<unfinished ...>", then "resumed".
execs() {
	awk -v ere="execve\\(\"[^\"]*$1\"" '
		$0 ~ ere && / = 0$/ { cnt++ }
		$0 ~ ere && /<unfinished/ { open[$1] = 1 }
		/execve resumed/ && / = 0$/ && open[$1] { cnt++ }
		/execve resumed/ { delete open[$1] }
		END { print cnt + 0 }' "$tmp/execs"
}

# Copies of a program are named .joust-slot-PID-ID-GENERATION-...: the first generation is looked at before
# stage 1, each block makes one of its own.
looks='/[.]joust-slot-[0-9]+-[0-9]+-1-[-0-9]+'
samples='/[.]joust-slot-[0-9]+-[0-9]+-([2-9]|[1-9][0-9]+)-[-0-9]+'

# lost: blocks of the last run that the host spoiled; their processes count too
lost() {
	record '[.benchmarks[].lost] | add'
}

bench_project "$tmp/function" 20000 80000
cd "$tmp/function" || exit 1
traced --limit 100% --max-blocks 12
is "$status" 1 "a regression of a function benchmark, under strace"
is "$(lost)" 0 "no block was lost"
blocks=$(record '.benchmarks[0].blocks | length')
stages=$(record '[.benchmarks[0].blocks[].stage] | unique | tojson')
is "$stages" "[0,1,2,3]" "planning and three stages"
is "$(execs '/bench')" 2 "listed once a side"
# The baseline to calibrate, the candidate once cold, then both to time a start.
is "$(execs "$looks")" 4 "four processes before the first block"
is "$(execs "$samples")" $((2 * blocks)) "a fresh process of each side for $blocks blocks"
is "$(record '[.benchmarks[].blocks[] | .baseline.pid, .candidate.pid] | length == (unique | length)')" \
	true "the record has as many"

new_repo "$tmp/command" && cd "$tmp/command" || exit 1
cp "$JOUST_OUT/tests/cli/prog_burn" burn
cat >joust.conf <<-END
	[benchmark "burn"]
		command = ./burn 1
END
commit . first
echo 'changed' >changed
traced --pairs 3 --blocks 12
is "$(record '.benchmarks[0].verdict != "error"')" true "a command, under strace"
is "$(lost)" 0 "no block was lost"
blocks=$(record '.benchmarks[0].blocks | length')
is "$(record '[.benchmarks[0].blocks[].pairs | length] | unique | .[]')" 3 "3 pairs a block"
# Up to three looks at what it costs (one if that is long), three at what its dynamic loader costs
# and one a side at what the loader maps.
like "$(execs "$looks")" '^[678]$' "six to eight processes before the first block"
is "$(execs "$samples")" $((2 * 3 * blocks)) "a fresh process for each sample of $blocks blocks"
is "$(execs '/burn')" 0 "the built program itself never runs"

traced --pairs 1 --blocks 12 --base HEAD --candidate HEAD --force -- sh -c 'exec true'
blocks=$(record '.benchmarks[0].blocks | length')
is "$(record '.benchmarks[0].verdict != "error"')" true "a program outside of the tree"
like $(($(execs '/sh') - 2 * blocks)) '^[678]$' "is started as often"
