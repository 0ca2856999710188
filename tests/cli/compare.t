#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016 # the dollars in single quotes are those of scripts and of jq

# Which two versions are compared, what belongs to them, and what the record says about it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 92

# hurry ARGUMENT...: compares, one round; whatever the verdict, the versions are in the record
hurry() {
	joust compare --max-time 0.001 --pairs 1 "$@"
}

# sides: ref of both, kind of both
sides() {
	record '.baseline.ref, .candidate.ref, .baseline.kind, .candidate.kind' | tr '\n' ' '
}

# tree SIDE: where that side was measured
tree() {
	record ".$1.path"
}

# --- the baseline, where none is named
bench_project "$tmp/detect" 20000 20001
cd "$tmp/detect" || exit 1
hurry
is "$(sides)" "main null commit worktree " "main is the main branch"
is "$(record .baseline.commit)" "$(git rev-parse main)" "its commit is the baseline"
git checkout -q main && echo 3 >second.txt && commit . "main goes on" && git checkout -q change
hurry
is "$(record .baseline.commit)" "$(git merge-base main change)" "where the branch left it, not its tip"
git branch -q -m main trunk
hurry
is "$status" 64 "without a main branch there is no default"
like "$err" 'main-branch in \[project\], or pass --base' "joust says what to do"
printf '[project]\n\tmain-branch = trunk\n' >>joust.conf
hurry
is "$(sides)" "trunk null commit worktree " "main-branch names it"
git checkout -q joust.conf
git branch -q -m trunk main
git update-ref refs/remotes/origin/main change~0
hurry --force
is "$(sides)" "origin/main null commit worktree " "origin/main comes before main"
git update-ref refs/remotes/origin/devel main
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/devel
hurry
is "$(sides)" "origin/devel null commit worktree " "origin/HEAD comes before both"

# --- named sides
hurry --base main --candidate change
is "$(sides)" "main change commit commit " "two revisions"
hurry --base last-release
is "$status" 64 "last-release without a release"
like "$err" 'no tag v\* is reachable' "says so"
git tag v1.0 main~1 && git tag -a -m x v1.1 main~1 && git tag v9 main && git tag other
hurry --base last-release
is "$(record .baseline.commit)" "$(git rev-parse main~1)" "last-release is the newest reachable v*"
git worktree add -q "$tmp/older" main~1
hurry --base "$tmp/older"
is "$(sides)" "null null dir worktree " "a directory"
is "$(record .baseline.source)" "$tmp/older" "its name is recorded"
cd "$tmp" || exit 1
joust compare --max-time 0.001 --base "$tmp/older" --candidate "$tmp/detect"
cd "$tmp/detect" || exit 1
is "$status $(record '.baseline.kind, .candidate.kind' | tr '\n' ' ')" "0 dir dir " "two directories"
cp -R "$tmp/older" "$tmp/plain" && rm "$tmp/plain/.git"
cp -R "$tmp/plain" "$tmp/plain2"
cd "$tmp/plain2" || exit 1
echo 80000 >work.txt
quickly 1 "two directories without git" --base "$tmp/plain" --candidate "$tmp/plain2"
cd "$tmp/detect" || exit 1

# --- two programs
mkdir "$tmp/programs" && cd "$tmp/programs" || exit 1
cp "$JOUST_OUT/tests/cli/prog_bench" old
cp "$JOUST_OUT/tests/cli/prog_bench" new
quickly 0 "two worker programs need neither git nor joust.conf" --base ./old --candidate ./new \
	--filter '^work$'
is "$(record '.benchmarks[] | .name, .kind' | tr '\n' ' ')" "work function " "they are asked for names"
is "$(record '.baseline.kind, .candidate.kind' | tr '\n' ' ')" "program program " "kinds are recorded"
exits 64 "arguments of a worker program are refused" compare --base ./old --candidate ./new -- --test
like "$err" '^joust: new is a program of libjoust, .*no arguments.* \(--test\).*--filter' "and the way is named"
cat >old.sh <<-END
	#!/bin/sh
	[ "\$1" = argument ] || exit 9
