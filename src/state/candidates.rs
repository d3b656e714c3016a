//! The broad phase over the colliders: what may collide where, kept from tick to tick.

use std::sync::atomic::{AtomicUsize, Ordering};

use bevy::ecs::prelude::Resource;

use self::{
    candidate::{ManyCandidates, Reach},
    meet::MeetCandidates,
};
use super::{colliders::Colliders, resting::Resting, slots::SlotSet};
#[cfg(feature = "debug")]
use crate::broad_phase::Strips;
use crate::{
    broad_phase::{BroadPhase, Found},
    kernel::Touching,
    placed::Sighting,
};

mod candidate;
mod meet;
mod looks;
mod around;

pub(crate) use around::{Around, Still, may_tell_near};
pub(crate) use candidate::Candidate;
pub(crate) use looks::Seen;

/// The broad phase is told anew of what stands still when more of it has changed than this ...
const LOOSE: usize = 32;
/// ... and than one in so many. Until then, what has changed goes with what moves.
const LOOSE_PART: usize = 8;
/// Or when they have been looked at, by all who looked for what stands still, so many times for each that the broad phase would be told of: then telling it costs about as much as that did, by estimate.
const MOST_LOOKS: usize = 8;

/// Buffers that are kept from tick to tick, and what the broad phase knows of the still colliders. All of it follows from the colliders; it
/// changes how long an answer takes, and not the answer.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Candidates {
    broad_phase: BroadPhase<Candidate>,
    found: Found<Sighting>,
    /// By slot: whether the broad phase has it among the still ones, as it is now.
    is_settled: Vec<bool>,
    /// Still colliders that are not settled.
    loose: SlotSet,
    /// So many of them have been looked at since the broad phase was told of what stands still.
    looked_at: Count,
    /// Those that were when the broad phase was last asked for pairs: to whoever asks before the next time, they are where they were then.
    lately: SlotSet,
    settled: usize,
    /// How many of those that the broad phase has are not as they were.
    stale: usize,
    /// It has been told of all that stands still since it was last asked for pairs: some of that it has among what moves, too.
    is_told_anew: bool,
    /// How far around what can be pushed detection looks for those who may come to push it, in world units; 0 if it does not.
    near_reach: f32,
}

impl Candidates {
    /// Those of the still colliders that are to be looked at one by one, and are, by whoever asks for them.
    fn each_loose(&self) -> &[u32] {
        let loose = self.loose.members();
        if !loose.is_empty() {
            self.looked_at.add(loose.len());
        }
        loose
    }

    /// Follows the changes among the still colliders, before about so many look for some.
    pub(crate) fn settle(&mut self, colliders: &mut Colliders, lookers: usize) {
        self.is_settled.resize(colliders.placed.len(), false);
        for slot in colliders.still_changed.drain(..) {
            let slot = slot as usize;
            if std::mem::take(&mut self.is_settled[slot]) {
                self.stale += 1;
                self.lately.insert(slot);
            }
            self.loose.set(slot, colliders.still.contains(slot));
        }
        let loose = self.loose.members().len();
        let changed = loose + self.stale;
        let looks = self.looked_at.get() + loose * lookers;
        let is_dear = looks > MOST_LOOKS * colliders.still.members().len();
        if is_dear || changed > LOOSE + self.settled / LOOSE_PART {
            let still = colliders.still.members();
            self.broad_phase.set_still_of(&ManyCandidates {
                colliders,
                slots: [still, &[]],
                reach: None,
            });
            still
                .iter()
                .for_each(|&slot| self.is_settled[slot as usize] = true);
            self.loose.clear();
            self.looked_at = Count::default();
            self.stale = 0;
            self.settled = still.len();
            self.is_told_anew = true;
        }
    }

    /// From now on detection looks for who is near each other, too: for all pairs of which one can be pushed and that may touch if those that can go this far. 0 if nobody wants to know.
    pub(crate) fn look_around(&mut self, reach: f32) {
        self.near_reach = reach;
    }

    /// Whether it does.
    pub(crate) fn looks_around(&self) -> bool {
        self.near_reach > 0.0
    }

