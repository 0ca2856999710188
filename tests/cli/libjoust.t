#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What an author of benchmarks meets: the header under both languages and compilers, the libraries,
# and the program as started by hand.
set -u

include=$(cd "$(dirname "$0")/../../engine/worker" && pwd)
lib=$JOUST_OUT
worker=$JOUST_OUT/tests/cli/prog_worker
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset JOUST_WORKER_FD
count=0

ok() { # STATUS NAME
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		awk '{ print "# " $0 }' "$tmp/log" # ends in a newline, whatever the log does
	fi
}
skip() { # NAME WHY
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}
try() { # NAME COMMAND...
	try_name=$1
	shift
	"$@" >"$tmp/log" 2>&1
	ok $? "$try_name"
}
# EXPECTED-STATUS NAME COMMAND...: status, with stdout and stderr left in $tmp/out and $tmp/log
status_is() {
	want=$1 status_name=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/log"
	got=$?
	[ "$got" -eq "$want" ] || echo "exit status $got, not $want" >>"$tmp/log"
	[ "$got" -eq "$want" ]
	ok $? "$status_name"
}
says() { # NAME FILE TEXT
	grep -qF -- "$3" "$2"
	ok $? "$1"
}
same() { # NAME FILE: against stdin
	diff - "$2" >"$tmp/log" 2>&1
	ok $? "$1"
}

echo 1..52

cat >"$tmp/one.c" <<'END'
#include "joust.h"
struct pair { int a, b; };
struct big { char bytes[300]; };
union number { int i; double d; };
enum colour { RED, GREEN };
int array[3];
JOUST_BENCH(kept, "kept: every type")
{
	const struct pair pair = {1, 2};
	static struct big big;
	union number number = {3};
	volatile short vol = 4;
	_Bool truth = 1;
	JOUST_LOOP_INDEX(b, i) {
		joust_keep(i);
		joust_keep((char)i);
		joust_keep(truth);
		joust_keep(GREEN);
		joust_keep((enum colour)RED);
		joust_keep(vol);
		joust_keep(1.5f);
		joust_keep(2.5);
		joust_keep(2.5L);
		joust_keep(array);
		joust_keep(&array);
		joust_keep("literal");
		joust_keep((void *)0);
		joust_keep(joust_main);
		joust_keep(pair);
		joust_keep(number);
		joust_keep(big);
		joust_keep_at(&big);
		joust_clobber();
		if (i == 3)
			continue;
		JOUST_UNTIMED(b)
			array[0]++;
	}
}
JOUST_BENCH_PARAMS(with_params, "with", JOUST_PARAM("doc", "small", "large"))
{
	const char *doc = joust_param(b, "doc");

	JOUST_LOOP(b)
		joust_keep(doc);
}
JOUST_BENCH_THREADS(threaded, "threaded", 2)
{
	JOUST_LOOP(b)
		joust_clobber();
}
END
cat >"$tmp/two.c" <<'END'
#include "joust.h"
JOUST_BENCH(kept, "the same identifier in another file")
{
	JOUST_LOOP(b)
		joust_clobber();
}
END
cat >"$tmp/one.cc" <<'END'
#include "joust.h"
#include <memory>
#include <string>
#include <vector>
namespace {
enum class colour { red };
struct pair { int a, b; };
struct pinned {
	int value = 1;
	pinned() = default;
	pinned(const pinned &) = delete;
};
}
JOUST_BENCH(strings, "strings: C++")
{
	std::string text("a text that is too long for the small buffer of a string");
	const pinned fixed;
	int array[3] = {1, 2, 3};

	JOUST_LOOP_INDEX(b, i) {
		joust_keep(text);
		joust_keep(text + "x");
		joust_keep(std::make_unique<int>(1));
		joust_keep(std::vector<int>{1, 2});
		joust_keep(fixed);
		joust_keep(array);
		joust_keep(colour::red);
		joust_keep(pair{1, 2});
		joust_keep(&pair::a);
		joust_keep(nullptr);
		joust_keep(true);
		joust_keep(i);
		joust_keep(1.5f);
		joust_keep(1.5);
		joust_keep(1.5L);
		joust_keep("literal");
		joust_keep_at(&text);
		JOUST_UNTIMED(b) {
			text += 'x';
		}
	}
	joust_digest(b, "x", 1);
}
JOUST_BENCH_PARAMS(cxx_params, "params: C++", JOUST_PARAM("n", "1", "2"), JOUST_PARAM("m", "3"))
{
	long n = joust_param_long(b, "n");

	JOUST_LOOP(b)
		joust_keep(n);
}
END
echo '#include "joust.h"' >"$tmp/only.c"
cp "$tmp/only.c" "$tmp/only.cc"