END
cp old.sh new.sh && chmod +x old.sh new.sh
exits 0 "two commands with arguments" compare --max-time 0.001 --base ./old.sh --candidate ./new.sh -- argument
is "$(record '.benchmarks[0] | .name, .kind' | tr '\n' ' ')" "new.sh argument command " \
	"the name is the command's line"

# --- a command, and no joust.conf
new_repo "$tmp/zero" && cd "$tmp/zero" || exit 1
printf '#!/bin/sh\ni=0\nwhile [ $i -lt %s ]; do i=$((i + 1)); done\n' 500 >script
chmod +x script
commit . first
sed -i 's/500/20000/' script
quickly 1 "a script against HEAD" --base HEAD -- ./script argument
is "$(record '.benchmarks[0] | .name, .command, .kind' | tr '\n' ';')" \
	"./script argument;./script argument;command;" "without any configuration"

# --- what the candidate is
new_repo "$tmp/files" && cd "$tmp/files" || exit 1
cat >list <<-'END'
	#!/bin/sh
	find . -type f | sort >list.out
END
chmod +x list
cat >joust.conf <<-END
	[benchmark "list"]
		command = ./list
END
echo '*.big' >.gitignore
echo old >tracked
echo gone >removed
commit . first
echo new >tracked
rm removed
echo untracked >untracked
echo ignored >data.big
echo ignored >other.big
hurry
is "$status" 0 "a working tree with changes"
cd "$(tree candidate)" || exit 1
is "$(cat tracked)" new "has uncommitted changes"
ok "has untracked files" [ -e untracked ]
ok "has no removed files" [ ! -e removed ]
ok "has no ignored files" [ ! -e data.big ]
cd "$tmp/files" || exit 1
is "$(record .candidate.changed_files)" 3 "they are counted"
is "$(cat "$(tree baseline)/tracked" "$(tree baseline)/removed" | tr '\n' ' ')" "old gone " \
	"the baseline is as it was committed"
ok "nothing was written into the working tree" [ ! -e list.out ]
printf '[project]\n\tneeds = data.big\n' >>joust.conf
hurry
ok "needs adds an ignored file to the candidate" [ -e "$(tree candidate)/data.big" ]
ok "to the baseline too" [ -e "$(tree baseline)/data.big" ]
ok "and only that" [ ! -e "$(tree candidate)/other.big" ]

# --- in place
hurry --in-place
is "$(tree candidate)" "$tmp/files" "--in-place measures the working tree"
ok "the program ran there" [ -e list.out ]
like "$(record '.notes[]')" 'in the working tree itself \(--in-place\)' "the record says so"
like "$out" 'in the working tree itself' "the report too"
is "$(find . -name '.joust-*')" "" "nothing is left in it"

# --- a subdirectory
mkdir -p "$tmp/files/sub/deep" && cd "$tmp/files/sub" || exit 1
cp ../list .
cat >joust.conf <<-END
	[benchmark "list"]
		command = ./list
END
commit .. sub
echo x >deep/er
cd deep || exit 1
joust --base HEAD --max-time 0.001
cd .. || exit 1
is "$status" 0 "a project in a subdirectory, from below"
is "$(record .project)" sub "is that project"
like "$(tree candidate)/" '/trees/[0-9a-f]+/$' "the whole repository is copied"
ok "and the subdirectory is where it runs" [ -e "$(tree candidate)/sub/list.out" ]

# --- trees are built once (and linked once: other links are further builds)
JOUST_LAYOUTS=1
export JOUST_LAYOUTS
new_repo "$tmp/cached" && cd "$tmp/cached" || exit 1
cp "$JOUST_OUT/tests/cli/prog_bench" bench.in
cat >joust.conf <<-END
	[project]
		build = "echo \$\$ >>$shared/builds; cp bench.in bench"
	[benchmark "work"]
		worker = bench
