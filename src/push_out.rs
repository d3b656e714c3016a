//! Pushes apart what overlaps. Pure: bodies and colliders in, new positions out.
//!
//! ```text
//! collect the pairs near enough to matter
//! round:  re-test them all; stop when none overlaps
//!         find out who is held: leaning on something fixed, directly or through others     (supports)
//!         for each overlap, fixed things first, then outwards from them, the deepest first:
//!             re-test it: an earlier push may have freed it
//!             move who is free to move; two who are equally free share by mass
//! last:   whatever still overlaps a static leaves it, by the shortest way if pushing back and forth does not help   (escape)
//! ```
//!
//! **Held bodies** make rows work. A crate that leans on a wall can't be pushed into it, so it takes part as if it were the wall; so does
//! the next crate that leans on this one. The overlap at the end of a row is thereby solved in one round, where sharing it pair by pair would
//! take rounds by the square of the row's length. What a static holds outranks what a kinematic holds, which outranks the free.
//!
//! **Order.** Nothing here depends on the order of the arrays: overlaps are sorted by what they are (rank, depth, place), not by who they are. Only where two
//! equal shapes lie in one place does the lower index count as the one on the left.
//!
//! **Exact rest.** A push along an axis against something that stays puts the body at the very coordinate where the two
//! touch, rather than adding a depth to where it was: pressed against a wall in every tick, it is at the same bits in every tick.

mod world;
mod supports;
mod escape;

use std::cmp::Ordering;

use bevy::math::Vec2;

pub(crate) use self::world::{Mover, Placed, Rank};
use self::{
    escape::nearest_free_center,
    supports::{Supports, Touch},
    world::World,
};
use crate::{
    broad_phase::{BroadPhase, Extent},
    kernel::{Contact, Outline, Touching},
};

/// After the first round overlaps up to this are let be, in world units. Ten times finer than what the crate promises.
const TOLERANCE: f32 = 1.0e-3;
/// Gap up to which one thing leans on another.
const LEANING: f32 = 1.0e-3;
/// Rounds after which a body that is still in a static looks for the nearest free place.
const ROUNDS_BEFORE_ESCAPE: u32 = 4;

/// A pair that overlapped at some time during the push-out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    /// Slots, the lower one first.
    pub(crate) pair: (u32, u32),
    pub(crate) contact: Contact,
    /// Centre of the first at that time.
    pub(crate) center: Vec2,
}

/// Buffers of the push-out; nothing in them outlives a call of [`run`](Self::run).
#[derive(Clone, Debug, Default)]
pub(crate) struct PushOut {
    broad_phase: BroadPhase,
    extents: Vec<Extent>,
    near: Vec<(u32, u32)>,
    touches: Vec<Touch>,
    overlaps: Vec<Overlap>,
    supports: Supports,
    met: Vec<Met>,
}

/// An overlap with what it is sorted by.
#[derive(Clone, Copy, Debug)]
struct Overlap {
    pair: (u32, u32),
    depth: f32,
    /// 0 against a static, 1 against a kinematic, then by how far the pair is from what it is held by.
    stage: u32,
    /// Both centres, the lesser first.
    places: [Vec2; 2],
}

impl PushOut {
    /// Moves dynamic bodies until no two colliders that `may_push` overlap, or `rounds` are used up.
    ///
    /// Answers every pair that overlapped on the way, in no particular order, a pair possibly more than once.
    pub(crate) fn run(
        &mut self,
        movers: &mut [Mover],
        placed: &[Placed],
        may_push: impl Fn(usize, usize) -> bool,
        rounds: u32,
    ) -> &[Met] {
        self.met.clear();
        let mut world = World { movers, placed };
        let mut round = 0;
        while round < rounds {
            let reach = self.collect_near(&world, &may_push);
            let gathered_at: Vec<Vec2> = world.positions().collect();
            loop {
                if round == rounds || !self.find_overlaps(&world, round == 0) {
                    self.leave_statics(&mut world);
                    return &self.met;
                }
                self.push_overlaps(&mut world);
                round += 1;
                if round.is_multiple_of(ROUNDS_BEFORE_ESCAPE) {
                    self.leave_statics(&mut world);
                }
                // Two bodies that have come closer by more than the reach may have met unseen.
                let farthest = world
                    .positions()
                    .zip(&gathered_at)
                    .map(|(now, then)| now.distance_squared(*then))
                    .fold(0.0, f32::max);
                if farthest > reach * reach * 0.25 {
                    break;
                }
            }
        }
        self.leave_statics(&mut world);
        &self.met
    }

