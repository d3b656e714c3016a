//! The reports of the newest ticks.

use std::collections::VecDeque;

use bevy::ecs::{
    entity::Entity,
    message::MessageReader,
    name::Name,
    prelude::{Query, Res, ResMut, Resource},
};

use super::{
    report::{Kind, Report},
    state::CollisionInspector,
};
use crate::{
    allow_disabled::AllowDisabled,
    messages::{CollisionEnded, CollisionStarted, Crushed},
    state::{news::News, pose::Poses},
};

/// How many reports are kept.
const MOST: usize = 2000;

/// The newest reports of starts, ends and crushed bodies, the oldest first. Ongoing collisions are not in it, since they can be queried at any time.
#[derive(Resource, Debug, Default)]
pub(super) struct ReportLog {
    /// The number of the newest tick, counted as the recorder does.
    pub(super) tick: u64,
    pub(super) reports: VecDeque<Report>,
}

/// Logs what a tick reported, while the panel is open.
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
        // Older messages must not appear as those of the tick in which the panel is opened.
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
        depth: end.depth,
    });
    log.reports.extend(ended);
    let started = started.read().map(|hit| Report {
        kind: Kind::Started,
        names: [name(hit.a), name(hit.b)],
        ..Report::ongoing(tick, &hit.into())
    });
    log.reports.extend(started);
    let crushed = crushed.read().map(|jam| Report {
        tick,
        kind: Kind::Crushed(jam.against),
        pair: [jam.entity, jam.by],
        bodies: [jam.body, poses.body_of(jam.by)],
        names: [name(jam.entity), name(jam.by)],
        depth: jam.depth,
    });
    log.reports.extend(crushed);
    let surplus = log.reports.len().saturating_sub(MOST);
    log.reports.drain(..surplus);
}
