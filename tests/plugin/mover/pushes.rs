//! What a mover pushes.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{
    prelude::*,
    query::{Moved, Surface},
};

use super::walk;
use crate::common::{app, at, place, take, wall};

/// Options with which a mover pushes all `Dynamic` bodies.
fn pushing() -> MoveOptions {
    MoveOptions {
        push_layers: u32::MAX,
        ..default()
    }
}

/// Spawns a box of 16 on the floor, which is at 0.
fn on_floor(app: &mut App, x: f32, bundle: impl Bundle) -> Entity {
    app.world_mut()
        .spawn((BoxCollider::square(16.0), at(x, 8.0), bundle))
        .id()
}

/// Returns a floor, a mover at 0 and a crate whose side is 4 away from the mover.
fn scene(mover: Body) -> (App, [Entity; 2]) {
    let mut app = app();
    wall(&mut app, (-500.0, -10.0), (500.0, 0.0));
    let both = [on_floor(&mut app, 0.0, mover), on_floor(&mut app, 20.0, ())];
    app.update();
    (app, both)
}

fn places<const N: usize>(app: &App, entities: [Entity; N]) -> [f32; N] {
    entities.map(|entity| {
        let place = place(app, entity);
        assert_eq!(place.y, 8.0, "it stays on the floor");
        place.x
    })
}

#[test]
fn a_kinematic_mover_keeps_its_speed() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    let moved = walk(&mut app, mover, (10.0, -1.0), pushing());
    assert_eq!(moved.position, Vec2::new(10.0, 8.0));
    assert_eq!(moved.motion, Vec2::new(10.0, 0.0));
    assert_eq!(moved.pushed, [(crate_, Vec2::new(6.0, 0.0))]);
    let hit = moved.hit_on(Surface::Wall).expect("the crate was hit");
    assert_eq!((hit.entity, hit.normal), (crate_, Vec2::NEG_X));
    assert!(moved.is_on_floor());
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [10.0, 26.0]);
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [10.0, 26.0], "it stays");
    let gone = walk(&mut app, mover, (-3.0, 0.0), pushing());
    assert_eq!((gone.position.x, gone.pushed.len()), (7.0, 0));
}

#[test]
fn a_dynamic_one_shares_it_by_mass() {
    // 4 to get there, and of the 6 that are left one half, a quarter, or three quarters.
    for (mass, share) in [(1.0, 0.5), (3.0, 0.25), (1.0 / 3.0, 0.75)] {
        let (mut app, [mover, crate_]) = scene(Body::Dynamic);
        app.world_mut().entity_mut(crate_).insert(Mass(mass));
        app.update();
        let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
        let way = 6.0 * share;
        assert!((moved.position.x - (4.0 + way)).abs() < 1.0e-5, "{moved:?}");
        assert!((moved.motion.x - 10.0 * share).abs() < 1.0e-5, "{moved:?}");
        app.update();
        let [_, x] = places(&app, [mover, crate_]);
        assert!((x - (20.0 + way)).abs() < 1.0e-5, "{x}");
        assert!(place(&app, mover).distance(moved.position) < 1.0e-5);
    }
}

/// The crate is 4 away.
#[test]
fn a_motion_that_ends_just_at_a_crate_shares_its_speed_too() {
    for (kind, share) in [(Body::Kinematic, 1.0), (Body::Dynamic, 0.5)] {
        for (x, share) in [(3.9, 1.0), (4.0, share), (4.1, share)] {
            let (mut app, [mover, crate_]) = scene(kind);
            let moved = walk(&mut app, mover, (x, -1.0), pushing());
            assert!((moved.motion.x - x * share).abs() < 1.0e-5, "{moved:?}");
            assert_eq!(moved.hit_on(Surface::Wall).is_some(), x >= 4.0);
            assert_eq!(moved.pushed.is_empty(), x <= 4.0, "{moved:?}");
            app.update();
            let pushed = (x - 4.0).max(0.0) * share;
            let [end] = places(&app, [crate_]);
            assert!((end - 20.0 - pushed).abs() < 1.0e-5, "{moved:?}, {end}");
        }
    }
}

/// What stands behind the crate counts, also if nothing is left of the motion to push it.
#[test]
fn a_motion_that_ends_just_at_a_row_shares_its_speed_with_all_of_it() {
    for (kind, share) in [(Body::Kinematic, 1.0), (Body::Dynamic, 1.0 / 3.0)] {
        for x in [4.0, 4.1] {
            let (mut app, [mover, _]) = scene(kind);
            on_floor(&mut app, 36.0, ());
            app.update();
            let moved = walk(&mut app, mover, (x, -1.0), pushing());
            assert!((moved.motion.x - x * share).abs() < 1.0e-5, "{moved:?}");

            let (mut app, [mover, _]) = scene(kind);
            wall(&mut app, (28.0, 0.0), (40.0, 20.0));
            app.update();
            let moved = walk(&mut app, mover, (x, -1.0), pushing());
            assert_eq!(moved.motion.x, 0.0, "{x}: {moved:?}");
        }
    }
}

