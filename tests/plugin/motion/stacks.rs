//! What rests on something that rests: it is as firm as the floor, all the way up.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, mover, moving_app, velocity};
use crate::common::{at, place, wall};

/// A quarter of a unit a tick, in each tick: 4 in a second at 64 ticks, and 16 a tick.
const GRAVITY: f32 = 16.0;

fn fall(mut bodies: Query<&mut Velocity>) {
    for mut velocity in &mut bodies {
        velocity.0.y -= GRAVITY;
    }
}

#[test]
fn a_tower_stands_as_it_was_built() {
    let mut app = moving_app();
    app.add_systems(FixedUpdate, fall);
    wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
    let still = Velocity::default();
    // Spawned in no order.
    let floors = [3, 0, 7, 1, 9, 4, 2, 8, 6, 5];
    let tower = floors.map(|floor| mover(&mut app, 16.0, (0.0, 16.0 * floor as f32), still));
    for number in 0..100 {
        app.update();
        for (floor, body) in floors.into_iter().zip(tower) {
            let expected = Vec2::new(8.0, 16.0 * floor as f32 + 8.0);
            assert_eq!(place(&app, body), expected, "floor {floor}, tick {number}");
            assert_eq!(
                velocity(&app, body),
                Vec2::ZERO,
                "floor {floor}, tick {number}"
            );
        }
    }
}

/// Were the crate free to give way, a ball of its mass would leave it all of its speed.
#[test]
fn a_ball_bounces_off_a_crate_as_off_the_floor() {
    for stands_on_crate in [false, true] {
        let mut app = moving_app();
        app.add_systems(FixedUpdate, fall);
        wall(&mut app, (-100.0, -10.0), (100.0, 0.0));
        let top = if stands_on_crate {
            mover(&mut app, 16.0, (-8.0, 0.0), Velocity::default());
            16.0
        } else {
            0.0
        };
        let ball = app.world_mut().spawn((
            CircleCollider::new(4.0),
            Response::Bounce { restitution: 1.0 },
            a_tick(0.0, 0.0),
            at(0.0, top + 14.0),
        ));
        let ball = ball.id();
        // It falls 10: 0.25 + 0.5 + ... + 2 are 9, and in the ninth tick it goes 2.25.
        for _ in 0..8 {
            app.update();
        }
        assert_eq!(place(&app, ball), Vec2::new(0.0, top + 5.0));
        assert_eq!(velocity(&app, ball), Vec2::new(0.0, -2.0));
        app.update();
        assert_eq!(
            velocity(&app, ball),
            Vec2::new(0.0, 2.25),
            "{stands_on_crate}"
        );
        // 1 down and the other 1.25 up.
        assert_eq!(
            place(&app, ball),
            Vec2::new(0.0, top + 5.25),
            "{stands_on_crate}"
        );
    }
}

#[test]
fn a_row_against_a_wall_is_a_wall() {
    let mut app = moving_app();
    wall(&mut app, (80.0, -100.0), (90.0, 100.0));
    let still = Velocity::default();
    let row =
        [0, 1, 2, 3, 4].map(|number| mover(&mut app, 16.0, (16.0 * number as f32, 0.0), still));
    let pusher = mover(&mut app, 16.0, (-20.0, 3.0), a_tick(3.0, 0.0));
    for _ in 0..10 {
        app.world_mut().entity_mut(pusher).insert(a_tick(3.0, 0.0));
        app.update();
    }
    assert_eq!(place(&app, pusher).x, -8.0);
    for (number, body) in row.into_iter().enumerate() {
        assert_eq!(
            place(&app, body),
            Vec2::new(16.0 * number as f32 + 8.0, 8.0)
        );
        assert_eq!(velocity(&app, body), Vec2::ZERO);
    }
}
