//! Many bodies in one place, as a spawner leaves them. Pushed apart pair by pair, they would take dozens of rounds, each with a cost of the square of their number.
//!
//! ```text
//! three or more in the very same place    Two that coincide separate along the x axis, by the rule for ties; three or more would all do that, and form one long row. So they are first
//!                                         laid out like the seeds of a sunflower, a few hundredths of their size apart; from there on each pair has a direction of its own
//! many, each deep in many others          go straight away from their middle, so far that there is room for all of them; firm colliders and rooms throw them back, and then they spread from there
//! ```

use bevy::math::Vec2;

use super::{
    barriers::stop_at_firm,
    near::Near,
    overlaps::Overlaps,
    walls::Walls,
    world::{World, bounds_of},
};
use crate::{
    kernel::{Outline, room_within},
    placed::{Rank, compare_outlines, compare_places},
    sets::Sets,
};

/// Cosine and sine of the golden angle, by which each seed is turned from the one before.
const GOLDEN: Vec2 = Vec2::new(-0.737_368_9, 0.675_490_3);
/// Distance of the first seed from the middle, as a part of its smaller half size: for a long shape, a part of its length may be more than a wall beside it is thick.
const SPREAD: f32 = 0.02;

/// Two bodies are deep in each other if they overlap by more than this part of the least half size of both.
const DEEP: f32 = 0.5;
/// A body that is deep in this many others is in a throng. Bodies that are only pushed together never are.
const THRONG_OVERLAPS: u32 = 16;
/// A throng that has room covers this part of the box around its centers. Round shapes need no more room than that, and boxes a little more.
const COVERED: f32 = 0.6;
/// The bodies of a throng have about the same size: a body that is larger than another one by more than this factor is not of its throng, however many others are in it.
const MOST_UNEQUAL: f32 = 4.0;
/// How often a throng is spread, and how often a way is thrown back.
const MOST_SPREADS: usize = 4;
const MOST_TURNS: usize = 4;
/// A throng that needs less than this many times its area is left to the rounds.
const ENOUGH: f32 = 1.1;

/// One of several members in the very same place.
#[derive(Clone, Copy, Debug)]
struct Seed {
    place: Vec2,
    half_extents: Vec2,
    slot: u32,
    member: u32,
}

/// Spreads bodies that lie in one place, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Heaps {
    seeds: Vec<Seed>,
    /// Pairs that are deep in each other.
    deep: Vec<(u32, u32)>,
    /// By body: how many others are deep in it.
    counts: Vec<u32>,
    /// By body: another body of its throng, or itself, if it is the leader.
    sets: Sets,
    /// The bodies of throngs, each after the leader of its throng.
    throngs: Vec<(u32, u32)>,
    areas: Vec<f32>,
}

impl Heaps {
    /// Spreads bodies that lie in one place with others that push them.
    pub(super) fn spread(&mut self, world: &mut World, near: &Near, overlaps: &Overlaps) {
        self.find_deep(world, near, overlaps);
        self.sow(world);
        if self.counts.iter().any(|count| *count >= THRONG_OVERLAPS) {
            self.find_throngs(world);
            self.thin_out(world);
        }
    }

    /// Lists pairs that are deep in each other, and counts them for colliders in their body's own slot.
    fn find_deep(&mut self, world: &World, near: &Near, overlaps: &Overlaps) {
        self.deep.clear();
        self.counts.clear();
        self.counts.resize(world.count(), 0);
        for &number in &overlaps.over {
            let push = &near.pairs.get(number).push;
            let (a, b) = push.pair;
            let (one, other) = (world.member(a), world.member(b));
            let narrow = one.half_extents().min(other.half_extents()).min_element();
            let is_deep = push.depth > DEEP * narrow;
            // Tested first, since hardly any pair is deep.
            if is_deep && can_go(world, a) && can_go(world, b) {
                self.deep.push((a, b));
                if world.body(a) == a && world.body(b) == b && are_alike(world, (a, b)) {
                    self.counts[a as usize] += 1;
                    self.counts[b as usize] += 1;
                }
            }
        }
    }

    /// Spreads members in the very same place. They are ordered by outline, then by slot.
    fn sow(&mut self, world: &mut World) {
        self.seeds.clear();
        for &(a, b) in &self.deep {
            let place = world.center(a);
            if place == world.center(b) {
                self.seeds.extend([a, b].map(|member| Seed {
                    place,
                    half_extents: world.member(member).half_extents(),
                    slot: world.slot(member),
                    member,
                }));
            }
        }
        self.seeds.sort_unstable_by(|a, b| {
            compare_places(a.place, b.place)
                .then_with(|| compare_outlines(world.outline(a.member), world.outline(b.member)))
                .then(a.slot.cmp(&b.slot))
        });
        self.seeds.dedup_by_key(|seed| seed.slot);

        for heap in self.seeds.chunk_by(|a, b| a.place == b.place) {
            if heap.len() < 3 {
                continue;
            }
            let mut direction = Vec2::X;
            let lightest = lightest(world, heap.iter().map(|seed| seed.member));
            for (number, seed) in (1_u32..).zip(heap) {
                let size = seed.half_extents.min_element() * share(world, seed.member, lightest);
                let way = direction * (size * SPREAD * (number as f32).sqrt());
                let body = world.body(seed.member);
                go(world, body, way, &mut Walls::default());
                direction = direction.rotate(GOLDEN);
            }
        }
    }

