//! Random scripts of everything that can start or end a collision, compared with a model that tests all pairs; starts and ends balance.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{ecs::entity_disabling::Disabled, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::prelude::*;

use crate::common::{app, take};

const STEPS: u32 = 8;

type Pair = (Entity, Entity);

/// A collider as the model knows it. All colliders are sensors whose sizes and places are whole numbers, so gaps are whole numbers too, and nothing is pushed.
#[derive(Clone, Debug)]
struct Twin {
    half: f32,
    local: Vec2,
    parent: Option<Entity>,
    body: Body,
    layers: CollisionLayers,
    ignores: Vec<Entity>,
    tag: u64,
    has_collider: bool,
    is_disabled: bool,
    is_off: bool,
}

/// What observers have received for each pair, from both sides: starts and ends.
#[derive(Resource, Default)]
struct Heard {
    started: BTreeMap<Pair, u32>,
    ended: BTreeMap<Pair, u32>,
}

struct Script {
    app: App,
    twins: BTreeMap<Entity, Twin>,
    /// The twins of the last tick.
    before: BTreeMap<Entity, Twin>,
    open: BTreeSet<Pair>,
    settings: CollisionSettings,
    random: fastrand::Rng,
    /// How many ended for each reason: a script in which nothing happens proves nothing.
    endings: BTreeMap<EndReason, u32>,
}

fn in_order(a: Entity, b: Entity) -> Pair {
    if a.index_u32() < b.index_u32() {
        (a, b)
    } else {
        (b, a)
    }
}

fn touches_or_rests(gap: f32, met: bool, settings: &CollisionSettings) -> bool {
    gap < 0.0
        || (gap == 0.0 && settings.touching == Touching::Counts)
        || (met && settings.margin > 0.0 && gap <= settings.margin)
}

impl Script {
    fn any(&mut self) -> Option<Entity> {
        let at = self.random.usize(0..self.twins.len().max(1));
        self.twins.keys().nth(at).copied()
    }

    fn spawn(&mut self) {
        let local = Vec2::new(self.random.u32(0..24) as f32, self.random.u32(0..6) as f32);
        let half = self.random.u32(1..6) as f32;
        let tag = self.random.u64(..);
        let entity = self.app.world_mut().spawn((
            BoxCollider::square(half * 2.0),
            Sensor,
            CollisionTag(tag),
            Transform::from_translation(local.extend(0.0)),
        ));
        let twin = Twin {
            half,
            local,
            parent: None,
            body: Body::Dynamic,
            layers: CollisionLayers::DEFAULT,
            ignores: Vec::new(),
            tag,
            has_collider: true,
            is_disabled: false,
            is_off: false,
        };
        self.twins.insert(entity.id(), twin);
    }

    fn is_under(&self, entity: Entity, ancestor: Entity) -> bool {
        let mut next = Some(entity);
        while let Some(here) = next {
            if here == ancestor {
                return true;
            }
            next = self.twins[&here].parent;
        }
        false
    }

    /// Makes one random change.
    fn change(&mut self) {
        let Some(entity) = self.any() else {
            return self.spawn();
        };
        let kind = self.random.u32(0..16);
        let half = self.random.u32(1..6) as f32;
        let local = Vec2::new(self.random.u32(0..24) as f32, self.random.u32(0..6) as f32);
        let other = self.any().expect("there is one");
        let is_above = self.is_under(other, entity);
        let twin = self.twins.get_mut(&entity).expect("picked from these");
        let mut world = self.app.world_mut().entity_mut(entity);
        match kind {
            0 | 1 => {
                twin.local = local;
                world.insert(Transform::from_translation(local.extend(0.0)));
            }
            2 => {
                // With everything below it.
                world.despawn();
                let gone: Vec<Entity> = self.twins.keys().copied().collect();
                let gone: Vec<Entity> = gone
                    .into_iter()
                    .filter(|one| self.is_under(*one, entity))
                    .collect();
                gone.iter().for_each(|one| _ = self.twins.remove(one));
            }
            3 => {
                twin.has_collider = false;
                world.remove::<BoxCollider>();
            }
            4 => {
                (twin.has_collider, twin.half) = (true, half);
                world.insert(BoxCollider::square(half * 2.0));
            }
            5 => {
                // Removed and inserted in the same tick.
                twin.has_collider = true;
                world.remove::<BoxCollider>();
                world.insert(BoxCollider::square(twin.half * 2.0));
            }
            6 => {
                twin.is_off = !twin.is_off;
                if twin.is_off {
                    world.insert(ColliderDisabled);
                } else {
                    world.remove::<ColliderDisabled>();
                }
            }
            7 => {
                twin.is_disabled = !twin.is_disabled;
                if twin.is_disabled {
                    world.insert(Disabled);
                } else {
                    world.remove::<Disabled>();
                }
            }
            8 => {
                twin.layers =
                    CollisionLayers::new(1 << (half as u32 % 2), 0b11 ^ (half as u32 / 2));
                world.insert(twin.layers);
            }
            9 => {
                twin.layers = CollisionLayers::DEFAULT;
                world.remove::<CollisionLayers>();
            }
            10 => {
                twin.ignores = vec![other];
                world.insert(IgnoreCollisions::with(other));
            }
            11 => {
                twin.ignores.clear();
                world.remove::<IgnoreCollisions>();
            }
            12 => {
                twin.body = [Body::Static, Body::Kinematic, Body::Dynamic][half as usize % 3];
                world.insert(twin.body);
            }
            13 if !is_above => {
                twin.parent = Some(other);
                world.insert(ChildOf(other));
            }
            14 => {
                twin.parent = None;
                world.remove::<ChildOf>();
            }
            _ => {
                self.settings = CollisionSettings {
                    touching: [Touching::Counts, Touching::Ignored][half as usize % 2],
                    margin: [0.0, 0.01, 1.0][half as usize % 3],
                    ..default()
                };
                self.app.insert_resource(self.settings);
            }
        }
    }

