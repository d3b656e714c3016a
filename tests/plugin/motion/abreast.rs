//! Bodies that are pushed side by side: all that a body meets at the same instant share its push.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app};
use crate::common::{at, place, take, wall};

/// Pushes heroes to the right at a pace in each of some ticks, and returns the places of heroes and others after each of them.
fn push(app: &mut App, heroes: &[Entity], pace: f32, others: &[Entity]) -> Vec<Vec<f32>> {
    (0..8)
        .map(|_| {
            for &hero in heroes {
                app.world_mut().entity_mut(hero).insert(a_tick(pace, 0.0));
            }
            app.update();
            let all = heroes.iter().chain(others);
            all.map(|&one| place(app, one).x).collect()
        })
        .collect()
}

fn scene() -> App {
    let mut app = moving_app();
    app.insert_resource(CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    });
    app.update();
    app
}

fn assert_near(told: f32, expected: f32, case: &str) {
    assert!(
        (told - expected).abs() < 0.01,
        "{case}: {told}, not {expected}"
    );
}

/// All masses are 1, so all bodies share the pace of the hero.
#[test]
fn crates_side_by_side_go_as_one() {
    let crate_of = BoxCollider::square(12.0);
    for (case, height, rows, pace, has_velocity) in [
        ("two", 12.0, vec![(12.0, vec![-6.0, 6.0])], 2.0, false),
        ("two, fast", 12.0, vec![(12.0, vec![-6.0, 6.0])], 6.0, false),
        (
            "three",
            36.0,
            vec![(12.0, vec![-12.0, 0.0, 12.0])],
            2.0,
            false,
        ),
        (
            "two rows of two",
            24.0,
            vec![(12.0, vec![-6.0, 6.0]), (24.0, vec![-6.0, 6.0])],
            2.0,
            false,
        ),
        (
            "one before two",
            12.0,
            vec![(12.0, vec![0.0]), (24.0, vec![-6.0, 6.0])],
            4.0,
            false,
        ),
        (
            "with velocities",
            12.0,
            vec![(12.0, vec![-6.0, 6.0])],
            2.0,
            true,
        ),
    ] {
        let mut app = scene();
        let hero = (BoxCollider::new(12.0, height), Velocity::default());
        let hero = app.world_mut().spawn((hero, at(0.0, 0.0))).id();
        let mut crates = Vec::new();
        let mut starts = Vec::new();
        for (x, ys) in rows {
            for y in ys {
                crates.push(app.world_mut().spawn((crate_of, at(x, y))).id());
                starts.push(x);
            }
        }
        if has_velocity {
            for &one in &crates {
                app.world_mut().entity_mut(one).insert(Velocity::default());
            }
        }
        let each = pace / (crates.len() + 1) as f32;
        let places = if has_velocity {
            // Only one tick: afterwards the crates have velocities of their own.
            let mut places = push(&mut app, &[hero], pace, &crates);
            places.truncate(1);
            places
        } else {
            push(&mut app, &[hero], pace, &crates)
        };
        for (tick, places) in (1..).zip(places) {
            let case = format!("{case}, tick {tick}");
            assert_near(places[0], each * tick as f32, &case);
            for (place, start) in places[1..].iter().zip(&starts) {
                assert_near(place - start, each * tick as f32, &case);
            }
        }
    }
}