/// Gaps of 2 in the row are closed on the way.
#[test]
fn a_row_goes_along_as_one() {
    for (kind, ends) in [
        (Body::Kinematic, [10.0, 26.0, 42.0, 58.0]),
        // 4 alone; of the 6 that are left, 4 at half the pace and 2 at a third.
        (Body::Dynamic, [20.0 / 3.0, 68.0 / 3.0, 116.0 / 3.0, 56.0]),
    ] {
        let (mut app, [mover, first]) = scene(kind);
        let second = on_floor(&mut app, 38.0, ());
        let third = on_floor(&mut app, 56.0, ());
        app.update();
        let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
        app.update();
        let found = places(&app, [mover, first, second, third]);
        for (found, expected) in found.iter().zip(ends) {
            assert!((found - expected).abs() < 1.0e-5, "{found:?} {ends:?}");
        }
        let last = if kind == Body::Kinematic { 3 } else { 2 };
        assert_eq!(moved.pushed.len(), last);
    }
}

/// When they are pressed against a wall for long, all stand still to the bit, and none is crushed.
#[test]
fn what_a_wall_stops_stops_the_mover() {
    for kind in [Body::Kinematic, Body::Dynamic] {
        let (mut app, [mover, first]) = scene(kind);
        let second = on_floor(&mut app, 36.0, ());
        wall(&mut app, (47.0, -10.0), (60.0, 100.0));
        app.update();
        take::<Crushed>(&mut app);
        for tick in 0..40 {
            let moved = walk(&mut app, mover, (10.0, -1.0), pushing());
            app.update();
            assert_eq!(take::<Crushed>(&mut app), []);
            if tick > 1 {
                assert_eq!(moved.motion, Vec2::ZERO);
                assert_eq!(moved.pushed, []);
                assert_eq!(places(&app, [mover, first, second]), [7.0, 23.0, 39.0]);
            }
        }
    }
}

#[test]
fn only_what_is_on_the_layers_is_pushed() {
    for (memberships, push_layers, x) in [(1, 0, 4.0), (1, 1, 10.0), (2, 1, 4.0), (6, 4, 10.0)] {
        let (mut app, [mover, crate_]) = scene(Body::Kinematic);
        let layers = CollisionLayers::on(memberships);
        app.world_mut().entity_mut(crate_).insert(layers);
        app.update();
        let options = MoveOptions {
            push_layers,
            ..default()
        };
        let moved = walk(&mut app, mover, (10.0, 0.0), options);
        assert_eq!(moved.position.x, x);
        assert_eq!(moved.pushed.is_empty(), x == 4.0);
        app.update();
        assert_eq!(places(&app, [crate_]), [16.0 + x.max(4.0)]);
    }
    // A body that is not `Dynamic` is never pushed.
    for kind in [Body::Kinematic, Body::Static] {
        let (mut app, [mover, crate_]) = scene(Body::Kinematic);
        app.world_mut().entity_mut(crate_).insert(kind);
        app.update();
        let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
        assert_eq!((moved.position.x, moved.pushed.len()), (4.0, 0));
    }
    // A row ends at a body that must not be pushed.
    let (mut app, [mover, _]) = scene(Body::Kinematic);
    on_floor(&mut app, 38.0, CollisionLayers::on(2));
    app.update();
    let options = MoveOptions {
        push_layers: 1,
        ..default()
    };
    let moved = walk(&mut app, mover, (10.0, 0.0), options);
    assert_eq!(moved.position.x, 6.0);
}

/// The mover pushes neither what it lands on nor what it jumps against; but seen from above all sides are walls.
#[test]
fn floors_and_ceilings_are_not_pushed() {
    let mut app = app();
    let body = |app: &mut App, y: f32, kind| {
        let body = (BoxCollider::square(16.0), at(0.0, y), kind);
        app.world_mut().spawn(body).id()
    };
    let below = body(&mut app, 0.0, Body::Dynamic);
    let mover = body(&mut app, 20.0, Body::Kinematic);
    let above = body(&mut app, 40.0, Body::Dynamic);
    app.update();
    for (motion, y) in [(-30.0, 16.0), (30.0, 24.0)] {
        let moved = walk(&mut app, mover, (0.0, motion), pushing());
        assert_eq!((moved.position.y, moved.pushed.len()), (y, 0));
        app.update();
    }
    let from_above = MoveOptions {
        up: Some(Vec2::ZERO),
        ..pushing()
    };
    let moved = walk(&mut app, mover, (0.0, 30.0), from_above);
    assert_eq!(moved.pushed, [(above, Vec2::new(0.0, 30.0))]);
    app.update();
    let all = [below, mover, above].map(|body| place(&app, body).y);
    assert_eq!(all, [0.0, 54.0, 70.0]);
}