    /// Lists the pairs with a gap of at most `reach`, which it chooses: a typical half size, so that few rounds need a new list.
    fn collect_near(&mut self, world: &World, may_push: impl Fn(usize, usize) -> bool) -> f32 {
        let sizes = world
            .placed
            .iter()
            .filter_map(|placed| match placed.outline {
                Outline::Shape(shape) => Some(shape.half_extents().max_element()),
                Outline::Bounds(_) => None,
            });
        let (count, sum) = sizes.fold((0.0, 0.0), |(count, sum), size| (count + 1.0, sum + size));
        let reach = (0.5 * sum / f32::max(count, 1.0)).max(LEANING);

        self.extents.clear();
        self.extents.extend(
            world
                .placed
                .iter()
                .map(|placed| placed.extent(world.movers, reach * 0.5)),
        );
        self.broad_phase.find_pairs(&self.extents, &mut self.near);
        for bounds in world.bounds() {
            let others = (0..world.placed.len()).filter(|&other| {
                let offset = world.center(other) - world.center(bounds);
                let outline = world.placed[other].outline;
                world.placed[bounds]
                    .outline
                    .contact_within(outline, offset, reach)
                    .is_some()
            });
            self.near
                .extend(others.map(|other| (bounds.min(other) as u32, bounds.max(other) as u32)));
        }
        self.near.retain(|&(a, b)| may_push(a as usize, b as usize));
        reach
    }

    /// Fills `overlaps`, sorted; false if there are none that count. In the first round all do, later those beyond the tolerance.
    fn find_overlaps(&mut self, world: &World, is_first: bool) -> bool {
        self.touches.clear();
        self.overlaps.clear();
        for &pair in &self.near {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            let Some(contact) = world.contact_within(a, b, LEANING) else {
                continue;
            };
            self.touches.push(Touch {
                bodies: [world.placed[a].body, world.placed[b].body],
                normal: contact.normal,
            });
            let tolerance = if is_first {
                0.0
            } else {
                TOLERANCE.max(world.rounding(a, b))
            };
            if contact.depth > tolerance {
                let (center, other) = (world.center(a), world.center(b));
                let ordered = compare_places(center, other).is_le();
                self.met.push(Met {
                    pair,
                    contact,
                    center,
                });
                self.overlaps.push(Overlap {
                    pair,
                    depth: contact.depth,
                    stage: 0,
                    places: if ordered {
                        [center, other]
                    } else {
                        [other, center]
                    },
                });
            }
        }
        if self.overlaps.is_empty() {
            return false;
        }

        self.supports.find(world.movers, &self.touches);
        for overlap in &mut self.overlaps {
            overlap.stage = stage(world, &self.supports, overlap.pair);
        }
        self.overlaps.sort_by(|a, b| {
            a.stage
                .cmp(&b.stage)
                .then(b.depth.total_cmp(&a.depth))
                .then(compare_places(a.places[0], b.places[0]))
                .then(compare_places(a.places[1], b.places[1]))
                .then(a.pair.cmp(&b.pair))
        });
        true
    }

    fn push_overlaps(&self, world: &mut World) {
        for overlap in &self.overlaps {
            let (a, b) = (overlap.pair.0 as usize, overlap.pair.1 as usize);
            if let Some(contact) = world.overlap(a, b) {
                self.push_pair(world, a, b, contact);
            }
        }
    }

    /// Frees one pair, as far as both are free to move.
    fn push_pair(&self, world: &mut World, a: usize, b: usize, contact: Contact) {
        let (one, other) = (world.mover(a), world.mover(b));
        let holds_a = self.supports.hold(world.placed[a].body, -contact.normal);
        let holds_b = self.supports.hold(world.placed[b].body, contact.normal);
        match (one.rank, other.rank) {
            (Rank::Dynamic, Rank::Dynamic) => match holds_a.cmp(&holds_b) {
                Ordering::Less => world.free(a, b),
                Ordering::Greater => world.free(b, a),
                Ordering::Equal => {
                    let share = one.inverse_mass / (one.inverse_mass + other.inverse_mass);
                    let push = contact.normal * contact.depth;
                    world.shift(a, -push * share);
                    world.shift(b, push * (1.0 - share));
                }
            },
            // A lift does not push what leans on a wall into it.
            (Rank::Dynamic, fixed) if holds_a <= fixed => world.free(a, b),
            (fixed, Rank::Dynamic) if holds_b <= fixed => world.free(b, a),
            _ => {}
        }
    }

