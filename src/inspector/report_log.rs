//! What the newest ticks reported.

use std::collections::VecDeque;

use bevy::{
    ecs::{
        entity::Entity,
        message::MessageReader,
        name::Name,
        prelude::{Query, Res, ResMut, Resource},
    },
    math::Vec2,
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

/// As many are kept.
const MOST: usize = 2000;

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
