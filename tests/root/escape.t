#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# A worker, a command and a build script that try to get out: all fail, the run says which calls were
# refused, and the host is as it was.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root has something that a worker must not get at"
bin=$JOUST_OUT/tests/root

new_repo "$tmp/project" && cd "$tmp/project" || exit 1
cp "$bin/prog_escape" escape && cp "$bin/prog_escape_worker" worker || exit 1
"$JOUST_BIN" list --sandbox strict >/dev/null 2>"$tmp/err" -- true ||
	skip_all "this host has no full sandbox: $(cat "$tmp/err")"
plan 25

# Somebody to connect to.
perl -MIO::Socket::INET -e '
	my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
	$| = 1; print $s->sockport, "\n"; close(STDOUT); sleep 600' >"$tmp/port" &
listener=$!
trap 'kill $listener 2>/dev/null; finish' EXIT
wait_for test -s "$tmp/port"

echo secret >"$HOME/secret"
mkdir "$tmp/other" || exit 1

# aim PID: what the ways aim at, committed
cat >"$tmp/aim" <<-END
	cat >where <<-LINES
		engine=\$1
		port=$(cat "$tmp/port")
		secret=$HOME/secret
		home=$HOME
		other=$tmp/other
		cache=$XDG_CACHE_HOME
	LINES
	git add -A && git commit -q --allow-empty -m "aim at \$1"
END
aim() {
	sh "$tmp/aim" "$1"
}

# engine ARGUMENT...: joust under a number that is known before
engine() {
	run sh -c 'sh "$0" $$ && exec "$JOUST_BIN" "$@"' "$tmp/aim" "$@"
}

# --- the ways do lead out where nothing holds them
aim $$
for way in read-secret write-home write-other-tree loopback signal-engine host-processes unshare \
	unix-socket read-shadow read-homes perf; do
	run ./escape "$way"
	is "$status $err" "1 ESCAPED $way" "without a sandbox: $way"
done
rm -f "$HOME/escaped" "$tmp/other/escaped" "$XDG_CACHE_HOME/escaped"

# held NAME: nothing got out of the last run
held() {
	is "$status" 0 "$1"
	ok "$1: nothing was written outside" test ! -e "$HOME/escaped" -a ! -e "$tmp/other/escaped" \
		-a ! -e "$XDG_CACHE_HOME/escaped"
	is "$(record '[.refused_calls[].name] | contains(["ptrace", "unshare", "bpf", "socket"])')" true \
		"$1: what was refused is in the record"
}

cat >joust.conf <<-END
	[benchmark "escape"]
		command = ./escape
END
# shellcheck disable=SC2086
engine compare $fast --base HEAD --candidate HEAD --force --sandbox strict
held "a command"
like "$out" 'refused: .*unshare \([0-9]+\) [0-9]+ time' "and the report says so"

cat >joust.conf <<-END
	[benchmark "escape"]
		worker = worker
END
# shellcheck disable=SC2086
engine compare $fast --base HEAD --candidate HEAD --force --sandbox strict
held "a worker"

cat >joust.conf <<-END
	[project]
		build = ./escape && cp escape built
	[benchmark "built"]
		command = ./built read-secret
END
# shellcheck disable=SC2086
engine compare $fast --base HEAD --candidate HEAD --force --sandbox strict
held "a build script"

# --- what is opened is open
aim $$
cat >joust.conf <<-END
	[sandbox]
		read = ~/secret
	[benchmark "open"]
		command = ./escape read-secret
END
commit . open
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force
is "$status" 3 "what joust.conf opens can be read"
like "$err$out" 'ESCAPED read-secret' "and only because of that"
like "$out" 'opened in the sandbox by configuration: .*read ~/secret' "which the report says"

rm joust.conf # under strict it would have to be the baseline's
ok "the host still serves the next run" "$JOUST_BIN" list --sandbox strict -- true
