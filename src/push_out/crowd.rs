//! Frees a crowd that presses itself: its bodies find their places from its middle outwards, one after the other.
//!
//! ```text
//! the next body is one in whose way to the middle there is no body without a place                                       (turns)
//!     it takes the nearest place that is free of all bodies that have one, and of what does not make way                 (places)
//!     a body that is there, and not in the crowd, joins it
//! at the end all go back by as much as the middle of their masses has moved, unless something firm touches them, or is in the way of one of them
//! ```
//!
//! Two bodies that share a push hand it on, and part of it comes back from the next: so it takes rounds by the square of the crowd's width until the pressure is gone. Here no body that has a place is moved any more, and
//! one pass frees all that can be freed outwards.
//!
//! A crowd at rest that steps to its middle in every tick, as enemies do, is led back to where it was, each body by those on which it lay: for a body a little closer to the middle, its old place is the nearest free one.
//! Pushes out of one body after the other would move it a little to the side in every tick, and it would tremble.

use bevy::math::{I64Vec2, Vec2};

use super::{
    barriers::stop_at_firm,
    island::{Island, PARTS},
    pairs::Pairs,
    places::Places,
    round::Round,
    turns::{Turns, compare_bodies_alike, compare_turns},
    world::{World, bounds_of},
};
use crate::placed::Rank;

/// With fewer overlapping pairs than this, a group is no crowd: its bodies share each push.
const CROWD_PAIRS: usize = 48;
/// There is no room if more bodies than this are wedged, plus one in `WEDGED_PART`.
const MOST_WEDGED: usize = 8;
const WEDGED_PART: usize = 32;

/// Finds places, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    turns: Turns,
    places: Places,
    /// By body: the last visit in which it joined a crowd.
    joined_in: Vec<u32>,
    joining: Vec<u32>,
    /// The positions of the bodies before.
    from: Vec<Vec2>,
}

/// Whether so many bodies press each other that sharing pushes would not free them: each overlaps more than one other on average.
pub(super) fn is_crowd(island: &Island, pairs: &Pairs) -> bool {
    let over = island.pairs.iter();
    let over = over.filter(|&&number| pairs.get(number).overlaps).count();
    over >= CROWD_PAIRS && over >= island.dynamic_bodies().count()
}

/// Returns where the pressure comes from: see [`Island::source`]. The middle is that of all places, and not that of their bounds, which a single body far out would move.
pub(super) fn middle_of(world: &World, island: &mut Island) -> Vec2 {
    let places = || island.dynamic_bodies().map(|body| world.middle(body));
    let bounds = bounds_of(places());
    let (mut sum, mut count) = (I64Vec2::ZERO, 0);
    for place in places() {
        let parts = place.as_dvec2() * PARTS;
        sum = sum.saturating_add(parts.as_i64vec2());
        count += 1;
    }
    let middle = (sum.as_dvec2() / (f64::from(count) * PARTS)).as_vec2();
    island.source(world, bounds, middle)
}

impl Crowd {
    /// Starts with no body placed or joined.
    pub(super) fn start(&mut self) {
        self.places.start();
        self.joined_in.clear();
    }

    /// Whether there may be room for all bodies of an island in what they can get to. Only looks around if they are squeezed into less area than they need.
    pub(super) fn may_have_room(&mut self, world: &mut World, island: &Island) -> bool {
        let places = island.dynamic_bodies().map(|body| world.middle(body));
        let (low, high) = bounds_of(places);
        let (mut area, mut widest) = (0_u64, 0.0_f32);
        for body in island.dynamic_bodies() {
            let size = world.size_of(body);
            let parts = f64::from(world.member(body).shape().area()) * PARTS;
            area = area.saturating_add(parts as u64);
            widest = widest.max(size.wide);
        }
        let area = (area as f64 / PARTS) as f32;
        let size = high - low + widest;
        if area <= size.x * size.y {
            return true;
        }
        // The narrowest body gets the farthest.
        let narrowest = island.dynamic_bodies().min_by(|&a, &b| {
            let [narrow_a, narrow_b] = [a, b].map(|body| world.size_of(body).narrow);
            narrow_a
                .total_cmp(&narrow_b)
                .then_with(|| compare_bodies_alike(world, a, b))
        });
        narrowest.is_none_or(|body| self.places.may_have_room(world, body, area))
    }

