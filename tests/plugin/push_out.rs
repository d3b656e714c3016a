//! Overlapping bodies are pushed apart by the minimum translation.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, tick};

#[test]
fn a_static_body_wins_and_equals_share() {
    for (case, body, a_ends, b_ends) in [
        ("a is static", Body::Static, (0.0, 0.0), (20.0, 0.0)),
        ("a is kinematic", Body::Kinematic, (0.0, 0.0), (20.0, 0.0)),
        ("both share", Body::Dynamic, (-2.5, 0.0), (17.5, 0.0)),
    ] {
        let mut app = app();
        let a = app
            .world_mut()
            .spawn((CircleCollider::new(10.0), body, at(0.0, 0.0)))
            .id();
        let b = app
            .world_mut()
            .spawn((CircleCollider::new(10.0), at(15.0, 0.0)))
            .id();
        let collisions = tick(&mut app);
        assert_eq!(collisions.len(), 1, "{case}");
        assert_eq!((collisions[0].a, collisions[0].b), (a, b), "{case}");
        assert_eq!(
            (collisions[0].normal, collisions[0].depth),
            (Vec2::X, 5.0),
            "{case}"
        );
        assert_eq!(place(&app, a), Vec2::from(a_ends), "{case}");
        assert_eq!(place(&app, b), Vec2::from(b_ends), "{case}");
    }
}

/// A row of flush crates against a wall; the first is pushed 1 unit into the second.
#[test]
fn a_row_of_crates_against_a_wall_stays_out_of_it() {
    for count in [1, 3, 10, 50] {
        let mut app = app();
        let wall_left = 20.0 * count as f32;
        app.world_mut().spawn((
            BoxCollider::new(10.0, 400.0),
            Body::Static,
            at(wall_left + 5.0, 0.0),
        ));
        let crates: Vec<Entity> = (0..count)
            .map(|i| {
                let x = 10.0 + 20.0 * i as f32;
                app.world_mut()
                    .spawn((BoxCollider::square(20.0), at(x, 0.0)))
                    .id()
            })
            .collect();
        let pusher = app
            .world_mut()
            .spawn((BoxCollider::square(20.0), at(-9.0, 0.0)))
            .id();
        tick(&mut app);
        for (i, one) in crates.iter().enumerate() {
            assert_eq!(
                place(&app, *one).x,
                10.0 + 20.0 * i as f32,
                "{count} crates, crate {i}"
            );
        }
        assert_eq!(place(&app, pusher).x, -10.0, "{count} crates");
    }
}
