//! Grids of tiles as few colliders. There is no map format: cells are numbers, and the game decides where they come from.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_nudge::prelude::*;
//!
//! let map = ["....", ".##.", "####"];
//! let is_filled = |cell: IVec2| map[2 - cell.y as usize].as_bytes()[cell.x as usize] == b'#';
//! let tiles = TileColliders::from_fn(Vec2::splat(16.0), IVec2::ZERO, IVec2::new(4, 3), is_filled);
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
//! app.world_mut().spawn(tiles);
//! app.world_mut().run_schedule(FixedPostUpdate);
//! let mut boxes = app.world_mut().query::<(&MergedTiles, &BoxCollider)>();
//! assert_eq!(boxes.iter(app.world()).count(), 2); // six cells, in two rows
//! ```

mod merge;
mod alike;
mod grid;
mod follow;
mod cells;
mod known;

pub use cells::TileCells;
pub use follow::MergedFrom;
pub(crate) use follow::{FollowedGrids, follow_grids};
pub use grid::{MergedTiles, TileColliders};
pub(crate) use known::KnownCells;
pub use merge::{CellRect, merge};
