/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PID 1 of a sandbox. It only waits: the engine starts it with SIGCHLD ignored, so that the kernel
 * reaps the orphans it adopts, and kills it when the worker has ended; its end is the end of all
 * that is in the namespace. A program of its own, so that no copy of the engine's memory stays.
 */
#include <asm/unistd.h>
	.globl _start
	.text
_start:
#if defined(__x86_64__)
	mov	$__NR_pause, %eax
	syscall
	jmp	_start
#elif defined(__aarch64__)
	mov	x0, #0
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #__NR_ppoll
	svc	#0
	b	_start
#else
#error "PID 1 has not been written for this processor"
#endif
	.section .note.GNU-stack, "", %progbits
