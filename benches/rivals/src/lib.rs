//! The same worlds as apps of this crate and of its rivals.

pub mod engines;
#[path = "../../workloads/mod.rs"]
pub mod workloads;
