#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# The sandbox as the command line and joust.conf set it: what each key opens and that it opens nothing
# else, strict where a layer is missing or the candidate opens more than the baseline, the log, and what
# is left of it for an ordinary user.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Nothing is opened by the user: the tests' own openings would hide what joust.conf does.
: >"$XDG_CONFIG_HOME/joust/config"
chmod 755 "$tmp"
layers=$("$JOUST_BIN" doctor | sed -n 's/.* sandbox *engaged: \([^;]*\).*/\1/p')
plan 98

# --- the keys. Each benchmark needs what one key opens.
new_repo "$tmp/keys" && cd "$tmp/keys" || exit 1
cp "$JOUST_OUT/tests/root/prog_escape" connect || exit 1
mkdir out "$tmp/place" && echo x >out/x && echo text >"$tmp/text" && chmod 1777 "$tmp/place" || exit 1
perl -MIO::Socket::INET -e '
	my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
	$| = 1; print $s->sockport, "\n"; close(STDOUT); alarm 3600;
	close $_ while $_ = $s->accept' >"$tmp/port" &
listener=$!
trap 'kill $listener 2>/dev/null; finish' EXIT
wait_for test -s "$tmp/port"
echo "port=$(cat "$tmp/port")" >where
cat >benchmarks <<-END
	[benchmark "read"]
		command = cat $tmp/text
	[benchmark "write"]
		command = sh -c 'echo y >out/y'
	[benchmark "place"]
		command = sh -c 'echo y >$tmp/place/y'
	[benchmark "env"]
		command = sh -c 'test \$OPENED = yes'
	[benchmark "allow"]
		command = taskset -c 0 true
	[benchmark "network"]
		command = sh -c '! ./connect loopback'
END
OPENED=yes
export OPENED

# opens LINE: compares with that line in [sandbox]; the benchmarks that could run, in order
opens() {
	{
		printf '[sandbox]\n\t%s\n' "$1"
		cat benchmarks
	} >joust.conf
	commit . "opens $1"
	# shellcheck disable=SC2086
	joust compare $fast --base HEAD --candidate HEAD --force
	ran=$(record '[.benchmarks[] | select(.verdict != "error") | .name] | join(" ")')
}

# key LINE NAME TEXT: LINE lets NAME run and nothing else, and the report says so
key() {
	opens "$1"
	is "$status $ran" "3 $2" "$1: opens that alone"
	like "$out" "opened in the sandbox by configuration: $3\$" "$1: the report says so"
}

opens "network = no"
is "$status $ran" "3 " "without a key nothing is open"
is "$(record '[.benchmarks[] | .side] | unique | .[]')" both "on both sides"
unlike "$out" 'opened in the sandbox' "and nothing is said to be"
like "$out" 'refused: .*sched_setaffinity \([0-9]+\)' "what was refused is"
key "read = $tmp/text" read "read $tmp/text"
key "write = out" write "write out"
key "write = $tmp/place" place "write $tmp/place"
key "env = OPENED" env "env OPENED"
key "allow = sched_setaffinity" allow "allow sched_setaffinity"
unlike "$out" 'refused: .*sched_setaffinity' "what is allowed is not refused"
key "network = yes" network network
like "$out" 'refused: .*sched_setaffinity' "the network does not open system calls"

printf '[sandbox]\n\tallow = opne\n[benchmark "t"]\n\tcommand = true\n' >joust.conf
refuses 'there is no system call "opne"' compare --base HEAD

# --- the builds: what they may write, and what they see
cat >joust.conf <<-END
	[project]
		build = test ! -e $tmp/text && echo b >out/built && ! echo b 2>/dev/null >$tmp/place/built
	[benchmark "built"]
		command = cat out/built
