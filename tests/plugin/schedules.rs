//! A tick as a whole: what stops it, and what goes before and after it.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::{memory::CollisionMemory, prelude::*, tiles::TileColliders};

use crate::common::{app, app_with, at, place, take, tick, wall};

#[derive(Resource, Default)]
struct GoesOn(bool);

fn goes_on(goes_on: Res<GoesOn>) -> bool {
    goes_on.0
}

/// Each stage has something to do: there is a grid, a velocity, a pair, an overlap, and a `CollidingWith`.
#[test]
fn a_condition_on_all_of_it_stops_every_stage() {
    let mut app = app();
    app.init_resource::<GoesOn>()
        .configure_sets(FixedPostUpdate, CollisionSystems::All.run_if(goes_on));
    let world = app.world_mut();
    let cells = [IVec2::new(100, 0), IVec2::new(101, 0)];
    let grid = TileColliders::from_cells(Vec2::splat(16.0), cells);
    let grid = world.spawn(grid).id();
    let velocity = Velocity(Vec2::new(64.0, 0.0)); // 1 in each tick
    let dot = world.spawn((CircleCollider::new(1.0), velocity, at(0.0, 0.0)));
    let dot = dot.id();
    // Its edge is at 8, and the edge of the wall at 7.
    let told = CollidingWith::default();
    let sunk = (BoxCollider::square(4.0), told, at(6.0, 50.0));
    let sunk = world.spawn(sunk).id();
    let wall = (BoxCollider::square(10.0), Body::Static, at(12.0, 50.0));
    let wall = world.spawn(wall).id();
    #[derive(Resource, Default)]
    struct Heard(u32);
    world.init_resource::<Heard>();
    world
        .entity_mut(sunk)
        .observe(|_: On<CollisionStarted>, mut heard: ResMut<Heard>| heard.0 += 1);

    let state = |app: &mut App| {
        let world = app.world();
        let tiles = world.get::<Children>(grid).map_or(0, |tiles| tiles.len());
        let partners = world.get::<CollidingWith>(sunk).unwrap().to_vec();
        let heard = world.resource::<Heard>().0;
        let places = [dot, sunk].map(|body| place(app, body).x);
        let started = take::<CollisionStarted>(app).len();
        (tiles, places, partners, heard, started)
    };
    for _ in 0..3 {
        app.update();
        assert_eq!(state(&mut app), (0, [0.0, 6.0], vec![], 0, 0));
    }
    app.insert_resource(GoesOn(true));
    app.update();
    assert_eq!(state(&mut app), (1, [1.0, 5.0], vec![wall], 1, 1));
    app.insert_resource(GoesOn(false));
    app.update();
    assert_eq!(state(&mut app), (1, [1.0, 5.0], vec![wall], 1, 0));
    // Nothing is made up for: the game goes on by one tick.
    app.insert_resource(GoesOn(true));
    app.update();
    assert_eq!(state(&mut app).1, [2.0, 5.0]);
}

#[derive(Component)]
struct Dot;

/// What a system saw: its name, the place of the dot, and how many starts there were.
#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, f32, usize)>);

fn see(
    who: &'static str,
) -> impl Fn(Single<&Transform, With<Dot>>, MessageReader<CollisionStarted>, ResMut<Seen>) {
    move |dot, mut started, mut seen| {
        let count = started.read().count();
        seen.0.push((who, dot.translation.x, count));
    }
}

fn put(mut dot: Single<&mut Transform, With<Dot>>) {
    dot.translation.x = 6.0;
}