#[test]
fn motions_of_one_tick_add_up() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    for x in [10.0, 20.0, 30.0] {
        let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
        assert_eq!(moved.position.x, x);
    }
    // Then back, past where the mover was.
    walk(&mut app, mover, (-50.0, 0.0), pushing());
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [-20.0, 46.0]);
}

/// Another mover finds the crate where it has been pushed to.
#[test]
fn movers_know_what_others_have_pushed() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    let other = on_floor(&mut app, 60.0, Body::Kinematic);
    app.update();
    walk(&mut app, mover, (10.0, 0.0), pushing());
    // From 52 to the place of the crate, whose right side is at 34 now.
    let moved = walk(&mut app, other, (-30.0, 0.0), MoveOptions::default());
    assert_eq!(moved.position.x, 42.0);
    app.update();
    assert_eq!(places(&app, [mover, crate_, other]), [10.0, 26.0, 42.0]);
}

/// A pushed body may be a mover itself, and move in the same tick: no sweep knows the sum of both motions, so only its own motion counts, and never leads through a wall. A mover that has moved before is in the way where it is now, and is not pushed.
#[test]
fn movers_push_movers() {
    for is_pushed_first in [true, false] {
        let mut app = app();
        let square = BoxCollider::square(16.0);
        let pusher = (square, Body::Kinematic, at(-16.0, 0.0));
        let pusher = app.world_mut().spawn(pusher).id();
        let pushed = app.world_mut().spawn((square, at(0.0, 0.0))).id();
        wall(&mut app, (28.0, -50.0), (30.0, 50.0));
        app.update();
        let push = |app: &mut App| {
            let moved = walk(app, pusher, (30.0, 0.0), pushing());
            let way = is_pushed_first.then_some((pushed, Vec2::new(20.0, 0.0)));
            assert_eq!(moved.pushed, way.into_iter().collect::<Vec<_>>());
            assert_eq!(moved.position.x, 4.0);
        };
        let go = |app: &mut App| {
            let moved = walk(app, pushed, (30.0, 0.0), pushing());
            assert_eq!(moved.position.x, 20.0);
        };
        if is_pushed_first {
            push(&mut app);
            go(&mut app);
        } else {
            go(&mut app);
            push(&mut app);
        }
        app.update();
        assert_eq!(place(&app, pushed).x, 20.0, "{is_pushed_first}");
        app.update();
        assert_eq!([pusher, pushed].map(|one| place(&app, one).x), [4.0, 20.0]);
    }
}

/// Its own mover has led the crate away by 2: from there it is not pushed.
#[test]
fn who_has_walked_since_the_tick_is_in_the_way() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    walk(&mut app, crate_, (2.0, 0.0), MoveOptions::default());
    let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
    assert_eq!(moved.position, Vec2::new(6.0, 8.0));
    assert_eq!(moved.pushed, []);
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [6.0, 22.0]);
}

/// It has left a little of the way, just all of it, or gone far off.
#[test]
fn who_has_walked_out_of_the_way_is_not_in_it() {
    for (gone, x) in [(5.0, 9.0), (9.0, 10.0), (500.0, 10.0)] {
        let (mut app, [mover, crate_]) = scene(Body::Dynamic);
        walk(&mut app, crate_, (gone, 0.0), MoveOptions::default());
        let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
        assert_eq!((moved.position.x, moved.pushed.len()), (x, 0), "{gone}");
    }
}

/// A second crate has stood behind the first one, and has walked off.
#[test]
fn who_has_walked_out_of_the_way_of_a_crate_is_not_in_it() {
    for (gone, x) in [(5.0, 29.0), (500.0, 30.0)] {
        let (mut app, [mover, crate_]) = scene(Body::Kinematic);
        let second = on_floor(&mut app, 40.0, Body::Kinematic);
        app.update();
        walk(&mut app, second, (gone, 0.0), MoveOptions::default());
        walk(&mut app, mover, (14.0, 0.0), pushing());
        app.update();
        assert_eq!(places(&app, [crate_]), [x], "{gone}");
    }
}

/// Seen from above: around the corner of a pillar, which is in the way by 6, another mover has walked; there is no room aside.
#[test]
fn nobody_is_moved_around_a_corner_to_where_another_mover_has_gone() {
    for has_gone in [false, true] {
        let mut app = app();
        let square = || BoxCollider::square(16.0);
        app.world_mut()
            .spawn((square(), Body::Static, at(20.0, 10.0)));
        let [mover, other] = [(0.0, 0.0), (4.0, -41.0)].map(|(x, y)| {
            let mover = (square(), Body::Kinematic, at(x, y));
            app.world_mut().spawn(mover).id()
        });
        app.update();
        if has_gone {
            walk(&mut app, other, (0.0, 20.0), MoveOptions::default());
        }
        let options = MoveOptions {
            up: Some(Vec2::ZERO),
            corner_correction: 8.0,
            ..pushing()
        };
        let moved = walk(&mut app, mover, (4.5, 0.0), options);
        let end = if has_gone { (4.0, 0.0) } else { (4.5, -6.0) };
        assert!(moved.position.distance(end.into()) < 1.0e-5, "{moved:?}");
    }
}

