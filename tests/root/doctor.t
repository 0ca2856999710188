#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause

# shellcheck disable=SC2016 # the dollars in single quotes are of another shell
# `joust doctor` where something is missing on purpose, on this very kernel: what it says is true, and
# no two causes have one text. Guests of scripts/vm do the same where sysctls may be changed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root can become nobody"
plan 7

# row NAME: what doctor has just said of it, with its advice
row() {
	printf '%s\n' "$out" | grep -A 1 -E "^ +[a-z]+ +$1 " | tr '\n' ' '
}

joust doctor
with_all=$(row bpf)
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
	"$JOUST_BIN" doctor
if [ "$status" -ne 0 ]; then
	skip "nobody, bpf" "joust cannot run as nobody here: $err"
	skip "nobody, perf-paranoid" "as above"
	skip "nobody, perf-software" "as above"
else
	case $with_all in
	*"built without BPF"*) like "$(row bpf)" 'built without BPF.*NO_BPF' "nobody, no BPF in this tree" ;;
	*) like "$(row bpf)" 'missing.*may not load tracing programs.*setcap' "nobody may not trace" ;;
	esac
	level=$(cat /proc/sys/kernel/perf_event_paranoid)
	case $level in
	-* | 0 | 1) like "$(row perf-paranoid)" "ok .*$level" "nobody, level $level" ;;
	*) like "$(row perf-paranoid)" "$level: (user code may|nothing may).*paranoid=1" "nobody, level $level" ;;
	esac
	case $level in
	-* | 0 | 1) like "$(row perf-software)" 'ok ' "nobody may count switches" ;;
	*) like "$(row perf-software)" 'missing.*(what the kernel does|does not allow).*paranoid=1' \
		"nobody may not count switches" ;;
	esac
fi

run unshare --mount sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$1" doctor' sh "$JOUST_BIN"
if [ "$status" -ne 0 ]; then
	skip "no BTF, btf" "BTF cannot be hidden here: $err"
	skip "no BTF, bpf" "as above"
else
	like "$(row btf)" 'missing.*no /sys/kernel/btf/vmlinux.*DEBUG_INFO_BTF' "without BTF that is said"
	like "$(row bpf)" 'missing.*(does not describe its types|built without BPF)' "and that BPF needs it"
fi

# 0 to 2, one to open files with, and none for the second event of a group
run sh -c 'exec 3<&- && ulimit -n 4 && exec "$1" doctor' sh "$JOUST_BIN"
like "$(row perf-software)" 'missing.*too many files.*ulimit -n' "without descriptors that is said"
like "$(row seccomp)" 'ok .*notification' "and nothing else is called missing for it"
