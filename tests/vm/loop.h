/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/* Loops whose number of instructions no compiler decides. Trips > 0. */
#include <stdint.h>
#include <sys/syscall.h>

#define LOOP_INSTRUCTIONS	  2 /* a trip of loop_spin */
#define LOOP_SYSCALL_INSTRUCTIONS 4 /* of user code, a trip of loop_syscalls */

static inline void loop_spin(uint64_t trips)
{
#if defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(trips)::"cc");
#elif defined(__x86_64__)
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(trips)::"cc");
#else
#error "no loop for this processor"
#endif
}

/* getppid as often, which runs far more instructions in the kernel than here. */
static inline void loop_syscalls(uint64_t trips)
{
#if defined(__aarch64__)
	register uint64_t nr __asm__("x8");
	register uint64_t ret __asm__("x0");

	__asm__ volatile("1: mov %1, %3\n\tsvc #0\n\tsubs %0, %0, #1\n\tb.ne 1b"
			 : "+r"(trips), "=&r"(nr), "=&r"(ret)
			 : "i"(SYS_getppid)
			 : "cc", "memory");
#elif defined(__x86_64__)
	__asm__ volatile("1: mov %1, %%eax\n\tsyscall\n\tdec %0\n\tjnz 1b"
			 : "+r"(trips)
			 : "i"(SYS_getppid)
			 : "rax", "rcx", "r11", "cc", "memory");
#endif
}