/// Up stairs, a mover gets farther than its motion is long: nine steps that are 8 high, on a way of 40.
#[test]
fn who_has_walked_to_the_top_of_the_stairs_is_met_there() {
    for (gone, x) in [(0.0, 40.0), (-110.0, 34.0)] {
        let mut app = app();
        wall(&mut app, (-100.0, -10.0), (300.0, 0.0));
        for step in 0_u8..9 {
            let step = f32::from(step);
            wall(&mut app, (8.0 + 2.0 * step, 0.0), (300.0, 8.0 + 8.0 * step));
        }
        let mover = on_floor(&mut app, 0.0, Body::Kinematic);
        let other = (BoxCollider::square(16.0), Body::Kinematic, at(160.0, 80.0));
        let other = app.world_mut().spawn(other).id();
        app.update();
        walk(&mut app, other, (gone, 0.0), MoveOptions::default());
        let options = MoveOptions {
            step_height: 8.0,
            ..pushing()
        };
        let moved = walk(&mut app, mover, (40.0, 0.0), options);
        assert_eq!(moved.position, Vec2::new(x, 80.0), "{gone}");
    }
}

/// Its game puts the mover back before the tick: then it has pushed nothing.
#[test]
fn who_is_put_back_has_pushed_nothing() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
    assert_eq!(moved.pushed, [(crate_, Vec2::new(6.0, 0.0))]);
    app.world_mut().entity_mut(mover).insert(at(0.0, 8.0));
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [0.0, 20.0]);
}

/// A crate stops at a mover that has already moved there, whichever moved first, and no collider is left in another one.
#[test]
fn nothing_is_pushed_to_where_another_mover_has_gone() {
    let square = || BoxCollider::square(16.0);
    for pushes_too in [false, true] {
        let mut app = app();
        let [left, right] = [0.0, 60.0].map(|x| {
            let mover = (square(), Body::Kinematic, at(x, 8.0));
            app.world_mut().spawn(mover).id()
        });
        let crate_ = app.world_mut().spawn((square(), at(20.0, 8.0))).id();
        app.update();
        let options = if pushes_too {
            pushing()
        } else {
            MoveOptions::default()
        };
        let moved = walk(&mut app, right, (-30.0, 0.0), options);
        // It pushes the crate by 4, up to the other mover, or is stopped by the crate.
        let (met, pushed) = if pushes_too {
            (32.0, 16.0)
        } else {
            (36.0, 20.0)
        };
        assert_eq!(moved.position.x, met);
        let moved = walk(&mut app, left, (10.0, 0.0), pushing());
        let stopped = pushed - 16.0;
        assert_eq!((moved.position.x, moved.pushed.len()), (stopped, 0));
        app.update();
        assert_eq!(places(&app, [left, crate_, right]), [stopped, pushed, met]);
    }
}

/// A sensor makes neither the pushing mover nor the other one larger.
#[test]
fn a_sensor_around_a_mover_does_not_hide_who_has_gone_there() {
    for has_sensor in [false, true] {
        let mut app = app();
        let square = || BoxCollider::square(10.0);
        let [left, right] = [0.0, 40.0].map(|x| {
            let mover = (square(), Body::Kinematic, at(x, 8.0));
            let mover = app.world_mut().spawn(mover).id();
            if has_sensor {
                let around = (CircleCollider::new(30.0), Sensor, ChildOf(mover));
                app.world_mut().spawn(around);
            }
            mover
        });
        let crate_ = app.world_mut().spawn((square(), at(12.0, 8.0))).id();
        app.update();
        walk(&mut app, right, (-14.0, 0.0), MoveOptions::default());
        let moved = walk(&mut app, left, (10.0, 0.0), pushing());
        assert_eq!(moved.position.x, 6.0, "{has_sensor}");
        assert_eq!(
            moved.pushed,
            [(crate_, Vec2::new(4.0, 0.0))],
            "{has_sensor}"
        );
        app.update();
        assert_eq!(places(&app, [left, crate_, right]), [6.0, 16.0, 26.0]);
    }
}

