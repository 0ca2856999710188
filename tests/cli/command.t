#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are those of scripts and of jq

# Command benchmarks: a fresh process for every sample.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 64

# hurry ARGUMENT...: one block
hurry() {
	joust compare --max-time 0.001 "$@"
}

# outcome: verdict, reason, side and detail of the first benchmark
outcome() {
	record '.benchmarks[0] | .verdict, .reason, .side, .detail' | tr '\n' ' '
}

new_repo "$tmp/command" && cd "$tmp/command" || exit 1
cp "$JOUST_OUT/tests/cli/prog_burn" burn
cat >joust.conf <<-END
	[benchmark "burn"]
		command = ./burn 8
	[benchmark "child"]
		command = sh ./child
END
echo './burn 8; true' >child
commit . first
echo './burn 100; true' >child # far above what starting costs, which load multiplies

# --- the plan
hurry --filter burn --seed 3
is "$status" 0 "one block of a command"
is "$(record '.benchmarks[0] | .kind, .command' | tr '\n' ';')" "command;./burn 8;" "it is one"
is "$(record '.benchmarks[0].plan | .iterations, .slices' | tr '\n' ' ')" "1 1 " "a sample is one process"
is "$(record '.benchmarks[0].plan | (.planning.pairs // .pairs) == (.slice_ns / 1e6 |
	if . <= 5 then 9 elif . <= 50 then 5 elif . <= 500 then 3 else 1 end)')" true \
	"pairs follow from what a process costs"
is "$(record '.benchmarks[0] | .plan.pairs as $m | .blocks | map(select(.stage > 0)) |
	all(.pairs | length == $m)')" true "a block has as many as planned"
is "$(record '.benchmarks[0].plan | .planning == null or .pairs == .planning.pairs or
	(.pairs > .planning.pairs and .planning.predicted)')" true "more than that only by planning"
hurry --filter burn --pairs 3 --limit page_faults=1000
is "$(record '.benchmarks[0].blocks[0].pairs | length')" 3 "--pairs says how many"
like "$(record '.notes[]')" '^--limit page_faults=... had no effect: .*--judge page_faults' \
	"a limit that nobody is judged by is said"
is "$(record '.benchmarks[0].metrics | .instructions.missing, .cycles.missing' | sort -u)" \
	not-for-commands "counters do not exist for commands"
exits 0 "run measures one side, with any number of blocks" run --blocks 1 --pairs 1 --filter burn
is "$(record '.benchmarks[0].blocks | length')" 1 "as many as it was told"
is "$(jq -r .verb "$XDG_STATE_HOME"/joust/command-*/last.json)" compare "and leaves the record of the last comparison"
joust run --blocks 3 --pairs 1 --filter burn --dry-run
like "$out" '^  burn: 3 blocks of 1 pair, ' "its plan has so many blocks"
unlike "$out" 'baseline|if nothing changed' "and no second side"
exits 0 "list" list
is "$out" "burn
child" "names them"

# --- the CPU time
hurry --filter burn --pairs 3
ok "CPU time is what the process used since its exec" \
	jq -e '[.benchmarks[0].blocks[].pairs[] | .baseline.values.cpu, .candidate.values.cpu |
		. >= 8e6 and . < 500e6] | all' "$XDG_STATE_HOME"/joust/command-*/last.json
quickly 1 "a child of the command that does more is a regression" --filter child
ok "its CPU time counts" jq -e '[.benchmarks[0].blocks[].pairs[].candidate.values.cpu >= 100e6] | all' \
	"$XDG_STATE_HOME"/joust/command-*/last.json

# --- work of processes that it does not wait for, which wait4 does not have
cat >joust.conf <<-'END'
	[benchmark "reaped by the kernel"]
		command = sh ./reaped
	[benchmark "orphan"]
		command = sh ./orphan
