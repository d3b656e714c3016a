//! The same world as an app of each engine, set up as the engine's documentation recommends.
//!
//! Each app moves the bodies through their `Transform`s before the engine's step, or lets the engine move them by their velocities, once in each `update()`, and reads what the engine reports.
//! The rivals get velocities for all solid bodies: both advise against setting the places of such bodies, since the engine then throws them out of each other at high speed.

use std::time::Instant;

use avian2d::prelude as avian;
use bevy::{
    ecs::{component::Mutable, message::MessageReader},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    broad_phase::{BroadPhase, Extent, Found},
    kernel::{Shape, separation},
    prelude as nudge,
};
use bevy_rapier2d::prelude as rapier;

use crate::workloads::{Spec, TURN, Workload, step_to_middle};

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

/// The velocity component of an engine.
trait Speed: Component<Mutability = Mutable> {
    fn per_second(velocity: Vec2) -> Self;
}

impl Speed for nudge::Velocity {
    fn per_second(velocity: Vec2) -> Self {
        Self(velocity)
    }
}

impl Speed for avian::LinearVelocity {
    fn per_second(velocity: Vec2) -> Self {
        Self(velocity)
    }
}

impl Speed for rapier::Velocity {
    fn per_second(velocity: Vec2) -> Self {
        Self::linear(velocity)
    }
}

/// The state of the game that moves the bodies, alike in each app.
#[derive(Resource)]
struct Game {
    room: Vec2,
    gathers: bool,
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
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(Game {
            room: Vec2::splat(workload.half_side),
            gathers: workload.gathers,
            ticks: 0,
        })
        .init_resource::<Pairs>();
    match name {
        "floor" => {
            app.add_systems(GAME, walk);
            fill(&mut app, workload, |entity, spec| {
                if !spec.is_static {
                    entity.insert(drift(spec));
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

    /// Returns how far the moving bodies get in one more tick, on average.
    pub fn pace(&mut self) -> f32 {
        let places = self
            .app
            .world_mut()
            .query_filtered::<&Transform, With<Spec>>();
        let places = |app: &App| -> Vec<Vec2> {
            let places = places.iter_manual(app.world());
            places.map(|one| one.translation.truncate()).collect()
        };
        let before = places(&self.app);
        self.app.update();
        let ways = before
            .iter()
            .zip(places(&self.app))
            .map(|(a, b)| a.distance(b));
        let ways: Vec<f32> = ways.filter(|way| *way > 0.0).collect();
        ways.iter().sum::<f32>() / ways.len() as f32
    }

    /// Returns how many pairs overlap deeper than `depth` units in their current places; pairs in which neither is pushed do not count.
    pub fn deeper_than(&mut self, depth: f32) -> usize {
        let world = self.app.world_mut();
        let mut colliders = world.query::<(&Spec, &Transform)>();
        let (mut moving, mut still) = (Vec::new(), Vec::new());
        for (spec, transform) in colliders.iter(world) {
            let half = spec.size * 0.5;
            let shape = if spec.is_round {
                Shape::circle(half)
            } else {
                Shape::rectangle(Vec2::splat(half))
            };
            let center = transform.translation.truncate();
            let extent = Extent {
                min: (center - half).to_array(),
                max: (center + half).to_array(),
            };
            let list = if spec.is_static {
                &mut still
            } else {
                &mut moving
            };
            list.push((extent, (shape.expect("a valid size"), center)));
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
    /// Returns the next step of a body at this place: to the middle of the world; or straight on, back from the edges, and reversed every [`TURN`] ticks.
    fn step(&self, drift: &mut Drift, place: Vec2) -> Vec2 {
        if self.gathers {
            return step_to_middle(place);
        }
        if self.ticks.is_multiple_of(TURN) {
            drift.0 = -drift.0;
        }
        let to = place + drift.0;
        let is_out = to.abs().cmpgt(self.room);
        if is_out.any() {
            drift.0 = Vec2::select(is_out, -drift.0.abs() * to.signum(), drift.0);
        }
        drift.0
    }
}

/// Moves the bodies that the game moves, through their `Transform`s.
fn walk(mut game: ResMut<Game>, mut led: Query<(&mut Drift, &mut Transform)>) {
    game.ticks += 1;
    for (mut drift, mut transform) in &mut led {
        let step = game.step(&mut drift, transform.translation.truncate());
        transform.translation += step.extend(0.0);
    }
}

/// Sets the velocities of the bodies that the game moves.
fn steer<V: Speed>(mut game: ResMut<Game>, mut led: Query<(&mut Drift, &Transform, &mut V)>) {
    game.ticks += 1;
    for (mut drift, transform, mut velocity) in &mut led {
        let step = game.step(&mut drift, transform.translation.truncate());
        *velocity = V::per_second(step * 60.0);
    }
}

fn drift(spec: &Spec) -> Drift {
    Drift(Vec2::from(spec.drift))
}

/// Returns the initial velocity of a body that its engine moves.
fn speed<V: Speed>(spec: &Spec) -> V {
    V::per_second(Vec2::from(spec.drift) * 60.0)
}

fn fill(app: &mut App, workload: &Workload, mut add: impl FnMut(&mut EntityWorldMut, &Spec)) {
    for spec in &workload.specs {
        let place = Transform::from_xyz(spec.x, spec.y, 0.0);
        add(&mut app.world_mut().spawn((*spec, place)), spec);
    }
}

/// Lets the game of an app move all bodies that do not stand still, by velocities or through `Transform`s, unless each goes its own way by its velocity. Returns a function that inserts the components for that.
fn lead<V: Speed>(
    app: &mut App,
    workload: &Workload,
    by_velocity: bool,
) -> impl Fn(&mut EntityWorldMut, &Spec) + use<V> {
    let is_led = !workload.by_velocity || workload.gathers;
    if by_velocity && is_led {
        app.add_systems(GAME, steer::<V>);
    } else if is_led {
        app.add_systems(GAME, walk);
    }
    move |entity, spec| {
        if spec.is_static {
            return;
        }
        if by_velocity {
            entity.insert(speed::<V>(spec));
        }
        if is_led {
            entity.insert(drift(spec));
        }
    }
}

fn add_nudge(app: &mut App, workload: &Workload) {
    app.add_plugins(nudge::CollisionPlugin::default())
        .add_systems(FixedLast, count_nudge);
    let set_out = lead::<nudge::Velocity>(app, workload, workload.by_velocity);
    let moving = if workload.is_solid {
        nudge::Body::Dynamic
    } else {
        nudge::Body::Kinematic
    };
    fill(app, workload, |entity, spec| {
        set_out(entity, spec);
        let body = if spec.is_static {
            nudge::Body::Static
        } else {
            moving
        };
        if spec.is_round {
            entity.insert((nudge::CircleCollider::new(spec.size * 0.5), body));
        } else {
            entity.insert((nudge::BoxCollider::square(spec.size), body));
        }
        if workload.by_velocity && !spec.is_static {
            let response = match (workload.is_solid, workload.bounces()) {
                (true, true) => nudge::Response::Bounce { restitution: 1.0 },
                (true, false) => nudge::Response::Slide,
                (false, _) => nudge::Response::Pass,
            };
            entity.insert(response);
        }
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
