//! What a collider's components amount to, or why they are refused. Invalid input is judged here and nowhere else.

use bevy::{
    ecs::entity::Entity,
    math::Vec2,
    transform::components::{GlobalTransform, Transform},
};

use crate::{
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, IgnoreCollisions, Mass,
        OneWay, Response, SurfaceVelocity,
    },
    kernel::{Outline, Shape, is_in_world},
    placed::{BodyState, Rank},
    state::{
        colliders::Gathered,
        pose::Poses,
        refusal::Refusal,
        traits::{Posture, Traits},
    },
};

/// Masses beyond these limits count as the limits, so that sums and shares of two masses stay finite.
const LEAST_MASS: f32 = 1.0e-18;
const GREATEST_MASS: f32 = 1.0e18;

/// A collider's components.
#[derive(Clone, Copy)]
pub(crate) struct ColliderComponents<'a> {
    pub(super) entity: Entity,
    pub(super) transform: Option<&'a Transform>,
    pub(super) circle: Option<&'a CircleCollider>,
    pub(super) rectangle: Option<&'a BoxCollider>,
    pub(super) bounds: Option<&'a BoundsCollider>,
    pub(super) body: Option<&'a Body>,
    pub(super) mass: Option<&'a Mass>,
    pub(super) layers: Option<&'a CollisionLayers>,
    pub(super) is_sensor: bool,
    pub(super) response: Option<&'a Response>,
    pub(super) one_way: Option<&'a OneWay>,
    pub(super) drops_through: bool,
    pub(super) surface_velocity: Option<&'a SurfaceVelocity>,
    pub(super) ignores: Option<&'a IgnoreCollisions>,
    pub(super) is_child: bool,
}

/// Judges and computes everything anew.
pub(crate) fn gather_collider<'a>(
    components: &ColliderComponents<'a>,
    poses: &Poses,
) -> Result<Gathered<'a>, Refusal> {
    let transform = components.transform.ok_or(Refusal::NoTransform)?;
    let posture = Posture::of(transform);
    let (shape, local_offset) = shape_of(components)?;

    // The position of a root is its `Transform`; only children are looked up through their parents.
    let (global, body) = if components.is_child {
        let global = poses
            .global(components.entity)
            .ok_or(Refusal::NoTransform)?;
        (global, poses.body_of(components.entity))
    } else {
        (GlobalTransform::from(*transform), components.entity)
    };
    let (kind, mass, response, body_pose) = body_of(components, poses, (body, global))?;
    let position = body_pose.translation().truncate();
    // False for NaN.
    let is_mass = mass.0 > 0.0;
    if !is_mass {
        return Err(Refusal::Mass(mass.0));
    }

    let one_way = match components.one_way {
        None => Vec2::ZERO,
        Some(one_way) => (one_way.0.try_normalize()).ok_or(Refusal::OneWay(one_way.0))?,
    };

    let surface_velocity = components.surface_velocity.copied().unwrap_or_default().0;
    if !is_in_world(surface_velocity) {
        return Err(Refusal::SurfaceVelocity(surface_velocity));
    }

    // A root's scale is at hand, and stays exact even if a game keeps rotating it without ever normalizing the rotation.
    let scale = if components.is_child {
        scale_of(&global)
    } else {
        transform.scale.truncate().abs()
    };
    let scaled = if components.rectangle.is_some() {
        shape.scaled_as_box(scale)?
    } else {
        shape.scaled(scale)?
    };
    let center = global.transform_point(local_offset.extend(0.0)).truncate();
    for place in [position, center] {
        if !is_in_world(place) {
            return Err(Refusal::Position(place));
        }
    }
    Ok(Gathered {
        entity: components.entity,
        traits: Traits {
            layers: components.layers.copied().unwrap_or_default(),
            sensor: components.is_sensor || response == Response::Pass,
            one_way,
            drops_through: components.drops_through,
            ignores: components.ignores.is_some(),
            throws: match response {
                Response::Bounce { restitution } if kind != Body::Dynamic => restitution.max(0.0),
                _ => 0.0,
            },
        },
        outline: match components.bounds {
            Some(_) => Outline::Bounds(scaled.half_extents()),
            None => Outline::Shape(scaled),
        },
        offset: offset_of(components.entity, local_offset, poses, (body, body_pose)),
        body,
        body_state: BodyState {
            position,
            rank: match kind {
                Body::Dynamic => Rank::Dynamic,
                Body::Kinematic => Rank::Kinematic,
                Body::Static => Rank::Static,
            },
            inverse_mass: mass.0.clamp(LEAST_MASS, GREATEST_MASS).recip(),
        },
        root: if components.is_child {
            poses.root_of(components.entity)
        } else {
            components.entity
        },
        ignores: components.ignores,
        surface_velocity,
        posture,
    })
}

/// Returns the kind, mass, response and pose of a collider's body. `global` is the pose of the collider's entity, which may be the body itself.
fn body_of(
    components: &ColliderComponents,
    poses: &Poses,
    (body, global): (Entity, GlobalTransform),
) -> Result<(Body, Mass, Response, GlobalTransform), Refusal> {
    if body == components.entity {
        let kind = components.body.copied().unwrap_or_default();
        let mass = components.mass.copied().unwrap_or_default();
        let response = components.response.copied().unwrap_or_default();
        return Ok((kind, mass, response, global));
    }
    let (kind, mass, response) = poses.body(body);
    let body_pose = poses.global(body).ok_or(Refusal::NoTransform)?;
    Ok((kind, mass, response, body_pose))
}

/// Returns the offset of a collider from its body, in world space. That is not the difference of the two positions: far from the origin it has lost bits, and other bits at each place.
fn offset_of(
    entity: Entity,
    local_offset: Vec2,
    poses: &Poses,
    (body, body_pose): (Entity, GlobalTransform),
) -> Vec2 {
    let mut within = local_offset.extend(0.0);
    if body != entity {
        within = poses.within(entity, body).transform_point(within);
    }
    body_pose.affine().transform_vector3(within).truncate()
}

/// Returns the unscaled shape of an entity's only collider, and its offset.
fn shape_of(components: &ColliderComponents) -> Result<(Shape, Vec2), Refusal> {
    Ok(
        match (components.circle, components.rectangle, components.bounds) {
            (Some(circle), None, None) => (circle.shape()?, circle.offset),
            (None, Some(rectangle), None) => (rectangle.shape()?, rectangle.offset),
            (None, None, Some(bounds)) => (bounds.shape()?, bounds.offset),
            _ => return Err(Refusal::Several),
        },
    )
}

/// Returns the scale along each local axis, without sign: the lengths of the columns. Rotation does not change them.
fn scale_of(global: &GlobalTransform) -> Vec2 {
    let matrix = global.affine().matrix3;
    Vec2::new(matrix.x_axis.length(), matrix.y_axis.length())
}
