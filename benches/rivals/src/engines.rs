//! The same world as an app of each engine, set up as the engine's documentation recommends.
//!
//! Each app moves the bodies through their `Transform`s before the engine's step, or lets the engine move them by their velocities, once in each `update()`, and reads what the engine reports.
//! The rivals get velocities for all solid bodies: both advise against setting the places of such bodies, since the engine then throws them out of each other at high speed.

use std::time::Instant;

use avian2d::prelude as avian;
use bevy::{
    ecs::{component::Mutable, entity::EntityHashMap, message::MessageReader},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    broad_phase::{BroadPhase, Extent, Found},
    kernel::{Shape, separation},
    prelude as nudge,
};
use bevy_rapier2d::prelude as rapier;

use crate::workloads::{Motion, Spec, TICKS_PER_SECOND, TURN, Workload};

/// An app to measure, and the pairs that it reports.
pub struct Engine {
    pub name: &'static str,
    pub app: App,
}

/// How many pairs collide now by what the engine reported: those that started, less those that ended.
#[derive(Resource, Default)]
pub struct Pairs(pub i64);

/// How far, and in which direction, a body that the game moves goes in a tick.
#[derive(Component)]
struct Drift(Vec2);

/// A body that its engine moves.
#[derive(Component)]
struct Flies;

/// The velocity component of an engine.
trait Speed: Component<Mutability = Mutable> {
    fn per_second(velocity: Vec2) -> Self;
    fn get(&self) -> Vec2;
}

impl Speed for nudge::Velocity {
    fn per_second(velocity: Vec2) -> Self {
        Self(velocity)
    }

    fn get(&self) -> Vec2 {
        self.0
    }
}

impl Speed for avian::LinearVelocity {
    fn per_second(velocity: Vec2) -> Self {
        Self(velocity)
    }

    fn get(&self) -> Vec2 {
        self.0
    }
}

impl Speed for rapier::Velocity {
    fn per_second(velocity: Vec2) -> Self {
        Self::linear(velocity)
    }

    fn get(&self) -> Vec2 {
        self.linear
    }
}

/// The state of the game that moves the bodies, alike in each app.
#[derive(Resource)]
struct Game {
    motion: Motion,
    ticks: u32,
}

/// The schedule in which the game moves the bodies: before the step of any engine, one of which runs in `FixedUpdate`.
const GAME: FixedPreUpdate = FixedPreUpdate;

/// About how large bodies are, in world units; both rivals need it as a setting.
const USUAL_SIZE: f32 = 8.0;

/// The names that [`engine`] knows, the bare app first.
pub const NAMES: [&str; 5] = [
    "floor",
    "bevy_nudge",
    "avian2d",
    "bevy_rapier2d",
    "rapier sensors",
];

/// Returns the app of an engine for a workload; `None` if the engine cannot run it: sensors without a body push nothing and have no velocity.
pub fn engine(name: &'static str, workload: &Workload) -> Option<Engine> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(TICKS_PER_SECOND.into()))
        .insert_resource(Game {
            motion: workload.motion,
            ticks: 0,
        })
        .init_resource::<Pairs>();
    match name {
        "floor" => {
            app.add_systems(GAME, walk);
            fill(&mut app, workload, |entity, spec| {
                if !spec.is_static {
                    entity.insert(Drift(spec.way()));
                }
            });
        }
        "bevy_nudge" => add_nudge(&mut app, workload),
        "avian2d" => add_avian(&mut app, workload),
        "bevy_rapier2d" => add_rapier(&mut app, workload, true),
        "rapier sensors" if !workload.is_solid && !workload.by_velocity => {
            add_rapier(&mut app, workload, false)
        }
        _ => return None,
    }
    app.finish();
    app.cleanup();
    // No time passes in the first update.
    app.update();
    Some(Engine { name, app })
}

impl Engine {
    /// Returns how many pairs collide now.
    pub fn pairs(&self) -> i64 {
        self.app.world().resource::<Pairs>().0
    }

    /// Returns how far the bodies that are not static get in one more tick, on average.
    pub fn pace(&mut self) -> f32 {
        let before = self.places();
        self.app.update();
        let after = self.places();
        let ways = before.iter().map(|(body, at)| at.distance(after[body]));
        ways.sum::<f32>() / before.len() as f32
    }

