//! Lets the colliders of grids follow them.

use bevy::{
    ecs::{
        change_detection::{DetectChanges, Tick},
        entity::{Entity, EntityHashMap},
        hierarchy::{ChildOf, Children},
        prelude::{Commands, EntityWorldMut, Local, Query, Ref, With},
    },
    math::{IVec2, Vec2},
    platform::collections::HashSet,
    transform::components::Transform,
};

use super::{
    alike::{Alike, Beside},
    grid::{MergedTiles, TileColliders},
    merge::CellRect,
};
use crate::allow_disabled::AllowDisabled;
use crate::components::{Body, BoxCollider};

/// What a grid was when its cells last followed it.
pub(crate) struct Known {
    /// When the cells had been changed. `Changed` would not do: of what changes while a grid is hidden it tells nobody later.
    changed: Tick,
    /// By the colliders it can't be told, for a game may give a cell another one.
    cell_size: Vec2,
    /// Cells that stayed alone: what a game made of these goes with that.
    alone: HashSet<IVec2>,
    alike: Alike,
}

/// Gives grids the colliders that they should have, and those what has changed beside their grid.
///
/// What goes with a cell, as a grid may that hangs on it, is gone when its own turn comes, and gets nothing any more.
///
/// A grid that is `Disabled` waits until it is back: cells that it gets now would be there without it. Cells that are disabled are its cells all the same.
pub(crate) fn follow_grids(
    mut commands: Commands,
    mut known: Local<EntityHashMap<Known>>,
    grids: Query<(Entity, Ref<TileColliders>, Beside, Option<&Children>)>,
    all_grids: Query<(), (With<TileColliders>, AllowDisabled)>,
    all_cells: Query<(Entity, &MergedTiles), AllowDisabled>,
) {
    let mut count = 0;
    for (entity, grid, beside, children) in &grids {
        count += 1;
        let changed = grid.last_changed();
        let before = known.get(&entity);
        // A grid that is new has no cells yet, and one that comes from a saved world has such as it had.
        let is_alike = before.is_none_or(|before| beside.is(&before.alike));
        let is_same = before.is_some_and(|before| before.changed == changed);
        if is_alike && is_same {
            continue;
        }
        let alike = beside.keep();
        let children = children.into_iter().flatten();
        let cells = children.filter_map(|&child| all_cells.get(child).ok());
        if let Some(before) = before.filter(|_| !is_alike) {
            for (cell, _) in cells.clone() {
                alike.hand_on(&before.alike, &mut commands.entity(cell));
            }
        }
        if !is_same {
            let have_size = before.is_none_or(|before| before.cell_size == grid.cell_size());
            // Whoever observes its coming makes a door of one that stays alone, and a wall of one that does so no more.
            let is_other = |tiles: &MergedTiles| {
                let was_alone = before.map(|before| before.alone.contains(&tiles.min));
                tiles.size == IVec2::ONE
                    && was_alone.is_some_and(|was_alone| was_alone != grid.is_alone(tiles.min))
            };
            let may_stay = |tiles: &MergedTiles| have_size && !is_other(tiles);
            merge_anew(&mut commands, (entity, &grid), &alike, cells, may_stay);
        }
        let now = Known {
            changed,
            cell_size: grid.cell_size(),
            alone: grid.alone_cells().collect(),
            alike,
        };
        known.insert(entity, now);
    }
    if known.len() > count {
        known.retain(|&grid, _| all_grids.contains(grid));
    }
}

/// Spawns the cells that are missing, and despawns those that should not be there, or may not stay as they are.
fn merge_anew<'a>(
    commands: &mut Commands,
    (entity, grid): (Entity, &TileColliders),
    alike: &Alike,
    cells: impl Iterator<Item = (Entity, &'a MergedTiles)>,
    may_stay: impl Fn(&MergedTiles) -> bool,
) {
    let wanted = grid.rectangles();
    let mut is_there = vec![false; wanted.len()];
    for (cell, tiles) in cells {
        let key = |min: IVec2| (min.y, min.x);
        let at = wanted.binary_search_by_key(&key(tiles.min), |rect| key(rect.min));
        match at.ok().filter(|&at| wanted[at].size == tiles.size) {
            Some(at) if may_stay(tiles) => is_there[at] = true,
            _ => commands.entity(cell).try_despawn(),
        }
    }
    let missing = wanted.into_iter().zip(is_there);
    let missing = missing.filter(|(_, is_there)| !is_there);
    let missing: Vec<CellRect> = missing.map(|(rect, _)| rect).collect();
    if missing.is_empty() {
        return;
    }
    let (cell_size, alike) = (grid.cell_size(), alike.clone());
    let spawn_missing = move |mut grid: EntityWorldMut| {
        grid.world_scope(|world| {
            let mut commands = world.commands();
            for rect in missing {
                spawn_cell(&mut commands, entity, rect, cell_size, &alike);
            }
        });
    };
    commands.entity(entity).queue_silenced(spawn_missing);
}

fn spawn_cell(
    commands: &mut Commands,
    grid: Entity,
    CellRect { min, size }: CellRect,
    cell_size: Vec2,
    alike: &Alike,
) {
    let half_size = size.as_vec2() * cell_size * 0.5;
    let center = min.as_vec2() * cell_size + half_size;
    // What makes it a cell comes last: whoever observes that may say otherwise.
    let mut cell = commands.spawn_empty();
    alike.hand_on(&Alike::default(), &mut cell);
    cell.insert((
        MergedTiles { min, size },
        BoxCollider::from_half_size(half_size),
        Body::Static,
        Transform::from_translation(center.extend(0.0)),
        ChildOf(grid),
    ));
}
