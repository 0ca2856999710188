/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * The peak of memory around untimed sections, by files that the engine handed in: read where a section
 * begins, set back where it ends, so that what the section needed for itself is in no reading.
 */
#include <stdbool.h>
#include <stdint.h>
#include "../protocol.h"

#pragma GCC visibility push(hidden)

struct joust_peak {
	uint32_t kind; /* enum frame_peak_kind */
	int fd;	       /* where the peak is read; -1: none */
	int reset_fd;  /* where it is set back; may be `fd` */
	uint64_t most; /* of the readings so far, bytes; 0: none yet */
	bool failed;   /* one of them failed: nothing is known */
};

/* Descriptors that a frame with this kind brings. */
uint32_t joust_peak_fds(uint32_t kind);

/* `fds` become this module's. */
void joust_peak__take(struct joust_peak *p, uint32_t kind, const int *fds);

/* Every path once, before the first window. */
void joust_peak__rehearse(struct joust_peak *p);

/* An untimed section begins: what measured work has needed so far is read. */
void joust_peak__pause(struct joust_peak *p);
/* It ends: from here on the peak is measured work's again. */
void joust_peak__resume(struct joust_peak *p);

/* For DONE: bytes; 0: there was no section, or nobody asked; UINT64_MAX: it is not known. */
uint64_t joust_peak__most(const struct joust_peak *p);

#pragma GCC visibility pop
