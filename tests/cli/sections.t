#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # set by lib.sh
# Sections of joust.conf that hold for nothing.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 14

# sections NAME...: joust.conf with these, from line 1 on, each of two lines
sections() {
	for name in "$@"; do
		printf '[benchmark "%s"]\n\tworker = bench\n' "$name"
	done >joust.conf
}
said() {
	printf 'joust: [benchmark "%s"] (joust.conf:%s) applies to no benchmark: %s' "$@"
}

new_repo "$tmp/project" && cd "$tmp/project" || exit 1
cp "$JOUST_OUT/tests/cli/prog_bench" bench.in
printf '#!/bin/sh\ncp bench.in bench\n' >build.sh
sections '*' 'w*'
printf '[project]\n\tbuild = sh build.sh\n' >>joust.conf
commit . first
joust list
is "$err" "$(said 'w*' 3 '"*" in line 1 matches first')" "a pattern behind one that matches everything"
like "$out" '^work$' "and the names are listed all the same"
joust list --filter second
is "$err" "$(said 'w*' 3 '"*" in line 1 matches first')" "--filter does not change that"
# shellcheck disable=SC2086
joust compare --base HEAD --force --filter '^work$' $fast
is "$status" 0 "a comparison"
like "$out" '^Note: \[benchmark "w\*"\] \(joust.conf:3\) applies to no benchmark: "\*" in line 1' "notes it"

build='[project]\n\tbuild = sh build.sh\n'
sections 'w*' work '*'
# shellcheck disable=SC2059
printf "$build" >>joust.conf
joust list
is "$err" "$(said 'w*' 1 '"work" in line 3 names what it matches')" "a name counts before a pattern"
sections 'x*' 'work ' '*'
# shellcheck disable=SC2059
printf "$build" >>joust.conf
joust list
is "$(printf '%s\n' "$err" | head -n 1)" "$(said 'x*' 1 'bench has none of that name')" "a pattern that matches nothing"
is "$(printf '%s\n' "$err" | sed 1d)" "$(said 'work ' 3 'bench has none of that name')" "a name that no benchmark has"
joust list --filter second
is "$(printf '%s\n' "$err" | wc -l)" 2 "what is filtered out changes neither"
sections 'w*' 'sec*' '*'
# shellcheck disable=SC2059
printf "$build" >>joust.conf
joust list --filter second
is "$err" "" "sections of which each holds for something are not spoken of"
sections '*' 'w*'
joust list -- true
is "$out$err" true "nor is any where joust.conf is not asked for benchmarks"

# --- arguments, which a worker program does not get
printf '[benchmark "*"]\n\tworker = bench --test\n[project]\n\tbuild = sh build.sh\n' >joust.conf
refuses 'worker = bench is a program of libjoust, .*no arguments.*\(--test\)' list
refuses 'bench.in is a program of libjoust' list -- ./bench.in work
joust list -- ./bench.in
unlike "$err" 'no arguments' "the program alone is not refused for that"
