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
    // A report costs its names, and what is dropped at once is not worth them: the first of all these.
    let counts = [ended.len(), started.len(), crushed.len()];
    let surplus = |from: usize| counts[from..].iter().sum::<usize>().saturating_sub(MOST);
    for end in ended.read().skip(surplus(0)) {
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
    for hit in started.read().skip(surplus(1)) {
        let mut report = Report {
            kind: Kind::Started,
            ..Report::ongoing(tick, &hit.into())
        };
        report.names = report.named().map(|entity| name(entity?));
        log.reports.push_back(report);
    }
    for jam in crushed.read().skip(surplus(2)) {
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

#[cfg(test)]
mod tests {
    use bevy::{
        ecs::{message::Messages, system::RunSystemOnce, world::World},
        math::Vec2,
    };

    use super::*;
    use crate::messages::{Collision, EndReason};

    /// A level of thousands of colliders may come at once. What is dropped at once is not made at all.
    #[test]
    fn no_more_reports_are_made_than_are_kept() {
        let [one, other] = [1, 2].map(|index| Entity::from_raw_u32(index).expect("it is valid"));
        let mut world = World::new();
        world.init_resource::<ReportLog>();
        world.init_resource::<ReportCounts>();
        world.init_resource::<CollisionRecorder>();
        world.init_resource::<Messages<CollisionStarted>>();
        world.init_resource::<Messages<CollisionEnded>>();
        world.init_resource::<Messages<Crushed>>();
        world.insert_resource(CollisionInspector {
            is_open: true,
            ..CollisionInspector::default()
        });
        for number in 0..10 * MOST {
            let hit = Collision {
                a: one,
                b: other,
                body_a: one,
                body_b: other,
                normal: Vec2::X,
                depth: number as f32,
                point: Vec2::ZERO,
                time: 1.0,
            };
            world.write_message(CollisionEnded::new(hit, EndReason::Separated));
            world.write_message(CollisionStarted::from(hit));
        }
        for number in 0..MOST / 2 {
            world.write_message(Crushed {
                entity: one,
                body: one,
                by: other,
                against: None,
                depth: number as f32,
            });
        }
        world
            .run_system_once(log_reports)
            .expect("all it needs is there");
        let reports = &world.resource::<ReportLog>().reports;
        let half = MOST / 2;
        let kept: Vec<_> = reports.iter().map(|one| (one.kind, one.depth)).collect();
        let starts = (10 * MOST - half..10 * MOST).map(|number| (Kind::Started, number as f32));
        let crushes = (0..half).map(|number| (Kind::Crushed(None), number as f32));
        assert_eq!(kept, starts.chain(crushes).collect::<Vec<_>>());
        let room = reports.capacity();
        assert!(room < 2 * MOST, "there was room for {room}");
    }
}
