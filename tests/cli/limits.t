#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the inner shell expands
# Limits of resources that joust is started with: raised where they may be, else named.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 11

mkdir "$tmp/project" && cd "$tmp/project" || exit 1

# limited ULIMIT-WORDS [OPTION...]: one block of the quickest there is
limited() {
	words=$1
	shift
	run sh -c 'ulimit '"$words"' && exec "$@"' sh "$JOUST_BIN" run --blocks 1 --pairs 1 "$@" -- /bin/true
}

limited '-S -n 24'
is "$status" 0 "a soft limit on open files is raised"
unlike "$out" 'Too many open files' "and takes nothing away"
limited '-n 24'
is "$status" 3 "a hard one is an error"
is "$out$err" "joust: only 24 files may be open here (ulimit -n); joust needs 128" "that names it"

limited '-S -s 64'
is "$status" 0 "a soft limit on the stack is raised"
for kb in 64 128; do
	limited "-s $kb"
	is "$status" 3 "a hard one of $kb kB is an error"
	is "$out$err" "joust: the stack may have only $kb kB here (ulimit -s); joust needs 512" "that names it"
done

truncate -s 1M large
limited '-f 512' # blocks of 512 bytes
is "$status" 3 "a limit on the size of files is an error"
like "$err" '^joust: copying the candidate: .*: a file is larger than may be written here \(ulimit -f\)$' \
	"that names it"
