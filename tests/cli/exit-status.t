#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars and backquotes in single quotes are jq's and grep's

# Every exit status of `joust compare`, each by a run that has a reason for it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 141

cd "$tmp" || exit 1

# --- 0: passed
bench_project "$tmp/same" 20000 20000
cd "$tmp/same" || exit 1
quickly 0 "identical code passes" --force
is "$(record .status)" passed "the record says so"
is "$(record .exit)" 0 "with the exit status"
like "$out" '^1 same in ' "the report counts it"
like "$out" 'would have been seen' "and says what it could have seen"

# --- 0: nothing to compare
exits 0 "nothing changed: nothing to compare"
like "$out" '^Nothing to compare' "and that is said"
is "$(record '.status, (.benchmarks | length)' | tr '\n' ' ')" "nothing_to_compare 0 " \
	"nothing was measured"
echo words >README.md
exits 0 "a README is nothing to compare either"
is "$(record .status)" nothing_to_compare "of the same status"

# --- 1, and what --bisect and --strict make of it
bench_project "$tmp/slower" 20000 80000
cd "$tmp/slower" || exit 1
quickly 1 "four times the work is a regression" --export-json "$tmp/slower.json"
like "$out" '^  x regressed  work  cpu' "the report names it"
is "$(record '.status, .exit' | tr '\n' ' ')" "failed 1 " "the record says so"
is "$(record '.benchmarks[0].metrics.cpu.stages | length')" 3 "it was confirmed twice"
is "$(jq -S . "$tmp/slower.json")" "$(record . | jq -S .)" \
	"the exported record is the stored one"
quickly 1 "--bisect leaves 1 alone" --bisect
git commit -q --allow-empty -m wanted -m 'Joust-Accept: work: it is worth it'
quickly 0 "a regression that is wanted passes"
like "$out" '^  & accepted   work  cpu' "and is called accepted"
like "$out" 'accepted by commit [0-9a-f]*: it is worth it' "by whom and why"
like "$out" '^1 accepted in ' "counted as that"
unlike "$out" 'regressed|^Next' "not as a regression, and nothing is advised"
quickly 1 "--bisect finds who made it slower, wanted or not" --bisect
like "$out" '^  x regressed  work  cpu' "and calls it regressed"
git commit -q --amend --allow-empty -m wanted -m 'Joust-Accept: work: it is worth it' \
	-m 'Co-authored-by: another <another@example.org>'
quickly 1 "a line behind which there is a paragraph accepts nothing"
like "$out" "^Note: commit $(git rev-parse --short=12 HEAD) has a Joust-Accept line that is not a trailer" \
	"which a note says"
git reset -q --hard HEAD~1
git checkout -q main
quickly 0 "a commit against itself passes under --bisect" --force --bisect
quickly 0 "the other way round it is no failure" --base change
like "$out" '^  \+ faster' "but faster"
git checkout -q change

# --- 2: undecided
hurried="--max-time 0.001 --pairs 1"
# shellcheck disable=SC2086
set -- $hurried
exits 0 "undecided is no failure" "$@"
like "$out" '^  \? undecided  work' "it is said in its line"
like "$out" '^1 undecided in ' "and in the summary"
like "$out" -- '--max-time' "with what to do about it"
is "$(record .status)" undecided "the status is undecided"
exits 2 "--strict makes it 2" "$@" --strict
exits 125 "--bisect makes it 125" "$@" --bisect
JOUST_STRICT=yes
export JOUST_STRICT
exits 2 "so does JOUST_STRICT" "$@"
unset JOUST_STRICT

# --- 3: a build fails
new_repo "$tmp/build"
cd "$tmp/build" || exit 1
cp "$JOUST_OUT/tests/cli/prog_bench" bench.in
printf 'seq 1 60\necho "the baseline broke" >&2\nexit 7\n' >build.sh
cat >joust.conf <<-END
	[project]
		build = sh build.sh
	[benchmark "work"]
		worker = bench
