//! Bullets, and the gates that count them.

use bevy::prelude::*;

use crate::bullets::{self, Bullet, Counts};

#[test]
fn every_bullet_is_counted_twice_at_any_speed() {
    for is_fast in [false, true] {
        let mut app = common::rehearsal(&bullets::STAGE, bullets::scene);
        if is_fast {
            common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyF]));
        }
        common::hold(&mut app, &common::Step::keys(60, &[]));
        let counts = *app.world().resource::<Counts>();
        assert!(counts.fired >= 2400 && counts.landed > 100);
        // The slowest bullets need more than 200 ticks to the farthest corner.
        common::hold(&mut app, &common::Step::keys(300, &[KeyCode::Space]));
        let counts = *app.world().resource::<Counts>();
        assert_eq!(counts.passed, counts.fired, "fast: {is_fast}");
        assert_eq!(counts.landed, counts.fired, "fast: {is_fast}");
        assert_eq!(counts.missed, 0);
        let world = app.world_mut();
        assert_eq!(world.query::<&Bullet>().iter(world).count(), 0);
    }
}

#[test]
fn the_speed_stays_during_a_pause() {
    let mut app = common::rehearsal(&bullets::STAGE, bullets::scene);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::KeyF]));
    assert!(!app.world().resource::<Counts>().is_fast);
}

#[test]
fn it_starts_again() {
    let mut app = common::rehearsal(&bullets::STAGE, bullets::scene);
    common::hold(&mut app, &common::Step::keys(20, &[]));
    common::hold(
        &mut app,
        &common::Step::keys(1, &[KeyCode::KeyR, KeyCode::Space]),
    );
    assert_eq!(app.world().resource::<Counts>().fired, 0);
}
