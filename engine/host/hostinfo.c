/* SPDX-License-Identifier: BSD-2-Clause */
#include "hostinfo.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>
#include "../../stats/fnv.h"
#include "cpulist.h"
#include "hostfacts.h"
#include "perf_probe.h"

/* Tells two hosts apart without naming them. */
static char *hash_of(const char *name)
{
	char *hex;

	return asprintf(&hex, "%016" PRIx64, fnv1a64(name)) < 0 ? NULL : hex;
}

static int describe_names(struct rec_host *h)
{
	struct utsname u;

	if (uname(&u))
		return -errno;
	h->kernel = strdup(u.release);
	h->hostname_hash = hash_of(u.nodename);
	return h->kernel && h->hostname_hash ? 0 : -ENOMEM;
}

static int describe_pmu(struct rec_host *h)
{
	enum reason why = perf_hw_available();

	h->pmu = why == REASON_NONE;
	if (h->pmu)
		return 0;
	h->pmu_missing = strdup(reason_get(why)->sentence);
	return h->pmu_missing ? 0 : -ENOMEM;
}

static void rec_host_free(struct rec_host *h)
{
	free(h->kernel);
	free(h->hostname_hash);
	free(h->cpu_model);
	free(h->pmu_missing);
}

int host_describe(struct rec_host *ret)
{
	struct rec_host h = {.cpu = -1}; /* chosen later, when it is known whether there is BPF */
	cpu_set_t online;
	int err = describe_names(&h);

	if (!err)
		err = describe_pmu(&h);
	if (err) {
		rec_host_free(&h);
		return err;
	}
	if (!cpulist_read("", "/sys/devices/system/cpu/online", &online))
		h.cpus = CPU_COUNT(&online);
	if (h.cpus == 0)
		h.cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	h.cpu_model = hostfacts_cpu_model("");
	h.virtual_machine = hostfacts_virtual("");
	*ret = h;
	return 0;
}

void host_describe_cpu(struct rec_host *h, const char *root, int cpu)
{
	h->cpu = cpu;
	free(h->governor);
	h->governor = hostfacts_governor(root, cpu);
}
