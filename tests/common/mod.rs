//! What all test binaries share: a headless app with exactly one tick per update, and functions to read its messages.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod log;

use bevy::{
    camera::{ComputedCameraValues, RenderTargetInfo},
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::prelude::*;

/// A headless app in which every `update()` runs one fixed tick, the first one included.
pub fn app() -> App {
    app_with(CollisionPlugin::default())
}

/// The same app, with the given plugin.
pub fn app_with(plugin: CollisionPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    run_on_one_thread(&mut app);
    // Bevy's first update passes no time and runs no fixed tick.
    app.update();
    app
}

/// Runs each system of an app by itself: tests run beside each other, so threads within one are no help, and handing tiny systems to them takes longer than all else in a tick.
pub fn run_on_one_thread(app: &mut App) {
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// Makes a schedule panic when it is built if two of its systems are in no order though it matters.
pub fn forbid_open_orders(app: &mut App, schedule: impl ScheduleLabel) {
    app.edit_schedule(schedule, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
}

/// Returns a `Transform` at a place in the plane.
pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// Returns a camera as a renderer sets it up, in a window of 640 x 480 pixels.
pub fn camera(mut projection: Projection) -> (Camera, Projection) {
    projection.update(640.0, 480.0);
    let computed = ComputedCameraValues {
        clip_from_view: projection.get_clip_from_view(),
        target_info: Some(RenderTargetInfo {
            physical_size: UVec2::new(640, 480),
            scale_factor: 1.0,
        }),
        ..default()
    };
    let camera = Camera {
        computed,
        ..default()
    };
    (camera, projection)
}

/// Spawns a static box between two corners.
pub fn wall(app: &mut App, from: (f32, f32), to: (f32, f32)) -> Entity {
    let (from, to) = (Vec2::from(from), Vec2::from(to));
    let size = to - from;
    let center = at((from.x + to.x) * 0.5, (from.y + to.y) * 0.5);
    let collider = BoxCollider::new(size.x, size.y);
    app.world_mut().spawn((collider, Body::Static, center)).id()
}

/// Returns the place of an entity.
pub fn place(app: &App, entity: Entity) -> Vec2 {
    app.world()
        .get::<Transform>(entity)
        .expect("the entity has a Transform")
        .translation
        .truncate()
}

/// Takes all messages of a kind that were written since the last call.
pub fn take<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut()
        .resource_mut::<Messages<M>>()
        .drain()
        .collect()
}

/// Runs one tick, and returns only its collisions.
pub fn tick(app: &mut App) -> Vec<Collision> {
    take::<Collision>(app);
    app.update();
    take(app)
}
