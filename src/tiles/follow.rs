//! Keeps the colliders of grids up to date with the grids.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        change_detection::{DetectChanges, Tick},
        entity::{Entity, EntityHashMap},
        hierarchy::{ChildOf, Children},
        prelude::{
            Commands, Component, FromWorld, Query, Ref, ReflectComponent, ResMut, Resource, With,
            World,
        },
        query::QueryData,
    },
    math::{IVec2, Vec2},
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::Transform,
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::{
    alike::{Alike, Beside},
    grid::{MergedTiles, TileColliders},
    merge::CellRect,
};
use crate::allow_disabled::AllowDisabled;
use crate::components::{Body, BoxCollider};

/// The state of a grid that its [`MergedTiles`] were last made from. The plugin writes it beside the [`TileColliders`]; it belongs wherever the cells go: into a saved world, or a clone.
///
/// A game does nothing with it, except that it must not leave it out there. Without it, a change of the grid's [`CollisionLayers`](crate::components::CollisionLayers) and the like in the meantime does not reach the cells that came along.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::{prelude::*, tiles::MergedFrom};
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let water = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
/// let lake = app.world_mut().spawn((water, Sensor)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// assert!(app.world().entity(lake).contains::<MergedFrom>());
///
/// // A copy, cells and all, that freezes before the next tick: its cells follow.
/// let mut lake = app.world_mut().entity_mut(lake);
/// let ice = lake.clone_and_spawn_with_opt_out(|copy| _ = copy.linked_cloning(true));
/// app.world_mut().entity_mut(ice).remove::<Sensor>();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let cells: Vec<Entity> = app.world().get::<Children>(ice).unwrap().to_vec();
/// assert!(!app.world().entity(cells[0]).contains::<Sensor>());
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MergedFrom {
    /// The size of a cell. It cannot be read from the colliders, for a game may give a cell another collider.
    cell_size: Vec2,
    /// Cells that stayed alone, sorted. A cell that no longer does is spawned anew, so what the game added to it is gone.
    alone: Vec<IVec2>,
    #[entities]
    alike: Alike,
}

/// The grids that have the cells that they should have.
// Not a `Local`: the tick follows the grids, and so does going back to an earlier one.
#[derive(Resource)]
pub(crate) struct FollowedGrids(EntityHashMap<Followed>);

impl FromWorld for FollowedGrids {
    /// Registers the components of grids: [`to_follow`](Self::to_follow) may be asked before the first tick, and only reads the world.
    fn from_world(world: &mut World) -> Self {
        world.query::<Grid>();
        Self(EntityHashMap::default())
    }
}

/// What the cells of a grid were made from.
struct Followed {
    /// When the grid had changed last.
    changed: Tick,
    /// The same as the component, which a game may have restored since, but not the cells.
    merged_from: MergedFrom,
}

impl FollowedGrids {
    /// Corrects what a game has restored of grids, but not of their cells: of cells that are as the grid was meanwhile, and of [`MergedFrom`], which then tells of cells that are not there. Returns whether anything was to be corrected.
    pub(super) fn correct(world: &mut World) -> bool {
        type AnyGrid = (With<TileColliders>, AllowDisabled);
        let mut grids = world.query_filtered::<(Entity, Option<&MergedFrom>), AnyGrid>();
        let Some(followed) = world.get_resource::<Self>() else {
            return false;
        };
        let wrong = grids.iter(world).filter_map(|(grid, restored)| {
            let truly = &followed.0.get(&grid)?.merged_from;
            (restored != Some(truly)).then(|| {
                let alike = &restored.unwrap_or(truly).alike;
                (grid, truly.clone(), alike.clone())
            })
        });
        let mut wrong: Vec<(Entity, MergedFrom, Alike)> = wrong.collect();
        wrong.sort_unstable_by_key(|(grid, ..)| *grid);
        let is_any = !wrong.is_empty();
        for (grid, truly, alike) in wrong {
            correct_cells(world, grid, &truly.alike, &alike);
            // An observer of the game may have removed it meanwhile.
            if let Ok(mut grid) = world.get_entity_mut(grid) {
                grid.insert(MergedFrom { alike, ..truly });
            }
        }
        is_any
    }

