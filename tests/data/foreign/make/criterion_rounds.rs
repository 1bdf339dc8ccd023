//! Rounds of a multiplication: always 256, or as many as the size says. Run it with `cargo bench`
//! (criterion 0.3, no default features). They cost the same at 256, so the first is slower below.

use criterion::{black_box, criterion_group, criterion_main, BenchmarkId, Criterion};
use std::time::Duration;

fn rounds(count: u64) -> u64 {
    (0..count).fold(1, |x, _| black_box(x).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rounds");
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_millis(500));
    for n in [16u64, 64, 1024, 4096] {
        group.bench_with_input(BenchmarkId::new("growing", n), &n, |b, &n| b.iter(|| rounds(n)));
        group.bench_with_input(BenchmarkId::new("constant", n), &n, |b, _| b.iter(|| rounds(256)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