END
commit . broken
git checkout -q -b change
printf 'cp bench.in bench\n' >build.sh
commit . mended
exits 3 "the baseline does not build"
like "$err" "^joust: the baseline's build failed \(exit status 7\): sh build.sh" "that is said"
like "$err" 'the baseline broke$' "with the end of its log"
is "$(grep -Ec '^ .*[0-9]+$' "$tmp/err")" 49 "50 lines of it"
is "$(record '.status, .exit' | tr '\n' ' ')" "error 3 " "the record says that it is an error"
like "$(record .message)" "baseline's build" "and which"
is "$(head -n 1 "$(record .baseline.build_log)")" 1 "it names the whole log"
exits 125 "--bisect skips such a commit" --bisect
git checkout -q -b worse
printf 'exit 9\n' >build.sh
commit . worse
exits 3 "the candidate does not build" --base change
like "$err" "^joust: the candidate's build failed \(exit status 9\)" "that is another sentence"
exits 3 "neither builds" --base main
like "$err" "the baseline's build failed \(exit status 7\), and so did the candidate's \(exit status 9\)" \
	"both are named"
like "$err" 'clean environment.*\[sandbox\], env = ' "what they have in common is a likely cause"
is "$(left_overs)" "" "failed builds leave nothing half-made"

# --- 3: a program that is committed and not built again would hide every change
new_repo "$tmp/committed"
cd "$tmp/committed" || exit 1
cp "$JOUST_OUT/tests/cli/prog_bench" bench
printf '[project]\n\tbuild = true\n[benchmark "*"]\n\tworker = bench\n' >joust.conf
commit . stale
git checkout -q -b change
echo 1 >source
commit . change
exits 3 "a committed program that the build left alone"
like "$err" "^joust: the baseline's build left bench as it was committed" "is refused"

# --- 3: a worker crashes, the others are judged
bench_project "$tmp/crash" 20000 20000
cd "$tmp/crash" || exit 1
with_benchmark . faulty
echo "segv 0 - the last words" >fault.txt
quickly 3 "the candidate crashes"
like "$out" '^  ! error      faulty  .*candidate' "the side is named"
like "$out" 'SIGSEGV' "the signal is named"
like "$out" '^  \| the last words' "the end of its stderr is shown"
like "$out" '^  = same       work' "the other benchmark is judged"
is "$(record '.benchmarks[] | select(.name == "faulty") | .verdict, .reason, .side, .detail' |
	tr '\n' ' ')" "error signal candidate SIGSEGV " "the record has side, reason and signal"
is "$(record '.benchmarks[] | select(.name == "faulty") | [.metrics[].ratio] | unique | .[]')" \
	null "and no number"
is "$(record '.status, .exit' | tr '\n' ' ')" "error 3 " "the run is an error"
echo "abort 9 - late" >fault.txt
quickly 3 "a crash after some blocks is the same" --filter faulty
like "$out" 'SIGABRT' "with its signal"
ok "blocks had been measured" [ "$(record '.benchmarks[0].blocks | length')" -gt 0 ]
is "$(record '[.benchmarks[0].metrics[].ratio] | unique | .[]')" null "no number is left of them"
echo "exit 0 - bye" >fault.txt
commit . "a version that fails"
git branch -q -f main
git checkout -q -b mended
git rm -q fault.txt
commit . mended
quickly 3 "only the baseline crashes" --base main --filter faulty
like "$out" '^  ! error      faulty  .*baseline.*exit status 3' "its side and its exit status are said"
exits 125 "--bisect skips it" --base main --filter faulty --bisect

# --- 3 comes before 1
echo 80000 >work.txt
quickly 3 "3 comes before 1" --base main
like "$out" '^  x regressed  work' "the regression is reported too"
like "$out" '^  ! error      faulty' "beside the error"
like "$out" '^1 error, 1 regressed' "and both are counted"

