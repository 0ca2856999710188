/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the host say of namespaces, seccomp and Landlock is one thing; which layers hold
 * is known only by entering them, as every run does at its start.
 */
#include <errno.h>
#include <string.h>
#include "doctor_rows.h"
#include "sandbox.h"

/* "user, root, pid": owned, or NULL without memory, as is the next one. */
static char *engaged(const struct sandbox *s)
{
	const char *before = "";
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (int l = 0; f && l < LAYER_CNT; l++) {
		if (!sandbox_has(s, (enum sandbox_layer)l))
			continue;
		fprintf(f, "%s%s", before, sandbox_layer_name((enum sandbox_layer)l));
		before = ", ";
	}
	if (f && !fclose(f))
		return text;
	free(text);
	return NULL;
}

static char *missing(const struct sandbox *s, const char **ret_remedy)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	*ret_remedy = f ? sandbox_list_missing(s, f) : NULL;
	if (f && !fclose(f))
		return text;
	free(text);
	return NULL;
}

static int tell(const struct sandbox *s, struct doctor_row *row)
{
	const char *remedy;
	AUTO_FREE char *there = engaged(s);
	AUTO_FREE char *refused = missing(s, &remedy);

	if (!there || !refused)
		return -ENOMEM;
	return doctor_row__set(row, remedy ? DOCTOR_WARN : DOCTOR_OK, remedy, "engaged: %s%s%s",
			       there[0] ? there : "none", remedy ? "; refused here: " : "",
			       refused);
}

int doctor_look_sandbox(const char *root, struct doctor_row *row)
{
	struct sandbox *s;
	struct sandbox_fault fault;
	int err = sandbox__new(&s, &(struct sandbox_request){.level = SANDBOX_STANDARD}, &fault);

	(void)root;
	if (err == -ENOMEM)
		return err;
	if (err)
		return doctor_row__set(row, DOCTOR_MISSING, NULL, "it cannot be made: %s",
				       strerror(-err));
	err = tell(s, row);
	sandbox__free(s);
	return err;
}
