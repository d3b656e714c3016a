//! What the newest ticks reported.

use std::collections::VecDeque;

use bevy::{
    ecs::{
        entity::Entity,
        message::MessageReader,
        name::Name,
        prelude::{Query, Res, ResMut, Resource, World},
    },
    math::Vec2,
};

use super::state::CollisionInspector;
use crate::{
    allow_disabled::AllowDisabled,
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed, EndReason},
    state::{news::News, pose::Poses},
};

/// As many are kept.
const MOST: usize = 2000;

/// What is told of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Started,
    Ongoing,
    Ended(EndReason),
    /// The other one is what it is crushed by; it is pushed against this.
    Crushed(Option<Entity>),
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report {
    pub(super) tick: u64,
    pub(super) kind: Kind,
    pub(super) pair: [Entity; 2],
    pub(super) bodies: [Entity; 2],
    /// How they were called, of those that may be gone.
    pub(super) names: [Option<Name>; 2],
    pub(super) normal: Vec2,
    pub(super) depth: f32,
}

impl Report {
    /// A pair that collides.
    pub(super) fn ongoing(tick: u64, contact: &Collision) -> Self {
        Self {
            tick,
            kind: Kind::Ongoing,
            pair: [contact.a, contact.b],
            bodies: [contact.body_a, contact.body_b],
            names: [None, None],
            normal: contact.normal,
            depth: contact.depth,
        }
    }

    /// For when they are gone.
    pub(super) fn keep_names(&mut self, world: &World) {
        for (name, entity) in self.names.iter_mut().zip(self.pair) {
            if name.is_none() {
                *name = world.get::<Name>(entity).cloned();
            }
        }
    }

    pub(super) fn involves(&self, entity: Entity) -> bool {
        let against = match self.kind {
            Kind::Crushed(against) => against,
            _ => None,
        };
        self.pair.contains(&entity) || self.bodies.contains(&entity) || against == Some(entity)
    }
}

/// The newest reports of what begins and ends, the oldest first. What goes on can be asked for at any time.
#[derive(Resource, Debug, Default)]
pub(super) struct ReportLog {
    /// How many ticks there were, as the recorder counts them.
    pub(super) tick: u64,
    pub(super) reports: VecDeque<Report>,
}

/// Takes note of what a tick reported, while somebody looks.
pub(super) fn log_reports(
    inspector: Res<CollisionInspector>,
    news: Res<News>,
    mut log: ResMut<ReportLog>,
    (mut started, mut ended): (
        MessageReader<CollisionStarted>,
        MessageReader<CollisionEnded>,
    ),
    mut crushed: MessageReader<Crushed>,
    names: Query<&Name, AllowDisabled>,
    poses: Poses,
) {
    log.tick = news.ticks;
    if !inspector.is_open {
        // What happened meanwhile is not of the tick in which it is opened.
        started.clear();
        ended.clear();
        crushed.clear();
        return;
    }
    let tick = log.tick;
    let name = |entity: Entity| names.get(entity).ok().cloned();
    let ended = ended.read().map(|end| Report {
        tick,
        kind: Kind::Ended(end.reason),
        pair: [end.a, end.b],
        bodies: [end.body_a, end.body_b],
        names: [end.a, end.b].map(|entity| match end.leaver(entity) {
            Some(leaver) => leaver.name.clone(),
            None => name(entity),
        }),
        normal: end.normal,
        depth: end.depth,
    });
    log.reports.extend(ended);
    let started = started.read().map(|hit| Report {
        tick,
        kind: Kind::Started,
        pair: [hit.a, hit.b],
        bodies: [hit.body_a, hit.body_b],
        names: [name(hit.a), name(hit.b)],
        normal: hit.normal,
        depth: hit.depth,
    });
    log.reports.extend(started);
    let crushed = crushed.read().map(|jam| Report {
        tick,
        kind: Kind::Crushed(jam.against),
        pair: [jam.entity, jam.by],
        bodies: [jam.body, poses.body_of(jam.by)],
        names: [name(jam.entity), name(jam.by)],
        normal: Vec2::ZERO,
        depth: jam.depth,
    });
    log.reports.extend(crushed);
    let surplus = log.reports.len().saturating_sub(MOST);
    log.reports.drain(..surplus);
}
