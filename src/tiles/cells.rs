//! Finds the cell that a collision, or a hit, is about.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::ChildOf,
        prelude::{Query, Res},
        system::SystemParam,
    },
    math::{IVec2, Vec2},
};

use super::grid::MergedTiles;
use crate::{
    messages::Collision,
    state::{colliders::Colliders, contacts::Contacts},
};

/// Finds the cells of [`TileColliders`](super::TileColliders) that collisions, and hits of casts, are about.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # #[derive(Component)] struct Ball;
/// # let mut app = App::new();
/// fn break_tiles(
///     mut hits: CollisionReader<With<Ball>, With<MergedTiles>>,
///     cells: TileCells,
///     mut grids: Query<&mut TileColliders>,
/// ) {
///     for hit in hits.ongoing() {
///         if let Some((grid, cell)) = cells.met_by(hit.a, &hit) && let Ok(mut tiles) = grids.get_mut(grid) {
///             tiles.set(cell, false);
///         }
///     }
/// }
///
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default()))
///     .add_systems(FixedPostUpdate, break_tiles.after(CollisionSystems::Report));
/// let grid = TileColliders::from_cells(Vec2::splat(10.0), (0..5).map(|x| IVec2::new(x, 0)));
/// let grid = app.world_mut().spawn(grid).id();
/// app.world_mut().spawn((Ball, CircleCollider::new(2.0), Transform::from_xyz(25.0, 11.0, 0.0))); // over cell 2
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let left: Vec<bool> = (0..5).map(|x| app.world().get::<TileColliders>(grid).unwrap().is_filled(IVec2::new(x, 0))).collect();
/// assert_eq!(left, [true, true, false, true, true]);
/// ```
#[derive(SystemParam)]
pub struct TileCells<'w, 's> {
    merged: Query<'w, 's, (&'static MergedTiles, &'static ChildOf)>,
    colliders: Res<'w, Colliders>,
    contacts: Res<'w, Contacts>,
}

impl TileCells<'_, '_> {
    /// Returns the grid and the cell that a collider met in the newest tick, or `None` if the other collider is no tile.
    ///
    /// - It is the cell behind the surface where the two met, the first that `entity` touches there. If that lies between two cells, it is the one to the right, or above.
    /// - It is computed from the place of the grid when the two met, even if the grid has moved on since or was pushed out. For a collider that the grid was only pushed into, it is computed from the grid's place before the push.
    /// - In a grid that is turned, or mirrored by a negative scale, cells are counted from the wrong side.
    ///
    /// The [type](Self) has an example.
    pub fn met_by(&self, entity: Entity, collision: &Collision) -> Option<(Entity, IVec2)> {
        let tile = collision.other(entity)?;
        let into = collision.normal_for(entity)?;
        let slot = self.colliders.slot(tile)?;
        // The other entity may be gone.
        let other = self.colliders.slot(entity);
        // The grid may have moved on since the two met, or may have been pushed.
        let center = (self.contacts).center_when_met(&self.colliders, slot, other);
        // The point lies halfway between the tile's surface and the deepest point of the other collider. A collider that is shorter than the depth does not reach the surface: then the cell is the one at its near end.
        let length = other.and_then(|other| {
            let shape = self.colliders.placed[other].outline.shape()?;
            Some(2.0 * (shape.half_size().dot(into.abs()) + shape.radius()))
        });
        let from_surface = (collision.depth - length.unwrap_or(f32::INFINITY)).max(0.0);
        let to_surface = from_surface - collision.depth * 0.5;
        self.behind(
            (tile, slot),
            collision.point + into * to_surface - center,
            into,
        )
    }

    /// Returns the grid and the cell at a point in the world that lies on a tile's surface, or in the tile; `None` if `tile` is no tile, or no tick has seen it yet, or the point is not finite. For what a cast hits, a [`Mover`](crate::query::Mover) meets, or a query finds near. `normal` is that of the surface; zero for the cell that the point itself is in.
    ///
    /// It uses the place where the newest tick left the grid, as a [`SpatialQuery`](crate::query::SpatialQuery) does. For a point outside of the tile it returns the nearest cell; else what [`met_by`](Self::met_by) says holds here.
    ///
    /// ```
    /// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    /// let wall = TileColliders::from_cells(Vec2::splat(10.0), (0..5).map(|y| IVec2::new(6, y)));
    /// let wall = app.world_mut().spawn(wall).id(); // from (60, 0) to (70, 50), and one box
    /// app.world_mut().run_schedule(FixedPostUpdate);
    ///
    /// let dig = |space: SpatialQuery, cells: TileCells| {
    ///     let hit = space.cast_ray(Vec2::new(0.0, 34.0), Vec2::new(100.0, 0.0), &QueryFilter::ALL).first()?;
    ///     cells.at(hit.entity, hit.point, hit.normal)
    /// };
    /// assert_eq!(app.world_mut().run_system_once(dig)?, Some((wall, IVec2::new(6, 3))));
    /// # Ok::<(), bevy::ecs::system::RunSystemError>(())
    /// ```
    pub fn at(&self, tile: Entity, point: Vec2, normal: Vec2) -> Option<(Entity, IVec2)> {
        let slot = self.colliders.slot(tile)?;
        let center = self.colliders.placed[slot].center(&self.colliders.body_states);
        let is_valid = point.is_finite() && normal.is_finite();
        is_valid.then(|| self.behind((tile, slot), point - center, -normal))?
    }

    /// Returns the cell at a place given relative to the tile's center, moved a hundredth of a cell in the direction `into`.
    fn behind(
        &self,
        (tile, slot): (Entity, usize),
        place: Vec2,
        into: Vec2,
    ) -> Option<(Entity, IVec2)> {
        let (tiles, child_of) = self.merged.get(tile).ok()?;
        let half = self.colliders.placed[slot].outline.shape()?.half_extents();
        let cell_size = half * 2.0 / tiles.size.as_vec2();
        let place = place + into * cell_size.min_element() * 0.01;
        let cell = ((place + half) / cell_size).floor().as_ivec2();
        Some((
            child_of.parent(),
            tiles.min + cell.clamp(IVec2::ZERO, tiles.size - IVec2::ONE),
        ))
    }
}
