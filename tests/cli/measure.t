#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How long benchmarks are warmed up, and what --dry-run says of those that cannot be measured.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 14

cp "$JOUST_OUT/tests/cli/prog_worker" "$tmp/one" && cp "$tmp/one" "$tmp/two" || exit 1
cd "$tmp" || exit 1

dry_run() {
	joust --base ./one --candidate ./two --dry-run "$@"
}

# --- --dry-run
dry_run --filter '^plain$'
is "$status" 0 "--dry-run"
like "$out" '^  plain: [0-9]+ to [0-9]+ blocks of ' "says what would be measured"
dry_run --filter '^plain$|^crashes$'
is "$status" 3 "a benchmark that cannot be measured"
like "$out" '^  plain: ' "the others are planned all the same"
like "$out" '^  crashes: the program died by a signal' "the reason is said"
is "$err" "" "once"
dry_run --bisect --filter '^crashes$'
is "$status" 125 "--bisect passes over it"
dry_run --filter '^skips$'
is "$status" 0 "one that skips itself is no error"
ok "no record was written" test ! -e "$XDG_STATE_HOME/joust"/*/last.json

# --- --warmup, and a limit of joust.conf
printf '[project]\n\tlimit = peak_memory=+5MiB\n' >joust.conf
joust run --candidate ./one --filter '^plain$' --blocks 1 --warmup 1.5
is "$status" 0 "run with --warmup"
is "$(record '.seconds >= 3')" true "each of two workers was warmed up for 1.5 s"
is "$(record '.benchmarks[0].metrics.peak_memory | [.least, .limit] | @tsv')" "$(printf '5242880\t1.1')" \
	"a peak is worse by bytes and by ratio"
rm joust.conf

# --- CPUs of a threaded benchmark
if [ "$(nproc)" -ge 2 ]; then
	joust run --candidate ./one --filter '^threads: 2$' --blocks 1 --pairs 1
	is "$status" 0 "run with two threads"
	is "$(record '[.notes[] | select(test("threads on"))] | length')" 0 "they have two CPUs"
else
	skip "run with two threads" "one CPU"
	skip "they have two CPUs" "one CPU"
fi