#[test]
fn what_is_before_all_of_it_is_seen_and_what_is_after_sees_it() {
    for schedule in ["fixed", "every frame"] {
        // Added in the wrong order.
        let systems = (
            see("after").after(CollisionSystems::All),
            (put, see("before")).chain().before(CollisionSystems::All),
        );
        let mut app = if schedule == "fixed" {
            let mut app = app();
            app.add_systems(FixedPostUpdate, systems);
            app
        } else {
            let mut app = app_with(CollisionPlugin::new(Update));
            app.add_systems(Update, systems);
            app
        };
        app.init_resource::<Seen>();
        let world = app.world_mut();
        world.spawn((Dot, BoxCollider::square(4.0), at(-50.0, 0.0)));
        // Its edge is at 7: a box that is put to 6 is pushed back to 5.
        world.spawn((BoxCollider::square(10.0), Body::Static, at(12.0, 0.0)));
        app.update();
        let expected = [("before", 6.0, 0), ("after", 5.0, 1)];
        assert_eq!(app.world().resource::<Seen>().0, expected, "{schedule}");
    }
}

/// Returns a wall, a door that is too near to it, and a ball between them.
fn crushed_ball() -> (impl Bundle, impl Bundle, impl Bundle) {
    let wall = (BoxCollider::new(10.0, 100.0), Body::Static, at(15.0, 0.0));
    let door = (
        BoxCollider::new(10.0, 100.0),
        Body::Kinematic,
        at(-9.0, 0.0),
    );
    (wall, door, (CircleCollider::new(8.0), at(2.0, 0.0)))
}

/// A body that was crushed in the last tick that pushed is not reported for ever in a game that does not push any more, nor is another one in its place.
#[test]
fn who_was_crushed_is_not_told_again_while_nothing_is_pushed() {
    let mut app = app();
    app.insert_resource(GoesOn(true))
        .configure_sets(FixedPostUpdate, CollisionSystems::Resolve.run_if(goes_on));
    let world = app.world_mut();
    let (wall, door, ball) = crushed_ball();
    world.spawn(wall);
    let door = world.spawn(door).id();
    let ball = world.spawn(ball).id();
    app.update();
    let crushed: Vec<Entity> = take::<Crushed>(&mut app)
        .iter()
        .map(|one| one.entity)
        .collect();
    assert_eq!(crushed, [ball]);

    app.insert_resource(GoesOn(false));
    app.world_mut().despawn(door);
    app.update();
    assert_eq!(take::<Crushed>(&mut app), []);
    app.world_mut().despawn(ball);
    app.update();
    app.world_mut()
        .spawn((CircleCollider::new(2.0), at(500.0, 0.0)));
    app.update();
    assert_eq!(take::<Crushed>(&mut app), []);
}

/// Without detection, all collisions end, once, whatever becomes of them, and start again with the next detection.
#[test]
fn collisions_end_once_while_nothing_is_detected() {
    let mut app = app();
    app.insert_resource(GoesOn(true))
        .configure_sets(FixedPostUpdate, CollisionSystems::Detect.run_if(goes_on));
    let sensor = (Sensor, BoxCollider::square(4.0), Body::Static);
    app.world_mut().spawn(sensor);
    app.world_mut()
        .spawn((CircleCollider::new(1.0), Body::Kinematic));
    let tell = |app: &mut App| {
        let going_on = tick(app).len();
        let started = take::<CollisionStarted>(app).len();
        (going_on, started, take::<CollisionEnded>(app).len())
    };
    assert_eq!(tell(&mut app), (1, 1, 0));
    assert_eq!(tell(&mut app), (1, 0, 0));
    let late = app.world_mut().spawn(sensor).id();
    assert_eq!(tell(&mut app), (2, 1, 0));
    app.insert_resource(GoesOn(false));
    assert_eq!(tell(&mut app), (0, 0, 2));
    for number in 0..6 {
        if number == 2 {
            app.world_mut().despawn(late);
        }
        assert_eq!(tell(&mut app), (0, 0, 0), "{number}");
    }
    app.insert_resource(GoesOn(true));
    assert_eq!(tell(&mut app), (1, 1, 0));
}

