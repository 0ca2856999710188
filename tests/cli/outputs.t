#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files that a user names for results: descriptors, links and pipes stay what they are.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 29

mkdir "$tmp/project" && cd "$tmp/project" || exit 1

# measure [OPTION...]: one block of the quickest there is. An old joust hung on a pipe.
measure() {
	run timeout -s KILL "$patience" "$JOUST_BIN" run --blocks 1 --pairs 1 "$@" -- /bin/true
}

is_record() {
	[ "$(jq -r .verb "$1")" = run ]
}

for name in /dev/fd/1 /proc/self/fd/1 /proc/thread-self/fd/1; do
	measure --export-json "$name"
	is "$status" 0 "$name is written to"
	ok "it has the record and nothing else" is_record "$tmp/out"
	like "$err" '/bin/true' "the report is on stderr"
done
exec 7>opened
echo before >&7
measure --export-json /dev/fd/7
exec 7>&-
is "$status $(head -n 1 opened)" "0 before" "a descriptor of a file is written where it stands"
sed 1d opened >rest
ok "the record follows" is_record rest

# Numbers that joust gives to files of its own while it runs.
for fd in 3 4 5 6 7 8 9; do
	measure --export-json "/dev/fd/$fd" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	echo "$status $out"
done | sort -u >closed
is "$(cat closed)" "3 " "a descriptor that nobody opened is refused before anything is measured"

measure --export-json /dev/fd/0 <&-
is "$status" 3 "stdin that was closed is none, either"
name=$(head -c 255 /dev/zero | tr '\0' n)
measure --export-json "$name"
ok "the longest name that a file can have is one" is_record "$name"

mkdir elsewhere
ln -s elsewhere/file link
measure --export-json link
ok "a link to nothing makes what it leads to" is_record elsewhere/file
measure --export-json link
is "$status $(readlink link)" "0 elsewhere/file" "and stays a link"

mkfifo pipe
measure --export-json pipe
is "$status" 3 "a pipe without a reader is an error"
is "$err" "joust: cannot write pipe: it is a pipe that nobody reads, or a socket" "that is said"
is "$out" "" "before anything is measured"
# What is measured looks whether joust has the pipe open: a reader would else see its end too early.
cat >look <<END
#!/bin/sh
for exe in /proc/[0-9]*/exe; do
	[ "\$(readlink "\$exe")" != "$JOUST_BIN" ] ||
		find "\${exe%exe}fd" -lname "$tmp/project/pipe" >>"$tmp/held"
done 2>/dev/null
exit 0
END
chmod +x look
cat pipe >got &
exec 8>pipe # waits for the reader
run timeout -s KILL "$patience" "$JOUST_BIN" run --blocks 1 --pairs 1 --sandbox none \
	--export-json pipe -- ./look 8>&-
exec 8>&-
wait $!
is "$status" 0 "a pipe with a reader is written to"
ok "it is held while joust measures" [ -s "$tmp/held" ]
ok "who reads to the end gets all of it" is_record got

state=$(records | sed q)
rm "$state" && mkfifo "$state"
measure
is "$status" 0 "a pipe in place of the last record is no obstacle"
ok "it is replaced" is_record "$state"

# Who stops reading keeps joust waiting, with the record written, but not against a signal: a shell says
# of its end what joust's own status would have been before.
stopped() {
	kill -"$signal" "$(cat engine)" 2>/dev/null
	[ -s ended ]
}
for signal in 15 1; do
	rm -f "$state" engine ended
	perl -e '
		pipe(my $r, my $w) or die; fcntl($w, 1031, 4096) or die; # F_SETPIPE_SZ
		$SIG{HUP} = "DEFAULT";
		my $pid = fork // die;
		if (!$pid) {
			open(STDOUT, ">&", $w) or die;
			close $r; close $w;
			exec @ARGV or die;
		}
		close $w;
		open(my $f, ">", "engine") or die; print $f $pid; close $f;
		waitpid($pid, 0);
		print $? & 127' "$JOUST_BIN" run --blocks 20 --pairs 1 --export-json - -- /bin/true >ended 2>/dev/null &
	wait_for test -s "$state"
	wait_for stopped
	is "$(cat ended)" "$signal" "signal $signal ends joust while it writes to a pipe that nobody reads any more"
	ok "what it found is kept" is_record "$state"
done

# In a /dev of its own: that of the host is not put at risk.
if ! unshare -m true 2>/dev/null; then
	skip "/dev/stdout stays a link, and is written to" "no mount namespace may be made here"
else
	mkdir "$tmp/dev"
	# shellcheck disable=SC2016
	measured=$(unshare -m sh -c '
		mount --make-rprivate / && mount -t tmpfs none "$1" &&
			cp -a /dev/null /dev/zero /dev/full /dev/urandom "$1" && mkdir "$1/shm" &&
			ln -s /proc/self/fd "$1/fd" && ln -s /proc/self/fd/1 "$1/stdout" &&
			mount --bind "$1" /dev || exit 1
		"$2" run --blocks 1 --pairs 1 --export-json /dev/stdout -- /bin/true >named 2>/dev/null
		echo "$? $(readlink /dev/stdout)"' sh "$tmp/dev" "$JOUST_BIN")
	is "$measured $(jq -r .verb named)" "0 /proc/self/fd/1 run" \
		"/dev/stdout stays a link, and is written to"
fi
