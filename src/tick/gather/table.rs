//! Colliders as the ECS stores them: tables of entities with the same components, each component a slice with its change ticks.

use std::ops::Range;

use bevy::{
    ecs::{
        change_detection::{ContiguousRef, DetectChanges, Tick},
        entity::Entity,
        hierarchy::ChildOf,
        prelude::{Component, Ref},
        query::QueryData,
        system::SystemChangeTick,
    },
    transform::components::Transform,
};

use super::judge::ColliderComponents;
use crate::components::{
    Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, DropThrough,
    IgnoreCollisions, Mass, OneWay, Response, Sensor, SurfaceVelocity,
};

/// Everything that is read of a collider: an item for each collider, or slices for a whole table.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct ColliderData {
    pub(super) entity: Entity,
    pub(super) transform: Option<Ref<'static, Transform>>,
    pub(super) circle: Option<Ref<'static, CircleCollider>>,
    pub(super) rectangle: Option<Ref<'static, BoxCollider>>,
    pub(super) bounds: Option<Ref<'static, BoundsCollider>>,
    body: Option<Ref<'static, Body>>,
    mass: Option<Ref<'static, Mass>>,
    layers: Option<Ref<'static, CollisionLayers>>,
    sensor: Option<Ref<'static, Sensor>>,
    response: Option<Ref<'static, Response>>,
    one_way: Option<Ref<'static, OneWay>>,
    drop_through: Option<Ref<'static, DropThrough>>,
    surface_velocity: Option<Ref<'static, SurfaceVelocity>>,
    ignores: Option<Ref<'static, IgnoreCollisions>>,
    child_of: Option<Ref<'static, ChildOf>>,
}

/// Returns what a function returns for each component of an item, or of slices, but the `Transform` and the parent. All are listed by name, so that none can be forgotten.
macro_rules! for_each_but_place {
    ($type:ident, $all:expr, $function:ident) => {{
        let $type {
            entity: _,
            transform: _,
            circle,
            rectangle,
            bounds,
            body,
            mass,
            layers,
            sensor,
            response,
            one_way,
            drop_through,
            surface_velocity,
            ignores,
            child_of: _,
        } = $all;
        [
            $function(circle),
            $function(rectangle),
            $function(bounds),
            $function(body),
            $function(mass),
            $function(layers),
            $function(sensor),
            $function(response),
            $function(one_way),
            $function(drop_through),
            $function(surface_velocity),
            $function(ignores),
        ]
    }};
}

/// The number of rows that are checked for changes at once.
const BLOCK: usize = 128;

/// The colliders of one table, and the ticks that tell which changes are new.
pub(super) struct Table<'w, 's> {
    pub(super) colliders: ColliderDataContiguousItem<'w, 's>,
    pub(super) ticks: SystemChangeTick,
}

/// Returns the change ticks of a component, row by row.
fn ticks<'w, T>(slice: &Option<ContiguousRef<'w, T>>) -> Option<&'w [Tick]> {
    slice.as_ref().map(ContiguousRef::changed_ticks_slice)
}

/// Splits rows into blocks, in order.
pub(super) fn blocks(rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let starts = rows.clone().step_by(BLOCK);
    starts.map(move |start| start..(start + BLOCK).min(rows.end))
}

