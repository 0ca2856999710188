# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# seeds_of NAME DIR OUT: the seeds of fuzz_NAME, a file a line. Those that are no text are made in DIR,
# some of them of what the build has made in OUT. A target without any begins with its own source.

here=$(cd "$(dirname "$0")" && pwd) || exit 1

# frame FLAGS TYPE BYTES: what fuzz_frame makes a frame of; the type in octal
frame() {
	printf '%b\0\0\0\0\0\0%b\0' "\\0$1" "\\0$2"
	head -c 16 /dev/zero
	head -c "$3" /dev/zero | tr '\0' 'a'
	printf '\0'
}

make_frames() {
	frame 377 20 263 >"$1/case"
	frame 377 23 1143 >"$1/sample"
	frame 377 24 23 >"$1/done"
	frame 377 26 1023 >"$1/fail"
	frame 0 22 0 >"$1/ready"
}

seeds_of() {
	for dir in "$here/seeds/$1" "$here/../data/fuzz/$1"; do
		[ -d "$dir" ] || continue
		printf '%s\n' "$dir"/*
		return
	done
	mkdir -p "$2" || return
	case $1 in
	frame) make_frames "$2" ;;
	elf)
		cp "$3/joust-init" "$2/program" &&
			printf 'int f(void) { return 1; } int g(void) { return f(); }\n' |
			cc -c -o "$2/object" -x c - &&
			cc -shared -nostdlib -Wl,--build-id -o "$2/library" "$2/object"
		;;
	*) cp "$here/fuzz_$1.c" "$2" ;;
	esac && printf '%s\n' "$2"/*
}
