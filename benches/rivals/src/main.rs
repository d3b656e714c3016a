//! This crate, avian2d and bevy_rapier2d over the same colliders, tick by tick in turn, in one run.
//!
//! ```text
//! cargo run --release -- [--workloads swarm,clumped] [--counts 1000,10000] [--engines floor,bevy_nudge] [--ticks 20]
//! ```

mod engines;
#[path = "../../workloads/mod.rs"]
mod workloads;

use std::time::{Duration, Instant};

use engines::{Engine, engine};
use workloads::workload;

/// What to run.
struct Plan {
    workloads: Vec<String>,
    counts: Vec<usize>,
    engines: Vec<&'static str>,
    /// Measured, after [`WARM_UP`].
    ticks: usize,
}

/// Ticks before the first that counts: buffers grow, caches fill.
const WARM_UP: usize = 5;

fn main() -> Result<(), lexopt::Error> {
    let plan = read_arguments()?;
    println!(
        "ms for each update of the app: the median of {} ticks, and how many times that of bevy_nudge",
        plan.ticks
    );
    for name in &plan.workloads {
        for &count in &plan.counts {
            measure(&plan, name, count);
        }
    }
    Ok(())
}

fn measure(plan: &Plan, name: &str, count: usize) {
    let workload = workload(name, count);
    let mut engines: Vec<Engine> = plan
        .engines
        .iter()
        .filter_map(|name| engine(name, &workload))
        .collect();
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); engines.len()];
    for tick in 0..WARM_UP + plan.ticks {
        for (engine, times) in engines.iter_mut().zip(&mut times) {
            let start = Instant::now();
            engine.app.update();
            if tick >= WARM_UP {
                times.push(start.elapsed());
            }
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    let own = engines
        .iter()
        .position(|engine| engine.name == "bevy_nudge");
    let own = own.map_or(f64::NAN, |at| medians[at]);
    println!("\n{name}, {count}");
    for (engine, median) in engines.iter_mut().zip(&medians) {
        let left = if workload.is_solid {
            format!(", {} left deeper than 0.05", engine.deeper_than(0.05))
        } else {
            String::new()
        };
        println!(
            "  {:<15} {median:>9.3} ms {:>7.2} x {:>8} pairs{left}",
            engine.name,
            median / own,
            engine.pairs()
        );
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

fn read_arguments() -> Result<Plan, lexopt::Error> {
    use lexopt::prelude::*;
    let mut plan = Plan {
        workloads: workloads::NAMES.map(str::to_owned).to_vec(),
        counts: vec![1_000, 10_000, 100_000],
        engines: engines::NAMES.to_vec(),
        ticks: 20,
    };
    let list = |value: std::ffi::OsString| -> Result<Vec<String>, lexopt::Error> {
        Ok(value.string()?.split(',').map(str::to_owned).collect())
    };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("workloads") => plan.workloads = list(arguments.value()?)?,
            Long("counts") => {
                let counts = list(arguments.value()?)?;
                plan.counts = counts
                    .iter()
                    .map(|count| count.parse().map_err(|_| format!("not a count: {count}")))
                    .collect::<Result<_, _>>()?;
            }
            Long("engines") => {
                let wanted = list(arguments.value()?)?;
                plan.engines
                    .retain(|name| wanted.iter().any(|one| one == name));
            }
            Short('h') | Long("help") => {
                println!(
                    "--workloads A,B  of {}\n--counts N,M     of colliders\n--engines A,B    of {}\n--ticks N        to measure",
                    workloads::NAMES.join(", "),
                    engines::NAMES.join(", ")
                );
                std::process::exit(0);
            }
            Long("ticks") => plan.ticks = arguments.value()?.parse()?,
            other => return Err(other.unexpected()),
        }
    }
    Ok(plan)
}
