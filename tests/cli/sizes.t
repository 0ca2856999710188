#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# Benchmarks with sizes: what is judged is how time grows.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 41

project=$tmp/grow
new_repo "$project" && cp "$JOUST_OUT/tests/cli/prog_sizes" "$project/bench" || exit 1
printf '[benchmark "*"]\n\tworker = bench\n' >"$project/joust.conf"
echo 0 >"$project/squares"
commit "$project" first || exit 1
git -C "$project" checkout -q -b change
cd "$project" || exit 1

# Work that adds the square of the size: 1.5, 2 and 3 times as much.
echo 1 >squares
commit . 'a square' || exit 1
joust compare --filter '^grow$' --pairs 9
is "$status" 1 "time that grows more steeply is a regression"
like "$out" 'x regressed .*grow .*cpu' "of cpu"
like "$out" 'at size 2000: ' "the report says what the largest size takes"
like "$out" 'time grows with the size to the power of 0\.[0-9]* more, limit 0\.029 more' "and how time grows"
is "$(record '.benchmarks[0].sized.sizes | tostring')" '[500,1000,2000]' "the record has the sizes"
is "$(record '[.benchmarks[0].sized.windows[] | .iterations >= 1 and .slices >= 1] | all')" true \
	"and what each was measured with"
is "$(record '.benchmarks[0].sized.windows | .[0].iterations > .[2].iterations')" true \
	"which follows the size"
is "$(record '.benchmarks[0].sized.endpoints | length')" 6 "a column for each size, the slope and two growths"
is "$(record '[.benchmarks[0].blocks[] | select(.lost == null) | .pairs | length] | unique | tostring')" '[27]' \
	"a block has pairs of every size"
is "$(record '.benchmarks[0].plan.blocks_max | tostring')" '[24,24,24,24]' "a stage has 24 blocks"
is "$(record '[.benchmarks[0].blocks[] | select(.stage == 1 and .lost == null and .coins.majority == "baseline")] | length')" 12 \
	"and either side goes first in 12 of them"
is "$(record '.benchmarks[0].digest.baseline | length')" 96 "what each size computes is compared"
saved=$(record '[.benchmarks[0].verdict, .benchmarks[0].sized.endpoints] | tostring')
joust analyze "$(find "$XDG_STATE_HOME" -name last.json)" --export-json "$tmp/again.json"
is "$status" 1 "a record judged again regressed too"
is "$(jq -r '[.benchmarks[0].verdict, .benchmarks[0].sized.endpoints] | tostring' "$tmp/again.json")" "$saved" \
	"by the same numbers"

# One size computes something else.
echo 0 >squares && echo 1000 >digest
joust compare --filter '^grow$' --pairs 1
is "$status" 3 "another result at one size is an error"
is "$(record '.benchmarks[0].reason')" digest-differs "of the results"
like "$(record '.benchmarks[0].detail')" '^at size 1000: baseline [0-9a-f]*, candidate ' "and of which size"
is "$(record '.benchmarks[0].sized.endpoints')" null "what was not judged has no numbers of a judgement"
rm digest
echo 1000 >crash
joust compare --filter '^grow$'
like "$out" 'died by a signal' "a size that crashes is an error"
like "$(record '.benchmarks[0].detail')" '^at size 1000: ' "which names the size"
rm crash && echo 500 >miss
joust compare --filter '^grow$'
is "$(record '.benchmarks[0] | "\(.reason) \(.detail)"')" 'exit-status at size 500: exit status 127' "so does one that exits"
like "$out" 'exit status 127: .*\[sandbox\], read = DIR' "and one that misses a program is told how to be shown it"
rm miss && echo 2000 >skip
joust compare --filter '^grow$'
is "$(record '.benchmarks[0] | "\(.verdict) \(.detail)"')" "skipped at size 2000: not today" "so does a skip"
rm skip

# Names.
joust list
is "$(printf '%s\n' "$out" | grep -c grow)" 1 "a benchmark with sizes has one name in the list"
joust run --filter '^grow' --blocks 1
is "$(record '[.benchmarks[].name] | tostring')" '["grow/size=500","grow/size=1000","grow/size=2000"]' \
	"where nothing is compared, each size is a benchmark of its own"
is "$status" 0 "and measured"

# Sizes that only one version has.
echo 1 >version
joust compare --filter '^changing$' --pairs 9 --limit 1000%
is "$status" 0 "a version may have other sizes"
is "$(record '.benchmarks[0].sized.sizes | tostring')" '[20,80]' "those in common are measured"
is "$(record '.benchmarks[0].verdict')" same "and judged"
like "$out" 'at size 80, where [0-9.]* would have been seen; scaling exponent [+-]' "and the report says how they grow"
like "$out" "\"changing\": the candidate lacks 2 of the baseline's 4 sizes; the largest in common is 80, the baseline's 80" \
	"and that some are gone"
echo 2 >version
joust compare --filter '^changing$'
is "$(record '.benchmarks[0].verdict')" skipped "with a single one in common nothing can be compared"
like "$out" 'fewer than two sizes in common' "and why"
rm version

# A gate has nothing to look at, and says so.
printf '[project]\n\tgate = canary\n' >>joust.conf
joust compare --filter '^(grow|plain)$' --limit 1000% --blocks 9 --pairs 1
is "$status" 0 "beside a benchmark without sizes"
like "$out" '"grow": has sizes, for which there is no gate' "a gate that cannot be had is told"
like "$out" '"grow": has sizes, which take 24 blocks in every stage, whatever --blocks' "and so is a number of blocks"
unlike "$out" '"plain": has sizes' "to the one that has them"
is "$(record '[.benchmarks[] | .sized != null] | tostring')" '[true,false]' "only one of them has sizes"
joust compare --filter '^(grow|plain)$' --limit 1000% --pairs 1 --max-blocks 12 --prove-same 50%
like "$out" '"grow": has sizes, of which neither --prove-same nor precision asks' "a proof cannot be asked of sizes, which is told"
unlike "$out" '"plain": has sizes' "of them alone"
joust compare --filter '^grow$' --dry-run
like "$out" 'grow: 24 to 24 blocks of [0-9]* pairs*' "a plan can be shown"
