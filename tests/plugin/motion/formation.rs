//! Bodies that fly along together, side by side: what they do to each other, and to a third one, is the same as if they stood.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{TICKS_PER_SECOND, moving_app, velocity};
use crate::common::{at, place};

/// In units a second.
fn sum_of(app: &App, bodies: &[Entity]) -> Vec2 {
    let sum: Vec2 = bodies.iter().map(|&body| velocity(app, body)).sum();
    sum * TICKS_PER_SECOND
}

/// The second and the third one fly side by side and touch, aslant; they come together by less than the fast one of their coordinates can tell. The first catches up with the second.
#[test]
fn a_neighbour_at_the_same_velocity_but_for_rounding_is_no_wall() {
    for response in [Response::Slide, Response::bounce(1.0)] {
        for apart in [0.0, -1.0e-6, -1.0e-5, -1.0e-4] {
            let mut app = moving_app();
            let mut circle = |x: f32, y: f32, velocity: Vec2| {
                let one = (CircleCollider::new(5.0), response, Velocity(velocity));
                app.world_mut().spawn((one, at(x, y))).id()
            };
            let all = [
                circle(-14.0, 0.0, Vec2::new(960.0, 0.0)),
                circle(0.0, 0.0, Vec2::new(640.0, 0.0)),
                circle(6.0, 8.0, Vec2::new(640.0, apart)),
            ];
            app.update();
            let case = (response, apart);
            let sum = sum_of(&app, &all) - Vec2::new(960.0 + 640.0 + 640.0, 0.0);
            assert!(sum.length() < 0.1, "{case:?}: {sum}");
            // Both share 960 and 640, or swap them: it goes on at 640 or more.
            let way = place(&app, all[1]).x;
            assert!(way >= 640.0 / TICKS_PER_SECOND, "{case:?}: {way}");
        }
    }
}

/// Two bodies that have slid into each other aslant fly on with velocities like those above.
#[test]
fn three_that_fly_along_share_what_they_have() {
    for faster in [-640.0, -320.0, 0.0, 320.0] {
        let mut app = moving_app();
        let mut circle = |x: f32, y: f32, vx: f32, vy: f32| {
            let velocity = Velocity(Vec2::new(vx + faster, vy));
            let one = (CircleCollider::new(5.0), velocity, at(x, y));
            app.world_mut().spawn(one).id()
        };
        let all = [
            circle(4.0, 6.0, 608.0, -48.0),
            circle(2.0, -5.0, 624.0, 40.0),
            circle(-10.0, -3.0, 720.0, 24.0),
        ];
        app.update();
        app.update();
        let expected = Vec2::new(1952.0 + 3.0 * faster, 16.0);
        let sum = sum_of(&app, &all);
        assert!(sum.distance(expected) < 0.1, "{faster}: {sum}");
    }
}
