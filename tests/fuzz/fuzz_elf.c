/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer: any bytes as a program end in an answer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "engine/project/elf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64], id[41] = "", *interpreter = NULL;
	uint64_t hash;
	size_t cnt;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	(void)elf_is_worker(path);
	if (!elf_build_id(path, id) && strspn(id, "0123456789abcdef") != strlen(id))
		abort();
	if (elf_function_order(path, &hash, &cnt) == 0 && cnt > size)
		abort();
	if (!elf_interpreter(path, &interpreter) && strlen(interpreter) > size)
		abort();
	free(interpreter);
	(void)close(fd);
	return 0;
}
