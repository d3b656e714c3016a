//! Tests of the plugin's behavior in a game.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may turn things by any angle"
)]

#[path = "../common/mod.rs"]
mod common;

mod colliders;
mod schedules;
mod reports;
mod returns;
mod lifecycle;
mod observers;
mod filters;
mod reader;
mod surfaces;
mod explain;
mod diagnostics;
mod debug;
mod scripts;
mod meddling;
mod saving;
mod memory;
mod rollback;
mod recorder;
mod interpolation;
mod push_out;
mod hierarchy;
mod settings;
mod bad_input;
mod churn;
mod determinism;
mod motion;
mod mover;
mod passes;
mod tiles;
mod tiled;
mod maps;
mod turned;
