//! A crowd that presses itself finds its places from its middle outwards, one body after the other.
//!
//! ```text
//! whoever has nobody in his way to the middle who has no place yet, comes next                                                 (turns)
//!     he takes the nearest place that is free of all that have theirs, and of what does not give way                            (place)
//!     who is there, and not of the crowd, becomes a part of it
//! at the end all go back by as much as their middle has gone, unless something holds them
//! ```
//!
//! Two that share a push hand it on, and each of it comes back from the next: so it takes rounds by the square of the crowd's width until the pressure is gone. Here nobody who has a place is moved any more, and
//! one pass frees all that can be freed outwards.
//!
//! A crowd at rest that steps to its middle in every tick, as enemies do, is led back to where it was, each body by those on which it lay: from a little closer to the middle, the nearest free place is that one.
//! Out of one after the other it would be led a little to the side in every tick, and tremble.

use bevy::math::{I64Vec2, Vec2};

use super::{
    groups::Groups,
    island::Island,
    met::Met,
    near::Near,
    pairs::Pairs,
    place::{Found, Obstacle, Place},
    statics::{come_back, slide_along_statics},
    turns::{Turns, compare_turns},
    world::{Push, TOLERANCE, World},
};
use crate::{
    cells::Cells,
    kernel::{Outline, cast_ray},
    placed::Rank,
};

/// Fewer pairs than so many that overlap are no crowd: they share what they push.
const MANY: usize = 48;
/// Places and ways are summed in such parts of a unit: integers, for the sum of floats depends on their order.
const PARTS: f64 = 65536.0;
/// When more than so many are wedged, and more than one in so many, there is no room.
const MOST_WEDGED: usize = 8;
const WEDGED_PART: usize = 8;
/// So often who looks for a place looks around anew, since he has gone far.
const MOST_LOOKS: u32 = 64;
/// Who is wedged goes outwards by no more than so many of his half sizes at once, ...
const FAR: f32 = 8.0;
/// ... and so often.
const MOST_STEPS: u32 = 16;

/// Finds places, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    /// Counts the crowds of a push-out.
    number: u32,
    turns: Turns,
    place: Place,
    /// By body: the last crowd in which it has found its place.
    placed_in: Vec<u32>,
    /// Colliders that have a place, and whose body has gone far to it. All others are known to those near them as what is near.
    far: Cells,
    /// By body: the last round in which it became a part of a crowd.
    joined_in: Vec<u32>,
    /// Colliders of the body whose turn it is.
    own: Vec<u32>,
    joining: Vec<u32>,
    /// Where it has been looked who is near that body, and ...
    looks: Vec<Vec2>,
    /// ... who has gone far to there.
    far_looks: Vec<Vec2>,
    /// Where everybody was before.
    from: Vec<Vec2>,
}

/// Everything but the crowd.
pub(super) struct Outside<'a, 'w> {
    pub(super) world: &'a mut World<'w>,
    pub(super) near: &'a mut Near,
    pub(super) groups: &'a mut Groups,
    pub(super) met: &'a mut Met,
    pub(super) colliders: &'a mut Vec<u32>,
}

/// Whether so many press each other that sharing would not free them: each overlaps more than one other, by and large.
pub(super) fn is_crowd(island: &Island, pairs: &Pairs) -> bool {
    let over = island.pairs.iter();
    let over = over.filter(|&&number| pairs.get(number).overlaps).count();
    over >= MANY && over >= island.dynamic_bodies().count()
}

/// Where the pressure comes from: what moves them and gives no way, or the middle of all, or the walls on whose sides they are.
pub(super) fn middle_of(world: &World, island: &Island) -> Vec2 {
    let mean = |rank: Rank| {
        let (mut sum, mut count) = (I64Vec2::ZERO, 0);
        for body in island.bodies_of(rank) {
            let parts = world.position(body).as_dvec2() * PARTS;
            sum = sum.saturating_add(parts.as_i64vec2());
            count += 1;
        }
        (count > 0).then(|| (sum.as_dvec2() / (f64::from(count) * PARTS)).as_vec2())
    };
    if let Some(middle) = mean(Rank::Kinematic) {
        return middle;
    }
    let bodies = island.bodies_of(Rank::Dynamic);
    let (low, high) = bodies.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), body| {
        let place = world.position(body);
        (low.min(place), high.max(place))
    });
    let middle = mean(Rank::Dynamic).unwrap_or_default();
    island.walls().from((low, high), middle)
}

impl Crowd {
    /// Nobody has a place, and nobody has joined.
    pub(super) fn start(&mut self) {
        self.number = 0;
        self.placed_in.clear();
        self.joined_in.clear();
    }