    /// Frees an island, as far as that is possible while each body stays on its side of the middle. A body that is in the way, and in no crowd of this visit, joins the crowd.
    pub(super) fn press(&mut self, round: &mut Round, island: &Island, middle: Vec2, visit: u32) {
        let Round {
            world,
            near,
            groups,
            met,
            ..
        } = round;
        self.begin(world, &near.pairs, (island, visit), middle);
        let mut wedged = 0;
        while let Some(body) = self.turns.next() {
            // Where there is no room, further searches would find none either.
            if wedged > MOST_WEDGED + self.from.len() / WEDGED_PART {
                groups.fill(self.turns.bodies());
                return;
            }
            let is_placed = self.places.find(world, near, (body, middle), met);
            wedged += usize::from(!is_placed);
            self.places.settle(world, near, body);
            self.turns.end(body);
            self.find_joining(world, &near.pairs, (body, middle), visit, |other| {
                !island.contains(other) && !groups.has_given_up(other)
            });
            for &joining in &self.joining {
                near.open(world, joining);
                groups.take_in(world, joining, body);
                self.joined_in.resize(world.count(), 0);
                self.joined_in[joining as usize] = visit;
                self.turns.add(world, joining);
                self.from.push(world.position(joining));
            }
        }
        if island.is_afloat() && self.places.is_afloat() {
            self.go_back(world);
        }
    }

    fn begin(
        &mut self,
        world: &World,
        pairs: &Pairs,
        (island, visit): (&Island, u32),
        middle: Vec2,
    ) {
        let bodies = island.dynamic_bodies();
        self.turns.begin(world, pairs, bodies, middle);
        let places = self.turns.bodies().map(|body| world.position(body));
        self.from.clear();
        self.from.extend(places);
        // Summed in the order of turns, so always in the same order. The size only decides how fast a search is.
        let sizes = self.turns.bodies().map(|body| world.size_of(body).wide);
        let size = 2.0 * sizes.sum::<f32>() / self.from.len().max(1) as f32;
        self.places.begin(world, visit, (self.from.len(), size));
    }

    /// Lists bodies that overlap a body that has its place, and are in no crowd of this visit.
    fn find_joining(
        &mut self,
        world: &World,
        pairs: &Pairs,
        (body, middle): (u32, Vec2),
        visit: u32,
        is_wanted: impl Fn(u32) -> bool,
    ) {
        self.joining.clear();
        for number in pairs.of(body) {
            let pair = pairs.get(number).numbers();
            let other = world.body(world.own_first(body, pair).1);
            let is_in_crowd = || {
                let has_joined = self.joined_in.get(other as usize) == Some(&visit);
                has_joined || (pairs.of(other)).any(|number| pairs.get(number).visited_in >= visit)
            };
            if world.rank(other) == Rank::Dynamic
                && is_wanted(other)
                && world.deep_overlap(pair).is_some()
                && !is_in_crowd()
                && !self.joining.contains(&other)
            {
                self.joining.push(other);
            }
        }
        self.joining
            .sort_unstable_by(|a, b| compare_turns(world, middle, *a, *b));
    }

    /// Moves the crowd back so that the middle of its masses stays where it was, since bodies that only push each other go nowhere as a whole; but not if one of them would go through a wall by that.
    fn go_back(&mut self, world: &mut World) {
        let inverse_masses = self
            .turns
            .bodies()
            .map(|body| world.member(body).inverse_mass);
        let heaviest = f64::from(inverse_masses.fold(f32::INFINITY, f32::min));
        // Whole numbers, since the sum of floats depends on their order.
        let (mut sum, mut total) = (I64Vec2::ZERO, 0_i64);
        for (body, from) in self.turns.bodies().zip(&self.from) {
            let weight = heaviest / f64::from(world.member(body).inverse_mass) * PARTS;
            let way = (world.position(body) - *from).as_dvec2();
            sum = sum.saturating_add((way * weight).as_i64vec2());
            total = total.saturating_add(weight as i64);
        }
        let way = (sum.as_dvec2() / total as f64).as_vec2();
        let Self {
            turns,
            from: places,
            ..
        } = self;
        for (body, place) in turns.bodies().zip(&mut *places) {
            *place = world.position(body);
            world.shift(body, -way);
        }
        let mut all = turns.bodies().zip(&*places);
        let is_barred =
            all.any(|(body, &place)| stop_at_firm(world, (body, place), Rank::Kinematic).is_some());
        if is_barred {
            for (body, &place) in turns.bodies().zip(&*places) {
                world.move_to(body, place);
            }
        }
    }
}