# --- 3: results differ
bench_project "$tmp/digest" 20000 20000
cd "$tmp/digest" || exit 1
git checkout -q main
echo 42 >digest.txt
commit . output
git checkout -q -b wrong
echo 43 >digest.txt
quickly 3 "different results are not compared"
like "$out" '^  ! error      work  .*different results' "that is said"
is "$(record '.benchmarks[0].digest | .baseline == .candidate')" false "both digests are recorded"
is "$(record '.benchmarks[0].blocks | length')" 0 "before anything was timed"
echo 42 >digest.txt
quickly 0 "equal results are" --force
# 4 processes of a side at most come before its blocks
echo "6 43" >late.txt
quickly 3 "results that differ later are not" --force
like "$out" '^  ! error      work  .*different results' "that is said as well"
ok "some had been measured" [ "$(record '.benchmarks[0].blocks | length')" -gt 0 ]
is "$(record '[.benchmarks[0].metrics[].ratio] | unique | .[]')" null "and no number is left"
rm late.txt

# --- 3: exports that cannot be written
cd "$tmp/same" || exit 1
rm -rf "$XDG_CACHE_HOME/joust"
exits 3 "an export into a missing directory" --force --export-json "$tmp/missing/out.json"
like "$err" "^joust: cannot write $tmp/missing/out.json: No such file" "its path and cause are said"
ok "before anything was copied" [ ! -e "$XDG_CACHE_HOME/joust/trees" ]
if [ -w /dev/full ]; then
	quickly 3 "an export to a full disk, although all passed" --force --export-json /dev/full
	like "$err" '/dev/full: No space left on device' "its path and cause are said"
	# shellcheck disable=SC2086
	"$JOUST_BIN" --force $fast --export-json - >/dev/full 2>"$tmp/err"
	is $? 3 "stdout on a full disk"
	like "$(cat "$tmp/err")" '^joust: cannot write to stdout' "is said too"
else
	for name in "a full disk" "its cause" "stdout on a full disk" "is said"; do
		skip "$name" "no /dev/full"
	done
fi
echo precious >"$tmp/kept.json"
exits 64 "wrong usage" --export-json "$tmp/kept.json" --filter nothing
is "$(cat "$tmp/kept.json")" precious "leaves an earlier export alone"

# --- 64, before anything is built
new_repo "$tmp/usage"
cd "$tmp/usage" || exit 1
cp "$JOUST_OUT/tests/cli/prog_bench" bench.in
cat >joust.conf <<-END
	[project]
		build = "cp bench.in bench; echo built >>$shared/built"
	[benchmark "work"]
		worker = bench
END
commit . first
cp joust.conf "$tmp/good.conf"
exits 64 "an unknown option" --force --limitt 2%
exits 64 "an unknown verb" comparre --force
exits 64 "a filter that matches nothing" --force --filter '^wrok$'
like "$err" 'no benchmark matches --filter .*`joust list` shows' "says so, and what shows the names"
exits 64 "an --exclude of everything" --force --exclude .
exits 64 "an unknown revision" --force --base mainn
like "$err" 'did you mean "main"' "names the nearest"
sed 's/worker/wroker/' "$tmp/good.conf" >joust.conf
exits 64 "an unknown key" --force
like "$err" 'joust.conf:4.*unknown key.*wroker.*did you mean "worker"' "names the nearest and the line"
sed 's/benchmark/bemchmark/' "$tmp/good.conf" >joust.conf
exits 64 "an unknown section" --force
like "$err" 'joust.conf:3.*did you mean "benchmark"' "names the nearest and the line"
cat "$tmp/good.conf" - >joust.conf <<-END
	[benchmark "work"]
		command = true
END
exits 64 "a benchmark that stands twice" --force
like "$err" '"work".*stands twice, first in line 3' "says where"
exits 128 "--bisect makes 64 a 128" --force --bisect
cp "$tmp/good.conf" joust.conf
ok "none of these has built anything" [ ! -e "$shared/built" ]
cat >>joust.conf <<-END
	[benchmark "wor[k]"]
		worker = ./bench
END
exits 64 "one name from two programs is found after the build" --force
like "$err" 'two benchmarks are called "work"' "and named"

# --- 129, 130 and 143
# interrupt SIGNAL: sends it to $engine and takes the exit status
interrupt() {
	kill -"$1" "$engine"
	wait "$engine" 2>/dev/null
	status=$?
	out=$(cat "$tmp/out")
	err=$(cat "$tmp/err")
}