/// What detection found in the tick before was never reported, and is not now.
#[test]
fn while_nothing_is_detected_nothing_of_an_earlier_tick_is_told() {
    #[derive(Resource)]
    struct Reports(bool);
    let mut app = app_that_rests(CollisionSystems::Detect);
    let reports = |reports: Res<Reports>| reports.0;
    app.insert_resource(Reports(true))
        .configure_sets(FixedPostUpdate, CollisionSystems::Report.run_if(reports));
    zone(&mut app);
    let visitor = visitor(&mut app, 5.0);
    assert_eq!(told(&mut app).1.len(), 1);
    app.insert_resource(Reports(false));
    assert_eq!(told(&mut app), (0, vec![], vec![]));
    app.insert_resource(Reports(true))
        .insert_resource(GoesOn(false));
    let mut transform = app.world_mut().get_mut::<Transform>(visitor).unwrap();
    transform.translation.x = 500.0;
    let (going_on, started, ended) = told(&mut app);
    assert_eq!((going_on, started.len(), ended.len()), (0, 0, 1));
}

/// Without detection, no body is pushed either, because their places are not known.
#[test]
fn nobody_is_crushed_while_nothing_is_detected() {
    for resolves in [true, false] {
        let mut app = app();
        let (wall, door, ball) = crushed_ball();
        app.insert_resource(GoesOn(true))
            .configure_sets(FixedPostUpdate, CollisionSystems::Detect.run_if(goes_on));
        if !resolves {
            let set = CollisionSystems::Resolve.run_if(goes_on);
            app.configure_sets(FixedPostUpdate, set);
        }
        app.world_mut().spawn(wall);
        app.world_mut().spawn(door);
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        assert_eq!(take::<Crushed>(&mut app).len(), 1);
        app.insert_resource(GoesOn(false));
        *app.world_mut().get_mut::<Transform>(ball).unwrap() = at(2.0, 0.0);
        for _ in 0..4 {
            app.update();
            assert_eq!(take::<Crushed>(&mut app), []);
            assert_eq!(place(&app, ball), Vec2::new(2.0, 0.0));
        }
    }
}

fn told(app: &mut App) -> (usize, Vec<CollisionStarted>, Vec<CollisionEnded>) {
    app.update();
    let going_on = take::<Collision>(app).len();
    (going_on, take(app), take(app))
}

fn zone(app: &mut App) -> Entity {
    let zone = (CircleCollider::new(5.0), Sensor, Body::Static);
    app.world_mut().spawn(zone).id()
}

fn visitor(app: &mut App, x: f32) -> Entity {
    let visitor = (CircleCollider::new(5.0), Body::Kinematic, at(x, 0.0));
    app.world_mut().spawn(visitor).id()
}

fn app_that_rests(set: CollisionSystems) -> App {
    let mut app = app();
    app.insert_resource(GoesOn(true))
        .configure_sets(FixedPostUpdate, set.run_if(goes_on));
    app
}

/// A collision ends with both colliders that have met, whichever have come while nothing was reported; also if a new one is met in the same place.
#[test]
fn what_has_gone_while_nothing_was_reported_ends_afterwards() {
    for x in [500.0, 0.0] {
        let mut app = app_that_rests(CollisionSystems::Report);
        let visitor_a = visitor(&mut app, 0.0);
        let gone = zone(&mut app);
        assert_eq!(told(&mut app).1.len(), 1);
        app.insert_resource(GoesOn(false));
        app.world_mut().despawn(gone);
        app.update();
        app.update();
        let new = visitor(&mut app, x);
        app.insert_resource(GoesOn(true));
        let (going_on, started, ended) = told(&mut app);
        let met = if x == 0.0 {
            vec![(visitor_a, new)]
        } else {
            vec![]
        };
        let begun: Vec<_> = started.iter().map(|one| (one.a, one.b)).collect();
        assert_eq!((going_on, begun), (met.len(), met), "{x}");
        let over: Vec<_> = ended.iter().map(|one| (one.a, one.b, one.reason)).collect();
        assert_eq!(over, [(visitor_a, gone, EndReason::Despawned)], "{x}");
        assert!(ended[0].leaver(gone).is_some(), "{x}");
        assert_eq!(told(&mut app).2, [], "{x}");
    }
}

