//! Rows of bodies that are pushed from one end, here and far away.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take};

/// Spawns boxes of this size, each this far from the one before it, the first one so far from `start`.
fn row(app: &mut App, start: f32, spacing: f32, size: f32, count: u16) -> Vec<Entity> {
    let places = (1..=count).map(|number| start + spacing * f32::from(number));
    places
        .map(|x| {
            let one = (BoxCollider::square(size), at(x, 0.0));
            app.world_mut().spawn(one).id()
        })
        .collect()
}

/// Each crate closes its gap before it pushes the next one, so the push walks along the row by a crate in each round, and becomes only a little less.
#[test]
fn a_row_with_small_gaps_is_pushed_to_its_end() {
    for (gap, push, count) in [
        (0.01, 5.0, 30),
        (0.002, 5.0, 30),
        (0.005, 4.0, 30),
        (0.01, 5.0, 200),
    ] {
        let mut app = app();
        let crates = row(&mut app, 0.0, 16.0 + gap, 16.0, count);
        let pusher = (BoxCollider::square(16.0), Body::Kinematic, at(push, 0.0));
        app.world_mut().spawn(pusher);
        app.update();
        for (number, one) in (1_u16..).zip(crates) {
            let expected = Vec2::new(push + 16.0 * f32::from(number), 0.0);
            let case = format!("gaps of {gap}, pushed by {push}, {number} of {count}");
            let off = place(&app, one).distance(expected);
            assert!(off < 0.01, "{case}: {}", place(&app, one));
        }
        assert_eq!(take::<Crushed>(&mut app), [], "gaps of {gap}");
    }
}

/// There, neighboring floats are 1/512 or 1/128 apart, so that boxes of these sizes are flush only to within a gap of more than a thousandth.
#[test]
fn far_away_a_flush_row_is_pushed_as_one() {
    for (start, spacing, count, push) in [
        (0.0, 15.2, 25, 1.0),
        (20_000.0, 15.201_172, 25, 1.0),
        (100_000.0, 15.203_125, 20, 5.0),
        (-100_000.0, 15.203_125, 20, 5.0),
    ] {
        let mut app = app();
        let crates = row(&mut app, start, spacing, 15.2, count);
        let pusher = (BoxCollider::square(15.2), Body::Kinematic, at(start, 0.0));
        let pusher = app.world_mut().spawn(pusher).id();
        app.update();
        app.world_mut()
            .entity_mut(pusher)
            .insert(at(start + push, 0.0));
        app.update();
        for (number, one) in (1_u16..).zip(crates) {
            let expected = Vec2::new(start + spacing * f32::from(number) + push, 0.0);
            let off = place(&app, one).distance(expected);
            let case = format!("{number} from {start}: {}", place(&app, one));
            assert!(off < 0.05, "{case}");
            assert_eq!(place(&app, one).y, 0.0, "{case}");
        }
        assert_eq!(take::<Crushed>(&mut app), [], "at {start}");
    }
}

/// A body is pushed out of a wall, and is flush with it then, as far as floats allow; a door comes 2 deep into it from the other side.
#[test]
fn far_away_a_body_is_crushed_against_what_it_is_flush_with() {
    for origin in [0.0, 20_000.0, 100_000.0, -100_000.0] {
        for size in [15.2, 12.7] {
            let mut app = app();
            let tall = BoxCollider::new(20.0, 400.0);
            let wall = (tall, Body::Static, at(origin + 110.0, 0.0));
            let wall = app.world_mut().spawn(wall).id();
            let body = (
                BoxCollider::square(size),
                at(origin + 101.0 - size * 0.5, 0.0),
            );
            let body = app.world_mut().spawn(body).id();
            app.update();
            let flush = place(&app, body);
            let door = at(flush.x - size * 0.5 - 8.0, 0.0);
            let door = app.world_mut().spawn((tall, Body::Kinematic, door)).id();
            app.update();
            let case = format!("{size} at {origin}");
            assert_eq!(place(&app, body), flush, "{case}");
            let [crushed] = take::<Crushed>(&mut app)[..] else {
                panic!("{case}: one is crushed");
            };
            assert_eq!(
                (crushed.entity, crushed.by, crushed.against),
                (body, door, Some(wall)),
                "{case}"
            );
            assert!((crushed.depth - 2.0).abs() < 0.02, "{case}: {crushed:?}");
        }
    }
}