END
commit . build
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status" 0 "a build writes its tree, and nothing else"
sed "s/test ! -e/test -e/; s|^\[project\]|[sandbox]\n\tread = $tmp/text\n&|" joust.conf >"$tmp/conf"
cp "$tmp/conf" joust.conf
commit . "build reads"
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status" 0 "what is opened is open to builds"

# --- what is opened is what lay there when joust began, whatever a benchmark puts in its place
mkdir -p "$tmp/nest/a/security" && chmod -R 777 "$tmp/nest" || exit 1
cat >swap <<-END
	if test -e /etc/security/limits.conf; then echo "out by a link" >&2; exit 9; fi
	mv $tmp/nest/a $tmp/nest/b && ln -s /etc $tmp/nest/a
END
# nest TEXT: what joust.conf has in [sandbox], and a benchmark that is a script
nest() {
	printf '[sandbox]\n%b[benchmark "nest"]\n\tcommand = sh swap\n' "$1" >joust.conf
	commit . "$1"
	# shellcheck disable=SC2086
	joust compare $fast --base HEAD --candidate HEAD --force
}
nest "\twrite = $tmp/nest\n\twrite = $tmp/nest/a/security\n"
is "$status" 3 "a link in the place of an opened directory"
unlike "$out$err" 'out by a link' "opens nothing"
ok "is what the benchmark had put there" test -L "$tmp/nest/a"
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status" 3 "nor in the next run"
like "$err" "$tmp/nest/a/security leads through a symbolic link in a directory where a version or a benchmark" \
	"which names it"

# --- what is opened for reading in a directory that may be written, under other names too
mkdir "$tmp/nest/shut" && chmod 777 "$tmp/nest/shut" && ln -s "$tmp/nest" "$tmp/alias" || exit 1
for names in nest/ nest alias nest/////////; do
	printf 'echo x >%s/open && test -e %s/shut && ! echo x 2>/dev/null >%s/shut/x\n' \
		"$tmp/$names" "$tmp/$names" "$tmp/nest" >swap
	nest "\twrite = $tmp/$names\n\tread = $tmp/nest/shut\n"
	is "$status" 0 "read in a directory of write is read-only: $names"
done

# --- a link that a version has in the place of what is opened, or that a run put there
mkdir -p own/data "$tmp/victim" && echo secret >"$tmp/victim/s" || exit 1
touch own/data/f
for key in read write; do
	echo "! cat $PWD/own/data/s && ! echo x 2>/dev/null >$tmp/victim/planted" >swap
	nest "\t$key = $PWD/own/data\n"
	is "$status" 0 "$key of a directory of the project"
	git checkout -q -b "linked-$key" && rm -r own/data && ln -s "$tmp/victim" own/data && commit . linked
	# shellcheck disable=SC2086
	joust compare $fast --base main --sandbox strict --force
	is "$status" 3 "$key through a link that a commit put there"
	like "$err" 'own/data leads through a symbolic link' "which is named"
	ok "nothing is written through it" test ! -e "$tmp/victim/planted"
	git checkout -q main
done
mkdir -p part lib && touch lib/f && cp joust.conf swap part || exit 1
printf '[sandbox]\n\tread = %s\n[benchmark "nest"]\n\tcommand = true\n' "$PWD/lib" >part/joust.conf
commit . part
rm -r lib && ln -s "$tmp/victim" lib && commit . linked
cd part || exit 1
# shellcheck disable=SC2086
joust compare $fast --base HEAD~ --sandbox strict --force
is "$status" 3 "a link beside the project, in its repository"
like "$err" 'lib leads through a symbolic link' "is not followed either"
cd .. && git rm -rq lib part && commit . "no part"
here=$PWD
new_repo "$tmp/super" && cd "$tmp/super" && ln -s "$tmp/victim" lib || exit 1
new_repo "$tmp/super/sub" && cd "$tmp/super/sub" || exit 1
printf '[sandbox]\n\tread = %s\n[benchmark "nest"]\n\tcommand = true\n' "$tmp/super/lib" >joust.conf
commit . sub
# shellcheck disable=SC2086
joust compare $fast --base HEAD --force
is "$status" 0 "in a repository around this one the link is the user's own"
mkdir -p ../.git/modules && git init -q --separate-git-dir ../.git/modules/sub
# shellcheck disable=SC2086
joust compare $fast --base HEAD --force
is "$status" 3 "in one that this is a submodule of it may be a version's"
like "$err" 'lib leads through a symbolic link' "and is not followed"
cd "$here" || exit 1

