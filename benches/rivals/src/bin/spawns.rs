//! Tests whether crowds that spawn on top of each other between walls come apart, and how long that takes.
//!
//! ```text
//! cargo run --release --bin spawns -- [PART OF A NAME [PART OF THE PLACE THAT THEY COVER]]
//! ```

use std::time::{Duration, Instant};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::{
    kernel::{Shape, separation},
    prelude::*,
};

/// The numbers of ticks after which the overlaps are counted.
const ASKED: [usize; 3] = [1, 2, 9];
const COUNTS: [usize; 3] = [30, 120, 500];
const COVERED: [f32; 3] = [0.4, 0.6, 0.75];
/// How many seeds. In every second world all bodies have one size; in every third, all are circles; and every six worlds, the bodies spawn in a larger part of the place.
const WORLDS: u64 = 24;
const SPAWNED_IN: [f32; 4] = [0.1, 0.3, 0.6, 1.0];
/// A depth less than this, in world units, counts as apart.
const FREE: f32 = 0.01;
const WALL: f32 = 16.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Room,
    Corridor,
    /// A corner that is open on two sides.
    Corner,
    /// A room with pillars.
    Pillars,
    /// A room whose walls are tiles.
    Tiles,
}

/// The counts over some worlds.
#[derive(Default)]
struct Tally {
    /// For each of [`ASKED`]: the number of worlds in which bodies overlap, and the sum of the depths in all of these.
    late: [(usize, f32); ASKED.len()],
    /// How many bodies are outside of the walls.
    escaped: usize,
    total: Duration,
    longest: Duration,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let only = arguments.next().unwrap_or_default();
    let covered = arguments
        .next()
        .map(|part| part.parse().expect("a part of 1"));
    println!(
        "place, part of it that is covered, bodies: worlds, and of these after 1, 2 and 9 ticks those in which some overlap, by so many units in all; and ms a tick"
    );
    for place in [
        Place::Room,
        Place::Corridor,
        Place::Corner,
        Place::Pillars,
        Place::Tiles,
    ] {
        let name = format!("{place:?}").to_lowercase();
        if !name.contains(&only) {
            continue;
        }
        for part in covered.map_or(COVERED.to_vec(), |part| vec![part]) {
            for count in COUNTS {
                let mut tally = Tally::default();
                (0..WORLDS).for_each(|seed| tally.add(place, part, count, seed));
                let late = tally
                    .late
                    .map(|(worlds, units)| format!("{worlds:>3} ({units:.0})"));
                let ticks = WORLDS as usize * ASKED[ASKED.len() - 1];
                println!(
                    "{name:<9} {part:.2} {count:>4}: {WORLDS}, {}; {:.2}, longest {:.1}; {} outside",
                    late.join(" "),
                    tally.total.as_secs_f64() * 1000.0 / ticks as f64,
                    tally.longest.as_secs_f64() * 1000.0,
                    tally.escaped
                );
            }
        }
    }
}

impl Tally {
    fn add(&mut self, place: Place, part: f32, count: usize, seed: u64) {
        let (mut app, size) = world(place, part, count, seed);
        // No time passes in the first update.
        app.update();
        for tick in 1..=ASKED[ASKED.len() - 1] {
            let start = Instant::now();
            app.update();
            let time = start.elapsed();
            self.total += time;
            self.longest = self.longest.max(time);
            if let Some(at) = ASKED.iter().position(|asked| *asked == tick) {
                let deep = depths(app.world_mut());
                self.late[at].0 += usize::from(deep > 0.0);
                self.late[at].1 += deep;
            }
        }
        if place != Place::Corner {
            let mut bodies = app.world_mut().query::<(&Transform, &Body)>();
            let bodies = bodies
                .iter(app.world())
                .filter(|(_, body)| **body != Body::Static);
            let places = bodies.map(|(transform, _)| transform.translation.truncate());
            self.escaped += places
                .filter(|at| at.min_element() < 0.0 || at.x > size.x || at.y > size.y)
                .count();
        }
    }
}

