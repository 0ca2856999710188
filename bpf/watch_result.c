/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch.h"

#define INSTALL "install joust built with clang, bpftool and libbpf (without NO_BPF=1)"

static const struct {
	const char *sentence, *remedy;
} results[WATCH_RESULTS] = {
	[WATCH_ATTACHED] = {"interference is recorded by BPF", ""},
	[WATCH_NOT_BUILT] = {"this joust was built without BPF", INSTALL},
	[WATCH_NO_KERNEL] =
		{"the kernel has no bpf() system call, or a filter keeps it away",
		 "run a kernel with CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS, outside a "
		 "container that filters bpf()"},
	[WATCH_NO_BTF] = {"the kernel does not describe its types (no /sys/kernel/btf/vmlinux)",
			  "run a kernel with CONFIG_DEBUG_INFO_BTF=y, with /sys mounted"},
	[WATCH_NO_CAPABILITY] = {"this user may not load tracing programs",
				 "run as root, or: sudo setcap cap_bpf,cap_perfmon+ep "
				 "\"$(command -v joust)\""},
	[WATCH_NO_TRACEPOINT] = {"the kernel has no tracepoints of the scheduler",
				 "run a kernel with CONFIG_TRACEPOINTS and CONFIG_BPF_EVENTS"},
	[WATCH_REJECTED] = {"the kernel's verifier refuses the programs",
			    "run a kernel from 6.1 on, and report this one's version"},
	[WATCH_NO_MEMORY] = {"there is not enough memory for the maps",
			     "raise the memory limit of this process's cgroup"},
	[WATCH_FAILED] = {"the programs could not be attached", "report this kernel's version"},
};

const char *watch_result_str(enum watch_result why)
{
	return (unsigned)why < WATCH_RESULTS ? results[why].sentence : "an unknown reason";
}

const char *watch_result_remedy(enum watch_result why)
{
	return (unsigned)why < WATCH_RESULTS ? results[why].remedy : "";
}
