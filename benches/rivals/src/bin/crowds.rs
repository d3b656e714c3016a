//! Measures how long a tick of this crate takes where bodies press each other, which no workload of `rivals` has: the median, the last and the longest tick, in milliseconds.
//!
//! ```text
//! cargo run --release --bin crowds -- [COUNT [PART OF A NAME]]
//! ```

use std::time::Instant;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::prelude::*;

const TICKS: usize = 1000;

fn main() {
    let count = std::env::args().nth(1);
    let count = count.map_or(1000, |count| count.parse().expect("a number of bodies"));
    println!("ms for each of {TICKS} updates with {count} bodies");
    let only = std::env::args().nth(2).unwrap_or_default();
    for (name, build) in [
        ("enemies walk to the player", enemies as fn(usize) -> App),
        ("square ones with a velocity", squares),
        ("crates fall on a heap", heap),
        ("balls fall into a shaft", shaft),
        ("a room is too small for all", room),
        ("all spawn in one point", |count| burst(count, 0.0)),
        ("all spawn in a small place", |count| burst(count, 10.0)),
    ] {
        if !name.contains(&only) {
            continue;
        }
        let mut app = build(count);
        let mut times: Vec<f64> = (0..TICKS)
            .map(|_| {
                let start = Instant::now();
                app.update();
                start.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        let last = times[TICKS - 1];
        times.sort_by(f64::total_cmp);
        let (median, longest) = (times[TICKS / 2], times[TICKS - 1]);
        println!("{name:<28} median {median:>8.3}, last {last:>8.3}, longest {longest:>8.3}");
    }
}

/// Walks to the middle of the world by its velocity.
#[derive(Component)]
struct Seeks;

fn seek(mut bodies: Query<(&Transform, &mut Velocity), With<Seeks>>) {
    for (transform, mut velocity) in &mut bodies {
        let way = -transform.translation.truncate();
        velocity.0 = way.clamp_length(0.0, 1.5) * 60.0;
    }
}

/// An app with one tick of a sixtieth of a second in each update.
fn app() -> App {
    let mut app = App::new();
    let plugin = CollisionPlugin::default();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .add_systems(FixedUpdate, (walk, seek, fall));
    app.finish();
    app.cleanup();
    app
}

/// Walks to the middle of the world by its `Transform`.
#[derive(Component)]
struct Walks;

fn walk(mut bodies: Query<&mut Transform, With<Walks>>) {
    for mut transform in &mut bodies {
        let step = -transform.translation.clamp_length(0.0, 1.5);
        transform.translation += step;
    }
}

fn fall(mut bodies: Query<&mut Velocity, Without<Seeks>>) {
    for mut velocity in &mut bodies {
        velocity.0.y -= 15.0;
    }
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

fn wall(app: &mut App, from: (f32, f32), to: (f32, f32)) {
    let collider = BoxCollider::from_corners(from.into(), to.into());
    app.world_mut().spawn((collider, Body::Static));
}

/// Coins that burst from a chest.
fn burst(count: usize, radius: f32) -> App {
    let mut random = fastrand::Rng::with_seed(5);
    let mut app = app();
    for _ in 0..count {
        let direction = Vec2::from_angle(random.f32() * std::f32::consts::TAU);
        let place = direction * (random.f32().sqrt() * radius);
        app.world_mut()
            .spawn((CircleCollider::new(6.0), at(place.x, place.y)));
    }
    app
}

fn enemies(count: usize) -> App {
    scattered(count, 1, || (CircleCollider::new(6.0), Walks))
}

fn squares(count: usize) -> App {
    scattered(count, 6, || {
        (BoxCollider::square(12.0), Velocity::default(), Seeks)
    })
}

/// Bodies scattered over a field in which each has room.
fn scattered<B: Bundle>(count: usize, seed: u64, body: impl Fn() -> B) -> App {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut app = app();
    let width = 36.0 * (count as f32).sqrt();
    for _ in 0..count {
        let [x, y] = [(); 2].map(|()| (random.f32() - 0.5) * width);
        app.world_mut().spawn((body(), at(x, y)));
    }
    app
}

fn heap(count: usize) -> App {
    let mut random = fastrand::Rng::with_seed(2);
    let mut app = app();
    let side = (count as f32).sqrt() as usize;
    wall(&mut app, (-4000.0, -20.0), (4000.0, 0.0));
    for number in 0..count {
        let x = (number % side) as f32 * 16.5 + random.f32() * 0.4;
        let place = at(x, 8.0 + (number / side) as f32 * 17.0);
        app.world_mut()
            .spawn((BoxCollider::square(16.0), Velocity::default(), place));
    }
    app
}

fn shaft(count: usize) -> App {
    let mut random = fastrand::Rng::with_seed(3);
    let mut app = app();
    wall(&mut app, (-220.0, -20.0), (220.0, 0.0));
    wall(&mut app, (-220.0, 0.0), (-190.0, 1.0e4));
    wall(&mut app, (190.0, 0.0), (220.0, 1.0e4));
    for number in 0..count {
        let ball = CircleCollider::new(6.0 + random.f32() * 3.0);
        let x = (number % 20) as f32 * 18.0 - 171.0 + random.f32();
        let place = at(x, 12.0 + (number / 20) as f32 * 19.0);
        app.world_mut().spawn((ball, Velocity::default(), place));
    }
    app
}

/// A room with two thirds of the space that the bodies in it need.
fn room(count: usize) -> App {
    let mut random = fastrand::Rng::with_seed(4);
    let mut app = app();
    let half = 4.3 * (count as f32).sqrt();
    for (from, to) in [
        ((-half - 20.0, -half - 20.0), (half + 20.0, -half)),
        ((-half - 20.0, half), (half + 20.0, half + 20.0)),
        ((-half - 20.0, -half), (-half, half)),
        ((half, -half), (half + 20.0, half)),
    ] {
        wall(&mut app, from, to);
    }
    for _ in 0..count {
        let [x, y] = [(); 2].map(|()| (random.f32() - 0.5) * 1.9 * half);
        app.world_mut().spawn((CircleCollider::new(6.0), at(x, y)));
    }
    app
}
