// Rounds of a multiplication: as many as the size says, twice as many, or always 256. Build it with
// `g++ -O2 google_rounds.cpp -lbenchmark -lpthread`. At 256 `growing` and `constant` cost the same;
// `twice` is slower than `growing` everywhere.

#include <benchmark/benchmark.h>
#include <cstdint>

static void rounds(benchmark::State& state, std::int64_t count) {
    for (auto _ : state) {
        std::uint64_t x = 1;
        for (std::int64_t i = 0; i < count; ++i) {
            x *= 0x9E3779B97F4A7C15u;
            benchmark::DoNotOptimize(x);
        }
    }
}

static void growing(benchmark::State& state) { rounds(state, state.range(0)); }
static void twice(benchmark::State& state) { rounds(state, 2 * state.range(0)); }
static void constant(benchmark::State& state) { rounds(state, 256); }

#define SIZES ->Arg(16)->Arg(64)->Arg(1024)->Arg(4096)
BENCHMARK(growing) SIZES;
BENCHMARK(twice) SIZES;
BENCHMARK(constant) SIZES;
BENCHMARK_MAIN();
