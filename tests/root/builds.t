#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# Builds that take too much: each is held to its limit, the message names it with its key, and nothing is
# left.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

new_repo "$tmp/builds" && cd "$tmp/builds" || exit 1
git commit -q --allow-empty -m first
# shellcheck disable=SC2086
joust compare $fast --base HEAD --candidate HEAD --force -- true
case $(record .host.cgroup) in
*memory*pids*) ;;
*) skip_all "joust may use no cgroup with memory and pids here" ;;
esac
plan 14

# builds SCRIPT LIMIT: compares with that build
builds() {
	echo "$1" >build.sh
	cat >joust.conf <<-END
		[project]
			build = sh build.sh
		[limits]
			$2
		[benchmark "built"]
			command = true
	END
	commit . "$2"
	# shellcheck disable=SC2086
	joust compare $fast --base HEAD --candidate HEAD --force
}

# held NAME HOW KEY: the last build failed by the limit of that key
held() {
	is "$status" 3 "$1: 3"
	like "$err" "build failed \($2; \[limits\] $3 allows more\)" "$1: the limit is named"
	is "$(processes_in "$XDG_CACHE_HOME")" "" "$1: no process is left"
}

# what it does is the same before the limit and behind it: no race
builds "for i in \$(seq 100); do sleep 1000 & done; exit 0" "build-pids = 32"
held "a fork bomb" "pids-limit: .*" build-pids
builds "perl -e '\$x = q(x) x (1 << 30)'" "build-memory = 64M"
held "much memory" "memory-limit: .*" build-memory
builds "echo begun; exec sleep 1000" "build-time = 1"
held "a build that does not end" "no end after 1 s" build-time
like "$err" 'begun' "what it said is shown"

builds "setsid sleep 1000 >/dev/null 2>&1 & exit 0" "build-pids = 32"
is "$status" 0 "what a build leaves is no failure"
is "$(processes_in "$XDG_CACHE_HOME")" "" "but ends with it"
builds "perl -e '\$x = q(x) x (1 << 20)'" "build-memory = 64M"
is "$status" 0 "a limit that is not reached changes nothing"
is "$(left_overs)" "" "no file is left"
