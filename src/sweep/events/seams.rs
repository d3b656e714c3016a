//! Who begins over a seam of statics, and deeper in them than it is over either: each of them by itself would be left sideways, into the other one, but both together are one surface.
//!
//! ```text
//!         _____
//!        |     |
//!     ___|  |  |____      By its depth it is on the side of the left tile and of the right one, and going down it would slide along both.
//!        |__v__|          It is stopped as if it came from above.
//!     _____|________
//! ```

use bevy::math::Vec2;

use super::{
    super::{
        course::{End, Scene},
        impact::{Impact, hair},
        respond::side_of,
    },
    Rules, Sweep,
    predict::{Ahead, Other, Start},
};
use crate::kernel::{Shape, contact};

/// Across, it is at most so many times as far out as sideways.
pub(crate) const MOST_ACROSS: f32 = 2.0;

/// Whether that is inside of a shape at this offset, by more than a hair.
#[inline(always)]
pub(super) fn is_sunk(own: Shape, other: Shape, offset: Vec2) -> bool {
    let half = own.sum(other).half_extents();
    (half - offset.abs()).cmpgt(hair(half)).all()
}

impl Sweep {
    /// Adds the impacts from across, if there are any.
    pub(super) fn look_across_seams(
        scene: &Scene,
        rules: &Rules,
        start: &Start,
        ahead: &mut Vec<Ahead>,
    ) {
        let mut sides = [false; 4];
        each_across(scene, rules, start, |side, _| sides[side] = true);
        each_across(scene, rules, start, |side, one| {
            let is_over_a_seam = sides[side ^ 1];
            if is_over_a_seam && one.impact.closing > 0.0 {
                ahead.push(one);
            }
        });
    }
}

/// Calls `found` for each static that it is sunk in and that would stop it: with the side on which it is the least deep in there, and the impact from across.
fn each_across(scene: &Scene, rules: &Rules, start: &Start, mut found: impl FnMut(usize, Ahead)) {
    let (here, half) = ((start.center, Vec2::ZERO), start.shape.half_extents());
    scene.still.along(here, half, &mut |other, shape, place| {
        let offset = place - start.center;
        if is_sunk(start.shape, shape, offset)
            && let Some((side, impact)) = across(start, shape, offset)
        {
            let other = Other::straight(End::still(other, place));
            let met = start.meet(rules, other, impact).filter(Ahead::is_solid);
            met.into_iter().for_each(|one| found(side, one));
        }
        1.0
    });
}

fn across(start: &Start, other: Shape, offset: Vec2) -> Option<(usize, Impact)> {
    let contact = contact(start.shape, other, offset)?;
    let (side, axis) = side_of(-contact.normal)?;
    let half = start.shape.sum(other).half_extents();
    let (along, out) = (axis.abs(), axis.perp().abs());
    let depth = half.dot(out) - offset.dot(out).abs();
    let normal = out * -offset.dot(out).signum();
    (depth <= contact.depth * MOST_ACROSS).then(|| {
        let impact = Impact {
            fraction: 0.0,
            normal: normal + Vec2::ZERO,
            level: half.dot(along) - offset.dot(along).abs(),
            closing: -(start.velocity * start.left()).dot(normal),
            is_inside: true,
        };
        (side, impact)
    })
}
