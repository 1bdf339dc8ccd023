/* Which level of x86-64 the CPU and the system offer, asked when the program runs. */
#ifndef LUNAFLOW_CPU_SHIM_H
#define LUNAFLOW_CPU_SHIM_H

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

/* What not every compiler knows by a name for __builtin_cpu_supports. */
static int lunaflow_cpu_bits(unsigned leaf, unsigned wanted) {
    unsigned a, b, c, d;
    return __get_cpuid(leaf, &a, &b, &c, &d) && (c & wanted) == wanted;
}

/* All that a level lets the compiler use: a virtual machine may lack any of it. */
static int lunaflow_cpu_level(void) {
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3")
          && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2")
          && __builtin_cpu_supports("popcnt") && lunaflow_cpu_bits(1, bit_CMPXCHG16B)
          && lunaflow_cpu_bits(0x80000001, bit_LAHF_LM))) return 1;
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
          && lunaflow_cpu_bits(1, bit_MOVBE | bit_F16C)
          && lunaflow_cpu_bits(0x80000001, bit_LZCNT))) return 2;
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
          && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
          && __builtin_cpu_supports("avx512vl"))) return 3;
    return 4;
}
#else
static int lunaflow_cpu_level(void) { return 0; }
#endif

#endif
