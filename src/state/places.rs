//! Moves bodies, with all that moves along.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::{ChildOf, Children},
        prelude::Query,
        query::QueryData,
        system::{Local, ParamSet, SystemParam},
    },
    math::{Affine3A, Mat2, Vec2, Vec3},
    transform::components::{GlobalTransform, Transform},
};

use super::pose::Poses;
use crate::{allow_disabled::AllowDisabled, components::Body};

/// Moves count as few if they are less than one in so many.
const FEW_PART: usize = 4;

/// The components that are written when a body is moved.
#[derive(QueryData)]
#[query_data(mutable)]
struct BodyTransform {
    entity: Entity,
    transform: &'static mut Transform,
    global: Option<&'static mut GlobalTransform>,
    parent: Option<&'static ChildOf>,
    children: Option<&'static Children>,
}

/// Moves bodies by their `Transform`s, and updates the `GlobalTransform`s of all that moves along, so that no system reads an old pose.
#[derive(SystemParam)]
pub(crate) struct Places<'w, 's> {
    spaces: ParamSet<
        'w,
        's,
        (
            Poses<'static, 'static>,
            Query<'static, 'static, BodyTransform, AllowDisabled>,
        ),
    >,
    moves: Local<'s, Vec<Move>>,
    /// The moves of bodies that have a parent.
    inner: Local<'s, Vec<Move>>,
    family: Local<'s, Family>,
}

/// Descendants that are yet to be updated, each with the pose of its parent.
type Family = Vec<(Entity, GlobalTransform)>;

/// A body, its position in world space as far as the tick knows, and its new one.
type Move = (Entity, Vec2, Vec2);

impl Places<'_, '_> {
    /// Whether an entity, if it is a body, is a body of its own, and not a part of another one.
    pub(crate) fn is_own_body(&mut self, entity: Entity) -> bool {
        self.body_of(entity) == entity
    }

    /// Returns the body that an entity is a part of.
    pub(crate) fn body_of(&mut self, entity: Entity) -> Entity {
        self.spaces.p0().body_of(entity)
    }

    /// Whether an entity is a static body.
    pub(crate) fn is_static(&mut self, entity: Entity) -> bool {
        self.spaces.p0().body(entity).0 == Body::Static
    }

    /// Returns the position of an entity in world space.
    pub(crate) fn place(&mut self, entity: Entity) -> Option<Vec2> {
        let global = self.spaces.p0().global(entity)?;
        Some(global.translation().truncate())
    }

    /// Returns the position of an entity in the world if its `Transform` is given in `space`.
    pub(crate) fn place_within(&mut self, entity: Entity, space: Affine3A) -> Option<Vec2> {
        let transform = self.spaces.p0().transforms.get(entity).copied().ok()?;
        let place = space.transform_point3(transform.translation);
        Some(place.truncate())
    }

    /// Returns the position of an entity relative to its parent.
    pub(crate) fn local_place(&mut self, entity: Entity) -> Option<Vec2> {
        let poses = self.spaces.p0();
        let transform = poses.transforms.get(entity).ok()?;
        Some(transform.translation.truncate())
    }

    /// Returns the space in which the `Transform` of an entity is given: first as it was, if `known` tells that for its parent, then as it is now.
    pub(crate) fn spaces_of(
        &mut self,
        entity: Entity,
        known: impl Fn(Entity) -> Option<Affine3A>,
    ) -> [Affine3A; 2] {
        let poses = self.spaces.p0();
        let now = poses.parent_affine(entity);
        let then = poses.parent(entity).and_then(known);
        [then.unwrap_or(now), now]
    }

    /// Moves an entity by `way` in world space, whatever its present position.
    pub(crate) fn move_by(&mut self, entity: Entity, way: Vec2) {
        let poses = self.spaces.p0();
        let Some(global) = poses.global(entity) else {
            return;
        };
        if poses.parents.contains(entity) {
            // The world position of a child depends on which of its ancestors have moved before; `way` does not.
            self.move_child(entity, Vec2::ZERO, way);
        } else {
            let from = global.translation().truncate();
            self.move_all([(entity, from, from + way)].into_iter());
        }
    }

