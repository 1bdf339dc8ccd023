/* Running sums of a block, eight at once by AVX-512 and four by AVX2: each vector is summed within
   itself by shifted additions (Hillis and Steele, Data parallel algorithms, 1986), so that it waits
   for the one before it by a single addition. */
#ifndef LUNAFLOW_SCAN_SHIM_H
#define LUNAFLOW_SCAN_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(__clang__) && (!defined(__GNUC__) || __GNUC__ < 12)
#define LUNAFLOW_SCAN_LANES 0
#elif defined(__AVX512F__)
#define LUNAFLOW_SCAN_LANES 8
#elif defined(__AVX2__)
#define LUNAFLOW_SCAN_LANES 4
#else
#define LUNAFLOW_SCAN_LANES 0
#endif

#if LUNAFLOW_SCAN_LANES

typedef uint64_t lunaflow_sums __attribute__((vector_size(8 * LUNAFLOW_SCAN_LANES)));
typedef int64_t lunaflow_wide __attribute__((vector_size(8 * LUNAFLOW_SCAN_LANES)));
typedef int32_t lunaflow_narrow __attribute__((vector_size(4 * LUNAFLOW_SCAN_LANES)));

static inline lunaflow_sums lunaflow_load_int64_t(const int64_t *x) {
    lunaflow_sums v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline lunaflow_sums lunaflow_load_int32_t(const int32_t *x) {
    lunaflow_narrow v;
    memcpy(&v, x, sizeof v);
    return (lunaflow_sums)__builtin_convertvector(v, lunaflow_wide);
}

static inline void lunaflow_store_int64_t(int64_t *y, lunaflow_sums v) { memcpy(y, &v, sizeof v); }

static inline void lunaflow_store_int32_t(int32_t *y, lunaflow_sums v) {
    lunaflow_narrow w = __builtin_convertvector((lunaflow_wide)v, lunaflow_narrow);
    memcpy(y, &w, sizeof w);
}

#if LUNAFLOW_SCAN_LANES == 8
static inline lunaflow_sums lunaflow_summed(lunaflow_sums v) {
    const lunaflow_sums zero = {0};
    v += __builtin_shufflevector(zero, v, 7, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(zero, v, 6, 7, 8, 9, 10, 11, 12, 13);
    return v + __builtin_shufflevector(zero, v, 4, 5, 6, 7, 8, 9, 10, 11);
}

static inline lunaflow_sums lunaflow_last(lunaflow_sums v) {
    return __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
}
#else
static inline lunaflow_sums lunaflow_summed(lunaflow_sums v) {
    const lunaflow_sums zero = {0};
    v += __builtin_shufflevector(zero, v, 3, 4, 5, 6);
    return v + __builtin_shufflevector(zero, v, 2, 3, 4, 5);
}

static inline lunaflow_sums lunaflow_last(lunaflow_sums v) {
    return __builtin_shufflevector(v, v, 3, 3, 3, 3);
}
#endif

static inline uint64_t lunaflow_any(lunaflow_sums v) {
    uint64_t any = 0;
    for (int lane = 0; lane < LUNAFLOW_SCAN_LANES; lane++) any |= v[lane];
    return any;
}

/* Writes the running sums from *value on, modulo 2^64, and says whether all of them fit the output:
   a sum wrapped just where it differs in sign from both of its terms, and what int32 holds is, plus
   2^31, below 2^32. x and y may be the same memory. */
#define LUNAFLOW_SCAN(from, to)                                                                    \
    static int lunaflow_scan_##from##_##to(const from *x, to *y, ptrdiff_t n, int64_t *value) {    \
        lunaflow_sums before = (lunaflow_sums){0} + (uint64_t)*value, wraps = {0}, wide = {0};     \
        const uint64_t half = (uint64_t)1 << 31;                                                   \
        uint64_t sum, wrapped, outside;                                                            \
        ptrdiff_t i = 0;                                                                           \
        for (; i + LUNAFLOW_SCAN_LANES <= n; i += LUNAFLOW_SCAN_LANES) {                           \
            lunaflow_sums v = lunaflow_load_##from(x + i), inner = lunaflow_summed(v);             \
            lunaflow_sums sums = before + inner;                                                   \
            wraps |= ((sums - v) ^ sums) & (v ^ sums);                                             \
            wide |= sums + half;                                                                   \
            lunaflow_store_##to(y + i, sums);                                                      \
            before += lunaflow_last(inner);                                                        \
        }                                                                                          \
        sum = before[0];                                                                           \
        wrapped = lunaflow_any(wraps);                                                             \
        outside = lunaflow_any(wide);                                                              \
        for (; i < n; i++) {                                                                       \
            uint64_t v = (uint64_t)(int64_t)x[i], next = sum + v;                                  \
            wrapped |= (sum ^ next) & (v ^ next);                                                  \
            outside |= next + half;                                                                \
            y[i] = (to)(int64_t)next;                                                              \
            sum = next;                                                                            \
        }                                                                                          \
        *value = (int64_t)sum;                                                                     \
        return wrapped >> 63 == 0 && (sizeof(to) == 8 || outside >> 32 == 0);                      \
    }

#else
#define LUNAFLOW_SCAN(from, to)                                                                    \
    static int lunaflow_scan_##from##_##to(const from *x, to *y, ptrdiff_t n, int64_t *value) {    \
        (void)x, (void)y, (void)n, (void)value;                                                    \
        return 0;                                                                                  \
    }
#endif

LUNAFLOW_SCAN(int32_t, int32_t)
LUNAFLOW_SCAN(int32_t, int64_t)
LUNAFLOW_SCAN(int64_t, int32_t)
LUNAFLOW_SCAN(int64_t, int64_t)

#endif
