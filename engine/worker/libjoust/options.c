/* SPDX-License-Identifier: BSD-2-Clause */
#include "internal.h"
#include <stdio.h>
#include <string.h>

static const char *const option_names[] = {"--list", "--test", "--filter", "--help"};
enum { LIST, TEST, FILTER, HELP, OPTIONS_CNT };

/* Our own: getopt_long accepts abbreviations, which break when an option is added. */
static int find(const char *arg, const char **ret_value)
{
	const char *equals = strchr(arg, '=');
	size_t len = equals ? (size_t)(equals - arg) : strlen(arg);

	*ret_value = equals ? equals + 1 : NULL;
	for (int i = 0; i < OPTIONS_CNT; i++)
		if (strlen(option_names[i]) == len && !strncmp(option_names[i], arg, len))
			return i;
	return -1;
}

static void unknown(const char *arg, char why[static PROTOCOL_TEXT_MAX])
{
	const char *near = joust_nearest(arg, option_names, OPTIONS_CNT);

	if (arg[0] != '-')
		(void)snprintf(why, PROTOCOL_TEXT_MAX,
			       "no argument \"%s\" is known; --filter selects benchmarks", arg);
	else if (near)
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "no option %s; did you mean %s?", arg, near);
	else
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "no option %s; --help lists them", arg);
}

int joust_options_parse(int argc, char **argv, struct joust_options *ret,
			char why[static PROTOCOL_TEXT_MAX])
{
	struct joust_options o = {0};

	for (int i = 1; i < argc; i++) {
		const char *value;
		int which = find(argv[i], &value);

		if (which < 0) {
			unknown(argv[i], why);
			return -1;
		}
		if (which == FILTER && !value && i + 1 < argc)
			value = argv[++i];
		if ((which == FILTER) != (value != NULL)) {
			(void)snprintf(why, PROTOCOL_TEXT_MAX, "%s takes %s", option_names[which],
				       which == FILTER ? "a regular expression" : "no value");
			return -1;
		}
		o.list |= which == LIST;
		o.test |= which == TEST;
		o.help |= which == HELP;
		if (which == FILTER)
			o.filter = value;
	}
	if (o.list && o.test) {
		(void)snprintf(why, PROTOCOL_TEXT_MAX, "--list and --test do not go together");
		return -1;
	}
	*ret = o;
	return 0;
}
