#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What means harm or comes at a bad time: other runs, kills, cleaning, strange files, full disks.

# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 47

# command_project DIR BUILD: one benchmark, ./work, which is a program of the tree
command_project() {
	mkdir "$1" && cd "$1" || exit 1
	cat >work.c <<-END
		#include <unistd.h>
		int main(void)
		{
			while (!access("$shared/hold", F_OK))
				usleep(1000);
			for (volatile int i = 0; i < 300000; i++)
				;
			return 0;
		}
	END
	printf '[project]\n\tbuild = "%s"\n\tmain-branch = main\n' "$2" >joust.conf
	printf '[benchmark "work"]\n\tcommand = ./work\n' >>joust.conf
	echo /work >.gitignore
	git init -q -b main && git add . && git commit -q -m first || exit 1
	echo 'int changed;' >>work.c # the programs differ, so each side has its copies
}

slots() {
	find "$@" -name '.joust-*' | wc -l
}

# measure ARGUMENT...: joust in the background, until it measures; what it runs ends when go is called
measure() {
	touch "$shared/hold"
	"$JOUST_BIN" "$@" >"$tmp/first" 2>"$tmp/first.err" &
	first=$!
	wait_for file_in "$tmp" '.joust-slot-*'
}

go() {
	rm "$shared/hold"
}

# --- other runs of the same project ---

command_project "$tmp/shared" 'cc -O1 -o work work.c'
joust --dry-run
is "$status" 0 "the trees are built"
ok "the first run measures" measure --blocks 40
kill -STOP "$first" # it cannot end before the second one
go
state=$XDG_STATE_HOME
XDG_STATE_HOME=$tmp/other # where it does not wait for the CPU of the first
joust --max-blocks 9 --progress always
XDG_STATE_HOME=$state
is "$status" 0 "a second run of the same project works beside it"
unlike "$err" building "and builds nothing anew"
joust clean
is "$status" 0 "clean works during a run"
is "$(grep -c 'what a running joust uses stayed' "$tmp/err")" 1 "and says once that something stayed"
kill -CONT "$first"
wait "$first"
is "$?" 0 "the first run finds its trees and the place of its record"

# --- left by a kill ---

ok "a run measures" measure --blocks 40
kill -KILL "$first"
wait "$first" 2>/dev/null
go
ok "killed, it leaves copies of programs" test "$(slots "$XDG_CACHE_HOME")" -gt 0
joust --dry-run --progress always
unlike "$err" building "the next run takes the tree as it was built"
is "$(slots "$XDG_CACHE_HOME")" 0 "and removes the copies"

# --- in place ---

ok "a run measures in place" measure --in-place --blocks 40
kill -STOP "$first"
go
joust --in-place --dry-run
is "$status" 3 "a second one in the same tree is refused"
like "$err" '^joust: another joust measures .* in place' "and says why"
XDG_STATE_HOME=$tmp/other
joust --dry-run --progress always
XDG_STATE_HOME=$state
is "$status" 0 "a snapshot can be taken"
unlike "$err" building "and is what it was without the copies of programs"
kill -KILL "$first"
wait "$first" 2>/dev/null
joust --in-place --dry-run
is "$status" 0 "after a kill the tree can be measured in place again"
is "$(slots .)" 0 "and what was left in it is gone"

# --- long and deep words ---

long=$(head -c 100000 /dev/zero | tr '\0' '(')
refuses '--filter takes a regular expression of at most 1024 bytes' --filter "$long"
joust -- "$long"
is "$status" 3 "a command of 100,000 bytes is an error"
like "$err" '^joust: \(+ \[\.\.\.] \(+ is on neither side' "whose cause is said in spite of its length"

# --- builds ---

