#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # set by lib.sh
# shellcheck disable=SC2016 # the dollars in single quotes are jq's

# A joust.conf of the candidate that judges more loosely than the baseline's: nothing is refused, and it is
# said, whatever the sandbox and also where nothing is compared.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

plan 34
# conf LIMIT [LINE]: joust.conf with this limit, and a line of [project]
conf() {
	printf '[project]\n\tmain-branch = main\n\t%s\n[benchmark "t"]\n\tcommand = true\n\tlimit = %s\n' "${2-}" "$1"
}
# notes ARGUMENT...: compares, and leaves the notes of that kind in $note
notes() {
	# shellcheck disable=SC2086
	joust compare --max-blocks 12 --pairs 1 "$@"
	note=$(record '.notes[] | select(startswith("joust.conf of the candidate"))')
}
said="joust.conf of the candidate: t: limit 2 % -> 900 %; it may pass what the baseline's would not"

new_repo "$tmp/project" && cd "$tmp/project" || exit 1
commit . nothing
conf 2% >joust.conf && commit . two
conf 900% >joust.conf
for level in standard none; do
	notes --sandbox "$level"
	is "$status $note" "0 $said" "$level: a raised limit is said, and refused nowhere"
done
ok "in the report, too" grep -Fq "$said" "$tmp/out"
notes --base HEAD^
is "$status $note" "0 " "a baseline without joust.conf has no limit that was raised"
conf 2% '; another' >joust.conf
notes
is "$status $note" "0 " "an equal one is nothing to say"

conf 2% 'watch = src' >joust.conf
notes
like "$out" 'src unchanged since the baseline' "nothing is compared where nothing watched has changed"
like "$note" ': \[project\] watch default -> src; it may pass' "and who came to watch less is said"
like "$out" 'watch default -> src' "in the report, too"

mkdir "$tmp/old" && conf 2% >"$tmp/old/joust.conf"
conf 900% >joust.conf
notes --base "$tmp/old" --candidate .
is "$note" "$said" "a directory is a baseline like any other"
notes --base /bin/true --candidate /bin/true
is "$note" "" "a program is none"

conf 2% 'newer = yes' >joust.conf && commit . newer
conf 900% >joust.conf
notes --base HEAD
is "$status $note" "0 " "nor is one whose joust.conf cannot be read"
like "$(record '.notes[]')" "the baseline's joust.conf cannot be read .*: whether the candidate's judges more" "which is said"
conf 2% >joust.conf && commit . two
conf 900% >joust.conf
# shellcheck disable=SC2086
joust run --blocks 1 --pairs 1
unlike "$(record '.notes[]')" 'of the candidate' "and one version has no other"

# Who chooses the baseline: main-branch of the candidate's own joust.conf may name the candidate itself.
new_repo "$tmp/chosen" && cd "$tmp/chosen" || exit 1
# chosen ARGUMENT...: compares, and leaves who chose the baseline in $note
chosen() {
	# shellcheck disable=SC2086
	joust compare --max-blocks 12 --pairs 1 "$@"
	note=$(record '.notes[] | select(startswith("joust.conf of the candidate chose"))')
}
# names BRANCH: joust.conf with this main-branch, and what else is there
names() {
	printf '[project]\n\tmain-branch = %s\n[benchmark "t"]\n\tcommand = true\n' "$1"
}
names main >joust.conf && echo fast >code && commit . fast
git checkout -q -b change
echo slow >code && commit . slow && git branch older
for branch in HEAD change older; do
	names "$branch" >joust.conf && commit . "$branch"
	chosen
	like "$status $note" "^0 joust.conf of the candidate chose the baseline: main-branch = $branch leads to [0-9a-f]{12}, the default branch main to [0-9a-f]{12}" \
		"main-branch = $branch: who chose the baseline is said, also where nothing is compared"
	chosen --sandbox strict
	like "$status $err" "^3 .*main-branch = $branch of the candidate's own joust.conf leads to the candidate's own history" \
		"and strict refuses it"
done
chosen --base HEAD
is "$status $note" "0 " "a baseline that the command names was chosen by nobody else"
names main >joust.conf && commit . main
chosen
is "$status $note" "0 " "a line that the default branch agrees with is nothing to say"
chosen --sandbox strict
unlike "$err" "own history" "nor refused"
names trunk >joust.conf && git checkout -q main && commit . trunk
git checkout -q -b trunk && echo 2 >code && commit . two && git checkout -q -b work && echo 3 >code && commit . three
chosen
is "$status $note" "0 " "another branch than the default one is the project's where the default one says so"
chosen --sandbox strict
unlike "$err" "own history" "nor refused"
git branch -q -D main
chosen
is "$status $note" "0 " "and where there is no default branch the baseline may say so"
chosen --sandbox strict
unlike "$err" "own history" "nor is that refused"
names HEAD >joust.conf && commit . head
chosen
like "$note" 'and no default branch is here' "but HEAD is the candidate's"
names pull/1/merge >joust.conf && commit . merge && git branch pull/1/merge
chosen
like "$note" 'and no default branch is here' "as is whatever else leads to its commit"

# The place of joust.conf: who moves it takes another one for the baseline's.
new_repo "$tmp/places" && cd "$tmp/places" || exit 1
mkdir p && echo >p/code && conf 2% >joust.conf && commit . top && conf 900% >p/joust.conf && cd p || exit 1
moved="joust.conf of the candidate lies elsewhere than in the baseline"
notes --base HEAD
is "$note" "$moved: p/joust.conf, and there joust.conf
$said" "a joust.conf below the baseline's is said, and what it loosens"
cd .. && conf 2% >p/joust.conf && conf 900% >joust.conf && commit . both && rm p/joust.conf
notes --base HEAD
is "$note" "$moved: joust.conf, and there p/joust.conf" "and one that is gone, so that the one above judges"
git rm -q --cached joust.conf && rm joust.conf && conf 2% >p/joust.conf && commit . below
mv p/joust.conf . && conf 900% >joust.conf
notes --base HEAD
is "$note" "$moved: joust.conf, and there p/joust.conf
$said" "and one that was moved"
git rm -q -r --cached p && rm -r p joust.conf && conf 900% >"$tmp/own" && ln -s "$tmp/own" joust.conf && commit . link
rm joust.conf && conf 900% >joust.conf
notes --base HEAD
like "$(record '.notes[]')" "the baseline's joust.conf cannot be read .*leads out of the baseline" "a link out of the baseline is not its own"
rm joust.conf && echo joust.conf >.gitignore && commit . none && conf 900% 'needs = joust.conf' >joust.conf
printf '[sandbox]\n\tread = %s\n' "$tmp" >>joust.conf
notes --base HEAD
is "$status $note" "0 " "nor is what the candidate needs"
joust compare --base HEAD --sandbox strict
like "$status $err" "^3 .*opens what the baseline's does not" "which opens nothing under strict"