    fn place(&self, entity: Entity) -> Vec2 {
        let twin = &self.twins[&entity];
        let parent = twin.parent.map_or(Vec2::ZERO, |parent| self.place(parent));
        parent + twin.local
    }

    fn body(&self, entity: Entity) -> Entity {
        self.twins[&entity]
            .parent
            .map_or(entity, |parent| self.body(parent))
    }

    fn takes_part(&self, entity: Entity) -> bool {
        let twin = &self.twins[&entity];
        twin.has_collider && !twin.is_off && !twin.is_disabled
    }

    fn may_collide(&self, a: Entity, b: Entity) -> bool {
        let (one, other) = (&self.twins[&a], &self.twins[&b]);
        let [body_a, body_b] = [a, b].map(|one| self.body(one));
        let is_static = |body: Entity| self.twins[&body].body == Body::Static;
        let ignores = |one: &Twin, other: Entity, body| {
            one.ignores.contains(&other) || one.ignores.contains(&body)
        };
        body_a != body_b
            && !(is_static(body_a) && is_static(body_b))
            && one.layers.interacts_with(other.layers)
            && !ignores(one, b, body_b)
            && !ignores(other, a, body_a)
    }

    /// Returns the pairs that the next tick must find.
    fn expected(&self) -> BTreeSet<Pair> {
        let all: Vec<Entity> = self.twins.keys().copied().collect();
        let mut pairs = BTreeSet::new();
        for (index, &a) in all.iter().enumerate() {
            for &b in &all[index + 1..] {
                if !(self.takes_part(a) && self.takes_part(b) && self.may_collide(a, b)) {
                    continue;
                }
                let half = |one: Entity| self.twins[&one].half;
                let away = (self.place(a) - self.place(b)).abs() - (half(a) + half(b));
                let gap = away.max(Vec2::ZERO).length() + away.max_element().min(0.0);
                let pair = in_order(a, b);
                if touches_or_rests(gap, self.open.contains(&pair), &self.settings) {
                    pairs.insert(pair);
                }
            }
        }
        pairs
    }

    /// Returns why a pair of the last tick is over.
    fn reason(&self, (a, b): Pair, expected: &BTreeSet<Pair>) -> EndReason {
        let of_one = |entity| match self.twins.get(&entity) {
            None => Some(EndReason::Despawned),
            Some(twin) if !twin.has_collider => Some(EndReason::Removed),
            Some(twin) if twin.is_off || twin.is_disabled => Some(EndReason::Disabled),
            Some(_) => None,
        };
        match (of_one(a), of_one(b)) {
            (None, None) if expected.contains(&(a, b)) => EndReason::Reparented,
            (None, None) if self.may_collide(a, b) => EndReason::Separated,
            (None, None) => EndReason::Filtered,
            (a, b) => a.into_iter().chain(b).min().expect("one is gone"),
        }
    }