    /// Whatever is still in a static leaves it, whoever else it then overlaps: a static always wins.
    fn leave_statics(&mut self, world: &mut World) {
        for _ in 0..ROUNDS_BEFORE_ESCAPE {
            if !self.find_in_statics(world) {
                return;
            }
            for overlap in &self.overlaps {
                let (a, b) = (overlap.pair.0 as usize, overlap.pair.1 as usize);
                if world.overlap(a, b).is_some() {
                    let a_moves = world.mover(a).rank == Rank::Dynamic;
                    let (moving, fixed) = if a_moves { (a, b) } else { (b, a) };
                    world.free(moving, fixed);
                }
            }
        }
        if !self.find_in_statics(world) {
            return;
        }
        // Pushed from one into the other and back: the way out is around all of them together.
        for overlap in &self.overlaps {
            let (a, b) = (overlap.pair.0 as usize, overlap.pair.1 as usize);
            let a_moves = world.mover(a).rank == Rank::Dynamic;
            let moving = if a_moves { a } else { b };
            if world.overlap(a, b).is_none() {
                continue;
            }
            let statics: Vec<usize> = self
                .near
                .iter()
                .filter_map(|&(i, j)| {
                    let (i, j) = (i as usize, j as usize);
                    let other = if i == moving {
                        j
                    } else if j == moving {
                        i
                    } else {
                        return None;
                    };
                    (world.mover(other).rank == Rank::Static).then_some(other)
                })
                .collect();
            if let Some(center) = nearest_free_center(world, moving, &statics) {
                world.place(moving, center);
            }
        }
    }

    /// Fills `overlaps` with those of dynamics and statics, the deepest first; false if there are none that count.
    fn find_in_statics(&mut self, world: &World) -> bool {
        let against_static = |pair: (u32, u32)| {
            let ranks = [pair.0, pair.1].map(|slot| world.mover(slot as usize).rank);
            ranks.contains(&Rank::Static)
        };
        self.overlaps.clear();
        for &pair in self.near.iter().filter(|pair| against_static(**pair)) {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            let tolerance = TOLERANCE.max(world.rounding(a, b));
            if let Some(contact) = world.overlap(a, b).filter(|one| one.depth > tolerance) {
                self.overlaps.push(Overlap {
                    pair,
                    depth: contact.depth,
                    stage: 0,
                    places: [world.center(a), world.center(b)],
                });
            }
        }
        self.overlaps.sort_by(|a, b| {
            b.depth
                .total_cmp(&a.depth)
                .then(compare_places(a.places[0], b.places[0]))
                .then(compare_places(a.places[1], b.places[1]))
        });
        !self.overlaps.is_empty()
    }
}

/// Static first, then kinematic, then pairs of dynamics by their distance from what holds them.
fn stage(world: &World, supports: &Supports, pair: (u32, u32)) -> u32 {
    let (a, b) = (pair.0 as usize, pair.1 as usize);
    match world.mover(a).rank.max(world.mover(b).rank) {
        Rank::Static => 0,
        Rank::Kinematic => 1,
        Rank::Dynamic => {
            let bodies = [world.placed[a].body, world.placed[b].body];
            2 + bodies
                .map(|body| supports.distance(body))
                .into_iter()
                .min()
                .unwrap_or(0)
                .min(u32::MAX - 2)
        }
    }
}

fn compare_places(a: Vec2, b: Vec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

impl World<'_> {
    /// How the two overlap now, if they do.
    fn overlap(&self, a: usize, b: usize) -> Option<Contact> {
        let offset = self.center(b) - self.center(a);
        let other = self.placed[b].outline;
        self.placed[a]
            .outline
            .contact(other, offset, Touching::Ignored)
            .filter(|contact| contact.depth > 0.0)
    }
}
