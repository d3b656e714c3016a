//! Finds all overlapping pairs of boxes of a workload: the boxes that move are passed anew each time, those that stand still are kept.

use bevy_nudge::broad_phase::{BroadPhase, Extent, Found};
use bevy_nudge_benches::workloads::{NAMES, Spec, workload};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn extent(spec: &Spec) -> Extent {
    let half = spec.size * 0.5;
    Extent {
        min: [spec.x - half, spec.y - half],
        max: [spec.x + half, spec.y + half],
    }
}

/// Workloads that start like another one, and differ only in how they go on.
const LIKE_OTHERS: [&str; 3] = ["swarm_pass", "swarm_bounce", "horde_seek"];

fn broad_phase(criterion: &mut Criterion) {
    for name in NAMES.iter().filter(|name| !LIKE_OTHERS.contains(name)) {
        let mut group = criterion.benchmark_group(format!("broad_phase/{name}"));
        for count in [50, 1_000, 10_000, 100_000] {
            let specs = workload(name, count).specs;
            let boxes = |is_static: bool| -> Vec<(Extent, u32)> {
                let numbered = (0_u32..).zip(&specs);
                numbered
                    .filter(|(_, spec)| spec.is_static == is_static)
                    .map(|(number, spec)| (extent(spec), number))
                    .collect()
            };
            let mut broad_phase = BroadPhase::default();
            broad_phase.set_still(&boxes(true));
            let moving = boxes(false);
            let mut found = Found::default();
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                bencher.iter(|| {
                    broad_phase.find(&moving, |a, b| Some((a.1, b.1)), &mut found);
                    found.iter().count()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, broad_phase);
criterion_main!(benches);
