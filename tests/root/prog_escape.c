/* SPDX-License-Identifier: BSD-2-Clause */
/* Tries all ways out, or the one named, and exits with 1 when one led out. Knows nothing of joust. */
#include "escape.h"

int main(int argc, char **argv)
{
	return try_ways(argc > 1 ? argv[1] : NULL) != 0;
}
