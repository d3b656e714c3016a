//! Reading collisions between two kinds of entities, with the sides in a fixed order.

use std::marker::PhantomData;

use bevy::{
    ecs::{
        archetype::{Archetype, Archetypes},
        change_detection::Tick,
        component::Components,
        entity::{Entity, EntityHashSet},
        message::{MessageCursor, MessageReader, Messages},
        prelude::{Query, Res},
        query::QueryFilter,
        system::{Local, SystemChangeTick, SystemParam},
    },
    platform::collections::HashMap,
};

use self::sealed::Sides;
use crate::{
    components::Leavers,
    messages::{Collision, CollisionEnded, CollisionStarted},
    state::{colliders::Colliders, contacts::Contacts, told::last_collision_of},
};

/// Reads the messages of pairs of which one matches `A` and the other matches `B`, swapped if needed so that `a` is the one that matches `A`.
///
/// `A` and `B` are checked on the entity of the collider, at the time of the call: if colliders are on children, and the markers on their body, use a [`BodyCollisionReader`]. An entity that is gone by then matches nothing, and one that is `Disabled` matches only filters that mention it, such as `With<Disabled>`. `()` matches every collider, sensors included;
/// `Without<Sensor>` leaves those out. A pair that matches both ways is read once, with `a` and `b` as in the message.
///
/// Ends match starts: a pair that matched when it started is also read when it ends, even if both entities are gone by then. So counting up and down comes out even.
///
/// - A marker that is added during a collision changes nothing for that collision; use [`Collisions`](super::Collisions) for what collides now.
/// - In its first run, after it has missed messages, and after an earlier tick was restored, what collides and matches then counts as started: its end is read. [`started`](CollisionReader::started) still returns only what there are messages of.
/// - If an entity that is to match is gone before the system has run since the start, neither the start nor the end is read. A pair that only parts again before that is read.
///
/// Each system has its own position in the messages, as with a
/// [`MessageReader`]; it should run at least once in two frames, or it loses some messages, and forgets which pairs have started. Costs two lookups a message.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # #[derive(Component)] struct Player { coins: u32 }
/// # #[derive(Component)] struct Coin;
/// // Of two players that reach it in the same tick one gets it: of each coin the first collision that started.
/// fn collect(mut collisions: CollisionReader<With<Coin>, With<Player>>, mut players: Query<&mut Player>, mut commands: Commands) {
///     for hit in collisions.first_started() {
///         if let Ok(mut player) = players.get_mut(hit.b) {
///             player.coins += 1;
///             commands.entity(hit.a).despawn();
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
pub struct CollisionReader<'w, 's, A, B, Of = OfColliders>
where
    A: QueryFilter + 'static,
    B: QueryFilter + 'static,
    Of: Side,
{
    a: Query<'w, 's, (), A>,
    b: Query<'w, 's, (), B>,
    started: MessageReader<'w, 's, CollisionStarted>,
    ongoing: MessageReader<'w, 's, Collision>,
    // Not readers, because these can't tell which messages they have missed.
    endings: Res<'w, Messages<CollisionEnded>>,
    ended: Local<'s, MessageCursor<CollisionEnded>>,
    beginnings: Res<'w, Messages<CollisionStarted>>,
    seen: Local<'s, MessageCursor<CollisionStarted>>,
    colliders: Res<'w, Colliders>,
    contacts: Res<'w, Contacts>,
    archetypes: &'w Archetypes,
    components: &'w Components,
    leavers: Res<'w, Leavers>,
    ticks: SystemChangeTick,
    books: Local<'s, Books>,
    hitting: Local<'s, EntityHashSet>,
    of: PhantomData<Of>,
}

/// A [`CollisionReader`] whose `A` and `B` are checked on the bodies of the two colliders, not on the colliders themselves: for markers on the parent of several colliders.
///
/// It reads the same messages, one for each pair of colliders, with `body_a` being the one that matches `A`; for two bodies that meet with several colliders there are several, perhaps in several ticks. [`first_started`](CollisionReader::first_started) reads only the earliest of those with the same `body_a` that have come since it was last called. To check the colliders themselves, such as whether they are sensors, use `a` and `b`.
///
/// What is to happen once while two bodies touch, however they do, needs to be remembered:
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # #[derive(Component)] struct Fire;
/// # let mut app = App::new();
/// #[derive(Component)] struct Robot { health: i32, burns: bool }
///
/// fn burn(
///     mut hits: BodyCollisionReader<With<Robot>, With<Fire>>,
///     mut robots: Query<&mut Robot>,
///     fires: Query<(), With<Fire>>,
///     collisions: Collisions,
/// ) {
///     for hit in hits.started() {
///         if let Ok(mut robot) = robots.get_mut(hit.body_a) && !robot.burns {
///             robot.burns = true;
///             robot.health -= 1;
///         }
///     }
///     for hit in hits.ended() {
///         if let Ok(mut robot) = robots.get_mut(hit.body_a) {
///             // Another part of it may still be in there.
///             robot.burns = collisions.bodies_colliding_with(hit.body_a).any(|body| fires.contains(body));
///         }
///     }
/// }
///
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .add_systems(FixedPostUpdate, burn.after(CollisionSystems::Report));
/// let robot = (Robot { health: 10, burns: false }, Body::Dynamic, Transform::default(), children![
///     (BoxCollider::new(10.0, 20.0), Transform::from_xyz(0.0, 10.0, 0.0)),
///     (CircleCollider::new(8.0), Transform::from_xyz(0.0, 28.0, 0.0)), // wider, so it comes in first
/// ]);
/// let robot = app.world_mut().spawn(robot).id();
/// app.world_mut().spawn((BoxCollider::square(100.0), Sensor, Fire)); // from -50 to 50
/// for (x, health) in [(-57.0, 9), (-54.0, 9), (-57.0, 9), (0.0, 9), (-70.0, 9), (0.0, 8)] {
///     app.world_mut().get_mut::<Transform>(robot).unwrap().translation.x = x;
///     app.world_mut().run_schedule(FixedPostUpdate);
///     assert_eq!(app.world().get::<Robot>(robot).unwrap().health, health);
/// }
/// ```
pub type BodyCollisionReader<'w, 's, A, B> = CollisionReader<'w, 's, A, B, OfBodies>;