    /// Finds throngs: bodies that are deep in many others, and deep in each other, directly or through others.
    fn find_throngs(&mut self, world: &World) {
        self.sets.start(self.counts.len());
        self.deep.retain(|&(a, b)| {
            let [count_a, count_b] = [a, b].map(|body| self.counts[body as usize]);
            count_a.min(count_b) >= THRONG_OVERLAPS && are_alike(world, (a, b))
        });
        for &(a, b) in &self.deep {
            self.sets.join(a, b);
        }
        self.throngs.clear();
        for body in 0..self.counts.len() as u32 {
            if self.counts[body as usize] >= THRONG_OVERLAPS {
                self.throngs.push((self.sets.of(body), body));
            }
        }
        self.throngs.sort_unstable();
    }

    /// Gives each throng as much room as it needs: away from its middle at first, and then from the walls that have thrown it back.
    fn thin_out(&mut self, world: &mut World) {
        for throng in self.throngs.chunk_by(|a, b| a.0 == b.0) {
            let bodies = || throng.iter().map(|&(_, body)| body);
            let mut largest = Vec2::ZERO;
            self.areas.clear();
            for body in bodies() {
                let half = world.member(body).half_extents();
                self.areas.push(half.x * half.y * 4.0);
                largest = largest.max(half);
            }
            // Sorted, since the sum of floats depends on their order.
            self.areas.sort_unstable_by(f32::total_cmp);
            let area: f32 = self.areas.iter().sum();
            // No throng needs more room than a row of all its bodies: on a line there is never as much room as the area asks for.
            let row = largest * (2 * throng.len()) as f32;
            let lightest = lightest(world, bodies());
            let mut walls = Walls::default();
            for _ in 0..MOST_SPREADS {
                let (low, high) = bounds_of(bodies().map(|body| world.center(body)));
                let least = Vec2::splat(largest.max_element() * SPREAD);
                let size = (high - low).max(least);
                let most = (row / size).min_element();
                let times = (area / (COVERED * size.x * size.y)).min(most * most);
                if !(times > ENOUGH && times.is_finite()) {
                    break;
                }
                let times = walls.share(times);
                let from = walls.from((low, high), low.midpoint(high));
                for body in bodies() {
                    let way = (world.center(body) - from) * (times - 1.0);
                    let way = way * share(world, body, lightest);
                    go(world, body, way, &mut walls);
                }
            }
        }
    }
}

/// Returns the inverse mass of the lightest of several members.
fn lightest(world: &World, members: impl Iterator<Item = u32>) -> f32 {
    let inverse_masses = members.map(|member| world.member(member).inverse_mass);
    inverse_masses.fold(0.0, f32::max)
}

/// Returns how much a member gives way, as a part of what the lightest one does: a body of infinite mass does not.
fn share(world: &World, member: u32, lightest: f32) -> f32 {
    world.member(member).inverse_mass / lightest
}

/// Moves a body by a way. Firm colliders and rooms throw it back, like a ball: half of a throng beside a wall has room only on this side of it.
fn go(world: &mut World, body: u32, mut way: Vec2, walls: &mut Walls) {
    for _ in 0..MOST_TURNS {
        let from = world.position(body);
        world.shift(body, way);
        let impact = stop_at_firm(world, (body, from), Rank::Kinematic);
        let back = put_into_rooms(world, body, walls);
        if let Some(back) = back {
            way = back;
        } else if let Some(impact) = impact {
            walls.note(impact.normal);
            way = (way * (1.0 - impact.fraction)).reflect(impact.normal);
        } else {
            break;
        }
    }
}

/// Moves a body back to the walls of the rooms that it has left, and returns how much farther back it has to go, as if its way were mirrored there.
fn put_into_rooms(world: &mut World, body: u32, walls: &mut Walls) -> Option<Vec2> {
    let mut rest: Option<Vec2> = None;
    for at in 0..world.outside.rooms().len() {
        let room = world.outside.rooms()[at];
        let room = world.enter(room);
        let Outline::Bounds(half_size) = world.outline_for(body, room) else {
            continue;
        };
        if world.rank(room) == Rank::Static && world.may_push(body, room) {
            let half = room_within(half_size, world.member(body).shape());
            let offset = world.center(body) - world.center(room);
            let inside = offset.clamp(-half, half);
            if inside != offset {
                walls.note((inside - offset).normalize_or_zero());
                world.shift(body, inside - offset);
                let back = (inside * 2.0 - offset).clamp(-half, half) - inside;
                rest = Some(rest.unwrap_or(Vec2::ZERO) + back);
            }
        }
    }
    rest
}

/// Whether two members are similar enough in size to be in one throng.
fn are_alike(world: &World, (a, b): (u32, u32)) -> bool {
    let [a, b] = [a, b].map(|member| world.member(member).half_extents().max_element());
    a.max(b) <= a.min(b) * MOST_UNEQUAL
}

/// Whether a member is a collider of a dynamic body, and no room.
fn can_go(world: &World, member: u32) -> bool {
    world.rank(member) == Rank::Dynamic && !world.is_room(member)
}
