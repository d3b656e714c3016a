//! The drifting circles.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::{
    circles::{STAGE, scene},
    tap_key, type_key,
};

/// The scene itself checks its collisions once a second, and prints the result.
#[test]
fn every_pair_is_reported_once_and_none_is_missing() {
    let account = common::recorded(&STAGE, scene);
    let told: Vec<&String> = account
        .iter()
        .filter(|line| line.contains("pairs reported"))
        .collect();
    assert_eq!(told.len(), 3, "{account:?}");
    for line in told {
        let numbers: Vec<u32> = line
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect();
        let &[
            _tick,
            _circles,
            reported,
            by_all_pairs,
            missing,
            _under_mouse,
        ] = &numbers[..]
        else {
            panic!("not as expected: {line}");
        };
        assert_eq!((reported, missing), (by_all_pairs, 0), "{line}");
        assert!(
            reported > 100,
            "nothing is tested by a crowd without hits: {line}"
        );
    }
}

#[test]
fn circles_come_and_go_with_their_keys() {
    let mut app = common::rehearsal(&STAGE, scene);
    let count = |app: &mut App| {
        let world = app.world_mut();
        world.query::<&CircleCollider>().iter(world).count()
    };
    assert_eq!(count(&mut app), 300);
    for (key, expected) in [
        (KeyCode::Equal, 400),
        (KeyCode::Minus, 300),
        (KeyCode::Minus, 200),
    ] {
        app.insert_resource(common::Held::from(&common::Step::default()));
        app.update();
        let keys: &'static [KeyCode] = if key == KeyCode::Equal {
            &[KeyCode::Equal]
        } else {
            &[KeyCode::Minus]
        };
        common::hold(&mut app, &common::Step::keys(1, keys));
        assert_eq!(count(&mut app), expected, "after {key:?}");
    }
}

/// On a German keyboard `+` is where an American keyboard has `]`, and `-` where it has `/`.
#[test]
fn circles_come_and_go_by_what_is_written_on_the_keys() {
    let mut app = common::rehearsal(&STAGE, scene);
    for (key, written, expected) in [
        (KeyCode::BracketRight, "+", 400),
        (KeyCode::Slash, "-", 300),
        (KeyCode::NumpadAdd, "+", 400),
        (KeyCode::NumpadSubtract, "-", 300),
        // On an American keyboard `+` is typed with Shift, and the key without Shift counts as `+` too.
        (KeyCode::Equal, "+", 400),
        (KeyCode::KeyX, "x", 400),
        (KeyCode::Equal, "=", 500),
    ] {
        type_key(&mut app, key, written);
        let world = app.world_mut();
        let count = world.query::<&CircleCollider>().iter(world).count();
        assert_eq!(count, expected, "{written} at {key:?}");
    }
}

#[test]
fn every_tap_of_a_slow_frame_counts() {
    let mut app = common::rehearsal(&STAGE, scene);
    for (key, written, expected) in [(KeyCode::Equal, "+", 600), (KeyCode::Minus, "-", 300)] {
        tap_key(&mut app, key, written, 3);
        let world = app.world_mut();
        let count = world.query::<&CircleCollider>().iter(world).count();
        assert_eq!(count, expected, "three times {written}");
    }
}
