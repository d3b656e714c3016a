//! Where an entity is *now*: through its parents, from their `Transform`s of this tick, not from last frame's `GlobalTransform`.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::{ChildOf, Children},
        prelude::{Has, Query},
        query::QueryData,
        system::{Local, ParamSet, SystemParam},
    },
    math::{Affine3A, Mat2, Vec2, Vec3},
    transform::components::{GlobalTransform, Transform},
};

use crate::allow_disabled::AllowDisabled;
use crate::components::{Body, Mass, Response};

/// Few are less than one in so many.
const FEW: usize = 4;

/// What is asked of a body.
type BodyData = (
    Option<&'static Body>,
    Option<&'static Mass>,
    Option<&'static Response>,
);

/// Reads poses and bodies up the hierarchy.
#[derive(SystemParam)]
pub(crate) struct Poses<'w, 's> {
    // Whoever is disabled still is where it is, and so is what hangs on it.
    parents: Query<'w, 's, &'static ChildOf, AllowDisabled>,
    transforms: Query<'w, 's, &'static Transform, AllowDisabled>,
    has_body: Query<'w, 's, Has<Body>, AllowDisabled>,
    bodies: Query<'w, 's, BodyData, AllowDisabled>,
}

impl Poses<'_, '_> {
    /// The pose of an entity in the world, or `None` if it has no `Transform`. An ancestor without one ends the chain, as the origin.
    pub(crate) fn global(&self, entity: Entity) -> Option<GlobalTransform> {
        let own = *self.transforms.get(entity).ok()?;
        Some(
            self.parents
                .iter_ancestors(entity)
                .map_while(|ancestor| self.transforms.get(ancestor).ok())
                .fold(GlobalTransform::from(own), |global, parent| {
                    *parent * global
                }),
        )
    }

    /// The pose of an entity in the space of one of its ancestors.
    pub(crate) fn within(&self, entity: Entity, ancestor: Entity) -> GlobalTransform {
        let below = self.parents.iter_ancestors(entity);
        let below = below.take_while(|&one| one != ancestor);
        let mut pose = GlobalTransform::IDENTITY;
        for one in std::iter::once(entity).chain(below) {
            let transform = self.transforms.get(one).copied().unwrap_or_default();
            pose = transform * pose;
        }
        pose
    }

    /// The pose of the space in which an entity's `Transform` is given.
    pub(crate) fn parent_affine(&self, entity: Entity) -> Affine3A {
        let parent = self.parent(entity);
        parent.map_or(Affine3A::IDENTITY, |parent| self.affine(parent))
    }

    pub(crate) fn parent(&self, entity: Entity) -> Option<Entity> {
        self.parents.get(entity).ok().map(ChildOf::parent)
    }

    /// The pose of an entity, which is the space of its children; the origin if it has no `Transform`.
    pub(crate) fn affine(&self, entity: Entity) -> Affine3A {
        let global = self.global(entity);
        global.map_or(Affine3A::IDENTITY, |global| global.affine())
    }

    /// The topmost ancestor with a `Body` and a `Transform`, or the entity itself.
    pub(crate) fn body_of(&self, entity: Entity) -> Entity {
        self.parents
            .iter_ancestors(entity)
            .take_while(|&ancestor| self.transforms.contains(ancestor))
            .filter(|&ancestor| self.has_body.get(ancestor).unwrap_or(false))
            .last()
            .unwrap_or(entity)
    }

    /// The topmost ancestor, or the entity itself.
    pub(crate) fn root_of(&self, entity: Entity) -> Entity {
        self.parents.root_ancestor(entity)
    }

    /// What a collision does to a body, its mass, and what it does where it meets something. What it lacks is the default.
    pub(crate) fn body(&self, body: Entity) -> (Body, Mass, Response) {
        let (kind, mass, response) = self.bodies.get(body).unwrap_or_default();
        (
            kind.copied().unwrap_or_default(),
            mass.copied().unwrap_or_default(),
            response.copied().unwrap_or_default(),
        )
    }
}

/// What is written of a body that is moved.
#[derive(QueryData)]
#[query_data(mutable)]
struct Place {
    entity: Entity,
    transform: &'static mut Transform,
    global: Option<&'static mut GlobalTransform>,
    parent: Option<&'static ChildOf>,
    children: Option<&'static Children>,
}

/// Moves bodies by their `Transform`s, and brings the `GlobalTransform`s of all that moves along up to date, so that nobody sees a pose from before.
#[derive(SystemParam)]
pub(crate) struct Places<'w, 's> {
    spaces: ParamSet<
        'w,
        's,
        (
            Poses<'static, 'static>,
            Query<'static, 'static, Place, AllowDisabled>,
        ),
    >,
    moves: Local<'s, Vec<Move>>,
    /// The moves of those that have a parent.
    inner: Local<'s, Vec<Move>>,
    family: Local<'s, Family>,
}

/// Who is yet to be carried along, each with the pose of its parent.
type Family = Vec<(Entity, GlobalTransform)>;

