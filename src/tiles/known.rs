//! The cells of grids that an earlier tick knew. A cell that changes is despawned and spawned anew, so after going back to that tick other entities are in the cells' places.

use bevy::{
    ecs::{
        archetype::Archetype,
        change_detection::DetectChangesMut,
        entity::{Entity, EntityHashMap, EntityHashSet, EntityMapper},
        hierarchy::ChildOf,
        prelude::{Component, World},
    },
    platform::collections::{HashMap, HashSet},
};

use super::{
    follow::{FollowedGrids, MergedFrom, follow_grids},
    grid::{MergedTiles, TileColliders},
    merge::CellRect,
};

/// All cells of all grids, as they were.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownCells {
    cells: Vec<KnownCell>,
    /// The grids that had changed and were yet to be merged, or to hand on what is beside them; and what their cells were made from.
    to_follow: Vec<(Entity, Option<MergedFrom>)>,
}

#[derive(Clone, Copy, Debug)]
struct KnownCell {
    cell: Entity,
    key: Key,
}

/// The grid, and the cell's place and size in it: no two cells have the same.
type Key = (Entity, MergedTiles);

impl KnownCells {
    pub(crate) fn of(world: &World) -> Self {
        Self {
            cells: all_cells(world).collect(),
            to_follow: FollowedGrids::to_follow(world),
        }
    }

    /// Brings the cells back, and returns the new entity for each known one that is gone.
    pub(crate) fn who_is_who(&self, world: &mut World) -> EntityHashMap<Entity> {
        self.merge_anew(world);
        for (grid, from) in &self.to_follow {
            let known = self.cells.iter().copied();
            let known = known.filter(|known| known.key.0 == *grid);
            let (there, missing): (Vec<KnownCell>, Vec<KnownCell>) =
                known.partition(|known| known.is_there(world));
            let there: EntityHashSet = there.iter().map(|known| known.cell).collect();
            let missing = missing.iter().map(|known| known.rect()).collect();
            let was_there = |cell| there.contains(&cell);
            FollowedGrids::take_back(world, (*grid, from.as_ref()), was_there, missing);
        }
        let mut gone = self.gone(world).peekable();
        if gone.peek().is_none() {
            return EntityHashMap::default();
        }
        let now = all_cells(world);
        let now: HashMap<Key, Entity> = now.map(|known| (known.key, known.cell)).collect();
        gone.filter_map(|known| Some((known.cell, *now.get(&known.key)?)))
            .collect()
    }

    /// Returns the known cells that are not there any more.
    fn gone(&self, world: &World) -> impl Iterator<Item = &KnownCell> {
        self.cells.iter().filter(|known| !known.is_there(world))
    }

    /// Merges the grids anew that have lost known cells, or were restored, instead of in the next tick; cells that came since in the place of known ones are spawned anew.
    fn merge_anew(&self, world: &mut World) {
        let are_corrected = FollowedGrids::correct(world);
        let are_as_many = all_cells(world).count() == self.cells.len();
        let gone: HashSet<Key> = self.gone(world).map(|known| known.key).collect();
        if !are_corrected && are_as_many && gone.is_empty() {
            return;
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
    }

    /// Replaces the entities of grids and cells by those that stand for them now.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        for KnownCell { cell, key } in &mut self.cells {
            *cell = mapper.get_mapped(*cell);
            key.0 = mapper.get_mapped(key.0);
        }
        for (grid, from) in &mut self.to_follow {
            *grid = mapper.get_mapped(*grid);
            if let Some(from) = from {
                Component::map_entities(from, mapper);
            }
        }
    }
}

impl KnownCell {
    fn is_there(&self, world: &World) -> bool {
        key_of(world, self.cell) == Some(self.key)
    }

    fn rect(&self) -> CellRect {
        let MergedTiles { min, size } = self.key.1;
        CellRect { min, size }
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
