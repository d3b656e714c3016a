//! Bodies that are put into something: what a body overlaps when a tick begins is reported, even if it is out of it at the end of the tick; and what it overlaps at the end is reported, too.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Shape, contact, contact_with_bounds},
    prelude::*,
};
use fastrand::Rng;

use super::{a_tick, moving_app, velocity};
use crate::common::{at, place, take, tick, wall};

/// Runs a tick, and returns for each contact of the two its time, the way out of `other`, and the depth.
fn met(app: &mut App, own: Entity, other: Entity) -> Vec<(f32, Vec2, f32)> {
    let met = tick(app).into_iter();
    met.filter(|met| met.involves(own))
        .filter_map(|met| Some((met.time, met.normal_for(other)?, met.depth)))
        .collect()
}

#[test]
fn who_begins_inside_and_leaves_within_the_tick_is_told_of() {
    // The wall is 10 wide and high, the body 2: so in the middle the body is 6 deep from all sides.
    let still = Velocity(Vec2::ZERO);
    for (case, start, own, walls, normal, depth) in [
        (
            "by the shortest way",
            (4.0, 0.0),
            a_tick(50.0, 0.0),
            still,
            Vec2::X,
            2.0,
        ),
        (
            "along its side",
            (4.0, 0.0),
            a_tick(0.0, 50.0),
            still,
            Vec2::X,
            2.0,
        ),
        (
            "left behind by the wall",
            (4.0, 0.0),
            still,
            a_tick(-50.0, 0.0),
            Vec2::X,
            2.0,
        ),
        (
            "both",
            (0.0, -4.5),
            a_tick(0.0, -5.0),
            a_tick(0.0, 20.0),
            Vec2::NEG_Y,
            1.5,
        ),
    ] {
        for (kind, walls_body) in [
            ("static", Body::Static),
            ("kinematic", Body::Kinematic),
            ("dynamic", Body::Dynamic),
        ] {
            if walls_body == Body::Static && walls != still {
                continue;
            }
            for is_sensor in [false, true] {
                let case = format!("{case}, {kind}, sensor: {is_sensor}");
                let mut app = moving_app();
                let wall = (BoxCollider::square(10.0), walls_body, walls, Response::Pass);
                let wall = app.world_mut().spawn(wall).id();
                let dot = (
                    BoxCollider::square(2.0),
                    own,
                    Response::Pass,
                    at(start.0, start.1),
                );
                let dot = app.world_mut().spawn(dot).id();
                if is_sensor {
                    app.world_mut().entity_mut(dot).insert(Sensor);
                }
                assert_eq!(met(&mut app, dot, wall), [(0.0, normal, depth)], "{case}");
                let started = take::<CollisionStarted>(&mut app);
                assert_eq!(started.len(), 1, "{case}");
                assert!(met(&mut app, dot, wall).is_empty(), "{case}");
                assert_eq!(take::<CollisionEnded>(&mut app).len(), 1, "{case}");
                assert!(take::<CollisionStarted>(&mut app).is_empty(), "{case}");
            }
        }
    }
}

