//! Pages to read, with nothing in them to call.
//!
//! 1. [`first_app`]: a first game, and what is in it.
//! 2. [`schedules`]: which schedule to do what in, smooth drawing, cameras, pauses.
//! 3. [`bodies`]: what moves, ways to move, and what becomes of a motion that meets something.
//! 4. [`reports`]: how to hear of collisions, and which way to take when.
//! 5. [`player`]: one that walks and jumps, by a velocity or step by step.
//! 6. [`layers`]: what meets what: layers, ignoring, filters.
//! 7. [`tiles`]: levels of cells.
//! 8. [`queries`]: rays, areas, the nearest.
//! 9. [`debugging`]: why something does not collide, or does.
//! 10. [`testing`]: a game in a test, without a window.
//! 11. [`speed`]: how a tick works, and what it costs.
//! 12. [`coming_from`]: from avian2d, `bevy_rapier2d`, Godot or Unity to here.
//! 13. [`faq`]: questions that are often asked.

#[doc = include_str!("guide/first_app.md")]
pub mod first_app {}

#[doc = include_str!("guide/schedules.md")]
pub mod schedules {}

#[doc = include_str!("guide/bodies.md")]
pub mod bodies {}

#[doc = include_str!("guide/reports.md")]
pub mod reports {}

#[doc = include_str!("guide/player.md")]
pub mod player {}

#[doc = include_str!("guide/layers.md")]
pub mod layers {}

#[doc = include_str!("guide/tiles.md")]
pub mod tiles {}

#[doc = include_str!("guide/queries.md")]
pub mod queries {}

#[doc = include_str!("guide/debugging.md")]
pub mod debugging {}

#[doc = include_str!("guide/testing.md")]
pub mod testing {}

#[doc = include_str!("guide/speed.md")]
pub mod speed {}

#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("guide/faq.md")]
pub mod faq {}