/// A coin that has moved away in the same tick is passed where the last tick found it, also by a mover that pushes crates.
#[test]
fn who_pushes_passes_what_any_mover_does() {
    for options in [MoveOptions::default(), pushing()] {
        let mut app = app();
        let player = (CircleCollider::new(5.0), Body::Kinematic, at(0.0, 0.0));
        let player = app.world_mut().spawn(player).id();
        let coin = (
            CircleCollider::new(2.0),
            Sensor,
            Body::Kinematic,
            at(50.0, 0.0),
        );
        let coin = app.world_mut().spawn(coin).id();
        app.update();
        walk(&mut app, coin, (0.0, 30.0), MoveOptions::default());
        walk(&mut app, player, (100.0, 0.0), options);
        app.update();
        let started = take::<CollisionStarted>(&mut app).len();
        assert_eq!(started, 1, "{options:?}");
        app.update();
        assert_eq!(take::<CollisionEnded>(&mut app).len(), 1);
    }
}

/// In one tick the crate is pushed, and put onto a hand, or elsewhere.
#[test]
fn who_is_put_elsewhere_stays_there() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    walk(&mut app, mover, (10.0, 0.0), pushing());
    let hand = at(0.0, 20.0);
    let in_hand = (ChildOf(mover), hand);
    app.world_mut().entity_mut(crate_).insert(in_hand);
    app.update();
    assert_eq!(place(&app, crate_), Vec2::new(0.0, 20.0));

    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    walk(&mut app, mover, (10.0, 0.0), pushing());
    app.world_mut().entity_mut(crate_).insert(at(100.0, 8.0));
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [10.0, 100.0]);
}

/// Gravity may be tilted: floors are still floors, and flat sides are pushed straight.
#[test]
fn up_may_be_aslant() {
    for x in [-0.3, 0.3] {
        let (mut app, [mover, crate_]) = scene(Body::Kinematic);
        let options = MoveOptions {
            up: Some(Vec2::new(x, 1.0)),
            ..pushing()
        };
        for step in 1..20 {
            let moved = walk(&mut app, mover, (10.0, 0.0), options);
            assert_eq!(moved.motion, Vec2::new(10.0, 0.0), "{x}");
            app.update();
            let to = step as f32 * 10.0;
            assert_eq!(places(&app, [mover, crate_]), [to, to + 16.0], "{x}");
        }
    }
}

/// Several movers push the same crate, each from where the one before has pushed it to: the bits are the same in either spawn order.
#[test]
fn whoever_was_spawned_first_a_crate_comes_to_the_same_bits() {
    for k in 0..40 {
        let ends = [false, true].map(|is_turned| {
            let mut app = app();
            let tall = (
                BoxCollider::new(16.0, 100.0),
                at(20.3 + 0.37 * k as f32, 0.0),
            );
            let tall = app.world_mut().spawn(tall).id();
            let mut movers = [-30.0, 0.0, 30.0];
            if is_turned {
                movers.reverse();
            }
            let mut movers = movers.map(|y| {
                let mover = (BoxCollider::square(16.0), Body::Kinematic, at(0.1, y));
                app.world_mut().spawn(mover).id()
            });
            if is_turned {
                movers.reverse();
            }
            app.update();
            for (mover, by) in movers.into_iter().zip([30.7, 33.3, 36.1]) {
                walk(&mut app, mover, (by, 0.0), pushing());
            }
            app.update();
            let all = [tall, movers[0], movers[1], movers[2]];
            all.map(|one| place(&app, one).x.to_bits())
        });
        assert_eq!(ends[0], ends[1], "{k}");
    }
}

/// A motion that is only tried pushes nothing.
#[test]
fn trials_push_nobody() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    let mut transform = *app.world().get::<Transform>(mover).expect("it is there");
    let system = move |movers: Mover| {
        movers.project(mover, Vec2::new(0.0, 8.0), Vec2::new(10.0, 0.0), &pushing());
        let to = movers.move_and_slide(mover, &mut transform, Vec2::new(10.0, 0.0), &pushing());
        assert_eq!(to.map(|moved| moved.pushed.len()), Some(1));
    };
    app.world_mut().run_system_once(system).expect("it runs");
    // From where it was: what the trial has pushed from here does not count.
    let moved = walk(&mut app, mover, (5.0, 0.0), pushing());
    let [(pushed, way)] = moved.pushed[..] else {
        panic!("{moved:?}");
    };
    assert_eq!(pushed, crate_);
    assert!((way - Vec2::X).length() < 1.0e-6, "{way}");
    app.update();
    assert_eq!(places(&app, [mover, crate_]), [5.0, 21.0]);
}

