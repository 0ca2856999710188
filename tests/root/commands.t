#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# What a run says of commands, which know nothing of joust: who disturbed them, whatever they start. No
# duration is looked at: what is known of a sample, and whom it names.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

new_repo "$tmp/commands" && cd "$tmp/commands" || exit 1
cp "$JOUST_OUT/tests/cli/prog_burn" burn
# Each sample is longer than the turns that the scheduler gives: beside a hog it must wait.
cat >joust.conf <<-END
	[benchmark "alone"]
		command = ./burn 20
	[benchmark "family"]
		command = sh ./family
END
echo './burn 20 | cat; (./burn 10; ./burn 10) & wait' >family
commit . first

# halves FILTER: of every half of every pair of every block, in the last record
halves() {
	record "[.benchmarks[].blocks[].pairs[] | .baseline, .candidate | $1]"
}
# What is missing in a half is missing with its reason, and nothing else is.
known='select(.missing == [])'
seen='.values | .waiting, .wakeup, .blocked, .migrations, .interrupts'

joust run --blocks 1 --pairs 5
[ "$(record .host.interference)" = bpf ] ||
	skip_all "no BPF here: $(record .host.interference_missing)"
plan 19

is "$status" 0 "a run of commands"
is "$(halves "$known | $seen | select(. == null)" | jq length)" 0 \
	"whatever is not said to be missing is there"
is "$(halves '.missing[].reason' | jq -c 'unique - ["events-lost"]')" '[]' \
	"only what was lost is missing"
for name in alone family; do
	ok "something is known of \"$name\"" \
		[ "$(record "[.benchmarks[] | select(.name == \"$name\") | .blocks[].pairs[].candidate | $known] | length > 0")" = true ]
done
is "$(record '[.benchmarks[] | select(.name == "family") | .blocks[].pairs[].candidate |
	select(.missing == [] and .values.blocked == 0)] | length')" 0 \
	"a shell that waits for its children is blocked"

# --- somebody else on the measured CPU

cpu=$(record .host.cpu)
taskset -c "$cpu" "$JOUST_OUT/tests/cli/prog_burn" 600000 2>/dev/null &
hog=$!
trap 'kill $hog 2>/dev/null; finish' EXIT
joust compare --base HEAD --force --max-time 0.001 --pairs 3
kill $hog
wait $hog 2>/dev/null
trap finish EXIT
ok "a comparison beside a hog ends" [ "$status" -eq 0 ]
for name in alone family; do
	is "$(record "[.benchmarks[] | select(.name == \"$name\") | .blocks[].preemptors[] |
		select(.pid == $hog) | .comm] | unique | tostring")" '["prog_burn"]' \
		"the hog is named beside \"$name\""
done
ok "the commands waited for their CPU" [ "$(halves .values.waiting | jq 'add > 0')" = true ]
is "$(record '[.benchmarks[] | select(.name == "alone") | .blocks[].pairs[] | .baseline, .candidate |
	select(.values.waiting > 1.001 * .values.wall)] | length')" 0 \
	"one process waits for no longer than the window"
like "$out" 'pairs? (was|were) disturbed: [0-9]+ by ' "the report says who disturbed them"
is "$(record '[.benchmarks[].blocks[].preemptors[] | select(.comm == "burn" or .comm == "cat")] | length')" 0 \
	"they do not disturb themselves"

# --- a gate that looks at waiting

cp joust.conf keep
printf '[project]\n\tgate = waiting\n' >>joust.conf
joust run --blocks 1 --pairs 3 --filter alone
is "$status" 0 "a run with a gate that looks at waiting"
unlike "$out$err" 'nothing to look at' "has something to look at"
mv keep joust.conf

# --- programs that are gone in the middle of a run

export LD_PRELOAD="$JOUST_OUT/tests/root/preload_unload.so" UNLOAD_AT_ORDER=3
joust run --blocks 2 --pairs 3 --filter alone
unset LD_PRELOAD UNLOAD_AT_ORDER
is "$status" 0 "a run whose programs are gone from the second command on"
is "$(record '[.benchmarks[].blocks[1].pairs[].candidate.values.waiting] | unique | tostring')" \
	'[null]' "nothing is known of those that follow"
is "$(record '[.benchmarks[].blocks[1].pairs[].candidate.missing[] | select(.metric == "waiting") | .reason] | unique | tostring')" \
	'["events-lost"]' "and the record says why"

# --- an ordinary user

chmod -R a+rwX "$tmp"
mkdir "$tmp/nobody" && chown -R 65534:65534 "$tmp/nobody" "$tmp/commands" || exit 1
HOME=$tmp/nobody XDG_STATE_HOME=$tmp/nobody/state XDG_CACHE_HOME=$tmp/nobody/cache
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
	"$JOUST_BIN" run --blocks 1 --pairs 1 --filter alone
if [ "$status" -ne 0 ]; then
	skip "without BPF a command has no waiting" "joust cannot run as nobody here: $err"
else
	is "$(record '.benchmarks[0].metrics | .waiting.missing, .blocked.missing' | tr '\n' ' ')" \
		"no-bpf no-bpf " "without BPF a command has no waiting"
fi
