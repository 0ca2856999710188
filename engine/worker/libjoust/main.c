/* SPDX-License-Identifier: BSD-2-Clause */
/* Alone in its object, so that the archive gives it only to programs without a main. */
#include "internal.h"

int main(int argc, char **argv)
{
	return joust_main(argc, argv);
}
