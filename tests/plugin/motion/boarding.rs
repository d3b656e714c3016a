//! Which bodies stand on a moving platform, and which only touch it.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app};
use crate::common::{at, place, wall};

/// A crate at the end of a ledge, whose lower right corner is the upper left corner of a lift that is level with the ledge.
#[test]
fn who_touches_a_lift_by_its_corner_does_not_stand_on_it() {
    for (case, way) in [
        ("up", (0.0, 1.0)),
        ("right", (1.0, 0.0)),
        ("down", (0.0, -1.0)),
    ] {
        let mut app = moving_app();
        wall(&mut app, (-100.0, -10.0), (0.0, 0.0));
        let lift = (BoxCollider::new(40.0, 10.0), Body::Kinematic);
        let lift = (lift, Velocity::default(), at(20.0, -5.0));
        let lift = app.world_mut().spawn(lift).id();
        let crates = (BoxCollider::square(16.0), at(-8.0, 8.0));
        let crates = app.world_mut().spawn(crates).id();
        app.update();
        app.world_mut()
            .entity_mut(lift)
            .insert(a_tick(way.0, way.1));
        for tick in 0..5 {
            app.update();
            assert_eq!(
                place(&app, crates),
                Vec2::new(-8.0, 8.0),
                "{case}, tick {tick}"
            );
        }
    }
}

/// It stood on a lift that goes left, and its game puts it down beside it, where it touches its side.
#[test]
fn who_was_put_beside_its_lift_does_not_stand_on_it() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    let lift = (lift, a_tick(-1.0, 0.0), at(0.0, -5.0));
    app.world_mut().spawn(lift);
    let crates = (BoxCollider::square(10.0), at(52.0, 5.0));
    let crates = app.world_mut().spawn(crates).id();
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(place(&app, crates), Vec2::new(49.0, 5.0), "it was carried");
    let beside = at(52.0, -3.0);
    app.world_mut().entity_mut(crates).insert(beside);
    for _ in 0..2 {
        app.update();
        assert_eq!(place(&app, crates), Vec2::new(52.0, -3.0));
    }
}