/// Which entities of a pair a [`CollisionReader`] checks: [`OfColliders`] or [`OfBodies`].
pub trait Side: sealed::Asked {}

/// The entities of the two colliders.
#[derive(Clone, Copy, Debug)]
pub struct OfColliders;

/// The bodies that the colliders belong to.
#[derive(Clone, Copy, Debug)]
pub struct OfBodies;

impl Side for OfColliders {}

impl Side for OfBodies {}

mod sealed {
    use bevy::ecs::entity::Entity;

    /// The entities of both sides of a message.
    #[derive(Clone, Copy, Debug)]
    pub struct Sides {
        pub colliders: [Entity; 2],
        pub bodies: [Entity; 2],
    }

    pub trait Asked: Send + Sync + 'static {
        /// Returns the entities of a pair that the filters are checked on.
        fn asked(sides: Sides) -> [Entity; 2];
    }

    impl Asked for super::OfColliders {
        fn asked(sides: Sides) -> [Entity; 2] {
            sides.colliders
        }
    }

    impl Asked for super::OfBodies {
        fn asked(sides: Sides) -> [Entity; 2] {
            sides.bodies
        }
    }
}

macro_rules! sides {
    ($message:expr) => {
        Sides {
            colliders: [$message.a, $message.b],
            bodies: [$message.body_a, $message.body_b],
        }
    };
}

/// Endings are kept for so many runs of a system that has called `ended` before: some seconds.
const PATIENCE: u32 = 600;

/// The pairs that have started, so that their ends can be matched when the entities are gone.
#[derive(Default)]
struct Books {
    /// By colliders and checked entities, the pairs that matched when they started: whether they are to be swapped, and how often they started without having ended.
    begun: HashMap<[[Entity; 2]; 2], (bool, u32)>,
    over: Vec<CollisionEnded>,
    /// Endings are kept for so many more runs of the system, in case `ended` is called. A system that has never called it does not collect them from run to run.
    patience: u32,
    /// The last run of the system in which any method was called.
    run: Option<Tick>,
    /// How often an earlier tick had been restored by then.
    times_back: u32,
}

impl<A: QueryFilter, B: QueryFilter, Of: Side> CollisionReader<'_, '_, A, B, Of> {
    /// Returns the pairs that started to collide since this was last called. The [type](Self) has an example.
    pub fn started(&mut self) -> impl Iterator<Item = CollisionStarted> {
        self.keep_books();
        let Self { a, b, started, .. } = self;
        let started = started.read();
        started.filter_map(|message| turned::<Of, A, B>(message, a, b))
    }