    fn tick(&mut self) {
        let ticks = self.random.u32(0..3);
        self.app
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
        self.app.update();
        let started = take::<CollisionStarted>(&mut self.app);
        let ended = take::<CollisionEnded>(&mut self.app);
        let ongoing = take::<Collision>(&mut self.app);
        if ticks == 0 {
            assert_eq!(
                started.len() + ended.len() + ongoing.len(),
                0,
                "no tick, no messages"
            );
            return;
        }
        let expected = self.expected();
        assert_eq!(ongoing.len(), expected.len() * ticks as usize);
        let mut heard = self.app.world_mut().resource_mut::<Heard>();
        let Heard {
            started: heard_started,
            ended: heard_ended,
        } = std::mem::take(&mut *heard);
        for message in &ended {
            let pair = (message.a, message.b);
            assert!(self.open.remove(&pair), "{pair:?} ended without a start");
            assert_eq!(message.reason, self.reason(pair, &expected));
            *self.endings.entry(message.reason).or_default() += 1;
            assert_eq!(heard_ended.get(&pair), Some(&2), "each side, once");
            for entity in [message.a, message.b] {
                let has_left = self
                    .twins
                    .get(&entity)
                    .is_none_or(|twin| !twin.has_collider);
                let leaver = message.leaver(entity);
                assert_eq!(leaver.is_some(), has_left);
                if let Some(leaver) = leaver {
                    let was = &self.before[&entity];
                    assert_eq!(leaver.tag, Some(CollisionTag(was.tag)));
                }
            }
        }
        for message in &started {
            let pair = (message.a, message.b);
            assert!(self.open.insert(pair), "{pair:?} started twice");
            let bodies = (self.body(message.a), self.body(message.b));
            assert_eq!((message.body_a, message.body_b), bodies);
            assert_eq!(heard_started.get(&pair), Some(&2), "each side, once");
        }
        assert_eq!(heard_started.len(), started.len());
        assert_eq!(heard_ended.len(), ended.len());
        assert_eq!(self.open, expected);
        let lists = self.app.world_mut().query::<(Entity, &CollidingWith)>();
        let mut lists = lists;
        for (entity, list) in lists.iter(self.app.world()) {
            let is_own = |one: Entity| one == entity || self.body(one) == entity;
            let partners = expected.iter().flat_map(|&(a, b)| {
                let [of_a, of_b] =
                    [(a, b), (b, a)].map(|(own, other)| is_own(own).then_some(other));
                of_a.into_iter().chain(of_b)
            });
            let listed: BTreeSet<Entity> = list.iter().copied().collect();
            assert_eq!(listed, partners.collect(), "of {entity}");
            assert_eq!(listed.len(), list.len(), "each once");
        }
        self.before = self.twins.clone();
    }

    fn run(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
        for _ in 0..self.random.u32(2..7) {
            self.spawn();
        }
        let all: Vec<Entity> = self.twins.keys().copied().collect();
        let watcher = all[0];
        self.app
            .world_mut()
            .entity_mut(watcher)
            .insert(CollidingWith::default());
        self.before = self.twins.clone();
        for _ in 0..STEPS {
            for _ in 0..self.random.u32(0..4) {
                self.change();
            }
            self.tick();
        }
        // All entities are despawned: whatever is open ends.
        for entity in std::mem::take(&mut self.twins).into_keys() {
            if let Ok(entity) = self.app.world_mut().get_entity_mut(entity) {
                entity.despawn();
            }
        }
        self.app
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        self.app.update();
        for message in take::<CollisionEnded>(&mut self.app) {
            assert!(self.open.remove(&(message.a, message.b)));
            assert_eq!(message.reason, EndReason::Despawned);
        }
        assert!(self.open.is_empty(), "{:?} never ended", self.open);
        assert_eq!(take::<CollisionStarted>(&mut self.app), []);
        take::<Collision>(&mut self.app);
        *self.app.world_mut().resource_mut() = Heard::default();
        self.settings = CollisionSettings::default();
        self.app.insert_resource(self.settings);
    }
}

fn run_scripts(seeds: std::ops::Range<u64>) {
    let mut app = app();
    app.init_resource::<Heard>()
        .add_observer(|on: On<CollisionStarted>, mut heard: ResMut<Heard>| {
            *heard.started.entry(in_order(on.a, on.b)).or_default() += 1;
        })
        .add_observer(|on: On<CollisionEnded>, mut heard: ResMut<Heard>| {
            *heard.ended.entry(in_order(on.a, on.b)).or_default() += 1;
        });
    let mut script = Script {
        app,
        twins: BTreeMap::new(),
        before: BTreeMap::new(),
        open: BTreeSet::new(),
        settings: CollisionSettings::default(),
        random: fastrand::Rng::new(),
        endings: BTreeMap::new(),
    };
    for seed in seeds {
        println!("script {seed}");
        script.run(seed);
    }
    use EndReason::*;
    for reason in [
        Despawned, Removed, Disabled, Filtered, Separated, Reparented,
    ] {
        let endings = script.endings.get(&reason);
        assert!(
            endings.is_some_and(|times| *times > 100),
            "{reason:?}: {endings:?}"
        );
    }
}

/// 10,000 scripts in four parts, which run in parallel.
mod of_10_000 {
    use super::run_scripts;

    #[test]
    fn the_books_balance_in_the_first_quarter() {
        run_scripts(0..2500);
    }

    #[test]
    fn the_books_balance_in_the_second_quarter() {
        run_scripts(2500..5000);
    }

    #[test]
    fn the_books_balance_in_the_third_quarter() {
        run_scripts(5000..7500);
    }

    #[test]
    fn the_books_balance_in_the_last_quarter() {
        run_scripts(7500..10_000);
    }
}