    /// Frees an island, as far as those can be freed who have to stay on the side of the middle on which they are. Who is in somebody's way, and in no crowd of this round, becomes a part of it.
    pub(super) fn press(&mut self, outside: Outside, island: &Island, middle: Vec2, round: u32) {
        let Outside {
            world,
            near,
            groups,
            met,
            colliders,
        } = outside;
        self.begin(world, &near.pairs, island, middle);
        let mut wedged = 0;
        while let Some(body) = self.turns.next() {
            // Where there is no room, none is found.
            if wedged > MOST_WEDGED + self.from.len() / WEDGED_PART {
                return;
            }
            let from = world.position(body);
            let is_placed = self.find_place(world, near, (body, middle), met);
            wedged += usize::from(!is_placed);
            if world.position(body) != from {
                slide_along_statics(world, near, (body, from), colliders);
                come_back(world, near, body, |world, pair| met.tell(world, pair));
                let to = world.position(body);
                if self.looks.iter().all(|look| near.is_far(to, *look)) {
                    near.collect(world, body);
                }
            }
            self.settle(world, near, body);
            self.turns.end(body);
            self.find_joining(world, &near.pairs, (body, middle), round, |other| {
                !island.contains(other) && !groups.has_given_up(other)
            });
            for &joining in &self.joining {
                near.open(world, joining);
                groups.take_in(world, joining, body);
                self.joined_in.resize(world.count(), 0);
                self.joined_in[joining as usize] = round;
                self.turns.add(world, joining);
                self.from.push(world.position(joining));
            }
        }
        if island.bodies_of(Rank::Dynamic).count() == island.bodies.len() {
            self.go_back(world);
        }
    }

    fn begin(&mut self, world: &World, pairs: &Pairs, island: &Island, middle: Vec2) {
        self.number += 1;
        self.placed_in.resize(world.count(), 0);
        let bodies = island.bodies_of(Rank::Dynamic);
        self.turns.begin(world, pairs, bodies, middle);
        let places = self.turns.bodies().map(|body| world.position(body));
        self.from.clear();
        self.from.extend(places);
        // Summed in the order of turns, and so always in the same. It only decides how long a look takes.
        let sizes = self.turns.bodies().map(|body| world.half_extents(body).1);
        let size = 2.0 * sizes.sum::<f32>() / self.from.len().max(1) as f32;
        self.far.clear(world.count(), self.from.len(), size);
    }

    /// Puts a body into the nearest place where it overlaps nobody who has one, nor what does not give way. False if it is wedged.
    fn find_place(
        &mut self,
        world: &mut World,
        near: &mut Near,
        (body, middle): (u32, Vec2),
        met: &mut Met,
    ) -> bool {
        self.own.clear();
        world.enter_colliders_of(body, &mut self.own);
        let from = world.position(body);
        let (narrow, wide) = world.half_extents(body);
        let tolerance = (TOLERANCE * 0.25).max(world.rounding((body, body)));
        self.place.clear();
        self.looks.clear();
        self.looks.push(near.look_from(body));
        self.look_around(world, &near.pairs, body, narrow);
        self.far_looks.clear();
        self.far_looks.push(from);
        self.place.begin(from, wide, tolerance);
        for look in 0..MOST_LOOKS {
            let is_known = |place: Vec2| {
                let is_near = |look: &Vec2| (place - *look).abs().max_element() <= narrow;
                self.looks.iter().any(|look| !near.is_far(place, *look))
                    && self.far_looks.iter().any(is_near)
            };
            let found = self.place.nearest_free(is_known);
            if look == 0 {
                self.tell(world, near, met);
            }
            match found {
                Found::Free(place) => {
                    if place != world.position(body) {
                        world.move_to(body, place);
                    }
                    return true;
                }
                Found::Unknown(place) => {
                    world.move_to(body, place);
                    near.collect(world, body);
                    self.look_around(world, &near.pairs, body, narrow);
                    self.looks.push(place);
                    self.far_looks.push(place);
                }
                Found::Nothing => break,
            }
        }
        world.move_to(body, from);
        self.go_outwards(world, near, (body, middle));
        false
    }

    /// Tells of those that are in the way of a body where it was.
    fn tell(&self, world: &World, near: &mut Near, met: &mut Met) {
        for obstacle in self.place.taken() {
            let (own, other) = obstacle.pair;
            let pair = world.in_order(own, other);
            if world.overlap(pair).is_some() {
                met.tell(world, near.pair_mut(world, pair));
            }
        }
    }

    /// Adds what is firm and near a body to what it has to be free of.
    fn look_around(&mut self, world: &World, pairs: &Pairs, body: u32, slack: f32) {
        for number in pairs.of(body) {
            let (own, other) = own_first(world, body, pairs.get(number).numbers());
            if self.is_firm(world, other) {
                add(world, &mut self.place, own, other);
            }
        }
        for &own in &self.own {
            if let Some(extent) = world.extent_at(own, world.position(own), slack) {
                self.far.meeting(&extent, |other| {
                    if world.may_push(own, other) {
                        add(world, &mut self.place, own, other);
                    }
                });
            }
        }
    }

    /// Whether nothing moves a member any more.
    #[inline]
    fn is_firm(&self, world: &World, member: u32) -> bool {
        let placed_in = || self.placed_in.get(world.body(member) as usize);
        world.rank(member) != Rank::Dynamic || placed_in() == Some(&self.number)
    }

