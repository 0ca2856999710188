#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# Work that the clock of a worker does not see is no time that could be judged: nobody waited for it, or
# the clock is wrong.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 7

new_repo "$tmp/shirk" && cp "$JOUST_OUT/tests/cli/prog_shirk" "$tmp/shirk/bench" || exit 1
cd "$tmp/shirk" || exit 1
printf '[benchmark "%s"]\n\tworker = bench\n' shirk short >joust.conf
echo 100000 >work.txt
echo clock >how.txt
commit . first

# missing METRIC: why it has no number
missing() {
	record ".benchmarks[0].metrics.$1.missing"
}

joust compare --filter "^shirk$" --force -v --limit 1000% --max-blocks 9 --pairs 1
is "$(missing cpu)" counter-mismatch "a clock that is slow is not believed"
is "$(missing cpu_total)" counter-mismatch "nor its sum over a window"
is "$(record '.benchmarks[0].verdict')" undecided "there is no verdict"

echo orphan >how.txt
commit . orphan
joust compare --filter "^shirk$" --force -v --limit 1000% --max-blocks 9 --pairs 1
case $(record .host.cgroup) in
*'kill v2'*)
	is "$(missing cpu)" unwaited-processes "the work of a child that nobody waits for is missed"
	is "$(record '.benchmarks[0].verdict')" undecided "there is no verdict"
	like "$out" 'processes that nobody waited for' "and it is said why"
	;;
*)
	for what in child verdict why; do
		skip "$what" "only a cgroup of version 2 has a clock of its own"
	done
	;;
esac

# What a thread uses for its end is in the clock of the group alone.
joust compare --filter '^short$' --force -v --limit 1000% --max-blocks 9 --pairs 1
is "$(missing cpu)" null "threads that end in every iteration are no processes that nobody waited for"