/// A circle with radius 1 is outside of a room of 100 by 60 if its center is beyond 49 or 29.
#[test]
fn who_begins_outside_of_a_room_and_comes_back_within_the_tick_is_told_of() {
    let rows = [
        ((52.0, 0.0), (-20.0, 5.0), Vec2::NEG_X, 3.0),
        ((0.0, -31.0), (0.0, 9.0), Vec2::Y, 2.0),
        // Along the side that it is beyond.
        ((52.0, 0.0), (0.0, 5.0), Vec2::NEG_X, 3.0),
        // From beyond a corner.
        ((52.0, 33.0), (-20.0, -20.0), Vec2::new(-0.6, -0.8), 5.0),
        // On to another side, and beyond that: the contact at the end is reported, with the time of the beginning.
        ((52.0, 0.0), (-20.0, 40.0), Vec2::NEG_Y, 11.0),
    ];
    for body in [Body::Static, Body::Kinematic, Body::Dynamic] {
        for (start, way, normal, depth) in rows {
            // The dot moves, or the room does, or each by half.
            for part in [0.0, 0.5, 1.0] {
                if body == Body::Static && part > 0.0 {
                    continue;
                }
                for dots in [Body::Dynamic, Body::Kinematic] {
                    let case =
                        format!("{dots:?} from {start:?} by {way:?}, {body:?} room by {part}");
                    let mut app = moving_app();
                    let velocity = |part: f32| (a_tick(way.0 * part, way.1 * part), Response::Pass);
                    let room = (BoundsCollider::new(100.0, 60.0), body, velocity(-part));
                    let room = app.world_mut().spawn(room).id();
                    let dot = (CircleCollider::new(1.0), dots, at(start.0, start.1));
                    let dot = app.world_mut().spawn(dot).id();
                    if part < 1.0 {
                        let velocity = velocity(1.0 - part);
                        app.world_mut().entity_mut(dot).insert(velocity);
                    } else {
                        // Only the room moves.
                        app.world_mut().entity_mut(dot).insert(Sensor);
                    }
                    let met = met(&mut app, dot, room);
                    assert_eq!(met.len(), 1, "{case}");
                    let (time, away, deep) = met[0];
                    assert_eq!(time, 0.0, "{case}");
                    assert!(
                        away.distance(normal) < 1.0e-6 && (deep - depth).abs() < 1.0e-4,
                        "{case}: {away}, {deep}"
                    );
                }
            }
        }
    }
}

#[test]
fn who_begins_outside_of_a_room_is_told_of_also_if_he_is_turned_before_he_reaches_another_side() {
    let mut app = moving_app();
    let room = app.world_mut().spawn(BoundsCollider::new(100.0, 60.0)).id();
    // Its lower side is at a height of 13.
    let ceiling = (BoxCollider::new(20.0, 4.0), Body::Static, at(50.0, 15.0));
    app.world_mut().spawn(ceiling);
    let dot = (CircleCollider::new(1.0), a_tick(-20.0, 40.0), at(52.0, 0.0));
    let dot = app.world_mut().spawn(dot).id();
    assert_eq!(met(&mut app, dot, room), [(0.0, Vec2::NEG_X, 3.0)]);
}

#[test]
fn another_side_of_a_room_stops_who_begins_outside_of_one() {
    let mut app = moving_app();
    let room = app.world_mut().spawn(BoundsCollider::new(100.0, 60.0)).id();
    let dot = (
        CircleCollider::new(1.0),
        Response::Stop,
        a_tick(-20.0, 58.0),
        at(52.0, 0.0),
    );
    let dot = app.world_mut().spawn(dot).id();
    // At the end it touches that side.
    assert_eq!(met(&mut app, dot, room), [(0.0, Vec2::NEG_Y, 0.0)]);
    let end = place(&app, dot);
    // At half of the way.
    assert!(end.distance(Vec2::new(42.0, 29.0)) < 1.0e-4, "{end}");
}

#[test]
fn who_begins_inside_of_a_room_is_told_nothing() {
    let mut app = moving_app();
    let room = app.world_mut().spawn(BoundsCollider::new(100.0, 60.0)).id();
    let inside = (CircleCollider::new(1.0), Response::Pass, a_tick(3.0, 4.0));
    let inside = app.world_mut().spawn(inside).id();
    assert!(met(&mut app, inside, room).is_empty());
    // But it is told when it goes out, by the right wall.
    app.world_mut().entity_mut(inside).insert(a_tick(60.0, 0.0));
    let told = met(&mut app, inside, room);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].1, Vec2::NEG_X);
}

/// What a game does to an entity.
type Change = fn(EntityWorldMut);

