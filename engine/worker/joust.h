/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once
/*
 * libjoust: benchmarks that joust compares (docs/libjoust.md). C11 and C++17, gcc and clang.
 *
 *	JOUST_BENCH(parse_large, "parse: large document")
 *	{
 *		struct doc *doc = load("data/large.json");
 *		JOUST_LOOP(b)
 *			joust_keep(parse(doc));
 *		doc_free(doc);
 *	}
 *
 * The body runs once per process, in a variable `b` of type struct joust *. What stands before
 * JOUST_LOOP is set-up and what stands behind it is cleaning up; neither is measured. All functions
 * belong to the thread that runs the body. Names that end in an underscore are not for callers.
 */
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include <type_traits>
extern "C" {
#endif

#define JOUST_VALUES_MAX 32

struct joust;

struct joust_axis {
	const char *key;
	const char *values[JOUST_VALUES_MAX];
};

struct joust_case {
	const char *name;
	void (*body)(struct joust *b);
	const struct joust_axis *axes;
	size_t axes_cnt;
	uint32_t threads;
	const uint64_t *sizes;
	size_t sizes_cnt;
	struct joust_case *next;
};

/* A benchmark of one thread. `fn` is a C identifier, `name` what people read: 1 to 255 bytes. */
#define JOUST_BENCH(fn, name) JOUST_DEFINE_(fn, name, 0, 0, 1, 0, 0)

/*
 * A benchmark whose body runs `threads` threads, its own included. CPU time is the sum of their
 * clocks, which needs the same threads at both ends of a window; where an iteration starts threads and
 * ends them it is the clock of the process, and all that remain must be parked (waiting, not spinning)
 * whenever the body is at the loop's head.
 */
#define JOUST_BENCH_THREADS(fn, name, threads) JOUST_DEFINE_(fn, name, 0, 0, threads, 0, 0)

/* One benchmark for every combination, named NAME/key=value/key=value. */
#define JOUST_BENCH_PARAMS(fn, name, ...)                                                          \
	static const struct joust_axis joust_axes_##fn[] = {__VA_ARGS__};                          \
	JOUST_DEFINE_(fn, name, joust_axes_##fn,                                                   \
		      sizeof(joust_axes_##fn) / sizeof(*joust_axes_##fn), 1, 0, 0)
#define JOUST_PARAM(key, ...)                                                                      \
	{                                                                                          \
		key,                                                                               \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

/*
 * A benchmark of work that grows with its size: 2 to 16 sizes, each larger than the one before. Judged
 * are not times but how they grow: the time at the largest size, the power of the size that the time
 * grows with, and what a doubling of the size costs. joust_size(b) is the size to set up for; by hand
 * and in `joust run` each size is a benchmark named NAME/size=SIZE.
 */
#define JOUST_BENCH_SIZES(fn, name, ...)                                                           \
	static const uint64_t joust_sizes_##fn[] = {__VA_ARGS__};                                  \
	JOUST_DEFINE_(fn, name, 0, 0, 1, joust_sizes_##fn,                                         \
		      sizeof(joust_sizes_##fn) / sizeof(*joust_sizes_##fn))

/*
 * The measured loop, once in a body. `continue` ends an iteration; `break`, `return` and `goto` out
 * of it are reported as an error. The second form declares `i`, counting from 0 in every slice.
 */
#define JOUST_LOOP(b) JOUST_LOOP_INDEX(b, joust_i_)
#define JOUST_LOOP_INDEX(b, i)                                                                     \
	for (uint64_t joust_n_ = joust_begin_(b), i = 0; joust_n_ != 0;                            \
	     joust_n_ = joust_next_(b, i))                                                         \
		for (i = 0; i < joust_n_; i++)

/*
 * A block inside an iteration whose time is subtracted. It costs two readings of both clocks, of
 * which about one stays in the time of the iteration (0.3 us): for work well above that.
 */
#define JOUST_UNTIMED(b) for (int joust_u_ = joust_pause_(b); joust_u_; joust_u_ = joust_resume_(b))

/* The value of a parameter; one that does not exist (or is no number) fails the benchmark. */
const char *joust_param(struct joust *b, const char *key);
long joust_param_long(struct joust *b, const char *key);

/* The size of a benchmark with sizes; 0 fails one that has none. */
uint64_t joust_size(struct joust *b);

/* Before the loop, then return: the benchmark does not apply here, and why. */
void joust_skip(struct joust *b, const char *reason);

/* Anywhere, then return: the benchmark is broken, and how. The first failure is kept. */
void joust_fail(struct joust *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Output that must be equal on both sides: a 128-bit hash (FNV-1a) over all bytes given, in order.
 * It finds mistakes, not forgers. Not inside the loop.
 */
void joust_digest(struct joust *b, const void *data, size_t len);

/* What libjoust's own main does; for programs that have a main. Returns the exit status. */
int joust_main(int argc, char **argv);

/* The compiler must assume that all memory was read and written here. Costs no instruction. */
static inline __attribute__((always_inline, unused)) void joust_clobber(void)
{
	__asm__ volatile("" : : : "memory");
}

void joust_register_(struct joust_case *c);
uint64_t joust_begin_(struct joust *b);
uint64_t joust_next_(struct joust *b, uint64_t done);
int joust_pause_(struct joust *b);
int joust_resume_(struct joust *b);

#ifdef __cplusplus
}
#endif

#define JOUST_DEFINE_(fn, name, axes, axes_cnt, threads, sizes, sizes_cnt)                         \
	static void fn(struct joust *b);                                                           \
	static struct joust_case joust_case_##fn = {name,    fn,    axes,      axes_cnt,           \
						    threads, sizes, sizes_cnt, 0};                 \
	__attribute__((constructor)) static void joust_register_##fn(void)                         \
	{                                                                                          \
		joust_register_(&joust_case_##fn);                                                 \
	}                                                                                          \
	static void fn(struct joust *b __attribute__((unused)))

/*
 * joust_keep(x): x is computed, whatever the optimizer thinks of its use. A number or a pointer need
 * only be in a register, anything else in memory. What a pointer points to may stay uncomputed:
 * joust_keep_at(p) keeps the object, joust_clobber() all memory that has escaped. In C a struct that
 * has an address is copied by joust_keep and not by joust_keep_at.
 */
#define joust_keep_at(p) __asm__ volatile("" : : "m"(*(p)))

/* Where the float registers have no letter here, a real number is kept in memory. */
#if defined(__x86_64__)
#define JOUST_FLOAT_REG_     "x"
#define JOUST_HAS_FLOAT_REG_ 1
#elif defined(__aarch64__)
#define JOUST_FLOAT_REG_     "w"
#define JOUST_HAS_FLOAT_REG_ 1
#else
#define JOUST_FLOAT_REG_     "r"
#define JOUST_HAS_FLOAT_REG_ 0
#endif

#ifdef __cplusplus
template <typename T> inline __attribute__((always_inline)) void joust_keep(const T &value)
{
	constexpr bool word =
		std::is_integral<T>::value || std::is_enum<T>::value || std::is_pointer<T>::value;
	if constexpr (word && sizeof(T) <= sizeof(void *))
		__asm__ volatile("" : : "r"(value));
	else if constexpr (JOUST_HAS_FLOAT_REG_ && std::is_floating_point<T>::value &&
			   sizeof(T) <= sizeof(double))
		__asm__ volatile("" : : JOUST_FLOAT_REG_(value));
	else
		__asm__ volatile("" : : "m"(value));
}
#else
/* gcc's type classes: 1 to 5 are integers, enums, bool and pointers, 8 is a real number. */
#define JOUST_IS_WORD_(x)                                                                          \
	(__builtin_classify_type(x) >= 1 && __builtin_classify_type(x) <= 5 &&                     \
	 sizeof(x) <= sizeof(void *))
#define JOUST_IS_REAL_(x)                                                                          \
	(JOUST_HAS_FLOAT_REG_ && __builtin_classify_type(x) == 8 && sizeof(x) <= sizeof(double))
/* The comma makes an array a pointer; a branch not taken gets an operand its constraint accepts. */
#define joust_keep(x)                                                                              \
	do {                                                                                       \
		__typeof__((void)0, (x)) joust_v_ = (x);                                           \
		if (JOUST_IS_WORD_(joust_v_))                                                      \
			__asm__ volatile(""                                                        \
					 :                                                         \
					 : "r"(__builtin_choose_expr(JOUST_IS_WORD_(joust_v_),     \
								     joust_v_, 0)));               \
		else if (JOUST_IS_REAL_(joust_v_))                                                 \
			__asm__ volatile(""                                                        \
					 :                                                         \
					 : JOUST_FLOAT_REG_(__builtin_choose_expr(                 \
						 JOUST_IS_REAL_(joust_v_), joust_v_, 0.0)));       \
		else                                                                               \
			__asm__ volatile("" : : "m"(joust_v_));                                    \
	} while (0)
#endif

/*
 * The note by which the engine knows a worker program: name "joust", type 1, the protocol's version.
 * A plain SHT_NOTE outside any group is kept by --gc-sections and by strip.
 */
#ifndef JOUST_NO_NOTE
__asm__(".pushsection .note.joust,\"a\",%note\n"
	".balign 4\n"
	".long 6, 4, 1\n"
	".asciz \"joust\"\n"
	".balign 4\n"
	".long 3\n"
	".popsection\n");
#endif