/// A body, where it was in the world as far as the tick knows, and where it is to be.
type Move = (Entity, Vec2, Vec2);

impl Places<'_, '_> {
    /// Whether an entity, if it is a body, is one of its own, and no part of another one.
    pub(crate) fn is_own_body(&mut self, entity: Entity) -> bool {
        self.spaces.p0().body_of(entity) == entity
    }

    /// Whether an entity is a static body.
    pub(crate) fn is_static(&mut self, entity: Entity) -> bool {
        self.spaces.p0().body(entity).0 == Body::Static
    }

    /// Where an entity is in the world.
    pub(crate) fn place(&mut self, entity: Entity) -> Option<Vec2> {
        let global = self.spaces.p0().global(entity)?;
        Some(global.translation().truncate())
    }

    /// Where an entity is below its parent.
    pub(crate) fn local_place(&mut self, entity: Entity) -> Option<Vec2> {
        let poses = self.spaces.p0();
        let transform = poses.transforms.get(entity).ok()?;
        Some(transform.translation.truncate())
    }

    /// Moves an entity by so much within the world, wherever it is.
    pub(crate) fn move_by(&mut self, entity: Entity, way: Vec2) {
        let poses = self.spaces.p0();
        let Some(global) = poses.global(entity) else {
            return;
        };
        if poses.parents.contains(entity) {
            // Where it is in the world depends on who of its ancestors has moved before; its way does not.
            self.move_child(entity, Vec2::ZERO, way);
        } else {
            let from = global.translation().truncate();
            self.move_all([(entity, from, from + way)].into_iter());
        }
    }

    /// Moves bodies within the world. Those that have a parent come last: it may be among them.
    pub(crate) fn move_all(&mut self, moves: impl Iterator<Item = Move>) {
        let mut inner = std::mem::take(&mut *self.inner);
        let (all, family) = (&mut *self.moves, &mut *self.family);
        all.clear();
        // One by one, and none of them handed from call to call: what is read as a whole as soon as it was written in parts makes a processor wait.
        moves.for_each(|one| all.push(one));
        let mut left = &all[..];
        let mut places = self.spaces.p1();
        let mut put = |place: &mut PlaceItem, (body, from, to): Move, family: &mut Family| {
            if place.parent.is_some() {
                inner.push((body, from, to));
            } else {
                let global = place.put(from, to);
                carry(place, global, family);
            }
        };
        // How many there are is asked of each table, which a few are not worth.
        let are_many = || {
            let count = places.iter().size_hint().1;
            count.is_some_and(|count| left.len() >= count / FEW)
        };
        if left.len() > FEW && are_many() {
            // Most move, and they come in the order in which they lie in memory, mostly: so each is found without a search.
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
        // Who lives in the space of the world takes the very bits, too. Other spaces may be turned, scaled, or flat, which has no way back.
        if parent == Affine3A::IDENTITY {
            place.put(from, to);
        } else {
            // Who has no such way stays, and so does whose way is less than he can tell there. The next tick finds him where he is: of a child it always asks its parents.
            let here = place.transform.translation;
            let local = way_within(parent, to - from);
            let there = local.map(|way| here + way).filter(|there| *there != here);
            match there {
                Some(there) => place.transform.translation = there,
                // Its game has put it there.
                None if from == to => {}
                None => return,
            }
        }
        let global = GlobalTransform::from(parent) * *place.transform;
        carry(&mut place, global, &mut self.family);
        carry_family(&mut places, &mut self.family);
    }
}

/// A way in the space of a parent. `None` if that is flat, and has no such way.
pub(crate) fn way_within(parent: Affine3A, way: Vec2) -> Option<Vec3> {
    let local = parent.inverse().transform_vector3(way.extend(0.0));
    if local.is_finite() {
        return Some(local);
    }
    // Flat in z alone, which plays no part.
    let [x, y] = [parent.x_axis, parent.y_axis].map(|axis| Vec3::from(axis).truncate());
    let local = Mat2::from_cols(x, y).inverse() * way;
    local.is_finite().then(|| local.extend(0.0))
}

impl PlaceItem<'_, '_> {
    /// Takes the very bits of a position, or goes the way to it if something else has moved it since the tick has seen it. Returns the pose in the space of its parent.
    // Of what is at hand, and not of what was just written.
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

/// Writes where something is now, and notes its children.
#[inline(always)]
fn carry(place: &mut PlaceItem, global: GlobalTransform, family: &mut Family) {
    if let Some(known) = &mut place.global {
        **known = global;
    }
    let children = place.children.into_iter().flatten();
    family.extend(children.map(|&child| (child, global)));
}

/// Does so for the children, and theirs.
fn carry_family(places: &mut Query<Place, AllowDisabled>, family: &mut Family) {
    while let Some((child, parent)) = family.pop() {
        if let Ok(mut place) = places.get_mut(child) {
            let global = parent * *place.transform;
            carry(&mut place, global, family);
        }
    }
}