/// The body was not moved, but something else has prevented the collision until now.
#[test]
fn who_may_meet_from_now_on_and_leaves_within_the_tick_is_told_of() {
    let changes: [(&str, Change, Change); 6] = [
        (
            "disabled",
            |mut one| _ = one.insert(ColliderDisabled),
            |mut one| _ = one.remove::<ColliderDisabled>(),
        ),
        (
            "of other layers",
            |mut one| _ = one.insert(CollisionLayers::NONE),
            |mut one| _ = one.remove::<CollisionLayers>(),
        ),
        (
            "smaller",
            |mut one| _ = one.insert(BoxCollider::square(0.5)),
            |mut one| _ = one.insert(BoxCollider::square(2.0)),
        ),
        (
            "scaled",
            |mut one| one.get_mut::<Transform>().unwrap().scale = Vec3::splat(0.25),
            |mut one| one.get_mut::<Transform>().unwrap().scale = Vec3::ONE,
        ),
        (
            "static",
            |mut one| _ = one.insert(Body::Static),
            |mut one| _ = one.insert(Body::Dynamic),
        ),
        (
            "filtered",
            |mut one| _ = one.insert(CollisionTag(7)),
            |mut one| _ = one.remove::<CollisionTag>(),
        ),
    ];
    for (case, before, then) in changes {
        for is_child in [false, true] {
            let mut app = moving_app();
            if case == "filtered" {
                app.add_collision_filter(|In(pair): In<Pair>, tags: Query<&CollisionTag>| {
                    if tags.contains(pair.a) || tags.contains(pair.b) {
                        Verdict::Ignore
                    } else {
                        Verdict::Collide
                    }
                });
            }
            let wall = app
                .world_mut()
                .spawn((BoxCollider::square(10.0), Body::Static))
                .id();
            // While nothing moves, a body that starts to move may already be inside of something.
            let far = (CircleCollider::new(1.0), Velocity::default());
            app.world_mut().spawn((far, at(500.0, 0.0)));
            // The small one touches nothing.
            let body = (
                Body::Dynamic,
                Response::Pass,
                Velocity::default(),
                at(5.5, 0.0),
            );
            let body = app.world_mut().spawn(body).id();
            let dot = if is_child {
                app.world_mut().spawn(ChildOf(body)).id()
            } else {
                body
            };
            app.world_mut()
                .entity_mut(dot)
                .insert(BoxCollider::square(2.0));
            let changed = if case == "static" { body } else { dot };
            before(app.world_mut().entity_mut(changed));
            for _ in 0..3 {
                assert!(
                    met(&mut app, dot, wall).is_empty(),
                    "{case}, child: {is_child}"
                );
            }
            then(app.world_mut().entity_mut(changed));
            app.world_mut().entity_mut(body).insert(a_tick(10.0, 0.0));
            assert_eq!(
                met(&mut app, dot, wall),
                [(0.0, Vec2::X, 0.5)],
                "{case}, child: {is_child}"
            );
            assert!(
                met(&mut app, dot, wall).is_empty(),
                "{case}, child: {is_child}"
            );
        }
    }
}

#[test]
fn who_begins_inside_of_several_is_told_of_all_at_the_time_at_which_one_stops_him() {
    let mut app = moving_app();
    let floor = wall(&mut app, (-20.0, -5.0), (20.0, 0.0));
    wall(&mut app, (10.0, -20.0), (15.0, 20.0));
    let dot = (
        BoxCollider::square(2.0),
        Response::Stop,
        a_tick(20.0, -20.0),
        at(9.5, 0.5),
    );
    let dot = app.world_mut().spawn(dot).id();
    let met = tick(&mut app);
    let mut met: Vec<_> = met
        .iter()
        .map(|met| (met.involves(floor), met.time, met.depth))
        .collect();
    met.sort_by_key(|met| met.0);
    assert_eq!(met, [(false, 0.0, 0.5), (true, 0.0, 0.5)]);
    assert_eq!(place(&app, dot), Vec2::new(9.0, 1.0));
}

