#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# Two runs on the same CPUs: the second waits for the first, says so, and then measures; an interrupt ends
# its waiting.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

plan 9
bench_project "$tmp/first" 20000 20001 && with_benchmark "$tmp/first" faulty
bench_project "$tmp/second" 20000 20001

# The first stands still within its measurement, until it is told to stop.
cd "$tmp/first" || exit 1
echo "wait 0 $shared/waits" >fault.txt
# shellcheck disable=SC2086
"$JOUST_BIN" compare $fast --base main --timeout 600 --filter '^faulty$' >/dev/null 2>&1 &
first=$!
wait_for [ -e "$shared/waits" ]
ok "the first measures" [ -e "$shared/waits" ]

cd "$tmp/second" || exit 1
# shellcheck disable=SC2086
"$JOUST_BIN" compare $fast --base main >"$tmp/second.out" 2>"$tmp/second.err" &
second=$!
wait_for grep -q 'another joust' "$tmp/second.err"
like "$(cat "$tmp/second.err")" "^joust: another joust \\(pid $first\\) measures on CPU [0-9]+; waiting for its end\$" \
	"the second says whom it waits for"
# shellcheck disable=SC2086
"$JOUST_BIN" compare $fast --base main >"$tmp/third.out" 2>"$tmp/third.err" &
third=$!
wait_for grep -q 'another joust' "$tmp/third.err"
kill -TERM "$third"
wait "$third"
is $? 143 "an interrupt ends the waiting"
ok "the second waits" kill -0 "$second"
is "$(cat "$tmp/second.out")" "" "and has measured nothing"

kill -TERM "$first"
wait "$first"
is $? 143 "the first is stopped"
wait "$second"
is $? 0 "the second goes on"
like "$(cat "$tmp/second.out")" '^  = same  *work' "and measures"
is "$(grep -c 'another joust' "$tmp/second.err")" 1 "it was said once"
