//! The stages of a tick, in order. No stage knows another one: each reads and writes the [state](crate::state).

mod ways;
mod seams;
pub(crate) mod pushes;
pub(crate) mod groups;
pub(crate) mod gather;
pub(crate) mod passes;
pub(crate) mod sweep;
pub(crate) mod detect;
pub(crate) mod resolve;
pub(crate) mod carry_over;
pub(crate) mod report;
