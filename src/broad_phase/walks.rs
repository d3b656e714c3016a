//! Walks through the strips of a level: along a way, or outwards from a place, and no farther than it matters.
//!
//! ```text
//! along     strip by strip in the order of the way; in each only the stretch of x that the way takes there
//!           ________________________
//!           ___________________[_/_]
//!           _______________[_/__]___      a row is walked in the direction of the way, too: the first hit
//!           ___________[_/__]_______      ends the walk for all that lies behind it
//!
//! around    the strip of the place, then the nearer one of the next ones above and below, and so on;
//!           in each from the middle to both sides
//! ```
//!
//! Whoever lies in several strips is met in one of them only: along a way in the first, around a place in the nearest.

use bevy::math::Vec2;

use super::{
    extent::{Extent, HasExtent},
    grid::Span,
    lanes::Line,
    rounding::{MOST, greater, lesser},
    rows::Rows,
};

/// A box that goes a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) from: Vec2,
    pub(crate) motion: Vec2,
    /// How far to all sides of the way somebody may be and matter.
    reach: Vec2,
    across: Vec2,
}

impl Way {
    /// For a box of these half extents and what is up to `drift` away from it.
    #[inline(always)]
    pub(crate) fn new(from: Vec2, motion: Vec2, half: Vec2, drift: f32) -> Self {
        // What the way itself may be off by, in f32: whoever is only just missed may be hit, as the kernel rounds.
        let rounding = (from.abs() + motion.abs() + half).max_element() * (16.0 * f32::EPSILON);
        let longest = motion.abs().max_element();
        Self {
            from,
            motion,
            reach: half + (drift + rounding),
            // Of the length of 1, or thereabouts: neither vanishes nor overflows when multiplied.
            across: if longest > 0.0 {
                (motion / longest).perp()
            } else {
                Vec2::ZERO
            },
        }
    }

    /// The line in its middle, for boxes that are met somewhere in `extent` and are not larger than this.
    #[inline(always)]
    fn line(&self, extent: &Extent, largest: f32) -> Line {
        let across = self.across;
        let [x, y] = [0, 1].map(|axis| extent.max[axis].abs().max(extent.min[axis].abs()));
        let rounding = (across.x.abs() * (x + largest) + across.y.abs() * (y + largest))
            * (16.0 * f32::EPSILON);
        Line {
            across,
            at: across.dot(self.from),
            slack: across.abs().dot(self.reach) + rounding,
        }
    }

    /// The box around the part of the way between two fractions.
    #[inline(always)]
    pub(crate) fn extent(&self, start: f32, end: f32) -> Extent {
        let [a, b] = [start, end].map(|at| (self.from + self.motion * at).to_array());
        let reach = self.reach.to_array();
        Extent {
            min: [0, 1].map(|axis| lesser(a[axis], b[axis]) - reach[axis]),
            max: [0, 1].map(|axis| greater(a[axis], b[axis]) + reach[axis]),
        }
    }
}

/// The stretches that a way takes of the strips of a level.
struct Stretches<'a> {
    way: &'a Way,
    height: f32,
    /// Fractions of the way for each unit of y; 0 if it stays where it is.
    per_unit: f32,
}

impl<'a> Stretches<'a> {
    fn new(way: &'a Way, height: f32) -> Self {
        // What is slower than this does not come far.
        let is_slow = way.motion.y.abs() < 1.0e-30;
        Self {
            way,
            height,
            per_unit: if is_slow { 0.0 } else { way.motion.y.recip() },
        }
    }

    /// The box around what the way takes of a strip before the limit, and whoever may be met there; none if it comes there later.
    #[inline(always)]
    fn get(&self, strip: i32, limit: f32) -> Option<Extent> {
        if self.per_unit == 0.0 {
            return Some(self.way.extent(0.0, limit));
        }
        let [low, high] = borders(strip, self.height);
        let at = |y: f32| {
            let fraction = (y - self.way.from.y) * self.per_unit;
            lesser(greater(fraction, 0.0), 1.0)
        };
        let (low, high) = (at(low - self.way.reach.y), at(high + self.way.reach.y));
        let (enter, leave) = (lesser(low, high), greater(low, high));
        (enter <= limit).then(|| self.way.extent(enter, lesser(leave, limit)))
    }
}

/// The lower and the upper border of a strip.
#[inline(always)]
fn borders(strip: i32, height: f32) -> [f32; 2] {
    // Beyond the last ones there are no more.
    let outer = |is_last: bool| if is_last { f32::INFINITY } else { 0.0 };
    let most = MOST as i32;
    [
        (strip as f32 - 0.5) * height - outer(strip <= -most),
        (strip as f32 + 0.5) * height + outer(strip >= most),
    ]
}