    /// Returns how many of the bodies that are not static are still in the world, and how many such bodies there are. Beyond the edges there is some room for those that are about to turn back.
    pub fn inside(&mut self) -> (usize, usize) {
        let reach = 1.25 * self.app.world().resource::<Game>().motion.half_side;
        let places = self.places();
        let inside = places.values().filter(|at| at.abs().max_element() <= reach);
        (inside.count(), places.len())
    }

    /// Returns the places of all bodies that are not static.
    fn places(&mut self) -> EntityHashMap<Vec2> {
        let world = self.app.world_mut();
        let mut bodies = world.query::<(Entity, &Spec, &Transform)>();
        let moving = bodies.iter(world).filter(|(_, spec, _)| !spec.is_static);
        let places = moving.map(|(body, _, at)| (body, at.translation.truncate()));
        places.collect()
    }

    /// Returns how many pairs overlap deeper than `depth` units in their current places; pairs in which neither is pushed do not count.
    pub fn deeper_than(&mut self, depth: f32) -> usize {
        let world = self.app.world_mut();
        let mut colliders = world.query::<(&Spec, &Transform)>();
        let (mut moving, mut still) = (Vec::new(), Vec::new());
        for (spec, transform) in colliders.iter(world) {
            let center = transform.translation.truncate();
            let half = spec.size * 0.5;
            let extent = Extent {
                min: (center - half).to_array(),
                max: (center + half).to_array(),
            };
            let list = if spec.is_static {
                &mut still
            } else {
                &mut moving
            };
            list.push((extent, (spec.shape(), center)));
        }
        type Boxed = (Extent, (Shape, Vec2));
        let is_deep = |(_, (a, at_a)): &Boxed, (_, (b, at_b)): &Boxed| {
            (separation(*a, *b, *at_b - *at_a) < -depth).then_some(())
        };
        let mut broad_phase = BroadPhase::default();
        broad_phase.set_still(&still);
        let mut deep = Found::default();
        broad_phase.find(&moving, is_deep, &mut deep);
        deep.iter().count()
    }
}

impl Game {
    /// Begins a tick. Returns how bodies move in it, and whether all of them turn.
    fn tick(&mut self) -> (Motion, bool) {
        self.ticks += 1;
        (self.motion, self.ticks.is_multiple_of(TURN))
    }
}

/// Moves the bodies that the game moves, through their `Transform`s.
fn walk(mut game: ResMut<Game>, mut led: Query<(&mut Drift, &mut Transform)>) {
    let (motion, is_turn) = game.tick();
    for (mut drift, mut transform) in &mut led {
        drift.0 = motion.next_way(drift.0, transform.translation.truncate(), is_turn);
        transform.translation += drift.0.extend(0.0);
    }
}

/// Sets the velocities of the bodies that the game moves, whatever has become of them in the last step of the engine.
fn steer<V: Speed>(mut game: ResMut<Game>, mut led: Query<(&mut Drift, &Transform, &mut V)>) {
    let (motion, is_turn) = game.tick();
    for (mut drift, transform, mut velocity) in &mut led {
        drift.0 = motion.next_way(drift.0, transform.translation.truncate(), is_turn);
        *velocity = V::per_second(drift.0 * TICKS_PER_SECOND as f32);
    }
}

/// Turns the velocities of the bodies that the engine moves, as hits have left them.
fn turn<V: Speed>(mut game: ResMut<Game>, mut flying: Query<(&Transform, &mut V), With<Flies>>) {
    let (motion, is_turn) = game.tick();
    for (transform, mut velocity) in &mut flying {
        let place = transform.translation.truncate();
        if let Some(next) = motion.next_velocity(velocity.get(), place, is_turn) {
            *velocity = V::per_second(next);
        }
    }
}

fn fill(app: &mut App, workload: &Workload, mut add: impl FnMut(&mut EntityWorldMut, &Spec)) {
    for spec in &workload.specs {
        let place = Transform::from_xyz(spec.x, spec.y, 0.0);
        add(&mut app.world_mut().spawn((*spec, place)), spec);
    }
}

