//! The component `TileColliders`, and the one that marks its colliders.

#[cfg(feature = "serialize")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::Children,
        lifecycle::HookContext,
        prelude::{Component, ReflectComponent},
        world::DeferredWorld,
    },
    math::{BVec2, I64Vec2, IVec2, Vec2},
    platform::collections::HashSet,
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::{GlobalTransform, Transform},
};
#[cfg(feature = "serialize")]
use serde::{Deserialize, Serialize};

use super::merge::{CellRect, merge_along};
use crate::{
    components::Body,
    kernel::{Shape, separation},
};

/// A grid of cells, of which some are solid. It has few colliders, as children, which follow every change of the grid in the next tick.
///
/// Cell `(0, 0)` has its lower left corner at the entity's origin, and `(1, 0)` is the one to its right. The body is `Static` unless another is put beside it. Adjacent cells are merged to larger boxes, unless
/// they [stay alone](Self::set_alone): a cell that does has a collider of its own, to put layers or a sensor on. [`TileCells`](super::TileCells) tells which cell a collision is about.
///
/// - **Components:** `CollisionLayers`, `Sensor`, `OneWay`, `SurfaceVelocity`, `IgnoreCollisions`, `ColliderDisabled` and `CollisionTag` beside the grid hold for all its cells, from their first tick on, and follow when they are inserted, changed or removed there. What a game gives to a cell that stays alone, the cell keeps until the same component changes on the grid. An observer of `Add` for its [`MergedTiles`], which a cell gets last, may do so.
/// - **`OneWay`:** beside the grid it makes each row a ledge of its own, or each column if the direction points to the left or right, whatever other cells there are: cells are merged along their solid side alone, and not at all if the direction points between the axes, where two sides of each are solid.
/// - **Children:** the colliders are children of the grid: `despawn_children` and the like despawn them too, and they come back when the grid changes the next time or is written anew, or when a [`CollisionMemory`](crate::memory::CollisionMemory) is restored that knew any box of the grid that is gone now. So put pictures of tiles on another entity, and to take a tile out, clear its cell.
/// - **Disabled:** a collider is recognized as a cell by its [`MergedTiles`], whatever collider a game gives to one that stays alone, and also while it is `Disabled`. A grid that is `Disabled` waits: its colliders, which `insert_recursive::<Children>(Disabled)` disables too, follow its changes once it is enabled again.
/// - **When:** removing the component removes its colliders at once. But a new grid has none until the next tick merges it: until then queries ([`SpatialQuery`](crate::query::SpatialQuery)) do not find it, and for a cell that was just set or cleared they answer as before.
/// - **Cost:** a change merges all cells anew, `O(n log n)`; colliders of rectangles that stay the same stay too. A grid that does not change costs one check in each tick.
/// - **Scale and rotation:** the scale of the entity scales the cells; a rotation would move the boxes, but not turn them.
/// - **Invalid sizes:** a cell size that is negative or not finite makes colliders that take no part, with a warning.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let mut tiles = TileColliders::new(Vec2::splat(16.0));
/// for x in 0..5 {
///     tiles.set(IVec2::new(x, 0), true);
/// }
/// assert_eq!(tiles.cell_at(Vec2::new(40.0, 3.0)), IVec2::new(2, 0));
/// assert!(tiles.is_filled(IVec2::new(2, 0)) && !tiles.is_filled(IVec2::new(5, 0)));
/// assert_eq!(tiles.cell_size(), Vec2::splat(16.0));
/// tiles.set_alone(IVec2::new(2, 0), true); // a door
///
/// let grid = app.world_mut().spawn(tiles).id();
/// # fn boxes(app: &mut App) -> Vec<(i32, i32)> {
/// #     app.world_mut().run_schedule(FixedPostUpdate);
/// #     let mut merged = app.world_mut().query::<&MergedTiles>();
/// #     let mut boxes: Vec<_> = merged.iter(app.world()).map(|tiles| (tiles.min.x, tiles.size.x)).collect();
/// #     boxes.sort_unstable();
/// #     boxes
/// # }
/// assert_eq!(boxes(&mut app), [(0, 2), (2, 1), (3, 2)]); // where each begins, and how wide it is
/// app.world_mut().get_mut::<TileColliders>(grid).unwrap().set(IVec2::new(3, 0), false);
/// assert_eq!(boxes(&mut app), [(0, 2), (2, 1), (4, 1)]);
/// ```
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Clone, Debug, Default)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform, Body = Body::Static)]
#[component(on_remove = despawn_cells)]
pub struct TileColliders {
    cell_size: Vec2,
    #[reflect(default)]
    #[cfg_attr(feature = "serialize", serde(default))]
    filled: HashSet<IVec2>,
    #[reflect(default)]
    #[cfg_attr(feature = "serialize", serde(default))]
    alone: HashSet<IVec2>,
}

