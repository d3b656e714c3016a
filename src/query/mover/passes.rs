//! What a body that a mover moves has passed on its way, for the next tick to report.

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
    /// Returns what the next tick has to know of the walk.
    pub(super) fn met(&self, moved: &Moved) -> Met {
        let passes_some = !self.colliders.passable.members().is_empty();
        let (passes, length) = if passes_some {
            self.passed()
        } else {
            (Vec::new(), 0.0)
        };
        let extent_at = |position| self.obstacles.extent_of(&self.slots, position);
        let extent = extent_at(self.position);
        let before = self.colliders.body_states[self.body as usize].position;
        Met {
            position: self.position,
            extent,
            since_tick: extent.union(&extent_at(before)),
            passes,
            length,
            pushes: moved.pushed.clone(),
        }
    }

    /// Returns what the body has met and was not stopped by, and the length of its way. A pair of colliders may be listed several times, its first meeting first.
    fn passed(&self) -> (Vec<Pass>, f32) {
        let mut passes = Vec::new();
        let mut length = 0.0;
        for leg in self.path.windows(2) {
            let (from, way) = (leg[0], leg[1] - leg[0]);
            let gone = way.length();
            if gone > 0.0 {
                self.pass((from, way), (length, gone), &mut passes);
            }
            length += gone;
        }
        (passes, length)
    }

    /// Adds what it has met on one straight part of the way, after so much of the way, and of this length.
    fn pass(&self, (from, way): (Vec2, Vec2), (length, gone): (f32, f32), passes: &mut Vec<Pass>) {
        let Colliders {
            placed,
            entities,
            body_entities,
            passable,
            ..
        } = self.colliders;
        let mut near = Vec::new();
        for &own in &self.slots {
            let collider = &placed[own as usize];
            let Outline::Shape(shape) = collider.outline else {
                continue;
            };
            let center = from + collider.offset;
            let passes_all = passable.contains(own as usize);
            let around = extent_at(shape, center, 0.0).along(way.to_array());
            self.obstacles.find(&around, &mut near);
            for &other in &near {
                let target = &placed[other as usize];
                let may_pass = passes_all || passable.contains(other as usize);
                if target.body == collider.body || !may_pass {
                    continue;
                }
                // A body that its own mover has moved since is met where the tick has seen it.
                let pushed_to = self.obstacles.only_pushed_to(target.body);
                let place = self.obstacles.center_at(target, pushed_to);
                let met = impact(collider, target, [center, place], way);
                let Some(impact) =
                    met.filter(|impact| !self.obstacles.is_stopped(own, other, impact))
                else {
                    continue;
                };
                passes.push(Pass {
                    colliders: [own, other].map(|slot| entities[slot as usize]),
                    others_body: body_entities[other as usize],
                    places: [center + way * impact.fraction, place],
                    normal: impact.normal,
                    at: length + impact.fraction * gone,
                    parts: impact.is_parting(),
                });
            }
        }
    }
}
