#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make install`, and programs that build against what it installs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
plan 21

dest=$tmp/dest

# in_git: whether the sources are in a repository, and what git says about them
in_git() {
	git -C "$src" rev-parse --is-inside-work-tree >/dev/null 2>&1
}
sources() {
	git -C "$src" status --porcelain --untracked-files=all
}

in_git && sources >"$tmp/before"
run make -C "$src" OUT="$JOUST_OUT" DESTDIR="$dest" PREFIX=/usr install
is "$status" 0 "make install"
is "$(cd "$dest" && find . ! -type d | LC_ALL=C sort)" "./usr/bin/joust
./usr/include/joust.h
./usr/lib/libjoust.a
./usr/lib/libjoust.so
./usr/lib/libjoust.so.0
./usr/lib/pkgconfig/joust.pc" "installs the program, the library and what a build needs"
run "$dest/usr/bin/joust" --version
is "$status $out" "0 $("$JOUST_BIN" --version)" "the program runs"
is "$(grep -c "$tmp\|$JOUST_OUT" "$dest/usr/lib/pkgconfig/joust.pc")" 0 "joust.pc knows nothing of the build"
like "$(cat "$dest/usr/lib/pkgconfig/joust.pc")" '^prefix=/usr$' "but its prefix"
is "$("$JOUST_BIN" --version)" "joust $(sed -n 's/^Version: //p' "$dest/usr/lib/pkgconfig/joust.pc")" \
	"and the version"
if command -v readelf >/dev/null; then
	like "$(readelf -d "$dest/usr/lib/libjoust.so")" 'SONAME.*\[libjoust\.so\.0\]' "the library has its soname"
else
	skip "the library has its soname" "no readelf"
fi
run make -C "$src" OUT="$JOUST_OUT" DESTDIR="$tmp/other" PREFIX=/opt/joust install
is "$(sed -n 's/^prefix=//p' "$tmp/other/opt/joust/lib/pkgconfig/joust.pc")" /opt/joust "another prefix"

# installed_by UID [DESTDIR]: what is said, with a stand-in for ldconfig
mkdir "$tmp/bin"
cat >"$tmp/bin/ldconfig" <<-'END'
	#!/bin/sh
	echo ldconfig ran
END
installed_by() {
	printf '#!/bin/sh\necho %s\n' "$1" >"$tmp/bin/id"
	chmod +x "$tmp/bin/id" "$tmp/bin/ldconfig"
	run env PATH="$tmp/bin:$PATH" make -C "$src" OUT="$JOUST_OUT" DESTDIR="${2-}" PREFIX="$tmp/own" install
}
installed_by 0
like "$status $out" 'ldconfig ran' "root: the loader learns of the library"
installed_by 1000
like "$out" 'run ldconfig as root' "a user is told how"
installed_by 0 "$tmp/package"
unlike "$out" 'ldconfig' "a package is left to who installs it"
if in_git; then
	is "$(sources)" "$(cat "$tmp/before")" "git sees nothing that a build has made"
	is "$(git -C "$src" ls-files --others | grep -E '\.(o|d|a|so|pc|gch)$' | grep -v '^\.output/')" "" \
		"products lie under .output/ alone"
else
	skip "git sees nothing that a build has made" "no git repository"
	skip "products lie under .output/ alone" "no git repository"
fi

# --- programs
cd "$tmp" || exit 1
write_worker bench.c 2000
if command -v pkg-config >/dev/null; then
	PKG_CONFIG_PATH=$dest/usr/lib/pkgconfig
	PKG_CONFIG_SYSROOT_DIR=$dest
	PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
	PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
	run pkg-config --cflags --libs joust
	is "$status" 0 "pkg-config knows joust"
	# shellcheck disable=SC2086
	run cc -O2 bench.c $out -o shared
	is "$status" 0 "a program links with the shared library"
	cp "$dest/usr/lib/libjoust.a" .
	# shellcheck disable=SC2046
	run cc -O2 bench.c $(pkg-config --cflags joust) -L. -Wl,-Bstatic -ljoust -Wl,-Bdynamic \
		$(pkg-config --static --libs-only-l joust | sed 's/-ljoust//') -o static
	is "$status" 0 "and with the archive"
else
	skip "pkg-config knows joust" "no pkg-config"
	run cc -O2 bench.c -I"$dest/usr/include" -L"$dest/usr/lib" -ljoust -o shared
	is "$status" 0 "a program links with the shared library"
	run cc -O2 bench.c -I"$dest/usr/include" "$dest/usr/lib/libjoust.a" -lm -lpthread -o static
	is "$status" 0 "and with the archive"
fi
run ./static --list
is "$status $out" "0 work" "the static one needs no library"
run env LD_LIBRARY_PATH="$dest/usr/lib" ./shared --list
is "$status $out" "0 work" "the shared one finds its library"
run env LD_LIBRARY_PATH= ./shared --list
is "$status" 127 "which it needs"
# shellcheck disable=SC2086
run "$dest/usr/bin/joust" compare $fast --base ./static --candidate ./static
is "$status" 0 "the installed joust compares it"
is "$(jq -r '.benchmarks[0] | .name, .verdict' "$XDG_STATE_HOME"/joust/*/last.json | tr '\n' ' ')" "work same " \
	"by its benchmarks"
