#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016,SC2086 # dollars for jq, make and sh; $fast is a list of words

# Other links of a program: made, told apart, cached, taken in turn; and why there are none.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v ld.lld >/dev/null 2>&1; then
	skip_all "the linker lld is not installed"
fi
plan 39

# compare ARGUMENT...: nothing has to be judged, only built and measured a little
compare() {
	joust compare $fast --progress always "$@"
}

why() {
	record '.benchmarks[0].plan | [.layouts, .one_layout_because] | @tsv'
}

# order FILE: the functions of a program by address
order() {
	nm -n "$1" | awk '$2 ~ /[tT]/ { print $3 }'
}

# use_compiler LINK...: the command by which the project links
use_compiler() {
	cat >Makefile <<-EOF
		bench: bench.o more.o
		bench.o: bench.c; $1 -O2 -g -I$src/engine/worker -c -o \$@ \$<
		more.o: more.c; $1 -O2 -g -c -o \$@ \$<
		bench:; ${2-$1} -o \$@ bench.o more.o $JOUST_OUT/libjoust.a -lm -lpthread
	EOF
	commit . "another compiler"
}

# --- made, and really different
make_project "$tmp/links" 20000 && cd "$tmp/links" || exit 1
echo 'int f1(int x) { return x + 1; } int f2(int x) { return x * 3; } int f3(int x) { return x ^ 5; }' >more.c
printf '%s\n' bench '*.o' >.gitignore
cat >relink.sh <<-'EOF'
	#!/bin/sh
	cc -O2 -ffunction-sections -c -o more.o more.c || exit
	cc -fuse-ld=lld "-Wl,--shuffle-sections=.text*=$JOUST_LAYOUT_SEED" -o bench bench.o more.o "$1" -lm -lpthread
EOF
use_compiler cc
git checkout -q -b change && echo '/* changed */' >>bench.c && commit . changed
compare
is "$status" 0 "a project with a makefile"
is "$(why)" "$(printf '4\t')" "four layouts by default"
is "$(record '.benchmarks[0].blocks | map(select(.stage == 1)) | .[0:8] | map(.layout) | tojson')" \
	'[1,2,3,0,1,2,3,0]' "blocks take them in turn"
like "$err" '^linking the baseline in 3 other orders' "it is said when they are made"
find "$XDG_CACHE_HOME/joust/trees" -path '*/.layouts-of-joust/[123]/bench' >"$tmp/made"
is "$(wc -l <"$tmp/made")" 6 "three for each side"
while read -r file; do
	order "$file" | cksum
done <"$tmp/made" | sort -u >"$tmp/orders"
is "$(wc -l <"$tmp/orders")" 3 "equal seeds give equal orders, other seeds others"
is "$(order "$(head -n 1 "$tmp/made")" | grep -c '^f[123]$')" 3 "the functions are all there"
is "$(git status --porcelain)" "" "the project is as it was"
is "$(left_overs)" "" "nothing is left over but the cache"

# --- cached
touch "$tmp/before"
compare --seed 1
is "$status" 0 "once more"
unlike "$err" 'linking' "nothing is linked again"
is "$(find "$XDG_CACHE_HOME/joust/trees" -name bench -newer "$tmp/before")" "" "no program was made"
rm "$(head -n 1 "$tmp/made")"
compare
like "$err" 'linking' "a damaged cache is noticed"
is "$(why)" "$(printf '4\t')" "and made anew"

# --- another number
compare --layouts 2
is "$(why)" "$(printf '2\t')" "--layouts 2"
compare --layouts 1
is "$(why)" "$(printf '1\tone was asked for')" "--layouts 1"

# --- other compilers
if command -v clang >/dev/null 2>&1; then
	use_compiler clang
	compare
	is "$(why)" "$(printf '4\t')" "clang"
else
	skip "clang" "clang is not installed"
fi
use_compiler cc g++
compare
is "$(why)" "$(printf '4\t')" "a C++ compiler links"

