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
    placed::{Meeting, SIDES},
    state::{
        colliders::{Colliders, entity_key},
        contacts::{Contacts, told},
        resting::FLUSH,
        rules::{are_solid, is_solid_wall},
    },
};

/// Up to this slope a surface is a floor: 45 degrees.
const MAX_SLOPE: f32 = 1.0;

/// What collided in the newest finished tick. Unlike the messages it is never late and never seen twice.
///
/// Systems after [`CollisionSystems::Report`](crate::plugin::CollisionSystems::Report) see the contacts of this tick, those before it the last one's.
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
    /// All of them, each pair once, sorted by the pair.
    pub fn iter(&self) -> impl Iterator<Item = Collision> {
        self.contacts.in_order(&self.colliders)
    }

    /// How many pairs collide.
    pub fn len(&self) -> usize {
        self.contacts.current.len()
    }

    /// Whether nothing collides.
    pub fn is_empty(&self) -> bool {
        self.contacts.current.is_empty()
    }

    /// How two colliders collide, as the first of them sees it: it is `a`, and the normal points from it to the other one. `None` if they don't.
    ///
    /// Costs a binary search.
    pub fn between(&self, a: Entity, b: Entity) -> Option<Collision> {
        let slots = (self.colliders.slot(a)?, self.colliders.slot(b)?);
        let meeting = self.contacts.between(slots.0, slots.1)?;
        told(meeting, &self.colliders).seen_from(a)
    }

    /// How fast two came together along the normal in the newest tick, in world units a second: the [`approach_speed`](crate::messages::CollisionStarted::approach_speed) of a pair, in whatever tick it is asked for. 0 if they don't collide, or did not meet on the way.
    ///
    /// What lies on a floor, and is pulled down, meets it anew in each tick, with what gravity has given it. So a ball that hops on the floor within a tick, which starts nothing, is heard by this.
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
        let slots = (self.colliders.slot(a)).zip(self.colliders.slot(b));
        slots.map_or(0.0, |(a, b)| {
            let meeting = self.contacts.between(a, b);
            meeting.map_or(0.0, |meeting| self.contacts.approach_speed(meeting.slots))
        })
    }

    /// Everything that collides with a collider, as it sees it: it is `a` of each, and the normal points from it to the other one. In no order that means anything.
    ///
    /// Of a body whose colliders are on children this is nothing: [`of_body`](Self::of_body) asks for those too.
    ///
    /// Costs two binary searches; whoever asks first in a tick, after three in which nobody did, pays for a sort of all contacts.
    pub fn of(&self, entity: Entity) -> impl Iterator<Item = Collision> {
        let meetings = self.meetings_of(entity);
        meetings.filter_map(move |meeting| self.seen_from(entity, meeting))
    }

    /// Everything that collides with any of a body's colliders, on children too; of a collider on a child, what that one collides with.
    ///
    /// It is `a` of each, or its collider is. Of what collides with several of them each pair is told, in no order that means anything. Costs a look at what hangs on the body, and for each of its colliders what [`of`](Self::of) does. [`CollidingWith`](crate::components::CollidingWith) keeps a list of the others.
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

    /// The bodies that a body collides with, by whichever of their colliders, each once, in the order of their entities: for what counts heads, such as a plate that opens a door, or a scale. Sensors count; [`of_body`](Self::of_body) tells the pairs.
    ///
    /// Costs what `of_body` does, and a list to sort.
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

    /// What collides with a collider, as [`of`](Self::of) tells it, without whatever is only reported: no sensors, nothing that passes, and no ledge that is [`OneWay`](crate::components::OneWay), unless it is stood upon. So a normal that points down leads to a floor.
    ///
    /// What a [filter](crate::filters) lets pass is left out as well. Costs what [`of`](Self::of) does, and a look at the contact itself where one of the two is `OneWay`.
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

    /// Whether a body stands on something solid, by [`CollisionSettings::up`](crate::settings::CollisionSettings::up) as it was in the newest tick. Of a collider on a child, whether that one does.
    ///
    /// A floor is whatever is level up to 45 degrees, such as a tile, a ledge that is stood upon, a crate, or another body. See [`surfaces_of`](Self::surfaces_of) for all that a body touches, and for an example. False for an entity that is neither a body nor a collider, or takes no part.
    pub fn is_on_floor(&self, body: Entity) -> bool {
        self.is_on(body, Surface::Floor)
    }

    /// Whether a body touches something solid beside it, whether or not it moves towards that. Where there is no up everything is a wall.
    pub fn is_on_wall(&self, body: Entity) -> bool {
        self.is_on(body, Surface::Wall)
    }

    /// Whether a body touches something solid above it.
    pub fn is_on_ceiling(&self, body: Entity) -> bool {
        self.is_on(body, Surface::Ceiling)
    }

    /// The solid surfaces that a body touches with any of its colliders, on children too; of a collider on a child, those that it touches. What is only reported is left out, as in [`solid_of`](Self::solid_of).
    ///
    /// In the corner of a room, a [`BoundsCollider`](crate::components::BoundsCollider), both of its walls are told, where a [`Collision`] has only one normal. They come in no order that means anything: of several walls, choose by the normal. Costs a look at what hangs on the body, and for each of its colliders what [`of`](Self::of) does.
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
    ///     // From where does it jump off?
    ///     let is_wall = |hit: &SurfaceHit| hit.surface == Surface::Wall;
    ///     let hit = collisions.surfaces_of(player).find(is_wall).unwrap();
    ///     assert_eq!((hit.own, hit.other, hit.normal), (torso, wall, Vec2::NEG_X));
    ///     assert_eq!(hit.other_body, wall);
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

    /// The bodies to which a body is the floor, with whichever of its colliders, each once, in the order of their entities: who stands on a stone that crumbles, a scale or a spring. Of a collider on a child, those that stand on that one.
    ///
    /// Who stands on a crate on it does not stand on it. Costs what [`bodies_colliding_with`](Self::bodies_colliding_with) does, and for each of those what [`surfaces_of`](Self::surfaces_of) does.
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

    /// A contact as a collider sees it, or a body.
    fn seen_from(&self, entity: Entity, meeting: &Meeting) -> Option<Collision> {
        told(meeting, &self.colliders).seen_from(entity)
    }

    fn is_on(&self, body: Entity, surface: Surface) -> bool {
        self.surfaces_of(body).any(|hit| hit.surface == surface)
    }

    /// What a collider touches of another one that it met: of a room all walls at which it is.
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
        // The pair has met at one wall of the room. Others count where it is flush with them.
        let walls = SIDES.into_iter().filter(move |&side| {
            side != normal && are_solid && is_solid_wall(colliders, slots, (side, FLUSH))
        });
        // In a corner it has met that, which is none of them.
        let is_corner = normal.x != 0.0 && normal.y != 0.0;
        let is_told = is_corner && walls.clone().next().is_some();
        let met = (has_met && !is_told).then_some(normal);
        let normals = met.into_iter().chain(walls);
        let other_body = colliders.body_entities[other as usize];
        let [own, other] = [own, other].map(|slot| colliders.entities[slot as usize]);
        let told = move |normal: Vec2| SurfaceHit {
            own,
            other,
            other_body,
            normal,
            surface: Surface::of(normal, self.contacts.up, MAX_SLOPE),
        };
        normals.map(told)
    }

    fn meetings_of(&self, entity: Entity) -> impl Iterator<Item = &Meeting> {
        let slot = self.colliders.slot(entity);
        slot.into_iter().flat_map(|slot| self.contacts.of(slot))
    }
}
