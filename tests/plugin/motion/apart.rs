//! A body that moves among many that stand or are moved by the game: what travels far away must make no difference.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app, velocity};
use crate::common::{at, place, take};

/// How many stand. They make a field of 300 x 300, of which they cover about a third.
const STANDING: usize = 150;
/// So many travel far away from all others.
const BALLAST: u32 = 60;

#[derive(Clone, Copy, Debug)]
enum Hero {
    Slides,
    Bounces,
    Stops,
    Pushes,
}

/// Returns an app with one body that moves among many that stand, and these bodies; with others that travel far away if `has_ballast`.
fn field(seed: u64, hero: Hero, has_ballast: bool) -> (App, Vec<Entity>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut any = |from: f32, to: f32| from + (to - from) * random.f32();
    let mut app = moving_app();
    let radius = any(3.0, 12.0);
    let world = app.world_mut();
    let mut first = world.spawn((CircleCollider::new(radius), Velocity::default()));
    match hero {
        Hero::Slides => first.insert(Response::Slide),
        Hero::Bounces => first.insert(Response::bounce(1.0)),
        Hero::Stops => first.insert(Response::Stop),
        Hero::Pushes => first.insert(Body::Kinematic),
    };
    let mut bodies = vec![first.id()];
    for number in 0..STANDING {
        let here = at(any(-150.0, 150.0), any(-150.0, 150.0));
        let size = any(6.0, 24.0);
        let body = match number % 10 {
            0 => Body::Static,
            1 => Body::Kinematic,
            _ => Body::Dynamic,
        };
        let mut one = world.spawn((body, here));
        if number % 2 == 0 {
            one.insert(CircleCollider::new(size * 0.5));
        } else {
            one.insert(BoxCollider::new(size, any(6.0, 24.0)));
        }
        // A part that is far from the body, and may be near the hero while the body is not.
        if number % 12 == 0 {
            one.with_child((CircleCollider::new(4.0), at(any(20.0, 90.0), 0.0)));
        }
        if number % 7 == 0 {
            one.insert(Sensor);
        }
        bodies.push(one.id());
    }
    if has_ballast {
        for number in 0..BALLAST {
            let here = at(1.0e4, number as f32 * 100.0);
            world.spawn((
                CircleCollider::new(4.0),
                Response::Pass,
                a_tick(1.0, 0.0),
                here,
            ));
        }
    }
    (app, bodies)
}

/// Hits lead the hero out of where it set out to, and what it presses presses others.
#[test]
fn what_travels_far_away_makes_no_difference() {
    let mut hits = 0;
    for seed in 0..60 {
        let heroes = [Hero::Slides, Hero::Bounces, Hero::Stops, Hero::Pushes];
        let hero = heroes[seed as usize % heroes.len()];
        let [mut few, mut many] = [false, true].map(|has_ballast| field(seed, hero, has_ballast));
        assert_eq!(few.1, many.1);
        let mut random = fastrand::Rng::with_seed(seed);
        for tick in 0..20 {
            let mut any = |from: f32, to: f32| from + (to - from) * random.f32();
            let speed = if tick % 2 == 0 { 4.0 } else { 80.0 };
            let way = a_tick(any(-speed, speed), any(-speed, speed));
            let steps: Vec<Vec2> = (0..STANDING)
                .map(|_| Vec2::new(any(-1.0, 1.0), any(-1.0, 1.0)))
                .collect();
            for (app, bodies) in [&mut few, &mut many] {
                let world = app.world_mut();
                *world.get_mut::<Velocity>(bodies[0]).unwrap() = way;
                for (body, step) in bodies[1..].iter().zip(&steps).step_by(3) {
                    let mut transform = world.get_mut::<Transform>(*body).unwrap();
                    transform.translation += step.extend(0.0);
                }
                app.update();
            }
            let case = (seed, hero, tick);
            for &body in &few.1 {
                assert_eq!(place(&few.0, body), place(&many.0, body), "{case:?} {body}");
            }
            let speeds = [&few, &many].map(|(app, bodies)| velocity(app, bodies[0]));
            assert_eq!(speeds[0], speeds[1], "{case:?}");
            let told = [&mut few, &mut many].map(|(app, _)| take::<Collision>(app));
            assert_eq!(told[0], told[1], "{case:?}");
            hits += (told[0].iter())
                .filter(|hit| hit.involves(few.1[0]))
                .count();
        }
    }
    assert!(hits > 1000, "{hits}");
}
