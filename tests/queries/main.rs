//! What the world answers to queries: by the index of shapes alone, and by `SpatialQuery`.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/shapes.rs"]
mod shapes;

mod worlds;
mod pairings;
mod index;
mod game;
mod midway;
mod picking;
mod random_games;