set -- -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Werror # for every compiler below
for cc in gcc clang; do
	case $cc in gcc) cxx=g++ ;; *) cxx=clang++ ;; esac
	if command -v $cc >"$tmp/log" 2>&1; then
		try "$cc: the header alone is C11" \
			$cc -std=c11 "$@" -I"$include" -c "$tmp/only.c" -o "$tmp/only.o"
		try "$cc: every kind of value is kept, without optimization" $cc -std=c11 -O0 "$@" \
			-I"$include" -c "$tmp/one.c" -o "$tmp/one.o"
		try "$cc: two files in one program" $cc -std=c11 -O2 "$@" -Wstrict-prototypes \
			-Wmissing-prototypes -I"$include" "$tmp/one.c" "$tmp/two.c" \
			-o "$tmp/c.$cc" -L"$lib" -l:libjoust.a -lm -lpthread
		try "$cc: that program passes its test" "$tmp/c.$cc" --test
	else
		for name in "the header alone is C11" "every kind of value" "two files" "test"; do
			skip "$cc: $name" "no $cc"
		done
	fi
	if command -v $cxx >"$tmp/log" 2>&1; then
		try "$cxx: the header alone is C++17" \
			$cxx -std=c++17 "$@" -I"$include" -c "$tmp/only.cc" -o "$tmp/only.o"
		try "$cxx: class types, without optimization" $cxx -std=c++17 -O0 "$@" \
			-Wold-style-cast -I"$include" -c "$tmp/one.cc" -o "$tmp/one.o"
		try "$cxx: a program with strings" $cxx -std=c++17 -O2 "$@" -Wold-style-cast \
			-I"$include" "$tmp/one.cc" -o "$tmp/cxx.$cxx" -L"$lib" -l:libjoust.a \
			-lm -lpthread
		try "$cxx: that program passes its test" "$tmp/cxx.$cxx" --test
	else
		for name in "the header alone is C++17" "class types" "a program" "test"; do
			skip "$cxx: $name" "no $cxx"
		done
	fi
done

# The code between two slices of a loop over an int and over a double. No value lives across a call,
# so any store in these functions would be a spill of joust_keep.
cat >"$tmp/loop.c" <<'END'
#include "joust.h"
void loop_int(struct joust *b);
void loop_double(struct joust *b);
void loop_int(struct joust *b)
{
	JOUST_LOOP_INDEX(b, i)
		joust_keep((int)i * 7);
}
void loop_double(struct joust *b)
{
	JOUST_LOOP_INDEX(b, i)
		joust_keep((double)(int)i * 0.5);
}
END
cp "$tmp/loop.c" "$tmp/loop.cc"
sed -i 's/^void loop_.*;$/extern "C" &/' "$tmp/loop.cc"
for cc in gcc clang g++ clang++; do
	case $cc in *++) source=loop.cc std=c++17 ;; *) source=loop.c std=c11 ;; esac
	for f in loop_int loop_double; do
		name="$cc: joust_keep stores nothing in $f and calls nothing"
		if [ "$(uname -m)" != x86_64 ]; then
			skip "$name" "the patterns are of x86-64"
		elif ! command -v objdump >"$tmp/log" 2>&1; then
			skip "$name" "no objdump"
		elif ! command -v $cc >"$tmp/log" 2>&1; then
			skip "$name" "no $cc"
		else
			$cc -std=$std -O2 -I"$include" -c "$tmp/$source" -o "$tmp/loop.o"
			objdump -d --no-show-raw-insn "$tmp/loop.o" |
				sed -n "/<$f>:/,/^\$/p" >"$tmp/log"
			# the last operand of AT&T syntax is the destination
			! grep -Ev 'nop|lea|cmp|test' "$tmp/log" |
				grep -E '^ .*, *-?(0x[0-9a-f]+)?\(%' &&
				[ "$(grep -c call "$tmp/log")" -eq 2 ] &&
				grep -q "<$f>:" "$tmp/log"
			ok $? "$name"
		fi
	done
done

# Shared library, own main, section garbage collection
try "a program links libjoust.so, which has a main" gcc -std=c11 -O2 -I"$include" "$tmp/two.c" \
	-o "$tmp/shared" -L"$lib" -ljoust
LD_LIBRARY_PATH=$lib try "it passes its test" "$tmp/shared" --test
nm -D --defined-only "$lib/libjoust.so" | awk '{print $3}' | grep -vE '^(joust_.*|main)$' >"$tmp/log"
[ ! -s "$tmp/log" ]
ok $? "libjoust.so exports nothing but joust_ and main"

