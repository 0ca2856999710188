#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# The CPU that is measured on goes away, and its governor is not the right one. A cpuset takes a CPU from
# the test's own processes alone, a mount in a namespace of its own shows another governor.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

bench_project "$tmp/cpus" 20000
cd "$tmp/cpus" || exit 1
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
[ "$status" -eq 0 ] || skip_all "joust compares nothing here: $err"
cpu=$(record .host.cpu)
plan 16

# --- F26: the kernel moves threads away from a CPU that is lost
set=/sys/fs/cgroup/cpuset/joust-test-$$
all=$(cat /sys/fs/cgroup/cpuset/cpuset.cpus 2>/dev/null)
other=
for c in $(taskset -cp $$ | sed 's/.*: //; s/,/ /g; s/-/ /g'); do
	[ "$c" = "$cpu" ] || other=$c
done
# loses_cpu CNT: the CPU goes while the process after so many waits
loses_cpu() {
	rm -f "$shared/gate" "$shared/gate.open"
	echo "$all" >"$set/cpuset.cpus"
	echo "gate $1 $shared/gate" >fault.txt
	commit . gate
	# shellcheck disable=SC2016,SC2086
	sh -c 'echo $$ >"$0/tasks" && exec "$@"' "$set" "$JOUST_BIN" compare $fast --base HEAD \
		--candidate HEAD --force --timeout 60 >"$tmp/out" 2>"$tmp/err" </dev/null &
	engine=$!
	ok "the process after $1 is measured" wait_for [ -e "$shared/gate" ]
	echo "$other" >"$set/cpuset.cpus"
	: >"$shared/gate.open"
	wait "$engine"
	status=$?
	out=$(cat "$tmp/out") err=$(cat "$tmp/err")
}
leave_set() {
	while read -r pid; do
		echo "$pid" >"${set%/*}/tasks"
	done <"$set/tasks" 2>/dev/null
	rmdir "$set" 2>/dev/null
}
trap 'leave_set; finish' EXIT
if [ -n "$other" ] && mkdir "$set" 2>/dev/null && echo "$all" 2>/dev/null >"$set/cpuset.cpus" &&
	cat "${set%/*}/cpuset.mems" >"$set/cpuset.mems"; then
	cat >joust.conf <<-END
		[benchmark "faulty"]
			worker = bench
	END
	# four processes are looks, each block has two
	loses_cpu 6
	is "$(record '[.benchmarks[0].blocks[] | .lost] | map(select(. != null)) | unique | .[]')" cpu-gone \
		"its CPU gone, the block is lost"
	is "$status $(record '.benchmarks[0].verdict')" "0 undecided" "and no other CPU is taken for it"
	like "$out" 'the host spoiled too many blocks' "that is said"
	is "$(processes_in "$XDG_CACHE_HOME")" "" "no process is left"
	cp "$JOUST_OUT/tests/cli/prog_worker" several
	printf '[benchmark "threads: 2"]\n\tworker = several\n' >>joust.conf
	loses_cpu 6
	is "$status $(record '[.benchmarks[] | .verdict] | unique | .[]')" "0 undecided" \
		"beside a benchmark with more CPUs, too"
	is "$(record '[.benchmarks[] | .blocks[].lost | values] | unique | .[]')" cpu-gone "both lose their blocks"
	is "$(processes_in "$XDG_CACHE_HOME")" "" "no process is left"
	sed -i '/threads: 2/,$d' joust.conf
	loses_cpu 1
	is "$status $(record '.benchmarks[0] | .verdict, .reason' | tr '\n' ' ')" "3 error cpu-gone " \
		"its CPU gone before the first block is an error"
	like "$out" 'the CPU that was measured on went away' "that is said"
else
	for what in block lost undecided said left block undecided both left look error said; do
		skip "a CPU goes away: $what" "no cpuset can be made here, or there is one CPU"
	done
fi

# --- F30: what the CPU's governor is, is in the record and in what doctor says
fake=$tmp/fake-cpu
dir=/sys/devices/system/cpu/cpu$cpu
mkdir -p "$fake/cpufreq" && cp -r "$dir/topology" "$fake/" 2>/dev/null
# governed GOVERNOR COMMAND...: where that is the governor of the CPU
governed() {
	echo "$1" >"$fake/cpufreq/scaling_governor"
	shift
	# shellcheck disable=SC2016
	run unshare -m sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$fake" "$dir" "$@"
}
cat >joust.conf <<-END
	[benchmark "work"]
		worker = bench
END
commit . governed
governed performance true
if [ "$status" -eq 0 ]; then
	for governor in powersave performance; do
		# shellcheck disable=SC2086
		governed $governor "$JOUST_BIN" compare $fast --base HEAD --candidate HEAD --force
		is "$status $(record .host.governor)" "0 $governor" "governor $governor: in the record"
		governed $governor "$JOUST_BIN" doctor
		case $governor in
		performance) like "$out" 'ok +governor +performance' "and doctor is content" ;;
		*) like "$out" 'warn +governor .*powersave' "and doctor warns" ;;
		esac
	done
else
	for what in record doctor record doctor; do
		skip "a governor: $what" "nothing can be mounted here: $err"
	done
fi