# start ARGUMENT...: joust in the background, as a terminal would start it
start() {
	env --default-signal=INT,HUP "$JOUST_BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	engine=$!
}

# clean_end NAME: no process and no half-made file is left
clean_end() {
	is "$(processes_in "$XDG_CACHE_HOME")" "" "$1: no process is left"
	is "$(left_overs)" "" "$1: nothing half-made is left"
}

bench_project "$tmp/stop" 20000 20000
cd "$tmp/stop" || exit 1
with_benchmark . faulty
echo "wait 12 $shared/waiting" >fault.txt
start --max-blocks 2000 --min-blocks 2000 --exclude work
ok "a worker waits in the middle of a block" wait_for [ -e "$shared/waiting" ]
interrupt INT
is "$status" 130 "SIGINT is 130"
is "$(record '.status, .exit' | tr '\n' ' ')" "interrupted 130 " "the record says interrupted"
ok "it has the blocks that were complete" [ "$(record '.benchmarks[0].blocks | length')" -gt 0 ]
is "$(record '.benchmarks[0] | .plan as $plan | .blocks | all(.lost != null or
	(.pairs | length) == (if .stage == 0 then $plan.planning.pairs else $plan.pairs end))')" true "and only those"
is "$(record '.benchmarks[0] | .verdict, .metrics.cpu.reason' | tr '\n' ' ')" \
	"undecided interrupted " "which decide nothing"
like "$out" '^Interrupted: what was not settled' "the report says so"
clean_end "SIGINT"
start --max-blocks 2000 --min-blocks 2000 --exclude faulty --progress always
ok "blocks are measured" wait_for grep -q '^stage 1: ' "$tmp/err"
interrupt TERM
is "$status" 143 "SIGTERM is 143"
is "$(record '.status, .exit' | tr '\n' ' ')" "interrupted 143 " "the record says interrupted"
clean_end "SIGTERM"
cat >joust.conf <<-END
	[project]
		build = "touch $shared/building; exec sleep 1000"
	[benchmark "work"]
		worker = bench
END
start
ok "a build runs" wait_for [ -e "$shared/building" ]
interrupt INT
is "$status" 130 "SIGINT during a build is 130"
is "$(record '.status, .exit' | tr '\n' ' ')" "interrupted 130 " "the record says interrupted"
clean_end "a build"
joust analyze "$(records | sed q)"
is "$status" 130 "such a record keeps its status when it is judged again"
like "$out" '^Interrupted: ' "and says it"
rm "$shared/building"
start
ok "a build runs as the terminal goes" wait_for [ -e "$shared/building" ]
interrupt HUP
is "$status" 129 "SIGHUP is 129"
is "$(record '.status, .exit' | tr '\n' ' ')" "interrupted 129 " "the record says interrupted"
clean_end "SIGHUP"
rm "$shared/building"
start list
ok "a build for a list runs" wait_for [ -e "$shared/building" ]
interrupt TERM
is "$status $err" "143 joust: interrupted" "a list that is interrupted says so"
rm "$shared/building"
start --bisect
ok "a build runs again" wait_for [ -e "$shared/building" ]
interrupt TERM
is "$status" 143 "--bisect leaves 143 alone"
sed -i 's/build = .*/build = false/' joust.conf
joust
joust analyze "$(records | sed q)"
is "$status" 3 "the record of a failed build keeps its status when it is judged again"
like "$out" '^Error: .*build failed' "and says why"
jq '.status = "passed" | .message = null | .exit = 0' "$(records | sed q)" >none.json
joust analyze none.json
is "$status $err" "3 joust: there is nothing to judge in none.json: it has no benchmarks" \
	"no benchmarks are no pass"
jq '.exit = 0' "$(records | sed q)" >claims.json
joust analyze claims.json
is "$status" 3 "nor is a failure one because the file says so"
jq '.exit = 0 | .bisect = true' "$(records | sed q)" >bisect.json
joust analyze bisect.json
is "$status" 125 "and one of --bisect is skipped"
