//! The guard and the crowd, compared with asking each collider of the crowd by the kernel.

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Shape, cast_ray, closest_point, separation},
    prelude::*,
};

use crate::who_is_near::{
    self, Answers, BLAST, Blast, CROWD, Guard, VIEW, VIEW_COSINE, WALLS, Walker,
};

/// Returns the colliders on a layer with their places.
fn on_layer(app: &mut App, layer: u32) -> Vec<(Entity, Shape, Vec2)> {
    type Parts = (
        Entity,
        Option<&'static CircleCollider>,
        Option<&'static BoxCollider>,
        &'static Transform,
        &'static CollisionLayers,
    );
    let world = app.world_mut();
    let mut all = world.query::<Parts>();
    let of_layer = all.iter(world).filter(|parts| parts.4.memberships == layer);
    of_layer
        .map(|(entity, circle, rectangle, transform, _)| {
            let shape = match (circle, rectangle) {
                (Some(circle), _) => circle.shape(),
                (_, Some(rectangle)) => rectangle.shape(),
                _ => unreachable!("it has a collider"),
            };
            let place = transform.translation.truncate();
            (entity, shape.expect("valid"), place)
        })
        .collect()
}

fn has_clear_sight(walls: &[(Entity, Shape, Vec2)], from: Vec2, to: Vec2) -> bool {
    let is_hit = |(_, shape, place): &(Entity, Shape, Vec2)| {
        cast_ray(*shape, from - *place, to - from).is_some()
    };
    !walls.iter().any(is_hit)
}

#[test]
fn the_guard_sees_whom_asking_everybody_finds() {
    let mut app = common::rehearsal(&who_is_near::STAGE, who_is_near::scene);
    let mut seen_by_all = 0;
    for tick in 0..120_u32 {
        // The mouse goes around the guard, while the guard walks to the right.
        let (x, y) =
            [(600.0, 100.0), (300.0, 20.0), (20.0, 400.0), (500.0, 460.0)][tick as usize / 30];
        let step = common::Step {
            keys: &[KeyCode::ArrowRight],
            ..common::Step::mouse(1, x, y, false)
        };
        common::hold(&mut app, &step);
        let (crowd, walls) = (on_layer(&mut app, CROWD), on_layer(&mut app, WALLS));
        let world = app.world_mut();
        let mut guards = world.query::<(&Guard, &Transform)>();
        let (guard, transform) = guards.single(world).expect("one guard");
        let (facing, eye) = (guard.facing, transform.translation.truncate());
        let answers = world.resource::<Answers>();

        let gap = |shape: Shape, place: Vec2| separation(shape, Shape::POINT, eye - place).max(0.0);
        let least = crowd
            .iter()
            .map(|(_, shape, place)| gap(*shape, *place))
            .fold(f32::INFINITY, f32::min);
        let (nearest, point) = answers.nearest.expect("there is a crowd");
        let (_, shape, place) = crowd
            .iter()
            .find(|one| one.0 == nearest)
            .expect("it is of the crowd");
        assert_eq!(gap(*shape, *place), least, "tick {tick}");
        assert!((point.distance(eye) - least).abs() < 1.0e-3, "tick {tick}");

        let mut expected: Vec<Entity> = crowd
            .iter()
            .filter(|(_, shape, place)| {
                let nearest_point = *place + closest_point(*shape, eye - *place);
                let way = nearest_point - eye;
                gap(*shape, *place) <= VIEW
                    && way.dot(facing) >= VIEW_COSINE * way.length()
                    && has_clear_sight(&walls, eye, nearest_point)
            })
            .map(|one| one.0)
            .collect();
        let mut seen = answers.seen.clone();
        seen_by_all += seen.len();
        expected.sort_unstable();
        seen.sort_unstable();
        assert_eq!(seen, expected, "tick {tick}");
    }
    assert!(seen_by_all > 200, "{seen_by_all}");
}

