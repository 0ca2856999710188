#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# joust aa: a version against itself. Small runs: what is said, what is kept, what an injection does.
# shellcheck disable=SC2016 # the dollars in single quotes are jq's
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 50

kept() {
	jq -r "$1" "$XDG_STATE_HOME/joust/${PWD##*/}"-????????/aa.json
}

make_project "$tmp/equal" 20000 && cd "$tmp/equal" || exit 1
echo 'int f1(int x) { return x + 1; } int f2(int x) { return x * 3; }' >>bench.c
commit . "more functions"

joust aa --runs 5 --pairs 1 --limit 90% --max-blocks 12
is "$status" 0 "equal code fails no run"
is "$(kept '[.runs, .failing, .slower, .stages] | @tsv')" "$(printf '5\t0\t0\t5')" \
	"five runs of one benchmark, none slower, however many metrics"
is "$(kept '.rate_at_most > 0.60 and .rate_at_most < 0.61')" true "5 of them exclude little"
like "$out" '^False alarms: stage 1 of a benchmark said slower 0 of 5 times, at most 60 % with 99 % confidence' "which is said"
like "$out" '^  same binary +3 runs, 0 failed' "three of five compare the same binary"
like "$out" '^  rebuilt +1 run, 0 failed' "one a second build"
if command -v ld.lld >/dev/null 2>&1; then
	like "$out" '^  relinked +1 run, 0 failed' "one another link"
else
	skip "one another link" "the linker lld is not installed"
fi
like "$out" '^  work +[0-9.]+ +[0-9.]+ ' "what can be seen of each benchmark"
is "$(kept '.benchmarks[0] | .seen_80 > 1.9 and .seen_90 >= .seen_80')" true "above the limit"
is "$(kept '.benchmarks[0].blocks >= 40')" true "from all blocks of stage 1"
like "$out" '^same +[1-5] times, after [0-9.]+ s, 9 of 10 within [0-9.]+ s' "and how long a verdict takes"
is "$(kept '.seconds | .same.times >= 1 and .run.times == 5 and .run.median_s > 0')" true \
	"which is kept"
is "$(left_overs)" "" "nothing is left over"

like "$out" '^Later comparisons do not cite this, .* it takes 90 stages without an alarm, here --runs 90\.$' \
	"five stages are too few to be cited, and how many are enough is said"

# --- cited
note='^Note: on this host, 20[0-9-]+, `joust aa` compared equal code: stage 1 said slower 0 of 1000 times'
commit . again
joust compare --force --base HEAD~1 --pairs 1 --limit 100% --max-blocks 12
unlike "$out" 'joust aa' "five stages exclude nothing, and are not cited"
sed -i 's/ 0 5 0 5 / 0 1000 0 5 /' "$XDG_STATE_HOME/joust/${PWD##*/}"-????????/aa.last
joust compare --force --base HEAD~1 --pairs 1 --limit 100% --max-blocks 12
like "$out" "$note" "a thousand are, by later comparisons"
joust compare --force --base HEAD~1 --pairs 1 --limit 80% --max-blocks 12
unlike "$out" 'joust aa' "not at a smaller limit"

# --- every block taken
joust aa --runs 2 --pairs 1 --limit 90% --blocks 12
is "$(kept '[.every_block_taken, .benchmarks[0].blocks] | @tsv')" "$(printf 'true\t24')" "--blocks takes all"
like "$out" '^Candidate above baseline, same binary: 0?\.[0-9]+ of 2[0-9] blocks' "whose signs are shown"
like "$out" '^Blocks above, same binary: their number varies [0-9.]+ times as that of coins, within 1 \+- 2\.600 over 2 stages' \
	"and how their number varies"
like "$out" '^At limit 1 one of these stages said slower [012] of 2 times, 0\.00[0-9]+ \+- ' "and how often that is slower"
is "$(kept '.at_limit_1 | .stages == 2 and .variance >= 0 and .expected < 0.01')" true "which is kept"