    /// Moves bodies in world space. Those that have a parent come last, because the parent may be among the bodies to move.
    pub(crate) fn move_all(&mut self, moves: impl Iterator<Item = Move>) {
        let mut inner = std::mem::take(&mut *self.inner);
        let (all, family) = (&mut *self.moves, &mut *self.family);
        all.clear();
        // Push them one by one rather than passing each through further calls: reading a value as a whole right after it was written in parts makes the processor wait.
        moves.for_each(|one| all.push(one));
        let mut left = &all[..];
        let mut places = self.spaces.p1();
        let mut put =
            |place: &mut BodyTransformItem, (body, from, to): Move, family: &mut Family| {
                if place.parent.is_some() {
                    inner.push((body, from, to));
                } else {
                    let global = place.put(from, to);
                    carry(place, global, family);
                }
            };
        // The count is summed over all tables, which does not pay off for a few moves.
        let are_many = || {
            let count = places.iter().size_hint().1;
            count.is_some_and(|count| left.len() >= count / FEW_PART)
        };
        if left.len() > FEW_PART && are_many() {
            // Most bodies move, and mostly in the order in which they lie in memory: this finds each without a search.
            places.iter_mut().for_each(|mut place| {
                if let [one, others @ ..] = left
                    && one.0 == place.entity
                {
                    left = others;
                    put(&mut place, *one, family);
                }
            });
            carry_family(&mut places, family);
        }
        for one in left {
            if let Ok(mut place) = places.get_mut(one.0) {
                put(&mut place, *one, family);
                carry_family(&mut places, family);
            }
        }
        for (body, from, to) in inner.drain(..) {
            self.move_child(body, from, to);
        }
        *self.inner = inner;
    }

    fn move_child(&mut self, body: Entity, from: Vec2, to: Vec2) {
        let parent = self.spaces.p0().parent_affine(body);
        let mut places = self.spaces.p1();
        let Ok(mut place) = places.get_mut(body) else {
            return;
        };
        // In world space, the exact position is written. Other spaces may be rotated, scaled, or flat, and a flat one has no inverse.
        if parent == Affine3A::IDENTITY {
            place.put(from, to);
        } else {
            // Without an inverse the body stays, and also if the way is too small for `f32` to change its position. The next tick reads its actual position, because for children it always goes through their parents.
            let here = place.transform.translation;
            let local = way_within(parent, to - from);
            let there = local.map(|way| here + way).filter(|there| *there != here);
            match there {
                Some(there) => place.transform.translation = there,
                // The game itself has put the body there: update its poses.
                None if from == to => {}
                None => return,
            }
        }
        let global = GlobalTransform::from(parent) * *place.transform;
        carry(&mut place, global, &mut self.family);
        carry_family(&mut places, &mut self.family);
    }
}

/// Returns a way in the space of a parent. `None` if the parent is flat and has no inverse.
pub(crate) fn way_within(parent: Affine3A, way: Vec2) -> Option<Vec3> {
    let local = parent.inverse().transform_vector3(way.extend(0.0));
    if local.is_finite() {
        return Some(local);
    }
    // Flat in z alone, which does not matter here.
    let [x, y] = [parent.x_axis, parent.y_axis].map(|axis| Vec3::from(axis).truncate());
    let local = Mat2::from_cols(x, y).inverse() * way;
    local.is_finite().then(|| local.extend(0.0))
}

impl BodyTransformItem<'_, '_> {
    /// Sets exactly the position `to`, or moves by `to - from` if something else has moved the body since the tick has read it. Returns the pose relative to its parent.
    // Computed from local values, instead of reading back what was just written.
    #[inline(always)]
    fn put(&mut self, from: Vec2, to: Vec2) -> GlobalTransform {
        let Transform {
            translation,
            rotation,
            scale,
        } = &mut *self.transform;
        let here = translation.truncate();
        let to = if here == from { to } else { here + (to - from) };
        let to = to.extend(translation.z);
        *translation = to;
        GlobalTransform::from(Affine3A::from_scale_rotation_translation(
            *scale, *rotation, to,
        ))
    }
}

/// Writes the new `GlobalTransform`, and adds the children to the family.
#[inline(always)]
fn carry(place: &mut BodyTransformItem, global: GlobalTransform, family: &mut Family) {
    if let Some(known) = &mut place.global {
        **known = global;
    }
    let children = place.children.into_iter().flatten();
    family.extend(children.map(|&child| (child, global)));
}

/// Does the same for all descendants in the family.
fn carry_family(places: &mut Query<BodyTransform, AllowDisabled>, family: &mut Family) {
    while let Some((child, parent)) = family.pop() {
        if let Ok(mut place) = places.get_mut(child) {
            let global = parent * *place.transform;
            carry(&mut place, global, family);
        }
    }
}
