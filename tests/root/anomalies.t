#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# The N-th call of the engine fails, N = 1, 2, 3, ... until a run has fewer calls than that: a regression
# is never reported as passed, a record that cannot be written is never called written, and what makes
# counting impossible changes no verdict. Frequent calls are visited at powers of sixteen: sites.t visits them by place.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

strace -o "$tmp/try" -e inject=getcwd:error=EIO:when=1 pwd -P >/dev/null 2>"$tmp/err"
grep -q INJECTED "$tmp/try" 2>/dev/null || skip_all "strace cannot make calls fail here"
plan 11

bench_project "$tmp/anomalies" 20000 80000
cd "$tmp/anomalies" || exit 1
# Once without: what is copied and built is cached then, so that every run makes the same calls.
# shellcheck disable=SC2086
joust compare $fast --timeout 20

# injected CALL ERRNO N: a run whose N-th such call fails; false when it had no N-th call
injected() {
	rm -f "$XDG_STATE_HOME"/joust/*/last.json
	# shellcheck disable=SC2086
	run strace -qq -y -o "$tmp/trace" -e "trace=$1" -e "inject=$1:error=$2:when=$3" \
		"$JOUST_BIN" compare $fast --timeout 20
	grep -q INJECTED "$tmp/trace"
}

# what_failed: the call that failed, as strace saw it
what_failed() {
	grep INJECTED "$tmp/trace" | head -1
}

# truthful: 3, or the regression (or that it could not be told) with its whole record; 3 alone where the record could not be written
truthful() {
	[ "$status" -ne 3 ] || return 0
	case $(what_failed) in
	fsync*"$XDG_STATE_HOME"* | rename*"$XDG_STATE_HOME"* | write*"$XDG_STATE_HOME"*) return 1 ;;
	esac
	[ "$status" -eq 1 ] && [ "$(record '.exit' 2>/dev/null)" = 1 ] && return 0
	# A busy machine may leave it open, which is not passed.
	[ "$status" -eq 0 ] && [ "$(record '.status' 2>/dev/null)" = undecided ]
}

# anomalies CALL ERRNO HOW: HOW "each", or "often" (powers of 16); fails at the first
# untruthful end
anomalies() {
	call=$1
	errno=$2
	step=$3
	n=1
	while [ "$n" -le 65535 ] && injected "$call" "$errno" "$n"; do
		if ! truthful; then
			fail "$call, $errno" "the $n. call failed: $(what_failed)"
			return
		fi
		if [ "$step" = each ]; then n=$((n + 1)); else n=$((n * 16)); fi
	done
	if [ "$n" -gt 65535 ]; then # a busy machine takes more blocks, and strace counts no further
		pass "$call, $errno: up to $n"
	elif ! truthful || [ "$status" -eq 3 ]; then
		fail "$call, $errno" "the run without a failure"
	elif [ "$n" -eq 1 ]; then
		fail "$call, $errno" "there is no such call"
	else
		pass "$call, $errno: no $n. call any more"
	fi
}

anomalies fsync EIO each
anomalies renameat,renameat2,rename EIO each
anomalies write ENOSPC often
anomalies openat EMFILE often
anomalies clone,clone3,fork,vfork EAGAIN often
anomalies mkdirat,mkdir EACCES often
anomalies sendmsg EPIPE often
anomalies pipe2 EMFILE often

# No counters and no BPF are no failure: time is judged.
for call in perf_event_open bpf; do
	injected "$call" EPERM 1+
	is "$status" 1 "no $call at all: the verdict stands"
done
is "$(left_overs)" "" "no file is left"
