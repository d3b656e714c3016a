//! Filters: systems of the game that decide pair by pair which colliders collide.
//!
//! Layers and lists of ignored entities are for what is known beforehand. A filter is for what depends on more than that: it is a system that reads whatever it likes and answers for one pair.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::prelude::*;
//!
//! #[derive(Component, PartialEq)]
//! struct Team(u8);
//!
//! /// Friends run through each other.
//! fn friends(In(pair): In<Pair>, teams: Query<&Team>) -> Verdict {
//!     match teams.get_many([pair.body_a, pair.body_b]) {
//!         Ok([a, b]) if a == b => Verdict::Ignore,
//!         _ => Verdict::Collide,
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default())).add_collision_filter(friends);
//! app.world_mut().spawn((CircleCollider::new(10.0), Team(1)));
//! app.world_mut().spawn((CircleCollider::new(10.0), Team(1)));
//! app.world_mut().run_schedule(FixedPostUpdate);
//! assert!(app.world().resource::<Messages<Collision>>().is_empty());
//! ```

use std::{
    cell::Cell,
    sync::{Mutex, PoisonError},
};

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    app::App,
    ecs::{
        entity::Entity,
        prelude::{IntoSystem, Resource, World},
        system::{BoxedReadOnlySystem, In, ReadOnlySystem, RunSystemError},
    },
    reflect::Reflect,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};
use tracing::error;

use crate::components::Response;

/// Two colliders that are about to collide.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// #[derive(Component)]
/// struct Ghost;
///
/// /// No collider of a ghost's body meets anything, those of its children included.
/// fn ghosts(In(pair): In<Pair>, ghosts: Query<(), With<Ghost>>) -> Verdict {
///     let is_ghost = ghosts.contains(pair.body_a) || ghosts.contains(pair.body_b);
///     if is_ghost { Verdict::Ignore } else { Verdict::Collide }
/// }
///
/// app.add_collision_filter(ghosts);
/// let ghost = app.world_mut().spawn((Ghost, Body::Dynamic, Transform::default())).id();
/// let hand = app.world_mut().spawn((CircleCollider::new(2.0), ChildOf(ghost))).id();
/// let wall = app.world_mut().spawn((BoxCollider::square(20.0), Body::Static)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert!(matches!(explain(app.world(), hand, wall), Explanation::Filtered(_)));
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct Pair {
    /// The collider that sorts first, as in [`Collision`](crate::messages::Collision).
    pub a: Entity,
    /// The other collider.
    pub b: Entity,
    /// The body that `a` belongs to: `a` itself, or an ancestor.
    pub body_a: Entity,
    /// The body that `b` belongs to.
    pub body_b: Entity,
}

/// A filter's answer about a pair.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// #[derive(Component)]
/// struct Rubber;
///
/// /// Whatever meets rubber bounces off, an arrow with a `Stop` too.
/// fn rubber(In(pair): In<Pair>, rubber: Query<(), With<Rubber>>) -> Verdict {
///     if rubber.contains(pair.a) || rubber.contains(pair.b) {
///         Verdict::Respond(Response::bounce(1.0))
///     } else {
///         Verdict::Collide
///     }
/// }
///
/// app.add_collision_filter(rubber);
/// app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static, Rubber));
/// let player = app.world_mut().spawn((CircleCollider::new(5.0), Velocity(Vec2::new(0.0, -640.0)), Transform::from_xyz(0.0, 15.0, 0.0)));
/// let player = player.id(); // it would slide, by default
/// app.update();
/// assert_eq!(app.world().get::<Velocity>(player), Some(&Velocity(Vec2::new(0.0, 640.0))));
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[non_exhaustive]
pub enum Verdict {
    /// The two collide as their components say.
    #[default]
    Collide,
    /// The two do not see each other: nothing is stopped or pushed, and nothing is reported.
    Ignore,
    /// The two collide, and where they meet on the way, both respond like this, whatever their own [`Response`]s say. But a body that passes through everything, by its own `Response::Pass`, does so here too, as a sensor does.
    /// [`Response::Pass`] makes the two pass each other, without a push, as a [`Sensor`](crate::components::Sensor) does; that is reported.
    Respond(Response),
}