/// A body that leaves its family may also have been inside of another member before.
#[test]
fn who_leaves_his_family_and_what_he_is_in_of_it_within_the_tick_is_told_of() {
    let mut app = moving_app();
    let machine = app.world_mut().spawn(Transform::default()).id();
    let pass = (Response::Pass, Velocity::default());
    let one = (
        CircleCollider::new(2.0),
        pass,
        at(3.0, 0.0),
        ChildOf(machine),
    );
    let one = app.world_mut().spawn(one).id();
    app.world_mut()
        .entity_mut(one)
        .insert(IgnoreCollisions::family());
    let other = (CircleCollider::new(2.0), ChildOf(machine));
    let other = app.world_mut().spawn(other).id();
    for _ in 0..2 {
        assert!(met(&mut app, one, other).is_empty());
    }
    let mut leaver = app.world_mut().entity_mut(one);
    leaver.remove::<ChildOf>().insert(a_tick(50.0, 0.0));
    assert_eq!(met(&mut app, one, other), [(0.0, Vec2::X, 1.0)]);
    assert!(met(&mut app, one, other).is_empty());
}

/// A collider as the test knows it.
#[derive(Clone, Copy, Debug)]
struct Known {
    entity: Entity,
    root: Entity,
    is_static: bool,
    /// The motion of its body in a tick.
    way: Vec2,
    outline: Outline,
    at: Vec2,
}

#[derive(Clone, Copy, Debug)]
enum Outline {
    Shape(Shape),
    /// The half size of a room.
    Room(Vec2),
}

impl Known {
    /// Returns how deep it is in another one, and the way out of that.
    fn depth_in(&self, other: &Self) -> Option<(f32, Vec2)> {
        if self.root == other.root || self.is_static && other.is_static {
            return None;
        }
        let way = other.at - self.at;
        let contact = match (self.outline, other.outline) {
            (Outline::Shape(own), Outline::Shape(other)) => {
                contact(own, other, way).map(|met| (met.depth, -met.normal))
            }
            (Outline::Shape(own), Outline::Room(room)) => {
                contact_with_bounds(room, own, -way).map(|met| (met.depth, met.normal))
            }
            (Outline::Room(room), Outline::Shape(other)) => {
                contact_with_bounds(room, other, way).map(|met| (met.depth, -met.normal))
            }
            (Outline::Room(_), Outline::Room(_)) => None,
        };
        contact.filter(|(depth, _)| *depth > 0.01)
    }

    fn is_in(&self, other: &Self) -> bool {
        self.depth_in(other).is_some()
    }

    fn pair(&self, other: &Self) -> (Entity, Entity) {
        pair(self.entity, other.entity)
    }
}

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all
}

fn pair(a: Entity, b: Entity) -> (Entity, Entity) {
    (a.min(b), a.max(b))
}

fn all_known(app: &mut App) -> Vec<Known> {
    let world = app.world_mut();
    let mut colliders = world.query::<(
        Entity,
        Option<&ChildOf>,
        &Transform,
        AnyOf<(&CircleCollider, &BoxCollider, &BoundsCollider)>,
    )>();
    let all = colliders
        .iter(world)
        .map(|(entity, parent, place, colliders)| {
            let root = parent.map_or(entity, ChildOf::parent);
            let of_root = world.get::<Transform>(root).filter(|_| root != entity);
            let offset = of_root.map_or(Vec3::ZERO, |root| root.translation);
            Known {
                entity,
                root,
                is_static: world.get::<Body>(root) == Some(&Body::Static),
                way: world.get::<Velocity>(root).map_or(Vec2::ZERO, |way| way.0),
                outline: match colliders {
                    (Some(circle), ..) => {
                        Outline::Shape(Shape::circle(circle.radius).expect("valid"))
                    }
                    (_, Some(rectangle), _) => {
                        Outline::Shape(Shape::rectangle(rectangle.half_size).expect("valid"))
                    }
                    (.., Some(room)) => Outline::Room(room.half_size),
                    (None, None, None) => unreachable!("the query asks for one"),
                },
                at: (place.translation + offset).truncate(),
            }
        });
    all.collect()
}