impl<'w> Table<'w, '_> {
    /// Returns the `Transform`s if the table has any and they alone tell the positions: its entities have no parent.
    pub(super) fn root_transforms(&self) -> Option<&ContiguousRef<'w, Transform>> {
        let ColliderDataContiguousItem {
            transform,
            child_of,
            ..
        } = &self.colliders;
        transform.as_ref().filter(|_| child_of.is_none())
    }

    #[inline]
    pub(super) fn is_newer(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.ticks.last_run(), self.ticks.this_run())
    }

    /// Returns the parent of a row, if it has one.
    pub(super) fn parent(&self, row: usize) -> Option<Entity> {
        let child_of = self.colliders.child_of.as_ref()?;
        Some(child_of.as_ref()[row].parent())
    }

    /// Whether any component has changed in one of these rows.
    pub(super) fn is_anything_new(&self, rows: &Range<usize>) -> bool {
        let ColliderDataContiguousItem {
            transform,
            child_of,
            ..
        } = &self.colliders;
        let places = [ticks(transform), ticks(child_of)].into_iter().flatten();
        let mut all = self.changes().chain(places);
        all.any(|ticks| self.is_any_newer(&ticks[rows.clone()]))
    }

    /// Yields the change ticks of all components but the `Transform` and the parent.
    fn changes(&self) -> impl Iterator<Item = &'w [Tick]> {
        for_each_but_place!(ColliderDataContiguousItem, &self.colliders, ticks)
            .into_iter()
            .flatten()
    }

    /// Whether any component but the `Transform` and the parent has changed in one of these rows.
    pub(super) fn have_changed(&self, rows: &Range<usize>) -> bool {
        self.changes()
            .any(|ticks| self.is_any_newer(&ticks[rows.clone()]))
    }

    pub(super) fn is_any_newer(&self, ticks: &[Tick]) -> bool {
        // Not `any`, which looks at one after the other: this compares several at once.
        let is_newer = |some: bool, tick: &Tick| some | self.is_newer(*tick);
        ticks.iter().fold(false, is_newer)
    }

    pub(super) fn is_changed(&self, row: usize) -> bool {
        self.changes().any(|ticks| self.is_newer(ticks[row]))
    }

    pub(super) fn components(&self, row: usize) -> ColliderComponents<'_> {
        fn at<'a, T>(slice: &'a Option<ContiguousRef<T>>, row: usize) -> Option<&'a T> {
            slice.as_ref().map(|all| &all.as_ref()[row])
        }
        let all = &self.colliders;
        ColliderComponents {
            entity: all.entity[row],
            transform: at(&all.transform, row),
            circle: at(&all.circle, row),
            rectangle: at(&all.rectangle, row),
            bounds: at(&all.bounds, row),
            body: at(&all.body, row),
            mass: at(&all.mass, row),
            layers: at(&all.layers, row),
            is_sensor: all.sensor.is_some(),
            response: at(&all.response, row),
            one_way: at(&all.one_way, row),
            drops_through: all.drop_through.is_some(),
            surface_velocity: at(&all.surface_velocity, row),
            ignores: at(&all.ignores, row),
            is_child: all.child_of.is_some(),
        }
    }
}

impl ColliderDataItem<'_, '_> {
    /// The entity of these components.
    #[cfg(feature = "debug")]
    pub(crate) fn entity(&self) -> Entity {
        self.entity
    }

    /// Its parent, if it has one.
    pub(super) fn parent(&self) -> Option<Entity> {
        self.child_of.as_ref().map(|child_of| child_of.parent())
    }

    /// Whether any component has changed.
    pub(super) fn is_anything_new(&self) -> bool {
        fn is_new<T: Component>(component: &Option<Ref<T>>) -> bool {
            component.as_ref().is_some_and(Ref::is_changed)
        }
        is_new(&self.transform)
            || is_new(&self.child_of)
            || for_each_but_place!(ColliderDataItem, self, is_new).contains(&true)
    }

    /// Returns the components without their change ticks.
    pub(crate) fn components(&self) -> ColliderComponents<'_> {
        ColliderComponents {
            entity: self.entity,
            transform: self.transform.as_deref(),
            circle: self.circle.as_deref(),
            rectangle: self.rectangle.as_deref(),
            bounds: self.bounds.as_deref(),
            body: self.body.as_deref(),
            mass: self.mass.as_deref(),
            layers: self.layers.as_deref(),
            is_sensor: self.sensor.is_some(),
            response: self.response.as_deref(),
            one_way: self.one_way.as_deref(),
            drops_through: self.drop_through.is_some(),
            surface_velocity: self.surface_velocity.as_deref(),
            ignores: self.ignores.as_deref(),
            is_child: self.child_of.is_some(),
        }
    }
}
