# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2034 # "here" is set by who sources it, "joust" is for them
# What `table` and `suite` beside this file share: joust is installed and the benchmarks become a
# repository. They set $here and $out.
top=$(CDPATH='' cd -- "$here/../../.." && pwd -P)
dir=$top/.output/real/kernels
joust=${JOUST:-$top/.output/joust}

in_repo() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Test \
		GIT_AUTHOR_EMAIL=test@example.com GIT_COMMITTER_NAME=Test \
		GIT_COMMITTER_EMAIL=test@example.com git -C "$dir/repo" "$@"
}

unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE GIT_OBJECT_DIRECTORY GIT_PREFIX
rm -rf "$dir/repo"
mkdir -p "$dir/repo" "$dir/config/joust"
make -s -C "$top" all .output/tests/bench/hog
make -s -C "$top" install DESTDIR= PREFIX="$dir/prefix" >/dev/null
export JOUST_PREFIX="$dir/prefix" XDG_CONFIG_HOME="$dir/config" XDG_STATE_HOME="$dir/state"
printf '[sandbox]\n\tread = %s\n' "$JOUST_PREFIX" >"$XDG_CONFIG_HOME/joust/config"
cp "$here/kernels.c" "$here/joust.conf" "$dir/repo"
cp "$here/project.mk" "$dir/repo/Makefile"
printf 'build/\n' >"$dir/repo/.gitignore"
in_repo init -q -b main
in_repo add -A
in_repo commit -q -m kernels
cd "$dir/repo" || exit 1