# --- none
use_compiler "$(command -v cc)"
compare
is "$status" 0 "a compiler that is named by its path"
like "$(why)" '^[1-4]	' "is stood in for as far as it looks for its linker"
cc -O2 -g "-I$src/engine/worker" -o program bench.c more.c "$JOUST_OUT/libjoust.a" -lm -lpthread || exit 1
use_compiler true 'cp program bench;:'
compare
is "$status" 0 "a build that links nothing"
like "$(why)" '^1	the build links its functions in the same order' "has one layout"
use_compiler 'cc' 'test -z "$$JOUST_LAYOUT_SEED" \&\& cc'
sed -i 's/\\&/\&/g' Makefile && commit . "no seed wanted"
compare
is "$status" 0 "a build that fails when it is to link in another order"
like "$(why)" '^1	the build failed \(exit status 2\) when it was to link in another order' "is said"
compare
unlike "$err" 'linking' "and not tried again"
use_compiler cc 'cc -s'
compare
like "$(why)" '^1	the program has no symbols' "stripped programs"
joust compare $fast --base HEAD --force -- true
is "$(why)" "$(printf '1\tthe program is no part of the project')" "a program of the system"
compare --in-place
is "$(why)" "$(printf '1\tthe candidate was built in place')" "--in-place"

# --- the project's own way
use_compiler "$(command -v cc)"
git config -f joust.conf project.layout "sh relink.sh $JOUST_OUT/libjoust.a" && commit . recipe
compare
is "$status" 0 "a layout command of the project"
is "$(why)" "$(printf '4\t')" "makes layouts"

# --- judged
sed -i 's/STEPS [0-9]*/STEPS 80000/' bench.c && commit . slower
joust compare --base main $fast
is "$status" 1 "slower in every layout"
is "$(record '.benchmarks[0].metrics.cpu | [.verdict, .layouts] | @tsv')" "$(printf 'slower\t4')" \
	"is a regression, by blocks of all of them"
unlike "$out" 'one link layout' "which no other layout has to confirm"
joust compare --base main $fast --layouts 1
like "$out" 'one link layout, because one was asked for' "with one layout it is said"

# --- hostile: what a commit or a build puts in the way leads joust nowhere
echo precious >"$tmp/precious" && mkdir "$tmp/outside" "$tmp/hostile" && cd "$tmp/hostile" || exit 1
make_project . 20000
cp "$tmp/links/more.c" more.c
printf '%s\n' bench '*.o' >.gitignore
mkdir .layouts-of-joust && ln -s "$tmp/precious" .layouts-of-joust/result
use_compiler cc
joust compare --base HEAD --force $fast
is "$status" 0 "a result of layouts that is a symlink of the commit"
is "$(cat "$tmp/precious")" "precious" "is not followed"
git rm -q -r .layouts-of-joust
use_compiler cc "{ test -z \"\$\$JOUST_LAYOUT_SEED\" || { rm -rf .layouts-of-joust; ln -s $tmp/outside .layouts-of-joust; }; } \\&\\& cc"
sed -i 's/\\&/\&/g' Makefile && commit . "a build that moves the directory of the links"
joust compare --base HEAD --force $fast
is "$status" 0 "a build that puts a symlink in the place of its layouts"
is "$(ls "$tmp/outside")" "" "has nothing written behind it"
(cp -R . "$tmp/other" && cd "$tmp/other" && cc -O2 -ffunction-sections "-I$src/engine/worker" -c bench.c &&
	JOUST_LAYOUT_SEED=77 sh "$tmp/links/relink.sh" "$JOUST_OUT/libjoust.a" && mv bench "$tmp/outside") || exit 1
use_compiler cc "{ test ! -d .layouts-of-joust/1 || ln -sf $tmp/outside/bench .layouts-of-joust/1/bench; } \\&\\& cc"
sed -i 's/\\&/\&/g' Makefile && commit . "a build that puts a symlink in the place of a link"
joust compare --base HEAD --force $fast
is "$status $(record '.benchmarks[0].plan.layouts')" "0 3" "a program behind a symlink is no layout"
