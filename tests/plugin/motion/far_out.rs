//! Far out, where `f32` is coarse, bodies still land on the side of what they hit, and stand there, as they do near the origin.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app, velocity};
use crate::common::{at, place};

/// Floats are 1/16 apart here.
const FAR: f32 = 1.0e6;

/// The half sizes of the body and the ledge, 7.27 and 5, add up to 12.27; the next float here is 12.3125.
#[test]
fn who_lands_far_out_on_a_ledge_stands_on_it() {
    let mut app = moving_app();
    let ledge = (BoxCollider::new(100.0, 10.0), Body::Static);
    app.world_mut()
        .spawn((ledge, OneWay::default(), at(0.0, FAR)));
    let body = (BoxCollider::square(14.54), at(0.0, FAR + 20.0));
    let body = app.world_mut().spawn(body).id();
    for tick in 0..5 {
        app.world_mut().entity_mut(body).insert(a_tick(0.0, -10.0));
        app.update();
        assert_eq!(place(&app, body).y, FAR + 12.3125, "tick {tick}");
    }
}

/// Floats are 1/64 apart here, and the body would touch the tiles at 199992.7425.
#[test]
fn who_slides_down_tiles_far_out_does_not_hang_on_their_seams() {
    let mut app = moving_app();
    for number in -6..=2 {
        let tile = (BoxCollider::square(16.0), Body::Static);
        let tile = (tile, at(200_008.0, 16.0 * number as f32));
        app.world_mut().spawn(tile);
    }
    let body = (BoxCollider::new(14.515, 16.0), at(199_980.0, 0.0));
    let body = app.world_mut().spawn(body).id();
    app.world_mut().entity_mut(body).insert(a_tick(20.0, -2.0));
    app.update();
    for tick in 2..=20 {
        app.world_mut().entity_mut(body).insert(a_tick(0.0, -2.0));
        app.update();
        let y = place(&app, body).y;
        assert!((y + 2.0 * tick as f32).abs() < 0.01, "tick {tick}: {y}");
    }
}

/// A crate lies on a lift as closely as floats allow: above it by 0.0034 where they are 0.0078 apart, or by 0.0425.
#[test]
fn a_lift_carries_who_is_flush_with_it_far_out() {
    for (height, y, margin) in [
        (1.0e5, 1.0e5 + 12.0 + 35.0 / 128.0, Some(0.0)),
        (FAR, FAR + 12.3125, None),
    ] {
        let mut app = moving_app();
        if let Some(margin) = margin {
            app.world_mut().resource_mut::<CollisionSettings>().margin = margin;
        }
        let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
        let lift = (lift, Velocity::default(), at(0.0, height));
        let lift = app.world_mut().spawn(lift).id();
        let crates = (BoxCollider::square(14.54), at(0.0, y));
        let crates = app.world_mut().spawn(crates).id();
        app.update();
        app.world_mut().entity_mut(lift).insert(a_tick(1.0, 0.0));
        for tick in 1..=5 {
            app.update();
            let there = Vec2::new(tick as f32, y);
            assert_eq!(place(&app, crates), there, "{height}, tick {tick}");
        }
    }
}

/// The crate has landed on the floor as closely as floats allow, which is a gap of 0.0059 at 1e5, where they are 0.0078 apart. The ball comes from 0.08 above the crate, or from 0.0841.
#[test]
fn a_ball_bounces_off_a_crate_that_has_landed_far_out() {
    for (height, crates, ball) in [
        (0.0, 10.08, 20.24),
        (1.0e5, 100_010.086, 100_020.25),
        (-1.0e5, -99_989.914, -99_979.75),
    ] {
        let mut app = moving_app();
        let floor = (BoxCollider::new(100.0, 10.0), Body::Static);
        app.world_mut().spawn((floor, at(0.0, height)));
        let crates = (BoxCollider::square(10.16), at(0.0, crates));
        app.world_mut().spawn(crates);
        let bounce = Response::bounce(1.0);
        let ball = (CircleCollider::new(5.0), bounce, at(0.0, ball));
        let ball = app.world_mut().spawn((ball, a_tick(0.0, -10.0))).id();
        app.update();
        assert_eq!(velocity(&app, ball), Vec2::new(0.0, 10.0), "{height}");
    }
}

/// One tile is half of its 0.008 thicker than floats at 1e5 can tell, and so its top is too high by 0.0076 there. Near the origin both tops are at 5.
#[test]
fn who_slides_over_flush_tiles_far_out_does_not_hang_on_their_seams_by_rounding() {
    for height in [0.0, 1.0e5, -1.0e5] {
        for is_round in [false, true] {
            let mut app = moving_app();
            for (x, thickness, y) in [(-50.0, 9.9924, 0.0038), (50.0, 9.992, 0.004)] {
                let tile = (BoxCollider::new(100.0, thickness), Body::Static);
                app.world_mut().spawn((tile, at(x, height + y)));
            }
            let mut body = app
                .world_mut()
                .spawn((a_tick(10.0, 0.0), at(-20.0, height + 10.0037)));
            if is_round {
                body.insert(CircleCollider::new(5.0037));
            } else {
                body.insert(BoxCollider::new(10.0, 10.0074));
            }
            let body = body.id();
            app.update();
            app.update();
            assert_eq!(place(&app, body).x, 0.0, "{height}, {is_round}");
            let way = Vec2::new(10.0, 0.0);
            assert_eq!(velocity(&app, body), way, "{height}, {is_round}");
        }
    }
}
