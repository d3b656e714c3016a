//! Reads collisions between two kinds of entities, with `a` and `b` in the right order.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::prelude::*;

use crate::common::{app, at};

#[derive(Component)]
struct Player;

#[derive(Component)]
struct Coin;

/// What was read: its kind, `a`, `b`, and the normal from `a` to `b`.
#[derive(Resource, Default)]
struct Read(Vec<(&'static str, Entity, Entity, Vec2)>);

fn read(mut collisions: CollisionReader<With<Player>, With<Coin>>, mut read: ResMut<Read>) {
    let started = collisions.started();
    let started = started.map(|hit| ("started", hit.a, hit.b, hit.normal));
    read.0.extend(started);
    let ongoing = collisions.ongoing();
    let ongoing = ongoing.map(|hit| ("ongoing", hit.a, hit.b, hit.normal));
    read.0.extend(ongoing);
    let ended = collisions.ended();
    let ended = ended.map(|hit| ("ended", hit.a, hit.b, hit.normal));
    read.0.extend(ended);
}

fn reading_app() -> App {
    let mut app = app();
    app.init_resource::<Read>().add_systems(Update, read);
    app
}

fn dot(app: &mut App, x: f32, kind: impl Bundle) -> Entity {
    let dot = (CircleCollider::new(5.0), Sensor, at(x, 0.0), kind);
    app.world_mut().spawn(dot).id()
}

fn taken(app: &mut App) -> Vec<(&'static str, Entity, Entity, Vec2)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Read>().0)
}

#[test]
fn the_first_is_who_was_asked_for_first_whoever_was_spawned_first() {
    let mut app = reading_app();
    let first_coin = dot(&mut app, 0.0, Coin);
    let player = dot(&mut app, 8.0, Player);
    let second_coin = dot(&mut app, 16.0, Coin);
    dot(&mut app, 8.0, ()); // matches neither
    app.update();
    let both = |what| {
        [
            (what, player, first_coin, Vec2::NEG_X),
            (what, player, second_coin, Vec2::X),
        ]
    };
    assert_eq!(taken(&mut app), [both("started"), both("ongoing")].concat());
    app.update();
    assert_eq!(taken(&mut app), both("ongoing"));
}

#[test]
fn the_end_is_read_when_both_are_gone() {
    let mut app = reading_app();
    let coin = dot(&mut app, 0.0, Coin);
    let player = dot(&mut app, 8.0, Player);
    app.update();
    taken(&mut app);
    app.world_mut().despawn(coin);
    app.world_mut().despawn(player);
    app.update();
    assert_eq!(taken(&mut app), [("ended", player, coin, Vec2::NEG_X)]);
}

#[test]
fn the_end_is_read_when_it_is_a_coin_no_more() {
    let mut app = reading_app();
    let coin = dot(&mut app, 0.0, Coin);
    let player = dot(&mut app, 8.0, Player);
    app.update();
    taken(&mut app);
    app.world_mut().entity_mut(coin).remove::<Coin>();
    app.update();
    assert_eq!(taken(&mut app), [], "the coin is no coin now");
    app.world_mut()
        .get_mut::<Transform>(player)
        .unwrap()
        .translation
        .x = 50.0;
    app.update();
    assert_eq!(taken(&mut app), [("ended", player, coin, Vec2::NEG_X)]);
}

/// Starts and ends balance over many pairs that come, go, and come again, with several ticks a frame.
#[test]
fn what_has_started_ends_once() {
    let mut app = reading_app();
    let coins: Vec<Entity> = (0..5)
        .map(|x| dot(&mut app, x as f32 * 20.0, Coin))
        .collect();
    let player = dot(&mut app, 0.0, Player);
    let strategy = TimeUpdateStrategy::FixedTimesteps(3);
    app.insert_resource(strategy);
    app.add_systems(
        FixedUpdate,
        move |mut transforms: Query<&mut Transform>, mut tick: Local<u32>| {
            *tick += 1;
            let x = (*tick * 37 % 100) as f32;
            if let Ok(mut transform) = transforms.get_mut(player) {
                transform.translation.x = x;
            }
        },
    );
    for _ in 0..100 {
        app.update();
    }
    app.world_mut().despawn(player);
    app.update();
    app.update();
    let all = taken(&mut app);
    for coin in coins {
        let count = |what| {
            all.iter()
                .filter(|one| one.0 == what && one.2 == coin)
                .count()
        };
        assert!(count("started") > 10);
        assert_eq!(count("started"), count("ended"));
    }
}

/// A reader that has not run for too long does not know what became of the collisions that it has read, and does not read their ends.
#[test]
fn who_sleeps_forgets_what_has_begun() {
    #[derive(Resource)]
    struct IsAwake(bool);
    let mut app = app();
    let is_awake = |is_awake: Res<IsAwake>| is_awake.0;
    app.init_resource::<Read>()
        .insert_resource(IsAwake(true))
        .add_systems(Update, read.run_if(is_awake));
    let coin = dot(&mut app, 0.0, Coin);
    let player = dot(&mut app, 8.0, Player);
    app.update();
    app.insert_resource(IsAwake(false));
    let put = |app: &mut App, x: f32| {
        app.world_mut().entity_mut(player).insert(at(x, 0.0));
        app.update();
    };
    put(&mut app, 50.0);
    for _ in 0..4 {
        app.update();
    }
    app.world_mut().entity_mut(coin).remove::<Coin>();
    put(&mut app, 8.0);
    for _ in 0..4 {
        app.update();
    }
    app.insert_resource(IsAwake(true));
    taken(&mut app);
    // It is not a coin any more, and was none at the start of this collision.
    put(&mut app, 50.0);
    assert_eq!(taken(&mut app), []);
}

/// Of what it has missed it knows only which collisions are ongoing now, whether or not strangers have parted meanwhile.
#[test]
fn who_has_slept_takes_who_meets_for_begun_whatever_strangers_do() {
    #[derive(Resource)]
    struct IsAwake(bool);
    for do_strangers_part in [false, true] {
        let mut app = app();
        let is_awake = |is_awake: Res<IsAwake>| is_awake.0;
        app.init_resource::<Read>()
            .insert_resource(IsAwake(true))
            .add_systems(Update, read.run_if(is_awake));
        dot(&mut app, 0.0, Coin);
        let player = dot(&mut app, 50.0, Player);
        dot(&mut app, 500.0, ());
        let stranger = dot(&mut app, 508.0, ());
        app.update();
        app.insert_resource(IsAwake(false));
        app.world_mut().entity_mut(player).insert(at(8.0, 0.0));
        if do_strangers_part {
            app.world_mut().entity_mut(stranger).insert(at(600.0, 0.0));
        }
        for _ in 0..5 {
            app.update();
        }
        app.insert_resource(IsAwake(true));
        app.update();
        taken(&mut app);
        app.world_mut().entity_mut(player).insert(at(50.0, 0.0));
        app.update();
        let kinds: Vec<_> = taken(&mut app).iter().map(|one| one.0).collect();
        assert_eq!(kinds, ["ended"], "do strangers part: {do_strangers_part}");
    }
}

/// Counts the ticks for [`moves_twice`].
#[derive(Resource, Default)]
struct Tick(u32);

/// Moves the coins away in its first tick, and back in its second.
fn moves_twice(mut tick: ResMut<Tick>, mut coins: Query<&mut Transform, Without<Player>>) {
    tick.0 += 1;
    for mut transform in &mut coins {
        transform.translation.x = if tick.0 == 1 { 100.0 } else { 8.0 };
    }
}

#[test]
fn an_end_that_did_not_match_when_it_began_is_not_read_and_takes_no_other_one_away() {
    let mut app = app();
    app.init_resource::<Read>().init_resource::<Tick>();
    app.add_systems(Update, read);
    let player = dot(&mut app, 0.0, Player);
    let coin = dot(&mut app, 8.0, ());
    app.update();
    assert_eq!(taken(&mut app), []);
    app.world_mut().entity_mut(coin).insert(Coin);
    // Both ticks are in one frame.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(2));
    app.add_systems(FixedUpdate, moves_twice);
    app.update();
    let kinds = |app: &mut App| taken(app).iter().map(|one| one.0).collect::<Vec<_>>();
    assert_eq!(kinds(&mut app), ["started", "ongoing"]);
    app.world_mut().despawn(player);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    assert_eq!(kinds(&mut app), ["ended"]);
}

/// The colliders of a disabled body still collide, but queries do not find the body's marker.
#[test]
fn a_body_that_is_disabled_while_it_begins_ends_nothing() {
    #[derive(Resource, Default)]
    struct Balance(i32);

    let mut app = app();
    app.init_resource::<Balance>().add_systems(
        FixedLast,
        |mut collisions: BodyCollisionReader<With<Player>, With<Coin>>,
         mut balance: ResMut<Balance>| {
            balance.0 += collisions.started().count() as i32;
            balance.0 -= collisions.ended().count() as i32;
        },
    );
    let coin = (CircleCollider::new(20.0), Coin, Sensor, Body::Static);
    app.world_mut().spawn(coin);
    let (player, _) = of_two_parts(&mut app, Player, 100.0);
    let mut balance = |change: &dyn Fn(&mut EntityWorldMut)| {
        change(&mut app.world_mut().entity_mut(player));
        app.update();
        app.world().resource::<Balance>().0
    };
    assert_eq!(balance(&|_| {}), 0);
    assert_eq!(
        balance(&|player| _ = player.insert((Disabled, at(0.0, 0.0)))),
        0
    );
    assert_eq!(balance(&|player| _ = player.remove::<Disabled>()), 0);
    assert_eq!(balance(&|player| _ = player.insert(at(100.0, 0.0))), 0);
    assert_eq!(balance(&|player| _ = player.insert(at(0.0, 0.0))), 2);
    assert_eq!(balance(&|player| _ = player.insert(at(100.0, 0.0))), 0);
}

/// A collision that started before the reader existed ends for it, too.
#[test]
fn a_reader_that_comes_late_knows_who_meets() {
    let mut app = app();
    app.init_resource::<Read>();
    dot(&mut app, 0.0, Player);
    let coin = dot(&mut app, 8.0, Coin);
    for _ in 0..5 {
        app.update();
    }
    app.add_systems(Update, read);
    app.update();
    let kinds = |app: &mut App| taken(app).iter().map(|one| one.0).collect::<Vec<_>>();
    kinds(&mut app);
    app.world_mut().despawn(coin);
    app.update();
    assert_eq!(kinds(&mut app), ["ended"]);
}

/// Away and back in one frame, in which one of them is no coin any more: the end of the collision that started with a coin is read, and the end of the other one is not.
#[test]
fn an_end_that_began_as_something_else_is_not_read() {
    let mut app = app();
    app.init_resource::<Read>().init_resource::<Tick>();
    app.add_systems(Update, read);
    let player = dot(&mut app, 0.0, Player);
    let coin = dot(&mut app, 8.0, Coin);
    let kinds = |app: &mut App| taken(app).iter().map(|one| one.0).collect::<Vec<_>>();
    app.update();
    assert_eq!(kinds(&mut app), ["started", "ongoing"]);
    app.world_mut().entity_mut(coin).remove::<Coin>();
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(2));
    app.add_systems(FixedUpdate, moves_twice);
    app.update();
    assert_eq!(kinds(&mut app), ["ended"]);
    app.world_mut().despawn(player);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    assert_eq!(kinds(&mut app), [""; 0]);
}

/// The system has read the starts all the time.
#[test]
fn who_asks_for_ends_late_gets_those_since_it_last_ran() {
    #[derive(Resource, Default)]
    struct Asks(bool);

    let mut app = app();
    app.init_resource::<Read>().init_resource::<Asks>();
    app.add_systems(
        Update,
        |mut collisions: CollisionReader<With<Player>, With<Coin>>,
         asks: Res<Asks>,
         mut read: ResMut<Read>| {
            let started = collisions.started();
            read.0
                .extend(started.map(|hit| ("started", hit.a, hit.b, hit.normal)));
            if asks.0 {
                let ended = collisions.ended();
                read.0
                    .extend(ended.map(|hit| ("ended", hit.a, hit.b, hit.normal)));
            }
        },
    );
    dot(&mut app, 0.0, Player);
    let coins = [4.0, 5.0, 6.0, 7.0].map(|x| dot(&mut app, x, Coin));
    app.update();
    taken(&mut app);
    for coin in &coins[..2] {
        app.world_mut().despawn(*coin);
        app.update();
    }
    for _ in 0..5 {
        app.update();
    }
    app.insert_resource(Asks(true));
    app.update();
    let ended = |app: &mut App| -> Vec<Entity> {
        let all = taken(app).into_iter();
        all.map(|(kind, _, coin, _)| {
            assert_eq!(kind, "ended");
            coin
        })
        .collect()
    };
    assert_eq!(ended(&mut app), [], "they ended before");
    app.world_mut().despawn(coins[2]);
    app.update();
    assert_eq!(ended(&mut app), [coins[2]]);
    // And from then on it reads all ends, whenever it asks.
    app.insert_resource(Asks(false));
    app.world_mut().despawn(coins[3]);
    app.update();
    app.update();
    app.insert_resource(Asks(true));
    app.update();
    assert_eq!(ended(&mut app), [coins[3]]);
}

/// The first collisions that were read, as pairs of `a` and `b`.
#[derive(Resource, Default)]
struct First(Vec<(Entity, Entity)>);

fn read_first(mut hits: CollisionReader<With<Player>, With<Coin>>, mut first: ResMut<First>) {
    let pairs = hits.first_started().map(|hit| (hit.a, hit.b));
    first.0 = pairs.collect();
}

#[test]
fn of_each_only_the_first_is_read_in_order_of_time() {
    let mut app = app();
    app.init_resource::<First>().add_systems(Update, read_first);
    // The nearest coin was spawned last; in between is a collider that does not match, and the second player is already in a coin.
    let far = dot(&mut app, 60.0, Coin);
    let near = dot(&mut app, 30.0, Coin);
    dot(&mut app, 15.0, ());
    let flight = (Player, Velocity(Vec2::new(6400.0, 0.0)));
    let player = dot(&mut app, 0.0, flight);
    let second = dot(&mut app, 64.0, Player);
    app.update();
    let read = |app: &mut App| std::mem::take(&mut app.world_mut().resource_mut::<First>().0);
    assert_eq!(read(&mut app), [(player, near), (second, far)]);
    // Afterwards there are no more, and in a later tick none that were left out.
    app.update();
    assert_eq!(read(&mut app), []);
    // When it is met the next time, it is reported anew.
    app.world_mut().entity_mut(second).insert(at(200.0, 0.0));
    app.update();
    app.world_mut().entity_mut(second).insert(at(64.0, 0.0));
    app.update();
    assert_eq!(read(&mut app), [(second, far)]);
}

/// What was read about bodies, with `body_a` and `body_b`.
#[derive(Resource, Default)]
struct ReadOfBodies(Vec<(&'static str, Entity, Entity)>);

fn read_of_bodies(
    mut collisions: BodyCollisionReader<With<Player>, With<Coin>>,
    mut firsts: BodyCollisionReader<With<Player>, With<Coin>>,
    mut read: ResMut<ReadOfBodies>,
) {
    let started = collisions.started();
    let mut all: Vec<_> = started
        .map(|hit| ("started", hit.body_a, hit.body_b))
        .collect();
    let ongoing = collisions.ongoing();
    all.extend(ongoing.map(|hit| ("ongoing", hit.body_a, hit.body_b)));
    let ended = collisions.ended();
    all.extend(ended.map(|hit| ("ended", hit.body_a, hit.body_b)));
    let first = firsts.first_started();
    all.extend(first.map(|hit| ("first", hit.body_a, hit.body_b)));
    read.0.extend(all);
}

/// Spawns a body without a collider of its own, with two parts slightly beside each other.
fn of_two_parts(app: &mut App, marker: impl Bundle, x: f32) -> (Entity, [Entity; 2]) {
    let body = (Body::Kinematic, marker, at(x, 0.0));
    let body = app.world_mut().spawn(body).id();
    let parts = [-1.0, 1.0].map(|y| {
        let part = (CircleCollider::new(5.0), at(0.0, y), ChildOf(body));
        app.world_mut().spawn(part).id()
    });
    (body, parts)
}

#[test]
fn bodies_are_asked_for_their_markers_and_each_pair_of_their_colliders_is_read() {
    let mut app = app();
    app.init_resource::<ReadOfBodies>()
        .add_systems(FixedLast, read_of_bodies);
    let read = |app: &mut App| {
        app.update();
        std::mem::take(&mut app.world_mut().resource_mut::<ReadOfBodies>().0)
    };
    // The coin comes first, so its messages are swapped.
    let coin = (CircleCollider::new(2.0), Coin, Sensor, at(0.0, 0.0));
    let coin = app.world_mut().spawn(coin).id();
    let (player, [upper, lower]) = of_two_parts(&mut app, Player, 4.0);
    // Another body, whose marker is on a part, does not count here.
    let other = app.world_mut().spawn((Body::Kinematic, at(-4.0, 0.0))).id();
    app.world_mut()
        .spawn((CircleCollider::new(5.0), Player, ChildOf(other)));
    let pair = |what| (what, player, coin);
    let begun = [
        pair("started"),
        pair("started"),
        pair("ongoing"),
        pair("ongoing"),
        pair("first"),
    ];
    assert_eq!(read(&mut app), begun);
    assert_eq!(read(&mut app), [pair("ongoing"); 2]);

    // One part goes to the other body, which is not a player: for the player its collision ends, and none starts.
    app.world_mut().entity_mut(upper).insert(ChildOf(other));
    assert_eq!(read(&mut app), [pair("ongoing"), pair("ended")]);
    assert_eq!(read(&mut app), [pair("ongoing")]);
    // And back.
    app.world_mut().entity_mut(upper).insert(ChildOf(player));
    let back = [
        pair("started"),
        pair("ongoing"),
        pair("ongoing"),
        pair("first"),
    ];
    assert_eq!(read(&mut app), back);

    // A collision that has started with a player ends, even if both entities are gone.
    app.world_mut().despawn(lower);
    assert_eq!(read(&mut app), [pair("ongoing"), pair("ended")]);
    app.world_mut().despawn(player);
    app.world_mut().despawn(coin);
    assert_eq!(read(&mut app), [pair("ended")]);
    assert_eq!(read(&mut app), []);
}

/// For an entity that is gone before a system first runs, the system reads neither a start nor an end.
#[test]
fn who_is_gone_before_it_first_runs_is_not_read_of() {
    let mut app = app();
    dot(&mut app, 0.0, Player);
    let coin = dot(&mut app, 4.0, Coin);
    app.update();
    app.world_mut().despawn(coin);
    app.world_mut().run_schedule(FixedPostUpdate);
    let count = |mut hits: CollisionReader<With<Player>, With<Coin>>| {
        (hits.started().count(), hits.ended().count())
    };
    let count = app.world_mut().run_system_once(count).expect("it runs");
    assert_eq!(count, (0, 0));
}
