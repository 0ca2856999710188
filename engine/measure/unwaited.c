/* SPDX-License-Identifier: BSD-2-Clause */
#include "unwaited.h"
#include <math.h>

/*
 * All numbers are sums of one clock: without such processes they differ by 2 us, of rounding, also
 * after hundreds of children on a busy machine. What a child does after its parent has counted it (its
 * last switch) is left to this, too, and what the kernel does for the group.
 */
#define ROUNDING_NS 100000.0
#define KNOWN_SHARE 0.01
/*
 * What a thread uses after its time was added to its process's (release_task, the last schedule): 4 to 7
 * us in the median and up to 43 us of programs of 2 to 60 threads on a busy machine. Of many threads it
 * is their mean that counts, and their sum strays by the root of their number: a wider allowance for each
 * would hide the work of a process behind hundreds of them.
 */
#define ENDING_NS	 10000.0
#define ENDING_STRAYS_NS 50000.0

bool unwaited_is_work(double more_ns, double known_ns, uint64_t ended_cnt)
{
	double ends_ns = (double)ended_cnt * ENDING_NS + sqrt((double)ended_cnt) * ENDING_STRAYS_NS;

	return more_ns > fmax(ROUNDING_NS, known_ns * KNOWN_SHARE) + ends_ns;
}
