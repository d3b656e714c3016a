//! Whatever happens to colliders, in whatever order: in every tick the plugin finds the same pairs as a test of every collider against every other.

use std::collections::BTreeMap;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_nudge::{
    kernel::{Shape, separation},
    prelude::*,
};

use crate::common::{app, take};

const SIDE: f32 = 400.0;
const TICKS: u32 = 2500;
const CHANGES_PER_TICK: u32 = 400;

/// A collider as the test knows it.
#[derive(Clone, Copy, Debug)]
struct Twin {
    shape: Shape,
    at: Vec2,
    body: Body,
    layers: CollisionLayers,
    is_disabled: bool,
}

struct World {
    app: App,
    twins: BTreeMap<Entity, Twin>,
    random: fastrand::Rng,
}

impl World {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.random.f32()
    }

    fn place(&mut self) -> Vec2 {
        Vec2::new(self.between(0.0, SIDE), self.between(0.0, SIDE))
    }

    fn body(&mut self) -> Body {
        [Body::Static, Body::Kinematic, Body::Dynamic][self.random.usize(0..3)]
    }

    /// Returns a size that is mostly small, and sometimes as large as the world.
    fn half(&mut self) -> f32 {
        match self.random.u32(0..50) {
            0 => self.between(0.0, SIDE),
            1 => 0.0,
            _ => self.between(1.0, 6.0),
        }
    }

    fn any(&mut self) -> Option<Entity> {
        let at = self.random.usize(0..self.twins.len().max(1));
        self.twins.keys().nth(at).copied()
    }

    fn give_shape(&mut self, entity: Entity) -> Shape {
        let (half, is_round) = (self.half(), self.random.bool());
        let mut entity = self.app.world_mut().entity_mut(entity);
        entity.remove::<(CircleCollider, BoxCollider)>();
        if is_round {
            entity.insert(CircleCollider::new(half));
            Shape::circle(half).expect("valid")
        } else {
            entity.insert(BoxCollider::square(half * 2.0));
            Shape::rectangle(Vec2::splat(half)).expect("valid")
        }
    }

    fn spawn(&mut self) {
        let (at, body) = (self.place(), self.body());
        let transform = Transform::from_translation(at.extend(0.0));
        let entity = self.app.world_mut().spawn((transform, body)).id();
        let shape = self.give_shape(entity);
        let layers = CollisionLayers::default();
        let twin = Twin {
            shape,
            at,
            body,
            layers,
            is_disabled: false,
        };
        self.twins.insert(entity, twin);
    }

    /// Makes one random change to the game and to its twin.
    fn change(&mut self) {
        let kind = self.random.u32(0..100);
        // There are about 250 colliders.
        if self.twins.len() < 150 || (kind < 6 && self.twins.len() < 350) {
            return self.spawn();
        }
        let Some(entity) = self.any() else { return };
        let mut twin = self.twins[&entity];
        match kind {
            0..12 => {
                self.app.world_mut().despawn(entity);
                self.twins.remove(&entity);
                return;
            }
            12..70 => {
                twin.at = self.place();
                let mut transform = self
                    .app
                    .world_mut()
                    .get_mut::<Transform>(entity)
                    .expect("it has one");
                transform.translation = twin.at.extend(0.0);
            }
            70..80 => twin.shape = self.give_shape(entity),
            80..88 => {
                twin.body = self.body();
                *self
                    .app
                    .world_mut()
                    .get_mut::<Body>(entity)
                    .expect("it has one") = twin.body;
            }
            88..92 => {
                twin.layers =
                    CollisionLayers::new(1 << self.random.u32(0..2), 1 << self.random.u32(0..2));
                self.app.world_mut().entity_mut(entity).insert(twin.layers);
            }
            92..95 => {
                twin.layers = CollisionLayers::default();
                self.app
                    .world_mut()
                    .entity_mut(entity)
                    .remove::<CollisionLayers>();
            }
            _ => {
                twin.is_disabled = !twin.is_disabled;
                let mut entity = self.app.world_mut().entity_mut(entity);
                if twin.is_disabled {
                    entity.insert(Disabled);
                } else {
                    entity.remove::<Disabled>();
                }
            }
        }
        self.twins.insert(entity, twin);
    }

    fn expected(&self) -> Vec<(Entity, Entity)> {
        let mut pairs = Vec::new();
        let twins: Vec<(Entity, Twin)> = self.twins.iter().map(|(e, twin)| (*e, *twin)).collect();
        for (number, (a, one)) in twins.iter().enumerate() {
            for (b, other) in &twins[number + 1..] {
                let is_anyone_gone = one.is_disabled || other.is_disabled;
                let are_static = [one, other].iter().all(|twin| twin.body == Body::Static);
                let may = one.layers.interacts_with(other.layers) && !are_static;
                // They touch if the gap between them is no larger than the rounding error at their places.
                let rounding = one.at.abs().max(other.at.abs()).max_element() * 4.0 * f32::EPSILON;
                let touch = || separation(one.shape, other.shape, other.at - one.at) <= rounding;
                if may && !is_anyone_gone && touch() {
                    pairs.push((*a.min(b), *a.max(b)));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

impl World {
    fn compare(&self, found: &[(Entity, Entity)], tick: u32) {
        let expected = self.expected();
        let differs = |one: &[(Entity, Entity)], other: &[(Entity, Entity)]| {
            let pair = one
                .iter()
                .find(|pair| other.binary_search(pair).is_err())
                .copied();
            pair.map(|(a, b)| {
                (
                    a,
                    self.twins.get(&a).copied(),
                    b,
                    self.twins.get(&b).copied(),
                )
            })
        };
        let (missing, excess) = (differs(&expected, found), differs(found, &expected));
        assert!(missing.is_none(), "tick {tick} misses {missing:?}");
        assert!(excess.is_none(), "tick {tick} has {excess:?} in excess");
        assert_eq!(found.len(), expected.len(), "tick {tick} has pairs twice");
    }
}

/// A million insertions, moves, removals, and other changes. Nothing is pushed, so the twins stay where they are.
#[test]
fn a_million_changes_leave_nothing_behind() {
    let mut app = app();
    app.insert_resource(CollisionSettings {
        margin: 0.0,
        push_out_rounds: 0,
        ..default()
    });
    let mut world = World {
        app,
        twins: BTreeMap::new(),
        random: fastrand::Rng::with_seed(11),
    };
    let mut open: Vec<(Entity, Entity)> = Vec::new();
    for tick in 0..TICKS {
        for _ in 0..CHANGES_PER_TICK {
            world.change();
        }
        world.app.update();
        let sorted = |a: Entity, b: Entity| (a.min(b), a.max(b));
        let messages = take::<Collision>(&mut world.app);
        assert!(
            messages.is_sorted_by_key(|hit| (hit.a.index_u32(), hit.b.index_u32())),
            "tick {tick}: whatever slots they have, messages are sorted by entity"
        );
        let mut found: Vec<(Entity, Entity)> =
            messages.iter().map(|hit| sorted(hit.a, hit.b)).collect();
        found.sort_unstable();
        world.compare(&found, tick);

        // The pairs that have started and not ended are those that collide.
        let ended: Vec<_> = take::<CollisionEnded>(&mut world.app)
            .iter()
            .map(|end| sorted(end.a, end.b))
            .collect();
        let started = take::<CollisionStarted>(&mut world.app);
        open.retain(|pair| !ended.contains(pair));
        open.extend(started.iter().map(|start| sorted(start.a, start.b)));
        open.sort_unstable();
        assert_eq!(open, found, "tick {tick}: started and ended");
    }
}
