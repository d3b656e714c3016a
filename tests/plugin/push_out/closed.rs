//! No body is led through a wall or a closed door, whichever rule of the push-out leads it out of where it is.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use crate::common::{app, at, place, take, tick, wall};

/// Ten rows of four bodies that press a fifth one to the left, where a wall is 2.5 beyond it; no body touches the wall.
///
/// ```text
///   |  [E]    [ABCD]
/// -17.5  -10   0..3
/// ```
#[test]
fn a_crowd_that_goes_back_by_its_middle_is_not_led_through_a_wall() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        let wall = (BoxCollider::new(1.0, 1000.0), kind, at(-18.0, 180.0));
        app.world_mut().spawn(wall);
        let rows = (0..10_u8).map(|row| f32::from(row) * 40.0);
        let all = rows.flat_map(|y| [-10.0, 0.0, 1.0, 2.0, 3.0].map(|x| at(x, y)));
        let all: Vec<Entity> = all
            .map(|at| {
                let one = (BoxCollider::new(10.0, 40.0), at);
                app.world_mut().spawn(one).id()
            })
            .collect();
        tick(&mut app);
        for one in all {
            let place = place(&app, one);
            assert!(place.x >= -12.501, "{kind:?}: {place}");
        }
    }
}

/// So many in one place that they are solved as a throng, with a door beside them.
#[test]
fn a_throng_is_not_spread_through_a_closed_door() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        let door = (BoxCollider::new(2.0, 400.0), kind, at(12.0, 0.0));
        app.world_mut().spawn(door);
        let all = [(); 40].map(|()| {
            let one = (CircleCollider::new(5.0), at(0.0, 0.0));
            app.world_mut().spawn(one).id()
        });
        tick(&mut app);
        for one in all {
            let place = place(&app, one);
            assert!(place.x <= 6.01, "{kind:?}: {place}");
        }
    }
}

/// Far more bodies than there is room for between four doors, so that they press against the doors for ever.
#[test]
fn nobody_in_a_jam_is_pressed_through_a_closed_door() {
    for thick in [0.1, 8.0] {
        let mut app = app();
        let (room, middle) = (48.0, 48.0 + thick / 2.0);
        for [x, y] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
            let along = 2.0 * (room + thick);
            let size = if x == 0.0 {
                [along, thick]
            } else {
                [thick, along]
            };
            let door = BoxCollider::new(size[0], size[1]);
            let place = at(x * middle, y * middle);
            app.world_mut().spawn((door, Body::Kinematic, place));
        }
        // Like the seeds of a sunflower: no two are in one place.
        let all: Vec<Entity> = (0..150_u8)
            .map(|number| {
                let place = Vec2::from_angle(f32::from(number) * 2.4) * f32::from(number).sqrt();
                let one = (CircleCollider::new(4.0), at(place.x, place.y));
                app.world_mut().spawn(one).id()
            })
            .collect();
        for number in 0..20 {
            tick(&mut app);
            for &one in &all {
                let place = place(&app, one);
                assert!(
                    place.abs().max_element() < room,
                    "{thick}, {number}: {place}"
                );
            }
        }
    }
}

/// B is 0.9 in front of the door, and is pushed three times in a row by those behind it, each of which is far heavier, and by no more than 2.4 at a time.
///
/// ```text
/// [D] [C] [A] [B] |
/// ```
#[test]
fn who_is_pushed_several_times_in_a_row_stays_before_a_door_that_nobody_touches() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        let door = (BoxCollider::new(0.2, 100.0), kind, at(6.0, 0.0));
        app.world_mut().spawn(door);
        let row = [(0.0, 1.0), (-7.6, 1.0e2), (-15.3, 1.0e4), (-23.1, 1.0e6)];
        let row = row.map(|(x, mass)| {
            let one = (BoxCollider::square(10.0), Mass(mass), at(x, 0.0));
            app.world_mut().spawn(one).id()
        });
        tick(&mut app);
        let place = place(&app, row[0]);
        assert!(place.x <= 0.91, "{kind:?}: {place}");
    }
}