/// By then the tick has not known it any more: it was off.
#[test]
fn what_was_off_when_it_went_is_remembered_while_nothing_was_reported() {
    type Go = fn(EntityWorldMut);
    let ways: [(&str, Go, EndReason); 2] = [
        ("despawned", |one| one.despawn(), EndReason::Despawned),
        (
            "without a collider",
            |mut one| _ = one.remove::<CircleCollider>(),
            EndReason::Removed,
        ),
    ];
    for (case, go, reason) in ways {
        let mut app = app_that_rests(CollisionSystems::Report);
        zone(&mut app);
        let gone = visitor(&mut app, 5.0);
        assert_eq!(told(&mut app).1.len(), 1);
        app.insert_resource(GoesOn(false));
        app.world_mut().entity_mut(gone).insert(ColliderDisabled);
        app.update();
        go(app.world_mut().entity_mut(gone));
        app.update();
        app.insert_resource(GoesOn(true));
        let ended = told(&mut app).2;
        let ended: Vec<_> = (ended.iter())
            .map(|one| (one.reason, one.leaver(gone).is_some()))
            .collect();
        assert_eq!(ended, [(reason, true)], "{case}");
        assert_eq!(told(&mut app).2, [], "{case}");
    }
}

/// What was invalid at first is off at last, and may well be valid then.
#[test]
fn why_an_invalid_collider_that_is_off_by_now_takes_no_part_is_told() {
    let mut app = app_that_rests(CollisionSystems::Report);
    zone(&mut app);
    let one = visitor(&mut app, 5.0);
    assert_eq!(told(&mut app).1.len(), 1);
    app.insert_resource(GoesOn(false));
    let mut bad = app.world_mut().entity_mut(one);
    bad.insert(CircleCollider::new(-1.0));
    app.update();
    app.world_mut().entity_mut(one).insert(ColliderDisabled);
    app.update();
    app.insert_resource(GoesOn(true));
    let ended = told(&mut app).2;
    let reasons: Vec<EndReason> = ended.iter().map(|end| end.reason).collect();
    assert_eq!(reasons, [EndReason::Disabled]);
}

/// It lands in the first tick, and the lift carries it in the four others, by 1 each.
#[test]
fn who_lands_on_a_lift_is_carried_whether_or_not_it_is_told() {
    for reports in [true, false] {
        let mut app = app_that_rests(CollisionSystems::Report);
        app.insert_resource(Time::<Fixed>::from_hz(64.0))
            .insert_resource(GoesOn(reports));
        let lift = (BoxCollider::new(100.0, 10.0), Body::Kinematic);
        let velocity = Velocity(Vec2::new(64.0, 0.0));
        app.world_mut().spawn((lift, velocity, at(0.0, -5.0)));
        let velocity = Velocity(Vec2::new(0.0, -128.0));
        let load = (BoxCollider::square(16.0), velocity, at(0.0, 9.0));
        let load = app.world_mut().spawn(load).id();
        for _ in 0..5 {
            app.update();
        }
        assert_eq!(place(&app, load).x, 4.0, "reports: {reports}");
    }
}

#[test]
fn what_collides_is_known_while_nothing_is_reported() {
    let mut app = app_that_rests(CollisionSystems::Report);
    app.insert_resource(GoesOn(false));
    let plate = zone(&mut app);
    let list = CollidingWith::default();
    app.world_mut().entity_mut(plate).insert(list);
    let one = visitor(&mut app, 0.0);
    let state = |app: &mut App| {
        assert_eq!(told(app), (0, vec![], vec![]));
        let count = |collisions: Collisions| collisions.len();
        let count = app.world_mut().run_system_once(count).unwrap();
        let list = app.world().get::<CollidingWith>(plate).unwrap();
        (count, list.to_vec())
    };
    assert_eq!(state(&mut app), (1, vec![one]));
    app.world_mut().entity_mut(one).insert(at(500.0, 0.0));
    assert_eq!(state(&mut app), (0, vec![]));
}

