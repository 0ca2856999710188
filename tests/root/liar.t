#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# A worker that breaks the protocol, over a real socket and as a real process: each of its lies ends its
# own benchmark, by the reason that fits and in words that say which lie it was.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

new_repo "$tmp/liar" && cd "$tmp/liar" || exit 1
cp "$JOUST_OUT/tests/root/prog_liar" liar || exit 1
printf '[benchmark "*"]\n\tworker = liar\n' >joust.conf
commit . first

# NAME|REASON|WORDS
cat >"$tmp/lies" <<-END
	magic|protocol-error|not with the magic
	version|protocol-error|of the protocol, not
	nonce|protocol-error|another conversation
	sequence|protocol-error|was due
	length|protocol-error|announces 1 bytes and has 0
	short|protocol-error|a frame of 3 bytes
	empty|protocol-error|an empty frame
	long|protocol-error|longer than any
	type|protocol-error|which no worker sends
	body|protocol-error|with 8 bytes of body
	order|protocol-error|unexpected frame of type 17
	text|protocol-error|a text without its end
	fail|benchmark-failed|it is no lie
	skip|skipped|not today
	die|exit-status|exit status 3
	hang up|worker-closed|
	slices|protocol-error|a sample of 0 slices
	kind|protocol-error|a CPU time of kind
	record|protocol-error|a record of interference of kind
	rows|protocol-error|rows of threads
	group|protocol-error|the reading of group 1
	iterations|bad-sample|another number of iterations
	many|bad-sample|another number of slices
	no time|bad-sample|a slice took no time
	for ever|bad-sample|longer than 2^53 ns
	backwards|bad-sample|the CPU clock went backwards
	sum|bad-sample|longer than the CPU clock advanced
	burnt|bad-sample|does not burn
END
plan 30

joust run --blocks 1 --timeout 20
is "$status" 3 "a run of a worker that lies is an error"
is "$(record '.benchmarks | length')" "$(wc -l <"$tmp/lies")" "all of its benchmarks are there"
while IFS='|' read -r name reason words; do
	like "$(record ".benchmarks[] | select(.name == \"$name\") | \"\(.reason) \(.detail)\"")" \
		"^$reason .*$(printf %s "$words" | sed 's/\^/\\^/g')" "$name: $reason"
done <"$tmp/lies"