cat >swap <<-END
	if cat $PWD/own/data/s; then echo "out by a link" >&2; exit 9; fi
	cd $PWD/own && mv data data.\$\$ && ln -s $tmp/victim data
END
printf '[sandbox]\n\twrite = own\n\tread = %s\n[benchmark "nest"]\n\tcommand = sh swap\n' "$PWD/own/data" >joust.conf
commit . own
for turn in first second; do
	# shellcheck disable=SC2086
	joust compare $fast --base HEAD --force --in-place
	is "$status" 3 "in place, the $turn run"
	unlike "$out$err" 'out by a link' "follows no link"
done
git clean -fdq && git checkout -q .

# --- what cannot be opened costs no layer
ln -s "$tmp/loop2" "$tmp/loop1" && ln -s "$tmp/loop1" "$tmp/loop2" && ln -s / "$tmp/top" || exit 1
echo true >swap
for bad in "$tmp/loop1" "$tmp/top" /proc/self/task; do
	nest "\tread = $bad\n"
	is "$status" 3 "what cannot be opened is refused: $bad"
	like "$err" '^joust: \[sandbox\]: /[^ ]* (cannot be opened to what is measured|is the whole file system)' "and named"
done
mkdir -p "$tmp/real/tool/bin" "$tmp/real/tool/lib" && ln -s "$tmp/real" "$tmp/other" || exit 1
echo "test -d $tmp/other/tool/bin && test -d $tmp/other/tool/lib" >swap
nest "\tread = $tmp/other/tool/bin\n\tread = $tmp/other/tool\n"
is "$status" 0 "a directory and what lies in it under another name, in any order"
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force --sandbox strict
is "$status" 3 "strict follows no link at all where a benchmark may have run as this user"
like "$err" 'other/tool/bin leads through a symbolic link.* in any run' "and says so"

# --- a link within what is shown
mkdir "$tmp/linked" && ln -s /etc/hostname "$tmp/linked/file" && ln -s /usr "$tmp/linked/dir" || exit 1
printf 'cat %s/file >/dev/null && ls %s/dir/bin >/dev/null\n' "$tmp/linked" "$tmp/linked" >swap
nest "\tread = $tmp/linked\n\tread = $tmp/linked/file\n\tread = $tmp/linked/dir\n\tread = /bin/sh\n"
is "$status $(record '[.sandbox_layers[] | select(.engaged).name] | join(", ")')" "0 $layers" "costs no layer"

# --- the log: nothing is refused, and it is told what would have been
printf '[benchmark "t"]\n\tcommand = taskset -c 0 true\n' >joust.conf
commit . log
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force --sandbox-log
case $layers in
*notify*)
	is "$status" 0 "--sandbox-log refuses nothing"
	like "$out" 'system calls that the sandbox would refuse: sched_setaffinity \([0-9]+\) [0-9]+ times' \
		"and says what it would refuse"
	is "$(record '.refused_calls[0] | .name, .count > 5' | tr '\n' ' ')" "sched_setaffinity true " \
		"with the number of times"
	;;
*)
	skip "--sandbox-log refuses nothing" "this host has no layer notify"
	skip "and says what it would refuse" "this host has no layer notify"
	skip "with the number of times" "this host has no layer notify"
	;;
esac

