#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# What a run says of its host and of what disturbed it, on the real kernel. Nothing here looks at a
# duration: a busy machine makes these numbers larger, never wrong.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

mkdir "$tmp/programs" && cd "$tmp/programs" || exit 1
cp "$JOUST_OUT/tests/cli/prog_worker" new && cp new old || exit 1
measure="run --candidate ./new --blocks 2"

# shellcheck disable=SC2086
joust $measure --filter '^plain' -e faults
[ "$(record .host.interference)" = bpf ] ||
	skip_all "no BPF here: $(record .host.interference_missing)"
plan 31

# pairs FILTER: of every half of every pair of every block, in the last record
pairs() {
	record "[.benchmarks[].blocks[].pairs[] | .baseline, .candidate | $1]"
}

is "$status" 0 "a run with BPF"
is "$(record .host.bpf)" true "the record says that BPF is attached"
like "$out" 'Interference by BPF' "so does the report"
is "$(record .host.sw.quality)" exact "the kernel's own count is there"
ok "an empty window costs something" [ "$(record '.host.empty_window.cpu_ns > 0')" = true ]
is "$(record '.events[0] | .name + " " + .quality')" "faults exact" "an event of the kernel is counted"
is "$(pairs '.events[0]' | jq 'map(select(. == null)) | length')" 0 "in every half"
is "$(record '[.benchmarks[].blocks[].canary_ns[] | select(. == null or . <= 0)] | length')" 0 \
	"two canaries in every block"

# shellcheck disable=SC2086
joust $measure --filter '^(faults|sleeps)'
is "$status" 0 "two benchmarks with known events"
is "$(record '[.benchmarks[0].blocks[].pairs[].candidate.values.page_faults | select(. < 997 or . >= 998)] | length')" 0 \
	"997 fresh pages are 997 faults"
is "$(record '[.benchmarks[1].blocks[].pairs[].candidate.values.voluntary_switches | select(. != 13)] | length')" 0 \
	"13 pauses are 13 voluntary switches"
is "$(record '[.benchmarks[1].blocks[].pairs[].candidate | select(.missing == [] and .values.blocked < 1300000)] | length')" 0 \
	"which took at least 1.3 ms"
is "$(record '[.benchmarks[].blocks[] | .baseline.check, .candidate.check | .missing | select(. != null)] | length')" 0 \
	"the kernel's count agrees in every block"

# shellcheck disable=SC2086
joust $measure --filter '^threads|^children'
is "$status" 0 "benchmarks with several threads"
is "$(record '.benchmarks[] | select(.name == "threads: 2") | [.blocks[].pairs[].candidate.threads | length] | unique | tostring')" \
	'[2]' "a row for each thread"
is "$(record '.benchmarks[] | select(.name == "threads: 2") | [.blocks[].pairs[].candidate.threads[] | select(.cpu_ns == null)] | length')" \
	0 "with its own clock"
is "$(record '.benchmarks[] | select(.name == "threads: born and dead") | .metrics.cpu.missing')" null \
	"threads that are born and die in a window are counted"
is "$(record '.benchmarks[] | select(.name == "threads: undeclared") | .metrics.cpu.missing')" \
	undeclared-threads "undeclared threads are found"
is "$(record '.benchmarks[] | select(.name == "children: waited for") | .metrics.cpu.missing')" \
	undeclared-threads "so are processes that it works in"

# ---- events by the names that the kernel gives ----

if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	# shellcheck disable=SC2086
	joust $measure --filter '^plain' -e msr/tsc/
	is "$status" 0 "a run with an event that sysfs describes"
	like "$(record '.events[0] | .name + " " + .quality')" '^msr/tsc/.* (exact|unavailable)$' \
		"which is counted, or not with a reason"
	# shellcheck disable=SC2086
	joust $measure --filter '^plain' -e msr/nosuch/
	is "$status" 64 "one that it does not describe is refused"
else
	for what in "a run with it" "it is counted" "another is refused"; do
		skip "an event that sysfs describes: $what" "there is no msr/tsc here"
	done
fi

# ---- somebody else on the measured CPU ----

cpu=$(record .host.cpu)
taskset -c "$cpu" "$JOUST_OUT/tests/cli/prog_burn" 600000 2>/dev/null &
hog=$!
trap 'kill $hog 2>/dev/null; finish' EXIT
joust compare --base ./old --candidate ./new --filter '^timed' --blocks 9 --pairs 1 --limit 100%
kill $hog
wait $hog 2>/dev/null
trap finish EXIT
ok "a comparison beside a hog ends" [ "$status" -eq 0 ]
ok "the hog is named" [ "$(record "[.benchmarks[].blocks[].preemptors[] | select(.pid == $hog)] | length")" -gt 0 ]
is "$(record "[.benchmarks[].blocks[].preemptors[] | select(.pid == $hog) | .comm] | unique | tostring")" \
	'["prog_burn"]' "by its name"
ok "the workers waited for their CPU" [ "$(pairs .values.waiting | jq 'add > 0')" = true ]
like "$out" 'pairs were disturbed: [0-9]+ by ' "the report says who disturbed the pairs"
is "$(pairs '.values.waiting / .values.wall' | jq 'map(select(. > 1.001)) | length')" 0 \
	"nobody waited for longer than the window"

# ---- an ordinary user ----

chmod -R a+rwX "$tmp"
mkdir "$tmp/nobody" && chown -R 65534:65534 "$tmp/nobody" "$tmp/programs" || exit 1
HOME=$tmp/nobody XDG_STATE_HOME=$tmp/nobody/state XDG_CACHE_HOME=$tmp/nobody/cache
# shellcheck disable=SC2086
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
	"$JOUST_BIN" $measure --filter '^plain'
if [ "$status" -ne 0 ]; then
	skip "an ordinary user has getrusage" "joust cannot run as nobody here: $err"
	skip "the reason is said once" "as above"
	skip "host.bpf is false" "as above"
else
	is "$(record .host.interference)" getrusage "an ordinary user has getrusage"
	is "$(record '[.notes[] | select(test("interference"))] | length')" 1 "the reason is said once"
	is "$(record .host.bpf)" false "host.bpf is false"
fi