END
commit . first
echo 1000 >second.txt
hurry
is "$(wc -l <"$shared/builds")" 2 "both versions are built"
is "$(record '.baseline.built, .baseline.build_cached' | tr '\n' ' ')" "true false " "it is recorded"
hurry
is "$(wc -l <"$shared/builds")" 2 "and not again"
is "$(record '.baseline, .candidate | .build_cached' | tr '\n' ' ')" "true true " "that is recorded"
echo 1001 >second.txt
hurry
is "$(wc -l <"$shared/builds")" 3 "a change builds the candidate again"
rm "$(tree baseline)/bench"
hurry
is "$(wc -l <"$shared/builds")" 4 "a tree that was damaged is built again"
exits 0 "joust clean" clean
is "$(find "$XDG_CACHE_HOME" "$XDG_STATE_HOME" -type f)" "" "removes everything"
hurry
is "$(wc -l <"$shared/builds")" 6 "and both are built again"
unset JOUST_LAYOUTS
cd "$tmp/detect" || exit 1
hurry

# --- benchmarks that one side lacks
cd "$tmp/cached" || exit 1
cat >build.sh <<-END
	cc -O2 -I$src/engine/worker -o bench bench.c $JOUST_OUT/libjoust.a -lm -lpthread
END
write_worker bench.c 20000
cp bench.c both.c
sed 's/"work"/"old one"/; s/bench_work/bench_old/; /include/d; /^#define/d; /^static/,/^}/d' both.c >>bench.c
cat >joust.conf <<-END
	[project]
		build = sh build.sh
	[benchmark "*"]
		worker = bench
END
commit . "one that goes"
sed -i 's/"old one"/"new one"/' bench.c
quickly 0 "a new and a removed benchmark"
is "$(record '.benchmarks | sort_by(.name)[] | .name, .verdict, .reason' | tr '\n' ';')" \
	"new one;skipped;new;old one;skipped;removed;work;same;null;" "are listed, the rest is judged"
like "$out" '^  - new        new one  the baseline does not have it' "the report says which is new"
like "$out" '^  - removed    old one  .*does not have it any more' "and which has gone"

# --- git that wants to run something
new_repo "$tmp/hooks" && cd "$tmp/hooks" || exit 1
printf '*.txt filter=run\n' >.gitattributes
for hook in post-checkout pre-commit post-index-change fsmonitor-watchman; do
	printf '#!/bin/sh\ntouch %s\n' "$tmp/hook-ran" >.git/hooks/$hook
	chmod +x .git/hooks/$hook
done
echo one >a.txt
cp "$tmp/zero/script" .
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/nonexistent \
	git -c core.hooksPath=/nonexistent add -A
git -c core.hooksPath=/nonexistent commit -q -m first
git config filter.run.smudge "touch $tmp/filter-ran; cat"
git config filter.run.clean "touch $tmp/filter-ran; cat"
git config filter.run.process "touch $tmp/filter-ran"
git config core.fsmonitor "touch $tmp/filter-ran"
echo two >>a.txt
hurry --base HEAD -- ./script
is "$status" 0 "a repository with hooks and filters"
ok "no hook has run" [ ! -e "$tmp/hook-ran" ]
ok "no filter has run" [ ! -e "$tmp/filter-ran" ]

# --- what git cannot give
new_repo "$tmp/lfs" && cd "$tmp/lfs" || exit 1
cp "$tmp/zero/script" .
echo '*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 5\n' 1 >data.bin
commit . first
hurry --base HEAD -- ./script
is "$status" 3 "LFS pointers are refused"
like "$err" 'LFS.*--base DIR' "with a way out"
new_repo "$tmp/module" && cd "$tmp/module" || exit 1
cp "$tmp/zero/script" .
git -c protocol.file.allow=always submodule --quiet add "$tmp/zero" zero 2>/dev/null
commit . first
hurry --base HEAD -- ./script
is "$status" 3 "submodules are refused"
like "$err" 'submodule.*zero' "by name"
git clone -q --depth 1 --branch change "file://$tmp/detect" "$tmp/shallow" 2>/dev/null
cd "$tmp/shallow" || exit 1
git symbolic-ref -d refs/remotes/origin/HEAD
hurry
is "$status" 3 "a shallow clone"
like "$err" 'fetch-depth: 0' "names the remedy"
git fetch -q --depth 1 origin main:refs/remotes/origin/main
hurry
is "$status" 3 "a shallow clone with the main branch's tip"
like "$err" 'no commit in common.*shallow.*fetch-depth: 0' "names the remedy"
hurry --base main~1
is "$status" 3 "a revision that a shallow clone lacks"
like "$err" 'fetch-depth: 0' "names the remedy"
cd "$tmp/detect" || exit 1
git checkout -q --orphan stranger && git commit -q -m stranger
hurry
is "$status" 3 "histories without a common commit"
like "$err" 'no commit in common.*fetch-depth: 0' "name the remedy"
git checkout -q -f change
git symbolic-ref -d refs/remotes/origin/HEAD
git update-ref -d refs/remotes/origin/devel
git update-ref -d refs/remotes/origin/main

