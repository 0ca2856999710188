#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs that go wrong in every way: each is a recorded reason, and none harms joust or the terminal.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 110

bench_project "$tmp/faults" 20000 20000
cd "$tmp/faults" || exit 1
cat >joust.conf <<-END
	[benchmark "faulty"]
		worker = bench
END
commit . faulty

# outcome: verdict, reason and side of the first benchmark
outcome() {
	record '.benchmarks[0] | .verdict, .reason, .side' | tr '\n' ' '
}

# goes_wrong FAULT REASON OPTION...: the candidate does FAULT; the benchmark ends by REASON, exit 3
goes_wrong() {
	fault=$1
	reason=$2
	shift 2
	echo "$fault" >fault.txt
	# shellcheck disable=SC2086
	joust compare $fast "$@"
	is "$status $(outcome)" "3 error $reason candidate " "${fault%% *}: $reason"
	is "$(processes_in "$XDG_CACHE_HOME")" "" "${fault%% *}: no process is left"
}

goes_wrong "hang" timeout --timeout 2
like "$out" 'did not answer in time' "that is said"
like "$out" '^Next: .*--timeout' "with what to do about it"
goes_wrong "spin" timeout --timeout 2
goes_wrong "garbage" protocol-error
goes_wrong "close" worker-closed
goes_wrong "exit-early" exit-status
goes_wrong "exit 4 - late" exit-status
like "$out" 'exit status 3' "the exit status is said"
goes_wrong "segv 4" signal
goes_wrong "no-loop" no-loop
goes_wrong "fail 0 - it cannot be" benchmark-failed
like "$out" 'it cannot be' "its own message is shown"
goes_wrong "daemon 0 $shared/daemon" left-processes
ok "the daemon had started" [ -s "$shared/daemon" ]

echo "flood" >fault.txt
quickly 0 "10 MB of output harm nobody"
is "$(record '.benchmarks[0].verdict')" same "the benchmark is judged"
echo "skip 0 - no AVX-512 here" >fault.txt
quickly 0 "a skip is no failure"
is "$(outcome)" "skipped skipped candidate " "it is recorded"
like "$out" '^  . skipped    faulty.*no AVX-512 here' "the report shows its reason"

# --- what a program says
# harmless NAME: stdout and stderr have no control bytes and no command that a CI server obeys
harmless() {
	is "$(LC_ALL=C tr -d '\n\040-\176\200-\377' <"$tmp/out" | wc -c)" 0 "$1: no control byte on stdout"
	is "$(LC_ALL=C tr -d '\n\040-\176\200-\377' <"$tmp/err" | wc -c)" 0 "$1: none on stderr"
	unlike "$out$err" '^[[:space:]]*::' "$1: no ::command:: begins a line"
	unlike "$out$err" '##\[' "$1: no ##[command]"
	unlike "$out$err" "$(printf '\342\200\256')" "$1: nothing turns the text round"
}

echo "hostile" >fault.txt
quickly 3 "hostile stderr"
harmless "stderr of a worker"
like "$out" '\\x1b\[31mred' "it is shown, escaped"
like "$out" '::error::from stderr' "all of it"
quickly 3 "hostile stderr, at length" -v
harmless "stderr of a worker with -v"
cat >joust.conf <<-END
	[project]
		build = "printf '\\\\033[31mred\\\\n::error::built\\\\n##[error]x\\\\n'; exit 1"
	[benchmark "faulty"]
		worker = bench
END
exits 3 "a hostile build log"
like "$err" '::error::built' "is shown"
harmless "a build log"

# --- what it is called
cp "$JOUST_OUT/tests/cli/prog_hostile" bench
cat >joust.conf <<-END
	[benchmark "*"]
		worker = bench
END
printf '\033[31mred' >name.txt
exits 3 "a name with an escape sequence" --base HEAD
like "$err" "^joust: cannot list the candidate's benchmarks of bench: .*protocol" "breaks the protocol"
harmless "a name with an escape sequence"
printf 'a\342\200\256b' >name.txt
exits 64 "a name that turns the text round" --base HEAD
harmless "a name that turns the text round"
printf '::error::x ##[error]y' >name.txt
exits 0 "a name that is a command" list
like "$out" 'error::x' "is listed"
harmless "the list"
cat >joust.conf <<-END
	[benchmark "::error::x ##[group]"]
		command = false
END
quickly 3 "such a name in a report"
harmless "a report"
printf '[benchmark "\033[31m"]\n\tcommand = false\n' >joust.conf
exits 64 "a control byte in joust.conf"
harmless "joust.conf"

