//! Walks through the strips of a level: along a way, or outwards from a place, and no farther than needed.
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
//! A box that lies in several strips is met in only one of them: along a way in the first, around a place in the nearest.

use std::ops::Range;

use bevy::math::{Vec2, Vec2Swizzles, Vec4, Vec4Swizzles};

use super::{
    extent::{Extent, HasExtent},
    grid::Span,
    lanes::Line,
    part::Part,
    rounding::{MOST, greater, lesser},
    rows::Rows,
    vectors::Eight,
};

/// For a shorter way, the line through its middle is not used: products with it might underflow, and all that is near its box is near the line.
const SHORTEST: f32 = 1.0e-15;

/// The way of a moving box.
// In vectors: reading a value as a whole right after its halves were written makes the processor wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Its start, and the motion.
    path: Vec4,
    /// Left, low, right and high edge of the box around all of it.
    edges: Vec4,
    /// The [`Line`] through its middle, for boxes that are treated as points: across, at and slack.
    line: Vec4,
    /// How far to all sides of the way boxes still matter; and how much slack the line needs in addition for each unit of their size.
    around: Vec4,
}

impl Way {
    /// Makes a way of a box with these half extents, for boxes that are up to `drift` away from where they are looked for.
    #[inline(always)]
    pub(crate) fn new(from: Vec2, motion: Vec2, half: Vec2, drift: f32) -> Self {
        // The rounding error of the way itself in `f32`: a box that is only just missed may be hit, as the kernel rounds.
        let rounding = (from.abs() + motion.abs() + half).max_element() * (16.0 * f32::EPSILON);
        let reach = half + (drift + rounding);
        let to = from + motion;
        let (min, max) = (from.min(to) - reach, from.max(to) + reach);
        // Of the length of the motion. That is at most 1e18, as all coordinates are: so no product overflows.
        let across = if motion.abs().max_element() > SHORTEST {
            motion.perp()
        } else {
            Vec2::ZERO
        };
        let farthest = min.abs().max(max.abs());
        let rounding = across.abs() * (16.0 * f32::EPSILON);
        let slack = across.abs().dot(reach) + rounding.dot(farthest);
        let slack_per_size = rounding.x + rounding.y;
        Self {
            path: Vec4::new(from.x, from.y, motion.x, motion.y),
            edges: Vec4::new(min.x, min.y, max.x, max.y),
            line: Vec4::new(across.x, across.y, across.dot(from), slack),
            around: Vec4::new(reach.x, reach.y, slack_per_size, 0.0),
        }
    }

    #[inline(always)]
    fn from(&self) -> Vec2 {
        self.path.xy()
    }

    #[inline(always)]
    fn motion(&self) -> Vec2 {
        self.path.zw()
    }

    #[inline(always)]
    fn reach(&self) -> Vec2 {
        self.around.xy()
    }

    /// Returns the line through its middle, for boxes that are not larger than this.
    #[inline(always)]
    fn line(&self, largest: f32) -> Line {
        Line {
            across: self.line.xy(),
            at: self.line.z,
            slack: self.line.w + self.around.z * largest,
        }
    }

    /// Returns the box around all of it.
    pub(crate) fn extent(&self) -> Extent {
        Extent::of_edges(self.edges)
    }
}

/// The stretches that a way covers in the strips of a level. The fraction of the way at which it enters a strip is a linear function of the strip's number, and so is the fraction at which it leaves the strip.
struct Stretches {
    /// How much both fractions grow from one strip to the next.
    per_strip: f32,
    /// The fraction at which the way enters strip 0.
    enter: f32,
    /// The fractions at which the way is at the left, low, right and high edge of its stretch in strip 0: either that of entering the strip, or that of leaving it.
    at: Vec4,
    from: Vec4,
    motion: Vec4,
}

