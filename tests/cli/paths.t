#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# A program by an absolute path, and what is the same file in both versions.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 30

project=$tmp/project
ran=$shared/ran
few="--blocks 9 --pairs 1 --limit 1000%"
new_repo "$project" && ln -s "$project" "$tmp/link" && mkdir "$tmp/bin" || exit 1
ln -s "$project/tool" "$tmp/bin/tool"
cd "$project" || exit 1

# tool NAME: a program that tells which it is
tool() {
	printf '#!/bin/sh\necho %s >>%s\n' "$1" "$ran" >"$2" && chmod +x "$2"
}

# both COMMAND NAME: the two versions of the program run, and nothing else
both() {
	rm -f "$ran"
	# shellcheck disable=SC2086
	joust compare $few -- $1
	is "$(sort -u "$ran" | tr '\n' ' ')" 'new old ' "$2"
}

tool old tool
mkdir sub && cp tool sub/tool
echo ignored >.gitignore
commit . first && git checkout -q -b change || exit 1
tool new tool && cp tool sub/tool
commit . change || exit 1

both "$project/tool" "a program by its absolute path is each version's own"
unlike "$out$err" 'same file' "and nothing is said about one file"
both "$tmp/link/tool" "so it is through a link to the project"
both "$tmp/bin/tool" "and by a link to the program"
both "$project/sub/../tool" "and along a path that goes up"
both "sh $project/tool" "a script that an interpreter is given is each version's own, too"
printf '[benchmark "tool"]\n\tcommand = %s/sub/tool\n' "$project" >joust.conf
rm -f "$ran"
# shellcheck disable=SC2086
joust compare $few
is "$(sort -u "$ran" | tr '\n' ' ')" 'new old ' "likewise in the configuration"
rm joust.conf

# A worker.
cp "$JOUST_OUT/tests/cli/prog_bench" worker && echo 1000 >work.txt && commit . worker || exit 1
git branch -q -f main && git checkout -q -b slower && echo 2000 >work.txt && commit . slower || exit 1
quickly 0 "a worker by its absolute path" -- "$project/worker"
is "$(record '[.benchmarks[] | select(.kind == "function")] | length > 0')" true "is asked for its benchmarks"

# What the working tree alone has is neither version.
tool built ignored
joust compare -- "$project/ignored"
is "$status" 3 "a program that no version has"
like "$err" "$project/ignored is on neither side" "is not measured in the working tree"

# Without a root of its own a path in an argument is the same on both sides.
rm -f "$ran"
# shellcheck disable=SC2086
joust compare $few --base HEAD~3 --sandbox none -- "$project/tool" "$project/work.txt"
is "$(sort -u "$ran" | tr '\n' ' ')" 'new old ' "without a sandbox the program is each version's own"
like "$out" "$project/work.txt is the same file on both sides, because" "and the argument is said to be one file"

# So it is within the text of one.
# shellcheck disable=SC2086
joust compare $few --base HEAD~3 --sandbox none -- sh "-c" "exec $project/tool"
like "$out" "exec $project/tool: what it names is the same file on both sides" "and one in the text of an argument"
# shellcheck disable=SC2086
joust compare $few --base HEAD~3 -- sh "-c" "exec $project/tool"
unlike "$out" 'same file' "which says nothing where each version is shown in the project's place"
cp "$XDG_CONFIG_HOME/joust/config" "$tmp/kept"
printf '\tread = %s/sub\n' "$project" >>"$XDG_CONFIG_HOME/joust/config"
# shellcheck disable=SC2086
joust compare $few --base HEAD~3 -- "$project/tool"
like "$out" "the versions cannot be shown at $project, where .sandbox. opens a path in it" \
	"where they cannot be, because of a path that is opened, the report says so"
cp "$tmp/kept" "$XDG_CONFIG_HOME/joust/config"

# Two directories.
mkdir "$tmp/one" "$tmp/two" && tool one "$tmp/one/tool" && tool two "$tmp/two/tool" || exit 1
rm -f "$ran"
# shellcheck disable=SC2086
joust compare $few --base "$tmp/one" --candidate "$tmp/two" -- "$tmp/one/tool"
is "$(sort -u "$ran" | tr '\n' ' ')" 'one two ' "a path in one of two directories is each one's own"
rm -f "$ran"
tool other "$tmp/other"
# shellcheck disable=SC2086
joust compare $few --base "$tmp/one" --candidate "$tmp/two" -- "$tmp/other"
is "$(sort -u "$ran")" other "a path in neither is the same program"
like "$out" "$tmp/other is the same file on both sides" "and the report says so"

mkdir "$tmp/seen" && tool one "$tmp/seen/arg" && mkdir "$tmp/seen/two" && tool two "$tmp/seen/two/arg" || exit 1
printf '[sandbox]\n\tread = %s\n' "$tmp/seen" >"$tmp/seen/two/joust.conf"
# shellcheck disable=SC2086
joust compare $few --base "$tmp/seen" --candidate "$tmp/seen/two" -- sh "$tmp/seen/arg"
like "$status $out" "$tmp/seen/arg is the same file on both sides, because" "an argument in the other version's place is, too"

# Links out of the versions.
for side in one two; do
	ln -s /bin/true "$tmp/$side/abs"
	tool "$side" "$tmp/$side-out"
	ln -s "$tmp/$side-out" "$tmp/$side/own"
done
# shellcheck disable=SC2086
joust compare $few --base "$tmp/one" --candidate "$tmp/two" -- ./abs
is "$status" 0 "a link to a program of the host runs"
like "$out" "./abs leads out of both versions: $(readlink -f /bin/true) is the same file on both sides" "and is said to be one"
rm -f "$ran"
# shellcheck disable=SC2086
joust compare $few --base "$tmp/one" --candidate "$tmp/two" -- ./own
is "$(sort -u "$ran" | tr '\n' ' ')" "one two " "links to two programs run those"
unlike "$out" 'same file' "which are not said to be one"
ok "no copies are left beside them" test -z "$(find "$tmp" -maxdepth 1 -name '.joust-*')"

# Who builds a program anew while it is measured has not two programs measured as one.
tool one "$shared/old" && tool two "$shared/new" || exit 1
printf 'cp %s/new %s/next && mv %s/next %s/old\n' "$shared" "$shared" "$shared" "$shared" >>"$shared/old"
rm -f "$ran"
# shellcheck disable=SC2086
joust compare $few --base "$shared/old" --candidate "$shared/new"
ok "a program is replaced while it is measured" cmp -s "$shared/old" "$shared/new"
is "$(sort "$ran" | uniq -c | awk '{ cnt[$2] = $1 } END { print (cnt["one"] >= cnt["two"] && cnt["two"] > 8) }')" 1 \
	"and stays what it was" || sort "$ran" | uniq -c | sed 's/^/# /'
is "$(find "$XDG_CACHE_HOME/joust/work" -mindepth 1)" "" "nothing is left of its copy"

# A program whose interpreter is missing.
for side in one two; do
	printf '#!/no/such/interpreter -x\n' >"$tmp/$side/script" && chmod +x "$tmp/$side/script"
done
# shellcheck disable=SC2086
joust compare $few --base "$tmp/one" --candidate "$tmp/two" -- ./script
is "$status" 3 "a missing interpreter"
like "$out" 'both sides: .*started: its interpreter /no/such/interpreter: No such file' "is named, and no side is blamed alone"
