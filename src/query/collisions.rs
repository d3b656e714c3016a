//! The contacts of the newest tick.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::Children,
        prelude::{Query, Res},
        system::SystemParam,
    },
    math::Vec2,
};

use super::surface::{Surface, SurfaceHit};
use crate::{
    allow_disabled::AllowDisabled,
    messages::Collision,
    placed::{FLUSH, Meeting, SIDES, compare_places},
    state::{
        colliders::{Colliders, entity_key},
        contacts::Contacts,
        rules::{are_solid, has_met_solid_side, is_solid_wall},
        told::told,
    },
};

/// Up to this slope, as the tangent, a surface is a floor: 45 degrees.
const MAX_SLOPE: f32 = 1.0;

/// What collided in the newest finished tick. Unlike messages, this is never late and never seen twice.
///
/// Systems after [`CollisionSystems::Report`](crate::plugin::CollisionSystems::Report) see the contacts of this tick, those before it the last one's. Who was despawned since then, or has lost its collider, is still listed as it was; [`CollidingWith`](crate::components::CollidingWith) forgets it right then.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(0.0, 10.0, 0.0))).id();
/// let floor = app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static)).id();
/// let ghost = app.world_mut().spawn((CircleCollider::new(2.0), Transform::from_xyz(0.0, 80.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// app.world_mut().run_system_once(move |collisions: Collisions| {
///     // Does the player stand?
///     assert!(collisions.is_on_floor(player));
///     // What meets what?
///     assert!(!collisions.is_empty() && collisions.len() == 1);
///     assert!(collisions.iter().all(|hit| hit.involves(floor)));
///     assert!(collisions.between(floor, player).is_some() && collisions.between(player, ghost).is_none());
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(SystemParam)]
pub struct Collisions<'w, 's> {
    contacts: Res<'w, Contacts>,
    colliders: Res<'w, Colliders>,
    families: Query<'w, 's, &'static Children, AllowDisabled>,
}

impl Collisions<'_, '_> {
    /// Returns all collisions, each pair once, sorted by the pair.
    pub fn iter(&self) -> impl Iterator<Item = Collision> {
        self.contacts.in_order(&self.colliders)
    }

    /// Returns how many pairs collide.
    pub fn len(&self) -> usize {
        self.contacts.newest.len()
    }

    /// Whether nothing collides.
    pub fn is_empty(&self) -> bool {
        self.contacts.newest.is_empty()
    }

    /// Returns how `a` and `b` collide, given in either order, or `None` if they don't. Use [`Collision::normal_for`] for the normal as seen from one of them.
    ///
    /// Costs a binary search.
    pub fn between(&self, a: Entity, b: Entity) -> Option<Collision> {
        self.seen_from(a, self.meeting(a, b)?)
    }

    /// Returns how fast two colliders came together along the normal in the newest tick, in world units a second: the [`approach_speed`](crate::messages::CollisionStarted::approach_speed) of a pair, in whatever tick it is asked for. 0 if they don't collide, or did not meet on the way.
    ///
    /// A body that lies on a floor and is pulled down meets the floor anew in each tick, with the speed that gravity has given it. So this also tells of a ball that hops on the floor within a tick, which starts no collision.
    ///
    /// Costs two binary searches.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    /// # app.finish(); app.cleanup();
    /// # app.update(); // passes no time
    /// let floor = app.world_mut().spawn((BoxCollider::new(100.0, 10.0), Body::Static)).id();
    /// let ball = (CircleCollider::new(5.0), Response::bounce(1.0), Velocity(Vec2::new(0.0, -320.0)));
    /// let ball = app.world_mut().spawn((ball, Transform::from_xyz(0.0, 12.0, 0.0))).id();
    /// app.update();
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert_eq!(collisions.approach_speed(ball, floor), 320.0); // as loud as that
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn approach_speed(&self, a: Entity, b: Entity) -> f32 {
        let speed = |meeting: &Meeting| self.contacts.approach_speed(meeting.slots);
        self.meeting(a, b).map_or(0.0, speed)
    }