/// Marks a collider of [`TileColliders`], which is its parent, and tells which cells it covers. For queries; the grid spawns and despawns these entities.
///
/// ```
/// # use bevy::prelude::*; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let cells = (0..3).flat_map(|x| (0..2).map(move |y| IVec2::new(x, y)));
/// let grid = app.world_mut().spawn(TileColliders::from_cells(Vec2::splat(10.0), cells)).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
/// let mut all = app.world_mut().query::<(&MergedTiles, &BoxCollider, &ChildOf)>();
/// let (tiles, collider, parent) = all.single(app.world()).unwrap();
/// assert_eq!((tiles.min, tiles.size), (IVec2::ZERO, IVec2::new(3, 2)));
/// assert_eq!((collider.half_size, parent.parent()), (Vec2::new(15.0, 10.0), grid));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Clone, Debug, PartialEq, Hash)]
#[cfg_attr(
    feature = "serialize",
    derive(Serialize, Deserialize),
    reflect(Serialize, Deserialize)
)]
pub struct MergedTiles {
    /// The cell in its lower left corner.
    pub min: IVec2,
    /// How many cells wide and high it is.
    pub size: IVec2,
}

/// An empty grid of cells as wide and high as 1.
impl Default for TileColliders {
    fn default() -> Self {
        Self::new(Vec2::ONE)
    }
}

impl TileColliders {
    /// Makes an empty grid. `cell_size` is the width and height of a cell.
    pub fn new(cell_size: Vec2) -> Self {
        Self {
            cell_size,
            filled: HashSet::default(),
            alone: HashSet::default(),
        }
    }

    /// Makes a grid with these cells filled.
    pub fn from_cells(cell_size: Vec2, cells: impl IntoIterator<Item = IVec2>) -> Self {
        let mut grid = Self::new(cell_size);
        grid.filled.extend(cells);
        grid
    }

    /// Makes a grid from a function: of the cells from `min` up to, but not including, `min + size`, those for which `is_filled` returns true.
    ///
    /// ```
    /// # use bevy::math::{IVec2, Vec2}; use bevy_nudge::tiles::TileColliders;
    /// let map = ["..#", "###"];
    /// let is_wall = |cell: IVec2| map[1 - cell.y as usize].as_bytes()[cell.x as usize] == b'#'; // the last line is row 0
    /// let tiles = TileColliders::from_fn(Vec2::splat(16.0), IVec2::ZERO, IVec2::new(3, 2), is_wall);
    /// assert!(tiles.is_filled(IVec2::new(2, 1)) && !tiles.is_filled(IVec2::new(1, 1)));
    /// ```
    pub fn from_fn(
        cell_size: Vec2,
        min: IVec2,
        size: IVec2,
        is_filled: impl Fn(IVec2) -> bool,
    ) -> Self {
        let rows = 0..size.y.max(0);
        let cells = rows.flat_map(|y| (0..size.x.max(0)).map(move |x| min + IVec2::new(x, y)));
        Self::from_cells(cell_size, cells.filter(|cell| is_filled(*cell)))
    }

    /// Returns the width and height of a cell, in units of the entity.
    pub fn cell_size(&self) -> Vec2 {
        self.cell_size
    }

    /// Whether a cell is solid.
    pub fn is_filled(&self, cell: IVec2) -> bool {
        self.filled.contains(&cell)
    }

    /// Makes a cell solid, or clears it.
    pub fn set(&mut self, cell: IVec2, is_filled: bool) {
        if is_filled {
            self.filled.insert(cell);
        } else {
            self.filled.remove(&cell);
        }
    }

    /// Makes many cells solid at once, or clears them, such as those that a blast takes away.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::{kernel::Shape, tiles::TileColliders};
    /// let mut level = TileColliders::from_fn(Vec2::splat(10.0), IVec2::ZERO, IVec2::splat(5), |_| true);
    /// // Around the middle of cell (2, 2).
    /// let blast = Shape::circle(9.0).unwrap();
    /// let hit: Vec<IVec2> = level.cells_in(blast, Vec2::splat(25.0)).collect();
    /// level.set_many(hit, false);
    /// assert_eq!(level.iter().count(), 25 - 9);
    /// ```
    pub fn set_many(&mut self, cells: impl IntoIterator<Item = IVec2>, is_filled: bool) {
        for cell in cells {
            self.set(cell, is_filled);
        }
    }

