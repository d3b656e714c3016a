//! The same map made of one box for each cell, of rows, and of merged tiles: bodies move through all of them in the same way.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{
    prelude::*,
    query::{MoveOptions, Moved, Mover, Surface},
    tiles::TileColliders,
};

use crate::common::{app, at, place, take, tick};

const CELL: f32 = 8.0;
/// Cells on each side, including the border.
const SIDE: i32 = 18;
const SIZES: [f32; 6] = [4.0, 6.0, 7.0, 7.9, 8.0, 12.0];

/// What a map is built of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Walls {
    Cells,
    Rows,
    Merged,
}

const WALLS: [Walls; 3] = [Walls::Cells, Walls::Rows, Walls::Merged];

/// Returns the filled cells, row by row.
fn map(random: &mut fastrand::Rng) -> Vec<IVec2> {
    let cells = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| IVec2::new(x, y)));
    cells
        .filter(|cell| {
            let is_border = cell.min_element() == 0 || cell.max_element() == SIDE - 1;
            is_border || random.u32(0..8) == 0
        })
        .collect()
}

fn build(app: &mut App, cells: &[IVec2], walls: Walls) {
    let mut spawn_row = |row: &[IVec2]| {
        let size = Vec2::new(row.len() as f32, 1.0) * CELL;
        let middle = row[0].as_vec2() * CELL + size * 0.5;
        let collider = BoxCollider::new(size.x, size.y);
        let place = at(middle.x, middle.y);
        app.world_mut().spawn((collider, Body::Static, place));
    };
    match walls {
        Walls::Cells => cells.chunks(1).for_each(spawn_row),
        Walls::Rows => cells
            .chunk_by(|a, b| *b == *a + IVec2::X)
            .for_each(&mut spawn_row),
        Walls::Merged => {
            let cells = cells.iter().copied();
            let tiles = TileColliders::from_cells(Vec2::splat(CELL), cells);
            app.world_mut().spawn(tiles);
        }
    }
}

/// Returns a place where a box of this size overlaps no cell, mostly with whole coordinates.
fn free_place(random: &mut fastrand::Rng, cells: &[IVec2], size: f32) -> Vec2 {
    loop {
        let mut along = || {
            let place = CELL + random.f32() * CELL * (SIDE - 2) as f32;
            if random.u32(0..3) > 0 {
                place.round()
            } else {
                place
            }
        };
        let place = Vec2::new(along(), along());
        let is_free = |cell: &IVec2| {
            let offset = cell.as_vec2() * CELL + CELL * 0.5 - place;
            offset.abs().max_element() >= (size + CELL) * 0.5
        };
        if cells.iter().all(is_free) {
            return place;
        }
    }
}

/// Returns a step of up to this much on each axis, mostly a round fraction of it.
fn step(random: &mut fastrand::Rng, most: f32) -> Vec2 {
    let mut along = || match random.u32(0..4) {
        0 => 0.0,
        1 => (random.f32() * 2.0 - 1.0) * most,
        _ => (random.u32(0..9) as f32 - 4.0) * 0.25 * most,
    };
    Vec2::new(along(), along())
}

fn spawn(app: &mut App, body: Body, (place, size): (Vec2, f32), is_round: bool) -> Entity {
    let mut entity = app.world_mut().spawn((body, at(place.x, place.y)));
    if is_round {
        entity.insert(CircleCollider::new(size * 0.5));
    } else {
        entity.insert(BoxCollider::square(size));
    }
    entity.id()
}

fn put(app: &mut App, body: Entity, to: Vec2) {
    let mut entity = app.world_mut().entity_mut(body);
    let mut transform = entity.get_mut::<Transform>().expect("it has one");
    transform.translation = to.extend(0.0);
}

/// Returns the surfaces that were hit, without their entities.
fn surfaces(moved: &Moved) -> Vec<([i32; 2], Surface)> {
    let surfaces = moved.hits.iter().map(|hit| {
        let normal = (hit.normal * 1000.0).round().as_ivec2();
        (normal.to_array(), hit.surface)
    });
    let mut surfaces: Vec<_> = surfaces.collect();
    // Two cells may belong to one surface.
    surfaces.dedup();
    surfaces
}