# --- injected
last=$(cat "$XDG_STATE_HOME/joust/${PWD##*/}"-????????/aa.last)
joust aa --runs 5 --pairs 1 --limit 30% --max-blocks 12 --inject 80%
unlike "$out" '^Later comparisons' "what was injected into is not meant to be cited"
is "$status" 0 "what was injected is no failure of the host"
is "$(kept '[.inject_percent, .rate_at_most] | @tsv')" "$(printf '80\t')" "it is kept with the result"
# under load a run may end undecided, but without an injection none can fail
is "$(kept '.failing >= 1')" true "runs find 80 %"
is "$(kept '.benchmarks[0].ratio | . > 1.7 and . < 1.9')" true "and reads it"
like "$out" ', found in [1-5] of 5 runs \(planned [0-5]\.[0-9]\)$' "beside what was planned to be found"
is "$(kept '.benchmarks[0] | (.planned | type) == "number" and (.found_by | length) >= 1')" true "by the metric"
is "$(cat "$XDG_STATE_HOME/joust/${PWD##*/}"-????????/aa.last)" "$last" "but not to be cited"

joust aa --runs 2 --pairs 1 --limit 30% --blocks 12 --inject 80%
is "$(kept '[.every_block_taken, .benchmarks[0].blocks] | @tsv')" "$(printf 'true\t24')" \
	"--blocks takes all of stage 1, although it is slower before"

# --- without a build
bench_project "$tmp/prebuilt" 20000 && cd "$tmp/prebuilt" || exit 1
joust aa --runs 5 --pairs 1 --limit 90% --max-blocks 12
is "$status" 0 "a program that is not built"
like "$out" '^  same binary +5 runs' "is compared with itself alone"
like "$out" '^  rebuilt +no run: joust builds nothing here' "the reason is said"

# --- what is shown
joust aa --runs 3 --pairs 1 --limit 90% --max-blocks 12
cols=$(printf '%s\n' "$out" | sed -n '/^  benchmark/{s/  */ /g;s/80 % see/80/;s/90 % see/90/;s/noise from/noise/;p}' | wc -w)
vals=$(printf '%s\n' "$out" | sed -n '/^  benchmark/{n;s/ %//g;s/ [0-9]* blocks$//;p;q}' | wc -w)
is "$cols" "$vals" "every number has a title"

# --- undecided
is "$(kept '.benchmarks[0] | (.undecided == 0) == (.undecided_by == [])')" true \
	"reasons are kept where a run was undecided"
printf '\tprecision = 0.0001%%\n' >>joust.conf
joust aa --runs 2 --pairs 1 --limit 90% --max-blocks 12
like "$out" '^  work  +2 of 2 runs: imprecise \(cpu 2' "of the undecided ones the number is said, and the reason"
like "$out" '^imprecise: its interval stayed wider than the precision asked for\.$' "with what it means"
is "$(kept '.benchmarks[0] | [.undecided, (.undecided_by[] | select(.metric == "cpu") | .reason, .runs)] | @tsv')" \
	"$(printf '2\timprecise\t2')" "which are kept"

# --- time
joust aa --runs 50 --pairs 1 --limit 90% --max-blocks 12 --max-time 0.001
is "$status" 3 "a time that no run can keep"
like "$err" 'not one run was complete after 0.001 s' "is said"

# --- JSON on stdout
joust aa --runs 1 --pairs 1 --limit 90% --max-blocks 12 --export-json -
is "$(printf '%s' "$out" | jq -r .runs)" 1 "the JSON alone is on stdout"
like "$err" '^False alarms: stage 1 ' "and the text on stderr"
joust aa -q --runs 1 --pairs 1 --limit 90% --max-blocks 12
unlike "$out" '^  benchmark ' "-q leaves the table out"
like "$out" '^False alarms: stage 1 ' "and the rate in"
refuses 'is not for `joust aa`' aa -e branches

# --- refused
joust aa --inject 5 --runs 1 -- true
is "$status" 64 "a command has nothing to inject into"
like "$err" 'nothing can be injected into the command "true"' "is said"
refuses 'is not for `joust compare`' compare --inject 3
refuses 'is not for `joust aa`' aa --dry-run