/// Worlds of 12 bodies, some of which are respawned or put elsewhere in each tick, and all of which move. The kernel says which of them overlap before anything moves.
#[test]
fn nobody_is_told_nothing_of_what_he_was_put_into() {
    let mut random = Rng::with_seed(31);
    let (mut told, mut gone) = (0, 0);
    for world in 0..160 {
        let mut app = moving_app();
        if world % 3 == 0 {
            app.add_collision_filter(|_: In<Pair>| Verdict::Collide);
        }
        let mut all: Vec<Entity> = (0..12).map(|_| somebody(&mut app, &mut random)).collect();
        let mut last = BTreeSet::new();
        for step in 0..15 {
            for entity in &mut all {
                match random.u8(..8) {
                    0 => {
                        app.world_mut().despawn(*entity);
                        *entity = somebody(&mut app, &mut random);
                    }
                    1 => {
                        let there = somewhere(&mut random);
                        *app.world_mut().get_mut(*entity).expect("alive") = there;
                    }
                    _ => {}
                }
            }
            let before = all_known(&mut app);
            let reports = tick(&mut app);
            let met: BTreeSet<_> = reports.iter().map(|met| pair(met.a, met.b)).collect();
            let after = all_known(&mut app);
            let now = |before: &Known| {
                *after
                    .iter()
                    .find(|one| one.entity == before.entity)
                    .expect("alive")
            };
            for (i, a) in before.iter().enumerate() {
                let others = before[..i].iter();
                for b in others.filter(|b| a.is_in(b) && !last.contains(&a.pair(b))) {
                    assert!(
                        met.contains(&a.pair(b)),
                        "world {world}, tick {step}: {a:?} in {b:?}"
                    );
                    told += 1;
                    let report = reports.iter().find(|met| pair(met.a, met.b) == a.pair(b));
                    let report = report.expect("just seen");
                    if now(a).is_in(&now(b)) {
                        continue;
                    }
                    gone += 1;
                    // Two that do not move relative to each other may be reported with the end of the tick, before they are pushed, or when one of them is turned.
                    let way = |one: &Known| if one.is_static { Vec2::ZERO } else { one.way };
                    let stand = way(a) == way(b);
                    assert!(
                        stand || report.time == 0.0,
                        "world {world}, tick {step}: {a:?} in {b:?}, {report:?}"
                    );
                }
            }
            for (i, a) in after.iter().enumerate() {
                for b in after[..i].iter().filter(|b| a.is_in(b)) {
                    assert!(
                        met.contains(&a.pair(b)),
                        "world {world}, tick {step}: {a:?} ends in {b:?}"
                    );
                }
            }
            let started = take::<CollisionStarted>(&mut app);
            let started: Vec<_> = started.iter().map(|met| pair(met.a, met.b)).collect();
            let new: Vec<_> = met.difference(&last).copied().collect();
            assert_eq!(sorted(started), new, "world {world}, tick {step}");
            let ended = take::<CollisionEnded>(&mut app);
            let ended: Vec<_> = ended.iter().map(|met| pair(met.a, met.b)).collect();
            let over: Vec<_> = last.difference(&met).copied().collect();
            assert_eq!(sorted(ended), over, "world {world}, tick {step}");
            last = met;
        }
    }
    assert!(
        told > 2000 && gone > 1500,
        "{told} told, {gone} of those gone"
    );
}

/// Once it is told that somebody is outside of the room, that is so all the time, and not met on the way of the room.
#[test]
fn who_is_outside_of_a_room_that_goes_is_told_of_once() {
    let mut app = moving_app();
    let room = (BoundsCollider::new(100.0, 100.0), Body::Kinematic);
    app.world_mut().spawn((room, a_tick(1.0, 0.0)));
    let dot = (CircleCollider::new(3.0), Sensor, at(80.0, 0.0));
    app.world_mut().spawn(dot);
    tick(&mut app);
    for _ in 0..3 {
        let met = tick(&mut app);
        let times: Vec<f32> = met.iter().map(|met| met.time).collect();
        assert_eq!(times, [1.0]);
    }
}

