/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program does with SQLite, on a database in memory whose rows a generator makes. */
#include <joust.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sqlite3.h"

enum {
	ROWS = 2000,
	INSERTS = 100,
	POINTS = 200,
	RANGE = 500,
	INDEXED = 300,
	DOCUMENTS = 100,
	QUERIES = 8
};

/* splitmix64: the same rows on both sides and on every machine. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static bool fine(struct joust *b, sqlite3 *db, int code)
{
	if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
		return true;
	joust_fail(b, "%s", db ? sqlite3_errmsg(db) : "no memory");
	return false;
}

static bool run(struct joust *b, sqlite3 *db, const char *sql)
{
	return fine(b, db, sqlite3_exec(db, sql, NULL, NULL, NULL));
}

/* NULL and a failed benchmark when it cannot be prepared. */
static sqlite3_stmt *prepare(struct joust *b, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = NULL;

	(void)fine(b, db, sqlite3_prepare_v2(db, sql, -1, &s, NULL));
	return s;
}

/* One row of the account's book: who, how much, and a document. */
static bool insert(struct joust *b, sqlite3 *db, sqlite3_stmt *s, uint64_t *state)
{
	char who[32], document[160];
	uint64_t r = draw(state);

	(void)snprintf(who, sizeof(who), "holder-%05u", (unsigned)(r % 5000));
	(void)snprintf(document, sizeof(document),
		       "{\"tags\":[\"t%u\",\"t%u\"],\"place\":{\"lat\":%u.%u,\"lon\":%u},\"n\":%u}",
		       (unsigned)(r >> 16 & 7), (unsigned)(r >> 20 & 7), (unsigned)(r >> 24 & 63),
		       (unsigned)(r >> 30 & 1023), (unsigned)(r >> 40 & 127), (unsigned)(r >> 48));
	sqlite3_bind_text(s, 1, who, -1, SQLITE_TRANSIENT);
	sqlite3_bind_double(s, 2, (double)(int64_t)(r >> 44) / 100 - 5000);
	sqlite3_bind_text(s, 3, document, -1, SQLITE_TRANSIENT);
	return fine(b, db, sqlite3_step(s)) && fine(b, db, sqlite3_reset(s));
}

static const char insert_sql[] = "INSERT INTO book(who, amount, document) VALUES(?1, ?2, ?3)";

/* A database with `rows` rows; NULL and a failed benchmark otherwise. */
static sqlite3 *filled(struct joust *b, int rows)
{
	uint64_t state = 46;
	sqlite3_stmt *s = NULL;
	sqlite3 *db = NULL;
	bool good = fine(b, db, sqlite3_open(":memory:", &db)) &&
		    run(b, db,
			"CREATE TABLE book(id INTEGER PRIMARY KEY, who TEXT, amount REAL, document "
			"TEXT);"
			"BEGIN");

	if (good)
		s = prepare(b, db, insert_sql);
	good = s != NULL;
	for (int i = 0; i < rows && good; i++)
		good = insert(b, db, s, &state);
	sqlite3_finalize(s);
	if (good && run(b, db, "COMMIT"))
		return db;
	sqlite3_close(db);
	return NULL;
}

/* The text of every column of every row. */
static void digest(struct joust *b, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s = prepare(b, db, sql);

	while (s && sqlite3_step(s) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(s); i++) {
			const void *text = sqlite3_column_text(s, i);

			joust_digest(b, text, text ? (size_t)sqlite3_column_bytes(s, i) : 0);
		}
	}
	sqlite3_finalize(s);
}

/* Steps through all rows and reads the first column of each. */
static double drain(sqlite3_stmt *s)
{
	double sum = 0;

	while (sqlite3_step(s) == SQLITE_ROW)
		sum += sqlite3_column_double(s, 0);
	sqlite3_reset(s);
	return sum;
}

