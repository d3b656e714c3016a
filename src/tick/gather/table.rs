//! Colliders as the ECS stores them: tables of entities with the same components, each component a slice with its ticks of change.

use bevy::{
    ecs::{
        change_detection::{ContiguousRef, Tick},
        entity::Entity,
        hierarchy::ChildOf,
        prelude::{Has, Or, Ref, With},
        system::SystemChangeTick,
    },
    transform::components::Transform,
};

use super::judge::Parts;
use crate::components::{
    Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, Mass, Sensor,
};

/// Everything that is asked of a collider.
pub(super) type ColliderData = (
    Entity,
    Option<Ref<'static, Transform>>,
    Option<Ref<'static, CircleCollider>>,
    Option<Ref<'static, BoxCollider>>,
    Option<Ref<'static, BoundsCollider>>,
    Option<Ref<'static, Body>>,
    Option<Ref<'static, Mass>>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Sensor>>,
    Has<ChildOf>,
);

/// Whoever has a collider.
pub(super) type AnyCollider = Or<(
    With<CircleCollider>,
    With<BoxCollider>,
    With<BoundsCollider>,
)>;

/// The colliders of one table, as slices.
pub(super) struct Table<'w> {
    ticks: SystemChangeTick,
    pub(super) entities: &'w [Entity],
    pub(super) transforms: Option<ContiguousRef<'w, Transform>>,
    circles: Option<ContiguousRef<'w, CircleCollider>>,
    rectangles: Option<ContiguousRef<'w, BoxCollider>>,
    bounds: Option<ContiguousRef<'w, BoundsCollider>>,
    bodies: Option<ContiguousRef<'w, Body>>,
    masses: Option<ContiguousRef<'w, Mass>>,
    layers: Option<ContiguousRef<'w, CollisionLayers>>,
    sensors: Option<ContiguousRef<'w, Sensor>>,
    pub(super) is_child: bool,
}

/// The slices of a table, as the query hands them out.
type Slices<'w> = (
    &'w [Entity],
    Option<ContiguousRef<'w, Transform>>,
    Option<ContiguousRef<'w, CircleCollider>>,
    Option<ContiguousRef<'w, BoxCollider>>,
    Option<ContiguousRef<'w, BoundsCollider>>,
    Option<ContiguousRef<'w, Body>>,
    Option<ContiguousRef<'w, Mass>>,
    Option<ContiguousRef<'w, CollisionLayers>>,
    Option<ContiguousRef<'w, Sensor>>,
    bool,
);

impl<'w> Table<'w> {
    pub(super) fn new(slices: Slices<'w>, ticks: SystemChangeTick) -> Self {
        let (
            entities,
            transforms,
            circles,
            rectangles,
            bounds,
            bodies,
            masses,
            layers,
            sensors,
            is_child,
        ) = slices;
        Self {
            ticks,
            entities,
            transforms,
            circles,
            rectangles,
            bounds,
            bodies,
            masses,
            layers,
            sensors,
            is_child,
        }
    }

    #[inline]
    pub(super) fn is_newer(&self, tick: Tick) -> bool {
        tick.is_newer_than(self.ticks.last_run(), self.ticks.this_run())
    }

    /// The ticks of change of all components but the `Transform`.
    fn changes(&self) -> impl Iterator<Item = &'w [Tick]> {
        [
            self.circles
                .as_ref()
                .map(ContiguousRef::changed_ticks_slice),
            self.rectangles
                .as_ref()
                .map(ContiguousRef::changed_ticks_slice),
            self.bounds.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.bodies.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.masses.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.layers.as_ref().map(ContiguousRef::changed_ticks_slice),
            self.sensors
                .as_ref()
                .map(ContiguousRef::changed_ticks_slice),
        ]
        .into_iter()
        .flatten()
    }

    pub(super) fn has_changed(&self) -> bool {
        // Not `any`, which looks at one after the other: this compares several at once.
        let is_newer = |some: bool, tick: &Tick| some | self.is_newer(*tick);
        self.changes()
            .any(|ticks| ticks.iter().fold(false, is_newer))
    }

    pub(super) fn is_changed(&self, row: usize) -> bool {
        self.changes().any(|ticks| self.is_newer(ticks[row]))
    }

    pub(super) fn parts(&self, row: usize) -> Parts<'_> {
        Parts {
            entity: self.entities[row],
            transform: self.transforms.as_ref().map(|all| &all.as_ref()[row]),
            circle: self.circles.as_ref().map(|all| &all.as_ref()[row]),
            rectangle: self.rectangles.as_ref().map(|all| &all.as_ref()[row]),
            bounds: self.bounds.as_ref().map(|all| &all.as_ref()[row]),
            body: self.bodies.as_ref().map(|all| &all.as_ref()[row]),
            mass: self.masses.as_ref().map(|all| &all.as_ref()[row]),
            layers: self.layers.as_ref().map(|all| &all.as_ref()[row]),
            is_sensor: self.sensors.is_some(),
            is_child: self.is_child,
        }
    }
}

/// One entity's answer to the query.
pub(super) type Row<'w> = (
    Entity,
    Option<Ref<'w, Transform>>,
    Option<Ref<'w, CircleCollider>>,
    Option<Ref<'w, BoxCollider>>,
    Option<Ref<'w, BoundsCollider>>,
    Option<Ref<'w, Body>>,
    Option<Ref<'w, Mass>>,
    Option<Ref<'w, CollisionLayers>>,
    Option<Ref<'w, Sensor>>,
    bool,
);

/// The same without the ticks.
pub(super) fn parts<'a>(row: &'a Row) -> Parts<'a> {
    let (entity, transform, circle, rectangle, bounds, body, mass, layers, sensor, is_child) = row;
    Parts {
        entity: *entity,
        transform: transform.as_deref(),
        circle: circle.as_deref(),
        rectangle: rectangle.as_deref(),
        bounds: bounds.as_deref(),
        body: body.as_deref(),
        mass: mass.as_deref(),
        layers: layers.as_deref(),
        is_sensor: sensor.is_some(),
        is_child: *is_child,
    }
}
