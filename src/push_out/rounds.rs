//! The rounds: find what overlaps, push it, until nothing does.

use bevy::math::Vec2;

use super::{
    groups::Groups,
    heaps::Heaps,
    islands::{Islands, Round, parts_of},
    jams::Jams,
    met::Met,
    near::Near,
    overlaps::Overlaps,
    queue::Queue,
    statics::{Statics, moving_and_fixed},
    stuck::{Stuck, find_stuck},
    world::{FREE, LEANING, Members, Surroundings, TOLERANCE, World},
};
use crate::{kernel::Outline, placed::Meeting};

/// So many pairs lie between one whose members are entered and one about whose memory is asked.
const AHEAD: usize = 4;

/// Buffers of the push-out; nothing in them outlives a call of [`run`](Self::run).
#[derive(Clone, Debug, Default)]
pub(crate) struct PushOut {
    members: Members,
    /// Slots of the pairs that overlap at first.
    overlapping: Vec<(u32, u32)>,
    near: Near,
    overlaps: Overlaps,
    groups: Groups,
    heaps: Heaps,
    islands: Islands,
    statics: Statics,
    jams: Jams,
    /// Pairs that rounds have not freed.
    jammed: Queue,
    moved: Vec<(u32, Vec2)>,
    stuck: Vec<Stuck>,
    met: Met,
}

/// What a push-out did.
pub(crate) struct Pushed<'a> {
    met: &'a [(u32, Meeting)],
    /// Slots of the bodies that are not where they were, and where they are, sorted by slot.
    pub(crate) moved: &'a [(u32, Vec2)],
    /// Who could not be freed.
    pub(crate) stuck: &'a [Stuck],
}

impl Pushed<'_> {
    /// Every pair that overlapped on the way and did not before, sorted by slots, each as it was when it first did.
    pub(crate) fn met(&self) -> impl Iterator<Item = Meeting> {
        self.met.iter().map(|(_, meeting)| *meeting)
    }

    /// Whether that is one of them.
    pub(crate) fn has_met(&self, slots: (u32, u32)) -> bool {
        let met = self.met;
        met.binary_search_by_key(&slots, |(_, meeting)| meeting.slots)
            .is_ok()
    }
}

impl PushOut {
    /// Moves dynamic bodies until no two colliders that push each other overlap, or `rounds` are used up, or no round helps any more.
    ///
    /// `overlapping` are the slots of all pairs that overlap now.
    pub(crate) fn run(
        &mut self,
        outside: &dyn Surroundings,
        overlapping: impl Iterator<Item = (u32, u32)>,
        rounds: u32,
    ) -> Pushed<'_> {
        self.met.clear();
        self.stuck.clear();
        self.moved.clear();
        if rounds > 0 {
            let mut members = std::mem::take(&mut self.members);
            let mut world = World::new(&mut members, outside);
            self.overlapping.clear();
            self.overlapping.extend(overlapping);
            self.start(&mut world);
            self.free_all(&mut world, rounds);
            world.write_moved(&mut self.moved);
            self.members = members;
        }
        self.met.put_in_order();
        Pushed {
            met: self.met.all(),
            moved: &self.moved,
            stuck: &self.stuck,
        }
    }

    fn start(&mut self, world: &mut World) {
        // Of all of them, and summed so finely that it does not matter in which order: a sample would depend on that.
        let (mut sum, mut count) = (0.0, 0);
        for slot in self.overlapping.iter().flat_map(|&(a, b)| [a, b]) {
            if let Outline::Shape(shape) = world.outside.placed(slot).outline {
                sum += f64::from(shape.half_extents().max_element());
                count += 1;
            }
        }
        let typical = (sum / f64::from(count.max(1))) as f32;
        self.near.start(typical.max(2.0 * LEANING));
        self.overlaps.start();
        self.groups.start();
        self.islands.start();
        for (at, &pair) in self.overlapping.iter().enumerate() {
            if let Some(&(a, b)) = self.overlapping.get(at + AHEAD) {
                world.prefetch(a);
                world.prefetch(b);
            }
            self.overlaps.add(world, &mut self.near, pair);
        }
    }

    fn free_all(&mut self, world: &mut World, rounds: u32) {
        self.heaps.spread(world, &mut self.near, &self.overlaps);
        self.overlaps.update(world, &mut self.near);
        for round in 0..=rounds {
            // In the first round every overlap counts, later those that are worth it.
            let tolerance = if round == 0 { 0.0 } else { TOLERANCE };
            self.tell_overlaps(world, tolerance);
            let goes_on = self.groups.judge(round, round == rounds, &self.met);
            let (pairs, met) = (&mut self.near.pairs, &mut self.met);
            if self.groups.go_back(world, pairs, met) {
                self.overlaps.update(world, &mut self.near);
            }
            if !goes_on {
                break;
            }
            let is_whole = self.groups.begin_round(world);
            if is_whole {
                self.leave_statics(world, Groups::leaves_statics);
            }
            let all = Round {
                world,
                near: &mut self.near,
                groups: &mut self.groups,
                met: &mut self.met,
                number: round + 1,
                tolerance,
            };
            self.islands.push(all, &self.overlaps);
            self.overlaps.update(world, &mut self.near);
            if is_whole {
                self.groups.settle(world);
            }
        }

        self.leave_statics(world, Groups::leaves_statics_at_last);
        self.tell_overlaps(world, TOLERANCE);
        let pairs = &self.near.pairs;
        let over = self.overlaps.over.iter().copied();
        let jammed = over.filter(|&number| pairs.get(number).push.depth > FREE);
        self.jammed.fill_by_depth(world, pairs, jammed);
        if !self.jammed.is_empty() {
            self.jams
                .free(world, &mut self.near, &self.jammed, &self.groups);
            self.overlaps.update(world, &mut self.near);
            self.tell_overlaps(world, TOLERANCE);
        }
        find_stuck(world, &self.near.pairs, &self.overlaps, &mut self.stuck);
    }

    fn leave_statics(&mut self, world: &mut World, is_wanted: impl Fn(&Groups, u32) -> bool) {
        self.statics
            .leave(world, &mut self.near, &mut self.overlaps, |body| {
                is_wanted(&self.groups, body)
            });
    }

    /// Notes those that overlap by more than the tolerance, and for each group how deep they are.
    fn tell_overlaps(&mut self, world: &World, tolerance: f32) {
        for &number in &self.overlaps.over {
            let pair = self.near.pairs.get_mut(number);
            let depth = pair.push.depth;
            if depth > tolerance {
                let (moving, _) = moving_and_fixed(world, pair.numbers());
                self.groups.add(world.body(moving), parts_of(depth));
                self.met.tell(world, pair);
            }
        }
    }
}