/// Returns the sum of the depths of all pairs that overlap.
fn depths(world: &mut World) -> f32 {
    let mut colliders = world.query::<(
        &Transform,
        Option<&CircleCollider>,
        Option<&BoxCollider>,
        &Body,
    )>();
    let all: Vec<(Vec2, Shape, bool)> = colliders
        .iter(world)
        .filter_map(|(transform, circle, rectangle, body)| {
            let at = transform.translation.truncate();
            let (offset, shape) = match (circle, rectangle) {
                (Some(circle), _) => (circle.offset, circle.shape()),
                (_, Some(rectangle)) => (rectangle.offset, rectangle.shape()),
                _ => return None,
            };
            Some((
                at + offset,
                shape.expect("a size of this bench"),
                *body == Body::Static,
            ))
        })
        .collect();
    let mut sum = 0.0;
    for (number, &(a, shape_a, is_wall_a)) in all.iter().enumerate() {
        for &(b, shape_b, is_wall_b) in &all[..number] {
            let depth = -separation(shape_a, shape_b, b - a);
            if depth > FREE && !(is_wall_a && is_wall_b) {
                sum += depth;
            }
        }
    }
    sum
}

/// Returns an app with so many bodies in a part of a place, and the size of the place.
fn world(place: Place, part: f32, count: usize, seed: u64) -> (App, Vec2) {
    let mut random = fastrand::Rng::with_seed(seed * 31 + count as u64);
    let shapes: Vec<(f32, bool)> = (0..count)
        .map(|number| {
            let half = if seed % 2 == 1 {
                2.0 + 4.0 * random.f32()
            } else {
                4.0
            };
            (half, seed.is_multiple_of(3) || number % 2 == 1)
        })
        .collect();
    let area = shapes
        .iter()
        .map(|(half, is_round)| half * half * if *is_round { std::f32::consts::PI } else { 4.0 });
    let area = area.sum::<f32>() / part;
    let size = match place {
        Place::Corridor => Vec2::new(24.0, area / 24.0),
        Place::Tiles => Vec2::splat((area.sqrt() / WALL).ceil() * WALL),
        _ => Vec2::splat(area.sqrt()),
    };
    let mut app = app();
    build(&mut app, place, size);
    let room = size * SPAWNED_IN[(seed / 6) as usize % SPAWNED_IN.len()];
    for (half, is_round) in shapes {
        let at = Vec2::new(random.f32(), random.f32()) * room;
        let at = at.clamp(Vec2::splat(half), size - half).extend(0.0);
        let transform = Transform::from_translation(at);
        if is_round {
            app.world_mut()
                .spawn((CircleCollider::new(half), transform));
        } else {
            app.world_mut()
                .spawn((BoxCollider::square(2.0 * half), transform));
        }
    }
    (app, size)
}

/// An app with one tick in each update.
fn app() -> App {
    let mut app = App::new();
    let plugin = CollisionPlugin::default();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app
}

/// Builds the walls around a place that begins at the origin.
fn build(app: &mut App, place: Place, size: Vec2) {
    let mut wall = |from: Vec2, to: Vec2| {
        let collider = BoxCollider::from_corners(from, to);
        app.world_mut().spawn((collider, Body::Static));
    };
    let (low, high) = (Vec2::splat(-WALL), size + WALL);
    if place == Place::Tiles {
        let count = (size / WALL).as_ivec2();
        for x in -1..=count.x {
            for y in -1..=count.y {
                let corner = Vec2::new(x as f32, y as f32) * WALL;
                if x == -1 || y == -1 || x == count.x || y == count.y {
                    wall(corner, corner + WALL);
                }
            }
        }
        return;
    }
    wall(low, Vec2::new(high.x, 0.0));
    wall(low, Vec2::new(0.0, high.y));
    if place != Place::Corner {
        wall(Vec2::new(low.x, size.y), high);
        wall(Vec2::new(size.x, low.y), high);
    }
    if place == Place::Pillars {
        let count = (size.x / 60.0) as usize;
        for x in 1..=count {
            for y in 1..=count {
                let middle = Vec2::new(x as f32, y as f32) * (size / (count + 1) as f32);
                wall(middle - 3.0, middle + 3.0);
            }
        }
    }
}
