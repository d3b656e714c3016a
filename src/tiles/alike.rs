//! Components beside a grid that hold for all its cells.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::{EntityMapper, MapEntities},
        prelude::{Component, EntityCommands, EntityWorldMut},
        query::QueryData,
    },
    math::{BVec2, Vec2},
    reflect::{Reflect, std_traits::ReflectDefault},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use crate::{
    components::{
        ColliderDisabled, CollisionLayers, CollisionTag, IgnoreCollisions, OneWay, Sensor,
        SurfaceVelocity,
    },
    state::rules::faces,
};

/// Lists the components once, for all that is done with each of them.
macro_rules! alike {
    ($($name:ident: $component:ty,)*) => {
        /// The components of a grid that its cells get too.
        #[derive(QueryData)]
        pub(crate) struct Beside {
            $($name: Option<&'static $component>,)*
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
            $($name: Option<$component>,)*
        }

        impl BesideItem<'_, '_> {
            pub(super) fn keep(&self) -> Alike {
                Alike {
                    $($name: self.$name.cloned(),)*
                }
            }

            pub(super) fn is(&self, kept: &Alike) -> bool {
                $(self.$name == kept.$name.as_ref())&&*
            }
        }

        impl Alike {
            /// Gives a cell the components that have changed on the grid since `before`. What the game itself gave the cell stays as long as that component does not change on the grid. A cell that is gone when the commands run is skipped.
            pub(super) fn hand_on(&self, before: &Self, cell: &mut EntityCommands) {
                $(hand_on(cell, &before.$name, &self.$name);)*
            }

            /// Gives a cell those components that are as on the grid meanwhile. What is different was given to it by the game, or restored.
            pub(super) fn correct(&self, meanwhile: &Self, cell: &mut EntityWorldMut) {
                $(correct(cell, &meanwhile.$name, &self.$name);)*
            }
        }
    };
}

alike! {
    layers: CollisionLayers,
    sensor: Sensor,
    one_way: OneWay,
    surface_velocity: SurfaceVelocity,
    ignores: IgnoreCollisions,
    disabled: ColliderDisabled,
    tag: CollisionTag,
}

impl Alike {
    /// Returns the axes along which cells are to be merged: those on which no side of a cell is solid alone. A solid side between two cells is one to stand on, which a common box would not have.
    pub(super) fn axes_to_merge(&self) -> BVec2 {
        let direction = self.one_way.map_or(Vec2::ZERO, |one_way| one_way.0);
        let direction = direction.normalize_or_zero();
        let is_solid = |side: Vec2| faces(direction, side) || faces(direction, -side);
        BVec2::new(!is_solid(Vec2::X), !is_solid(Vec2::Y))
    }
}

impl MapEntities for Alike {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Some(ignores) = &mut self.ignores {
            Component::map_entities(ignores, mapper);
        }
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
