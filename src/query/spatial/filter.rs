//! Which colliders a query finds.

use bevy::ecs::entity::Entity;

use crate::{components::CollisionLayers, kernel::Touching, placed::Rank, state::traits::Traits};

/// Which colliders a [`SpatialQuery`](super::SpatialQuery) finds. By default all: moving and static ones, solid ones, sensors, and rooms.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// const ENEMIES: u32 = 1 << 2;
/// let player = app.world_mut().spawn(CircleCollider::new(5.0)).id();
/// let wall = app.world_mut().spawn((BoxCollider::square(5.0), Body::Static)).id();
/// let enemy = app.world_mut().spawn((CircleCollider::new(5.0), CollisionLayers::on(ENEMIES).with(ENEMIES))).id();
/// let coin = app.world_mut().spawn((CircleCollider::new(5.0), Sensor)).id();
///
/// app.world_mut().run_system_once(move |space: SpatialQuery| {
///     let found = |filter: &QueryFilter| {
///         let hits = space.overlap_point(Vec2::ZERO, filter).all();
///         let mut found: Vec<Entity> = hits.iter().map(|hit| hit.entity).collect();
///         found.sort_by_key(|entity| entity.index_u32());
///         found
///     };
///     assert_eq!(found(&QueryFilter::ALL), [player, wall, enemy, coin]);
///     assert_eq!(found(&QueryFilter::excluding(&[player])), [wall, enemy, coin]);
///     assert_eq!(found(&QueryFilter::SOLID), [player, wall, enemy]);
///     assert_eq!(found(&QueryFilter::SOLID.without_body(player)), [wall, enemy]); // what is in the way of the player
///     assert_eq!(found(&QueryFilter::on_layers(ENEMIES)), [enemy]);
///     // What would collide with something on these layers? Both sides have to agree.
///     assert_eq!(found(&QueryFilter::as_layers(CollisionLayers::on(ENEMIES))), [player, wall, enemy, coin]);
///     assert_eq!(found(&QueryFilter::as_layers(CollisionLayers::DEFAULT)), [player, wall, coin]);
///     // What is asked for more rarely is set by its field.
///     let walls = QueryFilter { dynamics: false, kinematics: false, ..default() };
///     assert_eq!(found(&walls), [wall]);
///     let solid = QueryFilter::on_layers(1).without_sensors();
///     assert_eq!(found(&solid), [player, wall]);
///     assert_eq!(found(&solid.without_statics()), [player]);
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    /// Which layers count. Default [`QueryLayers::Any`].
    pub layers: QueryLayers,
    /// These entities do not count, and neither does any other collider of the same bodies, including those on children. An entity without a collider that takes part is taken for a body: so a gun on a ship, if it has no collider, excludes nothing; name the ship itself. Default none.
    pub excluded: &'a [Entity],
    /// One more entity that does not count, like those: mostly the one that asks. Default none.
    pub excluded_body: Option<Entity>,
    /// Whether solid colliders count: all that are no sensors.
    pub solids: bool,
    /// Whether a [`Sensor`](crate::components::Sensor) counts, or a collider that passes through everything by its [`Response`](crate::components::Response).
    #[doc(alias = "triggers")]
    pub sensors: bool,
    /// Whether colliders of dynamic bodies count.
    pub dynamics: bool,
    /// Whether colliders of kinematic bodies count.
    pub kinematics: bool,
    /// Whether colliders of static bodies count.
    #[doc(alias = "fixed")]
    pub statics: bool,
    /// A check of the game's own: returns false for entities with colliders that do not count. It is called last, for colliders that are hit. Default none: all count.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// fn weak(space: SpatialQuery, health: Query<&Health>) -> Option<Entity> {
    ///     let is_weak = |entity| health.get(entity).is_ok_and(|health| health.0 < 10);
    ///     let filter = QueryFilter::ALL.with_predicate(&is_weak);
    ///     space.nearest(Vec2::ZERO, 500.0, &filter).map(|near| near.entity)
    /// }
    ///
    /// app.world_mut().spawn((CircleCollider::new(5.0), Health(100)));
    /// let second = app.world_mut().spawn((CircleCollider::new(5.0), Health(3), Transform::from_xyz(20.0, 0.0, 0.0))).id();
    /// assert_eq!(app.world_mut().run_system_once(weak)?, Some(second));
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub predicate: Option<&'a (dyn Fn(Entity) -> bool + Sync)>,
    /// Whether a collider that only touches an area is in it. Default `None`: as [`CollisionSettings`](crate::settings::CollisionSettings) say. Here the comparison is exact: colliders that lie flush by rounding, which a tick takes for touching, may be apart by a bit; to find them, enlarge the area by a thousandth.
    pub touching: Option<Touching>,
    /// Whether a cast hits what it starts inside of, at once, with fraction 0 and [`started_inside`](super::CastHit::started_inside), or passes it by. For a room, a start outside of its walls counts: a cast that starts there and comes in passes by the wall that it starts in, and hits the one by which it would leave the room again; a start that is outside by no more than rounding is in the room then. Default true. Where a cast ends it touches what it hit, and by rounding may be inside of it: what continues from there, such as the next leg of a beam or of an aim line, needs false, or it hits the same wall again.
    pub hit_from_inside: bool,
}

