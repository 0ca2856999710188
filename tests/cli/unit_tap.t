#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# How the unit tests' own TAP becomes one that prove understands: tests/unit/tap.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

plan 8

# proven STATUS LINE...: prove over a program that prints these lines and exits with STATUS
proven() {
	ends=$1
	shift
	{
		echo '#!/bin/sh'
		echo "cat <<'END'"
		printf '%s\n' "$@" END
		echo "exit $ends"
	} >"$tmp/program"
	chmod +x "$tmp/program"
	run prove -v -e "$src/tests/unit/tap" "$tmp/program"
}

proven 0 '1..3' 'ok 1 - one' '# skipped: no such layer' 'not ok 2 # SKIP two' 'ok 3 - three'
is "$status" 0 "a skipped test is no failure"
like "$out" '^ok 2 - two # SKIP no such layer$' "it is told with its reason"
like "$err" '^# program: skipped 1: no such layer$' "also where prove is silent"
proven 0 '1..2' '# skipped: no such layer' 'ok 1 - one' 'not ok 2 # SKIP two'
is "$status $(printf '%s\n' "$out" | grep -c 'skipped without a reason')" "1 1" \
	"a skip has a reason of its own"
proven 1 '1..2' '# skipped: no such layer' 'not ok 1 # SKIP one' 'not ok 2 - two'
is "$status" 1 "a test that fails still fails"
like "$out" '^not ok 2 - two$' "by its name"
proven 0 '1..2' 'ok 1 - one'
is "$status" 1 "a test that is missing fails"
proven 3 '1..1' 'ok 1 - one'
is "$status" 1 "a program that ends badly fails"
