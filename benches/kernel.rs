//! Measures the kernel's functions on one pair at a time, over 4096 pairs of the swarm, somewhat less than half of which meet.

use std::hint::black_box;

use bevy::math::Vec2;
use bevy_nudge::kernel::{Shape, cast_shape, contact, overlaps, separation, touches};
use bevy_nudge_benches::workloads::workload;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const PAIRS: usize = 4096;

type Pair = (Shape, Shape, Vec2);

fn pairs() -> Vec<Pair> {
    let specs = workload("swarm", 2 * PAIRS).specs;
    let mut random = fastrand::Rng::with_seed(7);
    let pairs = specs.chunks_exact(2).map(|two| {
        let mut part = || (random.f32() - 0.5) * 24.0;
        let offset = Vec2::new(part(), part());
        (two[0].shape(), two[1].shape(), offset)
    });
    pairs.collect()
}

fn kernel(criterion: &mut Criterion) {
    let pairs = pairs();
    let motion = Vec2::new(30.0, 10.0);
    let mut group = criterion.benchmark_group("kernel");
    group.throughput(Throughput::Elements(PAIRS as u64));
    let mut bench = |name: &str, ask: &dyn Fn(Pair) -> bool| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| pairs.iter().filter(|pair| ask(black_box(**pair))).count());
        });
    };
    bench("touches", &|(a, b, offset)| touches(a, b, offset));
    bench("overlaps", &|(a, b, offset)| overlaps(a, b, offset));
    bench("separation", &|(a, b, offset)| {
        separation(a, b, offset) > 1.0
    });
    bench("contact", &|(a, b, offset)| contact(a, b, offset).is_some());
    bench("cast_shape", &|(a, b, offset)| {
        cast_shape(a, b, offset, motion).is_some()
    });
    group.finish();
}

criterion_group!(benches, kernel);
criterion_main!(benches);