/// Adds filters to an app. See the [module](self) for an example, and [`Pair`] and [`Verdict`] for more.
pub trait AddCollisionFilter {
    /// Adds a filter: a system that gets a [`Pair`] and says whether the two collide. From now on it is asked about each pair that would collide: the layers agree, and the shapes meet, or are near enough to meet on the way or where one of them is pushed.
    ///
    /// The system may read anything in the world, and may change nothing. If there are several filters, the first one that does not say [`Verdict::Collide`] decides, in the order in which they were added.
    ///
    /// - It is asked once to a few times in a tick for each such pair, far more often about what is around a body that is wedged in a crowd. Its answer about a pair must stay the same within a tick. So it may look at teams and states, but not at random numbers, and not at what is `Changed` since it was last asked.
    /// - It sees `Transform`s, `Velocity`s and `Rider`s as they are in the current stage of the tick, which changes them. A filter that depends on a velocity needs a copy of it from before the tick.
    /// - While a tick asks it, [`Collisions`](crate::query::Collisions) is empty, and a [`SpatialQuery`](crate::query::SpatialQuery) finds nothing. While [`explain`](crate::query::explain) asks it, both answer as in any system: a filter that reads them may decide otherwise there.
    /// - If a parameter of the filter is missing, such as a resource, its answer counts as [`Verdict::Collide`], and an error is logged once.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// #[derive(Resource)]
    /// struct IsPeace(bool);
    ///
    /// app.insert_resource(IsPeace(true)).add_collision_filter(|_: In<Pair>, peace: Res<IsPeace>| {
    ///     if peace.0 { Verdict::Ignore } else { Verdict::Collide }
    /// });
    /// let [a, b] = [0.0, 5.0].map(|x| app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(x, 0.0, 0.0))).id());
    /// app.world_mut().run_schedule(FixedPostUpdate);
    /// assert!(!explain(app.world(), a, b).collide());
    /// app.insert_resource(IsPeace(false));
    /// app.world_mut().run_schedule(FixedPostUpdate);
    /// assert!(explain(app.world(), a, b).collide());
    /// ```
    ///
    /// - [`Mover`](crate::query::Mover) does not ask filters. If a filter itself calls [`explain`](crate::query::explain), that leaves all filters out. A filter must not run queries in parallel: other tasks of the tick may ask filters meanwhile, on the same thread.
    /// - It costs some tens of nanoseconds for each question, and makes the stages of the tick ask pair by pair. Without filters there is no cost.
    ///
    /// # Panics
    /// If the filter has [`Commands`](bevy::ecs::prelude::Commands) or any other deferred parameter.
    fn add_collision_filter<M>(
        &mut self,
        filter: impl IntoSystem<In<Pair>, Verdict, M, System: ReadOnlySystem>,
    ) -> &mut Self;
}

impl AddCollisionFilter for App {
    fn add_collision_filter<M>(
        &mut self,
        filter: impl IntoSystem<In<Pair>, Verdict, M, System: ReadOnlySystem>,
    ) -> &mut Self {
        let world = self.world_mut();
        let mut filter = Filter::new(filter);
        filter.system.initialize(world);
        let Filter { name, system, .. } = &filter;
        assert!(
            !system.has_deferred(),
            "the collision filter {name} has Commands, but a filter changes nothing: it is asked as often as it takes"
        );
        let installed = world
            .get_resource_or_init::<CollisionFilters>()
            .into_inner();
        let filters = installed.filters.get_mut();
        filters.unwrap_or_else(PoisonError::into_inner).push(filter);
        self
    }
}

/// The app's filters, in the order in which they are asked.
#[derive(Resource, Default)]
pub(crate) struct CollisionFilters {
    /// Behind a lock, since a system may keep state from call to call, so only one thread at a time may run it.
    filters: Mutex<Vec<Filter>>,
}

struct Filter {
    name: &'static str,
    system: BoxedReadOnlySystem<In<Pair>, Verdict>,
    has_failed: bool,
}

impl Filter {
    fn new<S: IntoSystem<In<Pair>, Verdict, M, System: ReadOnlySystem>, M>(filter: S) -> Self {
        Self {
            name: std::any::type_name::<S>(),
            system: Box::new(IntoSystem::into_system(filter)),
            has_failed: false,
        }
    }

    fn verdict(&mut self, pair: Pair, world: &World) -> Verdict {
        match self.system.run_readonly(pair, world) {
            Ok(verdict) => verdict,
            Err(RunSystemError::Skipped(reason)) => self.fail(&reason),
            Err(RunSystemError::Failed(reason)) => self.fail(&reason),
        }
    }

    fn fail(&mut self, reason: &dyn std::fmt::Display) -> Verdict {
        if !std::mem::replace(&mut self.has_failed, true) {
            error!(
                "The collision filter {} cannot be asked, and is left out until it can: {reason}",
                self.name
            );
        }
        Verdict::Collide
    }
}

impl CollisionFilters {
    /// Returns the first verdict of a filter that is not `Collide`, and that filter's name. `None` if all say `Collide`, or if the caller is itself a filter.
    pub(crate) fn verdict(&self, pair: Pair, world: &World) -> Option<(Verdict, &'static str)> {
        let _asking = Asking::begin()?;
        let mut filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        filters
            .iter_mut()
            .map(|filter| (filter.verdict(pair, world), filter.name))
            .find(|(verdict, _)| *verdict != Verdict::Collide)
    }
}

thread_local! {
    static IS_ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Exists while this thread asks the filters. If a filter itself asked for a verdict, as by `explain`, it would wait for its own answer.
struct Asking;

impl Asking {
    fn begin() -> Option<Self> {
        (!IS_ASKING.replace(true)).then(|| Self)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        IS_ASKING.set(false);
    }
}
