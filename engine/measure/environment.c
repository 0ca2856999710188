/* SPDX-License-Identifier: BSD-2-Clause */
#include "target.h"
#include <errno.h>
#include <string.h>
#include "../worker/protocol.h"
#include "schedule.h"

#define PADDING "JOUST_PADDING="

/* What every worker and command finds in its environment; nothing of the user's leaks in. */
static const char *const fixed[] = {
	"PATH=/usr/local/bin:/usr/bin:/bin",
	"HOME=/dev/null", /* no settings of the user, and not even root can make some there */
	"LANG=C.UTF-8",
	"LC_ALL=C.UTF-8",
	"TZ=UTC",
	"TMPDIR=/tmp",
};

static int add_named(char **items, size_t *cnt, const char *name)
{
	const char *value = getenv(name);

	if (!value)
		return 0;
	if (asprintf(&items[*cnt], "%s=%s", name, value) < 0)
		return -ENOMEM;
	(*cnt)++;
	return 0;
}

int target_environment(const struct config *config, bool worker, struct words *ret)
{
	size_t fixed_cnt = sizeof(fixed) / sizeof(fixed[0]), named = config->sandbox_env.cnt;
	AUTO_FREE char **items = calloc(fixed_cnt + named + 1, sizeof(*items));
	size_t cnt = 0;
	int err = items ? 0 : -ENOMEM;

	for (size_t i = 0; i < named && !err; i++)
		err = add_named(items, &cnt, config->sandbox_env.items[i]);
	named = cnt;
	for (size_t i = 0; i < fixed_cnt && !err; i++)
		items[cnt++] = (char *)fixed[i];
	if (worker && !err)
		items[cnt++] = (char *)PROTOCOL_FD_ENV "=3";
	if (!err)
		err = words__copy(ret, items, cnt);
	for (size_t i = 0; items && i < named; i++)
		free(items[i]);
	return err;
}

int environment_add_padding(struct words *env)
{
	char **grown = reallocarray(env->items, env->cnt + 2, sizeof(*grown));
	char *item;

	if (!grown)
		return -ENOMEM;
	env->items = grown;
	item = calloc(strlen(PADDING) + (size_t)ENVIRONMENT_STEP * ENVIRONMENT_STEPS + 1, 1);
	if (!item)
		return -ENOMEM;
	strcpy(item, PADDING);
	grown[env->cnt++] = item;
	grown[env->cnt] = NULL;
	return 0;
}

size_t environment_resize(struct words *env, size_t bytes)
{
	char *padding = env->items[env->cnt - 1] + strlen(PADDING);
	size_t total = 0;

	memset(padding, 'x', bytes);
	padding[bytes] = '\0';
	for (size_t i = 0; i < env->cnt; i++)
		total += strlen(env->items[i]) + 1;
	return total;
}