/// The filter refuses the pair in the end, and has let it collide when it was told of last.
#[test]
fn why_a_pair_that_parted_unreported_does_not_meet_is_told() {
    #[derive(Resource)]
    struct Refuses(bool);
    let mut app = app_that_rests(CollisionSystems::Report);
    app.insert_resource(Refuses(false));
    let refuse = |_: In<Pair>, refuses: Res<Refuses>| match refuses.0 {
        true => Verdict::Ignore,
        false => Verdict::Collide,
    };
    app.add_collision_filter(refuse);
    zone(&mut app);
    let one = visitor(&mut app, 0.0);
    assert_eq!(told(&mut app).1.len(), 1);
    app.insert_resource(GoesOn(false));
    app.world_mut().entity_mut(one).insert(at(500.0, 0.0));
    app.update();
    app.insert_resource(GoesOn(true))
        .insert_resource(Refuses(true));
    let ended = told(&mut app).2;
    let reasons: Vec<EndReason> = ended.iter().map(|end| end.reason).collect();
    assert_eq!(reasons, [EndReason::Filtered]);
}

/// It runs for the first time while nothing is reported, and takes what has been told of as started.
#[test]
fn a_reader_reads_the_end_of_what_was_told_of_before_it_ran() {
    #[derive(Resource, Default)]
    struct Ends(usize);
    #[derive(Resource)]
    struct Listens;
    fn count(mut hits: CollisionReader<(), ()>, mut ends: ResMut<Ends>) {
        ends.0 += hits.ended().count();
    }
    let mut app = app_that_rests(CollisionSystems::Report);
    let listens = count.run_if(resource_exists::<Listens>);
    app.init_resource::<Ends>()
        .add_systems(FixedPostUpdate, listens.after(CollisionSystems::Report));
    zone(&mut app);
    let one = visitor(&mut app, 0.0);
    assert_eq!(told(&mut app).1.len(), 1);
    app.insert_resource(GoesOn(false)).insert_resource(Listens);
    app.world_mut().entity_mut(one).insert(at(500.0, 0.0));
    app.update();
    app.insert_resource(GoesOn(true));
    app.update();
    assert_eq!(app.world().resource::<Ends>().0, 1);
}

#[test]
fn until_the_report_the_contacts_are_those_of_the_last_tick() {
    #[derive(Resource, Default)]
    struct Seen(Vec<usize>);
    let mut app = app();
    let look = |collisions: Collisions, mut seen: ResMut<Seen>| seen.0.push(collisions.len());
    let look = look
        .after(CollisionSystems::Resolve)
        .before(CollisionSystems::Report);
    app.init_resource::<Seen>()
        .add_systems(FixedPostUpdate, look);
    zone(&mut app);
    visitor(&mut app, 5.0);
    app.update();
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [0, 1]);
}

#[test]
fn who_has_gone_untold_is_known_after_going_back() {
    let mut app = app_that_rests(CollisionSystems::Report);
    zone(&mut app);
    let gone = visitor(&mut app, 5.0);
    let layers = CollisionLayers::new(4_u32, u32::MAX);
    app.world_mut().entity_mut(gone).insert(layers);
    assert_eq!(told(&mut app).1.len(), 1);
    app.insert_resource(GoesOn(false));
    app.world_mut().despawn(gone);
    app.update();
    app.update();
    let memory = CollisionMemory::of(app.world());
    app.insert_resource(GoesOn(true));
    let ended = told(&mut app).2;
    let leavers = [&ended[0].leaver_a, &ended[0].leaver_b].map(Clone::clone);
    let leaver = leavers.into_iter().flatten().next();
    assert_eq!(leaver.expect("it is told").layers, layers);
    assert_eq!(told(&mut app).2, []);
    memory.restore(app.world_mut());
    assert_eq!(told(&mut app).2, ended);
}

#[test]
fn a_tick_that_was_not_reported_can_be_gone_back_to() {
    let mut app = app_that_rests(CollisionSystems::Report);
    let late = app.world_mut().spawn_empty().id(); // the lowest index, and the highest slot
    let crowd: Vec<Entity> = (0..30).map(|_| visitor(&mut app, 0.0)).collect();
    told(&mut app);
    let collider = (CircleCollider::new(5.0), Body::Kinematic);
    app.world_mut()
        .entity_mut(late)
        .insert((collider, at(500.0, 0.0)));
    told(&mut app);
    app.insert_resource(GoesOn(false));
    for one in crowd {
        app.world_mut().despawn(one);
    }
    app.update();
    CollisionMemory::of(app.world()).restore(app.world_mut());
    app.insert_resource(GoesOn(true));
    // Each of the crowd has met each other.
    assert_eq!(told(&mut app).2.len(), 30 * 29 / 2);
}

