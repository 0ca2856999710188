#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a stage renews: processes, file copies, the size of the environment, the CPU. Read from the record.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 15

# check NAME
check() {
	is "$(record '[.benchmarks[0].blocks[].stage] | unique | map(select(. > 0)) | length')" 3 \
		"$1: three stages"
	is "$(record '.benchmarks[0].blocks | [.[] | .baseline.pid, .candidate.pid] |
		length == (unique | length)')" true "$1: every block has processes of its own"
	is "$(record '[.benchmarks[0].blocks[] | {stage, i: (.baseline.inode, .candidate.inode)}] | unique |
		group_by(.i) | all(length == 1)')" true "$1: no file serves two stages"
	is "$(record '.benchmarks[0].blocks | map(.environment_bytes) | (unique | length) > length / 2')" true \
		"$1: environments of many sizes"
	is "$(record '[.benchmarks[0].gaps_s[0, 1] | . >= 0 and . < 60] | all')" true "$1: gaps are recorded"
	near=$(record '.benchmarks[0].blocks | map(select(.stage > 0).at_ns) | max - min < 10e9')
	mentioned=false
	case $out in
	*'all stages of a regression lie within'*) mentioned=true ;;
	esac
	is $mentioned "$near" "$1: near stages are mentioned, and no others"
	if [ "$(nproc)" -lt 2 ]; then
		skip "$1: another CPU" "one CPU"
		return
	fi
	is "$(record '.benchmarks[0].blocks | map(select(.stage > 0)) | group_by(.stage) |
		map([.[].cpu] | unique) | map(length == 1) + [.[0] != .[1], .[1] != .[2]] | all')" true \
		"$1: one CPU in a stage, another one in the next"
}

bench_project "$tmp/twice" 20000 80000
cd "$tmp/twice" || exit 1
joust compare --limit 100% --pairs 1
check "functions"

mkdir "$tmp/command" && cd "$tmp/command" || exit 1
cat >burn <<-'EOF'
	#!/bin/sh
	i=0
	read -r loops <loops.txt
	while [ $i -lt "$loops" ]; do i=$((i + 1)); done
	[ "$(tr '\0' '\n' </proc/$$/environ | grep -c '^JOUST_PADDING=x*$')" = 1 ]
EOF
chmod +x burn && new_repo . && echo 100 >loops.txt && commit . first || exit 1
git checkout -q -b change && echo 60000 >loops.txt && commit . second || exit 1
joust compare --base main --limit 100% --pairs 1 -- ./burn
is "$status" 1 "a command that wants the padding once is slower and no error"
check "commands"