/// Moves all bodies that do not stand still: the engine does by their velocities, or the game does, by velocities or through `Transform`s. Returns a function that inserts the components for that.
fn lead<V: Speed>(
    app: &mut App,
    workload: &Workload,
    by_velocity: bool,
) -> impl Fn(&mut EntityWorldMut, &Spec) + use<V> {
    let is_led = !workload.by_velocity;
    match (by_velocity, is_led) {
        (false, _) => app.add_systems(GAME, walk),
        (true, true) => app.add_systems(GAME, steer::<V>),
        (true, false) => app.add_systems(GAME, turn::<V>),
    };
    move |entity, spec| {
        if spec.is_static {
            return;
        }
        if by_velocity {
            entity.insert(V::per_second(spec.way() * TICKS_PER_SECOND as f32));
        }
        if is_led {
            entity.insert(Drift(spec.way()));
        } else {
            entity.insert(Flies);
        }
    }
}

fn add_nudge(app: &mut App, workload: &Workload) {
    app.add_plugins(nudge::CollisionPlugin::default())
        .add_systems(FixedLast, count_nudge);
    let set_out = lead::<nudge::Velocity>(app, workload, workload.by_velocity);
    fill(app, workload, |entity, spec| {
        set_out(entity, spec);
        workload.insert_nudge(entity, spec);
    });
}

/// When each stage of this crate's tick began, and when the last one ended, in the newest tick.
#[derive(Resource, Default)]
pub struct Stages(pub Vec<Instant>);

/// Records these times from now on. The systems for it cost a few microseconds, so this is optional.
pub fn clock_stages(app: &mut App) {
    use nudge::CollisionSystems::{Detect, Gather, Report, Resolve, Sweep};
    let start = |mut stages: ResMut<Stages>| stages.0 = vec![Instant::now()];
    let next = |mut stages: ResMut<Stages>| stages.0.push(Instant::now());
    app.init_resource::<Stages>().add_systems(
        FixedPostUpdate,
        (
            start.before(Gather),
            next.after(Gather).before(Sweep),
            next.after(Sweep).before(Detect),
            next.after(Detect).before(Resolve),
            next.after(Resolve).before(Report),
            next.after(Report),
        ),
    );
}

fn count_nudge(
    mut pairs: ResMut<Pairs>,
    mut ongoing: MessageReader<nudge::Collision>,
    mut started: MessageReader<nudge::CollisionStarted>,
    mut ended: MessageReader<nudge::CollisionEnded>,
) {
    // Normal, depth and point are part of the report, so they are read too.
    let sum: f32 = ongoing
        .read()
        .map(|hit| hit.depth + hit.normal.x + hit.point.x)
        .sum();
    std::hint::black_box(sum);
    pairs.0 += started.read().count() as i64 - ended.read().count() as i64;
}

fn add_avian(app: &mut App, workload: &Workload) {
    // Avian's plugin requires the assets of meshes, from which it can make colliders, and those of scenes.
    app.add_plugins(avian::PhysicsPlugins::default().with_length_unit(USUAL_SIZE))
        .insert_resource(avian::Gravity(Vec2::ZERO))
        .add_systems(FixedLast, count_avian);
    let by_velocity = workload.by_velocity || workload.is_solid;
    let set_out = lead::<avian::LinearVelocity>(app, workload, by_velocity);
    let moving = if workload.is_solid {
        avian::RigidBody::Dynamic
    } else {
        avian::RigidBody::Kinematic
    };
    fill(app, workload, |entity, spec| {
        set_out(entity, spec);
        let body = if spec.is_static {
            avian::RigidBody::Static
        } else {
            moving
        };
        let collider = if spec.is_round {
            avian::Collider::circle(spec.size * 0.5)
        } else {
            avian::Collider::rectangle(spec.size, spec.size)
        };
        // Otherwise a body that the game moves through its `Transform` would be put to sleep.
        entity.insert((
            body,
            collider,
            avian::CollisionEventsEnabled,
            avian::SleepingDisabled,
        ));
        if workload.bounces() {
            // Also on bodies that stand still: avian takes the mean of the two that meet.
            entity.insert((avian::Restitution::new(1.0), avian::Friction::new(0.0)));
        }
        if workload.is_fast() && !spec.is_static {
            // The cheaper kind of CCD, for bodies that do not rotate. Without a bound on the speculative margin, some bodies get faster and faster; with 0, most stick.
            entity.insert((
                avian::SweptCcd::LINEAR,
                avian::SpeculativeMargin(USUAL_SIZE),
            ));
        }
        if workload.is_solid {
            entity.insert(avian::LockedAxes::ROTATION_LOCKED);
        } else if !spec.is_static {
            // Otherwise avian reports sensors that, by their velocities, are only going to meet.
            entity.insert((avian::Sensor, avian::SpeculativeMargin::ZERO));
        }
    });
}

