/* SPDX-License-Identifier: BSD-2-Clause */
/* Strangers' text in every place of a record, and what no output may then contain. */
#include "test_report_json_fixture.h"
#include "report/unicode.h"

static const char *const hostile[] = {
	"\x1b]0;x\x07",
	"\x1b[2J",
	"\x1b]52;c;cm0gLXJmIC8=\x07",
	"\x1b]8;;http://e\x1b\\x\x1b]8;;\x1b\\",
	"a\r PASS",
	"\xe2\x80\xae"
	"gpj.exe",
	"\xc2\x9b"
	"2J",
	"::error::x",
	"x\n::error::x",
	"x\r::error::x",
	"x\n  ::add-mask::x",
	"\n::stop-commands::t",
	"x ##[error]y",
	"###[group]",
	"\xff\xfe\x80\xc0\xaf",
	"%s%n%d",
	"$(x)`y`';\"",
	"\x7f\x08\x08\x08",
	"x\xe2\x80\xa8::error::y",
	"x\x0b::error::y\x0c::error::z",
};

static void set(char **field, const char *s)
{
	free(*field);
	*field = copy(s);
}

static void hostile_version(struct rec_version *v, enum version_kind kind, const char *s)
{
	v->kind = kind;
	set(&v->ref, s);
	set(&v->commit, s);
	set(&v->path, s);
	set(&v->source, s);
	set(&v->tree_hash, s);
	set(&v->build_log, s);
}

static void hostile_benches(struct record *r, const char *s)
{
	struct rec_bench *b = add_bench(r, s, BENCH_REGRESSED);

	add_stage(judge(b, METRIC_CPU, VERDICT_SLOWER), STAGE_SLOWER, 12, 1.5, 1.4, 1.6);
	add_bench(r, s, BENCH_UNDECIDED);
	add_block(add_bench(r, s, BENCH_SAME), 1, 10, 0);
	b = add_bench(r, s, BENCH_SKIPPED);
	b->reason = REASON_SKIPPED;
	set(&b->detail, s);
	b = add_bench(r, s, BENCH_OPEN);
	rec_bench__fail(b, REASON_EXIT_STATUS, SIDE_CNT, s);
	set(&b->stderr_tail, s);
	set(&b->command, s);
	set(&b->digest[SIDE_BASELINE], s);
}

static void hostile_record(struct record *r, enum run_status status, enum version_kind kind,
			   const char *s)
{
	fixture_run(r);
	r->status = status;
	set(&r->message, s);
	set(&r->project, s);
	set(&r->path, s);
	set(&r->sandbox, s);
	set(&r->build, s);
	set(&r->host.pmu_missing, s);
	set(&r->host.cpu_model, s);
	r->host.virtual_machine = false;
	assert_int_equal(record__add_option(r, "base", s), 0);
	assert_int_equal(record__note(r, "%s", s), 0);
	hostile_version(&r->version[SIDE_BASELINE], kind, s);
	hostile_version(&r->version[SIDE_CANDIDATE], kind, s);
	hostile_benches(r, s);
}

/* As GitHub's runner reads a log: "::" after blanks, "##[" anywhere. */
static void assert_no_log_command(const char *text)
{
	assert_null(strstr(text, "##["));
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		assert_int_not_equal(strncmp(line + strspn(line, " \t"), "::", 2), 0);
	}
}

static void assert_printable(const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len;) {
		uint32_t cp = 0;
		size_t taken = utf8_decode(text + i, len - i, &cp);

		assert_int_not_equal(taken, 0);
		assert_true(cp == '\n' || !unicode_hidden(cp));
		i += taken;
	}
}

static void check_writer(writer *write, const struct record *r)
{
	for (int verbosity = -1; verbosity <= 1; verbosity++) {
		const struct terminal_style style = {.verbosity = verbosity, .columns = 80};
		AUTO_FREE char *text = written(write, r, &style);

		assert_printable(text);
		assert_no_log_command(text);
	}
}

static void terminals_and_logs_are_safe(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		for (int status = 0; status <= STATUS_INTERRUPTED; status++) {
			struct record r;

			hostile_record(&r, status, (enum version_kind)(status % 4), hostile[i]);
			check_writer(terminal_report, &r);
			check_writer(terminal_measured, &r);
			record__done(&r);
		}
	}
}

static void json_stays_json(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct record r;
		AUTO_FREE char *text = NULL;
		cJSON *json;

		hostile_record(&r, STATUS_ERROR, VERSION_DIR, hostile[i]);
		text = json_text(&r);
		assert_printable(text);
		json = cJSON_ParseWithOpts(text, NULL, true);
		assert_non_null(json);
		assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "benchmarks")), 5);
		cJSON_Delete(json);
		record__done(&r);
	}
}

/* Only our own colours. */
static void color_is_ours_alone(void **state)
{
	const struct terminal_style style = {.color = true, .columns = 80};
	struct record r;
	AUTO_FREE char *text = NULL;

	(void)state;
	hostile_record(&r, STATUS_FAILED, VERSION_DIR, "\x1b[2J");
	text = written(terminal_report, &r, &style);
	assert_null(strstr(text, "\x1b[2J"));
	for (const char *s = text; (s = strchr(s, '\x1b')); s++)
		assert_int_equal(s[1 + strspn(s + 1, "[0123456789;")], 'm');
	record__done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terminals_and_logs_are_safe),
		cmocka_unit_test(json_stays_json),
		cmocka_unit_test(color_is_ours_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
