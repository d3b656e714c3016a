//! Components beside a grid that hold for all its cells.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::{EntityMapper, MapEntities},
        prelude::{Component, EntityCommands, EntityWorldMut},
        query::QueryData,
    },
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use crate::components::{
    ColliderDisabled, CollisionLayers, CollisionTag, IgnoreCollisions, OneWay, Sensor,
    SurfaceVelocity,
};

/// The components of a grid that its cells get too.
#[derive(QueryData)]
pub(crate) struct Beside {
    layers: Option<&'static CollisionLayers>,
    sensor: Option<&'static Sensor>,
    one_way: Option<&'static OneWay>,
    surface_velocity: Option<&'static SurfaceVelocity>,
    ignores: Option<&'static IgnoreCollisions>,
    disabled: Option<&'static ColliderDisabled>,
    tag: Option<&'static CollisionTag>,
}

/// A copy of these components.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    serde(default),
    reflect(Serialize, Deserialize)
)]
pub(super) struct Alike {
    layers: Option<CollisionLayers>,
    sensor: Option<Sensor>,
    one_way: Option<OneWay>,
    surface_velocity: Option<SurfaceVelocity>,
    ignores: Option<IgnoreCollisions>,
    disabled: Option<ColliderDisabled>,
    tag: Option<CollisionTag>,
}

impl BesideItem<'_, '_> {
    pub(super) fn keep(&self) -> Alike {
        Alike {
            layers: self.layers.copied(),
            sensor: self.sensor.copied(),
            one_way: self.one_way.copied(),
            surface_velocity: self.surface_velocity.copied(),
            ignores: self.ignores.cloned(),
            disabled: self.disabled.copied(),
            tag: self.tag.copied(),
        }
    }

    pub(super) fn is(&self, kept: &Alike) -> bool {
        self.layers == kept.layers.as_ref()
            && self.sensor == kept.sensor.as_ref()
            && self.one_way == kept.one_way.as_ref()
            && self.surface_velocity == kept.surface_velocity.as_ref()
            && self.ignores == kept.ignores.as_ref()
            && self.disabled == kept.disabled.as_ref()
            && self.tag == kept.tag.as_ref()
    }
}

impl MapEntities for Alike {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Some(ignores) = &mut self.ignores {
            Component::map_entities(ignores, mapper);
        }
    }
}

impl Alike {
    /// Gives a cell the components that have changed on the grid since `before`. What the game itself gave the cell stays as long as that component does not change on the grid. A cell that is gone when the commands run is skipped.
    pub(super) fn hand_on(&self, before: &Self, cell: &mut EntityCommands) {
        hand_on(cell, &before.layers, &self.layers);
        hand_on(cell, &before.sensor, &self.sensor);
        hand_on(cell, &before.one_way, &self.one_way);
        hand_on(cell, &before.surface_velocity, &self.surface_velocity);
        hand_on(cell, &before.ignores, &self.ignores);
        hand_on(cell, &before.disabled, &self.disabled);
        hand_on(cell, &before.tag, &self.tag);
    }

    /// Gives a cell those components that are as on the grid meanwhile. What is different was given to it by the game, or restored.
    pub(super) fn correct(&self, meanwhile: &Self, cell: &mut EntityWorldMut) {
        correct(cell, &meanwhile.layers, &self.layers);
        correct(cell, &meanwhile.sensor, &self.sensor);
        correct(cell, &meanwhile.one_way, &self.one_way);
        correct(cell, &meanwhile.surface_velocity, &self.surface_velocity);
        correct(cell, &meanwhile.ignores, &self.ignores);
        correct(cell, &meanwhile.disabled, &self.disabled);
        correct(cell, &meanwhile.tag, &self.tag);
    }
}

fn correct<C: Component + Clone + PartialEq>(
    cell: &mut EntityWorldMut,
    meanwhile: &Option<C>,
    then: &Option<C>,
) {
    if meanwhile != then && cell.get() == meanwhile.as_ref() {
        match then {
            Some(then) => cell.insert(then.clone()),
            None => cell.remove::<C>(),
        };
    }
}

fn hand_on<C: Component + Clone + PartialEq>(
    cell: &mut EntityCommands,
    before: &Option<C>,
    now: &Option<C>,
) {
    if before != now {
        match now {
            Some(now) => cell.try_insert(now.clone()),
            None => cell.try_remove::<C>(),
        };
    }
}
