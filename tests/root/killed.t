#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# The engine killed, interrupted, failing and done: nothing is left of it, neither processes and their
# namespaces nor groups, mounts or files; what only the next start can remove, it does. Moments are system
# calls of a whole run, from its start over build, windows and record to its end, evenly drawn: MOMENTS of
# them (8, or as many as are asked for), by SEED.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

strace -o "$tmp/try" -e inject=getcwd:signal=KILL:when=1 pwd -P >/dev/null 2>&1
[ $? -eq 137 ] || skip_all "strace cannot kill at a system call here"
moments=${MOMENTS:-8}
seed=${SEED:-1}
some=2 # of SIGINT and SIGTERM
plan $((4 * moments + 2 * (3 * some + 1) + 14))

bench_project "$tmp/killed" 20000 20000
cd "$tmp/killed" || exit 1
cat >joust.conf <<-END
	[project]
		build = cp bench built
	[benchmark "work"]
		worker = built
	[benchmark "program"]
		command = ./built --test
END
printf 'bench\nbuilt\n' >.gitignore
commit . build
mkdir "$tmp/tmpdir" "$tmp/export" || exit 1
TMPDIR=$tmp/tmpdir
export TMPDIR

# mounts: where the engine would make them. Others may mount and unmount elsewhere meanwhile.
mounts() {
	grep -e "$tmp/" -e "/joust/" /proc/self/mountinfo
}
mounts=$(mounts)
# shellcheck disable=SC2016 # the shell's own number, which is then the engine's
start='echo $$ >"$0" && exec "$@"'

# engine STRACE-OPTION...: a run whose candidate has to be built; its number in $engine
engine() {
	n=$((${n:-0} + 1))
	echo "$n" >stamp
	# shellcheck disable=SC2086
	run strace -qq -o "$tmp/trace" "$@" sh -c "$start" "$tmp/pid" "$JOUST_BIN" compare $fast \
		--base main --timeout 60 --export-json "$tmp/export/run.json"
	engine=$(cat "$tmp/pid")
}

# processes: what lives of the engine: by its groups, which the init of a namespace is in as well, by
# the trees, and by the test's own directories
processes() {
	grep -lsF "/joust.$engine." /proc/[0-9]*/cgroup
	processes_in "$XDG_CACHE_HOME"
	[ ! -e "/proc/$engine" ] || echo "$engine"
}

no_processes() {
	[ -z "$(processes)" ]
}

groups() {
	find /sys/fs/cgroup -maxdepth 6 -type d -name "joust.$engine.*" 2>/dev/null
}

# files: what a run has no use for when it is over
files() {
	left_overs
	find "$tmp/tmpdir" "$tmp/export" -mindepth 1 ! -name run.json -print
	find "$XDG_STATE_HOME" -name '.*' ! -name .gitignore -print
}

# whole: every record that is there can be read
whole() {
	find "$tmp/export" "$XDG_STATE_HOME" -name '*.json' -print | while read -r file; do
		jq -e .exit "$file" >/dev/null || echo "$file"
	done
}

# all_gone WHEN: groups and files are
all_gone() {
	is "$(groups)$(files)" "" "$1: neither groups nor files are left"
}

# nothing_left WHEN: 3 tests
nothing_left() {
	is "$(processes)" "" "$1: no process is left, and no namespace"
	is "$(mounts)" "$mounts" "$1: no mount is left"
	all_gone "$1"
}

# --- success, with the profile that moments are drawn from
engine -e trace=all
is "$status" 0 "an undisturbed run"
nothing_left "success"
# "CALL N" for every call of the engine itself: the N-th of its kind since strace began
sed -n 's/^\([a-z0-9_]*\)(.*/\1/p' "$tmp/trace" | awk '{ print $1, ++cnt[$1] }' >"$tmp/calls"
first=$(awk '$1 == "execve" { at = NR } END { print at + 1 }' "$tmp/calls")

# draw CNT: so many "CALL N", one from each part of the run
draw() {
	awk -v cnt="$1" -v seed="$seed" -v first="$first" '
		NR >= first { call[all++] = $0 }
		END {
			srand(seed)
			for (i = 0; i < cnt; i++)
				print call[int((i + rand()) * all / cnt)]
		}' "$tmp/calls"
}

# --- SIGKILL
draw "$moments" >"$tmp/moments"
killed=0
while read -r call nth <&3; do
	engine -e "trace=$call" -e "inject=$call:signal=KILL:when=$nth"
	when="SIGKILL at $call, the $nth."
	[ "$status" -eq 137 ] && killed=$((killed + 1))
	# The kernel ends them, from which on nobody waits for anybody.
	ok "$when: no process is left" wait_for no_processes
	is "$(mounts)" "$mounts" "$when: no mount is left"
	is "$(whole)" "" "$when: no record is torn"
	was=$(groups)
	joust compare --base main --dry-run
	is "$status $(groups)$(files)" "0 " "$when: the next start removes the rest${was:+, groups too}"
done 3<"$tmp/moments"
# Two runs need not make the same calls as often: some of the last are never reached.
ok "$killed of $moments were killed" [ "$((2 * killed))" -ge "$moments" ]

# --- SIGKILL right before the record that was asked for gets a name, and before it replaces the old one
engine -e trace=linkat,renameat # the baseline is built by now
cp "$tmp/trace" "$tmp/trace.whole"
for call in linkat renameat; do
	nth=$(grep "^$call(" "$tmp/trace.whole" | grep -n "$tmp/export/" | tail -1 | cut -d : -f 1)
	if [ -z "$nth" ]; then # no file without a name on this file system
		skip "SIGKILL at $call" "the record needs no $call here"
		skip "what it leaves" "the record needs no $call here"
		continue
	fi
	engine -e "trace=$call" -e "inject=$call:signal=KILL:when=$nth"
	is "$status $(whole)" "137 " "SIGKILL at $call of the record: none is torn"
	joust compare --base main --dry-run --export-json "$tmp/export/run.json"
	is "$(files)" "" "and the next that writes it removes what is left"
done

# --- SIGINT, SIGTERM
for signal in INT TERM; do
	draw "$((2 * some))" | head -n "$some" >"$tmp/moments" # of the first half: every run comes that far
	ended=0
	while read -r call nth <&3; do
		engine -e "trace=$call" -e "inject=$call:signal=$signal:when=$nth"
		case $signal$status in
		INT130 | TERM143) ended=$((ended + 1)) ;;
		esac
		nothing_left "SIG$signal at $call, the $nth."
	done 3<"$tmp/moments"
	ok "$ended of $some were ended by SIG$signal" [ "$ended" -ge 1 ]
done

# --- failures: of a build, and of a benchmark
sed 's/built$/nonexistent/' joust.conf >"$tmp/conf" && cp "$tmp/conf" joust.conf
engine -e trace=fsync
is "$status" 3 "a run that fails"
nothing_left "failure"
is "$(whole)" "" "every record is whole"