impl<T: Copy + HasExtent> Rows<T> {
    /// Calls `found` with every box that may be met on the way before the limit, which is a fraction of the way and which it answers anew; a negative one ends the walk.
    pub(super) fn walk_along<'a>(
        &'a self,
        way: &Way,
        mut limit: f32,
        mut found: impl FnMut(&'a T, f32) -> f32,
    ) -> f32 {
        if self.is_empty() || limit < 0.0 {
            return limit;
        }
        let (grid, all) = (self.grid(), self.all());
        let whole = way.extent(0.0, limit);
        let span = grid.span(whole.min[1], whole.max[1]);
        let (first, last) = (span.first.max(all.first), span.last.min(all.last));
        if first > last {
            return limit;
        }
        let line = way.line(&whole, grid.largest());
        if (last - first) as usize >= grid.places() {
            // More strips than places: each place once, and each box where it begins.
            for place in 0..grid.places() {
                let here = way.extent(0.0, limit);
                limit = self.meet_along(
                    place,
                    way,
                    (&here, &line),
                    limit,
                    |extent, _| grid.begins_in(extent.min[1], place),
                    &mut found,
                );
                if limit < 0.0 {
                    break;
                }
            }
            return limit;
        }
        let stretches = Stretches::new(way, grid.strip_height());
        let is_upwards = way.motion.y >= 0.0;
        for number in 0..=last - first {
            let strip = if is_upwards {
                first + number
            } else {
                last - number
            };
            let Some(here) = stretches.get(strip, limit) else {
                break;
            };
            let is_new = |extent: &Extent, limit: f32| {
                let edge = if is_upwards { extent.min } else { extent.max };
                if grid.strip_at(edge[1]) == strip {
                    return true;
                }
                // It was here before, if it is here at all and not in a strip that shares the place.
                let own = grid.span_of(extent);
                let mut before = if is_upwards {
                    own.first.max(first)..strip
                } else {
                    strip + 1..own.last.min(last) + 1
                };
                let is_here = own.first <= strip && strip <= own.last;
                // With the limit of now, which is no greater than it was then: so nobody is taken for met who was not.
                let mut was_met = || {
                    before.any(|strip| {
                        let here = stretches.get(strip, limit);
                        here.is_some_and(|here| here.meets(extent))
                    })
                };
                is_here && !was_met()
            };
            let place = grid.place(strip);
            limit = self.meet_along(place, way, (&here, &line), limit, is_new, &mut found);
            if limit < 0.0 {
                break;
            }
        }
        limit
    }

    /// The same in one place, with those who count there.
    #[inline(always)]
    fn meet_along<'a>(
        &'a self,
        place: usize,
        way: &Way,
        (extent, line): (&Extent, &Line),
        mut limit: f32,
        counts: impl Fn(&Extent, f32) -> bool,
        mut found: impl FnMut(&'a T, f32) -> f32,
    ) -> f32 {
        let is_rightwards = way.motion.x >= 0.0;
        let (number, row) = self.grid().part(place);
        let part = self.part(number);
        part.meet_along(row, (extent, line), is_rightwards, |first, mut bits| {
            while bits != 0 && limit >= 0.0 {
                let at = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if counts(&part.extent(at), limit) {
                    limit = found(&part.items()[at], limit);
                }
            }
            let end = way.from.x + way.motion.x * limit;
            // Nobody begins before the one, or ends behind the other.
            match (limit < 0.0, is_rightwards) {
                (true, true) => f32::NEG_INFINITY,
                (true, false) => f32::INFINITY,
                (false, true) => end + way.reach.x,
                (false, false) => end - way.reach.x,
            }
        });
        limit
    }

    /// Calls `found` with every box that may be within reach of a place, or of what is up to `drift` away from it, which it answers anew; a negative one ends the walk.
    pub(super) fn walk_around<'a>(
        &'a self,
        place: Vec2,
        drift: f32,
        mut reach: f32,
        mut found: impl FnMut(&'a T, f32) -> f32,
    ) -> f32 {
        if self.is_empty() || reach < 0.0 {
            return reach;
        }
        let (grid, Span { first, last }) = (self.grid(), self.all());
        let height = grid.strip_height();
        let start = grid.strip_at(place.y).clamp(first, last);
        // Whoever is only just out of reach may be within it, as the kernel rounds.
        let most = place.abs().max_element() + drift;
        let half = drift + most * (16.0 * f32::EPSILON);
        let around = &Extent {
            min: (place - half).to_array(),
            max: (place + half).to_array(),
        };
        let more = |reach: f32| reach * (1.0 + 16.0 * f32::EPSILON);
        let (mut above, mut below) = (start, start - 1);
        for _ in 0..grid.places() {
            let gap_above = borders(above, height)[0] - around.max[1];
            let gap_below = around.min[1] - borders(below, height)[1];
            let is_above = above <= last && (below < first || gap_above <= gap_below);
            if !is_above && below < first {
                break;
            }
            let (strip, gap) = if is_above {
                (above, gap_above)
            } else {
                (below, gap_below)
            };
            if gap > more(reach) {
                break;
            }
            if is_above {
                above += 1;
            } else {
                below -= 1;
            }
            let here = grid.place(strip);
            let (number, row) = grid.part(here);
            let part = self.part(number);
            part.meet_around(row, around, more(reach), |at| {
                let own = grid.span_of(&part.extent(at));
                if grid.place(start.clamp(own.first, own.last)) == here {
                    reach = found(&part.items()[at], reach);
                }
                more(reach)
            });
            if reach < 0.0 {
                break;
            }
        }
        reach
    }
}
