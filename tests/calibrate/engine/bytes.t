#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The record of a simulated run is the same bytes in another locale, time zone and directory, with
# others beside it, and on a processor without fused multiply-add.
set -u
program=$JOUST_OUT/tests/joust-calibrate-engine
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo 1..7
cnt=0

says() { # STATUS NAME
	cnt=$((cnt + 1))
	if [ "$1" -eq 0 ]; then echo "ok $cnt - $2"; else echo "not ok $cnt - $2"; fi
}

skips() { # NAME WHY
	cnt=$((cnt + 1))
	echo "ok $cnt # SKIP $1: $2"
}

same() { # NAME FILE
	cmp -s "$work/plain" "$2"
	says $? "$1"
}

"$program" --record --seed 7 >"$work/plain" && [ -s "$work/plain" ]
says $? "a record is written"
"$program" --record --seed 8 >"$work/other"
! cmp -s "$work/plain" "$work/other"
says $? "another seed gives another record"

LC_ALL=${JOUST_COMMA_LOCALE:-de_DE.UTF-8} LANG=de_DE.UTF-8 TZ=Asia/Kathmandu \
	"$program" --record --seed 7 >"$work/locale"
same "another locale and time zone" "$work/locale"
(cd / && exec "$program" --record --seed 7) >"$work/directory"
same "another directory" "$work/directory"

beside=0
for i in 1 2 3 4 5 6 7 8; do
	"$program" --record --seed 7 >"$work/beside.$i" &
done
wait
for i in 1 2 3 4 5 6 7 8; do
	cmp -s "$work/plain" "$work/beside.$i" || beside=1
done
says $beside "eight at the same time"

GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable \
	"$program" --record --seed 7 >"$work/tunables"
same "a C library without fused multiply-add" "$work/tunables"

if ! command -v qemu-x86_64 >/dev/null; then
	skips "a processor without it" "qemu-x86_64 is not installed"
elif [ "$(uname -m)" != x86_64 ]; then
	skips "a processor without it" "this is no x86-64"
else
	qemu-x86_64 -cpu Nehalem "$program" --record --seed 7 >"$work/nehalem"
	same "a processor without it" "$work/nehalem"
fi