    /// Returns the grids that the next tick has to follow, and what the cells of each were made from; `None` for a new one.
    pub(super) fn to_follow(world: &World) -> Vec<(Entity, Option<MergedFrom>)> {
        let (Some(followed), Some(mut grids)) =
            (world.get_resource::<Self>(), world.try_query::<Grid>())
        else {
            return Vec::new();
        };
        let grids = grids.iter(world);
        let grids = grids.filter(|grid| !(grid.is_alike() && followed.has_merged(grid)));
        let grids = grids.map(|grid| (grid.entity, grid.merged_from.cloned()));
        grids.collect()
    }

    /// Takes a grid back to when the next tick had to follow it: keeps the cells that were there then (`was_there`), despawns the others, and spawns those that are `missing`.
    pub(super) fn take_back(
        world: &mut World,
        (grid, from): (Entity, Option<&MergedFrom>),
        was_there: impl Fn(Entity) -> bool,
        missing: Vec<CellRect>,
    ) {
        if world.get::<TileColliders>(grid).is_none() {
            return;
        }
        let followed = world.resource_mut::<Self>().0.remove(&grid);
        for cell in cells_of(world, grid) {
            if !was_there(cell)
                && let Ok(cell) = world.get_entity_mut(cell)
            {
                cell.despawn();
            }
        }
        if let Some(from) = from {
            if let Some(followed) = followed {
                correct_cells(world, grid, &followed.merged_from.alike, &from.alike);
            }
            spawn_cells(world, (grid, from.cell_size), &from.alike, missing);
        }
        // An observer of the game may have despawned it meanwhile.
        if let Ok(mut grid) = world.get_entity_mut(grid) {
            match from {
                Some(from) => grid.insert(from.clone()),
                None => grid.remove::<MergedFrom>(),
            };
        }
    }

    /// Whether the cells of a grid were merged from its tiles as they are. `Changed` would not do: it misses a change that was made while the grid was disabled.
    fn has_merged(&self, grid: &GridItem) -> bool {
        let followed = self.0.get(&grid.entity);
        followed.is_some_and(|followed| followed.changed == grid.tiles.last_changed())
    }
}

/// Gives the cells of a grid the components that it had `then`, in the place of those from `meanwhile`.
fn correct_cells(world: &mut World, grid: Entity, meanwhile: &Alike, then: &Alike) {
    for cell in cells_of(world, grid) {
        if let Ok(mut cell) = world.get_entity_mut(cell) {
            then.correct(meanwhile, &mut cell);
        }
    }
}

/// Disabled ones too.
fn cells_of(world: &World, grid: Entity) -> Vec<Entity> {
    let children = world.get::<Children>(grid).into_iter().flatten();
    let is_cell = |child: &Entity| world.get::<MergedTiles>(*child).is_some();
    children.copied().filter(is_cell).collect()
}

/// A grid, and the state that its cells were made from.
#[derive(QueryData)]
pub(crate) struct Grid {
    entity: Entity,
    tiles: Ref<'static, TileColliders>,
    beside: Beside,
    merged_from: Option<&'static MergedFrom>,
    children: Option<&'static Children>,
}

impl GridItem<'_, '_> {
    /// Whether the cells have the components that are beside the grid.
    fn is_alike(&self) -> bool {
        let from = self.merged_from;
        from.is_some_and(|from| self.beside.is(&from.alike))
    }
}

