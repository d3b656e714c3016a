//! Measures the memory that each engine keeps for a collider after some ticks, its components included, beyond that of an app without an engine.
//!
//! ```text
//! cargo run --release --bin memory -- [COUNT]
//! ```

use std::alloc::System;

use rivals::{engines, workloads};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// After so many ticks, buffers have grown.
const TICKS: usize = 20;

fn main() {
    let count = std::env::args().nth(1);
    let count = count.map_or(100_000, |count| {
        count.parse().expect("a number of colliders")
    });
    println!("bytes for each of {count} colliders, beyond an app without an engine");
    for name in ["swarm", "mostly_static", "pushout"] {
        let workload = workloads::workload(name, count);
        let mut floor = 0;
        for engine in engines::NAMES {
            let before = kept();
            let Some(mut engine) = engines::engine(engine, &workload) else {
                continue;
            };
            for _ in 0..TICKS {
                engine.app.update();
            }
            let own = kept() - before;
            if engine.name == "floor" {
                floor = own;
            }
            let each = (own - floor) as f64 / count as f64;
            println!("{name:<14} {:<15} {each:>7.0}", engine.name);
        }
    }
}

/// Bytes that are allocated and not freed.
fn kept() -> isize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated as isize - stats.bytes_deallocated as isize
}
