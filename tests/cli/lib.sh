# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# TAP for the tests of the command line; POSIX sh. A test sources this file first:
#	. "$(dirname "$0")/lib.sh"
# It then has $tmp (removed at the end), $shared in it (which sandboxed programs may write), $src (top of the sources), an environment without the user's
# settings, and a home, cache and state directory of its own.

: "${JOUST_BIN:?is not set: run the tests with make check-cli}"
: "${JOUST_OUT:?is not set: run the tests with make check-cli}"

src=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
tmp=$(mktemp -d "${TMPDIR:-/tmp}/joust-test.XXXXXX") || exit 1
number=0
planned=
failed=0
status=0
out=
err=

# The end of every test, however it comes: a test that stopped early has not passed.
finish() {
	code=$?
	cd / || code=1
	chmod -R u+rwX "$tmp" 2>/dev/null
	rm -rf "$tmp"
	if [ "$code" -eq 0 ] && [ "$number" != "$planned" ]; then
		echo "# planned ${planned:-no} tests, ran $number"
		code=1
	fi
	[ "$code" -ne 0 ] || [ "$failed" -eq 0 ] || code=1
	exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for name in $(env | sed -n 's/^\(JOUST_[A-Z_]*\)=.*/\1/p'); do
	case $name in
	JOUST_BIN | JOUST_OUT) ;;
	*) unset "$name" ;;
	esac
done
unset NO_COLOR CLICOLOR CLICOLOR_FORCE FORCE_COLOR CI GITHUB_ACTIONS GITLAB_CI BUILDKITE COLUMNS \
	GITHUB_STEP_SUMMARY GITHUB_OUTPUT SOURCE_DATE_EPOCH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE \
	MAKEFLAGS MAKELEVEL MFLAGS
HOME=$tmp/home
XDG_CACHE_HOME=$tmp/cache
XDG_STATE_HOME=$tmp/state
XDG_CONFIG_HOME=$tmp/config
GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_NAME=author GIT_AUTHOR_EMAIL=author@example.org
GIT_COMMITTER_NAME=author GIT_COMMITTER_EMAIL=author@example.org
GIT_AUTHOR_DATE='2025-01-01T00:00:00Z' GIT_COMMITTER_DATE='2025-01-01T00:00:00Z'
export HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_HOME GIT_CONFIG_NOSYSTEM GIT_AUTHOR_NAME \
	GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_DATE
mkdir "$HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_CONFIG_HOME/joust" "$tmp/open" || exit 1
# Projects of tests are built with the header and the library of these sources, and leave in their
# directory and in $shared what a test looks at.
shared=$tmp/open
cat >"$XDG_CONFIG_HOME/joust/config" <<END || exit 1
[sandbox]
	read = $src
	read = $JOUST_OUT
	write = $shared
	write = .
END

# plan CNT
plan() {
	planned=$1
	echo "1..$1"
}

# skip_all REASON: nothing of this file can run here
skip_all() {
	echo "1..0 # SKIP $1"
	planned=0
	exit 0
}

pass() {
	number=$((number + 1))
	echo "ok $number - $1"
}

# fail NAME [TEXT]: TEXT says why, on standard error, because prove keeps standard output to itself
fail() {
	number=$((number + 1))
	failed=$((failed + 1))
	echo "not ok $number - $1"
	printf '%s\n' "failed: $1" "${2-}" "status $status" "stdout: $out" "stderr: $err" | sed 's/^/# /' >&2
}

# skip NAME REASON
skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# ok NAME COMMAND [ARGUMENT...]: passes when the command succeeds
ok() {
	what=$1
	shift
	if "$@"; then pass "$what"; else fail "$what" "failed: $*"; fi
}

# is GOT WANT NAME
is() {
	if [ "$1" = "$2" ]; then pass "$3"; else fail "$3" "got \"$1\", want \"$2\""; fi
}

# like TEXT ERE NAME: passes when a line of TEXT matches
like() {
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then pass "$3"; else fail "$3" "no match for $2"; fi
}

# unlike TEXT ERE NAME
unlike() {
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then fail "$3" "unwanted match for $2"; else pass "$3"; fi
}

# run COMMAND [ARGUMENT...]: leaves $status, and stdout and stderr in $out, $err, $tmp/out, $tmp/err
run() {
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	out=$(cat "$tmp/out")
	err=$(cat "$tmp/err")
}

joust() {
	run "$JOUST_BIN" "$@"
}

# exits STATUS NAME ARGUMENT...: runs joust and checks its exit status
exits() {
	want=$1
	what=$2
	shift 2
	joust "$@"
	is "$status" "$want" "$what"
}