/// The crate that is a little ahead is not pushed before the other one: from then on they are level.
#[test]
fn crates_that_are_not_level_are_when_both_are_pushed() {
    let mut app = scene();
    let square = BoxCollider::square(12.0);
    let hero = (square, Velocity::default(), at(0.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    let crates =
        [(12.5, -6.0), (12.0, 6.0)].map(|(x, y)| app.world_mut().spawn((square, at(x, y))).id());
    let places = push(&mut app, &[hero], 2.0, &crates);
    // The hero takes half of the tick to the farther crate, then all three share its pace: 0.5 + 0.5 * 2 / 3.
    let mut expected = 0.5 + 1.0 / 3.0;
    for places in places {
        for (place, start) in places.iter().zip([0.0, 12.0, 12.0]) {
            assert_near(place - start, expected, &format!("{places:?}"));
        }
        expected += 2.0 / 3.0;
    }
}

#[test]
fn two_who_push_the_same_crate_go_as_one() {
    let mut app = scene();
    let square = BoxCollider::square(12.0);
    let heroes = [-6.0, 6.0].map(|y| {
        let hero = (square, Velocity::default(), at(0.0, y));
        app.world_mut().spawn(hero).id()
    });
    let pushed = app.world_mut().spawn((square, at(12.0, 0.0))).id();
    for (tick, places) in (1..).zip(push(&mut app, &heroes, 3.0, &[pushed])) {
        for (place, start) in places.iter().zip([0.0, 0.0, 12.0]) {
            assert_near(place - start, 2.0 * tick as f32, &format!("tick {tick}"));
        }
    }
}

/// The crate that the faster hero pushes away does not pull the slower one along.
#[test]
fn nobody_is_pulled() {
    let mut app = scene();
    let square = BoxCollider::square(12.0);
    let heroes = [(-6.0, 1.0), (6.0, 9.0)].map(|(y, pace)| {
        let hero = (square, a_tick(pace, 0.0), at(0.0, y));
        app.world_mut().spawn(hero).id()
    });
    let pushed = app.world_mut().spawn((square, at(12.0, 0.0))).id();
    app.update();
    let [slow, fast] = heroes.map(|hero| place(&app, hero).x);
    let pushed = place(&app, pushed).x - 12.0;
    assert!(slow <= 1.0, "{slow}");
    assert!(pushed > 3.0 && fast <= pushed + 0.001, "{fast}, {pushed}");
    assert_near(slow + fast + pushed, 10.0, "all in all");
}

/// In the air, a block that falls on two level crates shares its speed with both.
#[test]
fn a_block_that_falls_on_two_takes_both_along() {
    let mut app = scene();
    let block = (
        BoxCollider::new(24.0, 12.0),
        a_tick(0.0, -6.0),
        at(0.0, 12.0),
    );
    let block = app.world_mut().spawn(block).id();
    let crates = [-6.0, 6.0].map(|x| {
        let one = (BoxCollider::square(12.0), Velocity::default(), at(x, 0.0));
        app.world_mut().spawn(one).id()
    });
    app.update();
    for one in [block, crates[0], crates[1]] {
        let velocity = app.world().get::<Velocity>(one).expect("it has one").0;
        assert!(
            velocity.abs_diff_eq(a_tick(0.0, -2.0).0, 0.01),
            "{velocity}"
        );
    }
}

/// A plate that meets two bricks at the same instant collides with both, wherever it goes from there.
#[test]
fn what_is_met_at_the_same_instant_is_told() {
    let bounce = Response::Bounce { restitution: 1.0 };
    for (case, response, width, x, way, told) in [
        (
            "bounces off both",
            bounce,
            20.0,
            0.0,
            (0.0, -10.0),
            [true, true],
        ),
        (
            "mostly on one",
            bounce,
            8.0,
            1.0,
            (0.0, -10.0),
            [true, true],
        ),
        ("only on one", bounce, 8.0, 6.0, (0.0, -10.0), [false, true]),
        (
            "slides on past both",
            Response::Slide,
            8.0,
            -20.0,
            (40.0, -10.0),
            [true, true],
        ),
        (
            "stays",
            Response::Slide,
            8.0,
            0.0,
            (0.0, -10.0),
            [true, true],
        ),
        (
            "stops",
            Response::Stop,
            8.0,
            0.0,
            (0.0, -10.0),
            [true, true],
        ),
    ] {
        for body in [Body::Static, Body::Kinematic] {
            let mut app = scene();
            let bricks = [-5.0, 5.0].map(|x| {
                let brick = (BoxCollider::square(10.0), body, at(x, 0.0));
                app.world_mut().spawn(brick).id()
            });
            let plate = (BoxCollider::new(width, 4.0), response, at(x, 12.0));
            let plate = app.world_mut().spawn((plate, a_tick(way.0, way.1))).id();
            app.update();
            let started = take::<CollisionStarted>(&mut app);
            let of = |brick: Entity| {
                let mut hits = started.iter();
                hits.find(|hit| hit.involves(brick) && hit.involves(plate))
            };
            let case = format!("{case}, {body:?}");
            assert_eq!(bricks.map(|brick| of(brick).is_some()), told, "{case}");
            for hit in bricks.iter().filter_map(|brick| of(*brick)) {
                assert_eq!(hit.normal_for(plate), Some(Vec2::NEG_Y), "{case}");
                assert!((hit.time - 0.5).abs() < 1.0e-4, "{case}: {}", hit.time);
                assert_eq!(hit.depth, 0.0, "{case}");
            }
        }
    }
}

/// Of two bricks over a head, a `Mover` reports the one that covers more of the head.
#[test]
fn a_head_hits_the_brick_that_is_over_it() {
    for (x, expected) in [(-1.0, 0), (1.0, 1), (-4.0, 0), (4.0, 1)] {
        let mut app = scene();
        let bricks = [-8.0, 8.0].map(|x| {
            let brick = (BoxCollider::square(16.0), Body::Static, at(x, 0.0));
            app.world_mut().spawn(brick).id()
        });
        let head = (BoxCollider::square(12.0), Body::Kinematic, at(x, -20.0));
        let head = app.world_mut().spawn(head).id();
        app.update();
        let jump = move |mover: Mover| {
            let from = Vec2::new(x, -20.0);
            mover.project(head, from, Vec2::new(0.0, 10.0), &MoveOptions::default())
        };
        let moved = app.world_mut().run_system_once(jump).expect("it runs");
        let hit = moved.expect("it is a body").hits[0].entity;
        assert_eq!(hit, bricks[expected], "{x}");
    }
}

/// A body that stands still is hit by the first one, and moves with it. The second one, which would have come to its old place, does not reach it.
#[test]
fn what_would_have_come_later_is_not_told() {
    for body in [Body::Dynamic, Body::Kinematic] {
        let mut app = scene();
        let square = BoxCollider::square(10.0);
        let stands = (square, body, Velocity::default(), at(0.0, 0.0));
        let stands = app.world_mut().spawn(stands).id();
        let first = (square, a_tick(-10.0, 0.0), at(15.0, 6.0));
        let first = app.world_mut().spawn(first).id();
        let second = (square, a_tick(-52.0, 0.0), at(60.0, -6.0));
        let second = app.world_mut().spawn(second).id();
        if body == Body::Kinematic {
            // The first one does not move a kinematic body, so the second one would reach it, without this wall.
            wall(&mut app, (15.0, -20.0), (20.0, -2.0));
        }
        app.update();
        let hits = take::<CollisionStarted>(&mut app);
        let of = |one: Entity| {
            hits.iter()
                .any(|hit| hit.involves(one) && hit.involves(stands))
        };
        assert_eq!([of(first), of(second)], [true, false], "{body:?}");
    }
}

/// One of two that push a wide crate is stopped by a heavy one. The other one, and the crate, go on without it, whichever of the two is lower.
#[test]
fn who_is_stopped_holds_back_nobody_he_does_not_stand_before() {
    for mirror in [1.0, -1.0] {
        let mut app = scene();
        let mut spawn = |x: (f32, f32), y: (f32, f32), mass: f32, velocity: Option<Velocity>| {
            let half = Vec2::new(x.1 - x.0, y.1 - y.0) * 0.5;
            let middle = at((x.0 + x.1) * 0.5, (y.0 + y.1) * 0.5 * mirror);
            let collider = BoxCollider::new(half.x * 2.0, half.y * 2.0);
            let mut one = app.world_mut().spawn((collider, Mass(mass), middle));
            if let Some(velocity) = velocity {
                one.insert(velocity);
            }
            one.id()
        };
        spawn((-10.0, 0.0), (-5.0, 5.0), 1.0, Some(a_tick(3.0, 0.0)));
        spawn((-10.0, 0.0), (6.0, 16.0), 9.0, Some(a_tick(3.0, 0.0)));
        let wide = spawn((0.5, 10.5), (0.0, 16.0), 1.0, None);
        let heavy = spawn((1.0, 11.0), (-5.0, -1.0), 9.0, None);
        app.update();
        let left = |one: Entity| place(&app, one).x - 5.0;
        // A sixth of the tick to the wide crate; then all three move by 30 / 11 a tick, and one of them by a tenth of that together with the heavy one.
        let pace = 30.0 / 11.0;
        let case = format!("mirrored by {mirror}");
        assert_near(left(wide), 0.5 + pace * 5.0 / 6.0, &case);
        let later = 1.0 - 1.0 / 6.0 - 0.5 / pace;
        assert_near(left(heavy), 1.0 + later * pace / 10.0, &case);
    }
}

/// All of them meet at the same instant, so all share the push.
#[test]
fn two_who_push_two_crates_go_as_one() {
    for mirror in [1.0, -1.0] {
        let mut app = scene();
        let square = BoxCollider::square(12.0);
        let heroes = [-6.0, 6.0].map(|y| {
            let hero = (square, Velocity::default(), at(0.0, y * mirror));
            app.world_mut().spawn(hero).id()
        });
        let crates = [(-11.0, 8.0), (5.0, 22.0)].map(|(y, height)| {
            let one = (BoxCollider::new(12.0, height), at(12.0, y * mirror));
            app.world_mut().spawn(one).id()
        });
        for (tick, places) in (1..).zip(push(&mut app, &heroes, 2.0, &crates)) {
            for (place, start) in places.iter().zip([0.0, 0.0, 12.0, 12.0]) {
                assert_near(
                    place - start,
                    tick as f32,
                    &format!("{mirror}, tick {tick}"),
                );
            }
        }
    }
}

/// Carried bodies stood on the lift when the tick began, whichever way the lift moves.
#[test]
fn crates_on_a_lift_go_as_one_beside_it() {
    for pace in [0.0, 0.4, -0.2, -0.4, -0.9375, -2.0] {
        let mut app = moving_app();
        let lift = (BoxCollider::new(400.0, 10.0), Body::Kinematic);
        let lift = app.world_mut().spawn((lift, at(0.0, -5.0))).id();
        let crates = [6.0, 18.0].map(|y| {
            let block = (BoxCollider::square(12.0), at(12.0, y));
            app.world_mut().spawn(block).id()
        });
        let hero = (BoxCollider::new(12.0, 24.0), Velocity::default());
        let hero = app.world_mut().spawn((hero, at(0.0, 12.0))).id();
        app.update();
        app.world_mut().entity_mut(lift).insert(a_tick(pace, 0.0));
        let places = push(&mut app, &[hero], 1.5, &crates);
        for (tick, places) in (1..).zip(places) {
            let way = (pace + 0.5) * tick as f32;
            for (place, start) in places.iter().zip([0.0, 12.0, 12.0]) {
                assert_near(place - start, way, &format!("{pace}, tick {tick}"));
            }
        }
    }
}

/// Bodies of several colliders count once each.
#[test]
fn crates_of_several_parts_share_a_push_as_whole_ones_do() {
    for parts in [1, 3, 5] {
        let mut app = scene();
        let hero = (BoxCollider::new(10.0, 16.0), at(0.0, 0.0));
        let hero = app.world_mut().spawn((hero, Velocity::default())).id();
        let crates = [-5.0, 5.0].map(|y| {
            let whole = app.world_mut().spawn((Body::Dynamic, at(10.0, y))).id();
            let height = 9.0 / parts as f32;
            for part in 0..parts {
                let y = height * (part as f32 - (parts - 1) as f32 * 0.5);
                let slab = (BoxCollider::new(10.0, height), at(0.0, y));
                app.world_mut().spawn((slab, ChildOf(whole)));
            }
            whole
        });
        let told = push(&mut app, &[hero], 3.0, &crates);
        for (tick, places) in told.iter().enumerate() {
            let gone = tick as f32 + 1.0;
            for (told, start) in places.iter().zip([0.0, 10.0, 10.0]) {
                assert_near(*told, start + gone, &format!("{parts} parts, tick {tick}"));
            }
        }
    }
}