/// Two parts of a ship are in the quay, which is of no interest as long as the ship is a part of the level. Both are told of when it is none any more, and leaves within that tick.
#[test]
fn who_may_go_from_now_on_leaves_with_all_its_parts_what_they_are_in() {
    let mut app = moving_app();
    // Something is swept in each tick.
    app.world_mut()
        .spawn((CircleCollider::new(1.0), a_tick(1.0, 0.0), at(0.0, 900.0)));
    for x in [0.0, 100.0] {
        wall(&mut app, (x - 10.0, -10.0), (x + 10.0, 10.0));
    }
    let ship = app.world_mut().spawn((Body::Static, at(0.0, 0.0))).id();
    for x in [0.0, 100.0] {
        let part = (BoxCollider::square(10.0), Sensor, at(x, 5.0), ChildOf(ship));
        app.world_mut().spawn(part);
    }
    for _ in 0..3 {
        tick(&mut app);
    }
    take::<CollisionStarted>(&mut app);
    app.world_mut()
        .entity_mut(ship)
        .insert((Body::Kinematic, a_tick(0.0, 300.0)));
    app.update();
    assert_eq!(take::<CollisionStarted>(&mut app).len(), 2);
}

fn somewhere(random: &mut Rng) -> Transform {
    let mut coordinate = || (random.f32() - 0.5) * 30.0;
    at(coordinate(), coordinate())
}

fn somebody(app: &mut App, random: &mut Rng) -> Entity {
    let body = *random
        .choice(&[Body::Dynamic, Body::Dynamic, Body::Kinematic, Body::Static])
        .expect("some");
    let response = [
        Response::Slide,
        Response::Pass,
        Response::Stop,
        Response::Bounce { restitution: 1.0 },
    ];
    let response = *random.choice(&response).expect("some");
    let mut speed = || (random.f32() - 0.5) * 30.0;
    let velocity = a_tick(speed(), speed());
    let mut one = app.world_mut().spawn((body, response));
    one.insert(somewhere(random));
    if random.u8(..4) > 0 {
        one.insert(velocity);
    }
    let mut size = || 1.0 + random.f32() * 6.0;
    let (width, height) = (size(), size());
    let add = |mut one: EntityWorldMut, random: &mut Rng| {
        match random.u8(..20) {
            0 => one.insert(BoundsCollider::new(18.0 + width, 18.0 + height)),
            1..10 => one.insert(CircleCollider::new(width * 0.5)),
            _ => one.insert(BoxCollider::new(width, height)),
        };
        match random.u8(..8) {
            0 | 1 => _ = one.insert(Sensor),
            2 => _ = one.insert(OneWay::default()),
            _ => {}
        }
    };
    let entity = one.id();
    if random.u8(..4) == 0 {
        let child = one.world_scope(|world| world.spawn((at(3.0, -1.0), ChildOf(entity))).id());
        add(app.world_mut().entity_mut(child), random);
    } else {
        add(one, random);
    }
    entity
}

#[test]
fn a_clone_begins_where_it_is_put() {
    let mut app = moving_app();
    wall(&mut app, (49.0, -50.0), (51.0, 50.0));
    // On these layers they collide neither with each other nor with their clones.
    let alone = CollisionLayers::new(2, 1);
    let original = (CircleCollider::new(5.0), alone, Swept::default());
    let original = app.world_mut().spawn(original).id();
    app.update();
    let clone = app.world_mut().entity_mut(original).clone_and_spawn();
    app.world_mut().entity_mut(clone).insert(at(200.0, 0.0));
    app.update();
    assert_eq!(place(&app, clone), Vec2::new(200.0, 0.0));
}