# refuses ERE ARGUMENT...: joust exits with 64, says it in one line that matches, and nothing else
refuses() {
	ere=$1
	shift
	joust "$@"
	what="joust $*: 64, $ere"
	if [ "$status" -eq 64 ] && [ -z "$out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -Eq -e "^joust: .*$ere" "$tmp/err"; then
		pass "$what"
	else
		fail "$what"
	fi
}

# write_worker FILE STEPS: a worker program with one benchmark, "work", of so many steps
write_worker() {
	cat >"$1" <<-EOF
		#include "joust.h"

		#define STEPS $2

		static unsigned work(unsigned x)
		{
			/* each step needs the one before: no compiler makes it shorter */
			for (unsigned i = 0; i < STEPS; i++)
				x = (x ^ x >> 13) * 1664525u + i;
			return x;
		}

		JOUST_BENCH(bench_work, "work")
		{
			unsigned seed = 1;

			JOUST_LOOP(b) {
				seed = work(seed);
				joust_keep(seed);
			}
		}
	EOF
}

# make_project DIR MAIN_STEPS [CHANGE_STEPS]: a git repository with a worker benchmark. `main` does
# MAIN_STEPS in an iteration; with CHANGE_STEPS there is a branch `change`, checked out, that does so
# many and whose source differs even when the number does not. The working tree is clean.
make_project() {
	mkdir -p "$1" || return 1
	write_worker "$1/bench.c" "$2"
	cat >"$1/Makefile" <<-EOF
		bench: bench.c; cc -O2 -g -I$src/engine/worker -o bench bench.c $JOUST_OUT/libjoust.a -lm -lpthread
	EOF
	cat >"$1/joust.conf" <<-EOF
		[project]
			build = make -s bench
			main-branch = main
		[benchmark "work"]
			worker = bench
	EOF
	echo bench >"$1/.gitignore"
	git -C "$1" init -q -b main && git -C "$1" add . && git -C "$1" commit -q -m first || return 1
	[ -n "${3-}" ] || return 0
	git -C "$1" checkout -q -b change || return 1
	write_worker "$1/bench.c" "$3"
	echo '/* changed */' >>"$1/bench.c"
	git -C "$1" commit -q -a -m change
}

# new_repo DIR: a repository on branch main, without a commit
new_repo() {
	mkdir -p "$1" && git -C "$1" init -q -b main
}

# commit DIR MESSAGE: everything that is there
commit() {
	git -C "$1" add -A && git -C "$1" commit -q --allow-empty -m "$2"
}

# bench_project DIR STEPS [CHANGE_STEPS]: a repository whose worker program (prog_bench.c) is in git
# as it is, so that nothing is built. On main "work" takes STEPS in an iteration, on the branch
# `change`, which is checked out, CHANGE_STEPS.
bench_project() {
	new_repo "$1" && cp "$JOUST_OUT/tests/cli/prog_bench" "$1/bench" || return 1
	echo "$2" >"$1/work.txt"
	cat >"$1/joust.conf" <<-EOF
		[benchmark "work"]
			worker = bench
	EOF
	commit "$1" first || return 1
	[ -n "${3-}" ] || return 0
	git -C "$1" checkout -q -b change && echo "$3" >"$1/work.txt" && commit "$1" change
}

# with_benchmark DIR NAME: one more benchmark of the worker program in joust.conf
with_benchmark() {
	printf '[benchmark "%s"]\n\tworker = bench\n' "$2" >>"$1/joust.conf"
}

# records: those of the project that is the working directory, the newest first: of the last comparison,
# and of the last `joust run`
records() {
	find "$XDG_STATE_HOME/joust/${PWD##*/}"-???????? -maxdepth 1 \( -name last.json -o -name last-run.json \) \
		-printf '%T@ %p\n' | sort -rn | cut -d ' ' -f 2-
}

# record FILTER: what jq says about the newest one
record() {
	jq -r "$1" "$(records | head -n 1)"
}

# How long a test waits for what must come: long enough for any machine. What takes longer hangs.
patience=300 # seconds

# wait_for COMMAND [ARGUMENT...]: until the command succeeds. When patience is over the test file ends.
wait_for() {
	deadline=$(($(date +%s) + patience))
	until "$@"; do
		if [ "$(date +%s)" -ge "$deadline" ]; then
			fail "too slow" "after $patience seconds still not: $*"
			exit 1
		fi
		sleep 0.05
	done
}

# no_process_in DIR, file_in DIR PATTERN: for wait_for
no_process_in() {
	[ -z "$(processes_in "$1")" ]
}

file_in() {
	[ -n "$(find "$1" -name "$2" 2>/dev/null)" ]
}

# processes_in DIR: links in /proc of the processes whose program or working directory is below it,
# and of those in a sandbox of this test
processes_in() {
	find /proc/[0-9]*/exe /proc/[0-9]*/cwd -maxdepth 0 -lname "$1/*" 2>/dev/null
	for link in $(find /proc/[0-9]*/cwd -maxdepth 0 -lname "$tmp/*" 2>/dev/null); do
		world=$(readlink "${link%/cwd}/ns/mnt" 2>/dev/null) || continue
		[ "$world" = "$(readlink /proc/self/ns/mnt)" ] || echo "$link"
	done
}

# left_overs: files that no run may leave in the cache
left_overs() {
	find "$XDG_CACHE_HOME" \( -name '.joust-*' -o -name '*.env' -o -path '*/joust/work/*' \) -print
}

# Options for runs whose outcome is plain: few pairs, and a limit that noise on identical code does not
# reach.
fast="--limit 100% --max-blocks 12 --pairs 1"

# quickly STATUS NAME ARGUMENT...: like exits, with $fast
quickly() {
	want=$1
	what=$2
	shift 2
	# shellcheck disable=SC2086
	joust compare $fast "$@"
	is "$status" "$want" "$what"
}
