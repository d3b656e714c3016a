//! Components into slots. Bad input is judged here and nowhere else.

use bevy::{
    ecs::{
        change_detection::{DetectChanges, MaybeLocation},
        entity::{Entity, EntityHashMap, EntityHashSet},
        hierarchy::ChildOf,
        name::Name,
        prelude::{Has, Or, Query, Ref, ResMut, With},
        query::QueryData,
        system::Local,
    },
    math::Vec2,
    transform::components::{GlobalTransform, Transform},
};
use thiserror::Error;
use tracing::warn;

use crate::{
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, Mass, Sensor,
    },
    kernel::{InvalidShape, MAX_COORDINATE, Outline, Shape},
    placed::{Mover, Placed, Rank},
    state::{
        colliders::{Colliders, Traits, entity_key},
        pose::Poses,
    },
};

/// Everything that is asked of a collider.
#[derive(QueryData)]
pub(crate) struct ColliderQuery {
    entity: Entity,
    circle: Option<Ref<'static, CircleCollider>>,
    rectangle: Option<Ref<'static, BoxCollider>>,
    bounds: Option<Ref<'static, BoundsCollider>>,
    transform: Option<&'static Transform>,
    body: Option<&'static Body>,
    mass: Option<&'static Mass>,
    layers: Option<&'static CollisionLayers>,
    sensor: Has<Sensor>,
    is_child: Has<ChildOf>,
    name: Option<&'static Name>,
}

type AnyCollider = Or<(
    With<CircleCollider>,
    With<BoxCollider>,
    With<BoundsCollider>,
)>;

/// Why a collider takes no part.
#[derive(Error, Clone, Copy, Debug, PartialEq)]
enum Refusal {
    #[error(transparent)]
    Shape(#[from] InvalidShape),
    #[error("position and offset must be finite and at most 1e18, got {0}")]
    Position(Vec2),
    #[error("mass must be finite and > 0, got {0}")]
    Mass(f32),
    #[error("it has more than one collider component; give the others to children")]
    Several,
    #[error("it has no Transform")]
    NoTransform,
}

/// A collider that is fit to take part, and the body that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    traits: Traits,
    outline: Outline,
    /// Centre minus the position of the body.
    offset: Vec2,
    body: Entity,
    mover: Mover,
}

/// Reads all colliders anew, in the order of their entities.
pub(crate) fn gather_colliders(
    mut colliders: ResMut<Colliders>,
    query: Query<ColliderQuery, AnyCollider>,
    poses: Poses,
    mut gathered: Local<Vec<Gathered>>,
) {
    let mut refused = EntityHashSet::default();
    gathered.clear();
    for item in &query {
        match gather_collider(&item, &poses) {
            Ok(collider) => gathered.push(collider),
            Err(refusal) => {
                refused.insert(item.entity);
                if !colliders.refused.contains(&item.entity) {
                    warn_of(&item, refusal);
                }
            }
        }
    }
    gathered.sort_unstable_by_key(|collider| entity_key(collider.traits.entity));
    store(&gathered, &mut colliders);
    colliders.refused = refused;
}

fn gather_collider(item: &ColliderQueryItem, poses: &Poses) -> Result<Gathered, Refusal> {
    let transform = item.transform.ok_or(Refusal::NoTransform)?;
    let (shape, local_offset) = shape_of(item)?;

    // A root is where its Transform says; only children are looked up through their parents.
    let (global, body) = if item.is_child {
        let global = poses.global(item.entity).ok_or(Refusal::NoTransform)?;
        (global, poses.body_of(item.entity))
    } else {
        (GlobalTransform::from(*transform), item.entity)
    };
    let (kind, mass, position) = if body == item.entity {
        let kind = item.body.copied().unwrap_or_default();
        let mass = item.mass.copied().unwrap_or_default();
        (kind, mass, global.translation().truncate())
    } else {
        let (kind, mass) = poses.body(body);
        let global = poses.global(body).ok_or(Refusal::NoTransform)?;
        (kind, mass, global.translation().truncate())
    };
    if !(mass.0 > 0.0 && mass.0.is_finite()) {
        return Err(Refusal::Mass(mass.0));
    }

    let scaled = shape.scaled(scale_of(&global))?;
    let center = global.transform_point(local_offset.extend(0.0)).truncate();
    for place in [position, center] {
        if place.is_nan() || place.abs().max_element() > MAX_COORDINATE {
            return Err(Refusal::Position(place));
        }
    }
    Ok(Gathered {
        traits: Traits {
            entity: item.entity,
            layers: item.layers.copied().unwrap_or_default(),
            body: kind,
            sensor: item.sensor,
        },
        outline: match item.bounds {
            Some(_) => Outline::Bounds(scaled.half_extents()),
            None => Outline::Shape(scaled),
        },
        offset: center - position,
        body,
        mover: Mover {
            position,
            rank: match kind {
                Body::Dynamic => Rank::Dynamic,
                Body::Kinematic => Rank::Kinematic,
                Body::Static => Rank::Static,
            },
            inverse_mass: mass.0.recip(),
        },
    })
}

/// The unscaled shape of an entity's one collider, and its offset.
fn shape_of(item: &ColliderQueryItem) -> Result<(Shape, Vec2), Refusal> {
    Ok(match (&item.circle, &item.rectangle, &item.bounds) {
        (Some(circle), None, None) => (circle.shape()?, circle.offset),
        (None, Some(rectangle), None) => (rectangle.shape()?, rectangle.offset),
        (None, None, Some(bounds)) => (bounds.shape()?, bounds.offset),
        _ => return Err(Refusal::Several),
    })
}

/// Scale per local axis, without sign: the lengths of the columns. Rotation does not change them.
fn scale_of(global: &GlobalTransform) -> Vec2 {
    let matrix = global.affine().matrix3;
    Vec2::new(matrix.x_axis.length(), matrix.y_axis.length())
}

/// Slots for the colliders, and one mover for each body.
fn store(gathered: &[Gathered], colliders: &mut Colliders) {
    colliders.clear();
    // Colliders of one family share a mover.
    let mut shared = EntityHashMap::<u32>::default();
    for collider in gathered {
        let next = u32::try_from(colliders.movers.len()).expect("fewer than 2^32 bodies");
        let slot = *shared.entry(collider.body).or_insert(next);
        if slot == next {
            colliders.movers.push(collider.mover);
            colliders.bodies.push(collider.body);
        }
        colliders.traits.push(collider.traits);
        colliders.placed.push(Placed {
            outline: collider.outline,
            offset: collider.offset,
            body: slot,
        });
    }
}

fn warn_of(item: &ColliderQueryItem, refusal: Refusal) {
    let name = item
        .name
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    let writer = item
        .circle
        .as_ref()
        .map(Ref::changed_by)
        .or(item.rectangle.as_ref().map(Ref::changed_by))
        .or(item.bounds.as_ref().map(Ref::changed_by))
        .and_then(MaybeLocation::into_option)
        .map(|place| format!("; last written at {place}"))
        .unwrap_or_default();
    warn!(
        "The collider of {}{name} takes no part until this is mended: {refusal}{writer}",
        item.entity
    );
}
