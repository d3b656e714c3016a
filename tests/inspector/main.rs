//! The panel as a user sees it, without a window: through egui's own test tools, by the texts on it.

#[path = "../common/mod.rs"]
mod common;
mod cameras;
mod drawing;
mod edit;
mod entity;
mod keys;
mod layout;
mod list;
mod plot;
mod recorder;
mod stage;
mod time;
mod world;
mod outline;