#[test]
fn a_blast_takes_who_is_near_and_not_behind_a_wall() {
    let mut app = common::rehearsal(&who_is_near::STAGE, who_is_near::scene);
    common::hold(&mut app, &common::Step::keys(30, &[]));
    let (mut fallen, mut sheltered) = (0, 0);
    // Beside each of the four walls, and in the open.
    for (x, y) in [
        (90.0, 60.0),
        (-160.0, 140.0),
        (160.0, -90.0),
        (-120.0, -110.0),
        (0.0, -60.0),
    ] {
        let center = Vec2::new(x, y);
        let (crowd, walls) = (on_layer(&mut app, CROWD), on_layer(&mut app, WALLS));
        let falls = |shape: Shape, place: Vec2| {
            let is_near = separation(shape, Shape::POINT, center - place) <= BLAST;
            let nearest_point = place + closest_point(shape, center - place);
            (is_near, has_clear_sight(&walls, center, nearest_point))
        };
        let mut stay: Vec<Entity> = crowd
            .iter()
            .filter(|(_, shape, place)| falls(*shape, *place) != (true, true))
            .map(|one| one.0)
            .collect();
        sheltered += crowd
            .iter()
            .filter(|(_, shape, place)| falls(*shape, *place) == (true, false))
            .count();
        fallen += crowd.len() - stay.len();
        let pixels = common::to_pixels(center);
        common::hold(&mut app, &common::Step::mouse(2, pixels.x, pixels.y, true));
        common::hold(&mut app, &common::Step::keys(1, &[]));
        let mut left: Vec<Entity> = on_layer(&mut app, CROWD).iter().map(|one| one.0).collect();
        stay.sort_unstable();
        left.sort_unstable();
        assert_eq!(left, stay, "a blast at {center}");
        assert_eq!(app.world().resource::<Answers>().fallen, fallen);
    }
    assert!(fallen > 10 && sheltered > 0, "{fallen} {sheltered}");
}

#[test]
fn a_wall_is_no_place_for_a_blast() {
    let mut app = common::rehearsal(&who_is_near::STAGE, who_is_near::scene);
    for ((x, y), blasts) in [((60.0, 60.0), 0), ((60.0, 150.0), 1)] {
        let pixels = common::to_pixels(Vec2::new(x, y));
        common::hold(&mut app, &common::Step::mouse(2, pixels.x, pixels.y, true));
        common::hold(&mut app, &common::Step::keys(1, &[]));
        let world = app.world_mut();
        let count = world.query::<&Blast>().iter(world).count();
        assert_eq!(count, blasts, "at ({x}, {y})");
    }
}

/// The guard stands, and gives way to no walker, so those that bounce off it keep their speed.
#[test]
fn the_crowd_does_not_tire() {
    let mut app = common::rehearsal(&who_is_near::STAGE, who_is_near::scene);
    let energy = |app: &mut App| {
        let world = app.world_mut();
        let mut crowd = world.query_filtered::<&Velocity, With<Walker>>();
        let squares = crowd.iter(world);
        let squares = squares.map(|walker| f64::from(walker.0.length_squared()));
        squares.sum::<f64>()
    };
    common::hold(&mut app, &common::Step::keys(10, &[]));
    let before = energy(&mut app);
    common::hold(&mut app, &common::Step::keys(3590, &[]));
    let left = energy(&mut app) / before;
    assert!((left - 1.0).abs() < 0.02, "{left}");
}

#[test]
fn a_click_during_a_pause_sets_off_nothing() {
    let mut app = common::rehearsal(&who_is_near::STAGE, who_is_near::scene);
    common::hold(&mut app, &common::Step::keys(1, &[]));
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let pixels = common::to_pixels(Vec2::new(0.0, -60.0));
    common::hold(&mut app, &common::Step::mouse(2, pixels.x, pixels.y, true));
    let world = app.world_mut();
    assert_eq!(world.query::<&Blast>().iter(world).count(), 0);
}

#[test]
fn a_restart_brings_back_the_crowd_and_the_guard() {
    let mut app = common::rehearsal(&who_is_near::STAGE, who_is_near::scene);
    let all = |app: &mut App| {
        let mut all = on_layer(app, CROWD);
        all.extend(on_layer(app, WALLS));
        let mut places: Vec<[u32; 2]> = all
            .iter()
            .map(|(_, _, place)| place.to_array().map(f32::to_bits))
            .collect();
        places.sort_unstable();
        let world = app.world_mut();
        let mut guards = world.query_filtered::<&Transform, With<Guard>>();
        let guard = guards.single(world).expect("one guard").translation;
        (places, guard)
    };
    common::hold(&mut app, &common::Step::keys(1, &[]));
    let begins = all(&mut app);
    common::hold(&mut app, &common::Step::keys(60, &[KeyCode::ArrowLeft]));
    let pixels = common::to_pixels(Vec2::new(0.0, -60.0));
    common::hold(&mut app, &common::Step::mouse(1, pixels.x, pixels.y, true));
    assert!(app.world().resource::<Answers>().fallen > 0);
    assert_ne!(all(&mut app), begins);
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyR]));
    assert_eq!(app.world().resource::<Answers>().fallen, 0);
    assert_eq!(all(&mut app), begins);
}