# --- what is writable in the tree may not be a way out of it
new_repo "$tmp/links" && cd "$tmp/links" || exit 1
inner=$(mktemp -d /tmp/joust-links.XXXXXX) && trap 'kill $listener 2>/dev/null; rm -rf "$inner"; finish' EXIT
ln -s /tmp a
printf '[sandbox]\n\twrite = a/%s\n[benchmark "t"]\n\tcommand = touch %s/x\n' "${inner##*/}" "$inner" >joust.conf
commit . links
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status $(ls "$inner")" "3 " "a symbolic link in the tree opens nothing of the host"
like "$out" 'Too many levels of symbolic links' "which is said"
# What leads to the project may be one, once the build is through.
rm a joust.conf && mkdir -p a/b "$inner/b/w" && cd a/b || exit 1
cat >joust.conf <<-END
	[project]
		build = cd ../.. && mv a moved && ln -s $inner a
	[sandbox]
		write = w
	[benchmark "t"]
		command = touch w/x
END
commit . swap
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status $(ls "$inner/b/w")" "3 " "nor does one that the build puts on the way to the project"
like "$out" 'Too many levels of symbolic links' "which is found out before anything is shown"

# --- strict: what joust.conf opens, the baseline's must open too. It is refused before anything is built.
new_repo "$tmp/strange" && cd "$tmp/strange" || exit 1
# conf MAIN LINE...: joust.conf with these lines in [sandbox] and a build that leaves a mark
conf() {
	printf '[project]\n\tbuild = touch %s/place/built\n\t%s\n[sandbox]\n' "$tmp" "$1"
	shift
	printf '\t%s\n' "$@"
	printf '[benchmark "t"]\n\tcommand = true\n'
}
# strict ARGUMENT...: as said, over the working tree
strict() {
	rm -f "$tmp/place/built"
	# shellcheck disable=SC2086
	joust compare $fast --sandbox strict "$@"
	built=$(ls "$tmp/place")
}
# shut NAME LINES ENDING ARGUMENT...: refused, by these lines, and nothing was built
shut() {
	what=$1 lines=$2 ending=$3
	shift 3
	strict "$@"
	is "$status $built $(grep -cE "^joust: --sandbox strict: joust.conf opens what $lines\. .*$ending" "$tmp/err")" \
		"3  1" "$what"
}
rm -f "$tmp/place/y"
place="write = $tmp/place"
commit . empty
conf '' "$place" >joust.conf
commit . open
run "$JOUST_BIN" list --sandbox strict -- true
if grep -q 'this host refuses' "$tmp/err"; then
	for what in new grown same user main standard limits dropped own-limits file one program own unreadable over follows; do
		skip "strict, $what" "this host has no full sandbox: $err"
	done