    /// Gives a cell a collider of its own, as long as it is filled, or merges it with its neighbors again. The old collider is despawned, with whatever the game has added to it.
    pub fn set_alone(&mut self, cell: IVec2, is_alone: bool) {
        if is_alone {
            self.alone.insert(cell);
        } else {
            self.alone.remove(&cell);
        }
    }

    /// Returns the cell at a place given relative to the entity's origin; [`world_to_cell`](Self::world_to_cell) returns that at a place in the world. The inverse is [`cell_center`](Self::cell_center).
    pub fn cell_at(&self, place: Vec2) -> IVec2 {
        (place / self.cell_size).floor().as_ivec2()
    }

    /// Returns the center of a cell, relative to the entity's origin; [`cell_to_world`](Self::cell_to_world) returns it in the world.
    pub fn cell_center(&self, cell: IVec2) -> Vec2 {
        (cell.as_vec2() + 0.5) * self.cell_size
    }

    /// Returns the cell, filled or not, at a point in the world, such as that of the cursor. `grid` is the entity's `GlobalTransform`; if its scale is zero on any axis, the cell means nothing.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// /// Builds where the cursor is.
    /// fn build(cursor: Vec2, grid: Single<(&mut TileColliders, &GlobalTransform)>) {
    ///     let (mut tiles, place) = grid.into_inner();
    ///     let cell = tiles.world_to_cell(place, cursor);
    ///     tiles.set(cell, true);
    /// }
    /// let tiles = TileColliders::new(Vec2::splat(16.0));
    /// let place = GlobalTransform::from_xyz(-100.0, 0.0, 0.0);
    /// assert_eq!(tiles.world_to_cell(&place, Vec2::new(-60.0, 3.0)), IVec2::new(2, 0));
    /// assert_eq!(tiles.cell_to_world(&place, IVec2::new(2, 0)), Vec2::new(-60.0, 8.0));
    /// ```
    pub fn world_to_cell(&self, grid: &GlobalTransform, point: Vec2) -> IVec2 {
        self.cell_at(Self::world_to_local(grid, point))
    }

    /// Returns the center of a cell in the world, where `grid` is the entity's `GlobalTransform`. The inverse is [`world_to_cell`](Self::world_to_cell).
    pub fn cell_to_world(&self, grid: &GlobalTransform, cell: IVec2) -> Vec2 {
        let center = self.cell_center(cell).extend(0.0);
        grid.transform_point(center).truncate()
    }

    /// Returns a point in the world relative to a grid's origin, and in its scale: for [`cell_at`](Self::cell_at) and [`cells_in`](Self::cells_in). `grid` is the entity's `GlobalTransform`; if its scale is zero on any axis, the place means nothing.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::{kernel::Shape, tiles::TileColliders};
    /// /// Takes away what is within 40 units of a blast.
    /// fn dig(blast: Vec2, tiles: &mut TileColliders, grid: &GlobalTransform) -> Result {
    ///     let hole = Shape::circle(40.0 / grid.scale().x.abs())?;
    ///     let gone: Vec<IVec2> = tiles.cells_in(hole, TileColliders::world_to_local(grid, blast)).collect();
    ///     tiles.set_many(gone, false);
    ///     Ok(())
    /// }
    /// let mut level = TileColliders::from_fn(Vec2::splat(8.0), IVec2::ZERO, IVec2::new(9, 1), |_| true);
    /// // Twice as large, so that the cells lie at 0, 16, 32, 48 ...
    /// let grid = GlobalTransform::from(Transform::from_scale(Vec3::splat(2.0)));
    /// dig(Vec2::new(0.0, 8.0), &mut level, &grid)?;
    /// assert_eq!(level.iter().map(|cell| cell.x).min(), Some(3));
    /// # Ok::<(), BevyError>(())
    /// ```
    pub fn world_to_local(grid: &GlobalTransform, point: Vec2) -> Vec2 {
        let to_grid = grid.affine().inverse();
        to_grid.transform_point3(point.extend(0.0)).truncate()
    }

