//! The cells of grids that an earlier tick knew. A cell that changes is despawned and spawned anew, so after going back to that tick other entities are in the cells' places.

use bevy::{
    ecs::{
        archetype::Archetype,
        change_detection::DetectChangesMut,
        entity::{Entity, EntityHashMap, EntityMapper},
        hierarchy::ChildOf,
        prelude::World,
    },
    platform::collections::{HashMap, HashSet},
};

use super::{
    follow::{FollowedGrids, follow_grids},
    grid::{MergedTiles, TileColliders},
};

/// All cells of all grids, as they were.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownCells(Vec<KnownCell>);

#[derive(Clone, Copy, Debug)]
struct KnownCell {
    cell: Entity,
    key: Key,
}

/// The grid, and the cell's place and size in it: no two cells have the same.
type Key = (Entity, MergedTiles);

impl KnownCells {
    pub(crate) fn of(world: &World) -> Self {
        Self(all_cells(world).collect())
    }

    /// Returns the new entity for each known cell that is gone. The grids that have lost known cells, or were restored, are merged anew first, instead of in the next tick; cells that came since in the place of known ones are spawned anew.
    pub(crate) fn who_is_who(&self, world: &mut World) -> EntityHashMap<Entity> {
        let is_gone =
            |world: &World, known: &KnownCell| key_of(world, known.cell) != Some(known.key);
        let are_corrected = FollowedGrids::correct(world);
        let are_as_many = all_cells(world).count() == self.0.len();
        let gone = self.0.iter().filter(|known| is_gone(world, known));
        let gone: HashSet<Key> = gone.map(|known| known.key).collect();
        if !are_corrected && are_as_many && gone.is_empty() {
            return EntityHashMap::default();
        }
        for (grid, _) in &gone {
            mark(world, *grid);
        }
        // What the game has given to those in their places belongs to undone ticks.
        let in_their_places = all_cells(world).filter(|known| gone.contains(&known.key));
        let in_their_places: Vec<KnownCell> = in_their_places.collect();
        for KnownCell { cell, .. } in in_their_places {
            if let Ok(cell) = world.get_entity_mut(cell) {
                cell.despawn();
            }
        }
        world
            .run_system_cached(follow_grids)
            .expect("a system without conditions, the resource of which is there");
        world.flush();
        let now = all_cells(world);
        let now: HashMap<Key, Entity> = now.map(|known| (known.key, known.cell)).collect();
        let gone = self.0.iter().filter(|known| is_gone(world, known));
        gone.filter_map(|known| Some((known.cell, *now.get(&known.key)?)))
            .collect()
    }

    /// Replaces the entities of grids and cells by those that stand for them now.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        for KnownCell { cell, key } in &mut self.0 {
            *cell = mapper.get_mapped(*cell);
            key.0 = mapper.get_mapped(key.0);
        }
    }
}

/// Marks a grid as changed, so that it is merged anew.
fn mark(world: &mut World, grid: Entity) {
    if let Some(mut grid) = world.get_mut::<TileColliders>(grid) {
        grid.set_changed();
    }
}

/// The disabled ones too: they are cells of their grid all the same. A query that sees these needs a world that may change.
fn all_cells(world: &World) -> impl Iterator<Item = KnownCell> {
    let tiles = world.component_id::<MergedTiles>();
    let has_tiles = move |all: &&Archetype| tiles.is_some_and(|tiles| all.contains(tiles));
    let archetypes = world.archetypes().iter().filter(has_tiles);
    let cells = archetypes.flat_map(Archetype::entities);
    cells.filter_map(|cell| {
        let cell = cell.id();
        let key = key_of(world, cell)?;
        Some(KnownCell { cell, key })
    })
}

fn key_of(world: &World, cell: Entity) -> Option<Key> {
    let cell = world.get_entity(cell).ok()?;
    let grid = cell.get::<ChildOf>()?.parent();
    Some((grid, *cell.get::<MergedTiles>()?))
}
