//! The cells of grids that an earlier tick knew. What changes is spawned anew, so who goes back to that tick finds others in their places.

use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap, EntityMapper},
        hierarchy::ChildOf,
        prelude::{With, World},
    },
    math::IVec2,
    platform::collections::HashMap,
};

use super::{follow::follow_grids, grid::MergedTiles};

/// All cells of all grids, as they were.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownCells(Vec<KnownCell>);

#[derive(Clone, Copy, Debug)]
struct KnownCell {
    cell: Entity,
    key: Key,
}

/// Its grid, and where it is in that and how large: no two cells have the same.
type Key = (Entity, IVec2, IVec2);

impl KnownCells {
    pub(crate) fn of(world: &World) -> Self {
        Self(all_cells(world))
    }

    /// Who is in the place of each of them that is gone. Its grid gets the cells that it should have now, and not in the next tick only; and a grid that has gained cells since loses them.
    pub(crate) fn who_is_who(&self, world: &mut World) -> EntityHashMap<Entity> {
        let is_gone =
            |world: &World, known: &KnownCell| key_of(world, known.cell) != Some(known.key);
        let are_as_many = count_cells(world) == self.0.len();
        if are_as_many && !self.0.iter().any(|known| is_gone(world, known)) {
            return EntityHashMap::default();
        }
        world
            .run_system_cached(follow_grids)
            .expect("a system without conditions or resources");
        world.flush();
        let now = all_cells(world).into_iter();
        let now: HashMap<Key, Entity> = now.map(|known| (known.key, known.cell)).collect();
        let gone = self.0.iter().filter(|known| is_gone(world, known));
        gone.filter_map(|known| Some((known.cell, *now.get(&known.key)?)))
            .collect()
    }

    /// Who was one entity is another one now.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        for KnownCell { cell, key } in &mut self.0 {
            *cell = mapper.get_mapped(*cell);
            key.0 = mapper.get_mapped(key.0);
        }
    }
}

fn all_cells(world: &World) -> Vec<KnownCell> {
    // In a world that has never had a cell there is no such query. Who is disabled takes no part.
    let query = world.try_query::<(Entity, &MergedTiles, &ChildOf)>();
    let cells = query.map(|mut query| {
        let cells = query.iter(world);
        let cells = cells.map(|(cell, tiles, child_of)| KnownCell {
            cell,
            key: (child_of.parent(), tiles.min, tiles.size),
        });
        cells.collect()
    });
    cells.unwrap_or_default()
}

/// How many these are.
fn count_cells(world: &World) -> usize {
    let query = world.try_query_filtered::<(), (With<MergedTiles>, With<ChildOf>)>();
    query.map_or(0, |mut query| query.iter(world).count())
}

fn key_of(world: &World, cell: Entity) -> Option<Key> {
    let tiles = world.get::<MergedTiles>(cell)?;
    let child_of = world.get::<ChildOf>(cell)?;
    Some((child_of.parent(), tiles.min, tiles.size))
}