# --- the record
with_benchmark . second
"$JOUST_BIN" compare --limit 100% --pairs 3 --max-blocks 12 --seed 7 --export-json - >"$tmp/one.json" 2>"$tmp/err"
is $? 0 "--export-json -"
like "$(cat "$tmp/err")" '^2 same in ' "leaves the report to stderr"
is "$(jq -s length "$tmp/one.json")" 1 "stdout is JSON and nothing else"
is "$(jq -S . "$tmp/one.json")" "$(record . | jq -S .)" "and the stored record"
# says FILTER NAME: jq makes true of the record
says() {
	if jq -e "$1" "$tmp/one.json" >/dev/null; then pass "$2"; else fail "$2" "$1"; fi
}
says '.seed == "7" and .joust_version and .schema == 0 and .verb == "compare"' "seed and version"
says '[.options[] | select(.name == "limit" or .name == "seed") | .value] == ["100%", "7"]' "options"
says '.host | .kernel and .cpu_model and .cpus >= 1 and (.cpu | type) == "number"' "the host"
says '.baseline | .kind == "commit" and .ref == "main" and (.commit | length) == 40 and
	(.tree_hash | length) == 40 and .path' "the baseline"
says '.candidate | .kind == "worktree" and (.commit | length) == 40 and .changed_files == 1' "the candidate"
says '[.benchmarks[].name] == ["work", "second"]' "the benchmarks"
says '.benchmarks | all(.plan.pairs as $m | .blocks | map(select(.stage > 0)) |
	all(.pairs | length == $m))' "m raw pairs a block"
says '.benchmarks | all(.plan.slices as $k | .blocks[].pairs | all(
	(.baseline, .candidate) | (.cpu_ns, .wall_ns) | length == $k and all(. > 0)))' "k slices a sample"
says '.benchmarks | all(.plan as $plan | .blocks[] |
	(if .stage == 0 then $plan.planning.iterations else $plan.iterations end) as $n | .pairs | all(.baseline |
	(.cpu_ns | sort | .[length / 2 | floor] / $n) as $median |
	(.values.cpu / $median - 1 | fabs) < 1e-12))' "cpu is the median slice per iteration"
says '.benchmarks[].blocks | all(.coins | .spawned_first and .majority and .slot0 and
	(.arrangement | type) == "number")' "coins"
says '.benchmarks[].blocks | all((.baseline, .candidate) | .pid > 0 and .inode > 0 and .start_ns > 0)' \
	"processes"
says '[.benchmarks[].blocks[] | .baseline.pid, .candidate.pid] | length == (unique | length)' \
	"every process is used once"
says '.benchmarks[].metrics.cpu | .judged and .limit == 2 and .ratio and .interval and .detectable' \
	"what was judged"
joust compare --limit 100% --pairs 3 --max-blocks 12 --seed 7 --export-json "$tmp/two.json"
coins='[.benchmarks[] | [.name, ([.blocks[] | select(.lost == null) | [.slot, .stage, .coins]])[:12]]]'
is "$(jq -c "$coins" "$tmp/one.json")" "$(jq -c "$coins" "$tmp/two.json")" "the same seed gives the same coins"
joust compare --limit 100% --pairs 3 --max-blocks 12 --seed 8 --export-json "$tmp/two.json"
ok "another seed gives others" [ "$(jq -c "$coins" "$tmp/one.json")" != "$(jq -c "$coins" "$tmp/two.json")" ]
