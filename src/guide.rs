//! Pages to read, with nothing in them to call.

#[doc = include_str!("guide/schedules.md")]
pub mod schedules {}

#[doc = include_str!("guide/speed.md")]
pub mod speed {}
