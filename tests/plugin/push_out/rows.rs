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
