//! The broad phase over the colliders: which of them may collide and where, kept from tick to tick. "Still" colliders are those of static bodies.

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
    broad_phase::{BroadPhase, Found, Levels},
    kernel::Touching,
    placed::Sighting,
};

mod candidate;
mod meet;
mod looks;
mod views;

pub(crate) use candidate::Candidate;
pub(crate) use looks::Seen;
pub(crate) use views::{Around, Still, may_tell_near};

/// The broad phase gets all still colliders anew when more of them have changed than this ...
const LOOSE: usize = 32;
/// ... and than one in so many. Until then, changed ones are searched together with the moving ones.
const LOOSE_PART: usize = 8;
/// It also gets them anew when searches have looked at changed ones so many times for each still collider: by estimate, rebuilding then costs about as much as those looks did.
const MOST_LOOKS: usize = 8;

/// Buffers that are kept from tick to tick, and what the broad phase knows of the still colliders. All of it follows from the colliders; it
/// changes how long an answer takes, not the answer.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Candidates {
    broad_phase: BroadPhase<Candidate>,
    found: Found<Sighting>,
    /// By slot: whether the broad phase has the collider among the still ones, in its present state.
    is_settled: Vec<bool>,
    /// Still colliders that are not settled.
    loose: SlotSet,
    /// How many looks at loose colliders there were since the broad phase last got the still colliders.
    looked_at: Count,
    /// Slots that were settled when the broad phase last searched for pairs and have changed since.
    lately: SlotSet,
    /// If the broad phase got all still colliders anew since then: those that it had before, and by slot whether they were settled. Queries between `Gather` and `Detect` search these, so that their answers do not depend on whether it got them anew, which an estimate of costs decides.
    before: Levels<Candidate>,
    was_settled: Vec<bool>,
    settled: usize,
    /// How many colliders in the broad phase are no longer as it has them.
    stale: usize,
    /// The broad phase got all still colliders anew since it last searched for pairs.
    is_rebuilt: bool,
    /// How far around a pushable collider detection looks for others that may come to push it, in world units; 0 if it does not look.
    near_reach: f32,
}

impl Candidates {
    /// Returns the loose colliders, which the caller has to look at one by one, and counts these looks.
    fn each_loose(&self) -> &[u32] {
        let loose = self.loose.members();
        if !loose.is_empty() {
            self.looked_at.add(loose.len());
        }
        loose
    }

    /// Updates what is settled and loose for the still colliders that have changed. `lookers` is about how many searches among the still colliders are to follow.
    pub(crate) fn settle(&mut self, colliders: &mut Colliders, lookers: usize) {
        self.is_settled.resize(colliders.placed.len(), false);
        for slot in colliders.still_changes.drain() {
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
            if !self.is_rebuilt {
                self.keep_before();
            }
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
            self.is_rebuilt = true;
        }
    }

    /// Puts the still colliders of the last detection aside, for queries until the next one.
    fn keep_before(&mut self) {
        self.broad_phase.swap_still(&mut self.before);
        for &slot in self.lately.members() {
            self.is_settled[slot as usize] = true;
        }
        std::mem::swap(&mut self.is_settled, &mut self.was_settled);
        self.is_settled.clear();
        self.is_settled.resize(self.was_settled.len(), false);
    }

    /// Sets how far detection looks around for near pairs from now on: for all pairs of which one can be pushed and that may touch if pushable colliders move by up to `reach`. 0 if near pairs are not needed.
    pub(crate) fn look_around(&mut self, reach: f32) {
        self.near_reach = reach;
    }

    /// Whether detection looks for near pairs.
    pub(crate) fn looks_around(&self) -> bool {
        self.near_reach > 0.0
    }

    /// Returns all pairs that collide, those with a gap no larger than the reach, and near pairs if they are wanted, in no meaningful order; without rooms, which the caller has to check.
    pub(crate) fn find(
        &mut self,
        colliders: &Colliders,
        touching: Touching,
        reach: f32,
    ) -> &Found<Sighting> {
        let Self {
            broad_phase,
            found,
            is_settled,
            loose,
            lately,
            near_reach,
            is_rebuilt,
            ..
        } = self;
        lately.clear();
        *is_rebuilt = false;
        let (moving, loose) = (colliders.moving.members(), loose.members());
        let candidates = ManyCandidates {
            colliders,
            slots: [moving, loose],
            reach: Some(Reach {
                of_others: reach,
                of_pushable: near_reach.max(reach),
            }),
        };
        let meet = MeetCandidates {
            colliders,
            is_settled,
            touching,
            reach,
            far: Resting::far(touching, reach),
            are_near_wanted: *near_reach > 0.0,
        };
        broad_phase.find_of(&candidates, meet, found);
        found
    }

    /// The pairs that the last detection found; pairs near each other in space are mostly near in the list. Without rooms.
    pub(crate) fn sightings(&self) -> impl Iterator<Item = &Sighting> + Clone {
        self.found.iter()
    }

    /// The strips of the broad phase: those of the moving colliders, and those of the still ones.
    #[cfg(feature = "debug")]
    pub(crate) fn strips(&self) -> (impl Iterator<Item = Strips>, impl Iterator<Item = Strips>) {
        let Self { broad_phase, .. } = self;
        (broad_phase.moving().strips(), broad_phase.still().strips())
    }

    /// Whether a candidate of the broad phase is still as the broad phase has it. A still collider may have changed since.
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
        // The sum is the same in any order of additions.
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

    /// An app with so many statics of 10 by 10 in a row below, which nothing meets, and so many bodies that fly above them.
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
        // 88 lookers with 40 loose ones look no more than 8 times for each of 440; 89 look more often.
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
        // 20 movers that look at 40 in each tick have looked at more than 8 times 440 by the detection of the fifth.
        for tick in 2..=5 {
            busy.update();
            idle.update();
            assert_eq!(loose(&busy) > 0, tick < 5, "tick {tick}");
            assert_eq!(loose(&idle), 40, "nothing looks for partners");
        }
    }
}