/// Along two hundred tiles, with gravity on the crate: its height and velocity stay, and so does the distance of the two.
#[test]
fn a_crate_that_falls_slides_along_tiles() {
    for shape in [true, false] {
        let mut app = app();
        for tile in -2..200 {
            let x = tile as f32 * 16.0;
            wall(&mut app, (x, -16.0), (x + 16.0, 0.0));
        }
        let mover = on_floor(&mut app, 0.0, Body::Kinematic);
        let gravity = Velocity(Vec2::new(0.0, -64.0));
        let crate_ = app.world_mut().spawn((at(16.0, 8.0), gravity)).id();
        let mut entity = app.world_mut().entity_mut(crate_);
        if shape {
            entity.insert(BoxCollider::square(16.0));
        } else {
            entity.insert(CircleCollider::new(8.0));
        }
        app.update();
        let mut before = 0.0;
        for tick in 1..400 {
            let moved = walk(&mut app, mover, (7.3, -1.0), pushing());
            assert!((moved.motion - Vec2::new(7.3, 0.0)).length() < 1.0e-5);
            app.update();
            let [Vec2 { x: left, .. }, Vec2 { x: right, y }] =
                [mover, crate_].map(|one| place(&app, one));
            assert!((y - 8.0).abs() < 1.0e-5, "{tick}: {y}");
            assert!(
                (right - left - 16.0).abs() < 1.0e-3,
                "{tick}: {left} {right}"
            );
            assert!((left - before - 7.3).abs() < 1.0e-3, "{tick}: {left}");
            before = left;
            let hits = take::<CollisionStarted>(&mut app);
            let is_along = |hit: &CollisionStarted| hit.normal.x == 0.0 || hit.involves(mover);
            assert!(hits.iter().all(is_along), "{hits:?}");
        }
        let velocity = app.world().get::<Velocity>(crate_).expect("it has one");
        assert_eq!(velocity.0.x, 0.0);
    }
}

/// However fast the mover and however thin the crates, none is passed.
#[test]
fn nobody_is_passed() {
    let mut app = app();
    let mover = on_floor(&mut app, 0.0, Body::Kinematic);
    let thin: Vec<Entity> = (0..16)
        .map(|number| {
            let x = 10.0 + 10.0 * number as f32;
            let thin = (BoxCollider::new(0.5, 4.0), at(x, 8.0));
            app.world_mut().spawn(thin).id()
        })
        .collect();
    app.update();
    let moved = walk(&mut app, mover, (1000.0, 0.0), pushing());
    assert!((moved.position.x - 1000.0).abs() < 1.0e-3, "{moved:?}");
    app.update();
    for (number, thin) in thin.into_iter().enumerate() {
        let x = 1008.25 + 0.5 * number as f32;
        assert!((place(&app, thin).x - x).abs() < 0.002, "{number}");
    }
    // A seventeenth one is too many.
    let stopped = app
        .world_mut()
        .spawn((BoxCollider::new(0.5, 4.0), at(1020.25, 8.0)))
        .id();
    app.update();
    let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
    assert!((moved.position.x - 1004.0).abs() < 0.01, "{moved:?}");
    assert_eq!(place(&app, stopped).x, 1020.25);
}

/// A ball that is met at an angle rolls along the floor, and is not pressed into it; seen from above it moves where it is pushed.
#[test]
fn balls_are_pushed_along_the_floor() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    app.world_mut().entity_mut(crate_).despawn();
    // The ball is so large that the upper corner of the mover meets it at an angle.
    let ball = (CircleCollider::new(20.0), at(30.0, 20.0));
    let ball = app.world_mut().spawn(ball).id();
    app.world_mut()
        .entity_mut(mover)
        .insert(BoxCollider::new(16.0, 16.0));
    app.update();
    // The corner at (8, 16) is 4 below the ball's middle, so it meets the ball 20 * sqrt(1 - 0.04) = 19.5959 beside the middle: after 2.4041.
    let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
    assert!(
        (moved.position - Vec2::new(10.0, 8.0)).length() < 1.0e-4,
        "{moved:?}"
    );
    app.update();
    let to = place(&app, ball);
    assert!((to - Vec2::new(37.595_9, 20.0)).length() < 1.0e-3, "{to}");
    assert!((place(&app, mover) - Vec2::new(10.0, 8.0)).length() < 1.0e-3);
}

/// A pushed body may have a parent that is turned and scaled, its collider on a child, and a `Swept`.
#[test]
fn crates_of_every_kind_are_pushed() {
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    for kind in 0..4 {
        let (mut app, [mover, crate_]) = scene(Body::Kinematic);
        let mut entity = app.world_mut().entity_mut(crate_);
        match kind {
            0 => {
                entity.insert(Swept::default());
            }
            1 => {
                entity.remove::<BoxCollider>().insert(Body::Dynamic);
                entity.with_child((BoxCollider::square(16.0), at(0.0, 0.0)));
            }
            2 => {
                entity.insert((BoxCollider::square(8.0), at(4.0, -10.0)));
                let parent = at(0.0, 0.0)
                    .with_rotation(quarter)
                    .with_scale(Vec3::splat(2.0));
                let parent = app.world_mut().spawn(parent).id();
                app.world_mut().entity_mut(crate_).insert(ChildOf(parent));
            }
            _ => {
                entity.insert((Swept::default(), Velocity(Vec2::new(0.0, -64.0))));
            }
        }
        app.update();
        for step in 0..30 {
            let moved: Moved = walk(&mut app, mover, (10.0, 0.0), pushing());
            app.update();
            assert_eq!(moved.pushed.len(), 1, "{kind}");
            let global = app
                .world()
                .get::<GlobalTransform>(crate_)
                .expect("it has one");
            let to = global.translation().truncate();
            let x = 26.0 + 10.0 * step as f32;
            assert!(
                (to - Vec2::new(x, 8.0)).length() < 1.0e-3,
                "{kind} {step}: {to}"
            );
            assert!(
                (place(&app, mover).x - (x - 16.0)).abs() < 1.0e-3,
                "{kind} {step}"
            );
        }
    }
}

