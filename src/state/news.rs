//! What is told of a tick, for those who are told after the messages.

use bevy::ecs::prelude::Resource;

use crate::messages::{CollisionEnded, CollisionStarted, Crushed};

/// The messages of the newest tick but for the pairs that go on, of which the [`Contacts`](super::contacts::Contacts) know.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct News {
    pub(crate) ended: Vec<CollisionEnded>,
    pub(crate) started: Vec<CollisionStarted>,
    pub(crate) crushed: Vec<Crushed>,
}
