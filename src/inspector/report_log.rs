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
    recorder::CollisionRecorder,
    state::{pose::Poses, report_counts::ReportCounts},
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

/// Logs what a tick reported, while the panel is open, or the recorder on: then the panel may come to show the tick later.
pub(super) fn log_reports(
    (inspector, recorder): (Res<CollisionInspector>, Res<CollisionRecorder>),
    counts: Res<ReportCounts>,
    mut log: ResMut<ReportLog>,
    (mut started, mut ended): (
        MessageReader<CollisionStarted>,
        MessageReader<CollisionEnded>,
    ),
    mut crushed: MessageReader<Crushed>,
    names: Query<Option<&Name>, AllowDisabled>,
    poses: Poses,
) {
    log.tick = counts.ticks;
    if !(inspector.is_open || recorder.is_on) {
        // Older messages must not appear as those of the tick in which one of them is switched on.
        started.clear();
        ended.clear();
        crushed.clear();
        return;
    }
    let tick = log.tick;
    let name = |entity: Entity| names.get(entity).ok().flatten().cloned();
    // Of a body that is gone, an earlier report knows the name.
    let known = |log: &ReportLog, entity: Entity| match names.get(entity) {
        Ok(name) => name.cloned(),
        Err(_) => {
            let mut earlier = log.reports.iter().rev();
            earlier.find_map(|one| one.name_of(entity)).cloned()
        }
    };
    for end in ended.read() {
        let mut report = Report {
            tick,
            kind: Kind::Ended(end.reason),
            pair: [end.a, end.b],
            bodies: [end.body_a, end.body_b],
            names: [const { None }; 4],
            depth: end.depth,
        };
        report.names = report.named().map(|entity| {
            let entity = entity?;
            match end.leaver(entity) {
                Some(leaver) => leaver.name.clone(),
                None => known(&log, entity),
            }
        });
        log.reports.push_back(report);
    }
    for hit in started.read() {
        let mut report = Report {
            kind: Kind::Started,
            ..Report::ongoing(tick, &hit.into())
        };
        report.names = report.named().map(|entity| name(entity?));
        log.reports.push_back(report);
    }
    for jam in crushed.read() {
        let mut report = Report {
            tick,
            kind: Kind::Crushed(jam.against),
            pair: [jam.entity, jam.by],
            bodies: [jam.body, poses.body_of(jam.by)],
            names: [const { None }; 4],
            depth: jam.depth,
        };
        report.names = report.named().map(|entity| name(entity?));
        log.reports.push_back(report);
    }
    let surplus = log.reports.len().saturating_sub(MOST);
    log.reports.drain(..surplus);
}