/// A coin is not in the way, and its collision is reported.
#[test]
fn a_crate_goes_over_sensors() {
    let (mut app, [mover, crate_]) = scene(Body::Kinematic);
    let coin = app
        .world_mut()
        .spawn((CircleCollider::new(2.0), Sensor, at(32.0, 8.0)))
        .id();
    app.update();
    take::<CollisionStarted>(&mut app);
    walk(&mut app, mover, (10.0, 0.0), pushing());
    app.update();
    assert_eq!(places(&app, [crate_]), [26.0]);
    let started = take::<CollisionStarted>(&mut app);
    assert!(
        started
            .iter()
            .any(|hit| hit.involves(coin) && hit.involves(crate_))
    );
}

/// A pushed body is not swept again: from its old place it would meet the mover, and end behind it.
#[test]
fn what_is_swept_goes_along_however_far() {
    let falls = Velocity(Vec2::new(0.0, -64.0));
    for kind in [Body::Kinematic, Body::Dynamic] {
        for pace in [4.0, 12.0, 15.0, 17.0, 40.0] {
            for case in ["swept", "plain, swept", "swept and falls, falls"] {
                let mut app = app();
                wall(&mut app, (-500.0, -10.0), (2000.0, 0.0));
                let mover = on_floor(&mut app, 0.0, kind);
                let crates = match case {
                    "swept" => vec![on_floor(&mut app, 16.0, Swept::default())],
                    "plain, swept" => vec![
                        on_floor(&mut app, 16.0, ()),
                        on_floor(&mut app, 32.0, Swept::default()),
                    ],
                    _ => vec![
                        on_floor(&mut app, 16.0, (Swept::default(), falls)),
                        on_floor(&mut app, 32.0, falls),
                    ],
                };
                app.update();
                let share = match kind {
                    Body::Kinematic => 1.0,
                    _ => 1.0 / (1 + crates.len()) as f32,
                };
                for tick in 1..8 {
                    walk(&mut app, mover, (pace, 0.0), pushing());
                    app.update();
                    let to = pace * share * tick as f32;
                    let all = std::iter::once(mover).chain(crates.iter().copied());
                    for (number, one) in all.enumerate() {
                        let place = place(&app, one);
                        let expected = Vec2::new(to + 16.0 * number as f32, 8.0);
                        assert!(
                            place.distance(expected) < 0.01,
                            "{kind:?}, {pace}, {case}, tick {tick}: {number} at {place}"
                        );
                    }
                }
            }
        }
    }
}

/// The mover meets the upper side of a ball, or jumps against a crate's corner, and pushes it along; it still falls past it, no faster than gravity allows.
#[test]
fn nobody_hangs_at_what_he_pushes_aslant() {
    const TICK: f32 = 1.0 / 64.0;
    for kind in [Body::Kinematic, Body::Dynamic] {
        for is_round in [false, true] {
            for radius in [8.0, 16.0, 20.0] {
                let mut app = app();
                wall(&mut app, (-500.0, -10.0), (2000.0, 0.0));
                let ball = (CircleCollider::new(radius), at(0.0, radius));
                app.world_mut().spawn(ball);
                // Slightly beside the ball, 30 degrees above its middle.
                let beside = Vec2::new(-0.866, 0.5);
                let corner = if is_round {
                    beside * 8.0
                } else {
                    Vec2::new(-8.0, 8.0)
                };
                let from = Vec2::Y * radius + beside * (radius + 0.2) + corner;
                let mut mover = app.world_mut().spawn((kind, at(from.x, from.y)));
                if is_round {
                    mover.insert(CircleCollider::new(8.0));
                } else {
                    mover.insert(BoxCollider::square(16.0));
                }
                let mover = mover.id();
                app.update();
                let mut velocity = Vec2::ZERO;
                let mut ticks_above = 0;
                for tick in 1..=120 {
                    velocity.x = 140.0;
                    velocity.y -= 1000.0 * TICK;
                    let moved = walk(&mut app, mover, (velocity * TICK).into(), pushing());
                    velocity = moved.velocity_after(velocity, TICK);
                    app.update();
                    let fallen = -1000.0 * TICK * tick as f32;
                    assert!(velocity.y >= fallen - 0.1, "{velocity}, tick {tick}");
                    ticks_above += usize::from(place(&app, mover).y > 8.1);
                }
                // A fall from twice the height of the ball takes a quarter of a second at most.
                let case = format!("{kind:?}, {is_round}, {radius}");
                assert!(ticks_above <= 40, "{case}: {ticks_above}");
            }
        }
    }
}

