/* SPDX-License-Identifier: BSD-2-Clause */
#include "userread.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

int joust_userread_map(struct joust_userread *u, int fd)
{
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return -errno;
	u->page = page;
	return 0;
}

void joust_userread_unmap(struct joust_userread *u)
{
	if (u->page)
		(void)munmap((void *)(uintptr_t)u->page, (size_t)sysconf(_SC_PAGESIZE));
	u->page = NULL;
}

#if defined(__x86_64__)

#define CAN_READ 1

static uint64_t read_counter(uint32_t index)
{
	uint32_t low, high;

	/* fixed counters have bit 30 set by the kernel */
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

#define CAN_READ 1

#define READ(reg)                                                                                  \
	({                                                                                         \
		uint64_t v_;                                                                       \
		__asm__ volatile("mrs %0, " reg : "=r"(v_));                                       \
		v_;                                                                                \
	})
#define COUNTER(n)                                                                                 \
	case n:                                                                                    \
		return READ("pmevcntr" #n "_el0")

/* The number of a register is part of the instruction. Index 32 is the cycle counter. */
static uint64_t read_counter(uint32_t index)
{
	switch (index - 1) {
		COUNTER(0);
		COUNTER(1);
		COUNTER(2);
		COUNTER(3);
		COUNTER(4);
		COUNTER(5);
		COUNTER(6);
		COUNTER(7);
		COUNTER(8);
		COUNTER(9);
		COUNTER(10);
		COUNTER(11);
		COUNTER(12);
		COUNTER(13);
		COUNTER(14);
		COUNTER(15);
		COUNTER(16);
		COUNTER(17);
		COUNTER(18);
		COUNTER(19);
		COUNTER(20);
		COUNTER(21);
		COUNTER(22);
		COUNTER(23);
		COUNTER(24);
		COUNTER(25);
		COUNTER(26);
		COUNTER(27);
		COUNTER(28);
		COUNTER(29);
		COUNTER(30);
	default:
		return READ("pmccntr_el0");
	}
}

#else

#define CAN_READ 0

static uint64_t read_counter(uint32_t index)
{
	return index;
}

#endif

static void barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* The counter is `width` bits wide and signed: the kernel counts up from a negative number. */
static int64_t sign_extended(uint64_t raw, uint16_t width)
{
	unsigned unused = width && width < 64 ? 64u - width : 0;

	return (int64_t)(raw << unused) >> unused;
}

int joust_userread(const struct joust_userread *u, uint64_t *ret_value, uint64_t *ret_enabled_ns,
		   uint64_t *ret_running_ns)
{
	const volatile struct perf_event_mmap_page *p = u->page;
	uint64_t value, enabled, running;
	uint32_t seq;

	if (!CAN_READ || !p)
		return -EAGAIN;
	do {
		uint32_t index;

		seq = p->lock;
		barrier();
		enabled = p->time_enabled;
		running = p->time_running;
		index = p->index;
		if (!p->cap_user_rdpmc || !index)
			return -EAGAIN;
		value = (uint64_t)p->offset +
			(uint64_t)sign_extended(read_counter(index), p->pmc_width);
		barrier();
	} while (p->lock != seq);
	*ret_value = value;
	*ret_enabled_ns = enabled;
	*ret_running_ns = running;
	return 0;
}