    /// Returns everything that collides with a collider, in no meaningful order, as it sees it: it is `a` of each, and the normal points from it to the other one.
    ///
    /// Colliders on children do not count: [`of_body`](Self::of_body) includes them.
    ///
    /// Costs two binary searches; the first call in a tick, after three ticks without a call, also pays for a sort of all contacts.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = Collision> {
        let meetings = self.meetings_of(entity);
        meetings.filter_map(move |meeting| self.seen_from(entity, meeting))
    }

    /// Returns everything that collides with any of a body's colliders, including those on children; for a collider on a child, what that collider collides with.
    ///
    /// Lists each pair of colliders, in no meaningful order. Costs a walk along the body's descendants, and for each of its colliders what [`of`](Self::of) costs. [`CollidingWith`](crate::components::CollidingWith) keeps a list of the entities that collide with it.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let ship = app.world_mut().spawn((CircleCollider::new(10.0), Transform::default())).id();
    /// let wing = app.world_mut().spawn((BoxCollider::new(30.0, 4.0), Transform::from_xyz(0.0, -6.0, 0.0), ChildOf(ship))).id();
    /// let coin = app.world_mut().spawn((CircleCollider::new(2.0), Sensor, Transform::from_xyz(14.0, -6.0, 0.0))).id();
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert_eq!(collisions.of(ship).count(), 0); // it is the wing that meets the coin
    ///     let hit = collisions.of_body(ship).next().unwrap();
    ///     assert_eq!((hit.a, hit.body_a, hit.b), (wing, ship, coin));
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn of_body(&self, body: Entity) -> impl Iterator<Item = Collision> {
        let own = (self.colliders).colliders_of(&self.families, body, Vec::new());
        let meetings = own.flat_map(|own| self.contacts.of(own));
        meetings.filter_map(move |meeting| self.seen_from(body, meeting))
    }

    /// Returns the bodies that a body collides with, by any of their colliders, each once, in the order of their entities: for what counts bodies, such as a plate that opens a door, or a scale. Sensors count; [`of_body`](Self::of_body) returns the pairs.
    ///
    /// Costs what `of_body` costs, and sorting a list.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let plate = app.world_mut().spawn((BoxCollider::new(60.0, 4.0), Sensor, Body::Static)).id();
    /// let robot = app.world_mut().spawn((Body::Dynamic, Transform::from_xyz(0.0, 6.0, 0.0), children![
    ///     (BoxCollider::square(8.0), Transform::from_xyz(-6.0, 0.0, 0.0)),
    ///     (BoxCollider::square(8.0), Transform::from_xyz(6.0, 0.0, 0.0)), // two feet
    /// ])).id();
    /// let stone = app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(24.0, 7.0, 0.0))).id();
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert_eq!(collisions.of(plate).count(), 3);
    ///     assert_eq!(collisions.bodies_colliding_with(plate).collect::<Vec<_>>(), [robot, stone]);
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn bodies_colliding_with(&self, body: Entity) -> impl Iterator<Item = Entity> {
        let mut others: Vec<Entity> = self.of_body(body).map(|hit| hit.body_b).collect();
        others.sort_unstable_by_key(|other| entity_key(*other));
        others.dedup();
        others.into_iter()
    }

    /// Returns what collides with a collider, like [`of`](Self::of), but only solid contacts: no sensors, nothing that passes, and no [`OneWay`](crate::components::OneWay) ledge that the collider does not stand on. So a normal that points down is a floor.
    ///
    /// What a [filter](crate::filters) lets pass is left out as well. [`is_solid`](Self::is_solid) asks about one pair. Costs what [`of`](Self::of) costs, and computes the contact again where one of the two is `OneWay`.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let player = app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(0.0, 10.0, 0.0))).id();
    /// app.world_mut().spawn((CircleCollider::new(2.0), Sensor, Transform::from_xyz(0.0, 4.0, 0.0))); // a coin below
    /// app.world_mut().spawn((BoxCollider::new(100.0, 4.0), Body::Static, OneWay::default(), Transform::from_xyz(0.0, 12.0, 0.0))); // is being jumped up through
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert_eq!(collisions.of(player).count(), 2);
    ///     assert_eq!(collisions.solid_of(player).count(), 0); // it is in the air
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn solid_of(&self, entity: Entity) -> impl Iterator<Item = Collision> {
        let meetings = self.meetings_of(entity);
        meetings
            .filter(|meeting| self.contacts.met_as_solids(&self.colliders, meeting))
            .filter_map(move |meeting| self.seen_from(entity, meeting))
    }

    /// Whether two colliders, given in either order, collide as solids in the newest tick, by the same rules as [`solid_of`](Self::solid_of). False if they don't collide.
    ///
    /// Also something that is passed on the way, such as a ledge that is jumped up through, starts a collision, with the speed at which it was met: ask this before a fall hurts, or a bullet ends. Ask in the plugin's schedule, after [`CollisionSystems::Report`](crate::plugin::CollisionSystems::Report): in `Update` a start may be of an earlier tick, and over by now. Two of which neither is `Dynamic` are solid only to a [`Mover`](crate::query::Mover): by a [`Velocity`](crate::components::Velocity) they go through each other, and are told as solid all the same. Costs what [`between`](Self::between) costs, and computes the contact again where one of the two is `OneWay`.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Hero; #[derive(Component)] struct Health(f32);
    /// /// A fall hurts whoever is faster than 300 units a second.
    /// fn hurt(mut hits: CollisionReader<With<Hero>, Without<Sensor>>, collisions: Collisions, mut healths: Query<&mut Health>) {
    ///     for hit in hits.started().filter(|hit| collisions.is_solid(hit.a, hit.b)) {
    ///         if let Ok(mut health) = healths.get_mut(hit.body_a) {
    ///             health.0 -= (hit.approach_speed - 300.0).max(0.0);
    ///         }
    ///     }
    /// }
    /// # let mut app = App::new();
    /// app.add_systems(FixedPostUpdate, hurt.after(CollisionSystems::Report));
    /// ```
    pub fn is_solid(&self, a: Entity, b: Entity) -> bool {
        let meeting = self.meeting(a, b);
        meeting.is_some_and(|meeting| self.contacts.met_as_solids(&self.colliders, meeting))
    }

    /// Whether a body stands on something solid, by [`CollisionSettings::up`](crate::settings::CollisionSettings::up) as it was in the newest tick. For a collider on a child, whether that collider does.
    ///
    /// A floor is any surface with a slope of up to 45 degrees, such as a tile, a ledge that the body stands on, a crate, or another body. See [`surfaces_of`](Self::surfaces_of) for all that a body touches, and for an example. False for an entity that is neither a body nor a collider, or takes no part.
    pub fn is_on_floor(&self, body: Entity) -> bool {
        self.is_on(body, Surface::Floor)
    }

    /// Whether a body touches something solid beside it, whether or not the body moves towards that. Without an up direction, all surfaces are walls.
    pub fn is_on_wall(&self, body: Entity) -> bool {
        self.is_on(body, Surface::Wall)
    }

    /// Whether a body touches something solid above it.
    pub fn is_on_ceiling(&self, body: Entity) -> bool {
        self.is_on(body, Surface::Ceiling)
    }

    /// Returns the solid surfaces that a body touches with any of its colliders, including those on children; for a collider on a child, those that this collider touches. Contacts that are only reported are left out, as in [`solid_of`](Self::solid_of).
    ///
    /// In the corner of a room, a [`BoundsCollider`](crate::components::BoundsCollider), this returns both walls, where a [`Collision`] has only one normal. The order means nothing: [`hit_on`](Self::hit_on) chooses one. Costs a walk along the body's descendants, and for each of its colliders what [`of`](Self::of) costs.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let wall = app.world_mut().spawn((BoxCollider::from_corners(Vec2::new(5.0, 0.0), Vec2::new(20.0, 90.0)), Body::Static)).id();
    /// let floor = app.world_mut().spawn((BoxCollider::from_corners(Vec2::new(-90.0, -10.0), Vec2::new(90.0, 0.0)), Body::Static)).id();
    /// // Its collider is on a child.
    /// let player = app.world_mut().spawn((Body::Dynamic, Transform::from_xyz(0.0, 8.0, 0.0))).id();
    /// let torso = app.world_mut().spawn((BoxCollider::new(10.0, 16.0), ChildOf(player))).id();
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert!(collisions.is_on_floor(player) && collisions.is_on_wall(player) && !collisions.is_on_ceiling(player));
    ///     // What does it touch, and where?
    ///     let all: Vec<_> = collisions.surfaces_of(player).map(|hit| (hit.own, hit.other, hit.normal, hit.point)).collect();
    ///     let below = (torso, floor, Vec2::Y, Vec2::new(0.0, 0.0));
    ///     let beside = (torso, wall, Vec2::NEG_X, Vec2::new(5.0, 8.0));
    ///     assert!(all.len() == 2 && all.contains(&below) && all.contains(&beside));
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn surfaces_of(&self, body: Entity) -> impl Iterator<Item = SurfaceHit> {
        let own = (self.colliders).colliders_of(&self.families, body, Vec::new());
        own.flat_map(move |own| {
            let meetings = self.contacts.of(own);
            meetings.flat_map(move |meeting| self.surfaces(own as u32, meeting))
        })
    }

    /// Returns the surface of a kind that a body touches: the floor whose steps are heard, or the wall to jump off. Of several the one that is nearest to the middle of its collider, which of two flush tiles is the one below more of it; if that decides nothing, the one that lies farther left, then lower.
    ///
    /// Costs what [`surfaces_of`](Self::surfaces_of) costs.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # #[derive(Component)] struct Ice;
    /// # #[derive(Component)] struct Player;
    /// fn walk(collisions: Collisions, ice: Query<(), With<Ice>>, player: Single<(Entity, &mut Velocity), With<Player>>) {
    ///     let (entity, mut velocity) = player.into_inner();
    ///     let floor = collisions.hit_on(entity, Surface::Floor);
    ///     let is_on_ice = floor.is_some_and(|floor| ice.contains(floor.other_body));
    ///     velocity.0.x *= if is_on_ice { 0.99 } else { 0.8 };
    /// }
    /// # bevy::ecs::system::assert_is_system(walk);
    /// ```
    pub fn hit_on(&self, body: Entity, surface: Surface) -> Option<SurfaceHit> {
        let distance = |hit: &SurfaceHit| self.distance_from_middle(hit);
        let all = self.surfaces_of(body);
        all.filter(|hit| hit.surface == surface).min_by(|a, b| {
            let nearer = distance(a).total_cmp(&distance(b));
            let place = compare_places(a.point, b.point);
            nearer.then(place).then_with(|| {
                let key = |hit: &SurfaceHit| (entity_key(hit.own), entity_key(hit.other));
                key(a).cmp(&key(b))
            })
        })
    }

    /// Returns the bodies to which a body is the floor, with any of its colliders, each once, in the order of their entities: for a stone that crumbles, a scale or a spring. For a collider on a child, the bodies that stand on that collider.
    ///
    /// A body on a crate that stands on the body is not included. Costs what [`bodies_colliding_with`](Self::bodies_colliding_with) costs, and for each of those bodies what [`surfaces_of`](Self::surfaces_of) costs.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let stone = app.world_mut().spawn((BoxCollider::square(20.0), Body::Static)).id();
    /// let player = app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(0.0, 15.0, 0.0))).id();
    /// app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(15.0, 0.0, 0.0))); // beside it
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// app.world_mut().run_system_once(move |collisions: Collisions| {
    ///     assert_eq!(collisions.bodies_colliding_with(stone).count(), 2);
    ///     assert_eq!(collisions.standing_on(stone).collect::<Vec<_>>(), [player]);
    /// })?;
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn standing_on(&self, body: Entity) -> impl Iterator<Item = Entity> {
        let met = self.bodies_colliding_with(body);
        met.filter(move |&other| {
            self.surfaces_of(other).any(|hit| {
                hit.surface == Surface::Floor && (hit.other_body == body || hit.other == body)
            })
        })
    }

    fn meeting(&self, a: Entity, b: Entity) -> Option<&Meeting> {
        let slots = (self.colliders.slot(a)?, self.colliders.slot(b)?);
        self.contacts.between(slots.0, slots.1)
    }

    /// A contact as a collider sees it, or a body.
    fn seen_from(&self, entity: Entity, meeting: &Meeting) -> Option<Collision> {
        told(meeting, &self.colliders).seen_from(entity)
    }

    fn is_on(&self, body: Entity, surface: Surface) -> bool {
        self.surfaces_of(body).any(|hit| hit.surface == surface)
    }

    /// Returns the surfaces of another collider that a collider touches: of a room, all walls that it is at.
    fn surfaces(&self, own: u32, meeting: &Meeting) -> impl Iterator<Item = SurfaceHit> {
        let colliders = &*self.colliders;
        let (other, normal) = if meeting.slots.0 == own {
            // Adding 0 turns -0.0 into 0.0.
            (meeting.slots.1, -meeting.normal + Vec2::ZERO)
        } else {
            (meeting.slots.0, meeting.normal)
        };
        let has_met = self.contacts.met_as_solids(colliders, meeting);
        let slots = (other as usize, own as usize);
        let may_be_solid = || !self.contacts.is_let_pass(meeting.slots);
        let are_solid = has_met || may_be_solid() && are_solid(colliders, slots.0, slots.1);
        // The pair has met at one wall of the room. Other walls count where the collider is flush with them.
        let walls = SIDES.into_iter().filter(move |&side| {
            side != normal && are_solid && is_solid_wall(colliders, slots, (side, FLUSH))
        });
        let walls = walls.map(move |side| (side, point_on_wall(colliders, slots, side)));
        // In a corner, the pair has met the corner, whose normal is none of the walls'.
        let is_corner = normal.x != 0.0 && normal.y != 0.0;
        let is_told = is_corner && walls.clone().next().is_some();
        // It may stand on the floor of a room, and have the normal of an open wall.
        let is_solid = has_met && has_met_solid_side(colliders, slots.0, slots.1, normal);
        let met = (is_solid && !is_told).then_some((normal, meeting.point));
        let touched = met.into_iter().chain(walls);
        let other_body = colliders.body_entities[other as usize];
        let [own, other] = [own, other].map(|slot| colliders.entities[slot as usize]);
        let told = move |(normal, point): (Vec2, Vec2)| SurfaceHit {
            own,
            other,
            other_body,
            normal,
            point,
            surface: Surface::of(normal, self.contacts.up, MAX_SLOPE),
        };
        touched.map(told)
    }

    /// How far along a surface it is touched from the middle of the collider.
    fn distance_from_middle(&self, hit: &SurfaceHit) -> f32 {
        let middle = self.colliders.slot(hit.own).map(|own| {
            let placed = &self.colliders.placed[own];
            placed.center(&self.colliders.body_states)
        });
        middle.map_or(f32::INFINITY, |middle| {
            (hit.point - middle).perp_dot(hit.normal).abs()
        })
    }

    fn meetings_of(&self, entity: Entity) -> impl Iterator<Item = &Meeting> {
        let slot = self.colliders.slot(entity);
        slot.into_iter().flat_map(|slot| self.contacts.of(slot))
    }
}

/// Returns the point of a room's wall, given by the direction from it to the inside, that is beside the middle of a collider.
fn point_on_wall(colliders: &Colliders, (room, who): (usize, usize), side: Vec2) -> Vec2 {
    let center = |slot: usize| colliders.placed[slot].center(&colliders.body_states);
    let (middle, own) = (center(room), center(who));
    let half_size = colliders.placed[room].outline.half_extents();
    own + side * ((middle - own).dot(side) - half_size.dot(side.abs()))
}