END
echo './burn 8 away' >reaped
echo '(./burn 8 &) | cat' >orphan # until the pipe has no writer
commit . unwaited
echo './burn 100 away' >reaped
echo '(./burn 100 &) | cat' >orphan
hurry --pairs 1
case $(record .host.cgroup) in
*"kill v2"*)
	is "$(record '.benchmarks[] | .verdict, .reason' | tr '\n' ' ')" \
		"undecided not-measured undecided not-measured " "such a command is not judged by the rest"
	is "$(record '.benchmarks[].metrics.cpu | .missing, .candidate' | tr '\n' ' ')" \
		"unwaited-processes null unwaited-processes null " "it has no CPU time, for this reason"
	unlike "$(record '.notes[]')" 'does not wait for' "the record does not say that nobody looked"
	;;
*)
	skip "such a command is not judged by the rest" "no cgroup of version 2 here"
	skip "it has no CPU time, for this reason" "no cgroup of version 2 here"
	is "$(record '[.notes[] | select(test("does not wait for"))] | length')" 1 \
		"the record says once that nobody looked"
	;;
esac

# --- its output
cat >joust.conf <<-'END'
	[benchmark "output"]
		command = sh ./output
END
cat >output <<-'END'
	head -c 3000000 /dev/zero
	[ "$(readlink /proc/$$/fd/1)" = /dev/null ] || exit 5
	[ "$(readlink /proc/$$/fd/0)" = /dev/null ] || exit 6
	[ ! -e /proc/$$/fd/3 ] || [ "$(readlink /proc/$$/fd/3)" = "$PWD/output" ] || exit 7
	[ "$HOME $LANG $TZ" = "/dev/null C.UTF-8 UTC" ] || exit 8
	[ -z "${MINE+set}" ] || exit 9
	[ "$(ulimit -c)" = 0 ] || exit 10
END
commit . output
sed -i 's/3000000/3000001/' output
MINE=1
export MINE
hurry --pairs 1
unset MINE
is "$status $(outcome)" "0 undecided null null null " \
	"stdin and stdout are /dev/null, the environment is joust's, nothing is dumped"

# --- ends
echo 'echo broken >&2; exit 3' >output
hurry
is "$status $(outcome)" "3 error exit-status candidate exit status 3 " "the candidate fails"
like "$out" '^  ! error      output  candidate: .*exit status 3' "the report says so"
like "$out" '^  \| broken' "with the end of its stderr"
unlike "$out" 'dynamic loader' "and no share of what was not measured"
commit . broken
echo 'true' >output
hurry
is "$status $(outcome)" "3 error exit-status baseline exit status 3 " "the baseline fails"
hurry --base HEAD --candidate HEAD --force
is "$status $(record '.benchmarks[0].verdict')" "3 error" "both fail"
commit . mended
echo 'kill -SEGV $$' >output
hurry
is "$status $(outcome)" "3 error signal candidate SIGSEGV " "a signal"
echo 'exec sleep 60' >output
hurry --timeout 3
is "$status $(outcome)" "3 error timeout candidate null " "a command that hangs"
is "$(processes_in "$XDG_CACHE_HOME")" "" "is killed"
echo "(setsid sleep 60 & echo yes >$shared/left); true" >output
hurry
is "$status $(outcome)" "3 error left-processes candidate null " "a command that leaves a process"
ok "it had started" [ -s "$shared/left" ]
is "$(processes_in "$XDG_CACHE_HOME")" "" "nothing is left"
rm output
hurry
is "$status $(outcome)" "3 error exit-status candidate exit status 2 " "a script that is missing"

# --- programs
rm joust.conf
hurry --base HEAD -- ./burn 1
is "$(record '.benchmarks[0].name')" "./burn 1" "a command line is a benchmark"
like "$(record '.notes[]')" '"./burn 1": about [0-9]+ % of its CPU time is the dynamic loader' \
	"the loader's share is said of a small dynamic program"
