//! The stages of a tick, in order. No stage knows another one: each reads and writes the [state](crate::state).
//!
//! ```text
//! Gather     follow_grids     cells of grids                  -> colliders
//!            pushes           what a `Mover` has pushed       -> `Transform`s
//!            groups           a `Velocity` without a body     -> `Transform`s
//!            gather           components                      -> colliders
//!            forget_rides     riders that are not carried any more
//!            passes           what a `Mover` has passed       -> contacts on the way
//! Sweep      sweep            `Velocity`, `Swept`             -> places, contacts on the way
//! Detect     detect           places                          -> contacts
//! Resolve    resolve          contacts                        -> places, more contacts
//!            carry_over       for the next tick
//! Report     report           these contacts, and those of the last report -> messages, lists, observers
//!            carry_over       these contacts, if no report has told of them
//! ```
//!
//! `ways` and `seams` are shared by two of these.

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