/// A raft that goes on while somebody pushes a crate on it: the push is one in the space of the raft.
#[test]
fn what_hangs_on_something_that_moves_is_pushed() {
    let turned = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    for (case, raft_at) in [
        ("it goes", at(5.0, 0.0)),
        ("it turns", Transform::from_rotation(turned)),
        ("it stays", at(0.0, 0.0)),
    ] {
        for swept in [false, true] {
            let mut app = app();
            let raft = app.world_mut().spawn(at(0.0, 0.0)).id();
            let [mover, crate_] = [0.0, 20.0].map(|x| {
                let one = (BoxCollider::square(16.0), at(x, 8.0), ChildOf(raft));
                app.world_mut().spawn(one).id()
            });
            if swept {
                app.world_mut().entity_mut(crate_).insert(Swept::default());
            }
            app.update();
            app.world_mut().entity_mut(raft).insert(raft_at);
            let moved = walk(&mut app, mover, (10.0, 0.0), pushing());
            assert_eq!(moved.position.x, 7.0, "{case}");
            assert_eq!(moved.pushed, [(crate_, Vec2::new(3.0, 0.0))], "{case}");
            take::<CollisionStarted>(&mut app);
            app.update();
            for (one, x) in [(mover, 7.0), (crate_, 23.0)] {
                let place = place(&app, one);
                assert!(
                    place.distance(Vec2::new(x, 8.0)) < 1.0e-4,
                    "{case}: {place}"
                );
            }
            for started in take::<CollisionStarted>(&mut app) {
                assert!(started.depth < 1.0e-4, "{case}: {started:?}");
            }
        }
    }
}

/// A row of crates is told as it is met, the near one first, whichever was spawned first.
#[test]
fn what_is_pushed_is_told_in_the_order_in_which_it_is_met() {
    for order in [[0, 1], [1, 0]] {
        let mut app = app();
        let mut crates = [Entity::PLACEHOLDER; 2];
        for number in order {
            let x = [20.0, 40.0][number];
            crates[number] = on_floor(&mut app, x, Body::Dynamic);
        }
        let mover = on_floor(&mut app, 0.0, Body::Kinematic);
        app.update();
        // 4 free, 4 with the first crate, 8 with both.
        let moved = walk(&mut app, mover, (16.0, 0.0), pushing());
        let pushed = moved.pushed.iter();
        let (pushed, ways): (Vec<_>, Vec<_>) = pushed.copied().unzip();
        assert_eq!(pushed, crates, "{order:?}");
        let far_off = Vec2::new(ways[0].x - 12.0, ways[1].x - 8.0);
        assert!(far_off.abs().max_element() < 1.0e-5, "{order:?}: {ways:?}");
    }
}

/// A flag hangs high above a crate. Before the next tick, a scout goes by where it is now, or where it was.
#[test]
fn what_hangs_on_a_pushed_crate_is_passed_where_it_was_pushed_to() {
    for (x, expected) in [(40.0, 1), (20.0, 0)] {
        let mut app = app();
        let world = app.world_mut();
        let crate_ = (BoxCollider::square(10.0), at(20.0, 0.0));
        let crate_ = world.spawn(crate_).id();
        let flag = (CircleCollider::new(3.0), Sensor, at(0.0, 40.0));
        let flag = world.spawn((flag, ChildOf(crate_))).id();
        let body = |x: f32, y: f32| (BoxCollider::square(16.0), Body::Kinematic, at(x, y));
        let hero = world.spawn(body(0.0, 0.0)).id();
        let scout = world.spawn(body(x, 80.0)).id();
        app.update();
        // 7 to get there.
        let moved = walk(&mut app, hero, (27.0, 0.0), pushing());
        assert_eq!(moved.pushed, [(crate_, Vec2::new(20.0, 0.0))]);
        // It ends 12 to 28 high, and the flag hangs 37 to 43 high.
        walk(&mut app, scout, (0.0, -60.0), MoveOptions::default());
        app.update();
        assert_eq!(place(&app, crate_).x, 40.0);
        let with_flag = |pair: [Entity; 2]| pair.contains(&flag);
        let started = take::<CollisionStarted>(&mut app);
        let started = started.iter().filter(|one| with_flag([one.a, one.b]));
        assert_eq!(started.count(), expected, "at {x}");
        app.update();
        let ended = take::<CollisionEnded>(&mut app);
        let ended = ended.iter().filter(|one| with_flag([one.a, one.b]));
        assert_eq!(ended.count(), expected, "at {x}");
    }
}
