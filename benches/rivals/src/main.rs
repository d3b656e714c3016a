//! Runs this crate, avian2d and bevy_rapier2d over the same colliders, tick by tick in turn, in one run.
//!
//! ```text
//! cargo run --release --bin rivals -- [--workloads swarm,clumped] [--counts 1000,10000] [--engines floor,bevy_nudge] [--ticks 20] [--plot rivals.svg] [--stages] [--threads 2]
//! ```

mod plot;

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use bevy::{
    app::App,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};
use plot::Point;
use rivals::{
    engines::{self, Engine, Stages, clock_stages, engine},
    workloads::{self, is_run_with, workload},
};

/// What to run.
struct Plan {
    workloads: Vec<String>,
    counts: Vec<usize>,
    engines: Vec<&'static str>,
    /// How many ticks are measured, after those for warming up.
    ticks: usize,
    /// The file for a plot of the results.
    plot: Option<PathBuf>,
    /// Whether to print how long the stages of this crate's tick take.
    stages: bool,
}

/// The stages of this crate's tick.
const STAGES: [&str; 5] = ["gather", "sweep", "detect", "resolve", "report"];

fn main() -> Result<ExitCode, lexopt::Error> {
    let plan = read_arguments()?;
    let mut points = Vec::new();
    let mut are_all_alike = true;
    println!(
        "ms for each update of the app: the median of {} ticks, and how many times that of bevy_nudge",
        plan.ticks
    );
    for name in &plan.workloads {
        for &count in plan
            .counts
            .iter()
            .filter(|count| is_run_with(name, **count))
        {
            let (measured, are_alike) = measure(&plan, name, count);
            points.extend(measured);
            are_all_alike &= are_alike;
        }
    }
    if let Some(path) = &plan.plot {
        plot::draw(path, &plan.workloads, &points)
            .map_err(|error| lexopt::Error::Custom(error.to_string().into()))?;
        println!("\ndrawn to {}", path.display());
    }
    if !are_all_alike {
        eprintln!("\nwho is marked by ! has found other pairs, so these do not do the same work");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures one workload. Also returns whether all engines found the same pairs, where they should.
fn measure(plan: &Plan, name: &str, count: usize) -> (Vec<Point>, bool) {
    let workload = workload(name, count);
    let mut engines: Vec<Engine> = plan
        .engines
        .iter()
        .filter_map(|name| engine(name, &workload))
        .collect();
    let own = engines
        .iter()
        .position(|engine| engine.name == "bevy_nudge");
    if let Some(own) = own.filter(|_| plan.stages) {
        clock_stages(&mut engines[own].app);
    }
    let mut stages: [Vec<Duration>; STAGES.len()] = Default::default();
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); engines.len()];
    // Ticks before the first one that counts: buffers grow, and caches fill.
    let warm_up = workload.warm_up();
    for tick in 0..warm_up + plan.ticks {
        for (engine, times) in engines.iter_mut().zip(&mut times) {
            let start = Instant::now();
            engine.app.update();
            if tick >= warm_up {
                times.push(start.elapsed());
                for (times, time) in stages.iter_mut().zip(stage_times(&engine.app)) {
                    times.push(time);
                }
            }
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    let own_pairs = own.map(|at| engines[at].pairs());
    let own = own.map_or(f64::NAN, |at| medians[at]);
    let mut are_alike = true;
    println!("\n{name}, {count}");
    for (engine, median) in engines.iter_mut().zip(&medians) {
        let left = if workload.is_solid {
            let [much, little] = [0.05, 0.01].map(|depth| engine.deeper_than(depth));
            format!(", {much} left deeper than 0.05, {little} than 0.01")
        } else {
            String::new()
        };
        let pairs = engine.pairs();
        // Where nothing is pushed, all engines have the same world to find pairs in. Counts may differ by pairs that just touch, because of rounding, and by a tick: bevy_rapier2d uses the places of kinematic bodies of the tick before.
        let may_be_other = |own: i64| (own / 100).max(2 * own.max(0).isqrt());
        let is_alike = |own: i64| (pairs - own).abs() <= may_be_other(own);
        let is_compared = !workload.is_solid && engine.name != "floor";
        let is_other = is_compared && !own_pairs.is_none_or(is_alike);
        are_alike &= !is_other;
        let mark = if is_other { "!" } else { "" };
        let pace = if workload.bounces() {
            format!(", {:.1} a tick", engine.pace())
        } else {
            String::new()
        };
        let inside = if workload.by_velocity {
            let (inside, all) = engine.inside();
            format!(", {inside} of {all} inside")
        } else {
            String::new()
        };
        println!(
            "  {:<15} {median:>9.3} ms {:>7.2} x {pairs:>8} pairs{mark}{left}{pace}{inside}",
            engine.name,
            median / own,
        );
    }
    if plan.stages {
        for (name, times) in STAGES.iter().zip(&mut stages) {
            println!("    {name:<13} {:>9.3} ms", median(times));
        }
    }
    let measured = engines.iter().zip(medians);
    let points = measured.map(|(engine, ms)| Point {
        workload: name.to_owned(),
        engine: engine.name,
        count,
        ms,
    });
    (points.collect(), are_alike)
}

/// Returns how long the stages of the newest tick took, for an app that records their times.
fn stage_times(app: &App) -> impl Iterator<Item = Duration> {
    let stages = app.world().get_resource::<Stages>();
    let instants = stages.map_or(&[][..], |stages| &stages.0);
    instants.windows(2).map(|two| two[1] - two[0])
}

fn median(times: &mut [Duration]) -> f64 {
    if times.is_empty() {
        return f64::NAN;
    }
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
        plot: None,
        stages: false,
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
                    "--workloads A,B  of {}\n--counts N,M     of colliders\n--engines A,B    of {}\n--ticks N        to measure\n--plot FILE.svg  draws time against count\n--stages         of bevy_nudge, apart\n--threads N      for bevy's pool; built with `--features threads`",
                    workloads::NAMES.join(", "),
                    engines::NAMES.join(", ")
                );
                std::process::exit(0);
            }
            Long("threads") => {
                let threads = arguments.value()?.parse()?;
                let pool = || TaskPoolBuilder::new().num_threads(threads).build();
                ComputeTaskPool::get_or_init(pool);
            }
            Long("plot") => plan.plot = Some(arguments.value()?.into()),
            Long("stages") => plan.stages = true,
            Long("ticks") => plan.ticks = arguments.value()?.parse()?,
            other => return Err(other.unexpected()),
        }
    }
    Ok(plan)
}