/// Spawns some bodies at the origin, and a collider that is a part of the first one.
fn part_of_the_first<const N: usize>(app: &mut App) -> ([Entity; N], Entity) {
    let bodies = [(); N].map(|()| {
        let body = (Body::Kinematic, at(0.0, 0.0));
        app.world_mut().spawn(body).id()
    });
    let part = (CircleCollider::new(5.0), ChildOf(bodies[0]));
    (bodies, app.world_mut().spawn(part).id())
}

/// The collision ends for the body that the collider was a part of at the last report.
#[test]
fn who_has_changed_bodies_while_nothing_was_reported_is_told_of_once() {
    let mut app = app_that_rests(CollisionSystems::Report);
    zone(&mut app);
    let ([first, second, third], part) = part_of_the_first(&mut app);
    let started = told(&mut app).1[0];
    assert_eq!(started.seen_from(part).map(|hit| hit.body_a), Some(first));
    app.insert_resource(GoesOn(false));
    for body in [second, third] {
        app.world_mut().entity_mut(part).insert(ChildOf(body));
        app.update();
    }
    app.insert_resource(GoesOn(true));
    let (going_on, started, ended) = told(&mut app);
    let begins = started[0].seen_from(part).map(|hit| hit.body_a);
    let ends = ended[0].seen_from(part).map(|hit| hit.body_a);
    assert_eq!((begins, ends), (Some(third), Some(first)));
    assert_eq!((going_on, started.len(), ended.len()), (1, 1, 1));
    assert_eq!(ended[0].reason, EndReason::Reparented);
    let (_, started, ended) = told(&mut app);
    assert_eq!((started.len(), ended.len()), (0, 0));
}

/// It is not reported again in ticks without `Gather` either.
#[test]
fn who_has_changed_bodies_is_told_of_once_while_nothing_is_gathered() {
    let mut app = app_that_rests(CollisionSystems::Gather);
    zone(&mut app);
    let ([_, second], part) = part_of_the_first(&mut app);
    app.update();
    app.world_mut().entity_mut(part).insert(ChildOf(second));
    take::<CollisionStarted>(&mut app);
    let (_, started, ended) = told(&mut app);
    assert_eq!((started.len(), ended.len()), (1, 1));
    app.insert_resource(GoesOn(false));
    for _ in 0..3 {
        let (_, started, ended) = told(&mut app);
        assert_eq!((started.len(), ended.len()), (0, 0));
    }
}

/// A sweep begins where the previous tick has left the body, whether or not bodies push each other.
#[test]
fn a_swept_body_is_stopped_while_nothing_is_pushed() {
    let mut app = app_that_rests(CollisionSystems::Resolve);
    app.insert_resource(GoesOn(false));
    let player = (CircleCollider::new(10.0), Swept::default());
    let player = app.world_mut().spawn(player).id();
    wall(&mut app, (49.0, -50.0), (51.0, 50.0));
    app.update();
    app.world_mut()
        .get_mut::<Transform>(player)
        .unwrap()
        .translation
        .x = 200.0;
    app.update();
    assert_eq!(place(&app, player), Vec2::new(39.0, 0.0));

    // Nor does it sweep the same way in every tick.
    let mut app = app_that_rests(CollisionSystems::Resolve);
    let bullet = (CircleCollider::new(1.0), Body::Kinematic, Swept::default());
    let bullet = app.world_mut().spawn(bullet).id();
    app.world_mut()
        .spawn((CircleCollider::new(1.0), Sensor, Body::Static, at(5.0, 0.0)));
    app.update();
    app.insert_resource(GoesOn(false));
    app.world_mut()
        .get_mut::<Transform>(bullet)
        .unwrap()
        .translation
        .x = 10.0;
    assert_eq!(told(&mut app).1.len(), 1);
    let (going_on, started, ended) = told(&mut app);
    assert_eq!((going_on, started.len(), ended.len()), (0, 0, 1));
}