#[test]
fn a_mover_goes_the_same_way() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut hits = 0;
    for number in 0..100 {
        let cells = map(&mut random);
        let size = SIZES[random.usize(0..SIZES.len())];
        let is_round = random.u32(0..3) == 0;
        let mut place = free_place(&mut random, &cells, size);
        let options = MoveOptions {
            up: Some([Vec2::Y, Vec2::ZERO][random.usize(0..2)]),
            floor_snap_length: [0.0, 2.0][random.usize(0..2)],
            corner_correction: [0.0, 0.0, 2.0][random.usize(0..3)],
            ..default()
        };
        let mut worlds = WALLS.map(|walls| {
            let mut app = app();
            build(&mut app, &cells, walls);
            let body = spawn(&mut app, Body::Kinematic, (place, size), is_round);
            tick(&mut app);
            (app, body)
        });
        for step_number in 0..30 {
            let mut motion = step(&mut random, 6.0);
            if random.bool() {
                motion.y = motion.y.min(0.0) - 1.0;
            }
            let ways = worlds.each_mut().map(|(app, body)| {
                let body = *body;
                let go = move |mover: Mover| mover.project(body, place, motion, &options);
                let moved = app.world_mut().run_system_once(go);
                moved.expect("it runs").expect("it is a body")
            });
            let [first, others @ ..] = &ways;
            for (walls, other) in WALLS[1..].iter().zip(others) {
                let is_same = first.position.distance(other.position) < 0.005
                    && first.motion.distance(other.motion) < 0.005
                    && first.floor == other.floor
                    && surfaces(first) == surfaces(other);
                assert!(
                    is_same,
                    "map {number}, step {step_number}, {walls:?}: {size} (round: {is_round}) from {place} by {motion}: {first:?} or {other:?}"
                );
            }
            hits += first.hits.len();
            place = first.position;
        }
    }
    assert!(hits > 700, "{hits}");
}

#[test]
fn who_is_pushed_ends_in_the_same_place() {
    let mut random = fastrand::Rng::with_seed(3);
    let (mut compared, mut pushed) = (0, 0);
    for number in 0..60 {
        let cells = map(&mut random);
        let mut worlds = WALLS.map(|walls| {
            let mut app = app();
            build(&mut app, &cells, walls);
            (app, Vec::new())
        });
        for _ in 0..random.usize(1..5) {
            let size = SIZES[random.usize(0..SIZES.len())];
            let place = free_place(&mut random, &cells, size);
            let is_round = random.u32(0..4) == 0;
            for (app, bodies) in &mut worlds {
                bodies.push(spawn(app, Body::Dynamic, (place, size), is_round));
            }
        }
        for tick_number in 0..16 {
            let bodies = worlds[0].1.iter();
            let wishes = bodies.map(|&body| place(&worlds[0].0, body) + step(&mut random, 2.0));
            let wishes: Vec<Vec2> = wishes.collect();
            let ends = worlds.each_mut().map(|(app, bodies)| {
                for (body, to) in bodies.iter().zip(&wishes) {
                    put(app, *body, *to);
                }
                tick(app);
                let places: Vec<Vec2> = bodies.iter().map(|&body| place(app, body)).collect();
                (places, take::<Crushed>(app).is_empty())
            });
            // In the first tick bodies may overlap each other; and there is no right place for a crushed body.
            if tick_number == 0 || ends.iter().any(|(_, is_free)| !is_free) {
                continue;
            }
            let [(first, _), others @ ..] = &ends;
            for (walls, (other, _)) in WALLS[1..].iter().zip(others) {
                for (body, (a, b)) in first.iter().zip(other).enumerate() {
                    assert!(
                        a.distance(*b) < 0.005,
                        "map {number}, tick {tick_number}, {walls:?}: {body} to {}: {a} or {b}",
                        wishes[body]
                    );
                }
            }
            compared += 1;
            pushed += first.iter().zip(&wishes).filter(|(a, b)| a != b).count();
        }
    }
    assert!(compared > 600 && pushed > 200, "{compared} {pushed}");
}
