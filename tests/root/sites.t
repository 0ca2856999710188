#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Every place in the engine that opens, writes, flushes, renames, forks, opens a counter or asks for BPF
# fails in turn: the run ends with 3, or with the truth (a regression, in a whole record); never with 0, by a
# signal, or with a verdict that has no record. One argument: every how many places are tried (16); 1 is
# all of them, some hundred runs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

stride=${1-16}
shim=$JOUST_OUT/tests/root/preload_fail.so
[ -e "$shim" ] || skip_all "there is no $shim: run make check-root"
plan 9

bench_project "$tmp/sites" 20000 80000
cd "$tmp/sites" || exit 1
blocks="--limit 100% --max-blocks 9 --pairs 1 --timeout 20"
# Once without: what is copied is cached then, so that every run comes by the same places.
# shellcheck disable=SC2086
joust compare $blocks
[ "$status" -eq 1 ] || echo "# the run without a failure: $status"

# failing CALL NUMBER ERRNO MODE: a run in which that place fails; false when it came by none such
failing() {
	rm -f "$XDG_STATE_HOME"/joust/*/last.json "$tmp/failed"
	# shellcheck disable=SC2086
	run env LD_PRELOAD="$shim" PRELOAD_FAIL="$*" PRELOAD_LOG="$tmp/failed" "$JOUST_BIN" compare $blocks
	[ -e "$tmp/failed" ]
}

truthful() {
	case $status in
	3) [ -n "$err$out" ] ;;
	1) [ "$(record '.exit' 2>/dev/null)" = 1 ] ;;
	*) return 1 ;;
	esac
}

# all_places CALL ERRNO MODE [STRIDE]
all_places() {
	number=1
	ends=
	while failing "$1" "$number" "$2" "$3"; do
		ends="$ends $status"
		if ! truthful; then
			fail "$1, $3" "place $number: $(tail -3 "$tmp/err")"
			return
		fi
		number=$((number + ${4-$stride}))
	done
	if [ -n "$ends" ]; then
		pass "$1 fails $3, places up to $number"
		# shellcheck disable=SC2086
		echo "# 3:$(printf '%s\n' $ends | grep -c 3) 1:$(printf '%s\n' $ends | grep -c 1)"
	else
		fail "$1, $3" "there is no such place"
	fi
}

EIO=5 EAGAIN=11 ENOMEM=12 EPERM=1 EMFILE=24 ENOSPC=28
all_places open $EMFILE once
all_places open $EMFILE always
all_places write $ENOSPC always
all_places fsync $EIO always 1
all_places fclose $EIO always
all_places rename $EIO always 1
all_places fork $EAGAIN always 1
all_places perf_event_open $EPERM always
all_places bpf $ENOMEM always
