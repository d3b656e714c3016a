//! Bodies that fly along together, side by side: what they do to each other, and to a third one, is the same as if they stood.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{TICKS_PER_SECOND, a_tick, moving_app, velocity};
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

/// Returns the velocities after each tick of a ball of radius 8 that flies at 320 into circles of radius 4 and mass 1 that stand; and the momentum along x in the end, in units a second.
fn bowl(pins: &[(f32, f32)], response: Response, mass: f32, ticks: usize) -> (Vec<f32>, f32) {
    let mut app = app_without_up();
    let velocity_of = Velocity(Vec2::new(320.0, 0.0));
    let ball = (CircleCollider::new(8.0), response, Mass(mass), velocity_of);
    let ball = app.world_mut().spawn((ball, at(-16.0, 0.0))).id();
    let circle = |x, y| {
        (
            CircleCollider::new(4.0),
            response,
            Velocity::default(),
            at(x, y),
        )
    };
    let pins: Vec<Entity> = (pins.iter())
        .map(|&(x, y)| app.world_mut().spawn(circle(x, y)).id())
        .collect();
    let speeds = (0..ticks).map(|_| {
        app.update();
        velocity(&app, ball).x * TICKS_PER_SECOND
    });
    let speeds: Vec<f32> = speeds.collect();
    let momentum = speeds[ticks - 1] * mass + sum_of(&app, &pins).x;
    (speeds, momentum)
}

/// If all had one speed in the end, that would be 320 * mass / (mass + pins), and the ball cannot become slower than that by any hits that push it only back.
#[test]
fn a_heavy_ball_is_not_stopped_by_those_who_have_used_up_their_hits() {
    let diamond = vec![(0.0, 0.0), (7.0, 4.0), (7.0, -4.0), (14.0, 0.0)];
    let triangle = vec![
        (0.0, 0.0),
        (7.0, 4.0),
        (7.0, -4.0),
        (14.0, 8.0),
        (14.0, 0.0),
        (14.0, -8.0),
    ];
    let v = vec![
        (0.0, 0.0),
        (7.0, 4.0),
        (7.0, -4.0),
        (14.0, 8.0),
        (14.0, -8.0),
    ];
    let row = |count: u16| (0..count).map(|at| (f32::from(at) * 8.0, 0.0)).collect();
    for (case, pins, mass) in [
        ("diamond", diamond, 100.0),
        ("triangle", triangle, 100.0),
        ("v", v, 1.0),
        ("row of 20", row(20), 100.0),
        ("row of 25", row(25), 100.0),
        ("row of 40", row(40), 100.0),
    ] {
        for response in [Response::Slide, Response::bounce(1.0)] {
            let (speeds, momentum) = bowl(&pins, response, mass, 5);
            let before = 320.0 * mass;
            // What slides is not led back against where it went, which keeps a little from the sum: at most a tenth of what the pins have if all go at one speed.
            let count = pins.len() as f32;
            let theirs = before * count / (mass + count);
            assert!(
                (momentum - before).abs() < theirs * 0.1,
                "{case} {response:?}: {momentum} of {before}, {speeds:?}"
            );
            let least = match response {
                Response::Slide => before / (mass + count),
                _ => 0.0,
            };
            if mass > 1.0 {
                let is_fast = |speed: &f32| *speed > least * 0.999;
                assert!(
                    speeds.iter().all(is_fast),
                    "{case} {response:?}: {speeds:?}"
                );
            }
        }
    }
}

/// Spawns a heavy ball of radius 100 at the origin, and seventeen small ones that come from the right: after a tenth of the tick it has used up its hits.
fn spawn_worn_out(world: &mut World) {
    let ball = (CircleCollider::new(100.0), Response::bounce(1.0));
    world.spawn((ball, Mass(1.0e6), Velocity::default()));
    for number in -8..=8_i8 {
        let out = Vec2::from_angle(f32::from(number) * 0.17);
        let from = out * (100.5 + 4.0);
        let small = (CircleCollider::new(0.5), Response::bounce(1.0));
        world.spawn((
            small,
            a_tick(-40.0 * out.x, -40.0 * out.y),
            at(from.x, from.y),
        ));
    }
}

fn app_without_up() -> App {
    let mut app = moving_app();
    app.insert_resource(CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    });
    app
}

/// It meets the ball after half of the tick, and stays beside it. Then a bat comes from below, after 70 of its 120, and takes it along: by 50.
#[test]
fn who_stays_beside_one_is_not_passed_by_a_bat() {
    let mut app = app_without_up();
    let world = app.world_mut();
    spawn_worn_out(world);
    let beside = (CircleCollider::new(5.0), a_tick(40.0, 0.0));
    let beside = world.spawn((beside, at(-125.0, 0.0))).id();
    let bat = (BoxCollider::new(6.0, 10.0), Body::Kinematic);
    world.spawn((bat, a_tick(0.0, 120.0), at(-105.0, -80.0)));
    app.update();
    let end = place(&app, beside);
    assert!(end.distance(Vec2::new(-105.0, 50.0)) < 0.1, "{end}");
    let after = velocity(&app, beside);
    assert!(after.distance(Vec2::new(0.0, 120.0)) < 0.1, "{after}");
}

/// Of the 150 that it goes, 50 are by its velocity: that part comes back.
#[test]
fn what_is_swept_bounces_off_one_that_stays() {
    let mut app = app_without_up();
    let swept = (CircleCollider::new(5.0), Response::bounce(1.0));
    let swept = (swept, Swept::default(), Velocity::default());
    let swept = app.world_mut().spawn((swept, at(-205.0, 0.0))).id();
    app.update();
    let world = app.world_mut();
    spawn_worn_out(world);
    *world.get_mut(swept).unwrap() = a_tick(50.0, 0.0);
    *world.get_mut(swept).unwrap() = at(-105.0, 0.0);
    app.update();
    let after = velocity(&app, swept);
    assert!(after.distance(Vec2::new(-50.0, 0.0)) < 0.1, "{after}");
}
