//! Which cell a collision is about.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::ChildOf,
        prelude::{Query, Res},
        system::SystemParam,
    },
    math::IVec2,
};

use super::grid::MergedTiles;
use crate::{kernel::Outline, messages::Collision, state::colliders::Colliders};

/// Finds the cells of [`TileColliders`](super::TileColliders) that collisions are about.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::{prelude::*, tiles::{TileCells, TileColliders}};
/// # #[derive(Component)] struct Ball;
/// fn break_tiles(
///     mut collisions: MessageReader<Collision>,
///     cells: TileCells,
///     ball: Single<Entity, With<Ball>>,
///     mut grids: Query<&mut TileColliders>,
/// ) {
///     for hit in collisions.read() {
///         if let Some((grid, cell)) = cells.met_by(*ball, hit) && let Ok(mut tiles) = grids.get_mut(grid) {
///             tiles.set(cell, false);
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(break_tiles);
/// ```
#[derive(SystemParam)]
pub struct TileCells<'w, 's> {
    merged: Query<'w, 's, (&'static MergedTiles, &'static ChildOf)>,
    colliders: Res<'w, Colliders>,
}

impl TileCells<'_, '_> {
    /// The grid and the cell that a collider met in the newest tick, or `None` if the other one is no tile.
    ///
    /// It is the cell behind the point of the collision. Where that lies between two cells, it is the one to the right, or above. In a grid that is mirrored by a negative scale, cells
    /// are counted from the wrong side.
    pub fn met_by(&self, entity: Entity, collision: &Collision) -> Option<(Entity, IVec2)> {
        let tile = collision.other(entity)?;
        let into = collision.normal_for(entity)?;
        let (tiles, child_of) = self.merged.get(tile).ok()?;
        let placed = &self.colliders.placed[self.colliders.slot(tile)?];
        let Outline::Shape(shape) = placed.outline else {
            return None;
        };
        let half = shape.half_extents();
        let corner = placed.center(&self.colliders.movers) - half;
        let cell_size = half * 2.0 / tiles.size.as_vec2();
        // Behind the surface: the point lies halfway in the overlap.
        let step = collision.depth * 0.5 + cell_size.min_element() * 0.01;
        let place = (collision.point + into * step - corner) / cell_size;
        let cell = place.floor().as_ivec2();
        Some((
            child_of.parent(),
            tiles.min + cell.clamp(IVec2::ZERO, tiles.size - IVec2::ONE),
        ))
    }
}
