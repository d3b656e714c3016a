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
    rounding::MOST,
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
        let (a, b) = (
            self.from + self.motion * start,
            self.from + self.motion * end,
        );
        Extent {
            min: (a.min(b) - self.reach).to_array(),
            max: (a.max(b) + self.reach).to_array(),
        }
    }
}

impl<T: Copy + HasExtent> Rows<T> {
    /// Calls `found` with every box that may be met on the way before the limit, which is a fraction of the way and which it answers anew; a negative one ends the walk.
    pub(super) fn walk_along(
        &self,
        way: &Way,
        mut limit: f32,
        mut found: impl FnMut(&T, f32) -> f32,
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
        let is_upwards = way.motion.y >= 0.0;
        if (last - first) as usize >= grid.places() {
            // More strips than places: each place once, and each box where it begins.
            for place in 0..grid.places() {
                if limit < 0.0 {
                    break;
                }
                let cell = way.extent(0.0, limit);
                limit =
                    self.meet_along(place, way, (&cell, &line), limit, |extent, item, limit| {
                        let is_wanted = grid.begins_in(extent.min[1], place);
                        is_wanted.then(|| found(item, limit))
                    });
            }
            return limit;
        }
        let cell = |strip: i32, limit: f32| {
            let (enter, leave) = self.fractions(way, strip);
            (enter <= limit).then(|| way.extent(enter, leave.min(limit)))
        };
        for number in 0..=last - first {
            let strip = if is_upwards {
                first + number
            } else {
                last - number
            };
            let Some(here) = cell(strip, limit) else {
                break;
            };
            let place = grid.place(strip);
            limit = self.meet_along(place, way, (&here, &line), limit, |extent, item, limit| {
                let own = grid.span_of(extent);
                let mut before = if is_upwards {
                    own.first.max(first)..strip
                } else {
                    strip + 1..own.last.min(last) + 1
                };
                // With the limit of now, which is no greater than it was then: so nobody is taken for met who was not.
                let was_met =
                    before.any(|strip| cell(strip, limit).is_some_and(|cell| cell.meets(extent)));
                (!was_met).then(|| found(item, limit))
            });
            if limit < 0.0 {
                break;
            }
        }
        limit
    }

    /// The same in one place. Here `found` answers `None` for a box that does not count there.
    #[inline(always)]
    fn meet_along(
        &self,
        place: usize,
        way: &Way,
        cell: (&Extent, &Line),
        mut limit: f32,
        mut found: impl FnMut(&Extent, &T, f32) -> Option<f32>,
    ) -> f32 {
        let is_rightwards = way.motion.x >= 0.0;
        let (number, row) = self.grid().part(place);
        let part = self.part(number);
        part.meet_along(row, cell, is_rightwards, |first, mut bits| {
            while bits != 0 && limit >= 0.0 {
                let at = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if let Some(new) = found(&part.extent(at), &part.items()[at], limit) {
                    limit = new;
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

    /// Between which fractions of the way somebody in a strip may be met.
    #[inline(always)]
    fn fractions(&self, way: &Way, strip: i32) -> (f32, f32) {
        let speed = way.motion.y;
        if speed == 0.0 {
            return (0.0, 1.0);
        }
        let [low, high] = self.borders(strip);
        let (low, high) = (low - way.reach.y, high + way.reach.y);
        let (enter, leave) = if speed > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        let at = |y: f32| ((y - way.from.y) / speed).clamp(0.0, 1.0);
        (at(enter), at(leave))
    }

    /// The lower and the upper border of a strip.
    #[inline(always)]
    fn borders(&self, strip: i32) -> [f32; 2] {
        let height = self.grid().strip_height();
        let most = MOST as i32;
        [
            if strip <= -most {
                f32::NEG_INFINITY
            } else {
                (strip as f32 - 0.5) * height
            },
            if strip >= most {
                f32::INFINITY
            } else {
                (strip as f32 + 0.5) * height
            },
        ]
    }

    /// Calls `found` with every box that may be within reach of this one, which it answers anew; a negative one ends the walk.
    pub(super) fn walk_around(
        &self,
        around: &Extent,
        mut reach: f32,
        mut found: impl FnMut(&T, f32) -> f32,
    ) -> f32 {
        if self.is_empty() || reach < 0.0 {
            return reach;
        }
        let (grid, Span { first, last }) = (self.grid(), self.all());
        let middle = (around.min[1] + around.max[1]) * 0.5;
        let start = grid.span(middle, middle).first.clamp(first, last);
        // Whoever is only just out of reach may be within it, as the kernel rounds.
        let edges = around.min.into_iter().chain(around.max).map(f32::abs);
        let around = &around.grown(edges.fold(0.0, f32::max) * (16.0 * f32::EPSILON));
        let more = |reach: f32| reach * (1.0 + 16.0 * f32::EPSILON);
        let (mut above, mut below) = (start, start - 1);
        for _ in 0..grid.places() {
            let gap_above = self.borders(above)[0] - around.max[1];
            let gap_below = around.min[1] - self.borders(below)[1];
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
            let place = grid.place(strip);
            let (number, row) = grid.part(place);
            let part = self.part(number);
            part.meet_around(row, around, more(reach), |first, mut bits| {
                while bits != 0 {
                    let at = first + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if reach < 0.0 {
                        break;
                    }
                    let own = grid.span_of(&part.extent(at));
                    if grid.place(start.clamp(own.first, own.last)) == place {
                        reach = found(&part.items()[at], reach);
                    }
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