/// A bullet that is despawned before its end is reported is reported as despawned, with the components that it had.
#[test]
fn who_despawns_within_the_tick_in_which_a_collision_ends_is_told_as_gone() {
    #[derive(Component)]
    struct Spent;
    let mut app = app();
    app.add_systems(
        FixedPostUpdate,
        (|spent: Query<Entity, With<Spent>>, mut commands: Commands| {
            for spent in &spent {
                commands.entity(spent).despawn();
            }
        })
        .after(CollisionSystems::Gather)
        .before(CollisionSystems::Sweep),
    );
    let zone = zone(&mut app);
    let bullet = visitor(&mut app, 0.0);
    app.world_mut().entity_mut(bullet).insert(CollisionTag(7));
    app.update();
    app.world_mut()
        .entity_mut(bullet)
        .insert((Spent, at(50.0, 0.0)));
    take::<CollisionEnded>(&mut app);
    let (_, _, ended) = told(&mut app);
    let over: Vec<_> = ended.iter().map(|one| (one.a, one.b, one.reason)).collect();
    assert_eq!(over, [(zone, bullet, EndReason::Despawned)]);
    let leaver = ended[0].leaver(bullet).expect("it is gone");
    assert_eq!(leaver.tag, Some(CollisionTag(7)));
    assert_eq!(ended[0].leaver(zone), None);
    assert_eq!(told(&mut app).2, []);
}

fn dash(app: &mut App, body: Entity, way: Vec2) {
    let dash = move |mover: Mover, mut transforms: Query<&mut Transform>| {
        let mut transform = transforms.get_mut(body).expect("it has one");
        let moved = mover.move_and_slide(body, &mut transform, way, &MoveOptions::default());
        moved.expect("it is a body");
    };
    app.world_mut().run_system_once(dash).expect("it runs");
}

/// A game that moves everything by a `Mover` may let the sweep rest.
#[test]
fn what_a_mover_has_passed_is_told_while_nothing_is_swept() {
    let mut app = app_that_rests(CollisionSystems::Sweep);
    app.insert_resource(GoesOn(false));
    let ring = (
        CircleCollider::new(1.0),
        Sensor,
        Body::Static,
        at(10.0, 0.0),
    );
    let ring = app.world_mut().spawn(ring).id();
    let hero = (CircleCollider::new(1.0), Body::Kinematic);
    let hero = app.world_mut().spawn(hero).id();
    assert_eq!(told(&mut app), (0, vec![], vec![]));
    dash(&mut app, hero, Vec2::X * 20.0);
    let (_, started, ended) = told(&mut app);
    let [met] = started[..] else {
        panic!("told once, and not {started:?}");
    };
    // They touch after 8 of 20.
    assert_eq!((met.a, met.b, met.time), (ring, hero, 0.4));
    assert_eq!(ended, []);
    let (_, started, ended) = told(&mut app);
    assert_eq!((started, ended.len()), (vec![], 1));
    assert_eq!(told(&mut app), (0, vec![], vec![]));
}

/// Also not what the bodies that are gone have walked.
#[test]
fn no_walks_pile_up_while_nothing_is_swept() {
    let mut app = app_that_rests(CollisionSystems::Sweep);
    app.insert_resource(GoesOn(false));
    let walks = |app: &App| {
        let memory = format!("{:?}", CollisionMemory::of(app.world()));
        memory.matches("Walked").count()
    };
    for _ in 0..5 {
        let body = visitor(&mut app, 0.0);
        app.update();
        dash(&mut app, body, Vec2::X);
        assert_eq!(walks(&app), 1);
        app.world_mut().despawn(body);
        app.update();
    }
    assert_eq!(walks(&app), 0);
}