impl Stretches {
    /// If `is_all`, every stretch is the whole way.
    #[inline(always)]
    fn new(way: &Way, height: f32, is_all: bool) -> Self {
        let (from, motion, reach) = (way.from(), way.motion(), way.reach());
        let (enter, leave, per_strip) =
            if is_all || motion.y.abs() < greater(height * 1.0e-6, reach.y * 0.125) {
                // The motion up or down is too small to tell fractions: the way is in all strips at once.
                (0.0, 1.0, 0.0)
            } else {
                let per_unit = motion.y.recip();
                let half = height * 0.5 + reach.y;
                let (low, high) = ((-half - from.y) * per_unit, (half - from.y) * per_unit);
                (lesser(low, high), greater(low, high), height * per_unit)
            };
        let ends = |is_positive: bool| {
            if is_positive {
                (enter, leave)
            } else {
                (leave, enter)
            }
        };
        let ((left, right), (low, high)) = (ends(motion.x >= 0.0), ends(motion.y >= 0.0));
        let (min, max) = (from - reach, from + reach);
        Self {
            per_strip,
            enter,
            at: Vec4::new(left, low, right, high),
            from: Vec4::new(min.x, min.y, max.x, max.y),
            motion: motion.xyxy(),
        }
    }

    /// Returns the left, low, right and high edge of the box around the way's stretch in a strip before the limit, including its reach. `None` if it enters the strip later.
    #[inline(always)]
    fn get(&self, strip: i32, limit: f32) -> Option<Vec4> {
        let strips = strip as f32 * self.per_strip;
        (strips + self.enter <= limit).then(|| {
            let at = (self.at + strips).max(Vec4::ZERO).min(Vec4::splat(limit));
            self.from + self.motion * at
        })
    }
}

/// The stretch of a way in a strip, and the boxes that may be met there.
struct Stretch<'a, T> {
    strip: i32,
    place: usize,
    /// As returned by [`Stretches::get`].
    edges: Vec4,
    part: &'a Part<T>,
    /// The row in the part, and the range of boxes in it.
    row: usize,
    range: Range<usize>,
}

/// Returns the lower and the upper border of a strip.
#[inline(always)]
fn borders(strip: i32, height: f32) -> [f32; 2] {
    // The outermost strips have no outer border.
    let outer = |is_last: bool| if is_last { f32::INFINITY } else { 0.0 };
    let most = MOST as i32;
    [
        (strip as f32 - 0.5) * height - outer(strip <= -most),
        (strip as f32 + 0.5) * height + outer(strip >= most),
    ]
}