ok "and recorded" jq -e '.benchmarks[0].plan.loader_share > 0.1' "$XDG_STATE_HOME"/joust/command-*/last.json
hurry --base HEAD -- sh -c true
is "$status" 0 "a program in PATH"
joust list -- sh -c 'echo "$HOME" * it'"'s" '' 'a\b'
is "$out" "sh -c 'echo \"\$HOME\" * it'\\''s' '' 'a\\b'" "and means the same words to a shell"
joust run --blocks 1 -- sh -c 'exit 3'
like "$out" '^  ! error  .*exit 3.?  the program failed: exit status 3' "where one version is measured it has no side"
hurry --base HEAD -- ./nonesuch
is "$status" 3 "a program that neither side has"
like "$err" 'nonesuch is on neither side' "is named"
cp burn extra
hurry --base HEAD -- ./extra 1
is "$status $(outcome)" "0 skipped new baseline null " "one that only the candidate has is new"
rm extra

# --- the program that the user's own PATH finds is another one
own=$tmp/own/bin
mkdir -p "$own" && cp burn "$own/true" && cp burn "$own/only-mine" && cp burn interpreted || exit 1
printf '#!/usr/bin/env true\n' >interpreted
commit . interpreted
old_path=$PATH
PATH=$own:$PATH
hurry --base HEAD --force -- true x
is "$status" 0 "a name is looked for in the PATH of commands"
like "$(record '.notes[]')" "^\"true x\": true is /(usr/)?bin/true,.* your own PATH finds $own/true\\." \
	"a note says that the user's own PATH finds another program"
like "$out" "\\[sandbox\\] read = $tmp/own\$" "and what lets the sandbox show that one"
hurry --base HEAD --force -- sh -c true
unlike "$(record '.notes[]')" 'your own PATH' "no note where it is the same"
hurry --base HEAD --force -- ./interpreted
like "$(record '.notes[]')" "true is /(usr/)?bin/true,.* your own PATH finds $own/true\\." \
	"nor is the program of a first line"
hurry --base HEAD --force -- only-mine
is "$status" 3 "what only the user's own PATH finds is on neither side"
like "$err" "your own PATH finds $own/only-mine: .*\\[sandbox\\] read = DIR" "with the remedy"
PATH=$old_path

# --- what lies outside of what the sandbox shows
hurry --base HEAD --force -- sh -c 'exec not-there'
is "$status $(outcome)" "3 error exit-status both exit status 127 " "a program that is not found in the sandbox"
like "$out" 'exit status 127: .*\[sandbox\], read = DIR' "is told how to be shown"
hurry --base HEAD --force -- sh -c 'exit 3'
unlike "$out" 'read = DIR' "another failure is not"
printf '#!%s/true\n' "$own" >interpreted
hurry --base HEAD --force -- ./interpreted
like "$out" '\[sandbox\], read = DIR' "so is an interpreter that is not shown"
rm interpreted

# --- limits
exits 0 "a limit that processes can hardly tell" compare --base HEAD --limit 1.01 --pairs 1 \
	--max-time 0.001 --force -- ./burn 8
like "$(record '.notes[]')" '"./burn 8".*limit.*1\.01.*1\.02' "is accepted with a warning"
exits 0 "one that they can" compare --base HEAD --limit 1.02 --pairs 1 --max-time 0.001 --force -- ./burn 8
unlike "$(record '.notes[]')" 'limit' "is not"
printf '[benchmark "conf"]\n\tcommand = ./burn 8\n\tlimit = 1.005\n' >joust.conf
hurry --force --base HEAD
like "$(record '.notes[]')" '"conf".*limit.*1\.005' "the limit of joust.conf is warned of too"
hurry --force --base HEAD --limit 1.5
unlike "$(record '.notes[]')" 'limit' "but not where a flag replaces it"
exits 0 "run has no limit" run --blocks 1 --pairs 1
unlike "$(record '.notes[]')" 'limit' "to warn of"
