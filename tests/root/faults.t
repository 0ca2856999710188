#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Faults that a run must survive, with control groups to hold and to count: each ends as its reason, the
# host is unharmed, the other benchmark is judged, and nothing is left.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

bench_project "$tmp/faults" 20000 20000
cd "$tmp/faults" || exit 1
cat >joust.conf <<-END
	[benchmark "faulty"]
		worker = bench
	[benchmark "work"]
		worker = bench
	[limits]
		memory = 256M
		pids = 32
END
commit . faulty
# shellcheck disable=SC2086
joust compare $fast --base main --filter '^work$'
case $(record .host.cgroup) in
*memory*pids*) ;;
*) skip_all "joust may use no cgroup with memory and pids here" ;;
esac
plan 46

# An engine cleans below its own group only: what others left elsewhere is none of ours.
others=$(find /sys/fs/cgroup -type d -name 'joust.*' 2>/dev/null)

# our_groups: groups of engines that are gone
our_groups() {
	find /sys/fs/cgroup -maxdepth 4 -type d -name 'joust.*' 2>/dev/null | while read -r dir; do
		pid=${dir##*/joust.}
		case $others in *"$dir"*) continue ;; esac
		[ -e "/proc/${pid%%.*}" ] || echo "$dir"
	done
}

# outcome NAME: verdict, reason and side of a benchmark
outcome() {
	record ".benchmarks[] | select(.name == \"$1\") | .verdict, .reason, .side" | tr '\n' ' '
}

# fails WHOSE FAULT REASON OPTION...: FAULT on one side or both; exit 3 by REASON, "work" is judged
fails() {
	whose=$1
	fault=$2
	reason=$3
	shift 3
	git checkout -q -f change && git clean -q -f
	case $whose in
	baseline) echo "$fault" >fault.txt && commit . baseline && echo none >fault.txt ;;
	candidate) echo none >fault.txt && commit . baseline && echo "$fault" >fault.txt ;;
	both) echo "$fault" >fault.txt && commit . baseline && echo changed >changed.txt ;;
	esac
	# shellcheck disable=SC2086
	joust compare $fast --base HEAD --timeout 20 "$@"
	side=$whose
	is "$status $(outcome faulty)" "3 error $reason $side " "$fault, $whose: $reason"
	is "$(record '.benchmarks[] | select(.name == "work") | .verdict')" same "the other is judged"
}

# --- F1, F2, F3: who fails is told
fails candidate "segv 6" signal
like "$out" 'candidate: the program died by a signal: SIGSEGV' "by its true name"
fails candidate "abort 6" signal
like "$out" 'candidate: the program died by a signal: SIGABRT' "that of abort"
fails baseline "exit" exit-status
like "$out" 'baseline: the program failed: exit status 3' "the baseline alone is another message"
fails both "exit 0 - last words" exit-status
like "$out" 'both sides: the program failed: exit status 3' "both are a third"
like "$(record '.benchmarks[] | select(.name == "faulty") | .stderr')" 'last words' "what it said last is kept"

# --- F4, F5: hangs, on the CPU and stopped
fails candidate "hang" timeout --timeout 2
fails candidate "spin" timeout --timeout 2
fails candidate "stop" timeout --timeout 2

# --- F6, F7, F8: too many processes, left processes, too much memory
fails candidate "bomb" pids-limit
like "$out" 'more processes and threads than its limit' "that is said"
like "$out" '^Next: .*\[limits\]' "with what to do about it"
fails candidate "daemon 0 $tmp/daemon" left-processes
fails candidate "eat" memory-limit
like "$out" 'more memory than its limit' "that is said"

# --- F9: a kill that is not ours loses the block
git checkout -q -f change && git clean -q -f
echo "kill 9" >fault.txt
# shellcheck disable=SC2086
joust compare $fast --base main --filter '^faulty$'
is "$(record '[.benchmarks[0].blocks[] | select(.lost) | .lost] | unique | .[]')" killed-by-system \
	"SIGKILL of somebody else loses the block"
like "$status $(outcome faulty)" '^3 error killed-by-system candidate' "a side that always dies is an error"

# --- F12, F13: a closed socket, output without end
fails candidate "close" worker-closed
git checkout -q -f change && git clean -q -f
echo none >fault.txt && commit . baseline && echo flood >fault.txt
# shellcheck disable=SC2086
run /usr/bin/env time -f '%M' "$JOUST_BIN" compare $fast --base HEAD --filter '^faulty$'
is "$status $(record '.benchmarks[0].verdict')" "0 same" "much output harms nobody"
like "$(record '.notes[]')" 'output-truncated' "that some of it is not kept is said"

fails candidate "shout 0 - first words" exit-status
is "$(record '.benchmarks[] | select(.name == "faulty") | .stderr |
	startswith("first words\n"), endswith("ythe end\n"), length < 140000' | tr '\n' ' ')" "true true true " \
	"of much output the beginning and the end are kept"
like "$(echo "$out" | cut -c1-1000)" '^  \| first words$' "the beginning is shown"
is "$(awk 'length > 1000' "$tmp/out" | wc -l)" 0 "and no long line whole"

is "$(our_groups)" "" "no group is left"
is "$(processes_in "$XDG_CACHE_HOME")" "" "no process is left"
is "$(left_overs)" "" "no file is left"

# --- F28: a killed engine's groups go at the next start
git checkout -q -f change && git clean -q -f
echo "wait 0 $shared/waits" >fault.txt
# shellcheck disable=SC2086
"$JOUST_BIN" compare $fast --base main --filter '^faulty$' >/dev/null 2>&1 &
engine=$!
wait_for [ -e "$shared/waits" ]
kill -KILL "$engine"
wait "$engine" 2>/dev/null
ok "a killed engine leaves groups" [ -n "$(our_groups)" ]
wait_for no_process_in "$XDG_CACHE_HOME"
is "$(processes_in "$XDG_CACHE_HOME")" "" "but no process"
echo none >fault.txt
# shellcheck disable=SC2086
joust compare $fast --base main --filter '^work$'
is "$status" 0 "the next run works"
is "$(our_groups)" "" "and cleans them"
