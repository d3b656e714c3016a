//! Moves bodies along their velocities, and lets them slide, bounce or stop where they meet something on the way. Pure: bodies and colliders in; positions,
//! velocities and hits out.
//!
//! ```text
//! boxes around whatever moves, as far as it may get; what stands still is asked for         (course)
//! the first hit of each body: its colliders cast along the difference of both motions       (impact)
//! until the tick is over:                                                                   (events)
//!     take the earliest hit of all                                                          (event)
//!     move both bodies to that moment, and change their velocities                          (agent, respond)
//!     look for the next hit of both
//! ```
//!
//! Time within a tick runs from 0 to 1. Hits are taken in order of time, then by what they are and where, never by who they are.

mod impact;
mod respond;
mod agent;
mod event;
mod course;
mod events;

pub(crate) use agent::Traveller;
pub(crate) use course::Scene;
pub(crate) use events::{Rules, Sweep};
pub(crate) use impact::{AT_ONCE, Impact, first_impact, impact, touching_coordinate};
