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

use bevy::math::{Vec2, Vec2Swizzles, Vec4, Vec4Swizzles};

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

    /// The line in its middle, for boxes that are met somewhere within these edges and are not larger than this.
    #[inline(always)]
    fn line(&self, edges: Vec4, largest: f32) -> Line {
        let across = self.across;
        let farthest = edges.abs().max(edges.zwxy().abs());
        let (x, y) = (farthest.x, farthest.y);
        let rounding = (across.x.abs() * (x + largest) + across.y.abs() * (y + largest))
            * (16.0 * f32::EPSILON);
        Line {
            across,
            at: across.dot(self.from),
            slack: across.abs().dot(self.reach) + rounding,
        }
    }

    /// The box around all of it.
    pub(crate) fn extent(&self) -> Extent {
        Extent::of_edges(self.edges(0.0, 1.0))
    }

    /// The box around the part of the way between two fractions: its left, low, right and high edge.
    #[inline(always)]
    fn edges(&self, start: f32, end: f32) -> Vec4 {
        let at = Vec4::new(start, start, end, end);
        let ends = self.from.xyxy() + self.motion.xyxy() * at;
        let swapped = ends.zwxy();
        let (min, max) = (ends.min(swapped), ends.max(swapped));
        let (min, max) = (min - self.reach.xyxy(), max + self.reach.xyxy());
        Vec4::new(min.x, min.y, max.z, max.w)
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
    fn get(&self, strip: i32, limit: f32) -> Option<Vec4> {
        if self.per_unit == 0.0 {
            return Some(self.way.edges(0.0, limit));
        }
        let [low, high] = borders(strip, self.height);
        let at = |y: f32| {
            let fraction = (y - self.way.from.y) * self.per_unit;
            lesser(greater(fraction, 0.0), 1.0)
        };
        let (low, high) = (at(low - self.way.reach.y), at(high + self.way.reach.y));
        let (enter, leave) = (lesser(low, high), greater(low, high));
        (enter <= limit).then(|| self.way.edges(enter, lesser(leave, limit)))
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

/// Those of some bits for which something holds.
#[inline(always)]
fn only(mut bits: u32, holds: impl Fn(usize) -> bool) -> u32 {
    let mut held = 0;
    while bits != 0 {
        let lowest = bits & bits.wrapping_neg();
        bits ^= lowest;
        if holds(lowest.trailing_zeros() as usize) {
            held |= lowest;
        }
    }
    held
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
        let whole = way.edges(0.0, limit);
        let span = grid.span(whole.y, whole.w);
        let (first, last) = (span.first.max(all.first), span.last.min(all.last));
        if first > last {
            return limit;
        }
        let line = way.line(whole, grid.largest());
        let stretches = Stretches::new(way, grid.strip_height());
        let is_upwards = way.motion.y >= 0.0;
        let count = (last - first) as usize + 1;
        // More strips than places: each place once, and each box where it begins.
        let is_all = count > grid.places();
        for number in 0..count.min(grid.places()) {
            let strip = match (is_all, is_upwards) {
                (true, _) => number as i32,
                (false, true) => first + number as i32,
                (false, false) => last - number as i32,
            };
            let here = if is_all {
                way.edges(0.0, limit)
            } else if let Some(here) = stretches.get(strip, limit) {
                here
            } else {
                break;
            };
            let place = grid.place(strip);
            let (part, row) = grid.part(place);
            let part = self.part(part);
            let is_met_here = |extent: &Extent, limit: f32| {
                if is_all {
                    return grid.begins_in(extent.min[1], place);
                }
                // It was met before, if it is here at all and not in a strip that shares the place.
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
                        here.is_some_and(|edges| Extent::of_edges(edges).meets(extent))
                    })
                };
                is_here && !was_met()
            };
            let is_rightwards = way.motion.x >= 0.0;
            part.meet_along(row, (here, &line), is_rightwards, |first, bits| {
                let edges = if is_upwards {
                    part.lows(first)
                } else {
                    part.highs(first)
                };
                let begin = if is_all {
                    0
                } else {
                    bits & grid.are_in(edges, strip)
                };
                // Mostly each begins here.
                let mut bits = if begin == bits {
                    bits
                } else {
                    only(bits, |lane| {
                        begin >> lane & 1 != 0 || is_met_here(&part.extent(first + lane), limit)
                    })
                };
                while bits != 0 && limit >= 0.0 {
                    let at = first + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    limit = found(&part.items()[at], limit);
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
            if limit < 0.0 {
                break;
            }
        }
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