fn count_avian(
    mut pairs: ResMut<Pairs>,
    mut started: MessageReader<avian::CollisionStart>,
    mut ended: MessageReader<avian::CollisionEnd>,
) {
    pairs.0 += started.read().count() as i64 - ended.read().count() as i64;
}

fn add_rapier(app: &mut App, workload: &Workload, has_bodies: bool) {
    app.insert_resource(rapier::TimestepMode::Fixed {
        dt: 1.0 / 60.0,
        substeps: 1,
    })
    .add_plugins(
        rapier::RapierPhysicsPlugin::<rapier::NoUserData>::pixels_per_meter(USUAL_SIZE)
            .in_fixed_schedule(),
    )
    .add_systems(
        // Rapier's plugin spawns the configuration in `PreStartup`.
        Startup,
        |mut configuration: Query<&mut rapier::RapierConfiguration>| {
            for mut one in &mut configuration {
                one.gravity = Vec2::ZERO;
            }
        },
    )
    .add_systems(FixedLast, count_rapier);
    let by_velocity = workload.by_velocity || workload.is_solid;
    let set_out = lead::<rapier::Velocity>(app, workload, by_velocity);
    let [moves, stands] = [rapier::Group::GROUP_1, rapier::Group::GROUP_2];
    fill(app, workload, |entity, spec| {
        set_out(entity, spec);
        let collider = if spec.is_round {
            rapier::Collider::ball(spec.size * 0.5)
        } else {
            rapier::Collider::cuboid(spec.size * 0.5, spec.size * 0.5)
        };
        entity.insert((
            collider,
            rapier::ActiveEvents::COLLISION_EVENTS,
            // All pairs except those of two that stand still. Without bodies, all colliders count as standing still, so their groups exclude these pairs.
            if has_bodies {
                rapier::ActiveCollisionTypes::all() - rapier::ActiveCollisionTypes::STATIC_STATIC
            } else {
                rapier::ActiveCollisionTypes::all()
            },
        ));
        if !has_bodies {
            entity.insert(if spec.is_static {
                rapier::CollisionGroups::new(stands, moves)
            } else {
                rapier::CollisionGroups::new(moves, moves | stands)
            });
        }
        if !workload.is_solid && !spec.is_static {
            entity.insert(rapier::Sensor);
        }
        if has_bodies || workload.is_solid {
            entity.insert(match (spec.is_static, workload.is_solid) {
                (true, _) => rapier::RigidBody::Fixed,
                (false, true) => rapier::RigidBody::Dynamic,
                (false, false) if workload.by_velocity => rapier::RigidBody::KinematicVelocityBased,
                (false, false) => rapier::RigidBody::KinematicPositionBased,
            });
        }
        if workload.bounces() {
            // Also on bodies that stand still: rapier takes the mean of the two that meet.
            entity.insert((
                rapier::Restitution::coefficient(1.0),
                rapier::Friction::coefficient(0.0),
            ));
        }
        if workload.is_fast() && !spec.is_static {
            entity.insert(rapier::Ccd::enabled());
        }
        if workload.is_solid {
            entity.insert(rapier::LockedAxes::ROTATION_LOCKED);
        }
    });
}

fn count_rapier(mut pairs: ResMut<Pairs>, mut events: MessageReader<rapier::CollisionEvent>) {
    for event in events.read() {
        pairs.0 += match event {
            rapier::CollisionEvent::Started(..) => 1,
            rapier::CollisionEvent::Stopped(..) => -1,
        };
    }
}
