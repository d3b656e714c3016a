//! Why two entities do or don't collide, in a sentence.

use std::fmt;

use bevy::{
    ecs::{
        entity::Entity,
        entity_disabling::DefaultQueryFilters,
        hierarchy::Children,
        world::{EntityRef, World},
    },
    math::Vec2,
    reflect::Reflect,
};

use crate::{
    components::{
        ColliderDisabled, CollisionLayers, LayerNames, Response, Sensor, Swept, Velocity,
        count_colliders,
    },
    filters::Verdict,
    kernel::{Outline, room_for},
    messages::Collision,
    placed::{Rank, STANDING_DEPTH},
    settings::CollisionSettings,
    state::{
        colliders::Colliders,
        contacts::Contacts,
        rules::{Exclusion, exclusion, has_met_solid_side, is_held_by_wall},
        told::told,
        verdicts::Filters,
    },
};

/// Why two entities do or don't collide, as of the newest tick; returned by [`explain`]. [`Display`](fmt::Display) writes it as a sentence.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let [a, b] = [0.0, 9.0].map(|x| app.world_mut().spawn((CircleCollider::new(5.0), Transform::from_xyz(x, 0.0, 0.0))).id());
/// assert_eq!(explain(app.world(), a, b), Explanation::NotSeen(a)); // before the first tick
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let why = explain(app.world(), a, b);
/// assert!(why.collide());
/// assert!(matches!(why, Explanation::Collide(hit) if hit.depth == 1.0));
/// assert_eq!(why.to_string(), "They collide, 1 deep along [1, 0], and are pushed apart.");
/// ```
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Explanation {
    /// They collide, and are stopped and pushed apart.
    Collide(Collision),
    /// They collide, and that is reported, but in a tick neither stops or pushes the other. A [`Mover`](super::Mover) may be stopped all the same: see [`Contactless`].
    Report(Collision, Contactless),
    /// Both are one entity.
    Same,
    /// There is no such entity.
    NotSpawned(Entity),
    /// This entity has none of the three collider components.
    NoCollider(Entity),
    /// This entity has no collider of its own, but a descendant has one, as a part of a body or of a grid of tiles: ask about that.
    OnChild {
        /// The entity that was asked about.
        entity: Entity,
        /// The first of its descendants that has a collider.
        child: Entity,
    },
    /// This entity has a [`ColliderDisabled`].
    ColliderDisabled(Entity),
    /// This entity is [disabled](bevy::ecs::entity_disabling) as a whole, by Bevy's component or the game's own.
    EntityDisabled(Entity),
    /// The collider of this entity takes no part, because something about it is invalid: the sentence says what.
    Invalid(Entity, String),
    /// No tick has seen this entity yet, or no plugin runs ticks here.
    NotSeen(Entity),
    /// Both belong to this body.
    SameBody(Entity),
    /// Both are `Static`.
    BothStatic,
    /// Both are rooms.
    BothBounds,
    /// Their layers do not agree.
    Layers {
        /// The layers of the first.
        a: CollisionLayers,
        /// The layers of the second.
        b: CollisionLayers,
        /// The sentence, with the names of the layers.
        sentence: String,
    },
    /// One has the other in its [`IgnoreCollisions`](crate::components::IgnoreCollisions), or ignores its family and both have the same root.
    Ignored,
    /// A filter of the game returned [`Verdict::Ignore`]: the name of its function.
    Filtered(&'static str),
    /// They are apart.
    Apart {
        /// The gap between their surfaces, in world units.
        gap: f32,
        /// The gap between the boxes around them on each axis; negative where they overlap. For a room, the distance to its nearer walls.
        axes: Vec2,
    },
    /// They are apart, and one that is not `Static` does not move because its [`Velocity`] is not finite. A finite velocity that leads too far in a tick is only logged.
    InvalidVelocity {
        /// The body that does not move; the first one if neither does.
        body: Entity,
        /// Its velocity, in world units a second.
        velocity: Vec2,
        /// The gap between their surfaces, in world units.
        gap: f32,
    },
}

/// Why two colliders that collide do not stop each other in a tick.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::{prelude::*, query::Contactless};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let lift = app.world_mut().spawn((BoxCollider::square(10.0), Body::Kinematic)).id();
/// let wall = app.world_mut().spawn((BoxCollider::square(10.0), Body::Static)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let Explanation::Report(hit, why) = explain(app.world(), lift, wall) else {
///     panic!("they collide, and pass");
/// };
/// assert_eq!((hit.depth, why), (10.0, Contactless::NobodyGivesWay));
/// assert_eq!(why.to_string(), "neither is Dynamic");
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Contactless {
    /// This entity is a [`Sensor`](crate::components::Sensor).
    Sensor(Entity),
    /// The [`Response`] of this body is `Pass`.
    Passes(Entity),
    /// This entity is a [`OneWay`](crate::components::OneWay) that is not solid from this side.
    OneWay(Entity),
    /// This entity is a [`OneWay`](crate::components::OneWay), and the other one, on its solid side, is inside of it: it passes until it is out.
    InOneWay(Entity),
    /// This entity has a [`DropThrough`](crate::components::DropThrough), and the other one is `OneWay`.
    DropThrough(Entity),
    /// Neither is `Dynamic`, so neither gives way, and what moves by a [`Velocity`] or a [`Swept`] goes on. A [`Mover`](super::Mover) that moves one of them is stopped by the other all the same.
    NobodyGivesWay,
    /// Pushing is switched off by [`CollisionSettings::push_out_rounds`], and neither body moves by a `Velocity` or a `Swept`; those are stopped all the same, and so is what a [`Mover`](super::Mover) moves.
    PushingIsOff,
    /// A filter of the game returned [`Response::Pass`]: the name of its function. A [`Mover`](super::Mover) does not ask filters, and is stopped.
    Filtered(&'static str),
}

/// Explains why `a` and `b` do or don't collide, as of the newest tick. For development: checks everything, and calls the game's filters. For these, [`Collisions`](super::Collisions) and [`SpatialQuery`](super::SpatialQuery), which are empty while a tick asks, answer then: a filter that reads them may decide otherwise.
///
/// Both are colliders; for a body whose colliders are on children, ask about these.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let player = app.world_mut().spawn((CircleCollider::new(5.0), Name::new("player"))).id();
/// let door = app.world_mut().spawn((BoxCollider::new(10.0, 40.0), Transform::from_xyz(13.0, 0.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let why = explain(app.world(), player, door);
/// assert_eq!(why, Explanation::Apart { gap: 3.0, axes: Vec2::new(3.0, -25.0) });
/// assert_eq!(why.to_string(), "They are 3 apart: by 3 along x, not along y.");
/// ```
pub fn explain(world: &World, a: Entity, b: Entity) -> Explanation {
    if a == b {
        return Explanation::Same;
    }
    let slots = slot_of(world, a).and_then(|slot_a| Ok([slot_a, slot_of(world, b)?]));
    let [slot_a, slot_b] = match slots {
        Ok(slots) => slots,
        Err(absence) => return absence,
    };
    let (Some(colliders), Some(contacts)) = (
        world.get_resource::<Colliders>(),
        world.get_resource::<Contacts>(),
    ) else {
        return Explanation::NotSeen(a);
    };
    if let Some(exclusion) = exclusion(colliders, slot_a, slot_b) {
        let layers = |slot: usize| colliders.traits[slot].layers;
        return match exclusion {
            Exclusion::BothStatic => Explanation::BothStatic,
            Exclusion::SameBody => Explanation::SameBody(colliders.body_entities[slot_a]),
            Exclusion::Layers => foreign_layers(world, layers(slot_a), layers(slot_b)),
            Exclusion::Ignored => Explanation::Ignored,
        };
    }
    // A tick does not ask the filters about two rooms.
    let Some((gap, axes)) = apart(colliders, slot_a, slot_b) else {
        return Explanation::BothBounds;
    };
    let verdict = Filters::new(world).named_verdict(colliders, slot_a, slot_b);
    if let Some((Verdict::Ignore, filter)) = verdict {
        return Explanation::Filtered(filter);
    }
    let Some(meeting) = contacts.between(slot_a, slot_b) else {
        let mut slots = [slot_a, slot_b].into_iter();
        let invalid = slots.find_map(|slot| invalid_velocity(world, colliders, slot));
        return match invalid {
            Some((body, velocity)) => Explanation::InvalidVelocity {
                body,
                velocity,
                gap,
            },
            None => Explanation::Apart { gap, axes },
        };
    };
    let collision = told(meeting, colliders);
    let contactless = match verdict {
        Some((Verdict::Respond(Response::Pass), filter)) => Some(Contactless::Filtered(filter)),
        _ => contactless(world, colliders, &collision),
    };
    match contactless {
        Some(why) => Explanation::Report(collision, why),
        None => Explanation::Collide(collision),
    }
}

/// Returns why an entity takes no part at all; `None` if it does.
#[cfg(feature = "inspector")]
pub(crate) fn absence(world: &World, entity: Entity) -> Option<Explanation> {
    slot_of(world, entity).err()
}

/// Returns the slot of an entity, or why it takes no part at all.
fn slot_of(world: &World, entity: Entity) -> Result<usize, Explanation> {
    let Ok(found) = world.get_entity(entity) else {
        return Err(Explanation::NotSpawned(entity));
    };
    if count_colliders(found) == 0 {
        let child = child_with_collider(world, found);
        return Err(match child {
            Some(child) => Explanation::OnChild { entity, child },
            None => Explanation::NoCollider(entity),
        });
    }
    if found.contains::<ColliderDisabled>() {
        return Err(Explanation::ColliderDisabled(entity));
    }
    let disabling = world.get_resource::<DefaultQueryFilters>();
    let mut disabling = disabling.into_iter().flat_map(|all| all.disabling_ids());
    if disabling.any(|component| found.contains_id(component)) {
        return Err(Explanation::EntityDisabled(entity));
    }
    let colliders = world.get_resource::<Colliders>();
    if let Some(refusal) = colliders.and_then(|colliders| colliders.refused.get(&entity)) {
        return Err(Explanation::Invalid(entity, refusal.to_string()));
    }
    let slot = colliders.and_then(|colliders| colliders.slot(entity));
    slot.ok_or(Explanation::NotSeen(entity))
}

/// Returns the first descendant that has a collider.
fn child_with_collider(world: &World, entity: EntityRef) -> Option<Entity> {
    let children = entity.get::<Children>()?.into_iter();
    let mut children = children.filter_map(|&child| world.get_entity(child).ok());
    children.find_map(|child| {
        if count_colliders(child) > 0 {
            Some(child.id())
        } else {
            child_with_collider(world, child)
        }
    })
}

fn foreign_layers(world: &World, a: CollisionLayers, b: CollisionLayers) -> Explanation {
    let names = world.get_resource::<LayerNames>();
    let names = names.cloned().unwrap_or_default();
    let misses = |one: CollisionLayers, other: CollisionLayers| {
        let is_missed = one.filters & other.memberships == 0;
        is_missed.then(|| {
            let sees = names.describe(one.filters);
            let is_on = names.describe(other.memberships);
            (sees, is_on)
        })
    };
    let sentence = |who: &str, whom: &str, (sees, is_on): (String, String)| {
        format!("the {who} collides with {sees}, and the {whom} is on {is_on}")
    };
    let parts = [
        misses(a, b).map(|misses| sentence("first", "second", misses)),
        misses(b, a).map(|misses| sentence("second", "first", misses)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Explanation::Layers {
        a,
        b,
        sentence: parts.join("; "),
    }
}

/// Returns the gap between two slots, 0 where they meet, and how far they are apart along each axis; `None` for two rooms.
fn apart(colliders: &Colliders, a: usize, b: usize) -> Option<(f32, Vec2)> {
    let [(a, from), (b, to)] = [a, b].map(|slot| {
        let placed = &colliders.placed[slot];
        (placed.outline, placed.center(&colliders.body_states))
    });
    let (gap, away) = (a.distance(b, to - from)?, (to - from).abs());
    let axes = match (a, b) {
        (Outline::Bounds(room), Outline::Shape(shape))
        | (Outline::Shape(shape), Outline::Bounds(room)) => room_for(room, shape) - away,
        _ => away - (a.half_extents() + b.half_extents()),
    };
    Some((gap, axes))
}

/// Returns the body of a slot and its velocity, if that velocity is invalid and so keeps the body from moving.
fn invalid_velocity(world: &World, colliders: &Colliders, slot: usize) -> Option<(Entity, Vec2)> {
    let body = colliders.body_entities[slot];
    let velocity = world.get::<Velocity>(body)?.0;
    // A static body does not move by a valid velocity either.
    let is_to_blame = !colliders.flags[slot].is_static() && !velocity.is_finite();
    is_to_blame.then_some((body, velocity))
}

/// Returns why two colliders that collide do not stop each other.
fn contactless(world: &World, colliders: &Colliders, collision: &Collision) -> Option<Contactless> {
    let (slot_a, slot_b) = (colliders.slot(collision.a)?, colliders.slot(collision.b)?);
    let sides = [
        (slot_a, collision.a, collision.body_a),
        (slot_b, collision.b, collision.body_b),
    ];
    for (slot, entity, body) in sides {
        if colliders.traits[slot].sensor {
            // The tick treats `Pass` and `Sensor` alike.
            let passes = world.get::<Response>(body) == Some(&Response::Pass);
            let is_sensor = !passes || world.get::<Sensor>(entity).is_some();
            return Some(if is_sensor {
                Contactless::Sensor(entity)
            } else {
                Contactless::Passes(body)
            });
        }
    }
    let rank = |slot: usize| colliders.flags[slot].rank();
    if sides.iter().all(|side| rank(side.0) != Rank::Dynamic) {
        return Some(Contactless::NobodyGivesWay);
    }
    let [a, b] = sides;
    let normal = collision.normal;
    for ((wall, entity, _), (who, other, _), normal) in [(a, b, normal), (b, a, -normal)] {
        if colliders.traits[wall].one_way == Vec2::ZERO {
            continue;
        }
        if colliders.traits[who].drops_through {
            return Some(Contactless::DropThrough(other));
        }
        if is_held_by_wall(colliders, wall, who, normal) {
            continue;
        }
        if !has_met_solid_side(colliders, wall, who, normal) {
            return Some(Contactless::OneWay(entity));
        }
        // As in the push-out: a collider that stands on it may be in it by a rounding error.
        if collision.depth > STANDING_DEPTH {
            return Some(Contactless::InOneWay(entity));
        }
    }
    let settings = world.get_resource::<CollisionSettings>();
    let is_off = settings.is_some_and(|settings| settings.push_out_rounds == 0);
    let is_swept = |(slot, _, body): (usize, Entity, Entity)| {
        rank(slot) != Rank::Static
            && (world.get::<Velocity>(body).is_some() || world.get::<Swept>(body).is_some())
    };
    (is_off && !sides.into_iter().any(is_swept)).then_some(Contactless::PushingIsOff)
}

impl Explanation {
    /// Whether they collide at all, pushed apart or not.
    pub fn collide(&self) -> bool {
        matches!(self, Self::Collide(_) | Self::Report(..))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collide(hit) => write!(
                f,
                "They collide, {} deep along {}, and are pushed apart.",
                hit.depth, hit.normal
            ),
            Self::Report(hit, why) => write!(
                f,
                "They collide, {} deep along {}, and pass: {why}.",
                hit.depth, hit.normal
            ),
            Self::Same => write!(f, "Nothing collides with itself."),
            Self::NotSpawned(entity) => write!(f, "There is no entity {entity}."),
            Self::NoCollider(entity) => write!(f, "{entity} has no collider."),
            Self::OnChild { entity, child } => write!(
                f,
                "{entity} has no collider of its own. Its child {child} has one: ask about that."
            ),
            Self::ColliderDisabled(entity) => write!(f, "{entity} has a ColliderDisabled."),
            Self::EntityDisabled(entity) => write!(f, "{entity} is disabled as a whole."),
            Self::Invalid(entity, why) => write!(f, "{entity} takes no part: {why}."),
            Self::NotSeen(entity) => write!(f, "No tick has seen {entity} yet."),
            Self::SameBody(body) => write!(f, "Both belong to the body {body}."),
            Self::BothStatic => write!(f, "Both are Static."),
            Self::BothBounds => write!(f, "Both are rooms."),
            Self::Layers { sentence, .. } => write!(f, "Their layers do not agree: {sentence}."),
            Self::Ignored => write!(f, "One ignores the other, by IgnoreCollisions."),
            Self::Filtered(filter) => write!(f, "The filter {filter} says that they do not."),
            Self::Apart { gap, .. } if *gap <= 0.0 => write!(
                f,
                "They are not apart, but nor did they collide when the tick looked: edges that just meet do not count with Touching::Ignored, and what is pushed together in a tick is found in the next."
            ),
            Self::Apart { gap, axes } if axes.max_element() <= 0.0 => {
                write!(f, "They are {gap} apart, across their round corners.")
            }
            Self::Apart { gap, axes } => {
                let along = |gap: f32, axis: &str| {
                    if gap > 0.0 {
                        format!("by {gap} along {axis}")
                    } else {
                        format!("not along {axis}")
                    }
                };
                let (x, y) = (along(axes.x, "x"), along(axes.y, "y"));
                write!(f, "They are {gap} apart: {x}, {y}.")
            }
            Self::InvalidVelocity {
                body,
                velocity,
                gap,
            } => write!(
                f,
                "They are {gap} apart, and {body} does not move: its Velocity must be finite, got {velocity}."
            ),
        }
    }
}

impl fmt::Display for Contactless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sensor(entity) => write!(f, "{entity} is a Sensor"),
            Self::Passes(body) => write!(f, "the Response of {body} is Pass"),
            Self::OneWay(entity) => write!(f, "{entity} is OneWay, and open from this side"),
            Self::InOneWay(entity) => {
                write!(f, "{entity} is OneWay, and the other one is in it")
            }
            Self::DropThrough(entity) => write!(f, "{entity} has a DropThrough"),
            Self::NobodyGivesWay => write!(f, "neither is Dynamic"),
            Self::PushingIsOff => write!(f, "CollisionSettings::push_out_rounds is 0"),
            Self::Filtered(filter) => write!(f, "the filter {filter} says so"),
        }
    }
}
