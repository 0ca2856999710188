#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# Which program a benchmark is, on both sides alike, and what it can see of joust's copies of it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 17

project=$tmp/programs
new_repo "$project" || exit 1
cd "$project" || exit 1

# A program that lists the directory it runs in, for us.
printf '[benchmark "look"]\n\tcommand = ./look\n' >joust.conf
printf '#!/bin/sh\nls -a . >>%s/seen\n' "$shared" >./look
chmod +x look
commit . first || exit 1
git checkout -q -b change
echo 1 >./more
commit . more || exit 1
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$status" 0 "a program that looks at its directory"
ok 'the directory has been looked at' test -s "$shared/seen"
unlike "$(cat "$shared/seen")" 'joust-slot' "finds no copies of itself there"
is "$(sort -u "$shared/seen" | tr '\n' ' ')" '. .. joust.conf look more ' "and nothing else that is not its version's" ||
	sort "$shared/seen" | uniq -c | sed 's/^/# /'
rm "$shared/seen"
joust compare --blocks 9 --pairs 1 --limit 1000% --sandbox none
is "$(awk 'function side() { if (c > t[m]) t[m] = c }
	$0 == "." { side(); c = m = 0 } $0 == "more" { m = 1 } /joust-slot/ { c++ }
	END { side(); print t[0] == t[1] ? 1 : t[0] " " t[1] }' "$shared/seen")" 1 \
	"without a root of its own it finds as many on both sides"

# The program of a side must not be the host's of the same name.
git checkout -q main
printf '[benchmark "sort"]\n\tcommand = sort joust.conf\n' >joust.conf
printf '#!/bin/sh\nexec /usr/bin/sort "$@"\n' >./sort
chmod +x sort
git rm -q --cached look && rm look && commit . sort || exit 1
git checkout -q -b no-sort
git rm -q sort
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$status" 0 "a candidate without the program"
is "$(record '.benchmarks[0] | [.verdict, .reason] | tostring')" '["skipped","removed"]' "has lost the benchmark"
git checkout -q -f main && git checkout -q -b not-executable
chmod -x sort
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$(record '.benchmarks[0] | [.verdict, .reason] | tostring')" '["skipped","removed"]' \
	"likewise one that cannot be executed"
git checkout -q -f main && git checkout -q -b host
git rm -q sort && git commit -q -m 'no sort' && git branch -q -f main
git checkout -q -b host-change && echo 1 >x.txt && commit . x || exit 1
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$(record '.benchmarks[0].verdict')" same "what neither version has is the host's"

# A worker is a program of the project.
printf '[benchmark "*"]\n\tworker = sort\n' >joust.conf
joust compare
is "$status" 3 "a worker that is not there"
like "$err" 'sort has no benchmarks on either side' "is not the host's program of that name"

# A program may be a link to a file of its version.
mkdir out && cp "$JOUST_OUT/tests/cli/prog_bench" out/bench-1 && ln -s out/bench-1 bench && echo 1000 >work.txt
printf '[benchmark "work"]\n\tworker = bench\n' >joust.conf
commit . link && git branch -q -f main && git checkout -q -b link-change || exit 1
mv out/bench-1 out/bench-2 && ln -sf out/bench-2 bench && commit . 'another link' || exit 1
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$status" 0 "a program that is a link"
is "$(record '.benchmarks[0].verdict')" same "is what it points to"
ln -sf /usr/bin/env bench
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$status" 3 "a link out of the project"
unlike "$out$err" 'Too many levels' "is told in words that help"

# A device is the host's own node.
printf '[benchmark "touch"]\n\tcommand = ./touch\n' >joust.conf
printf '#!/bin/sh\n{ chmod 666 /dev/null; touch -d 2001-02-03 /dev/null; } 2>>%s\necho x >/dev/null\n' "$shared/why" >./touch
chmod +x touch && rm -f bench && commit . touch && git branch -q -f main && echo 1 >y.txt || exit 1
joust compare --blocks 9 --pairs 1 --limit 1000%
is "$status" 0 "a program writes to a device"
is "$(grep -c 'Read-only' "$shared/why")" "$(wc -l <"$shared/why" | tr -d ' ')" "and cannot change its mode or times"