/// Too few for a crowd or a throng.
#[test]
fn a_few_in_one_place_stay_on_their_side_of_a_door() {
    for (thick, left) in [(0.1, 7.0), (2.0, 8.0), (4.0, 7.0), (0.1, 9.0), (1.0, 10.0)] {
        for (count, kind) in (8..=10_u8).flat_map(|n| [(n, Body::Static), (n, Body::Kinematic)]) {
            let mut app = app();
            let door = BoxCollider::new(thick, 400.0);
            app.world_mut()
                .spawn((door, kind, at(left + thick / 2.0, 0.0)));
            let all: Vec<Entity> = (0..count)
                .map(|number| {
                    let far = 0.3 * f32::from(number + 1).sqrt();
                    let place = Vec2::from_angle(f32::from(number) * 2.4) * far;
                    let one = (CircleCollider::new(5.0), at(place.x, place.y));
                    app.world_mut().spawn(one).id()
                })
                .collect();
            tick(&mut app);
            for one in all {
                let place = place(&app, one);
                assert!(
                    place.x < left,
                    "{thick}, {left}, {count}, {kind:?}: {place}"
                );
            }
        }
    }
}

/// Four boxes make a gate of 48 by 48. The way up out of it is 28.5 long, and the way to the left, through a wall, 28.
#[test]
fn who_is_in_a_gate_of_several_boxes_is_not_led_through_the_wall_beside_it() {
    let mut app = app();
    for (x, y) in [(-12.0, -12.0), (-12.0, 12.0), (12.0, -12.0), (12.0, 12.0)] {
        let part = (BoxCollider::square(24.0), Body::Static, at(x, y));
        app.world_mut().spawn(part);
    }
    wall(&mut app, (-27.0, -100.0), (-26.0, 100.0));
    let hero = (BoxCollider::square(10.0), at(-4.0, 0.5));
    let hero = app.world_mut().spawn(hero).id();
    tick(&mut app);
    assert_eq!(place(&app, hero), Vec2::new(-4.0, 29.0));
}

/// A few hundredths of their width are more than the thickness of the floor, and a few hundredths of their height less than 0.2.
#[test]
fn long_bodies_in_one_place_are_not_laid_out_through_the_floor() {
    for count in 3..8 {
        let mut app = app();
        wall(&mut app, (-500.0, -1.0), (500.0, 0.0));
        let all: Vec<Entity> = (0..count)
            .map(|_| {
                let plank = (BoxCollider::new(200.0, 4.0), at(0.0, 2.0));
                app.world_mut().spawn(plank).id()
            })
            .collect();
        tick(&mut app);
        for one in all {
            let place = place(&app, one);
            assert!(place.y >= 1.99 && place.x.abs() < 0.2, "{count}: {place}");
        }
    }
}

/// The large part of each body is laid out by up to 1.4, and the small part is 0.1 in front of a wall that is 0.1 thick.
#[test]
fn bodies_of_several_colliders_in_one_place_are_not_laid_out_through_a_wall() {
    let mut app = app();
    wall(&mut app, (0.6, -200.0), (0.7, 200.0));
    let all = [(); 3].map(|()| {
        let body = (CircleCollider::new(0.5), at(0.0, 0.0));
        let body = app.world_mut().spawn(body).id();
        let large = (CircleCollider::new(40.0), at(-60.0, 0.0), ChildOf(body));
        app.world_mut().spawn(large);
        body
    });
    tick(&mut app);
    for one in all {
        let place = place(&app, one);
        assert!(place.x <= 0.11, "{place}");
    }
}

/// A box of 10 is squeezed in a slot of 8, whose left end is closed; in front of the right end are two bars with a gap of 4 between them.
#[test]
fn who_is_squeezed_is_not_led_through_a_grate() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        wall(&mut app, (-14.0, 4.0), (14.0, 30.0));
        wall(&mut app, (-14.0, -30.0), (14.0, -4.0));
        wall(&mut app, (-14.0, -4.0), (-10.0, 4.0));
        for y in [-3.0, 3.0] {
            let bar = (BoxCollider::new(4.0, 2.0), kind, at(12.0, y));
            app.world_mut().spawn(bar);
        }
        let hero = (BoxCollider::square(10.0), at(1.0, 0.0));
        let hero = app.world_mut().spawn(hero).id();
        app.update();
        let x = place(&app, hero).x;
        assert!((-10.0..=10.0).contains(&x), "{kind:?}: {x}");
        assert!(!take::<Crushed>(&mut app).is_empty(), "{kind:?}");
    }
}