    /// Straight away from the middle, to behind all that have a place: for who is wedged between more than are looked at.
    fn go_outwards(&mut self, world: &mut World, near: &mut Near, (body, middle): (u32, Vec2)) {
        let mut looked_from = near.look_from(body);
        let out = (world.position(body) - middle).normalize_or(Vec2::X);
        let far = out * (world.half_extents(body).1 * FAR);
        for _ in 0..MOST_STEPS {
            near.look_again(world, body, &mut looked_from);
            self.place.clear();
            self.look_around(world, &near.pairs, body, 0.0);
            let obstacles = self.place.obstacles.iter();
            let exits = obstacles.filter_map(|obstacle| {
                let (own, other) = obstacle.pair;
                let Outline::Shape(shape) = obstacle.outline else {
                    return None;
                };
                if world.rank(other) != Rank::Dynamic
                    || deep_overlap(world, world.in_order(own, other)).is_none()
                {
                    return None;
                }
                // From outside, a ray meets it where whoever goes outwards leaves it.
                let start = world.position(body) + far - obstacle.center;
                Some(1.0 - cast_ray(shape, start, -far)?.fraction)
            });
            let exit = exits.fold(0.0, f32::max);
            if exit == 0.0 {
                return;
            }
            world.shift(body, far * exit);
        }
    }

    /// A body has its place.
    fn settle(&mut self, world: &World, near: &Near, body: u32) {
        self.placed_in.resize(world.count(), 0);
        self.placed_in[body as usize] = self.number;
        if near.has_gone_far(world, body) {
            self.far.grow(world.count());
            for &own in &self.own {
                if let Some(extent) = world.extent_at(own, world.position(own), 0.0) {
                    self.far.set(own, extent);
                }
            }
        }
    }

    /// Lists bodies that overlap one that has its place, and are in no crowd of this round.
    fn find_joining(
        &mut self,
        world: &World,
        pairs: &Pairs,
        (body, middle): (u32, Vec2),
        round: u32,
        is_wanted: impl Fn(u32) -> bool,
    ) {
        self.joining.clear();
        for number in pairs.of(body) {
            let pair = pairs.get(number).numbers();
            let other = world.body(own_first(world, body, pair).1);
            let is_in_crowd = || {
                let has_joined = self.joined_in.get(other as usize) == Some(&round);
                has_joined || (pairs.of(other)).any(|number| pairs.get(number).in_round >= round)
            };
            if world.rank(other) == Rank::Dynamic
                && is_wanted(other)
                && deep_overlap(world, pair).is_some()
                && !is_in_crowd()
                && !self.joining.contains(&other)
            {
                self.joining.push(other);
            }
        }
        self.joining
            .sort_unstable_by(|a, b| compare_turns(world, middle, *a, *b));
    }

    /// Who push each other, and nothing else, go nowhere as a whole: the middle of their masses stays where it was.
    fn go_back(&self, world: &mut World) {
        let inverse_masses = self
            .turns
            .bodies()
            .map(|body| world.member(body).inverse_mass);
        let lightest = f64::from(inverse_masses.fold(f32::INFINITY, f32::min));
        // Whole numbers, for the sum of floats depends on their order.
        let (mut sum, mut total) = (I64Vec2::ZERO, 0_i64);
        for (body, from) in self.turns.bodies().zip(&self.from) {
            let weight = lightest / f64::from(world.member(body).inverse_mass) * PARTS;
            let way = (world.position(body) - *from).as_dvec2();
            sum = sum.saturating_add((way * weight).as_i64vec2());
            total = total.saturating_add(weight as i64);
        }
        let way = (sum.as_dvec2() / total as f64).as_vec2();
        for body in self.turns.bodies() {
            world.shift(body, -way);
        }
    }
}

/// Of a pair with a collider of a body, that one, and the other.
#[inline]
fn own_first(world: &World, body: u32, (a, b): (u32, u32)) -> (u32, u32) {
    if world.body(a) == body {
        (a, b)
    } else {
        (b, a)
    }
}

/// Adds a collider to what is in the way of one of the body that looks for a place, if it is not known yet.
#[inline]
fn add(world: &World, place: &mut Place, own: u32, other: u32) {
    let pair = (own, other);
    if place.obstacles.iter().any(|known| known.pair == pair) {
        return;
    }
    let Outline::Shape(shape) = world.outline(own) else {
        return;
    };
    place.obstacles.push(Obstacle {
        pair,
        center: world.center(other) - world.offset(own),
        outline: match world.outline(other) {
            Outline::Shape(other) => Outline::Shape(other.sum(shape)),
            Outline::Bounds(room) => Outline::Bounds((room - shape.half_extents()).max(Vec2::ZERO)),
        },
    });
}

/// How a pair overlaps, if it does by more than rounding.
#[inline]
fn deep_overlap(world: &World, pair: (u32, u32)) -> Option<Push> {
    let push = world.overlap(pair)?;
    (push.depth > world.rounding(pair)).then_some(push)
}
