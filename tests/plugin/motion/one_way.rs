//! `OneWay`s and what is round: a corner, or a ball, is outside until it is in by more than rounding.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, wall};

/// Where something ends that is sped up along an axis in each tick, against a box from one corner to another, which is solid or one way.
fn ends(
    app: &mut App,
    (from, to): (Vec2, Vec2),
    one_way: Option<Vec2>,
    ball: (f32, Transform),
    speed_up: Vec2,
) -> Vec2 {
    let ledge = (BoxCollider::from_corners(from, to), Body::Static);
    let ledge = app.world_mut().spawn(ledge).id();
    if let Some(direction) = one_way {
        app.world_mut().entity_mut(ledge).insert(OneWay(direction));
    }
    let (radius, start) = ball;
    let ball = (CircleCollider::new(radius), Velocity(Vec2::ZERO), start);
    let ball = app.world_mut().spawn(ball).id();
    for _ in 0..64 {
        let mut ball = app.world_mut().entity_mut(ball);
        ball.get_mut::<Velocity>().expect("it moves").0 += speed_up;
        app.update();
    }
    place(app, ball)
}

#[test]
fn a_ball_lies_on_the_corner_of_a_ledge() {
    // Between a wall and a corner that is 6 away, it touches the corner when its middle is higher by the root of 16 - 4.
    for one_way in [None, Some(Vec2::Y)] {
        let mut app = app();
        wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
        let ledge = (Vec2::new(6.0, -6.0), Vec2::new(46.0, 0.0));
        let ball = (4.0, at(4.0, 10.0));
        let end = ends(&mut app, ledge, one_way, ball, Vec2::new(0.0, -16.0));
        let expected = Vec2::new(4.0, 12.0_f32.sqrt());
        assert!(end.distance(expected) < 0.01, "{one_way:?}: {end}");
    }
}

#[test]
fn a_ball_is_stopped_by_the_lower_corner_of_a_gate() {
    // The gate ends 2.6 above the floor, so a ball of radius 2 meets it at the root of 4 - 0.36.
    for one_way in [None, Some(Vec2::X)] {
        let mut app = app();
        wall(&mut app, (-300.0, -10.0), (100.0, 0.0));
        let gate = (Vec2::new(-4.0, 2.6), Vec2::new(0.0, 10.0));
        let ball = (2.0, at(13.3, 2.0));
        let end = ends(&mut app, gate, one_way, ball, Vec2::new(-100.0, 0.0));
        let expected = Vec2::new(3.64_f32.sqrt(), 2.0);
        assert!(end.distance(expected) < 0.01, "{one_way:?}: {end}");
    }
}