/// A gate of 40 by 20 closes on a box of 10 between rows of posts, with gaps of 4: the way out between the posts is 17 long, and along them 20 + 5 - 1.
#[test]
fn who_is_in_a_gate_is_not_led_through_the_grate_beside_it() {
    let mut app = app();
    for column in -6..6_i8 {
        let x = f32::from(column) * 10.0 + 6.0;
        for y in [-11.0, 11.0] {
            wall(&mut app, (x - 3.0, y - 1.0), (x + 3.0, y + 1.0));
        }
    }
    wall(&mut app, (-20.0, -10.0), (20.0, 10.0));
    let hero = (BoxCollider::square(10.0), at(1.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    app.update();
    assert_eq!(place(&app, hero), Vec2::new(25.0, 0.0));
    assert_eq!(take::<Crushed>(&mut app), []);
}

/// Balls of radius 6 between a wall at 50 and a door that moves by 0.75 a tick. Above and below there is room.
struct Press {
    app: App,
    door: Entity,
    balls: Vec<Entity>,
}

impl Press {
    /// Starts with the door at this place.
    fn new(door: f32, balls: impl IntoIterator<Item = (f32, f32)>) -> Self {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        app.world_mut().resource_mut::<CollisionSettings>().up = Vec2::ZERO;
        wall(&mut app, (50.0, -400.0), (60.0, 400.0));
        let collider = (BoxCollider::new(10.0, 300.0), Body::Kinematic);
        let door = (collider, at(door - 5.0, 0.0));
        let door = app.world_mut().spawn(door).id();
        let balls = balls.into_iter().map(|(x, y)| {
            let ball = (CircleCollider::new(6.0), at(x, y));
            app.world_mut().spawn(ball).id()
        });
        let balls = balls.collect();
        Self { app, door, balls }
    }

    /// Closes the door until the gap to the wall is this wide. Returns the longest way of a ball in a tick, and the widths of the gap in the ticks in which a ball is crushed.
    fn close(&mut self, gap: f32) -> (f32, Vec<f32>) {
        let velocity = Velocity(Vec2::new(48.0, 0.0));
        self.app.world_mut().entity_mut(self.door).insert(velocity);
        let (mut longest, mut crushed) = (0.0_f32, Vec::new());
        let mut now = 45.0 - place(&self.app, self.door).x;
        while now - 0.75 >= gap {
            now -= 0.75;
            let before = self.places();
            self.app.update();
            for (from, to) in before.into_iter().zip(self.places()) {
                longest = longest.max(from.distance(to));
            }
            crushed.extend(take::<Crushed>(&mut self.app).iter().map(|_| now));
        }
        (longest, crushed)
    }

    fn places(&self) -> Vec<Vec2> {
        let places = self.balls.iter().map(|&ball| place(&self.app, ball));
        places.collect()
    }
}

/// Each ball moves along the wall or the door, out of the way of those that are pressed against it.
#[test]
fn a_door_that_closes_presses_balls_out_of_each_others_way() {
    for balls in [
        &[(44.0, -10.0), (36.0, 0.0), (44.0, 10.0)][..],
        &[(44.0, -2.0), (44.0, 16.0), (36.0, 7.0), (36.0, -11.0)],
        &[
            (44.0, -14.5),
            (36.0, -5.5),
            (44.0, 3.5),
            (36.0, 12.5),
            (36.0, -23.5),
        ],
    ] {
        // In the end, each has a place in one row.
        let (longest, crushed) = Press::new(30.0, balls.iter().copied()).close(14.0);
        assert!(longest < 2.0 && crushed.is_empty(), "{longest} {crushed:?}");
    }
}

/// Balls in random places end in one row. Where they meet nearly head-on, they pass each other.
#[test]
fn a_door_that_closes_presses_many_balls_into_a_row() {
    for (count, farthest) in [(3, 6.0), (5, 6.0), (9, 9.0)] {
        for seed in 0..12 {
            let mut random = fastrand::Rng::with_seed(seed);
            let balls: Vec<_> = (0..count)
                .map(|_| {
                    let [x, y] = [0, 1].map(|_| random.f32());
                    (16.0 + 28.0 * x, 36.0 * y - 18.0)
                })
                .collect();
            let mut press = Press::new(10.0, balls);
            for _ in 0..3 {
                press.app.update();
            }
            take::<Crushed>(&mut press.app);
            let (longest, crushed) = press.close(13.0);
            let case = format!("{count} balls, seed {seed}: {longest} {crushed:?}");
            assert!(crushed.is_empty() && longest <= farthest, "{case}");
        }
    }
}

/// Two boxes in a corridor that is narrower than both together by less than the tolerance stay where they are.
#[test]
fn who_is_as_good_as_free_is_not_led_past_anybody() {
    for has_floor in [false, true] {
        for by_a_press in [false, true] {
            let mut app = app();
            wall(&mut app, (-10.0, -100.0), (0.0, 100.0));
            let right = wall(&mut app, (19.995, -100.0), (30.0, 100.0));
            if by_a_press {
                app.world_mut().entity_mut(right).insert(Body::Kinematic);
            }
            if has_floor {
                wall(&mut app, (0.0, -15.0), (19.995, -5.0));
            }
            let boxes = [5.0, 14.995].map(|x| {
                let one = (BoxCollider::square(10.0), at(x, 0.0));
                app.world_mut().spawn(one).id()
            });
            for _ in 0..3 {
                app.update();
            }
            for one in boxes {
                let there = place(&app, one);
                let case = format!("floor: {has_floor}, press: {by_a_press}: {there}");
                assert!(there.y.abs() < 0.01, "{case}");
            }
            assert_eq!(take::<Crushed>(&mut app), []);
        }
    }
}

/// The wall along the border of a room is thicker than the body beyond it.
#[test]
fn who_is_outside_of_a_room_comes_back_through_the_wall_along_its_border() {
    for x in [-101.0, -103.0, -110.0, -150.0] {
        let mut app = app();
        app.world_mut().spawn(BoundsCollider::new(200.0, 200.0));
        wall(&mut app, (-100.0, -100.0), (-80.0, 100.0));
        let body = (CircleCollider::new(5.0), at(x, 0.0));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(place(&app, body), Vec2::new(-75.0, 0.0), "from {x}");
        assert_eq!(take::<Crushed>(&mut app), []);
    }
}

/// A lift rises below a rider whose head is caught by a corner of the ceiling: the rider slips aside, if that is not far, and is crushed otherwise.
///
/// ```text
///      |######
///   [ |##]###      by so much
///   [    ]
/// ==========       the lift
/// ```
#[test]
fn who_is_pressed_against_a_corner_slips_off_it() {
    for (caught, is_crushed) in [
        (0.011, false),
        (0.02, false),
        (1.0, false),
        (3.0, false),
        (9.0, true),
    ] {
        let mut app = app();
        wall(&mut app, (6.0 - caught, 40.0), (106.0, 60.0));
        let lift = (BoxCollider::new(40.0, 8.0), Body::Kinematic, at(0.0, 16.0));
        app.world_mut()
            .spawn((lift, Velocity(Vec2::new(0.0, 64.0))));
        let rider = (
            BoxCollider::new(12.0, 16.0),
            Velocity::default(),
            at(0.0, 28.0),
        );
        let rider = app.world_mut().spawn(rider).id();
        let mut crushed = 0;
        for tick_number in 1..=10_u8 {
            tick(&mut app);
            crushed += take::<Crushed>(&mut app).len();
            if !is_crushed {
                let up = f32::from(tick_number);
                let aside = if tick_number > 4 { caught } else { 0.0 };
                let expected = Vec2::new(-aside, 28.0 + up);
                let off = place(&app, rider).distance(expected);
                assert!(off < 0.02, "by {caught}, tick {tick_number}: {off}");
            }
        }
        assert_eq!(crushed > 0, is_crushed, "by {caught}");
    }
}

/// A lift of 400 rises by 2 below ten riders in a row, which touch each other and the ceiling. The ceiling ends 2 before the outer side of the last one.
///
/// ```text
/// ##################
/// [  ][  ] .. [  ][  ]   the last one slips off, the others are crushed
/// ====================
/// ```
#[test]
fn of_a_row_on_a_lift_the_last_one_slips_off_a_corner() {
    for side in [1.0, -1.0] {
        let mut app = app();
        let [near, far] = [-6.0_f32, -400.0].map(|x| x * side);
        wall(&mut app, (near.min(far), 16.0), (near.max(far), 40.0));
        let lift = (BoxCollider::new(400.0, 8.0), Body::Kinematic);
        let lift = app.world_mut().spawn((lift, at(-80.0 * side, -4.0))).id();
        let riders = [0_u8, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|number| {
            let place = at(-16.0 * side * f32::from(number), 8.0);
            let rider = (BoxCollider::square(16.0), place);
            app.world_mut().spawn(rider).id()
        });
        app.update();
        assert_eq!(take::<Crushed>(&mut app), []);
        app.world_mut()
            .entity_mut(lift)
            .insert(at(-80.0 * side, -2.0));
        app.update();
        let crushed = take::<Crushed>(&mut app);
        let mut crushed: Vec<Entity> = crushed.iter().map(|one| one.entity).collect();
        crushed.sort_unstable_by_key(|rider| riders.iter().position(|one| one == rider));
        assert_eq!(crushed, riders[1..], "{side}");
        assert_eq!(place(&app, riders[0]), Vec2::new(2.0 * side, 10.0));
    }
}

/// The pusher comes 8 deep into the player, which touches the door: 2 thick, so that the player would be behind it.
#[test]
fn what_a_kinematic_pushes_stays_before_a_closed_door() {
    for kind in [Body::Static, Body::Kinematic] {
        for gap in [0.0, 1.0] {
            let mut app = app();
            let door = (BoxCollider::new(2.0, 100.0), kind, at(6.0 + gap, 0.0));
            let door = app.world_mut().spawn(door).id();
            let player = app.world_mut().spawn(BoxCollider::square(10.0)).id();
            let pusher = (BoxCollider::square(20.0), Body::Kinematic, at(-15.0, 0.0));
            let pusher = app.world_mut().spawn(pusher).id();
            app.update();
            app.world_mut().entity_mut(pusher).insert(at(-7.0, 0.0));
            for _ in 0..3 {
                take::<Crushed>(&mut app);
                app.update();
                let x = place(&app, player).x;
                assert!((x - gap).abs() < 0.01, "{kind:?}, {gap}: {x}");
                let [crushed] = take::<Crushed>(&mut app)[..] else {
                    panic!("{kind:?}, {gap}: one is crushed");
                };
                assert_eq!((crushed.entity, crushed.by), (player, pusher));
                assert_eq!(crushed.against, Some(door), "{kind:?}, {gap}");
                assert!((crushed.depth - (8.0 - gap)).abs() < 0.01, "{crushed:?}");
            }
        }
    }
}

/// A body that is in two doors at once leaves both, though the way out of one leads through the other.
#[test]
fn a_body_in_two_doors_leaves_both() {
    let mut app = app();
    // It is 9 deep in the lower one, and 3 in the upper one, which reaches up to 8.
    for (low, high) in [(-20.0, 4.0), (2.0, 8.0)] {
        let door = wall(&mut app, (-50.0, low), (50.0, high));
        app.world_mut().entity_mut(door).insert(Body::Kinematic);
    }
    let body = app
        .world_mut()
        .spawn((BoxCollider::square(10.0), at(0.0, 0.0)))
        .id();
    app.update();
    app.update();
    assert_eq!(place(&app, body), Vec2::new(0.0, 13.0));
}
