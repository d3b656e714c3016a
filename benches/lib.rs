//! Shared by the benches.

pub mod workloads;
