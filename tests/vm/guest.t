#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A guest calls nothing right that went wrong: programs that misbehave, a kernel that complains, a
# guest that breaks down.
src=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

# says NAME LINE: the guest printed it, whatever its number
says() {
	number=$((number + 1))
	if sed 's/^\(ok\|not ok\) [0-9]* - /\1 - /' "$tmp/out" | grep -qxF -e "$2"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		printf 'not printed: %s\n' "$2" | sed 's/^/# /'
		failed=1
	fi
}

# guest WAY...: boots one in which a program misbehaves in these ways, one after the other
guest() {
	for way; do
		echo "5 /misbehave $way"
	done >"$tmp/plan"
	"$src/scripts/vm" --plan "$tmp/plan" arm64 >"$tmp/out"
	status=$?
}

guest fail die leave plan hang log taint
if [ "$status" -eq 77 ]; then
	cat "$tmp/out"
	exit 0
fi
says "a test that fails" "not ok - misbehave: bad"
says "its good test" "ok - misbehave: good"
says "its exit status" "not ok - misbehave: ended with exit 1, 2 of 2 tests"
says "a signal" "not ok - misbehave: ended with signal 11, no plan"
says "an early end" "not ok - misbehave: ended with exit 0, no plan"
says "fewer tests than planned" "not ok - misbehave: ended with exit 0, 1 of 2 tests"
says "a program that hangs" "not ok - misbehave: ended with timeout, no plan"
says "a warning in the log of the kernel" \
	"not ok - arm64: kernel: WARNING: CPU: 0 PID: 1 at kernel/nowhere.c:1"
says "a tainted kernel" "not ok - arm64: kernel: taint 0x200, was 0"
says "the guest goes on" "ok - arm64: ran 7 of 7 programs"
says "all are numbered" "1..$(grep -cE '^(ok|not ok) ' "$tmp/out")"

guest panic fail
number=$((number + 1))
if [ "$status" -eq 1 ]; then
	echo "ok $number - exit status 1"
else
	echo "not ok $number - exit status $status"
	failed=1
fi
says "what came before a panic" "ok - misbehave: before a panic"
says "a guest that breaks down" "not ok - arm64: ran 1 of 2 programs and broke down"
echo "1..$number"
exit "$failed"
