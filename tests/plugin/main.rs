//! What the plugin promises to a game.

#[path = "../common/mod.rs"]
mod common;

mod push_out;
