//! Pages to read, with nothing in them to call.
//!
//! 1. [`first_app`]: a player, a wall, a coin, and what is in them.
//! 2. [`schedules`]: move bodies in `FixedUpdate`; the plugin runs in `FixedPostUpdate`; what must answer in the same tick comes after [`CollisionSystems::Report`](crate::plugin::CollisionSystems::Report). Smooth drawing, cameras, pauses.
//! 3. [`bodies`]: set `Transform`s, and what overlaps is pushed out; or set [`Velocity`](crate::components::Velocity)s, and bodies move at any speed, never through anything solid. Bullets, lifts, ledges, bodies of several colliders.
//! 4. [`reports`]: messages, observers, and what is the case now.
//! 5. [`player`]: one that walks and jumps, by a `Velocity`, or step by step by a [`Mover`](crate::query::Mover); or is seen from above.
//! 6. [`layers`]: what meets what, by layers, one by one, or by a filter of the game's.
//! 7. [`tiles`]: levels of cells, as few colliders.
//! 8. [`queries`]: rays, areas, the nearest, and what would happen.
//! 9. [`debugging`]: why something does not collide, or does; [`explain`](crate::query::explain) says it.
//! 10. [`testing`]: a game without a window, tick by tick, to the bit.
//! 11. [`network`]: replays, peers, and how to go back to an earlier tick.
//! 12. [`speed`]: how a tick works, what it costs, and when to take something else.
//! 13. [`coming_from`]: the words of avian2d, `bevy_rapier2d`, Godot and Unity in ours.
//! 14. [`recipes`]: swords, blasts, lifts, crates, belts and other common things, each in a few lines.
//! 15. [`faq`]: questions that are often asked.

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

#[doc = include_str!("guide/network.md")]
pub mod network {}

#[doc = include_str!("guide/speed.md")]
pub mod speed {}

#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("guide/recipes.md")]
pub mod recipes {}

#[doc = include_str!("guide/faq.md")]
pub mod faq {}
