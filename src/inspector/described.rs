//! Collects what is known of one entity, and finds entities by name or place.

use std::fmt::Write;

use bevy::{
    ecs::{
        entity::Entity,
        name::Name,
        prelude::{In, Or, Query, With, World},
    },
    math::Vec2,
};

use super::past::drawn;
use crate::{
    allow_disabled::AllowDisabled,
    components::{Body, IsCollider},
    debug::inactive::{place_of, would_be},
    kernel::{Outline, Shape},
    messages::Collision,
    query::{ColliderView, Collisions, SpatialQuery},
    state::pose::Poses,
    tick::gather::{ColliderData, gather_collider},
};

/// An entity as the newest tick left it, or as it was in the tick that is looked back at; and what its components would give now.
#[derive(Debug, Default)]
pub(super) struct Described {
    /// Its collider, if that takes part.
    pub(super) view: Option<ColliderView>,
    /// The body that it belongs to, or would belong to.
    pub(super) body: Option<Entity>,
    /// Its collisions, or those of all its colliders if it is a body; `b` is the partner.
    pub(super) partners: Vec<Collision>,
    /// What is wrong with its components now, whether a tick has seen them or not.
    pub(super) refusal: Option<String>,
}

/// Collects all that is known of an entity.
pub(super) fn describe(world: &mut World, entity: Entity) -> Described {
    let described = world.run_system_cached_with(look, entity);
    let mut described = described.unwrap_or_default();
    if let Some(past) = drawn(world) {
        described.view = past.collider(entity).copied();
        let contacts = past.contacts.iter();
        let own = contacts.filter_map(|contact| contact.seen_from(entity));
        described.partners = own.collect();
    }
    described
}

fn look(
    entity: In<Entity>,
    space: SpatialQuery,
    collisions: Collisions,
    colliders: Query<ColliderData, (IsCollider, AllowDisabled)>,
    poses: Poses,
) -> Described {
    let refusal = colliders.get(*entity).ok().and_then(|row| {
        let judged = gather_collider(&row.components(), &poses);
        judged.err().map(|refusal| refusal.to_string())
    });
    Described {
        view: space.get(*entity),
        body: colliders.contains(*entity).then(|| poses.body_of(*entity)),
        partners: collisions.of_body(*entity).collect(),
        refusal,
    }
}

/// Returns up to `most` colliders and bodies whose name or number contains this text, in upper or lower case.
pub(super) fn find(world: &mut World, text: &str, most: usize) -> Vec<Entity> {
    type IsKnown = (Or<(IsCollider, With<Body>)>, AllowDisabled);
    let mut all = world.query_filtered::<(Entity, Option<&Name>), IsKnown>();
    let text: String = text.chars().flat_map(char::to_lowercase).collect();
    // A number is written as 12v3.
    let may_be_number = text.chars().all(|one| one.is_ascii_digit() || one == 'v');
    let mut known = String::new();
    let matches = all.iter(world).filter(|(entity, name)| {
        known.clear();
        let letters = name.iter().flat_map(|name| name.chars());
        known.extend(letters.flat_map(char::to_lowercase));
        if may_be_number && !known.contains(&text) {
            known.clear();
            write!(known, "{entity}").expect("a string takes all");
        }
        known.contains(&text)
    });
    let mut found: Vec<Entity> = matches.map(|(entity, _)| entity).collect();
    found.sort_by_key(|entity| entity.index_u32());
    found.truncate(most);
    found
}

/// Returns the entities at a point, the smallest first. Their places are those of the newest tick; for colliders that take no part, those where they would be; for refused colliders, those of their entities. In a tick that is looked back at, only colliders that took part are known.
/// `reach` is how far from a small or thin one the point may be.
pub(super) fn who_is_at(world: &mut World, point: Vec2, reach: f32) -> Vec<Entity> {
    let mut found = match drawn(world) {
        Some(past) => {
            let views = past.colliders.iter();
            let views = views.filter(|view| is_at(view.outline, view.center, point, reach));
            views.map(found_as_seen).collect()
        }
        None => {
            let found = world.run_system_cached_with(look_at, (point, reach));
            found.unwrap_or_default()
        }
    };
    // The smallest on top, since a large one is easy to hit elsewhere.
    found.sort_by(|(one, a), (other, b)| {
        let order = one.total_cmp(other);
        order.then(a.index_u32().cmp(&b.index_u32()))
    });
    found.into_iter().map(|(_, entity)| entity).collect()
}

fn found_as_seen(view: &ColliderView) -> (f32, Entity) {
    (size(view.outline), view.entity)
}

fn look_at(
    In((point, reach)): In<(Vec2, f32)>,
    space: SpatialQuery,
    colliders: Query<ColliderData, (IsCollider, AllowDisabled)>,
    poses: Poses,
) -> Vec<(f32, Entity)> {
    let is_there = |outline, center| is_at(outline, center, point, reach);
    let active = space.iter();
    let active = active.filter(|view| is_there(view.outline, view.center));
    let mut found: Vec<(f32, Entity)> = active.map(|view| found_as_seen(&view)).collect();
    for row in &colliders {
        let entity = row.entity();
        if space.get(entity).is_some() {
            continue;
        }
        match would_be(&row, &poses) {
            Some((outline, center)) => {
                if is_there(outline, center) {
                    found.push((size(outline), entity));
                }
            }
            None => {
                let place = place_of(&poses, entity);
                if place.is_some_and(|place| place.distance(point) <= reach) {
                    found.push((0.0, entity));
                }
            }
        }
    }
    found
}

fn is_at(outline: Outline, center: Vec2, point: Vec2, reach: f32) -> bool {
    match outline {
        Outline::Shape(shape) => is_in(shape, point - center, reach),
        // Everything outside of a room is in its solid part, so only its walls can be hit.
        Outline::Bounds(half) => {
            let gap = half - (point - center).abs();
            gap.min_element().abs() <= reach
        }
    }
}

/// Whether a point is in a shape. A shape that is thinner than `reach` is hit beside it too.
fn is_in(shape: Shape, offset: Vec2, reach: f32) -> bool {
    let is_thin = shape.half_extents().min_element() < reach;
    let radius = if is_thin {
        shape.radius().max(reach)
    } else {
        shape.radius()
    };
    let outside = (offset.abs() - shape.half_size()).max(Vec2::ZERO);
    outside.length() <= radius
}

fn size(outline: Outline) -> f32 {
    match outline {
        Outline::Shape(shape) => shape.half_extents().element_product(),
        Outline::Bounds(_) => f32::INFINITY,
    }
}
