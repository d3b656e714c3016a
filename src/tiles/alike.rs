//! What stands beside a grid and is said of all its cells.

use bevy::ecs::{
    entity::{Entity, EntityHashMap},
    hierarchy::{ChildOf, Children},
    prelude::{Commands, Component, EntityCommands, Local, Query, With},
    query::QueryData,
};

use super::grid::{MergedTiles, TileColliders};
use crate::components::{ColliderDisabled, CollisionLayers, IgnoreCollisions, OneWay, Sensor};

/// What of a grid its cells have too.
#[derive(QueryData)]
pub(crate) struct Beside {
    layers: Option<&'static CollisionLayers>,
    sensor: Option<&'static Sensor>,
    one_way: Option<&'static OneWay>,
    ignores: Option<&'static IgnoreCollisions>,
    disabled: Option<&'static ColliderDisabled>,
}

/// The same, kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alike {
    layers: Option<CollisionLayers>,
    sensor: Option<Sensor>,
    one_way: Option<OneWay>,
    ignores: Option<IgnoreCollisions>,
    disabled: Option<ColliderDisabled>,
}

impl BesideItem<'_, '_> {
    fn keep(&self) -> Alike {
        Alike {
            layers: self.layers.copied(),
            sensor: self.sensor.copied(),
            one_way: self.one_way.copied(),
            ignores: self.ignores.cloned(),
            disabled: self.disabled.copied(),
        }
    }

    fn is(&self, kept: &Alike) -> bool {
        self.layers == kept.layers.as_ref()
            && self.sensor == kept.sensor.as_ref()
            && self.one_way == kept.one_way.as_ref()
            && self.ignores == kept.ignores.as_ref()
            && self.disabled == kept.disabled.as_ref()
    }

    /// Gives a cell what is not as it was. What a game gave it, and is the same as ever on the grid, stays.
    pub(super) fn hand_on(&self, before: &Alike, cell: &mut EntityCommands) {
        hand_on(cell, before.layers.as_ref(), self.layers);
        hand_on(cell, before.sensor.as_ref(), self.sensor);
        hand_on(cell, before.one_way.as_ref(), self.one_way);
        hand_on(cell, before.ignores.as_ref(), self.ignores);
        hand_on(cell, before.disabled.as_ref(), self.disabled);
    }
}

fn hand_on<C: Component + Clone + PartialEq>(
    cell: &mut EntityCommands,
    before: Option<&C>,
    now: Option<&C>,
) {
    if before != now {
        match now {
            Some(now) => cell.insert(now.clone()),
            None => cell.remove::<C>(),
        };
    }
}

/// Lets the cells that are there follow what has changed beside their grid. A grid that is new has none yet, and one that comes from a saved world has such as it had.
pub(crate) fn follow_grids(
    mut commands: Commands,
    mut known: Local<EntityHashMap<Alike>>,
    grids: Query<(Entity, Beside, Option<&Children>), With<TileColliders>>,
    cells: Query<(), (With<MergedTiles>, With<ChildOf>)>,
) {
    let mut count = 0;
    for (grid, beside, children) in &grids {
        count += 1;
        let Some(before) = known.get_mut(&grid) else {
            known.insert(grid, beside.keep());
            continue;
        };
        if beside.is(before) {
            continue;
        }
        let children = children.into_iter().flatten().copied();
        for cell in children.filter(|&child| cells.contains(child)) {
            beside.hand_on(before, &mut commands.entity(cell));
        }
        *before = beside.keep();
    }
    if known.len() > count {
        known.retain(|&grid, _| grids.contains(grid));
    }
}