    /// All pairs that collide, those that are apart by no more than the margin, and those that are near each other if that is wanted, in no order that means anything; rooms are for others to ask.
    pub(crate) fn find(
        &mut self,
        colliders: &Colliders,
        touching: Touching,
        margin: f32,
    ) -> &Found<Sighting> {
        let Self {
            broad_phase,
            found,
            is_settled,
            loose,
            lately,
            near_reach,
            is_told_anew,
            ..
        } = self;
        lately.clear();
        *is_told_anew = false;
        let (moving, loose) = (colliders.moving.members(), loose.members());
        let candidates = ManyCandidates {
            colliders,
            slots: [moving, loose],
            reach: Some(Reach {
                margin,
                of_pushable: near_reach.max(margin),
            }),
        };
        let meet = MeetCandidates {
            colliders,
            is_settled,
            touching,
            margin,
            far: Resting::far(touching, margin),
            are_near_wanted: *near_reach > 0.0,
        };
        broad_phase.find_of(&candidates, meet, found);
        found
    }

    /// What the last detection found, near each other in the list if near in space; rooms are not among them.
    pub(crate) fn sightings(&self) -> impl Iterator<Item = &Sighting> + Clone {
        self.found.iter()
    }

    /// The strips of the broad phase: those of what moves, and those of what stands still.
    #[cfg(feature = "debug")]
    pub(crate) fn strips(&self) -> (impl Iterator<Item = Strips>, impl Iterator<Item = Strips>) {
        let Self { broad_phase, .. } = self;
        (broad_phase.moving().strips(), broad_phase.still().strips())
    }

    /// Whether one is what the broad phase was told of. What stood still may have changed since.
    #[inline(always)]
    fn is_known(&self, candidate: &Candidate) -> bool {
        self.stale == 0 || !candidate.is_settled || self.is_settled[candidate.slot as usize]
    }
}

/// A number that several threads may add to.
#[derive(Debug, Default)]
struct Count(AtomicUsize);

impl Count {
    fn add(&self, more: usize) {
        // In whatever order they do, the sum is the same.
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Clone for Count {
    fn clone(&self) -> Self {
        Self(AtomicUsize::new(self.get()))
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::{Candidates, Colliders};
    use crate::prelude::*;

    /// So many statics of 10 by 10 in a row below, which nobody meets, and so many who fly above them.
    fn app(statics: usize, movers: usize) -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
        for at in 0..movers {
            let place = Transform::from_xyz(at as f32 * 50.0, 100.0, 0.0);
            let mover = (CircleCollider::new(5.0), Velocity(Vec2::X), place);
            app.world_mut().spawn(mover);
        }
        add_statics(&mut app, statics);
        app.update();
        app.update();
        app
    }

    fn add_statics(app: &mut App, count: usize) {
        for at in 0..count {
            let place = Transform::from_xyz(at as f32 * 20.0, -100.0, 0.0);
            let wall = (BoxCollider::square(10.0), Body::Static, place);
            app.world_mut().spawn(wall);
        }
    }

    fn loose(app: &App) -> usize {
        app.world().resource::<Candidates>().loose.members().len()
    }

    #[test]
    fn many_who_are_about_to_look_find_what_came_later_sorted() {
        // 88 of those at hand would look at 40 each no more than 8 times for each of 440; 89 would.
        for (lookers, is_loose) in [(0, true), (88, true), (89, false)] {
            let mut app = app(400, 0);
            add_statics(&mut app, 40);
            app.update();
            assert_eq!(loose(&app), 40);
            app.world_mut()
                .resource_scope(|world, mut candidates: Mut<Candidates>| {
                    let mut colliders = world.resource_mut::<Colliders>();
                    candidates.settle(&mut colliders, lookers);
                });
            assert_eq!(loose(&app) > 0, is_loose, "{lookers} look");
        }
    }

    #[test]
    fn what_came_later_is_looked_at_one_by_one_no_longer_than_is_worth_it() {
        // By number alone, 40 of 440 stay loose: up to 32 and an eighth of 400.
        let [mut busy, mut idle] = [20, 0].map(|movers| app(400, movers));
        for app in [&mut busy, &mut idle] {
            assert_eq!(loose(app), 0);
            add_statics(app, 40);
            app.update();
            assert_eq!(loose(app), 40);
        }
        // 20 that look at 40 in each tick have looked at more than 8 times 440 when the fifth detects.
        for tick in 2..=5 {
            busy.update();
            idle.update();
            assert_eq!(loose(&busy) > 0, tick < 5, "tick {tick}");
            assert_eq!(loose(&idle), 40, "nobody looks");
        }
    }
}
