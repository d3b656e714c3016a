//! The same world as an app of each engine, set up as its documentation recommends for it.
//!
//! Every app moves what moves through its `Transform` in `FixedUpdate`, or lets the engine move it by its velocity, once in each `update()`, and reads what the engine reports.

use std::time::Instant;

use avian2d::prelude as avian;
use bevy::{ecs::message::MessageReader, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::{
    broad_phase::{BroadPhase, Extent, Found},
    kernel::{Shape, separation},
    prelude as nudge,
};
use bevy_rapier2d::prelude as rapier;

use crate::workloads::{Spec, TURN, Workload, step_to_middle};

/// An app to measure, and the pairs that it tells of.
pub struct Engine {
    pub name: &'static str,
    pub app: App,
}

/// How many pairs collide now by what the engine reported: those that started, less those that ended.
#[derive(Resource, Default)]
pub struct Pairs(pub i64);

#[derive(Component)]
struct Drift(Vec2);

#[derive(Resource)]
struct HalfSide(f32);

/// The names that [`engine`] knows, the bare app first.
pub const NAMES: [&str; 5] = [
    "floor",
    "bevy_nudge",
    "avian2d",
    "bevy_rapier2d",
    "rapier sensors",
];

/// `None` where the engine has no way to do it: sensors without a body push nothing and have no velocity.
pub fn engine(name: &'static str, workload: &Workload) -> Option<Engine> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(HalfSide(workload.half_side))
        .init_resource::<Pairs>();
    if workload.gathers {
        app.add_systems(FixedUpdate, gather);
    } else {
        app.add_systems(FixedUpdate, drift);
    }
    match name {
        "floor" => fill_with(&mut app, workload, false, |_, _| {}),
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
    // The first update passes no time.
    app.update();
    Some(Engine { name, app })
}

impl Engine {
    /// What is left of all started pairs.
    pub fn pairs(&self) -> i64 {
        self.app.world().resource::<Pairs>().0
    }

    /// How many pairs, of which at least one is pushed, are left deeper than `depth` units, wherever they are now.
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

/// Units a second.
fn velocity(spec: &Spec) -> Vec2 {
    Vec2::from(spec.drift) * 60.0
}

fn fill(app: &mut App, workload: &Workload, add: impl FnMut(&mut EntityWorldMut, &Spec)) {
    let moves_itself = workload.by_velocity || workload.gathers;
    fill_with(app, workload, moves_itself, add);
}

fn fill_with(
    app: &mut App,
    workload: &Workload,
    moves_itself: bool,
    mut add: impl FnMut(&mut EntityWorldMut, &Spec),
) {
    for spec in &workload.specs {
        let mut entity = app
            .world_mut()
            .spawn((*spec, Transform::from_xyz(spec.x, spec.y, 0.0)));
        if !spec.is_static && !moves_itself {
            entity.insert(Drift(Vec2::from(spec.drift)));
        }
        add(&mut entity, spec);
    }
}

/// Straight on, back from the edges, and back after a while.
fn drift(
    half_side: Res<HalfSide>,
    mut ticks: Local<u32>,
    mut drifting: Query<(&mut Drift, &mut Transform)>,
) {
    let room = Vec2::splat(half_side.0);
    *ticks += 1;
    let turns = ticks.is_multiple_of(TURN);
    for (mut drift, mut transform) in &mut drifting {
        if turns {
            drift.0 = -drift.0;
        }
        let to = transform.translation.truncate() + drift.0;
        let is_out = to.abs().cmpgt(room);
        if is_out.any() {
            drift.0 = Vec2::select(is_out, -drift.0.abs() * to.signum(), drift.0);
        }
        transform.translation = to.extend(0.0);
    }
}

/// To the middle of the world, through the `Transform`. The rivals are told a velocity in each tick, as they recommend for what walks: bodies that are put into each other are thrown out again by them, and fly.
fn gather(mut drifting: Query<&mut Transform, With<Drift>>) {
    for mut transform in &mut drifting {
        let step = step_to_middle(transform.translation.truncate());
        transform.translation += step.extend(0.0);
    }
}

fn add_nudge(app: &mut App, workload: &Workload) {
    app.add_plugins(nudge::CollisionPlugin::default())
        .add_systems(FixedLast, count_nudge);
    if workload.gathers && workload.by_velocity {
        app.add_systems(FixedUpdate, gather_nudge);
    }
    let moving = if workload.is_solid {
        nudge::Body::Dynamic
    } else {
        nudge::Body::Kinematic
    };
    fill_with(app, workload, workload.by_velocity, |entity, spec| {
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
            entity.insert((nudge::Velocity(velocity(spec)), response));
        }
    });
}

fn gather_nudge(mut bodies: Query<(&Transform, &mut nudge::Velocity)>) {
    for (transform, mut velocity) in &mut bodies {
        velocity.0 = step_to_middle(transform.translation.truncate()) * 60.0;
    }
}

/// When each stage of this crate's tick began, and when the last one ended, in the newest tick.
#[derive(Resource, Default)]
pub struct Stages(pub Vec<Instant>);

/// Clocks them from now on. The systems for it cost a few microseconds, so this is by request.
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
    // Its plugin wants the meshes that it can make colliders of, and the state of scenes, to exist.
    app.add_plugins(avian::PhysicsPlugins::default())
        .insert_resource(avian::Gravity(Vec2::ZERO))
        .add_systems(FixedLast, count_avian);
    if workload.gathers {
        app.add_systems(FixedUpdate, gather_avian);
    }
    let moving = if workload.is_solid {
        avian::RigidBody::Dynamic
    } else {
        avian::RigidBody::Kinematic
    };
    fill(app, workload, |entity, spec| {
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
        // What its game moves through the Transform would be put to sleep else.
        entity.insert((
            body,
            collider,
            avian::CollisionEventsEnabled,
            avian::SleepingDisabled,
        ));
        if (workload.by_velocity || workload.gathers) && !spec.is_static {
            entity.insert(avian::LinearVelocity(velocity(spec)));
        }
        if workload.bounces() && !spec.is_static {
            entity.insert((
                avian::Restitution::new(1.0),
                avian::Friction::new(0.0),
                avian::SweptCcd::default(),
            ));
        }
        if workload.is_solid {
            entity.insert(avian::LockedAxes::ROTATION_LOCKED);
        } else if !spec.is_static {
            entity.insert(avian::Sensor);
        }
    });
}

fn gather_avian(mut bodies: Query<(&Transform, &mut avian::LinearVelocity)>) {
    for (transform, mut velocity) in &mut bodies {
        velocity.0 = step_to_middle(transform.translation.truncate()) * 60.0;
    }
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
        rapier::RapierPhysicsPlugin::<rapier::NoUserData>::pixels_per_meter(10.0)
            .in_fixed_schedule(),
    )
    .add_systems(
        PreStartup,
        |mut configuration: Query<&mut rapier::RapierConfiguration>| {
            for mut one in &mut configuration {
                one.gravity = Vec2::ZERO;
            }
        },
    )
    .add_systems(FixedLast, count_rapier);
    if workload.gathers {
        app.add_systems(FixedUpdate, gather_rapier);
    }
    fill(app, workload, |entity, spec| {
        let collider = if spec.is_round {
            rapier::Collider::ball(spec.size * 0.5)
        } else {
            rapier::Collider::cuboid(spec.size * 0.5, spec.size * 0.5)
        };
        entity.insert((
            collider,
            rapier::ActiveEvents::COLLISION_EVENTS,
            // Everything but pairs that both stand still; without bodies, all of them do.
            if has_bodies {
                rapier::ActiveCollisionTypes::all() - rapier::ActiveCollisionTypes::STATIC_STATIC
            } else {
                rapier::ActiveCollisionTypes::all()
            },
        ));
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
        if (workload.by_velocity || workload.gathers) && !spec.is_static {
            entity.insert(rapier::Velocity::linear(velocity(spec)));
        }
        if workload.bounces() && !spec.is_static {
            entity.insert((
                rapier::Restitution::coefficient(1.0),
                rapier::Friction::coefficient(0.0),
                rapier::Ccd::enabled(),
            ));
        }
        if workload.is_solid {
            entity.insert(rapier::LockedAxes::ROTATION_LOCKED);
        }
    });
}

fn gather_rapier(mut bodies: Query<(&Transform, &mut rapier::Velocity)>) {
    for (transform, mut velocity) in &mut bodies {
        *velocity =
            rapier::Velocity::linear(step_to_middle(transform.translation.truncate()) * 60.0);
    }
}

fn count_rapier(mut pairs: ResMut<Pairs>, mut events: MessageReader<rapier::CollisionEvent>) {
    for event in events.read() {
        pairs.0 += match event {
            rapier::CollisionEvent::Started(..) => 1,
            rapier::CollisionEvent::Stopped(..) => -1,
        };
    }
}
