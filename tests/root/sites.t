#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Every place in the engine that opens, writes, flushes, renames, forks, opens a counter or asks for BPF
# fails in turn: the run ends with 3, or with the truth (a regression, in a whole record); never with 0, by a
# signal, or with a verdict that has no record. Two places of each call; with an
# argument N every N-th of them: 1 makes some hundred runs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

stride=${1-45}
places=${1+10000}
places=${places:-2}
shim=$JOUST_OUT/tests/root/preload_fail.so
[ -e "$shim" ] || skip_all "there is no $shim: run make check-root"
if [ "$places" -eq 2 ]; then plan 10; else plan 11; fi

bench_project "$tmp/sites" 20000 80000
cd "$tmp/sites" || exit 1
blocks="--limit 100% --max-blocks 60 --pairs 1 --timeout 20"
# Once without: what is copied is cached then, so that every run comes by the same places.
# shellcheck disable=SC2086
joust compare $blocks
[ "$status" -eq 1 ] || echo "# the run without a failure: $status"

# failing CALL NUMBER ERRNO MODE: a run in which that place fails; false when it came by none such
failing() {
	rm -f "$XDG_STATE_HOME"/joust/*/last.json "$tmp/log"
	# shellcheck disable=SC2086
	run env LD_PRELOAD="$shim" PRELOAD_FAIL="$*" PRELOAD_LOG="$tmp/log" \
		"$JOUST_BIN" compare $blocks
	grep -q failed "$tmp/log" 2>/dev/null
}

# What the record has of a run that was no truth: why nothing could be measured, and the last block's checks.
told() {
	record '.benchmarks[0] | [.verdict, .reason, (.metrics | map_values(.missing // empty)),
		(.blocks[-1] | .baseline.check, .candidate.check)] | tojson' 2>/dev/null
}

truthful() {
	case $status in
	3) [ -n "$err$out" ] ;; # and says something
	1) [ "$(record '.exit' 2>/dev/null)" = 1 ] ;;
	*) return 1 ;;
	esac
}

# What fails while a group is made is called so, and not that somebody removed it.
PRELOAD_PATH=leaf
export PRELOAD_PATH
if failing open 1 24 always; then
	is "$status $(record '.benchmarks[0].reason')" "3 start-failed" "no descriptor for a group of a worker"
	like "$out" 'its control group cannot be made: Too many open files' "is said so"
else
	skip "no descriptor for a group of a worker" "joust may use no cgroup here"
	skip "is said so" "joust may use no cgroup here"
fi
unset PRELOAD_PATH

# all_places CALL ERRNO STRIDE MODE
all_places() {
	place=1
	threes=0
	ones=0
	while [ $((threes + ones)) -lt "$places" ] && failing "$1" "$place" "$2" "$4"; do
		if ! truthful; then
			fail "$1 fails $4" "place $place: status $status, $(told)"
			return
		fi
		if [ "$status" -eq 3 ]; then threes=$((threes + 1)); else ones=$((ones + 1)); fi
		place=$((place + $3))
	done
	if [ $((threes + ones)) -gt 0 ]; then
		pass "$1 fails $4: $threes times 3, $ones times 1"
	else
		fail "$1 fails $4" "there is no such place"
	fi
}

EPERM=1 EIO=5 EAGAIN=11 ENOMEM=12 EMFILE=24 ENOSPC=28
all_places open $EMFILE "$stride" always
all_places write $ENOSPC "$((stride > 4 ? 4 : 1))" always
all_places fsync $EIO 1 always
all_places fclose $EIO "$stride" always
all_places rename $EIO 1 always
all_places fork $EAGAIN "$((stride > 4 ? 4 : 1))" always
all_places perf_event_open $EPERM "$stride" always
all_places bpf $ENOMEM "$stride" always
[ "$places" -ne 2 ] || exit 0
all_places open $EMFILE "$stride" once