/// Returns those bits for which `holds` is true.
#[inline(always)]
fn only(mut bits: u64, holds: impl Fn(usize) -> bool) -> u64 {
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
    /// Prefetches the memory around a place, where a walk begins: it loads while the walk is prepared.
    #[inline(always)]
    pub(super) fn prefetch_around(&self, at: Vec2) {
        let grid = self.grid();
        let (part, row) = grid.part(grid.place(grid.strip_at(at.y)));
        self.part(part).prefetch_around(row, at.x);
    }

    /// Calls `found` with every box that may be met on the way before the limit, a fraction of the way; `found` returns the new limit, and a negative one ends the walk.
    ///
    /// `TO_THE_END` is for when the limit is not expected to get smaller. Then the next strip is looked up before the boxes of the present one are handled.
    // Which boxes are met is unpredictable, and each misprediction makes the processor start again, with the range of the next strip loaded or not. Loading it early saves a tenth. If the first
    // hit is the last one, the strip behind it is looked up in vain, which costs some percent.
    pub(super) fn walk_along<'a, const TO_THE_END: bool>(
        &'a self,
        way: &Way,
        mut limit: f32,
        mut found: impl FnMut(&'a T, f32) -> f32,
    ) -> f32 {
        if self.is_empty() || limit < 0.0 {
            return limit;
        }
        self.prefetch_around(way.from());
        let (grid, all) = (self.grid(), self.all());
        let span = grid.span(way.edges.y, way.edges.w);
        let (first, last) = (span.first.max(all.first), span.last.min(all.last));
        if first > last {
            return limit;
        }
        let (count, most) = ((last - first) as usize + 1, MOST as i32);
        // If there are more strips than places, or outermost strips: visit each place once, and count each box where it begins.
        let is_all = count > grid.places() || first <= -most || last >= most;
        let line = way.line(grid.largest());
        let stretches = Stretches::new(way, grid.strip_height(), is_all);
        let is_upwards = way.motion().y >= 0.0;
        let (begin, step, count) = match (is_all, is_upwards) {
            (true, _) => (0, 1, grid.places()),
            (false, true) => (first, 1, count),
            (false, false) => (last, -1, count),
        };
        // A walk to the end needs no order.
        let is_rightwards = TO_THE_END || way.motion().x >= 0.0;
        let look_up = |number: i32, limit: f32| {
            let strip = begin + number * step;
            let is_crossed = number < count as i32;
            let edges = stretches.get(strip, limit).filter(|_| is_crossed)?;
            let place = grid.place(strip);
            let (part, row) = grid.part(place);
            let part = self.part(part);
            let range = part.range_along(row, edges, is_rightwards);
            Some(Stretch {
                strip,
                place,
                edges,
                part,
                row,
                range,
            })
        };
        let mut next = TO_THE_END.then(|| look_up(0, limit)).flatten();
        for number in 0.. {
            let here = if TO_THE_END {
                std::mem::replace(&mut next, look_up(number + 1, limit))
            } else {
                look_up(number, limit)
            };
            let Some(here) = here else {
                break;
            };
            let (strip, part) = (here.strip, here.part);
            let is_met_here = |extent: &Extent, limit: f32| {
                if is_all {
                    return grid.begins_in(extent.min[1], here.place);
                }
                // The box counts if it is in this strip, and not only in one that shares the place, and was not met in an earlier strip.
                let own = grid.span_of(extent);
                let mut before = if is_upwards {
                    own.first.max(first)..strip
                } else {
                    strip + 1..own.last.min(last) + 1
                };
                let is_here = own.first <= strip && strip <= own.last;
                // By the present limit, which is no greater than it was then: so no box is taken for met that was not.
                let mut was_met = || {
                    before.any(|strip| {
                        let stretch = stretches.get(strip, limit);
                        stretch.is_some_and(|edges| Extent::of_edges(edges).meets(extent))
                    })
                };
                is_here && !was_met()
            };
            // Handles the boxes from a number on that are met in this strip, and not in another one. Those that begin here are met here.
            let mut settle = |first: usize, bits: u64, begin: u64, mut limit: f32| {
                // Mostly all begin here.
                let mut bits = if bits & !begin == 0 {
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
                limit
            };
            let begin_here = |eight: &Eight| {
                let begins = if is_upwards { eight.low } else { eight.high };
                if is_all {
                    0
                } else {
                    grid.are_in(begins, strip)
                }
            };
            let asked = (here.edges, &line);
            if TO_THE_END {
                // As many at a time as a number has bits, because how many of eight are met is unpredictable.
                let Range { start, end } = here.range;
                for start in (start..end).step_by(u64::BITS as usize) {
                    let some = start..end.min(start + u64::BITS as usize);
                    let (mut bits, mut begin) = (0, 0);
                    part.meet_along((here.row, some), asked, true, |first, met, eight| {
                        bits |= u64::from(met) << (first - start);
                        begin |= u64::from(begin_here(eight)) << (first - start);
                        f32::INFINITY
                    });
                    limit = settle(start, bits, begin, limit);
                    if limit < 0.0 {
                        break;
                    }
                }
            } else {
                part.meet_along(
                    (here.row, here.range),
                    asked,
                    is_rightwards,
                    |first, bits, eight| {
                        if bits != 0 {
                            limit = settle(first, bits.into(), begin_here(eight).into(), limit);
                        }
                        let end = way.from().x + way.motion().x * limit;
                        // After a negative limit: no box begins before the one, or ends behind the other.
                        match (limit < 0.0, is_rightwards) {
                            (true, true) => f32::NEG_INFINITY,
                            (true, false) => f32::INFINITY,
                            (false, true) => end + way.reach().x,
                            (false, false) => end - way.reach().x,
                        }
                    },
                );
            }
            if limit < 0.0 {
                break;
            }
        }
        limit
    }

    /// Calls `found` with every box that may be within reach of a place, itself up to `drift` away from where it is looked for; `found` returns the new reach, and a negative one ends the walk.
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
        // A box that is only just out of reach may be within it, as the kernel rounds.
        let most = place.abs().max_element() + drift;
        let half = drift + most * (16.0 * f32::EPSILON);
        let around = &Extent {
            min: (place - half).to_array(),
            max: (place + half).to_array(),
        };
        let more = |reach: f32| reach * (1.0 + 16.0 * f32::EPSILON);
        let has_each_its_place = ((last - first) as usize) < grid.places();
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
            // A box in the strip of the place is met there.
            let is_nearest = strip == start && has_each_its_place;
            part.meet_around(row, around, more(reach), |at| {
                let is_met_here = || {
                    let own = grid.span_of(&part.extent(at));
                    grid.place(start.clamp(own.first, own.last)) == here
                };
                if is_nearest || is_met_here() {
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
