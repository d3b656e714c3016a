//! The stages of a tick, in order. They do not know each other: each reads and writes the [state](crate::state).

pub(crate) mod pushes;
pub(crate) mod groups;
pub(crate) mod gather;
pub(crate) mod sweep;
pub(crate) mod detect;
pub(crate) mod resolve;
pub(crate) mod report;
mod seams;
mod ways;
