//! Collisions between two kinds of things, the right way round.

use bevy::{
    ecs::{
        change_detection::Tick,
        entity::{Entity, EntityHashSet},
        message::{MessageCursor, MessageReader, Messages},
        prelude::{Query, Res},
        query::QueryFilter,
        system::{Local, SystemChangeTick, SystemParam},
    },
    platform::collections::HashMap,
};

use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted},
    state::{colliders::Colliders, contacts::Contacts},
};

/// Reads the messages of pairs of which one matches `A` and the other matches `B`, turned so that `a` is the one that matches `A`.
///
/// `A` and `B` are checked on the entity of the collider, at the time of the call: of a body whose colliders are on children, put the marker on the child. An entity that is gone by then matches nothing. `()` matches every collider, sensors included;
/// `Without<Sensor>` leaves those out. A pair that matches both ways is read once, with `a` and `b` as in the message.
///
/// A pair that matched when it had started is read when it ends, whatever has become of the two, and also if both are gone; for that, nobody has to have read its start, but the system has to have run in between. Who is gone before that, as by an observer of the start, is read of neither at the start nor at the end. Each system has its own place in the messages, as with a
/// [`MessageReader`]; it should run at least once in two frames, or it loses some, and forgets which pairs have started. Costs two lookups a message.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # #[derive(Component)] struct Player { coins: u32 }
/// # #[derive(Component)] struct Coin;
/// fn collect(mut collisions: CollisionReader<With<Player>, With<Coin>>, mut players: Query<&mut Player>, mut commands: Commands) {
///     for hit in collisions.started() {
///         if let Ok(mut player) = players.get_mut(hit.a) {
///             player.coins += 1;
///             commands.entity(hit.b).despawn();
///         }
///     }
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).add_systems(Update, collect);
/// # app.world_mut().spawn((CircleCollider::new(4.0), Coin));
/// # let player = app.world_mut().spawn((CircleCollider::new(4.0), Player { coins: 0 })).id();
/// # app.world_mut().run_schedule(FixedPostUpdate);
/// # app.world_mut().run_schedule(Update);
/// # assert_eq!(app.world().get::<Player>(player).unwrap().coins, 1);
/// ```
#[derive(SystemParam)]
pub struct CollisionReader<'w, 's, A: QueryFilter + 'static, B: QueryFilter + 'static> {
    a: Query<'w, 's, (), A>,
    b: Query<'w, 's, (), B>,
    started: MessageReader<'w, 's, CollisionStarted>,
    ongoing: MessageReader<'w, 's, Collision>,
    // Not a reader, which does not tell what it has missed.
    endings: Res<'w, Messages<CollisionEnded>>,
    ended: Local<'s, MessageCursor<CollisionEnded>>,
    beginnings: MessageReader<'w, 's, CollisionStarted>,
    colliders: Res<'w, Colliders>,
    contacts: Res<'w, Contacts>,
    ticks: SystemChangeTick,
    books: Local<'s, Books>,
    hitting: Local<'s, EntityHashSet>,
}

/// Who has begun, so that their end is known for what it is when they are gone.
#[derive(Default)]
struct Books {
    /// Pairs that matched when they began: whether they are to be turned, and how often they began and have not ended.
    begun: HashMap<(Entity, Entity), (bool, u32)>,
    over: Vec<CollisionEnded>,
    /// Somebody asks for what is over.
    are_read: bool,
    /// The last run of the system in which anything was asked for.
    run: Option<Tick>,
}

impl<A: QueryFilter, B: QueryFilter> CollisionReader<'_, '_, A, B> {
    /// Pairs that began to collide since this was last called. The [type](Self) has an example.
    pub fn started(&mut self) -> impl Iterator<Item = CollisionStarted> {
        self.keep_books();
        let Self { a, b, started, .. } = self;
        let started = started.read();
        started.filter_map(|message| turned(message, a, b))
    }

    /// The same, but of all with the same `a` only the one that began the first: for what ends at its first hit, such as a bullet, or a coin that only one can take.
    ///
    /// What has no [`time`](CollisionStarted::time) of its own in a tick, for it was moved by its `Transform`, comes in the order of the entities.
    ///
    /// ```
    /// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Bullet;
    /// # #[derive(Component)] struct Health(i32);
    /// # let mut app = App::new();
    /// fn hit(mut hits: CollisionReader<With<Bullet>, With<Health>>, mut health: Query<&mut Health>, mut commands: Commands) {
    ///     for hit in hits.first_started() {
    ///         commands.entity(hit.a).despawn(); // no bullet comes twice
    ///         if let Ok(mut health) = health.get_mut(hit.b) {
    ///             health.0 -= 1;
    ///         }
    ///     }
    /// }
    ///
    /// app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    /// app.add_systems(FixedPostUpdate, hit.after(CollisionSystems::Report));
    /// // Two behind each other, the farther one spawned first, and a bullet that flies through both in one tick.
    /// let enemies = [40.0, 20.0].map(|x| {
    ///     let enemy = (CircleCollider::new(5.0), Health(3), Transform::from_xyz(x, 0.0, 0.0));
    ///     app.world_mut().spawn(enemy).id()
    /// });
    /// app.world_mut().spawn((CircleCollider::new(1.0), Sensor, Velocity(Vec2::new(6400.0, 0.0)), Bullet));
    /// # app.finish(); app.cleanup();
    /// # app.update(); // passes no time
    /// app.update();
    /// assert_eq!(enemies.map(|enemy| app.world().get::<Health>(enemy).unwrap().0), [3, 2]);
    /// ```
    pub fn first_started(&mut self) -> impl Iterator<Item = CollisionStarted> {
        self.keep_books();
        let Self {
            a,
            b,
            started,
            hitting,
            ..
        } = self;
        hitting.clear();
        let started = started.read();
        let started = started.filter_map(|message| turned(message, a, b));
        started.filter(|hit| hitting.insert(hit.a))
    }

