//! Who begins in a seam of what gives no way, and meets the surface that it makes.

use bevy::math::Vec2;

use super::{
    super::{
        course::{End, Scene},
        seam::{Across, Sunk},
    },
    Rules, Sweep,
    predict::{Ahead, Other, Start},
};
use crate::{
    kernel::Shape,
    placed::{Rank, extent_at},
};

impl Sweep {
    /// Of who is sunk in more than one thing at a time, puts the surface that they make in place of those in whose seam it begins.
    pub(super) fn look_across_seams(
        &mut self,
        scene: &Scene,
        rules: &Rules,
        from: f32,
        (ahead, sunk): (&mut Vec<Ahead>, &mut Vec<(u32, u32)>),
    ) {
        if sunk.len() < 2 {
            return;
        }
        let mut surface = std::mem::take(&mut self.surface);
        surface.clear();
        sunk.sort_unstable();
        for sunk in sunk.chunk_by(|a, b| a.0 == b.0) {
            if sunk.len() > 1 {
                self.find_surface(scene, rules, (sunk, from), &mut surface);
            }
        }
        if !surface.is_empty() {
            surface.sort_unstable_by_key(Ahead::pair);
            let is_in_it = |pair| surface.binary_search_by_key(&pair, Ahead::pair).is_ok();
            ahead.retain(|one| !is_in_it(one.pair()));
            ahead.extend(surface.iter().filter(|one| one.impact.closing > 0.0));
        }
        self.surface = surface;
    }

    /// Adds what makes a surface for one agent, whose colliders are listed as often as they are sunk in something.
    #[cold]
    fn find_surface(
        &self,
        scene: &Scene,
        rules: &Rules,
        (sunk, from): (&[(u32, u32)], f32),
        surface: &mut Vec<Ahead>,
    ) {
        let each = |found: &mut dyn FnMut(&Across, Ahead)| {
            let own = sunk.chunk_by(|a, b| a == b).map(|same| same[0].1);
            for start in own.filter_map(|own| self.set_out(scene, own, from)) {
                self.each_across(scene, rules, &start, found);
            }
        };
        let mut sides = Sunk::default();
        each(&mut |across, _| sides.add(across));
        each(&mut |across, one| {
            if sides.is_over_a_seam(across) {
                surface.push(one);
            }
        });
    }

    /// Calls `found` for each of those that a collider is sunk in and that stop it, with the way across, and with who is met there.
    fn each_across(
        &self,
        scene: &Scene,
        rules: &Rules,
        start: &Start,
        found: &mut dyn FnMut(&Across, Ahead),
    ) {
        let mut look = |other: End, shape: Shape| {
            let offset = other.place(start.from) - start.center;
            let motion = (start.velocity - other.motion) * start.left();
            if let Some(across) = Across::new(start.shape, shape, offset, motion) {
                let met = start.meet(rules, Other::straight(other), across.impact);
                if let Some(one) = met.filter(|one| one.is_solid) {
                    found(&across, one);
                }
            }
        };
        let (here, half) = ((start.center, Vec2::ZERO), start.shape.half_extents());
        scene.still.along(here, half, &mut |other, shape, place| {
            look(End::still(other, place), shape);
            1.0
        });
        // What is kinematic is turned by nobody: it is where it set out for.
        let around = extent_at(start.shape, start.center, 0.0);
        self.course.moving(&around, |other, shape| {
            if other.rank == Rank::Kinematic {
                look(*other, shape);
            }
        });
    }
}