    /// Returns the same, but of all with the same `a` (for a [`BodyCollisionReader`], `body_a`) only the earliest: for what ends at its first hit, such as a bullet, or a coin that only one player can take.
    ///
    /// What does not end there starts anew in a later call, with another `b`, or another part of a body: see the example of [`BodyCollisionReader`].
    ///
    /// Collisions without a [`time`](CollisionStarted::time) of their own in a tick, because the collider was moved by its `Transform`, come in the order of the entities. A pair that matches `A` and `B` both ways, as when fighters hit each other, is read with one of the two as `a`, and nothing more is read for that one.
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
        let started = started.filter_map(|message| turned::<Of, A, B>(message, a, b));
        started.filter(|hit| hitting.insert(Of::asked(sides!(hit))[0]))
    }

    /// Returns the pairs that collided, for each tick since this was last called. Each pair of colliders counts: below, who is in two fires burns twice.
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
            let turn = turn(Of::asked(sides!(message)), a, b)?;
            Some(if turn { message.swapped() } else { *message })
        })
    }

    /// Returns the pairs that ceased to collide since this was last called, including those of entities that are gone. Consume all of them: what is left over is not returned again. A system that has not called this in 600 runs loses the older ones.
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
        self.books.patience = PATIENCE;
        self.books.over.drain(..)
    }

    /// Brings the books up to date. Every method calls this, because a pair that starts now may be gone when `ended` is called.
    fn keep_books(&mut self) {
        let Self {
            a,
            b,
            endings,
            ended,
            beginnings,
            seen,
            colliders,
            contacts,
            archetypes,
            components,
            leavers,
            ticks,
            books,
            ..
        } = self;
        // Whether a pair collided when a report told of it last, with the same entities to be checked.
        let did_meet = |pair: [Entity; 2], asked: [Entity; 2]| {
            let slots = colliders.slot(pair[0]).zip(colliders.slot(pair[1]));
            slots.is_some_and(|(one, other)| {
                let bodies = [one, other].map(|slot| colliders.last_body(slot as u32));
                let now = Sides {
                    colliders: pair,
                    bodies,
                };
                Of::asked(now) == asked && contacts.was_told(one, other)
            })
        };
        let Books {
            begun,
            over,
            patience,
            run,
            times_back,
        } = &mut **books;
        // After missed messages, it is not known which of the pairs that started have ended meanwhile; after an earlier tick was restored, pairs may collide that have not started for this reader.
        let has_missed = ended.missed_messages(endings) + seen.missed_messages(beginnings);
        let was_elsewhere = std::mem::replace(times_back, colliders.times_back) != *times_back;
        let mut is_unsure = has_missed > 0 || was_elsewhere;
        if has_missed > 0 {
            begun.clear();
        }
        for message in seen.read(beginnings) {
            let sides = sides!(message);
            let asked = Of::asked(sides);
            if let Some(turn) = turn(asked, a, b) {
                let key = [sides.colliders, asked];
                begun.entry(key).or_insert((turn, 0)).1 += 1;
            }
        }
        let last = run.replace(ticks.this_run());
        if last != *run {
            if *patience == 0 {
                over.clear();
            }
            *patience = patience.saturating_sub(1);
        }
        is_unsure |= last.is_none();
        for message in ended.read(endings) {
            let sides = sides!(message);
            let asked = Of::asked(sides);
            let key = [sides.colliders, asked];
            let turn = match begun.get_mut(&key) {
                Some((turn, times)) => {
                    let turn = *turn;
                    // If the pair collides now, its latest start has not ended: what has ended is a collision that started when the pair did not match. Unless the pair does not match now, in which case the latest start is one that did not match.
                    let matches = self::turn(asked, a, b).is_some();
                    let is_over = *times > 1 || !matches || !did_meet(sides.colliders, asked);
                    *times -= u32::from(is_over);
                    if *times == 0 {
                        begun.remove(&key);
                    }
                    is_over.then_some(turn)
                }
                None if is_unsure => {
                    // For a pair that ended before this ran, the start may not have been read: check the components that its entities had.
                    let had = asked.map(|one| {
                        let archetype = leavers.archetype(one).filter(|_| was_elsewhere);
                        archetype.and_then(|archetype| archetypes.get(archetype))
                    });
                    let was_a = |side: usize| {
                        a.contains(asked[side]) || had_all::<A>(had[side], components)
                    };
                    let was_b = |side: usize| {
                        b.contains(asked[side]) || had_all::<B>(had[side], components)
                    };
                    turn_by(was_a, was_b)
                }
                None => None,
            };
            over.extend(turn.map(|turn| {
                let message = message.clone();
                if turn { message.swapped() } else { message }
            }));
        }
        if is_unsure {
            // From now on the started pairs are known: those that have not ended.
            begun.clear();
            begun.extend(contacts.last_told().iter().filter_map(|met| {
                let met = last_collision_of(met, colliders);
                let sides = sides!(met);
                let asked = Of::asked(sides);
                Some(([sides.colliders, asked], (turn(asked, a, b)?, 1)))
            }));
        }
    }
}

/// Returns the message of a start, swapped if needed; `None` if the pair does not match.
fn turned<Of: Side, A: QueryFilter, B: QueryFilter>(
    message: &CollisionStarted,
    a: &Query<(), A>,
    b: &Query<(), B>,
) -> Option<CollisionStarted> {
    let turn = turn(Of::asked(sides!(message)), a, b)?;
    Some(if turn { message.swapped() } else { *message })
}

/// Whether a pair is to be swapped, so that the first matches `A`; `None` if it does not match either way.
fn turn<A: QueryFilter, B: QueryFilter>(
    pair: [Entity; 2],
    a: &Query<(), A>,
    b: &Query<(), B>,
) -> Option<bool> {
    turn_by(|side| a.contains(pair[side]), |side| b.contains(pair[side]))
}

fn turn_by(is_a: impl Fn(usize) -> bool, is_b: impl Fn(usize) -> bool) -> Option<bool> {
    if is_a(0) && is_b(1) {
        Some(false)
    } else if is_a(1) && is_b(0) {
        Some(true)
    } else {
        None
    }
}

/// Whether an entity that is gone had the components that a filter asks for.
fn had_all<F: QueryFilter>(had: Option<&Archetype>, components: &Components) -> bool {
    had.zip(F::get_state(components))
        .is_some_and(|(had, state)| F::matches_component_set(&state, &|id| had.contains(id)))
}
