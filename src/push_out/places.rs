//! Which bodies of a crowd have a place, and how the next body finds one.
//!
//! ```text
//! the nearest place that is free of all bodies that have a place, and of what does not make way     (place)
//! if the body is wedged between more than is looked at, or something firm is on its way to that place:
//!     straight away from the middle, to behind all bodies that have a place; or in another direction
//!     or to the nearest free place to which there is a way around what bars all of these            (detour)
//! ```

use bevy::math::Vec2;

use super::{
    barriers::stop_at_firm,
    detour::Detours,
    met::NewOverlaps,
    near::Near,
    pairs::Pairs,
    place::{PlaceSearch, SearchResult},
    turns::lightness,
    world::{Size, TOLERANCE, World},
};
use crate::{
    cells::Cells,
    kernel::{Outline, cast_ray},
    placed::Rank,
    sweep::SweepImpact,
};

/// A body heavier by this many classes of weight does not make way: a million times heavier.
const MUCH_HEAVIER: u32 = 10;
/// How often the surroundings of a place may be looked at anew while one body looks for its place.
const MOST_LOOKS: u32 = 64;
/// A wedged body goes on by no more than this many of its half sizes at once, ...
const FAR: f32 = 8.0;
/// ... and at most this often.
const MOST_STEPS: u32 = 64;
/// Cosine and sine of the angle from the way out to the directions that a wedged body tries: that one first, then to its sides, then back.
const DIRECTIONS: [Vec2; 4] = [Vec2::X, Vec2::Y, Vec2::NEG_Y, Vec2::NEG_X];

/// The places that the crowds of a visit have taken, with buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The number of the visit in which these crowds are pressed.
    visit: u32,
    /// Counts the crowds of a push-out.
    crowd: u32,
    /// The first crowd of the visit.
    first_crowd: u32,
    /// How wide the bodies of the crowd are on average.
    size: f32,
    /// By body: the last crowd in which it has found its place.
    placed_in: Vec<u32>,
    /// Colliders that have a place, and whose body has gone far to it. All others are among the near pairs of what is near them.
    far: Cells,
    /// Colliders of all bodies that have a place; filled once a body has to make a detour.
    firm: Cells,
    is_firm_known: bool,
    /// No body has come to anything firm, or to another crowd.
    is_afloat: bool,
    /// Half extents of a body that has found no place by any way: bodies that are not smaller do not look for one.
    hopeless: Option<Vec2>,
    place: PlaceSearch,
    detours: Detours,
    /// Colliders of the body that looks for a place.
    own: Vec<u32>,
    /// From where the near pairs of that body have been collected, and ...
    looks: Vec<Vec2>,
    /// ... from where bodies that have gone far have been searched for.
    far_looks: Vec<Vec2>,
}

/// A body that looks for a place.
#[derive(Clone, Copy, Debug)]
struct Seeker {
    body: u32,
    /// Its position before the search.
    from: Vec2,
    size: Size,
    /// An overlap of no more than this is free.
    tolerance: f32,
}

/// How a body has left a crowd in a direction.
enum Exit {
    Free(Vec2),
    /// It has come to something firm or to the wall of a room, or is not out after all steps.
    Barred(Vec2),
}

impl Places {
    /// Starts with no body placed.
    pub(super) fn start(&mut self) {
        self.crowd = 0;
        self.visit = 0;
        self.placed_in.clear();
    }

    /// Begins with a crowd of `count` bodies, about `size` wide. Bodies of earlier crowds of the same visit keep their places.
    pub(super) fn begin(&mut self, world: &World, visit: u32, (count, size): (usize, f32)) {
        self.crowd += 1;
        self.size = size;
        if self.visit != visit {
            (self.visit, self.first_crowd) = (visit, self.crowd);
            self.far.clear(world.count(), count, size);
        }
        self.placed_in.resize(world.count(), 0);
        self.is_firm_known = false;
        self.is_afloat = true;
        self.hopeless = None;
    }