# --- libraries of the other version, which a sandbox would keep from being there at all
new_repo "$tmp/library"
cd "$tmp/library" || exit 1
write_worker bench.c 20000
echo 'int twice(int x); int twice(int x) { return 2 * x; }' >twice.c
cat >build.sh <<-END
	cc -shared -fPIC -o libtwice.so twice.c
	[ -e $shared/rpath ] || pwd >$shared/rpath
	cc -O2 -I$src/engine/worker -o bench bench.c $JOUST_OUT/libjoust.a -lm -lpthread \\
		-Wl,--no-as-needed -L. -ltwice -Wl,-rpath,"\$(cat $shared/rpath)"
END
cat >joust.conf <<-END
	[project]
		build = sh build.sh
	[benchmark "work"]
		worker = bench
END
commit . first
echo '/* changed */' >>twice.c
quickly 3 "a candidate that loads the baseline's library" --sandbox none
is "$(outcome)" "error foreign-build candidate " "is a foreign build"
like "$out" 'libtwice\.so' "the library is named"
mkdir "$tmp/installed"
cp "$(cat "$shared/rpath")/libtwice.so" "$tmp/installed"
echo "$tmp/installed" >"$shared/rpath"
echo '# installed' >>build.sh
commit . second
echo '/* changed again */' >>twice.c
quickly 3 "two versions that load an installed library" --sandbox none
is "$(record '.benchmarks[0].reason')" not-own-build "are no builds of their own"
# shellcheck disable=SC2016
echo '$ORIGIN' >"$shared/rpath"
echo '# own' >>build.sh
commit . third
echo '/* and again */' >>twice.c
quickly 0 "two that load their own are compared"
# the path that the baseline was built at is the candidate's, too
rm "$shared/rpath"
echo '# at its place' >>build.sh
commit . fourth
echo '/* once more */' >>twice.c
quickly 0 "with an absolute path, too: there is one for both"
is "$(cat "$shared/rpath")" "$tmp/library" "the project's own"

# --- a reader that goes away
cd "$tmp" || exit 1
bench_project "$tmp/reader" 20000 80000
cd "$tmp/reader" || exit 1
for arguments in "" "--export-json -"; do
	# shellcheck disable=SC2086
	{
		"$JOUST_BIN" compare $fast $arguments 2>"$tmp/err"
		echo $? >"$tmp/status"
	} | head -1 >/dev/null
	is "$(cat "$tmp/status")" 1 "| head -1 keeps the verdict's status ${arguments:-}"
	is "$(record '.status')" failed "and the record is written"
done

# --- places that cannot be written, and too few descriptors
git checkout -q main
XDG_STATE_HOME=$tmp/reader/work.txt "$JOUST_BIN" --force >"$tmp/out" 2>"$tmp/err"
status=$?
err=$(cat "$tmp/err")
is "$status" 3 "a state directory that cannot be is 3"
like "$err" "^joust: .*$tmp/reader/work.txt" "its path is said"
unlike "$err" 'copying' "before anything is done"
mkdir -m 555 "$tmp/read-only"
as_somebody=
[ "$(id -u)" -ne 0 ] || as_somebody="setpriv --reuid 65534 --clear-groups"
chmod 755 "$tmp"
# shellcheck disable=SC2086
if $as_somebody "$JOUST_BIN" --version >/dev/null 2>&1; then
	XDG_STATE_HOME=$tmp/read-only $as_somebody "$JOUST_BIN" --force >"$tmp/out" 2>"$tmp/err"
	status=$?
	err=$(cat "$tmp/err")
	is "$status" 3 "a read-only state directory is 3"
	like "$err" "^joust: .*$tmp/read-only/joust: Permission denied" "its path and cause are said"
else
	skip "a read-only state directory is 3" "another user cannot start joust"
	skip "its path and cause are said" "another user cannot start joust"
fi
mask=$(umask)
umask 777
XDG_CACHE_HOME=$tmp/masked XDG_STATE_HOME=$tmp/masked "$JOUST_BIN" compare --force --max-blocks 12 \
	--limit 100% >"$tmp/out.masked" 2>&1
status=$?
umask "$mask"
is "$status" 0 "a mask that takes joust its own rights does not stop it"
is "$(stat -c %a "$tmp"/masked/joust/reader-????????/last.json)" 600 "nor does it give others any"
for limit in 9 13 16 20; do
	run prlimit --nofile="$limit" "$JOUST_BIN" --force --max-blocks 12
	is "$status" 3 "$limit descriptors: 3"
	like "$out$err" 'ulimit -n' "$limit descriptors: the cause is said"
done
