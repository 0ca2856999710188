#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The reference vectors, also where a comma is the decimal point and as another compiler builds them.
set -u

out=${JOUST_OUT:-.output}
dir=tests/data/vectors

# result NUMBER NAME STATUS
result() {
	if [ "$3" -eq 0 ]; then
		printf 'ok %d - %s\n' "$1" "$2"
	else
		printf 'not ok %d - %s\n' "$1" "$2"
	fi
}

printf '1..4\n'

"$out/tests/vectors" $dir >"$out/vectors.txt"
status=$?
grep '^not ok' "$out/vectors.txt" | sed 's/^/# /'
tail -n 1 "$out/vectors.txt"
result 1 'every vector is right' $status

# The locale that make has built; the program says by itself how it writes one half.
LOCPATH=$(CDPATH='' cd -- "$out/locale" && pwd -P) LC_ALL=de_DE.UTF-8 "$out/tests/vectors" $dir \
	>"$out/vectors-comma.txt" &&
	grep -q '^# locale "de_DE.UTF-8", one half is 0,5$' "$out/vectors-comma.txt"
result 2 'with a decimal comma' $?

if ! command -v clang >/dev/null 2>&1; then
	printf 'ok 3 - built by clang -O2 # SKIP no clang is installed\n'
else
	make -s OUT="$out/clang" CC=clang OPT=-O2 "$out/clang/tests/vectors" >"$out/vectors-clang.log" 2>&1 &&
		"$out/clang/tests/vectors" $dir >"$out/vectors-clang.txt"
	result 3 'built by clang -O2' $?
fi

# A wrong value, a wrong tolerance, no kernel, no JSON, another schema, and members that nothing
# looks at, of a file, of a case and within one, must each be found.
bad=$out/vectors-bad
rm -rf "$bad" && mkdir -p "$bad"
sed 's/"two": *2,/"two":3,/' $dir/a_min_n.json >"$bad/value.json"
sed 's/"tolerance": *"/&about /' $dir/j_pt.json >"$bad/tolerance.json"
sed 's/"group": *"/&x/' $dir/j_qt.json >"$bad/group.json"
printf '{' >"$bad/syntax.json"
sed 's/"schema": *1/"schema":2/' $dir/j_pt.json >"$bad/schema.json"
sed 's/"schema": *1/&,"scheme":1/' $dir/j_pt.json >"$bad/file-member.json"
sed '/"id": *"j_pnorm-001"/s/"note"/"not":1,&/' $dir/j_pnorm.json >"$bad/case-member.json"
sed '/"id": *"a_min_n-001"/s/"two"/"three":1,&/' $dir/a_min_n.json >"$bad/member.json"
sed '/"id": *"b_bootstrap_median-001"/s/"label"/"table":1,&/' $dir/b_bootstrap_median.json \
	>"$bad/inner-member.json"
! "$out/tests/vectors" "$bad" >"$out/vectors-bad.txt" &&
	grep -q '^# 9 files, 47 cases, 9 failed$' "$out/vectors-bad.txt"
result 4 'what is wrong is found' $?