    /// Whether there may be room for this much area around a body, in all that it can get to.
    pub(super) fn may_have_room(&mut self, world: &mut World, body: u32, area: f32) -> bool {
        self.find_own(world, body);
        self.detours.may_have_room(world, body, &self.own, area)
    }

    /// Whether no body of the crowd has come to anything firm.
    pub(super) fn is_afloat(&self) -> bool {
        self.is_afloat
    }

    /// Moves a body to a place where it overlaps no body that has a place, nor anything else that does not make way. Returns false if it is wedged, and stays where it is. Records meetings with what is in its way.
    pub(super) fn find(
        &mut self,
        world: &mut World,
        near: &mut Near,
        (body, middle): (u32, Vec2),
        met: &mut NewOverlaps,
    ) -> bool {
        let seeker = Seeker {
            body,
            from: world.position(body),
            size: world.size_of(body),
            tolerance: (TOLERANCE * 0.25).max(world.rounding((body, body))),
        };
        self.find_own(world, body);
        let place = self.nearest(world, near, seeker, met);
        let place = place.or_else(|| self.other_place(world, near, seeker, middle));
        let to = place.unwrap_or(seeker.from);
        if to != world.position(body) {
            world.move_to(body, to);
        }
        place.is_some()
    }

    fn find_own(&mut self, world: &mut World, body: u32) {
        self.own.clear();
        let slots = world.slots_of(body);
        self.own.extend(slots.map(|slot| world.enter(slot)));
    }

    /// Notes that a body has its place.
    pub(super) fn settle(&mut self, world: &World, near: &Near, body: u32) {
        self.placed_in.resize(world.count(), 0);
        self.placed_in[body as usize] = self.crowd;
        let is_far = near.has_gone_far(world, body);
        for (cells, is_in) in [
            (&mut self.far, is_far),
            (&mut self.firm, self.is_firm_known),
        ] {
            if is_in {
                cells.grow(world.count());
                for &own in &self.own {
                    set(world, cells, own);
                }
            }
        }
    }

    /// Returns the nearest free place, if the body gets there straight.
    fn nearest(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
        met: &mut NewOverlaps,
    ) -> Option<Vec2> {
        let Seeker { body, from, .. } = seeker;
        self.place.clear();
        self.looks.clear();
        self.looks.push(near.look_from(body));
        self.look_around(world, &near.pairs, seeker);
        self.far_looks.clear();
        self.far_looks.push(from);
        let everywhere = (from, f32::INFINITY);
        let place = self.nearest_free(world, near, seeker, everywhere, Some(met))?;
        let is_alone = self.place.taken().all(|obstacle| {
            let other = world.body(obstacle.pair.1);
            // A much heavier body may be in the way without having a place, and may have come into it just now.
            let placed_in = self.placed_in.get(other as usize);
            world.rank(other) == Rank::Dynamic && placed_in == Some(&self.crowd)
        });
        let is_barred = place != from && go_to(world, seeker, place).is_some();
        self.is_afloat &= is_alone && !is_barred;
        (!is_barred).then_some(place)
    }