else
	shut "strict: without a baseline's joust.conf all is new" \
		"the baseline's does not: write = $tmp/place" 'Merge .*--sandbox standard$' --base HEAD^
	conf '' "$place" "read = $tmp/text" 'env = OPENED' 'allow = io_uring_setup' 'network = yes' >joust.conf
	shut "strict: the lines that are new are named, and no others" \
		"the baseline's does not: read = $tmp/text, env = OPENED, allow = io_uring_setup, network = yes" \
		'Merge .*--sandbox standard$' --base HEAD
	printf '[sandbox]\n\tread = %s\n\tenv = OPENED\n\tallow = io_uring_setup\n\tnetwork = yes\n' \
		"$tmp/text" >"$XDG_CONFIG_HOME/joust/config"
	strict --base HEAD
	is "$status $built" "0 built" "strict: what the user's own file opens is open"
	: >"$XDG_CONFIG_HOME/joust/config"
	conf '' "$place" '; another' >joust.conf
	strict --base HEAD
	is "$status $built" "0 built" "strict: what the baseline opens is open"
	conf 'main-branch = main' "$place" '; a third' >joust.conf
	shut "strict: a baseline that joust.conf names itself does not count" \
		"no baseline's has opened: write = $tmp/place" '--base'
	strict --base HEAD
	is "$status $built" "0 built" "strict: one that the command names does"
	printf '[limits]\n\tmemory = 1G\n\tpids = 99\n\tbuild-time = 60\n' >larger
	{ conf '' "$place" && sed 's/1G/512M/; s/99/9/' larger; } >joust.conf && commit . limits
	{ conf '' "$place" && cat larger && rm larger; } >joust.conf
	shut "strict: limits that grow are new" "the baseline's does not: memory = 1073741824, pids = 99" \
		'Merge' --base HEAD
	conf '' "$place" >joust.conf
	shut "strict: limits that are dropped are new" \
		"the baseline's does not: memory is no longer limited to 536870912, pids is no longer limited to 9, build-time is no longer limited to 60" \
		'Merge' --base HEAD
	printf '[limits]\n\tmemory = 1G\n\tpids = 98\n\tbuild-time = 60\n' >"$XDG_CONFIG_HOME/joust/config"
	{ conf '' "$place" && printf '[limits]\n\tpids = 99\n'; } >joust.conf
	shut "strict: the user's own limits are allowed, and no larger ones" "the baseline's does not: pids = 99" \
		'Merge' --base HEAD
	: >"$XDG_CONFIG_HOME/joust/config"
	conf '' "$place" "read = $tmp/text" >joust.conf
	shut "strict: two programs have no baseline" \
		"no baseline's has opened: read = $tmp/text, write = $tmp/place" 'standard$' \
		--base /bin/true --candidate /bin/true
	joust list --sandbox strict
	like "$status $err" '^3 .*Open it in your own .*standard$' "strict: nor has what looks at one version"
	printf '[project]\n\tbuild = true\n[benchmark "t"]\n\tcommand = ./tool\n' >joust.conf
	ln -s "$tmp/tool" tool
	printf '#!/bin/sh\n' >"$tmp/tool" && chmod +x "$tmp/tool" && commit . tool
	strict --base HEAD --force
	like "$status $err" "^3 .*: ./tool of the baseline is $tmp/tool, which is neither" \
		"strict: a program is no way around it"
	strict --base HEAD --force -- "$tmp/tool"
	is "$status" 0 "strict: the one that the user names is the user's"
	conf '' "$place" 'opne = x' >joust.conf
	commit . broken
	conf '' "$place" >joust.conf
	strict --base HEAD
	like "$status$built $err" "^3 joust: --sandbox strict: the baseline's joust.conf cannot be read: .*opne" \
		"strict: a baseline's joust.conf that cannot be read opens nothing"
	rm -f tool && mkdir -p out/x && printf '#!/bin/sh\nexit 0\n' >out/x/tool && chmod +x out/x/tool
	printf '#!/bin/sh\necho led out >&2; exit 3\n' >"$tmp/tool"
	printf '[sandbox]\n\twrite = out\n[benchmark "t"]\n\tcommand = out/x/tool\n' >joust.conf
	commit . tool
	printf '#!/bin/sh\nmv out/x out/y && ln -s %s out/x\n' "$tmp" >out/x/tool
	strict --base HEAD
	like "$out" 'error .*: a symbolic link has taken its place, or that of a directory above' \
		"strict: nor is a link that it puts over its program"
	unlike "$out$err" 'led out' "which nothing follows"
fi

# --- strict: a layer that is missing is 3. Sysctls of a user namespace hold in it alone.
# without WHICH COMMAND...: where namespaces WHICH (user, net, ...) are forbidden
without() {
	limit=/proc/sys/user/max_$1_namespaces
	shift
	run unshare -r sh -c 'echo 0 >"$0" && exec "$@"' "$limit" "$@"
}