    /// Returns all cells that are filled, in no particular order: to save, draw, count or search them.
    ///
    /// ```
    /// # use bevy::math::{IVec2, Vec2}; use bevy_nudge::tiles::TileColliders;
    /// let tiles = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO, IVec2::new(-3, 2)]);
    /// assert_eq!(tiles.iter().count(), 2);
    /// let leftmost = tiles.iter().min_by_key(|cell| cell.x).unwrap();
    /// assert_eq!(tiles.cell_center(leftmost), Vec2::new(-40.0, 40.0));
    /// assert_eq!(tiles.cell_at(tiles.cell_center(leftmost)), leftmost);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = IVec2> {
        self.filled.iter().copied()
    }

    /// Returns all filled cells that a shape overlaps, and does not only touch, row by row: those below a foot, or in a blast.
    ///
    /// The place of the shape is given relative to the entity's origin, and in its space: the scale of a grid scales the shape as well. There are none for a place that is not finite, or in a grid whose cells have an invalid size. Costs a check of each cell around the shape, or of each filled cell if those are fewer.
    ///
    /// ```
    /// # use bevy::math::{IVec2, Vec2}; use bevy_nudge::{kernel::Shape, tiles::TileColliders};
    /// let mut tiles = TileColliders::from_fn(Vec2::splat(16.0), IVec2::ZERO, IVec2::new(9, 9), |_| true);
    /// let blast = Shape::circle(20.0).unwrap();
    /// let gone: Vec<IVec2> = tiles.cells_in(blast, Vec2::new(72.0, 72.0)).collect(); // in the middle of cell (4, 4)
    /// assert_eq!(gone.len(), 9);
    /// tiles.set_many(gone, false);
    /// let foot = Shape::rectangle(Vec2::new(6.0, 1.0)).unwrap();
    /// let below: Vec<IVec2> = tiles.cells_in(foot, Vec2::new(30.0, 143.5)).collect();
    /// assert_eq!(below, [IVec2::new(1, 8), IVec2::new(2, 8)]);
    /// ```
    pub fn cells_in(&self, shape: Shape, place: Vec2) -> impl Iterator<Item = IVec2> {
        let half = shape.half_extents();
        let (low, high) = (self.cell_at(place - half), self.cell_at(place + half));
        let cell_shape = Shape::rectangle(self.cell_size * 0.5).ok();
        let cell_shape = cell_shape.filter(|_| place.is_finite());
        let is_in = move |cell: &IVec2| {
            let offset = self.cell_center(*cell) - place;
            cell_shape.is_some_and(|wall| separation(shape, wall, offset) < 0.0)
        };
        let size = (high.as_i64vec2() - low.as_i64vec2()).saturating_add(I64Vec2::ONE);
        // One of the two is empty.
        let (mut few, around) = if size.x.saturating_mul(size.y) > self.filled.len() as i64 {
            let few = self.filled.iter().copied().filter(&is_in);
            (few.collect(), 0..0)
        } else {
            (Vec::new(), low.y..high.y.saturating_add(1))
        };
        few.sort_unstable_by_key(|cell| (cell.y, cell.x));
        let around = around.flat_map(move |y| (low.x..=high.x).map(move |x| IVec2::new(x, y)));
        let around = around.filter(move |cell| self.is_filled(*cell) && is_in(cell));
        few.into_iter().chain(around)
    }

    /// Whether a cell, as long as it is filled, has a collider of its own.
    pub fn is_alone(&self, cell: IVec2) -> bool {
        self.alone.contains(&cell)
    }

    /// Returns the cells that stay alone if they are filled.
    pub(super) fn alone_cells(&self) -> impl Iterator<Item = IVec2> {
        self.alone.iter().copied()
    }

    /// Returns the rectangles that the grid should have as colliders if cells are joined along these axes, sorted row by row.
    pub(super) fn rectangles(&self, axes: BVec2) -> Vec<CellRect> {
        let (alone, together): (Vec<IVec2>, Vec<IVec2>) =
            (self.filled.iter()).partition(|cell| self.alone.contains(*cell));
        let mut rectangles = merge_along(axes, together);
        // Each on its own, not merged with its neighbors.
        rectangles.extend(alone.into_iter().map(|min| CellRect {
            min,
            size: IVec2::ONE,
        }));
        rectangles.sort_unstable_by_key(|rect| (rect.min.y, rect.min.x));
        rectangles
    }
}