    /// Returns the free place that is the nearest one to `start`, if it is no farther from that than `limit` on any axis. Records meetings with what is in the way, as far as that is known at first.
    fn nearest_free(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
        (start, limit): (Vec2, f32),
        mut met: Option<&mut NewOverlaps>,
    ) -> Option<Vec2> {
        let is_within = |place: Vec2| (place - start).abs().max_element() <= limit;
        self.place.begin(start, seeker.size.wide, seeker.tolerance);
        for _ in 0..MOST_LOOKS {
            let found = self.place.nearest_free(|place| {
                let is_near =
                    |look: &Vec2| (place - *look).abs().max_element() <= seeker.size.narrow;
                self.looks.iter().any(|look| !near.is_far(place, *look))
                    && self.far_looks.iter().any(is_near)
            });
            if let Some(met) = met.take() {
                self.tell(world, near, met);
            }
            match found {
                SearchResult::Free(place) if is_within(place) => return Some(place),
                SearchResult::Unknown(place) if is_within(place) => {
                    self.look_from(world, near, seeker, place);
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns a place for a body that does not get to the nearest one.
    fn other_place(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
        middle: Vec2,
    ) -> Option<Vec2> {
        let half = seeker.size.half;
        if self.hopeless.is_some_and(|least| half.cmpge(least).all()) {
            return None;
        }
        let from = seeker.from + world.offset(seeker.body);
        let out = (from - middle).normalize_or(Vec2::X);
        let mut nearest: Option<Vec2> = None;
        let mut start = seeker.from;
        for turn in DIRECTIONS {
            match self.go_straight(world, near, seeker, out.rotate(turn)) {
                Exit::Free(place) if turn == Vec2::X => return Some(place),
                Exit::Free(place) => {
                    let far = |place: Vec2| place.distance_squared(seeker.from);
                    if nearest.is_none_or(|nearest| far(place) < far(nearest)) {
                        nearest = Some(place);
                    }
                }
                Exit::Barred(place) if turn == Vec2::X => start = place,
                Exit::Barred(_) => {}
            }
        }
        let place = nearest.or_else(|| self.go_around(world, near, seeker, start));
        if place.is_none() {
            self.hopeless = Some(half);
        }
        place
    }

    /// Moves a body in a direction, to behind all bodies that have a place.
    fn go_straight(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
        direction: Vec2,
    ) -> Exit {
        let Seeker { body, from, .. } = seeker;
        world.move_to(body, from);
        let mut looked_from = near.look_from(body);
        let far = direction * (seeker.size.wide * FAR);
        let mut is_out = false;
        for _ in 0..MOST_STEPS {
            near.look_again(world, body, &mut looked_from);
            let exit = self.exit(world, near, body, far);
            is_out = exit == 0.0;
            if is_out {
                break;
            }
            world.shift(body, far * exit);
        }
        let place = world.position(body);
        let stop = go_to(world, seeker, place);
        if is_out && stop.is_none() && self.is_in_rooms(world, seeker) {
            Exit::Free(place)
        } else {
            self.is_afloat = false;
            Exit::Barred(world.position(body))
        }
    }

    /// Returns what part of a way a body has to go to leave the last one of the bodies that it is in now.
    fn exit(&self, world: &World, near: &Near, body: u32, way: Vec2) -> f32 {
        let mut exit = 0.0_f32;
        self.each_firm(world, &near.pairs, (body, 0.0), |own, other| {
            if let (Outline::Shape(shape), Outline::Shape(others)) =
                (world.outline(own), world.outline(other))
                && world.rank(other) == Rank::Dynamic
                && world.deep_overlap(world.in_order(own, other)).is_some()
            {
                // A ray from outside enters the other shape where a body that goes the opposite way leaves it.
                let start = world.center(own) + way - world.center(other);
                let hit = cast_ray(others.sum(shape), start, -way);
                exit = exit.max(hit.map_or(0.0, |hit| 1.0 - hit.fraction));
            }
        });
        exit
    }

    /// Whether a body is, at its current place, no farther out of any room than it was at first. It is moved back and forth for that, and stays at its current place.
    fn is_in_rooms(&self, world: &mut World, Seeker { body, from, .. }: Seeker) -> bool {
        let to = world.position(body);
        (0..world.outside.rooms().len()).all(|at| {
            let room = world.enter(world.outside.rooms()[at]);
            self.own.iter().all(|&own| {
                if own == room || !world.may_push(own, room) {
                    return true;
                }
                let pair = world.in_order(own, room);
                let depth = |world: &mut World, place: Vec2| {
                    world.move_to(body, place);
                    world.overlap(pair).map_or(0.0, |push| push.depth)
                };
                let before = depth(world, from);
                depth(world, to) <= before.max(TOLERANCE)
            })
        })
    }

    /// Returns the nearest free place to which there is a way from another one.
    fn go_around(
        &mut self,
        world: &mut World,
        near: &mut Near,
        seeker: Seeker,
        start: Vec2,
    ) -> Option<Vec2> {
        self.know_firm(world);
        world.move_to(seeker.body, start);
        self.detours.begin(world, seeker.body);
        while let Some(place) = self.detours.next(world, &self.own, &self.firm) {
            self.place.clear();
            self.looks.clear();
            self.far_looks.clear();
            self.look_from(world, near, seeker, place);
            let limit = (place, seeker.size.narrow);
            let free = self.nearest_free(world, near, seeker, limit, None);
            if free.is_some() {
                return free;
            }
        }
        None
    }

    /// Enters the colliders of all bodies that have a place.
    fn know_firm(&mut self, world: &mut World) {
        if std::mem::replace(&mut self.is_firm_known, true) {
            return;
        }
        let bodies = || {
            let placed = (0..).zip(&self.placed_in);
            placed.filter_map(|(body, crowd)| (*crowd >= self.first_crowd).then_some(body))
        };
        let count = bodies().map(|body| world.slots_of(body).count()).sum();
        self.firm.clear(world.count(), count, self.size);
        for body in bodies() {
            // They became members when the body took its place.
            for slot in world.slots_of(body) {
                let collider = world.enter(slot);
                set(world, &mut self.firm, collider);
            }
        }
    }

    /// Records meetings with what is in the way of a body where it was.
    fn tell(&self, world: &World, near: &mut Near, met: &mut NewOverlaps) {
        for obstacle in self.place.taken() {
            let (own, other) = obstacle.pair;
            let pair = world.in_order(own, other);
            if world.overlap(pair).is_some() {
                met.tell(world, near.pair_mut(world, pair));
            }
        }
    }

    /// Moves the body to a place, and collects what is near it there.
    fn look_from(&mut self, world: &mut World, near: &mut Near, seeker: Seeker, place: Vec2) {
        world.move_to(seeker.body, place);
        near.collect(world, seeker.body);
        self.look_around(world, &near.pairs, seeker);
        self.looks.push(place);
        self.far_looks.push(place);
    }

    /// Adds what is firm and near a body to the obstacles.
    fn look_around(&mut self, world: &World, pairs: &Pairs, Seeker { body, size, .. }: Seeker) {
        let mut place = std::mem::take(&mut self.place);
        self.each_firm(world, pairs, (body, size.narrow), |own, other| {
            place.add(world, own, other);
        });
        self.place = place;
    }

    /// Calls `found` with each collider of the body that looks for a place and each member that is firm to it: of its near pairs, and of those that have gone far and whose boxes are closer than the slack. A pair may come twice.
    #[inline]
    fn each_firm(
        &self,
        world: &World,
        pairs: &Pairs,
        (body, slack): (u32, f32),
        mut found: impl FnMut(u32, u32),
    ) {
        for number in pairs.of(body) {
            let (own, other) = world.own_first(body, pairs.get(number).numbers());
            if self.is_firm(world, body, other) {
                found(own, other);
            }
        }
        for &own in &self.own {
            if let Some(extent) = world.extent_at(own, world.position(own), slack) {
                self.far.meeting(&extent, |other| {
                    if world.may_push(own, other) {
                        found(own, other);
                    }
                });
            }
        }
    }

    /// Whether a member does not make way for a body that looks for a place: nothing moves it any more, or it is much heavier. A member that is only somewhat heavier is pushed on, or a heap would have no room between such bodies.
    #[inline]
    fn is_firm(&self, world: &World, body: u32, member: u32) -> bool {
        let other = world.body(member);
        let placed_in = || self.placed_in.get(other as usize);
        world.rank(member) != Rank::Dynamic
            || placed_in().is_some_and(|&crowd| crowd >= self.first_crowd)
            || lightness(world, other) + MUCH_HEAVIER <= lightness(world, body)
    }
}

/// Moves a body straight to a place, or to where it meets something firm on its way, which is returned.
fn go_to(world: &mut World, Seeker { body, from, .. }: Seeker, place: Vec2) -> Option<SweepImpact> {
    world.move_to(body, place);
    stop_at_firm(world, (body, from), Rank::Kinematic)
}

/// Stores the box of a collider, unless it is a room.
fn set(world: &World, cells: &mut Cells, collider: u32) {
    if let Some(extent) = world.extent_at(collider, world.position(collider), 0.0) {
        cells.set(collider, extent);
    }
}
