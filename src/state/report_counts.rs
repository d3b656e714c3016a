//! How much was reported of a tick, for observers, which run after the messages, and for tools.

use bevy::ecs::prelude::Resource;

/// How many messages of each kind the newest tick has written: its messages are so many at the end of the buffers.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct ReportCounts {
    /// How many ticks there have been.
    pub(crate) ticks: u64,
    pub(crate) ended: usize,
    pub(crate) started: usize,
    pub(crate) crushed: usize,
    /// How many bodies were pushed, for which there is no message.
    pub(crate) pushed: usize,
}
