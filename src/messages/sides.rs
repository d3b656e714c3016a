//! The two sides of a pair: the same questions for each message.

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

            /// The normal seen from `entity`, pointing to the other one; `None` if `entity` is neither.
            pub fn normal_for(&self, entity: Entity) -> Option<Vec2> {
                if entity == self.a {
                    Some(self.normal)
                } else if entity == self.b {
                    Some(mirrored(self.normal))
                } else {
                    None
                }
            }

            /// The same seen from the other side: what is said of `a` and of `b` changes places, and the normal turns.
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

/// Adding 0 turns -0.0 into 0.0.
fn mirrored(normal: Vec2) -> Vec2 {
    -normal + Vec2::ZERO
}