#[test]
fn a_clone_of_a_rider_has_left_no_platform() {
    let mut app = moving_app();
    let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
    app.world_mut()
        .spawn((lift, a_tick(1.0, 0.0), at(0.0, -5.0)));
    let rider = Rider::new(PlatformOnLeave::AddVelocity);
    let rider = (BoxCollider::square(16.0), rider, at(0.0, 8.0));
    let rider = app.world_mut().spawn(rider).id();
    app.update();
    app.update();
    assert_eq!(place(&app, rider), Vec2::new(2.0, 8.0));
    let clone = app.world_mut().entity_mut(rider).clone_and_spawn();
    app.world_mut().entity_mut(clone).insert(at(0.0, 100.0));
    app.update();
    assert_eq!(velocity(&app, clone), Vec2::ZERO);
    assert_eq!(place(&app, clone), Vec2::new(0.0, 100.0));
    let on_leave = app.world().get::<Rider>(clone).map(|rider| rider.on_leave);
    assert_eq!(on_leave, Some(PlatformOnLeave::AddVelocity));
}

/// Puts an entity elsewhere once, in the middle of a tick.
fn put_once(entity: Entity, x: f32) -> impl FnMut(Query<&mut Transform>) {
    let mut is_done = false;
    move |mut places: Query<&mut Transform>| {
        if !std::mem::replace(&mut is_done, true)
            && let Ok(mut place) = places.get_mut(entity)
        {
            place.translation.x = x;
        }
    }
}

#[test]
fn who_is_put_elsewhere_in_the_middle_of_a_tick_goes_on_from_there() {
    // On its own, and as the child of an entity that is not a body: there it moves on in the space of the parent.
    for group in [None, Some(1.0)] {
        let mut app = moving_app();
        let ball = (CircleCollider::new(5.0), a_tick(1.0, 0.0));
        let ball = app.world_mut().spawn(ball).id();
        if let Some(x) = group {
            let group = app.world_mut().spawn(at(x, 0.0)).id();
            app.world_mut().entity_mut(ball).insert(ChildOf(group));
        }
        app.update();
        let put = put_once(ball, 500.0)
            .after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep);
        app.add_systems(FixedPostUpdate, put);
        app.update();
        assert_eq!(place(&app, ball), Vec2::new(501.0, 0.0));
        app.update();
        assert_eq!(place(&app, ball), Vec2::new(502.0, 0.0));
    }
}

#[test]
fn who_is_put_elsewhere_while_he_is_pushed_keeps_the_push() {
    let mut app = moving_app();
    let crate_ = app.world_mut().spawn(BoxCollider::square(10.0)).id();
    // It is 3 deep in the wall.
    wall(&mut app, (2.0, -50.0), (12.0, 50.0));
    let put = put_once(crate_, 500.0)
        .after(CollisionSystems::Detect)
        .before(CollisionSystems::Resolve);
    app.add_systems(FixedPostUpdate, put);
    app.update();
    assert_eq!(place(&app, crate_), Vec2::new(497.0, 0.0));
}

/// Nothing orders the systems of a game before or after the plugin's, unless the game does.
#[test]
fn who_is_spawned_in_the_middle_of_a_tick_passes_no_wall() {
    for is_on_child in [false, true] {
        let mut app = moving_app();
        wall(&mut app, (10.0, -50.0), (12.0, 50.0));
        let spawn = move |mut commands: Commands, mut is_done: Local<bool>| {
            if std::mem::replace(&mut *is_done, true) {
                return;
            }
            let mut body = commands.spawn((Body::Dynamic, a_tick(30.0, 0.0), at(0.0, 0.0)));
            if is_on_child {
                body.with_child(CircleCollider::new(2.0));
            } else {
                body.insert(CircleCollider::new(2.0));
            }
        };
        let between = spawn
            .after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep);
        app.add_systems(FixedPostUpdate, between);
        app.update();
        app.update();
        let mut bodies = app
            .world_mut()
            .query_filtered::<&Transform, With<Velocity>>();
        let body = bodies.single(app.world()).expect("one body");
        let now = body.translation.truncate();
        assert_eq!(now, Vec2::new(8.0, 0.0), "{is_on_child}");
    }
}