cat >"$tmp/main.c" <<'END'
#include "joust.h"
#include <stdio.h>
JOUST_BENCH(mine, "mine")
{
	JOUST_LOOP(b)
		joust_clobber();
}
int main(int argc, char **argv)
{
	puts("main of my own");
	return joust_main(argc, argv);
}
END
try "a program with a main keeps it" gcc -std=c11 -I"$include" "$tmp/main.c" -o "$tmp/main" \
	-L"$lib" -l:libjoust.a -lm -lpthread
"$tmp/main" --list >"$tmp/out"
same "and calls joust_main" "$tmp/out" <<'END'
main of my own
mine
END

version=$(sed -n 's/^#define PROTOCOL_VERSION *\([0-9]\)$/\1/p' "$include/protocol.h")
note() {
	readelf -n "$1" | tr -d '\n' >"$tmp/log"
	grep -q "\.note\.joust.*joust.*0x00000004.*0$version 00 00 00" "$tmp/log"
}
for linker in bfd lld; do
	name="$linker: the note and the benchmarks survive --gc-sections and strip"
	if [ $linker = lld ] && ! command -v ld.lld >"$tmp/log" 2>&1; then
		skip "$name" "no ld.lld"
		continue
	fi
	gcc -std=c11 -O2 -ffunction-sections -fdata-sections -I"$include" "$tmp/one.c" "$tmp/two.c" \
		-o "$tmp/gc" -fuse-ld=$linker -Wl,--gc-sections -L"$lib" -l:libjoust.a -lm -lpthread &&
		strip "$tmp/gc" && note "$tmp/gc" && [ "$("$tmp/gc" --list | wc -l)" -eq 5 ]
	ok $? "$name"
done
! note "$lib/libjoust.so"
ok $? "the library itself does not look like a worker program"

# By hand
status_is 0 "--list succeeds" "$worker" --list --filter '^(params|plain|skips)'
same "--list prints the names in order" "$tmp/out" <<'END'
plain
skips
params/doc=small/indent=0
params/doc=small/indent=2
params/doc=large/indent=0
params/doc=large/indent=2
END
status_is 1 "--test fails when a benchmark does" "$worker" --test
same "--test says what happened to each" "$tmp/out" <<'END'
ok plain
ok digest: of abc
ok untimed: 20 ms
ok timed: 20 ms
skip skips: not on this machine
FAIL fails: no file large.json
FAIL fails: after the loop: the result is wrong
FAIL no loop: no JOUST_LOOP
FAIL breaks: break out of JOUST_LOOP
FAIL returns: return or goto out of JOUST_LOOP
FAIL two loops: more than one JOUST_LOOP in a body
ok continues
FAIL crashes: killed by signal 6 (Aborted)
ok params/doc=small/indent=0
ok params/doc=small/indent=2
ok params/doc=large/indent=0
ok params/doc=large/indent=2
FAIL no number/indent=2x: parameter "indent" is "2x", not a number
ok environment
ok threads: 2
ok threads: born and dead
ok threads: undeclared
ok children: waited for
ok faults: 997
ok sleeps: 13
END
status_is 0 "--test of what works succeeds" "$worker" --test --filter '^(plain|skips)$'
status_is 0 "measuring succeeds" "$worker" --filter '^(plain|skips)$'
grep -qE '^plain +[0-9.]+ [num]?s +[0-9.]+ [num]?s +[0-9.]+ [num]?s +[0-9]+$' "$tmp/out"
ok $? "a measurement is a row of three times and n"
says "a skip is a row with its reason" "$tmp/out" "skipped: not on this machine"
status_is 1 "measuring fails when a benchmark does" "$worker" --filter '^fails$'
status_is 0 "--help succeeds" "$worker" --help
says "--help names every option" "$tmp/out" "--filter REGEX"
status_is 64 "an unknown option is a usage error" "$worker" --lst
says "which names the nearest one" "$tmp/log" "did you mean --list?"
status_is 64 "a broken regular expression is a usage error" "$worker" --filter '('
status_is 64 "a filter that matches nothing is a usage error" "$worker" --list --filter zzz
status_is 64 "a descriptor that is no socket is refused" env JOUST_WORKER_FD=0 "$worker" --list </dev/null
"$worker" --list >/dev/full 2>"$tmp/log"
[ $? -ne 0 ]
ok $? "a list that cannot be written is not a success"

# Names that are refused, whatever is asked
sed 's/kept, "[^"]*"/kept, "threaded"/' "$tmp/two.c" >"$tmp/twice.c"
gcc -std=c11 -I"$include" "$tmp/one.c" "$tmp/twice.c" -o "$tmp/twice" -L"$lib" -l:libjoust.a
for how in --list --test; do
	status_is 64 "two benchmarks of one name: $how" "$tmp/twice" $how
done
says "says which" "$tmp/log" 'two benchmarks are named "threaded"'