JOUST_BENCH(insert_rows, "insert: 100 rows in a transaction")
{
	sqlite3 *db = filled(b, ROWS);
	sqlite3_stmt *s = db ? prepare(b, db, insert_sql) : NULL;

	if (!s)
		return;
	JOUST_LOOP(b) {
		uint64_t state = 7;
		bool good = run(b, db, "BEGIN");

		for (int i = 0; i < INSERTS && good; i++)
			good = insert(b, db, s, &state);
		/* Every iteration finds the table as the first one did. */
		if (!good || !run(b, db, "ROLLBACK"))
			return;
	}
	sqlite3_finalize(s);
	digest(b, db, "SELECT count(*), sum(amount) FROM book");
	sqlite3_close(db);
}

JOUST_BENCH(point_select, "select: 200 rows by primary key")
{
	sqlite3 *db = filled(b, ROWS);
	sqlite3_stmt *s = db ? prepare(b, db, "SELECT amount FROM book WHERE id = ?1") : NULL;
	double sum = 0;

	if (!s)
		return;
	JOUST_LOOP(b) {
		uint64_t state = 11;

		sum = 0;
		for (int i = 0; i < POINTS; i++) {
			sqlite3_bind_int64(s, 1, 1 + (int64_t)(draw(&state) % ROWS));
			sum += drain(s);
		}
		joust_keep(sum);
	}
	joust_digest(b, &sum, sizeof(sum));
	sqlite3_finalize(s);
	sqlite3_close(db);
}

JOUST_BENCH(range_select, "select: aggregate over a range")
{
	sqlite3 *db = filled(b, ROWS);
	sqlite3_stmt *s = db ? prepare(b, db,
				       "SELECT avg(amount) + max(amount) FROM book "
				       "WHERE id BETWEEN ?1 AND ?2 GROUP BY id % 7")
			     : NULL;
	double sum = 0;

	if (!s)
		return;
	sqlite3_bind_int(s, 1, 300);
	sqlite3_bind_int(s, 2, 300 + RANGE);
	JOUST_LOOP(b) {
		sum = drain(s);
		joust_keep(sum);
	}
	joust_digest(b, &sum, sizeof(sum));
	sqlite3_finalize(s);
	sqlite3_close(db);
}

JOUST_BENCH(create_index, "index: created over 300 rows")
{
	sqlite3 *db = filled(b, INDEXED);

	if (!db)
		return;
	JOUST_LOOP(b)
		if (!run(b, db, "CREATE INDEX holders ON book(who, amount); DROP INDEX holders"))
			return;
	digest(b, db, "SELECT who, amount FROM book ORDER BY who, amount LIMIT 100");
	sqlite3_close(db);
}

JOUST_BENCH(json_extract, "json: fields of 100 documents")
{
	sqlite3 *db = filled(b, DOCUMENTS);
	sqlite3_stmt *s = db ? prepare(b, db,
				       "SELECT json_extract(document, '$.n') + "
				       "json_array_length(document, '$.tags') + "
				       "(document ->> '$.place.lon') FROM book")
			     : NULL;
	double sum = 0;

	if (!s)
		return;
	JOUST_LOOP(b) {
		sum = drain(s);
		joust_keep(sum);
	}
	joust_digest(b, &sum, sizeof(sum));
	digest(b, db, "SELECT json_set(document, '$.n', id) FROM book");
	sqlite3_finalize(s);
	sqlite3_close(db);
}

JOUST_BENCH(prepare_query, "prepare: a join, 8 times")
{
	static const char sql[] =
		"SELECT a.who, sum(b.amount) FROM book a JOIN book b ON a.who = b.who "
		"WHERE a.id < ?1 AND b.amount > ?2 AND a.document LIKE '%t3%' "
		"GROUP BY a.who ORDER BY 2 DESC LIMIT 10";
	sqlite3 *db = filled(b, INDEXED);

	if (!db)
		return;
	JOUST_LOOP(b) {
		for (int i = 0; i < QUERIES; i++) {
			sqlite3_stmt *s = prepare(b, db, sql);

			if (!s)
				return;
			sqlite3_finalize(s);
		}
	}
	digest(b, db, "SELECT name FROM pragma_table_info('book')");
	sqlite3_close(db);
}
