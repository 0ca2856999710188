#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# Peak memory through `joust compare`: a planted +5 MiB on a base of 20 MiB is a regression of
# peak_memory, +0 is the same. One argument: how many comparisons of each kind (1).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

turns=${1-1}
ballast= # loaded before joust
base=20
more=25
input=$shared/input

new_repo "$tmp/peak" && cp "$JOUST_OUT/tests/root/prog_peak" "$tmp/peak/prog" && cd "$tmp/peak" || exit 1
cat >joust.conf <<-END
	[benchmark "command"]
		command = ./prog command
		peak = yes
	[benchmark "peak"]
		worker = prog
		peak = yes
	[benchmark "untimed"]
		worker = prog
		peak = yes
END
echo $base >memory.txt && commit . base
# Memory alone is judged: the limit of CPU time is one that noise does not reach. Nine blocks are the
# fewest.
few="--limit 100% --max-blocks 9 --pairs 1"

# shellcheck disable=SC2086
joust compare $few --base main --force --filter '^command$'
case $(record .host.cgroup) in
*memory*) ;;
*) skip_all "joust may use no cgroup with memory here" ;;
esac
if [ "$turns" -eq 1 ]; then plan 10; else plan 12; fi

# outcome NAME: whether it regressed, and what its peak memory did. Page faults may have changed by one or
# two, which nobody judges.
outcome() {
	record ".benchmarks[] | select(.name == \"$1\") |
		if .verdict == \"regressed\" then .verdict else \"kept\" end, .metrics.peak_memory.verdict" |
		tr '\n' ' '
}

# peaks NAME: both sides', in MiB
peaks() {
	record ".benchmarks[] | select(.name == \"$1\").metrics.peak_memory |
		.baseline / 1048576, .candidate / 1048576" | tr '\n' ' '
}

# compared NAME MIB WANT WHAT [OPTION...]: so many comparisons with a candidate of MIB end as WANT
compared() {
	name=$1
	mib=$2
	want=$3
	what=$4
	shift 4
	echo "$mib" >memory.txt
	echo "$what" >note.txt # a change also where the memory is the same
	right=0
	while [ "$right" -lt "$turns" ]; do
		# shellcheck disable=SC2086
		run env ${ballast:+"LD_PRELOAD=$ballast"} "$JOUST_BIN" compare $few --base main --filter "^$name\$" "$@"
		[ "$(outcome "$name")" = "$want " ] || break
		right=$((right + 1))
	done
	is "$right of $turns: $(outcome "$name")" "$turns of $turns: $want " "$what, $mib MiB: $want"
	echo "# $right of $turns; the last: $(peaks "$name")MiB"
}

# plus_and_nothing NAME WHAT: more memory is found, as much as before is not
plus_and_nothing() {
	compared "$1" $more "regressed slower" "$2"
	compared "$1" $base "kept same" "$2"
}

plus_and_nothing command "a command"
plus_and_nothing peak "a function"
# What an untimed section needs for itself is not the work's.
plus_and_nothing untimed "a function with an untimed section"
compared command $more "kept same" "a command, at a limit above that" --limit peak_memory=40%

# The first process that reads a file pays for its pages in the cache; with the first block of a side it
# is left out. The file is thrown out of the cache before.
head -c 100000000 /dev/zero >"$input" || exit 1
dd of="$input" oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null
echo "$input" >input.txt
[ "$turns" -eq 1 ] || compared command $more "regressed slower" "a command that reads 100 MB"
compared command $base "kept same" "a command that reads 100 MB"
rm -f input.txt "$input"

# What is counted is the leaf's and not what a child of a big engine begins with.
ballast=$JOUST_OUT/tests/root/preload_ballast.so
compared command $more "regressed slower" "joust itself holds 300 MiB"
is "$(record '[.benchmarks[0].metrics | to_entries[] | select(.value.verdict == "slower") | .key] | join(" ")')" \
	peak_memory "nothing else is judged worse"
[ "$turns" -eq 1 ] || compared command $base "kept same" "joust itself holds 300 MiB"
