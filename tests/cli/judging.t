#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The record of a real regression, judged again: as it is, without one of its stages, and by another rule.
# shellcheck disable=SC2016 # the dollars in single quotes are jq's
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 46

bench_project "$tmp/twice" 20000 80000
cd "$tmp/twice" || exit 1
with_benchmark . second
joust compare --limit 100% --pairs 1
is "$status" 1 "four times the steps are a regression"
cp "$XDG_STATE_HOME/joust/twice"-????????/last.json last.json || exit 1

# --- the same bytes
joust analyze last.json --export-json again.json
is "$status" 1 "judged again it has the same exit status"
like "$out" '^  x regressed  work ' "and the same report"
unlike "$out" 'not what the file says' "of what the file says"
ok "and is the same, byte for byte" cmp -s last.json again.json
joust analyze --export-json - - <last.json
is "$status" 64 "stdin is read where it is named, and is empty here"
"$JOUST_BIN" analyze - --export-json - <last.json >again.json 2>"$tmp/err"
is "$?" 1 "stdin"
ok "stdout" cmp -s last.json again.json
like "$(cat "$tmp/err")" 'x regressed  work ' "the report is on stderr then"
LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu "$JOUST_BIN" analyze last.json --export-json elsewhere.json >/dev/null
ok "elsewhere too" cmp -s last.json elsewhere.json

joust analyze --export-json mine.json
is "$status" 1 "without a file it is the last comparison of the project"
ok "the same" cmp -s last.json mine.json
like "$err" "^joust: judging $XDG_STATE_HOME/joust/twice-[0-9a-f]{8}/last.json again\$" "and says which"
joust analyze -q
is "$err" "" "but not to who wants less"
mkdir "$tmp/nothing" && cd "$tmp/nothing" || exit 1
refuses 'no comparison of this project is stored: there is no .*/nothing-[0-9a-f]{8}/last.json; name a file' analyze
is "$(find "$XDG_STATE_HOME/joust" -name 'nothing-*')" "" "and none is begun"
run env XDG_STATE_HOME="$tmp/no-state" "$JOUST_BIN" analyze
is "$status $(ls -d "$tmp/no-state" 2>/dev/null)" "64 " "nor where nothing was ever stored"
cd "$tmp/twice" || exit 1

# --- what its stages share
is "$(jq '[.benchmarks[0].blocks[].stage | select(. > 0)] | unique == [1, 2, 3]' last.json)" true "it stands on three stages"
is "$(jq '.benchmarks[0].blocks | group_by(.stage) | map([.[] | .baseline.pid, .candidate.pid] | unique) |
	(add | length) == (add | unique | length)' last.json)" true "no process serves two of them"
is "$(jq '.benchmarks[0].blocks | group_by(.stage) | map([.[] | .baseline.inode, .candidate.inode] | unique) |
	(add | length) == (add | unique | length)' last.json)" true "no file"
is "$(jq '.benchmarks[0].blocks | group_by(.stage) | map([.[].environment_bytes]) |
	[range(length)] as $i | all(.[]; (unique | length) > length / 2) and (unique | length) == ($i | length)' \
	last.json)" true "each has environments of its own sizes"
jq '.benchmarks[0].blocks[].baseline.pid = 1' last.json >touched.json
joust analyze touched.json
is "$status" 1 "what is no timing decides nothing"
like "$out" 'judged again, this is not what the file says' "another layout of the file is said"

# --- without a stage
for stage in 1 2 3; do
	jq --argjson stage $stage 'del(.benchmarks[].blocks[] | select(.stage == $stage))' last.json >less.json
	joust analyze less.json --export-json less-judged.json
	is "$status" 0 "without stage $stage nothing regressed"
	is "$(jq -r '.status, .benchmarks[0].verdict, .benchmarks[0].metrics.cpu.reason' less-judged.json | tr '\n' ' ')" \
		"undecided undecided not-measured " "it is undecided"
done
jq '.benchmarks[].blocks[] |= if .stage == 2 then .lost = "suspended" else . end' last.json >lost.json
joust analyze lost.json --export-json lost-judged.json
is "$(jq -r '.benchmarks[0].metrics.cpu.reason' lost-judged.json)" too-many-lost "with it lost, too many were"

# --- another verdict in the file
jq '.benchmarks[0].verdict = "same" | .benchmarks[0].metrics.cpu.verdict = "same" | .status = "passed" |
	.exit = 0' last.json >claims.json
joust analyze claims.json
is "$status" 1 "a verdict is not believed"
# claims STATUS EXIT WANT NAME: a file with this status and exit status
claims() {
	jq --arg status "$1" --argjson exit "$2" '.status = $status | .exit = $exit | .message = "it says"' last.json >claims.json
	joust analyze claims.json
	is "$status" "$3" "$4"
}
claims error 0 3 "nor is an exit status: an error is one"
claims error 256 3 "whatever it says"
claims interrupted 0 130 "an interrupt is one"
claims interrupted 143 143 "by its signal"
claims nothing_to_compare 0 1 "and there was something to compare"
jq '.benchmarks[0].metrics.cpu.limit = 9' last.json | jq '.benchmarks[0].metrics.cpu_total.limit = 9 |
	.benchmarks[1].metrics.cpu.limit = 9 | .benchmarks[1].metrics.cpu_total.limit = 9' >limit.json
joust analyze limit.json
is "$status" 0 "another limit gives another"
jq '.benchmarks[0].metrics.cpu.limit = 0.99' last.json >limit.json
refuses 'limit.json is no record that can be judged: benchmark 0: "limit" of cpu has a value that it cannot have$' analyze limit.json
jq '.benchmarks[0].blocks |= (map(select(.stage == 1)) | .[0] as $b | map($b))' last.json >copies.json
refuses 'copies.json is no record that can be judged: benchmark 0: stage 1 has "slot" 0 twice$' analyze copies.json
refuses 'no record that can be judged: it is empty' analyze /dev/null
echo this is a log >log
refuses 'log is no record that can be judged: it is no JSON$' analyze log
sed '$d' last.json >part.json
refuses 'no record that can be judged: at byte [0-9]+: a comma or the end of a container is needed' analyze part.json
refuses 'cannot read none.json: No such file' analyze none.json

joust analyze "$src/tests/fuzz/seeds/record/small.json"
is "$status" 0 "what the fuzzer begins with is a record"

# --- another rule
joust compare --limit 100% --pairs 1 --rule duel --filter '^work$'
is "$status" 1 "by the rule of duel too"
is "$(record '[.judging.rule, .benchmarks[0].duel.result, .benchmarks[0].duel.counted] | @tsv')" \
	"$(printf 'duel\tregressed\t4')" "in four measurements, says the record"
