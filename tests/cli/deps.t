#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# scripts/deps with stand-ins for dpkg-query, apt-get, sudo and id: what it says, runs and returns.
set -u

top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tests=0

ok() {
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' "$tests" "$2"
	else
		printf 'not ok %d - %s\n' "$tests" "$2"
		sed 's/^/# /' "$work/stdout" "$work/stderr" "$work/log" 2>/dev/null
	fi
}

stand_in() {
	cat >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# A machine: fresh [USER ID] [VERSION OF LIBGIT2]; packages in $work/installed are there.
fresh() {
	rm -rf "${work:?}/bin" "$work/installed" "$work/log"
	mkdir "$work/bin"
	: >"$work/installed"
	: >"$work/log"
	for tool in sh env dirname; do
		ln -s "$(command -v "$tool")" "$work/bin/$tool"
	done
	printf '#!/bin/sh\necho %s\n' "$1" | stand_in id
	stand_in dpkg-query <<END
#!/bin/sh
for package; do
	case \$package in -*|'\$'*) continue ;; esac
	version=1
	[ "\$package" != libgit2-dev ] || version='$2'
	while read -r name; do
		[ "\$name" != "\$package" ] || printf '%s installed %s\n' "\$name" "\$version"
	done <'$work/installed'
done
exit 1
END
	stand_in dpkg <<'END'
#!/bin/sh
[ "$1 $3" = '--compare-versions ge' ] && [ "$2" = newer ]
END
	stand_in apt-get <<END
#!/bin/sh
echo "apt-get \$*" >>'$work/log'
for word; do
	case \$word in install) mode=install; continue ;; update) exit 0 ;; -*|DPkg*) continue ;; esac
	[ "\${mode-}" != install ] || echo "\$word" >>'$work/installed'
done
END
	printf '#!/bin/sh\nexit 1\n' | stand_in sudo
}

all_installed() {
	for package in make gcc g++ libc6-dev libgit2-dev libelf-dev libcjson-dev libseccomp-dev libcmocka-dev git perl \
		libbpf-dev bpftool pkgconf clang lld clang-format cppcheck shellcheck strace jq binutils locales; do
		printf '%s\n' "$package"
	done >"$work/installed"
}

run() {
	PATH=$work/bin "$top/scripts/deps" "$@" >"$work/stdout" 2>"$work/stderr"
	status=$?
}

silent() {
	[ ! -s "$work/stdout" ] && [ ! -s "$work/stderr" ] && [ ! -s "$work/log" ]
}

said() {
	grep -q -- "$1" "$work/stderr"
}

good='1.5.1+ds-1+deb12u2'

fresh 0 "$good"
all_installed
run
[ "$status" = 0 ] && silent
ok $? 'silent, and apt is not asked, when all is there'

fresh 0 newer
all_installed
run
[ "$status" = 0 ] && silent
ok $? 'a newer libgit2 is as good'

fresh 0 '1.5.1+ds-1+deb12u1'
all_installed
run
[ "$status" = 0 ] && said 'CVE-2026-53584'
ok $? 'an older libgit2 is warned about by its CVEs'

fresh 0 "$good"
all_installed
sed -i '/cmocka\|jq/d' "$work/installed"
run
[ "$status" = 0 ] && [ "$(grep -c '^apt-get .*update$' "$work/log")" = 1 ] &&
	grep -q 'install --no-install-recommends jq libcmocka-dev$' "$work/log"
ok $? 'root: installs only what is missing, after one update'

fresh 0 "$good"
run
[ "$status" = 0 ] && grep -q ' make gcc .* locales$' "$work/log"
ok $? 'root: installs everything where nothing is there'

fresh 0 "$good"
printf '#!/bin/sh\necho "$*" >>%s/log\nexit 100\n' "$work" | stand_in apt-get
run
[ "$status" = 1 ] && [ "$(grep -c ' install ' "$work/log")" = 2 ] && said 'could not install'
ok $? 'apt fails: tried once more, then exit status 1'

fresh 0 "$good"
printf '#!/bin/sh\nexit 0\n' | stand_in apt-get
run
[ "$status" = 1 ] && said 'still missing: make'
ok $? 'apt says yes and installs nothing: exit status 1'

fresh 1000 "$good"
all_installed
sed -i '/^strace$/d' "$work/installed"
run
[ "$status" = 1 ] && [ ! -s "$work/log" ] && [ "$(cat "$work/stdout")" = \
	'sudo apt-get update && sudo apt-get install -y --no-install-recommends strace' ]
ok $? 'a user without sudo gets the one command'

fresh 1000 "$good"
stand_in sudo <<'END'
#!/bin/sh
[ "$1" = -n ] && shift && "$@"
END
ln -s "$(command -v true)" "$work/bin/true"
run
[ "$status" = 0 ] && grep -q 'install --no-install-recommends make' "$work/log"
ok $? 'a user with sudo installs'

fresh 0 "$good"
rm "$work/bin/dpkg-query"
run
[ "$status" = 3 ] && said 'make, gcc' && said '<git2.h>' && said 'libgit2'
ok $? 'not a Debian: exit status 3 and what to look for'

fresh 0 "$good"
rm "$work/bin/dpkg-query"
for tool in make g++ git prove pkg-config clang ld.lld bpftool clang-format cppcheck shellcheck strace jq readelf localedef gcc; do
	printf '#!/bin/sh\n' | stand_in "$tool"
done
run
[ "$status" = 0 ] && silent
ok $? 'not a Debian, but all is there: silent'

fresh 0 "$good"
all_installed
run vm
[ "$status" = 0 ] && [ "$(grep -c '^apt-get .*update$' "$work/log")" = 1 ] && grep -q \
	'install --no-install-recommends qemu-system-x86 .* libc6-dev-arm64-cross$' "$work/log"
ok $? 'vm: installs what the guests need, and only that'

run vm
[ "$status" = 0 ] && [ "$(grep -c ' install ' "$work/log")" = 1 ]
ok $? 'vm: nothing twice'

fresh 0 "$good"
rm "$work/bin/dpkg-query"
run vm
[ "$status" = 3 ] && said 'qemu-system-x86_64 is missing: tests in guests are skipped'
ok $? 'vm, not a Debian: exit status 3 and what is missing'

# installs LIST: the packages, sorted
installs() {
	fresh 0 "$good"
	run "$1"
	sort "$work/installed" | tr '\n' ' '
}
build=$(installs build)
[ "$build" = 'bpftool clang gcc libbpf-dev libc6-dev libcjson-dev libelf-dev libgit2-dev libseccomp-dev make pkgconf ' ]
ok $? 'build: what a build needs, and no tool of a developer'
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $build git jq lld | sort >"$work/want"
installs demo | tr ' ' '\n' | sed '/^$/d' | cmp -s - "$work/want"
ok $? 'demo: that, and what the demonstration calls'
[ "$(installs test)" = "$(fresh 0 "$good" && run && sort "$work/installed" | tr '\n' ' ')" ] && said 'installing.* cppcheck'
ok $? 'test: everything, as without a word'

fresh 0 "$good"
rm "$work/bin/dpkg-query"
run build
[ "$status" = 3 ] && said '<git2.h>' && ! said 'cmocka' && ! said 'shellcheck'
ok $? 'build, not a Debian: exit status 3 and nothing of the tests'

run v
[ "$status" = 64 ] && said 'usage'
ok $? 'another word: exit status 64'

printf '1..%d\n' "$tests"