command_project "$tmp/injects" 'printf \"::error::planted\\n\"; exit 1'
joust
is "$status" 3 "a build that prints commands of GitHub fails"
unlike "$err" '^[[:blank:]]*::' "and its log cannot give them"
command_project "$tmp/pipe" 'mkfifo -m 755 work'
run timeout -s KILL "$patience" "$JOUST_BIN"
is "$status" 3 "a pipe in place of the program is an error, not a wait"
command_project "$tmp/directory" 'mkdir work'
joust
like "$err" '^joust: "work": \./work is on neither side' "a directory is no program"
command_project "$tmp/large" 'cc -o work work.c && truncate -s 5G work'
joust
is "$status" 3 "a program of 5 GB is an error"
like "$out" 'could not be started: it is larger than the 4 GiB that are copied' "that says so"

# --- limits of the process ---

command_project "$tmp/limits" 'cc -O1 -o work work.c'
joust --dry-run
run sh -c 'ulimit -f 1; exec "$@"' sh "$JOUST_BIN" --max-blocks 9
is "$status" 3 "a limit on the size of files is an error"
like "$err" '^joust: cannot write the record .*: File too large$' "that names the record"
out=$(sh -c 'ulimit -f 1; "$@" 2>/dev/null' sh "$JOUST_BIN" --max-blocks 9 | cat)
like "$out" '^1 [a-z]* in ' "the report comes none the less"
unlike "$out" '^Record: ' "and sends nobody there"
run sh -c 'ulimit -n 4; exec "$@"' sh "$JOUST_BIN"
is "$status" 3 "a configuration that cannot be read is not called wrong"
like "$err" '^joust: .*/joust/config: Too many open files$' "but named with the cause"
escape=$(printf '\033')
mkdir "$tmp/$escape]0;x"
ok "a run measures" measure --max-blocks 9 --export-json "$tmp/$escape]0;x/record"
rm -rf "$tmp/$escape]0;x"
go
wait "$first"
is "$?" 3 "an export that became impossible is an error"
unlike "$(cat "$tmp/first.err")" "$escape" "and its name is escaped"

# --- the cache within the project ---

command_project "$tmp/within" 'cc -O1 -o work work.c'
export XDG_CACHE_HOME="$tmp/within/.cache" XDG_STATE_HOME="$tmp/within/.state"
joust --dry-run
joust --dry-run --progress always
is "$status" 0 "the cache may lie within the project"
unlike "$err" building "and is no part of the snapshot"
is "$(git status --short)" " M work.c" "nor of what git sees"
rm -rf .git
joust --dry-run --base . --candidate .
is "$status" 0 "nor of a directory that is copied whole"
joust --in-place --dry-run --base .
is "$status" 0 "nor of a tree that is measured in place"

# --- a worker without a clock, a host without /proc ---

mkdir "$tmp/still" && cp "$JOUST_OUT/tests/cli/prog_standstill" "$tmp/still/bench" && cd "$tmp/still" || exit 1
printf '[benchmark "still"]\n\tworker = bench\n' >joust.conf
run timeout -s KILL "$patience" "$JOUST_BIN" run --candidate . --warmup 0.05 --blocks 2
is "$status" 0 "a worker whose clock stands still is warm one day"
if unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
	# shellcheck disable=SC2016 # for the inner shell
	run unshare -m sh -c 'mount -t tmpfs none /proc; exec "$@"' sh "$JOUST_BIN" list --candidate .
	is "$status" 3 "without /proc the configuration cannot be read"
	like "$err" '^joust: .*: cannot be parsed without /proc$' "and that is said"
else
	skip "without /proc the configuration cannot be read" "no permission to mount"
	skip "and that is said" "no permission to mount"
fi

# --- no home ---

run env -u XDG_CACHE_HOME -u XDG_STATE_HOME HOME="$tmp/none" "$JOUST_BIN" list --candidate .
is "$status" 3 "without a home directory there is nowhere to keep things"
like "$err" "^joust: the home directory $tmp/none: No such file or directory; set XDG_" "and that is said"
ok "it is not made" test ! -e "$tmp/none"
