/* Which level of x86-64 the CPU and the system offer, asked when the program runs. */
#ifndef LUNAFLOW_CPU_SHIM_H
#define LUNAFLOW_CPU_SHIM_H

#if (defined(__x86_64__) || defined(_M_X64)) && defined(__GNUC__)
static int lunaflow_cpu_level(void) {
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"))) return 1;
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))) return 2;
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
          && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
          && __builtin_cpu_supports("avx512vl"))) return 3;
    return 4;
}
#else
static int lunaflow_cpu_level(void) { return 0; }
#endif

#endif