printf '[benchmark "t"]\n\tcommand = true\n' >joust.conf
commit . true
without user true
possible=$status
for which in user net; do
	if [ "$possible" -ne 0 ] || [ "${layers#user, *net}" = "$layers" ]; then
		for what in strict doctor require standard record said none; do
			skip "without $which: $what" "no user namespace can be made here: $err"
		done
		continue
	fi
	missing="$which \(the limit of namespaces is reached\)"
	# shellcheck disable=SC2086
	without $which "$JOUST_BIN" compare $fast --base HEAD --candidate HEAD --force --sandbox strict
	is "$status $(grep -cE "^joust: --sandbox strict: this host refuses $missing; .+" "$tmp/err")" \
		"3 1" "without $which: strict is 3, with the remedy"
	without $which "$JOUST_BIN" doctor
	like "$out" "warn +sandbox +engaged: .*; refused here: $missing\$" "without $which: doctor shows it"
	without $which "$JOUST_BIN" doctor --require sandbox
	is "$status" 3 "without $which: --require sandbox is 3"
	# shellcheck disable=SC2086
	without $which "$JOUST_BIN" compare $fast --base HEAD --candidate HEAD --force
	is "$status" 0 "without $which: the rest of it does"
	is "$(record ".sandbox_layers[] | select(.engaged | not) | .name" | tr '\n' ' ')" "$which " \
		"without $which: that it alone is missing is in the record"
	is "$(record '.notes[]' | grep -cE "the sandbox is weaker here, without $missing; ")" 1 \
		"without $which: and said once"
	# shellcheck disable=SC2086
	without $which "$JOUST_BIN" compare $fast --base HEAD --candidate HEAD --force --sandbox none
	is "$status" 0 "without $which: none needs nothing"
done

# --- an ordinary user, with a build
as_somebody=
[ "$(id -u)" -ne 0 ] ||
	as_somebody="setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all"
make_project "$tmp/somebody" 20000 20000 && cd "$tmp/somebody" || exit 1
mkdir "$tmp/his" && mkdir "$tmp/his/home" "$tmp/his/cache" "$tmp/his/state" "$tmp/his/config" || exit 1
HOME=$tmp/his/home XDG_CACHE_HOME=$tmp/his/cache XDG_STATE_HOME=$tmp/his/state
XDG_CONFIG_HOME=$tmp/his/config
printf '[sandbox]\n\tread = %s\n\tread = %s\n' "$src" "$JOUST_OUT" >>joust.conf
git commit -qam open
[ -z "$as_somebody" ] || chown -R 65534:65534 "$tmp/his" "$tmp/somebody" || exit 1
# shellcheck disable=SC2086
run $as_somebody "$JOUST_BIN" list
if [ "$status" -ne 0 ]; then
	for what in whole layers weak note; do
		skip "an ordinary user: $what" "another user cannot start joust here: $err"
	done
else
	# shellcheck disable=SC2086
	run $as_somebody "$JOUST_BIN" compare $fast --base HEAD^
	is "$status $(record '.benchmarks[0].verdict')" "0 same" "an ordinary user: a whole comparison"
	lacks=$(record '.sandbox_layers[] | select(.engaged | not) | .name')
	ok "every layer holds, or it is said which does not" \
		[ -z "$lacks" -o -n "$(record '.notes[] | select(test("sandbox is weaker"))')" ]
	# Without namespaces two layers are left.
	# shellcheck disable=SC2086
	[ "$possible" -ne 0 ] || run $as_somebody unshare -r sh -c '
		echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all \
			--bounding-set=-all "$@"' sh "$JOUST_BIN" compare $fast --base HEAD^
	if [ "$possible" -ne 0 ]; then
		skip "without namespaces, too" "no user namespace can be made here"
		skip "and it is said once what is missing" "no user namespace can be made here"
	else
		is "$status $(record '.benchmarks[0].verdict')" "0 same" "without namespaces, too"
		is "$(record '.notes[]' | grep -cE 'the sandbox is weaker here, without user \(.*\), root \(.*\), pid ')" 1 \
			"and it is said once what is missing"
	fi
fi
