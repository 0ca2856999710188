/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_tree_fixture.h"
#include <errno.h>
#include <math.h>
#include "engine/project/config.h"

static struct config config;
static struct problem why;

static void put_bytes(const char *name, const char *text, size_t len)
{
	char path[256];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void put_text(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

static int load_bytes(const char *text, size_t len)
{
	config__done(&config);
	problem__done(&why);
	why = (struct problem){0};
	put_bytes(CONFIG_FILE, text, len);
	return config__load(&config, root, &why);
}

static void accepted(const char *text)
{
	int err = load_bytes(text, strlen(text));

	if (err)
		print_error("%s\n", why.text);
	assert_int_equal(err, 0);
}

/* Refused as wrong usage, with these words in the sentence. */
static void refused(const char *text, const char *words)
{
	if (load_bytes(text, strlen(text)) != -EINVAL)
		fail_msg("accepted: %s", text);
	assert_int_equal(why.exit, EXIT_USAGE);
	if (!strstr(why.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, why.text);
	assert_null(config.path);
}

static int setup(void **state)
{
	why = (struct problem){0};
	assert_int_equal(make_root(state), 0);
	assert_int_equal(setenv("HOME", root, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", root, 1), 0);
	return 0;
}

static int teardown(void **state)
{
	config__done(&config);
	problem__done(&why);
	return remove_root(state);
}

static void every_key(void **state)
{
	(void)state;
	accepted("# a comment\n[project]\n\tbuild = make -s -j2 bench ; another\n\twatch = src\n"
		 "\twatch = include\n\tmain-branch = trunk\n\tneeds = \"data/big "
		 "one.bin\"\n\tlimit = 3%\n\tgate = canary\n\tgate = switches\n"
		 "[benchmark \"parse: large document\"]\n\tworker = build/bench\n\tlimit = 1.01\n"
		 "\tlimit = wall=1.05\n\tjudge = wall\n\tjudge = cycles\n\ttimeout = 2.5\n\tpeak = "
		 "yes\n"
		 "[benchmark \"cli: [x] = \\\"y\\\"\"] command = bin/x 'a b'\n"
		 "[sandbox]\n\tread = ~/.cargo\n\twrite = out\n\tenv = CARGO_HOME\n\tenv = CC\n");
	assert_string_equal(config.build, "make -s -j2 bench");
	assert_int_equal(config.watch.cnt, 2);
	assert_string_equal(config.watch.items[1], "include");
	assert_string_equal(config.main_branch, "trunk");
	assert_string_equal(config.needs.items[0], "data/big one.bin");
	assert_true(config.limit[METRIC_CPU] > 1.0299 && config.limit[METRIC_CPU] < 1.0301);
	assert_int_equal(config.gate, 1u << GATE_CANARY | 1u << GATE_SWITCHES);
	assert_int_equal(config.benches_cnt, 2);
	assert_string_equal(config.benches[0].name, "parse: large document");
	assert_string_equal(config.benches[0].worker, "build/bench");
	assert_true(config.benches[0].limit[METRIC_CPU] == 1.01);
	assert_true(config.benches[0].limit[METRIC_WALL] == 1.05);
	assert_true(isnan(config.benches[0].limit[METRIC_PAGE_FAULTS]));
	assert_true(config.benches[0].judge[METRIC_WALL] && config.benches[0].judge[METRIC_CYCLES]);
	assert_false(config.benches[0].judge[METRIC_CPU]);
	assert_true(config.benches[0].timeout_s == 2.5 &&
		    config.benches[0].judge[METRIC_PEAK_MEMORY]);
	assert_string_equal(config.benches[1].name, "cli: [x] = \"y\"");
	assert_string_equal(config.benches[1].command, "bin/x 'a b'");
	assert_true(isnan(config.benches[1].timeout_s) &&
		    !config.benches[1].judge[METRIC_PEAK_MEMORY]);
	assert_int_equal(config.sandbox_env.cnt, 2);
	assert_string_equal(config.sandbox_write.items[0], "out");
	assert_non_null(config.path);
}

static void missing_file_is_no_error(void **state)
{
	(void)state;
	assert_int_equal(config__load(&config, root, &why), 0);
	assert_null(config.path);
	assert_true(isnan(config.limit[METRIC_CPU]));
	accepted("");
	assert_int_equal(config.gate, 0);
	refused("[project]\n\tgate = ratio\n", "none of canary, waiting, switches");
	accepted("\xef\xbb\xbf[project]\n\tbuild = x\r\n");
	assert_string_equal(config.build, "x");
}

static void order_of_limits_does_not_matter(void **state)
{
	(void)state;
	accepted("[project]\nlimit = wall=1.5\nlimit = 1.1\n");
	assert_true(config.limit[METRIC_WALL] == 1.5 && config.limit[METRIC_CPU] == 1.1);
	accepted("[project]\nlimit = 1.1\nlimit = wall=1.5\nlimit=page_faults=2\n");
	assert_true(config.limit[METRIC_WALL] == 1.5 && config.limit[METRIC_CPU] == 1.1);
	assert_true(config.limit[METRIC_PAGE_FAULTS] == 2);
	accepted("[project]\nlimit = 1.1\n"); /* as --limit: cpu, which cpu_total follows */
	assert_true(isnan(config.limit[METRIC_WALL]) && config.limit[METRIC_CPU] == 1.1);
}

static void unknown_words_name_the_nearest(void **state)
{
	(void)state;
	refused("[projekt]\nbuild = x\n", "did you mean \"project\"");
	refused("[project]\n\n\twatc = x\n", CONFIG_FILE ":3: unknown key");
	refused("[project]\n\n\twatc = x\n", "did you mean \"watch\"");
	refused("[benchmark \"a\"]\nworker=x\nbuild = y\n", "unknown key in [benchmark]");
	refused("[benchmark \"a\"]\ncommand=x\njudge = wal\n", "did you mean wall?");
	refused("[project \"x\"]\nbuild = y\n", "takes no name");
	refused("[benchmark]\ncommand = y\n", "no name");
}

/* However it is written: it would show everything, or, as the sandbox cannot, nothing. */
static void the_root_is_not_opened(void **state)
{
	static const char *const roots[] = {"/", "//", "/.", "/./", "/.//./"};

	(void)state;
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		char line[64];

		(void)snprintf(line, sizeof(line), "[sandbox]\nread = %s\n", roots[i]);
		refused(line, "is the whole file system");
		(void)snprintf(line, sizeof(line), "[sandbox]\nwrite = %s\n", roots[i]);
		refused(line, "is the whole file system");
	}
	accepted("[sandbox]\nread = /.a\nread = /./a\nread = /...\nwrite = .\n");
}

static void wrong_values_name_the_line(void **state)
{
	(void)state;
	refused("[benchmark \"a\"]\ncommand=x\nlimit = 0.9\n", CONFIG_FILE ":3: limit");
	refused("[benchmark \"a\"]\ncommand=x\nlimit = fast\n", "not a limit");
	refused("[benchmark \"a\"]\ncommand=x\nlimit = wall=-1\n", "not a limit");
	refused("[benchmark \"a\"]\ncommand=x\nlimit = nan\n", "not a limit");
	refused("[benchmark \"a\"]\ncommand=x\njudge = involuntary_switches\n", "never judged");
	refused("[benchmark \"a\"]\ncommand=x\ntimeout = soon\n", "seconds");
	refused("[benchmark \"a\"]\ncommand=x\ntimeout = 0\n", "seconds");
	refused("[benchmark \"a\"]\ncommand=x\npeak = maybe\n", "neither yes nor no");
	refused("[benchmark \"a\"]\ncommand=x\nprecision = 1\n", "write 0.5% or 1.005");
	refused("[benchmark \"a\"]\ncommand=x\nprecision=1%\nprecision=1%\n", "given twice");
	accepted("[benchmark \"a\"]\ncommand=x\nprecision = 0.5%\n");
	assert_true(config.benches[0].precision > 1.0049 && config.benches[0].precision < 1.0051);
	refused("[benchmark \"a\"]\ncommand=\n", "empty");
	refused("[benchmark \"a\"]\ncommand\n", "no value");
	refused("[benchmark \"a\"]\nworker = /usr/bin/x\n", "absolute");
	refused("[sandbox]\nenv = A=b\n", "name of a variable");
	refused("[limits]\nmemory = much\n", "number of bytes");
	refused("[limits]\nmemory = 1M\n", "from 8M on");
	refused("[limits]\npids = 1\n", "from 2 to");
	refused("[limits]\nmemory = 1G\nmemory = 1G\n", "twice");
	refused("[limits]\npids = 9\npids = 9\n", "twice");
	refused("[limits]\nbuild-pids = 9\nbuild-pids = 9\n", "twice");
	accepted("[limits]\nmemory = 512M\npids = 32\n");
	assert_true(config.limits.memory_bytes == 512u << 20 && config.limits.pids == 32);
	assert_true(config.build_limits.memory_bytes == 0 && config.build_limits.pids == 0);
	refused("[limits]\nbuild-memory = 1M\n", "from 8M on");
	refused("[limits]\nbuild-pids = 1\n", "from 2 to");
	refused("[limits]\nbuild-time = 0\n", "seconds from 1 on");
	refused("[limits]\nbuild-time = 9\nbuild-time = 9\n", "twice");
	accepted("[limits]\nbuild-memory = 9M\nbuild-pids = 33\nbuild-time = 0.25e2\n");
	assert_true(config.build_limits.memory_bytes == 9u << 20);
	assert_true(config.build_limits.pids == 33 && config.build_time_s == 25.0);
	assert_true(config.limits.memory_bytes == 0 && config.limits.pids == 0);
	refused("[project]\nlimit = peak_memory=+\n", "+5M");
	refused("[project]\nlimit = peak_memory=+-1\n", "not a limit");
	refused("[project]\nlimit = peak_memory=5M\n", "not a limit");
	refused("[project]\nlimit = wall=+5M\n", "not a limit");
	refused("[project]\nlimit = peak_memory=+5M\nlimit = peak_memory=+5M\n", "twice");
	accepted("[project]\nlimit = peak_memory=+5MiB\nlimit = peak_memory=20%\n"
		 "[benchmark \"a\"]\ncommand=x\nlimit = peak_memory=+0\n"
		 "[benchmark \"b\"]\ncommand=x\nlimit = 2%\n");
	assert_true(config.peak_least == 5 << 20);
	assert_true(config.limit[METRIC_PEAK_MEMORY] == 1.2);
	assert_true(config.benches[0].peak_least == 0);
	assert_true(isnan(config.benches[1].peak_least));
	accepted("[benchmark \"a\"]\ncommand=x\npeak\n");
	assert_true(isnan(config.peak_least));
	assert_true(config.benches[0].judge[METRIC_PEAK_MEMORY]);
}

static void twice_is_refused(void **state)
{
	(void)state;
	refused("[project]\nbuild = x\nbuild = y\n", ":3: build is given twice");
	refused("[project]\nlimit = 1.1\nlimit = 1.2\n", "twice");
	refused("[project]\nlimit = cpu=1.1\nlimit = cpu=1.2\n", "twice");
	refused("[benchmark \"a\"]\ncommand = x\ncommand = y\n", "twice");
	refused("[benchmark \"a\"]\ncommand = x\n[benchmark \"a\"]\npeak = yes\n",
		":3: [benchmark \"a\"] stands twice, first in line 1");
	refused("[benchmark \"a\"]\n", "neither worker nor command");
	refused("[benchmark \"a\"]\ncommand=x\nworker=y\n", "both");
}

static void includes_are_never_followed(void **state)
{
	(void)state;
	put_text("other", "[project]\n\tbuild = evil\n");
	refused("[include]\n\tpath = other\n", ":1: [include] is not allowed");
	refused("[project]\nbuild=x\n [InClude] path = other\n", ":3: [include]");
	refused("[includeIf \"gitdir:/\"]\n\tpath = other\n", "[includeif]");
	refused("[project] [include] path = other\n", "");
}

static void bytes_are_looked_at_first(void **state)
{
	char *big;

	(void)state;
	assert_int_equal(load_bytes("[project]\n\tbuild = a\0b\n", 23), -EINVAL);
	assert_non_null(strstr(why.text, ":2: a NUL byte"));
	refused("[project]\n\tbuild = \x1b[2J\n", ":2: a raw control character");
	refused("[project]\n\tbuild = a\x7f\n", "control");
	refused("[project]\n\tbuild = \xff\n", "invalid UTF-8");
	refused("[project]\n\tbuild = \xc0\xaf\n", "invalid UTF-8");	 /* overlong */
	refused("[project]\n\tbuild = \xed\xa0\x80\n", "invalid UTF-8"); /* surrogate */
	refused("[project]\n\tbuild = \xf4\x90\x80\x80\n", "invalid UTF-8");
	refused("[project]\n\tbuild = \xe2\x82", "invalid UTF-8");
	refused("[benchmark \"a\xe2\x80\xae\"]\ncommand=x\n", ":1: the name");
	big = malloc(CONFIG_BYTES_MAX + 1);
	assert_non_null(big);
	memset(big, '\n', CONFIG_BYTES_MAX + 1);
	assert_int_equal(load_bytes(big, CONFIG_BYTES_MAX), 0);
	assert_int_equal(load_bytes(big, CONFIG_BYTES_MAX + 1), -EINVAL);
	assert_non_null(strstr(why.text, "larger than 256 KiB"));
	free(big);
}

static void bad_syntax_names_the_line(void **state)
{
	(void)state;
	refused("[project]\nbuild = x\n[unclosed\n", ":3: ");
	refused("[project]\n = x\n", CONFIG_FILE);
	refused("build = x\n", CONFIG_FILE);
	refused("[project]\nbuild = \"open\n", CONFIG_FILE);
	refused("[project]\nbuild = \\q\n", CONFIG_FILE);
	assert_null(strstr(why.text, "/proc/self"));
}

/* Anything a file can be cut to ends in an answer, and what is accepted can be freed. */
static void every_truncation_ends_well(void **state)
{
	static const char text[] =
		"[project]\n\tbuild = \"make; -s\" \\\n  -j2 # c\n\twatch\n = src\n"
		"[benchmark \"a \\\"b\\\" \\\\ c\"]\n\tcommand = 'x' ; y\n\tpeak\n";

	(void)state;
	for (size_t n = 0; n < sizeof(text); n++) {
		int err = load_bytes(text, n);

		assert_true(err == 0 || err == -EINVAL);
		assert_true(!err == !why.text[0]);
	}
}

static void lines_survive_continuations(void **state)
{
	(void)state;
	refused("[project]\n\tbuild = a \\\n  b \\\n  c\n\twatch = \"x # y\" # \"\n\tfoo = 1\n",
		":6: unknown key");
}

/* A command line is run as it is read: what the syntax would take out of it is no detail. */
static void quotes_of_commands_are_not_eaten(void **state)
{
	static const char *const eaten[] = {
		"command = sh -c \"exit 5\"", "command = \"sh\" -c \"exit 5\"",
		"command = \"sh\" -c",	      "command = sh \"\"",
		"command = \"a\"\"b\"",	      "worker = build/\"a b\"",
		"command = \\\n \"a\" b",
	};
	static const char *const keys[] = {"build", "layout"};
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(eaten) / sizeof(eaten[0]); i++) {
		(void)snprintf(text, sizeof(text), "[benchmark \"a\"]\n\t%s\n", eaten[i]);
		refused(text, strchr(eaten[i], 'w') == eaten[i] ? ":2: worker: double quotes"
								: ":2: command: double quotes");
		assert_non_null(strstr(why.text, "write \\\" for a quote of the command"));
	}
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(text, sizeof(text), "[project]\n\t%s = cc -D\"X\"\n", keys[i]);
		refused(text, "double quotes");
	}
	accepted("[project]\nbuild = \"cc -D\\\"X\\\"; true\" # \"c\"\n\tlayout = echo \\\"x\\\"\n"
		 "watch = a\"b\"\n[benchmark \"a\"]\ncommand = \"sh -c 'a; b'\";c\n");
	assert_string_equal(config.build, "cc -D\"X\"; true");
	assert_string_equal(config.layout, "echo \"x\"");
	assert_string_equal(config.watch.items[0], "ab");
	assert_string_equal(config.benches[0].command, "sh -c 'a; b'");
}

static void commands_are_not_cut_by_comments(void **state)
{
	(void)state;
	refused("[benchmark \"a\"]\n\tcommand = sh -c 'echo a >&2; exit 3'\n",
		":2: command: ; and # begin a comment, here in an open quote");
	assert_non_null(strstr(why.text, "put the whole value into double quotes"));
	refused("[project]\nbuild = echo \\\"a # b\\\"\n", "open quote");
	refused("[project]\nbuild = cd lib; make\n",
		":2: build: ; and # begin a comment, and the command would end there");
	refused("[project]\nlayout = echo $#\n", ":2: layout: ; and #");
	accepted("[project]\nbuild = echo \\\"it's\\\" \\\\' 'x' ; c\n\twatch = a;b\n");
	assert_string_equal(config.build, "echo \"it's\" \\' 'x'");
	accepted("[project]\nbuild = a \\\n ; b\n");
}

static void special_files_are_refused(void **state)
{
	char path[128];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/" CONFIG_FILE, root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(config__load(&config, root, &why), -EINVAL); /* and does not hang */
	assert_non_null(strstr(why.text, "not a regular file"));
	assert_int_equal(unlink(path), 0);
}

static void users_file_comes_first(void **state)
{
	char path[128];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/joust", root);
	assert_int_equal(mkdir(path, 0700), 0);
	put_text("joust/config", "[project]\nlimit = 1.5\n[sandbox]\nread = ~/a\n");
	accepted("[sandbox]\nread = /b\n");
	assert_true(config.limit[METRIC_CPU] == 1.5);
	assert_int_equal(config.sandbox_read.cnt, 2);
	accepted("[project]\nlimit = 1.1\n");
	assert_true(config.limit[METRIC_CPU] == 1.1);
	put_text("joust/config", "[project]\nbuild = x\n");
	assert_int_equal(load_bytes("", 0), -EINVAL);
	assert_non_null(strstr(why.text, "joust/config:2: build belongs into the project's"));
	put_text("joust/config", "[benchmark \"a\"]\ncommand = x\n");
	assert_int_equal(load_bytes("", 0), -EINVAL);
}

static void sections_are_found_by_name_then_glob(void **state)
{
	const struct config_bench *b;

	(void)state;
	accepted("[benchmark \"parse*\"]\nworker=w\n[benchmark \"parse: x\"]\nworker=w\n"
		 "[benchmark \"*\"]\nworker=v\n[benchmark \"cli\"]\ncommand=c\n");
	b = config_find(&config, "w", "parse: x");
	assert_string_equal(b->name, "parse: x");
	assert_string_equal(config_find(&config, "w", "parse: y")->name, "parse*");
	assert_string_equal(config_find(&config, "v", "parse: x")->name, "*");
	assert_null(config_find(&config, "w", "write"));
	assert_string_equal(config_find(&config, NULL, "cli")->command, "c");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(every_key),
		T(missing_file_is_no_error),
		T(order_of_limits_does_not_matter),
		T(unknown_words_name_the_nearest),
		T(the_root_is_not_opened),
		T(wrong_values_name_the_line),
		T(twice_is_refused),
		T(includes_are_never_followed),
		T(bytes_are_looked_at_first),
		T(bad_syntax_names_the_line),
		T(every_truncation_ends_well),
		T(lines_survive_continuations),
		T(quotes_of_commands_are_not_eaten),
		T(commands_are_not_cut_by_comments),
		T(special_files_are_refused),
		T(users_file_comes_first),
		T(sections_are_found_by_name_then_glob),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