/// Between two reports, a collider has gone and is back: nothing has begun, and nothing is over.
#[test]
fn what_is_back_before_the_next_report_has_met_nothing_anew() {
    type Change = fn(EntityWorldMut);
    let cases: [(&str, Change, Change); 4] = [
        (
            "disabled",
            |mut one| _ = one.insert(ColliderDisabled),
            |mut one| _ = one.remove::<ColliderDisabled>(),
        ),
        (
            "an entity that is disabled",
            |mut one| _ = one.insert(Disabled),
            |mut one| _ = one.remove::<Disabled>(),
        ),
        (
            "without a collider",
            |mut one| _ = one.remove::<CircleCollider>(),
            |mut one| _ = one.insert(CircleCollider::new(5.0)),
        ),
        (
            "invalid",
            |mut one| _ = one.insert(CircleCollider::new(f32::NAN)),
            |mut one| _ = one.insert(CircleCollider::new(5.0)),
        ),
    ];
    for (case, go, come) in cases {
        for ticks in [0, 2] {
            let mut app = app_that_rests(CollisionSystems::Report);
            let one = visitor(&mut app, 0.0);
            zone(&mut app);
            assert_eq!(told(&mut app).1.len(), 1, "{case}");
            app.insert_resource(GoesOn(false));
            go(app.world_mut().entity_mut(one));
            app.update();
            // Others that come meanwhile do not take its place.
            visitor(&mut app, 500.0);
            app.update();
            come(app.world_mut().entity_mut(one));
            for _ in 0..ticks {
                app.update();
            }
            app.insert_resource(GoesOn(true));
            for _ in 0..2 {
                assert_eq!(told(&mut app), (1, vec![], vec![]), "{case}, {ticks}");
            }
        }
    }
}

/// It is back as a part of another body.
#[test]
fn what_is_back_with_another_body_has_left_the_first_one() {
    let mut app = app_that_rests(CollisionSystems::Report);
    zone(&mut app);
    let ([first, second], part) = part_of_the_first(&mut app);
    assert_eq!(told(&mut app).1.len(), 1);
    app.insert_resource(GoesOn(false));
    app.world_mut().entity_mut(part).insert(ColliderDisabled);
    app.update();
    let mut entity = app.world_mut().entity_mut(part);
    entity.remove::<ColliderDisabled>().insert(ChildOf(second));
    app.insert_resource(GoesOn(true));
    let (going_on, started, ended) = told(&mut app);
    assert_eq!((going_on, started.len(), ended.len()), (1, 1, 1));
    let begins = started[0].seen_from(part).map(|hit| hit.body_a);
    let ends = ended[0].seen_from(part).map(|hit| hit.body_a);
    assert_eq!((begins, ends), (Some(second), Some(first)));
    assert_eq!(ended[0].reason, EndReason::Reparented);
}

/// An editor, or a mode for building: the clock stands, and the schedule is run to look again.
#[test]
fn a_paused_game_can_look_at_what_it_has_moved() {
    let mut app = app();
    let tower = (BoxCollider::square(10.0), Body::Static, at(0.0, 0.0));
    let tower = app.world_mut().spawn(tower).id();
    let enemy = CircleCollider::new(4.0);
    let enemy = (enemy, Velocity(Vec2::new(64.0, 0.0)), at(-50.0, 0.0));
    let enemy = app.world_mut().spawn(enemy).id();
    app.update();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let mut moved = app.world_mut().get_mut::<Transform>(tower).unwrap();
    moved.translation.x = 100.0;
    app.update();
    let see = |app: &mut App| {
        [0.0, 100.0].map(|x| {
            let there = Vec2::new(x, 0.0);
            let ask = move |space: SpatialQuery| {
                let seen = space.overlap_point(there, &QueryFilter::ALL);
                seen.any()
            };
            app.world_mut().run_system_once(ask).unwrap()
        })
    };
    assert_eq!(see(&mut app), [true, false]);
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(see(&mut app), [false, true]);
    assert_eq!(
        place(&app, enemy),
        Vec2::new(-49.0, 0.0),
        "no time has passed"
    );
}
