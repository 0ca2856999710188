#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are the build's, or jq's

# Builds, and workers that are asked for their benchmarks, are in control groups with limits as workers
# that are measured are: what meets one is told by its reason, on whichever side, and nothing is left.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

# project BUILD [LIMIT]: main builds with BUILD, under limits, and a clean change is checked out
project() {
	rm -rf "$tmp/limits"
	new_repo "$tmp/limits" && cd "$tmp/limits" || exit 1
	cp "$JOUST_OUT/tests/root/prog_peak" prog && echo 1 >memory.txt
	printf '%s\n' "$1" >build.sh
	{
		printf '[project]\n\tbuild = sh build.sh\n\tmain-branch = main\n'
		printf '[benchmark "peak"]\n\tworker = bench\n[limits]\n'
		printf '\t%s\n' "${2-}"
	} >joust.conf
	echo bench >.gitignore
	commit . first && git checkout -q -b change && echo changed >changed.txt && commit . second
}

good='cp prog bench; cat /proc/self/cgroup >groups.txt'
hungry='head -c 400M /dev/zero | tail >/dev/null; cp prog bench'
forks='i=0; while [ $i -lt 40 ]; do sleep 100 & i=$((i + 1)); done; cp prog bench'

project "$hungry" "build-memory = 64M"
# shellcheck disable=SC2086
joust compare $fast --base main
case $(record .host.cgroup) in
*memory*pids*) ;;
*) skip_all "joust may use no cgroup with memory and pids here" ;;
esac
plan 12
is "$status" 3 "builds need too much memory: could not compare"
like "$err" "baseline's build failed \(memory-limit: .*candidate's \(memory-limit: .*build-memory" \
	"builds need too much memory: why"

# refused WHAT ERE: exit 3, with a message
refused() {
	# shellcheck disable=SC2086
	joust compare $fast --base main
	is "$status" 3 "$1: could not compare"
	like "$err" "$2" "$1: why"
}

project "$good" "build-memory = 64M"
echo "$hungry" >build.sh
refused "the candidate's build does" "^joust: the candidate's build failed \(memory-limit: .*build-memory"

project "$good" "build-pids = 16"
echo "$forks" >build.sh
refused "it starts too many processes" "^joust: the candidate's build failed \(pids-limit: .*build-pids"

project "$good" "memory = 64M"
echo 300 >start.txt
refused "a worker that is only listed needs too much memory" \
	"cannot list the candidate's benchmarks of bench: it needed more memory than its limit"

project "$good" "build-memory = 64M"
joust list --filter peak
is "$status" 0 "a build within its limits works"
ok "in a group of its own" \
	find "$XDG_CACHE_HOME" -name groups.txt -exec grep -q '/joust\.[0-9.]*/build$' {} +
is "$(processes_in "$XDG_CACHE_HOME")" "" "no process is left"
# of engines that have ended: others may be at work
is "$(find /sys/fs/cgroup -maxdepth 6 -type d -path '*joust.*/build' 2>/dev/null | while read -r dir; do
	pid=${dir##*/joust.}
	[ -e "/proc/${pid%%.*}" ] || echo "$dir"
done)" "" "no group of a build is left"
