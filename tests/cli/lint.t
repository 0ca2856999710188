#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/lint finds what it says it finds: violations are planted in a copy of the tree, and things
# that look like one and are none.
set -u

top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tree=$work/tree
tests=0

ok() {
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' "$tests" "$2"
	else
		printf 'not ok %d - %s\n' "$tests" "$2"
		sed 's/^/# /' "$work/out" | head -n 40
	fi
}

# plant RULE FILE TEXT: adds a line and notes what must be found. RULE may be "no-RULE": must not.
plant() {
	mkdir -p "$tree/$(dirname "$2")"
	[ -e "$tree/$2" ] || printf '/* SPDX-License-Identifier: BSD-2-Clause */\n' >"$tree/$2"
	printf '%s\n' "$3" >>"$tree/$2"
	printf '%s %s:%d %s\n' "$1" "$2" "$(wc -l <"$tree/$2")" "$3" >>"$work/planted"
}

mkdir "$tree"
(cd "$top" && cp -R engine report stats bpf "$tree")
"$top/scripts/lint" -r arrows -r adapters -r numbers -r spdx -r length "$tree" >"$work/out" 2>&1
ok $? 'the tree as it is has none of these violations'

plant arrows stats/median.h '#include "../report/record.h"'
plant arrows stats/planted.c '#include "engine/util/num.h"'
plant arrows stats/planted.c '#include <stdio.h>'
plant arrows report/record.h '#include "../engine/util/problem.h"'
plant arrows engine/worker/libjoust/planted.c '#include "../link.h"'
plant arrows engine/worker/joust.h '#include "nowhere.h"'
plant arrows engine/util/planted.c '#include "../worker/libjoust/internal.h"'
plant no-arrows engine/util/planted.c '#include "../../report/record.h"'
plant no-arrows report/planted.c '#include "stats/median.h"'
plant no-arrows engine/worker/libjoust/planted.c '#include "../protocol.h"'
plant adapters engine/cli/planted.c '#include <git2.h>'
plant adapters engine/project/planted.c '#include <gelf.h>'
plant adapters engine/cli/planted.c '#include <cjson/cJSON.h>'
plant no-adapters engine/project/git_planted.c '#include <git2.h>'
plant no-adapters engine/project/git_planted.h '#include <git2.h>'
plant adapters engine/project/gitless/planted.h '#include <git2.h>'
plant no-adapters report/planted.c '#include <cjson/cJSON.h>'
plant numbers engine/cli/planted.c 'int f(const char *s) { return atoi(s); }'
plant numbers report/planted.c 'long f(const char *s) { return strtol (s, 0, 10); }'
plant no-numbers engine/cli/planted.c '/* strtol(s) is banned */ char s[] = "atoi(s)"; // atoi(s)'
plant no-numbers engine/cli/planted.c 'int my_atoi(const char *s);'
plant paths stats/planted.c "/* see $tree/notes */"
plant no-paths stats/planted.c "/* see a$tree/notes */"
awk 'BEGIN { for (i = 0; i < 999; i++) print "/* */" }' >"$tree/stats/long.c"
plant no-length stats/long.c '/* the 1000th */'
plant length stats/long.c '/* one too many */'
printf 'int planted;\n' >"$tree/stats/bare.c"
printf 'spdx stats/bare.c:1 no licence line\n' >>"$work/planted"

"$top/scripts/lint" -r arrows -r adapters -r numbers -r spdx -r length -r paths "$tree" \
	>"$work/out" 2>&1
[ $? = 1 ]
ok $? 'violations are exit status 1'
while read -r rule where what; do
	if [ "${rule#no-}" = "$rule" ]; then
		grep -qF "$where: [$rule] " "$work/out"
		ok $? "$rule finds: $where $what"
	else
		! grep -qF "$where: [${rule#no-}] " "$work/out"
		ok $? "${rule#no-} accepts: $where $what"
	fi
done <"$work/planted"

rm -rf "$tree" && mkdir -p "$tree/stats"
printf '/* SPDX-License-Identifier: BSD-2-Clause */\nsize_t f(void);\n' >"$tree/stats/planted.h"
"$top/scripts/lint" -r headers "$tree" >"$work/out" 2>&1
grep -q '^stats/planted.h:1: \[headers\] ' "$work/out"
ok $? 'headers finds one that needs another before it'

mkdir "$work/bin"
for tool in sh awk cat cut dirname find grep head mktemp rm sed sort tail tr uniq wc xargs; do
	ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
PATH=$work/bin "$top/scripts/lint" -r format -r shell -r cppcheck -r headers "$tree" >"$work/out" 2>&1
[ $? = 0 ] && [ "$(grep -c '^SKIP .* is not installed$' "$work/out")" = 4 ]
ok $? 'a tool that is missing is a named SKIP'

printf '#!/bin/sh\necho "cppcheck 99.1"\n' >"$work/bin/cppcheck"
chmod +x "$work/bin/cppcheck"
PATH=$work/bin "$top/scripts/lint" -r cppcheck "$tree" >"$work/out" 2>&1
[ $? = 0 ] && grep -q '^SKIP cppcheck: cppcheck is not version 2.10$' "$work/out"
ok $? 'a tool of another version is one too'

"$top/scripts/lint" -r nonsense >"$work/out" 2>&1
[ $? = 64 ]
ok $? 'a rule that does not exist is wrong usage'

printf '1..%d\n' "$tests"
