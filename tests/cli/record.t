#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# shellcheck disable=SC2016 # the backquotes are Markdown's
# docs/record.md names every field that a record has, and none that it has not.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 4

page=$src/docs/record.md
# What is written: second words of json_X(j, "key", ...), and of the helpers in these files that take a key.
sed -n 's/.*\(json\|write\)_[a-z_]*(&*j, "\([a-z0-9_]*\)".*/\2/p' "$src"/report/json*.c | sort -u >"$tmp/written"
grep -o '`[a-z0-9_]*`' "$page" | tr -d '`' | sort -u >"$tmp/named"
ok "fields were found" [ "$(wc -l <"$tmp/written")" -gt 120 ]
is "$(comm -23 "$tmp/written" "$tmp/named" | tr '\n' ' ')" "" "all that is written is named"

# A real one, in case something is written another way: names that metrics and events bear are no fields.
bench_project "$tmp/record" 20000 20000
cd "$tmp/record" || exit 1
# shellcheck disable=SC2086
joust compare $fast --force
record '[.benchmarks[0].metrics | keys[]] | .[]' | sort -u >"$tmp/metrics"
record '[paths | map(select(type == "string"))[]] | unique[]' | sort -u | comm -23 - "$tmp/metrics" >"$tmp/there"
ok "a record was made" [ "$(wc -l <"$tmp/there")" -gt 120 ]
is "$(comm -23 "$tmp/there" "$tmp/named" | tr '\n' ' ')" "" "nor has a record another field"
