//! What a body that moves at once has met on its way, for the next tick to tell.

use std::ops::ControlFlow;

use bevy::math::Vec2;

use super::{Moved, walk::Walk};
use crate::{
    kernel::Outline,
    placed::extent_at,
    state::{
        colliders::Colliders,
        walks::{Met, Pass},
    },
    sweep::impact,
};

impl Walk<'_> {
    /// What is to be known of it.
    pub(super) fn met(&self, moved: &Moved) -> Met {
        let passes_some = !self.colliders.passable.members().is_empty();
        let (passes, length) = if passes_some {
            self.passed()
        } else {
            (Vec::new(), 0.0)
        };
        Met {
            position: self.position,
            extent: self.obstacles.extent_of(&self.slots, self.position),
            passes,
            length,
            pushes: moved.pushed.clone(),
        }
    }

    /// What it met on its way, and was not stopped by: of each pair of colliders first as they first met. Also how long the way was.
    fn passed(&self) -> (Vec<Pass>, f32) {
        let mut passes = Vec::new();
        let mut length = 0.0;
        for leg in self.path.windows(2) {
            let (from, way) = (leg[0], leg[1] - leg[0]);
            let gone = way.length();
            if gone > 0.0 {
                self.pass(from, way, |pass| {
                    let at = length + pass.at * gone;
                    passes.push(Pass { at, ..pass });
                });
            }
            length += gone;
        }
        (passes, length)
    }

    /// The same of one straight part of its way: as fractions of that.
    fn pass(&self, from: Vec2, way: Vec2, mut found: impl FnMut(Pass)) {
        let Colliders {
            placed,
            entities,
            body_entities,
            passable,
            ..
        } = self.colliders;
        for &own in &self.slots {
            let collider = &placed[own as usize];
            let Outline::Shape(shape) = collider.outline else {
                continue;
            };
            let center = from + collider.offset;
            let around = extent_at(shape, center, 0.0).along(way.to_array());
            let passes_all = passable.contains(own as usize);
            let _ = self
                .obstacles
                .candidates
                .around(self.colliders, &around, |seen| {
                    let other = seen.slot();
                    let target = &placed[other];
                    let may_pass = passes_all || passable.contains(other);
                    if target.body != collider.body && may_pass && self.obstacles.is_there(other) {
                        // Who has gone on by himself is met where the tick has seen him.
                        let place = self
                            .obstacles
                            .center_at(target, self.obstacles.only_pushed_to(target.body));
                        let met = impact(collider, target, place - center, way);
                        let met = met
                            .filter(|impact| !self.obstacles.is_stopped(own, other as u32, impact));
                        if let Some(impact) = met {
                            found(Pass {
                                colliders: [own as usize, other].map(|slot| entities[slot]),
                                others_body: body_entities[other],
                                places: [center + way * impact.fraction, place],
                                normal: impact.normal,
                                at: impact.fraction,
                                parts: impact.is_parting(),
                            });
                        }
                    }
                    ControlFlow::Continue(())
                });
        }
    }
}
