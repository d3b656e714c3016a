//! Functions that look at a pair from one of its two sides, the same for each message.

use bevy::{ecs::entity::Entity, math::Vec2};

use super::{
    collision::{Collision, CollisionStarted},
    ended::CollisionEnded,
};

macro_rules! sides {
    ($message:ty, swap $($also:ident)*) => {
        impl $message {
            /// Whether `entity` is one of the two colliders.
            pub fn involves(&self, entity: Entity) -> bool {
                self.a == entity || self.b == entity
            }

            /// The collider that is not `entity`, or `None` if `entity` is neither.
            pub fn other(&self, entity: Entity) -> Option<Entity> {
                if entity == self.a {
                    Some(self.b)
                } else if entity == self.b {
                    Some(self.a)
                } else {
                    None
                }
            }

            /// Whether `body` is the body of one of the two.
            pub fn involves_body(&self, body: Entity) -> bool {
                self.body_a == body || self.body_b == body
            }

            /// Returns the pair with `entity` as `a`, or as `body_a`: swapped if need be. `None` if `entity` is neither a collider nor a body of the pair.
            ///
            /// So a body can ask what it has met, with any of its colliders: `hit.seen_from(car).map(|hit| hit.b)`.
            pub fn seen_from(&self, entity: Entity) -> Option<Self>
            where
                Self: Clone,
            {
                if self.a == entity || self.body_a == entity {
                    Some(self.clone())
                } else if self.b == entity || self.body_b == entity {
                    Some(self.clone().swapped())
                } else {
                    None
                }
            }

            /// The normal seen from `entity`, pointing to the other collider; `None` if `entity` is neither of the two.
            pub fn normal_for(&self, entity: Entity) -> Option<Vec2> {
                if entity == self.a {
                    Some(self.normal)
                } else if entity == self.b {
                    Some(mirrored(self.normal))
                } else {
                    None
                }
            }

            /// Returns the same report seen from the other side: the fields of `a` and of `b` are swapped, and the normal is reversed.
            #[must_use]
            pub fn swapped(mut self) -> Self {
                std::mem::swap(&mut self.a, &mut self.b);
                std::mem::swap(&mut self.body_a, &mut self.body_b);
                $(swap_sides!(self, $also);)*
                self.normal = mirrored(self.normal);
                self
            }
        }
    };
}

macro_rules! swap_sides {
    ($message:ident, leavers) => {
        std::mem::swap(&mut $message.leaver_a, &mut $message.leaver_b)
    };
}

sides!(Collision, swap);
sides!(CollisionStarted, swap);
sides!(CollisionEnded, swap leavers);

/// Reverses a normal. Adding 0 turns -0.0 into 0.0.
fn mirrored(normal: Vec2) -> Vec2 {
    -normal + Vec2::ZERO
}
