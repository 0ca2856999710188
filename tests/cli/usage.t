#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Wrong usage, help, version, doctor, clean and what happens to stdout.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 115

cd "$tmp" || exit 1

# --- help and version
joust --version
is "$status $out" "0 joust 0.1.0" "--version says the version"
exits 0 "-V does too" -V
is "$out" "joust 0.1.0" "-V prints the same"
exits 0 "--help succeeds" --help
is "$err" "" "--help says nothing on stderr"
full=$out
like "$full" '^ +--max-blocks N ' "--help names options"
like "$full" '^ +doctor ' "--help names verbs"
like "$full" 'JOUST_MAX_TIME' "--help tells about the environment"
like "$full" 'not in this version' "--help says what is missing"
is "$(printf '%s\n' "$full" | awk 'length > 100' | wc -l)" 0 "--help is at most 100 columns wide"
exits 0 "-h succeeds" -h
ok "-h is shorter" [ "${#out}" -lt $((${#full} / 2)) ]
exits 0 "help succeeds" help
is "$out" "$full" "and says what --help does"
exits 0 "help compare succeeds" help compare
of_compare=$out
joust compare --help
is "$out" "$of_compare" "and says what compare --help does"
like "$out" '^.joust --help. names the other verbs' "which says where the rest is"
like "$out" 'dry-run +Build, say what would be measured' "--dry-run builds"
refuses 'unknown verb nonesuch' help nonesuch
refuses 'not in this version' help report
exits 0 "help --help is no mistake" help --help
exits 0 "analyze --help succeeds" analyze --help
for status in 0 1 2 3 64 125; do
	like "$out" "^  $status +[A-Z]" "analyze may end with $status"
done
for verb in compare run list doctor clean; do
	exits 0 "$verb --help succeeds" "$verb" --help
	like "$out" "^joust $verb " "$verb --help is about $verb"
done
JOUST_LIMIT=nonsense
export JOUST_LIMIT
exits 0 "a bad variable does not stand in the way of --help" --help
unset JOUST_LIMIT

# --- names that do not exist, and what is near
refuses 'did you mean --limit\?' --limt=2%
refuses 'did you mean --max-time\?' --max-tim 60
refuses 'did you mean --strict\?' --stric
refuses '--base REF' --baseline main
refuses '--blocks' --runs 10
refuses '--min-blocks' --min-runs 10
refuses '--max-blocks' --max-runs 10
refuses '--export-json' --json out.json
refuses '--warmup' --warm 3
refuses '--limit' --threshold 5%
refuses '--limit' --margin 5%
refuses '--limit' --noise-threshold .01
refuses 'unknown option -x' -x
refuses 'see .joust compare --help' --entirely-unheard-of
refuses 'did you mean compare\?' comprae
refuses 'did you mean doctor\?' doctr
refuses 'behind --' ./bench
refuses 'behind --' compare bench
refuses 'verb comes first' --strict compare
refuses '\\x1b\[31m' "$(printf -- '--x\033[31m')"

# --- wrong values and combinations
refuses '--limit.*0\.98' --limit 0.98
refuses '--limit.*nan' --limit nan
refuses 'did you mean cpu\?' --limit cpuu=2%
refuses 'must be odd' --pairs 4
refuses 'not a regular expression' --filter '('
refuses 'needs a value' --base
refuses 'must not be empty' --base=
refuses 'contradicts' --blocks 20 --min-blocks 10
refuses 'contradicts' --quiet --verbose
refuses 'no event "cyclops" is known' -ecyclops
refuses 'contradicts' --in-place --candidate x
refuses 'above --max-blocks' --min-blocks 30 --max-blocks 20
refuses 'is not for .joust list' list --strict
refuses 'no command behind --' --

# --- not in this version
for verb in report explain pair import export merge init; do
	refuses "\`joust $verb\` is not in this version" "$verb"
done
for flag in --jobs=2 --export-markdown=f --export-html=f --export-junit=f; do
	refuses 'not in this version' "$flag"
done
JOUST_JOBS=2
export JOUST_JOBS
refuses 'JOUST_JOBS 2 is not in this version' compare
unset JOUST_JOBS

# --- bisect must stop at wrong usage, not skip
exits 128 "--bisect turns 64 into 128" compare --nonsense --bisect
JOUST_BISECT=yes
export JOUST_BISECT
exits 128 "JOUST_BISECT does too" compare --nonsense
unset JOUST_BISECT

# --- stdout that cannot be written
if [ -w /dev/full ]; then
	"$JOUST_BIN" --help >/dev/full 2>"$tmp/err"
	is "$? $(cat "$tmp/err")" "3 joust: cannot write to stdout: No space left on device" \
		"a full disk is 3, with the reason"
else
	skip "a full disk is 3, with the reason" "no /dev/full"
fi
"$JOUST_BIN" --help >&- 2>"$tmp/err"
is $? 3 "a closed stdout is 3"
mkfifo "$tmp/gone"
(
	# shellcheck disable=SC2094 # a pipe
	exec 8<>"$tmp/gone" 9>"$tmp/gone" 8<&- # nobody reads what 9 writes
	"$JOUST_BIN" --help >&9 2>"$tmp/err"
	echo $? >"$tmp/status"
)
is "$(cat "$tmp/status")$(cat "$tmp/err")" 0 "a reader that goes away changes nothing"

# --- doctor
exits 0 "doctor succeeds" doctor
like "$out" 'pmu' "doctor says something about the PMU"
like "$out" ' sandbox +engaged: ' "and which layers of the sandbox hold, by trial"
unlike "$out" "$(printf '\033')" "doctor has no colour in a file"
joust doctor --require nonsense
is "$status" 64 "a requirement that doctor does not know is 64"
joust doctor --require pm
like "$err" 'did you mean pmu\?' "and the nearest is named"
exits 64 "an empty name in the list is 64" doctor --require pmu,
joust doctor --require pmu
if ls -d /sys/bus/event_source/devices/cpu* /sys/bus/event_source/devices/armv* >/dev/null 2>&1; then
	# it may be there and forbidden
	ok "--require pmu is 0, or 3 where it is forbidden" [ "$status" -eq 0 -o "$status" -eq 3 ]
else
	is "$status" 3 "--require pmu is 3 on a host without one"
fi

# --- clean
exits 0 "clean succeeds where there is nothing" clean
is "$out" "Nothing to remove." "and says so"
mkdir -m 700 "$XDG_CACHE_HOME/joust" "$XDG_STATE_HOME/joust"
head -c 20000 /dev/zero >"$XDG_CACHE_HOME/joust/tree"
: >"$XDG_STATE_HOME/joust/last.json"
exits 0 "clean removes what is there" clean
like "$out" '^Removed [0-9.]+ kB\.$' "clean says how much"
ok "the cache is gone" [ ! -e "$XDG_CACHE_HOME/joust/tree" ]
ok "the records are gone" [ ! -e "$XDG_STATE_HOME/joust/last.json" ]
mkdir -p "$XDG_CACHE_HOME/joust/work/used"
run flock "$XDG_CACHE_HOME/joust/work/used" "$JOUST_BIN" clean
is "$status $(grep -c 'stayed' "$tmp/err")" "0 1" "what somebody uses stays, and that is said once"

# --- sides that do not go together
mkdir sides sides/dir sides/lib && cd sides || exit 1
cp "$JOUST_OUT/tests/cli/prog_burn" old && cp old new || exit 1
refuses '--base ./old is a program: name the other one with --candidate' compare --base ./old
refuses '--candidate ./new is a program: name the other one with --base' --candidate ./new
refuses '--base ./old is a program, --candidate dir is none' --base ./old --candidate dir
refuses '"./old 50" is no program, directory or commit.* behind --: --base ./old ... -- ARG' \
	--base "./old 50" --candidate new
refuses '"./new 50" is no program, directory or commit' --base ./old --candidate "./new 50"
refuses '--candidate: ./gone is neither' --base ./old --candidate ./gone
joust aa --inject 3% -- ./old
like "$err" 'nothing can be injected into the command "./old"' "aa has no --base to ask for"
is "$status" 64 "what --inject cannot do is wrong usage"

# --- where joust.conf is looked for
joust run
like "$err" "there is no joust.conf in $tmp/sides, nor above it in its repository\\. " "where it was looked for"
printf '[benchmark "a"]\n\tcommand = true\n' >lib/joust.conf
joust run
like "$err" 'there is lib/joust.conf: start joust in that directory' "and where there is one"