/// Hook for the removal of a grid: despawns its cells. Also runs when the entity despawns, which despawns its children anyway.
fn despawn_cells(mut world: DeferredWorld, context: HookContext) {
    let children = world.get::<Children>(context.entity);
    let is_cell = |child: &Entity| world.get::<MergedTiles>(*child).is_some();
    let cells = children.into_iter().flatten().copied().filter(is_cell);
    let cells: Vec<Entity> = cells.collect();
    let mut commands = world.commands();
    for cell in cells {
        commands.entity(cell).try_despawn();
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::{DVec2, IVec2, Vec2};

    use super::TileColliders;
    use crate::kernel::Shape;

    /// Compares with the distance from the shape's center to each cell, in `f64`.
    #[test]
    fn the_cells_in_a_circle_are_those_that_it_reaches() {
        let mut random = fastrand::Rng::with_seed(57);
        let cells = (0..400).map(|_| IVec2::new(random.i32(-20..20), random.i32(-20..20)));
        let tiles = TileColliders::from_cells(Vec2::new(16.0, 8.0), cells);
        for _ in 0..1000 {
            let mut between = |low: f32, high: f32| low + (high - low) * random.f32();
            let root = between(0.1, 16.0);
            let radius = root * root;
            let place = Vec2::new(between(-400.0, 400.0), between(-200.0, 200.0));
            let gap = |cell: IVec2| {
                let size = DVec2::new(16.0, 8.0);
                let low = cell.as_dvec2() * size;
                let nearest = place.as_dvec2().clamp(low, low + size);
                nearest.distance(place.as_dvec2()) - f64::from(radius)
            };
            let shape = Shape::circle(radius).expect("a test's own size");
            let found: Vec<IVec2> = tiles.cells_in(shape, place).collect();
            assert!(found.is_sorted_by_key(|cell| (cell.y, cell.x)));
            for cell in tiles.iter() {
                let is_found = found.contains(&cell);
                let is_close_call = gap(cell).abs() < 1.0e-3;
                assert!(is_close_call || is_found == (gap(cell) < 0.0), "{cell}");
            }
            assert!(found.iter().all(|cell| tiles.is_filled(*cell)));
        }
    }

    #[test]
    fn a_shape_larger_than_the_world_has_all_cells_in_it() {
        let cells = [(3, -1), (-5, 2), (0, -1)].map(IVec2::from);
        let tiles = TileColliders::from_cells(Vec2::splat(16.0), cells);
        let sorted = [(0, -1), (3, -1), (-5, 2)].map(IVec2::from);
        for half in [1.0e3, 1.0e9, 1.0e15] {
            let shape = Shape::rectangle(Vec2::splat(half)).expect("a test's own size");
            let found: Vec<IVec2> = tiles.cells_in(shape, Vec2::ZERO).collect();
            assert_eq!(found, sorted, "{half}");
        }
    }

    #[test]
    fn no_cell_is_where_there_is_no_place() {
        let tiles = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
        for (radius, place) in [
            (1.0, Vec2::NAN),
            (1.0, Vec2::new(f32::NAN, 8.0)),
            (100.0, Vec2::new(f32::INFINITY, 8.0)),
            (1.0e18, Vec2::new(8.0, f32::NEG_INFINITY)),
        ] {
            let shape = Shape::circle(radius).expect("a test's own size");
            assert_eq!(tiles.cells_in(shape, place).count(), 0, "{place}");
        }
    }

    /// As its collider, which collides as any other: a point, or a segment.
    #[test]
    fn a_cell_without_width_is_in_what_it_lies_in() {
        let cells = [IVec2::ZERO];
        for (case, size, places) in [
            ("a point", Vec2::ZERO, [(0.5, 0.0), (0.0, 1.5)]),
            ("upright", Vec2::new(0.0, 16.0), [(0.5, 16.0), (1.5, 8.0)]),
        ] {
            let tiles = TileColliders::from_cells(size, cells);
            let shape = Shape::circle(1.0).expect("a test's own size");
            let found = places.map(|place| tiles.cells_in(shape, place.into()).count());
            assert_eq!(found, [1, 0], "{case}");
        }
        let shape = Shape::circle(1.0).expect("a test's own size");
        for size in [-1.0, f32::NAN, f32::INFINITY] {
            let tiles = TileColliders::from_cells(Vec2::new(16.0, size), cells);
            assert_eq!(tiles.cells_in(shape, Vec2::ZERO).count(), 0, "{size}");
        }
    }
}