    /// Pairs that collided, for each tick since this was last called.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Health(i32);
    /// # #[derive(Component)] struct Fire;
    /// # let mut app = App::new();
    /// fn burn(mut collisions: CollisionReader<With<Health>, With<Fire>>, mut health: Query<&mut Health>) {
    ///     for hit in collisions.ongoing() {
    ///         if let Ok(mut health) = health.get_mut(hit.a) {
    ///             health.0 -= 1;
    ///         }
    ///     }
    /// }
    ///
    /// app.add_plugins((MinimalPlugins, CollisionPlugin::default()))
    ///     .add_systems(FixedPostUpdate, burn.after(CollisionSystems::Report));
    /// app.world_mut().spawn((BoxCollider::square(20.0), Sensor, Fire));
    /// let hero = app.world_mut().spawn((CircleCollider::new(5.0), Health(10))).id();
    /// for _ in 0..3 {
    ///     app.world_mut().run_schedule(FixedPostUpdate);
    /// }
    /// assert_eq!(app.world().get::<Health>(hero).unwrap().0, 7);
    /// ```
    pub fn ongoing(&mut self) -> impl Iterator<Item = Collision> {
        self.keep_books();
        let Self { a, b, ongoing, .. } = self;
        ongoing.read().filter_map(|message| {
            let turn = turn((message.a, message.b), a, b)?;
            Some(if turn { message.swapped() } else { *message })
        })
    }

    /// Pairs that collide no more, since this was last called; also those of entities that are gone. Take all of them: what is left over is not given again.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Plate;
    /// # #[derive(Component)] struct Stone;
    /// # #[derive(Resource, Default)] struct Left(Vec<EndReason>);
    /// # let mut app = App::new();
    /// fn leave(mut collisions: CollisionReader<With<Plate>, With<Stone>>, mut left: ResMut<Left>) {
    ///     left.0.extend(collisions.ended().map(|ended| ended.reason));
    /// }
    ///
    /// app.add_plugins((MinimalPlugins, CollisionPlugin::default()))
    ///     .init_resource::<Left>()
    ///     .add_systems(FixedPostUpdate, leave.after(CollisionSystems::Report));
    /// app.world_mut().spawn((BoxCollider::square(20.0), Sensor, Plate));
    /// let stone = app.world_mut().spawn((CircleCollider::new(5.0), Stone)).id();
    /// app.world_mut().run_schedule(FixedPostUpdate);
    /// app.world_mut().despawn(stone);
    /// app.world_mut().run_schedule(FixedPostUpdate);
    /// assert_eq!(app.world().resource::<Left>().0, [EndReason::Despawned]);
    /// ```
    pub fn ended(&mut self) -> impl Iterator<Item = CollisionEnded> {
        self.keep_books();
        self.books.are_read = true;
        self.books.over.drain(..)
    }

    /// Whatever is asked for: who begins now may be gone when the end is asked for.
    fn keep_books(&mut self) {
        let Self {
            a,
            b,
            endings,
            ended,
            beginnings,
            colliders,
            contacts,
            ticks,
            books,
            ..
        } = self;
        let do_meet = |(one, other): (Entity, Entity)| {
            let slots = colliders.slot(one).zip(colliders.slot(other));
            slots.is_some_and(|(one, other)| contacts.between(one, other).is_some())
        };
        let Books {
            begun,
            over,
            are_read,
            run,
        } = &mut **books;
        // Of whom it has seen begin, it does not know who has ended meanwhile.
        if ended.missed_messages(endings) > 0 {
            begun.clear();
        }
        for message in beginnings.read() {
            let pair = (message.a, message.b);
            if let Some(turn) = turn(pair, a, b) {
                begun.entry(pair).or_insert((turn, 0)).1 += 1;
            }
        }
        // Whoever has never asked does not collect them from run to run.
        let last = run.replace(ticks.this_run());
        if !*are_read && last != *run {
            over.clear();
        }
        for message in ended.read(endings) {
            let pair = (message.a, message.b);
            let turn = match begun.get_mut(&pair) {
                Some((turn, times)) => {
                    let turn = *turn;
                    // Of two that meet now, what began the last is not over: what is, began when they did not match. Unless they do not now, and so it is what began the last that does not.
                    let matches = self::turn(pair, a, b).is_some();
                    if *times > 1 || !matches || !do_meet(pair) {
                        *times -= 1;
                    }
                    if *times == 0 {
                        begun.remove(&pair);
                    }
                    Some(turn)
                }
                None => turn(pair, a, b),
            };
            over.extend(turn.map(|turn| {
                let message = message.clone();
                if turn { message.swapped() } else { message }
            }));
        }
    }
}

/// A beginning as it is asked for; `None` if it is between others.
fn turned<A: QueryFilter, B: QueryFilter>(
    message: &CollisionStarted,
    a: &Query<(), A>,
    b: &Query<(), B>,
) -> Option<CollisionStarted> {
    let turn = turn((message.a, message.b), a, b)?;
    Some(if turn { message.swapped() } else { *message })
}

/// Whether a pair is to be turned, so that the first matches `A`; `None` if it does not match either way.
fn turn<A: QueryFilter, B: QueryFilter>(
    pair: (Entity, Entity),
    a: &Query<(), A>,
    b: &Query<(), B>,
) -> Option<bool> {
    if a.contains(pair.0) && b.contains(pair.1) {
        Some(false)
    } else if a.contains(pair.1) && b.contains(pair.0) {
        Some(true)
    } else {
        None
    }
}
