//! What was told of a tick, for those who are told after the messages.

use bevy::ecs::prelude::Resource;

/// How many messages of each kind the newest tick has written: so many at the end of the buffers are its own.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct News {
    /// How many ticks there have been.
    pub(crate) ticks: u64,
    pub(crate) ended: usize,
    pub(crate) started: usize,
    pub(crate) crushed: usize,
    /// How many bodies were pushed, of which no message tells.
    pub(crate) pushed: usize,
}