/// Gives grids the colliders that they should have, and hands the components beside a grid on to these when they have changed.
///
/// A grid may be a descendant of another grid's cell that is despawned here. Then it is gone when its own commands run, and they skip it.
///
/// A `Disabled` grid is skipped until it is enabled again, since cells that are spawned now would not be disabled along with it. Disabled cells count as cells of their grid all the same.
pub(crate) fn follow_grids(
    mut commands: Commands,
    mut followed: ResMut<FollowedGrids>,
    grids: Query<Grid>,
    all_grids: Query<(), (With<TileColliders>, AllowDisabled)>,
    all_cells: Query<(Entity, &MergedTiles), AllowDisabled>,
) {
    let mut count = 0;
    for grid in &grids {
        count += 1;
        let (is_alike, is_same) = (grid.is_alike(), followed.has_merged(&grid));
        if is_alike && is_same {
            continue;
        }
        let GridItem {
            entity,
            tiles,
            merged_from,
            ..
        } = grid;
        let alike = grid.beside.keep();
        let children = grid.children.into_iter().flatten();
        let cells = children.filter_map(|&child| all_cells.get(child).ok());
        // A new grid has no cells yet.
        if let Some(from) = merged_from.filter(|_| !is_alike) {
            for (cell, _) in cells.clone() {
                alike.hand_on(&from.alike, &mut commands.entity(cell));
            }
        }
        let is_merged_so = |from: &MergedFrom| from.alike.axes_to_merge() == alike.axes_to_merge();
        if !is_same || !merged_from.is_some_and(is_merged_so) {
            let may_stay =
                |cell: &MergedTiles| merged_from.is_none_or(|from| from.may_stay(&tiles, cell));
            merge_anew(&mut commands, (entity, &tiles), &alike, cells, may_stay);
        }
        let mut alone: Vec<IVec2> = tiles.alone_cells().collect();
        alone.sort_unstable_by_key(|cell| cell.to_array());
        let merged_from = MergedFrom {
            cell_size: tiles.cell_size(),
            alone,
            alike,
        };
        commands.entity(entity).try_insert(merged_from.clone());
        let known = Followed {
            changed: tiles.last_changed(),
            merged_from,
        };
        followed.0.insert(entity, known);
    }
    if followed.0.len() > count {
        followed.0.retain(|&grid, _| all_grids.contains(grid));
    }
}

impl MergedFrom {
    /// Whether a cell may stay as it is if the grid wants one of the same place and size.
    fn may_stay(&self, grid: &TileColliders, cell: &MergedTiles) -> bool {
        let was_alone = || {
            let known = |one: &IVec2| one.to_array();
            let at = self.alone.binary_search_by_key(&known(&cell.min), known);
            at.is_ok()
        };
        // A cell that starts or stops staying alone is spawned anew even if its rectangle is the same: a game's observer of `Add` may make a door of a cell that stays alone, and a wall of another.
        let is_as_alone = || cell.size != IVec2::ONE || was_alone() == grid.is_alone(cell.min);
        self.cell_size == grid.cell_size() && is_as_alone()
    }
}

/// Spawns the cells that are missing, and despawns those that should not be there, or that may not stay as they are.
fn merge_anew<'a>(
    commands: &mut Commands,
    (entity, grid): (Entity, &TileColliders),
    alike: &Alike,
    cells: impl Iterator<Item = (Entity, &'a MergedTiles)>,
    may_stay: impl Fn(&MergedTiles) -> bool,
) {
    let wanted = grid.rectangles(alike.axes_to_merge());
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
    commands.queue(move |world: &mut World| {
        spawn_cells(world, (entity, cell_size), &alike, missing);
    });
}

/// Spawns cells one by one: a game's observer of a new cell may remove the grid before the other cells are spawned.
fn spawn_cells(
    world: &mut World,
    (grid, cell_size): (Entity, Vec2),
    alike: &Alike,
    missing: Vec<CellRect>,
) {
    let is_grid = |world: &World| world.get::<TileColliders>(grid).is_some();
    for rect in missing {
        if !is_grid(world) {
            return;
        }
        let cell = spawn_cell(&mut world.commands(), grid, rect, cell_size, alike);
        world.flush();
        // The hook of a removed grid despawns only the cells that are complete.
        if !is_grid(world)
            && let Ok(cell) = world.get_entity_mut(cell)
        {
            cell.despawn();
        }
    }
}

fn spawn_cell(
    commands: &mut Commands,
    grid: Entity,
    CellRect { min, size }: CellRect,
    cell_size: Vec2,
    alike: &Alike,
) -> Entity {
    let half_size = size.as_vec2() * cell_size * 0.5;
    let center = min.as_vec2() * cell_size + half_size;
    // A child of the grid from the start, so that the cell is despawned with the grid at any point.
    let mut cell = commands.spawn(ChildOf(grid));
    alike.hand_on(&Alike::default(), &mut cell);
    // `MergedTiles` comes last: an observer of its `Add` may override what the cell got from the grid.
    cell.try_insert((
        MergedTiles { min, size },
        BoxCollider::from_half_size(half_size),
        Body::Static,
        Transform::from_translation(center.extend(0.0)),
    ));
    cell.id()
}