/// Which layers count in a query.
///
/// ```
/// # use bevy_nudge::prelude::*;
/// const GHOSTS: u32 = 1 << 2;
/// assert_eq!(QueryFilter::default().layers, QueryLayers::Any);
/// assert_eq!(QueryFilter::on_layers(GHOSTS).layers, QueryLayers::On(GHOSTS));
/// let ghost = CollisionLayers::on(GHOSTS).with(GHOSTS);
/// assert_eq!(QueryFilter::as_layers(ghost).layers, QueryLayers::Of(ghost));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryLayers {
    /// All of them.
    #[default]
    Any,
    /// Colliders that are on at least one of these layers, whatever they collide with.
    #[doc(alias = "mask")]
    On(u32),
    /// Colliders that would collide with one that has these layers: both sides have to agree.
    Of(CollisionLayers),
}

impl QueryFilter<'_> {
    /// Everything. The default.
    pub const ALL: Self = Self {
        layers: QueryLayers::Any,
        excluded: &[],
        excluded_body: None,
        solids: true,
        sensors: true,
        dynamics: true,
        kinematics: true,
        statics: true,
        predicate: None,
        touching: None,
        hit_from_inside: true,
    };

    /// Everything but sensors, and what passes through everything: all that would stop a body, or hide it. Rooms and [`OneWay`](crate::components::OneWay) ledges count.
    pub const SOLID: Self = Self {
        sensors: false,
        ..Self::ALL
    };

    /// Colliders that are on at least one of these layers.
    pub const fn on_layers(layers: u32) -> Self {
        Self {
            layers: QueryLayers::On(layers),
            ..Self::ALL
        }
    }

    /// Colliders that would collide with one that has these layers.
    pub const fn as_layers(layers: CollisionLayers) -> Self {
        Self {
            layers: QueryLayers::Of(layers),
            ..Self::ALL
        }
    }
}

impl<'a> QueryFilter<'a> {
    /// Everything but these entities, and all other colliders of the same bodies.
    pub const fn excluding(entities: &'a [Entity]) -> Self {
        Self {
            excluded: entities,
            ..QueryFilter::ALL
        }
    }

    /// The same without the body of an entity, which is mostly the one that asks; replaces the [one](Self::excluded_body) before.
    #[must_use]
    pub const fn without_body(mut self, entity: Entity) -> Self {
        self.excluded_body = Some(entity);
        self
    }

    /// The same without these entities, and all other colliders of the same bodies; replaces the entities that were [`excluded`](Self::excluded) before.
    #[must_use]
    pub const fn without(mut self, entities: &'a [Entity]) -> Self {
        self.excluded = entities;
        self
    }

    /// The same without [sensors](Self::sensors), and what passes through everything.
    #[must_use]
    pub const fn without_sensors(mut self) -> Self {
        self.sensors = false;
        self
    }

    /// The same without [`Static`](crate::components::Body::Static) bodies: only what may move.
    #[must_use]
    pub const fn without_statics(mut self) -> Self {
        self.statics = false;
        self
    }

    /// The same without entities for which `predicate` returns false; replaces the [`predicate`](Self::predicate) before, which has an example.
    #[must_use]
    pub const fn with_predicate(mut self, predicate: &'a (dyn Fn(Entity) -> bool + Sync)) -> Self {
        self.predicate = Some(predicate);
        self
    }

    /// Whether all colliders that the tick knows count.
    #[inline]
    pub(super) fn is_all(&self) -> bool {
        let excludes_some = !self.excluded.is_empty() || self.excluded_body.is_some();
        self.any_kind() && self.any_traits() && !excludes_some && self.predicate.is_none()
    }

    #[inline]
    fn any_kind(&self) -> bool {
        self.dynamics && self.kinematics && self.statics
    }

    #[inline]
    fn any_traits(&self) -> bool {
        self.solids && self.sensors && self.layers == QueryLayers::Any
    }

    /// Whether a collider counts by what the tick knows of it. What only the game knows is checked later.
    ///
    /// Looks up only what matters: mostly nothing.
    #[inline]
    pub(super) fn admits<'t>(
        &self,
        traits: impl FnOnce() -> &'t Traits,
        rank: impl FnOnce() -> Rank,
    ) -> bool {
        (self.any_kind() || self.admits_rank(rank()))
            && (self.any_traits() || self.admits_traits(traits()))
    }

    fn admits_rank(&self, rank: Rank) -> bool {
        match rank {
            Rank::Dynamic => self.dynamics,
            Rank::Kinematic => self.kinematics,
            Rank::Static => self.statics,
        }
    }

    fn admits_traits(&self, traits: &Traits) -> bool {
        let has_nature = if traits.sensor {
            self.sensors
        } else {
            self.solids
        };
        let has_layer = match self.layers {
            QueryLayers::Any => true,
            QueryLayers::On(layers) => traits.layers.memberships & layers != 0,
            QueryLayers::Of(layers) => layers.interacts_with(traits.layers),
        };
        has_nature && has_layer
    }
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        Self::ALL
    }
}
