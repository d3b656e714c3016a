//! Measures a frame with one tick of an app with the debug drawing, up to the lines that a renderer gets: with the drawing switched off, on, and with all its layers.

use bevy::{
    asset::AssetPlugin,
    camera::{ComputedCameraValues, RenderTargetInfo},
    gizmos::GizmoPlugin,
    mesh::MeshPlugin,
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    debug::{CollisionDebugPlugin, CollisionGizmos},
    prelude::*,
};
use bevy_nudge_benches::workloads::{Workload, workload};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

/// Units a tick.
#[derive(Component)]
struct Drift(Vec2);

/// The variants of the drawing.
const DRAWN: [&str; 4] = ["no plugin", "off", "on", "all layers"];

/// The width and height of the window, in pixels.
const WINDOW: f32 = 1000.0;

/// Returns a camera as a renderer sets it up, which sees the whole world.
fn camera(workload: &Workload) -> impl Bundle {
    let mut projection = Projection::Orthographic(OrthographicProjection {
        scale: 2.1 * workload.motion.half_side / WINDOW,
        ..OrthographicProjection::default_2d()
    });
    projection.update(WINDOW, WINDOW);
    let computed = ComputedCameraValues {
        clip_from_view: projection.get_clip_from_view(),
        target_info: Some(RenderTargetInfo {
            physical_size: UVec2::splat(WINDOW as u32),
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

fn app(workload: &Workload, drawn: &str) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        MeshPlugin,
        TransformPlugin,
        GizmoPlugin,
        CollisionPlugin::default(),
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .add_systems(
        FixedUpdate,
        |mut drifting: Query<(&Drift, &mut Transform)>| {
            for (drift, mut transform) in &mut drifting {
                transform.translation += drift.0.extend(0.0);
            }
        },
    );
    if drawn != "no plugin" {
        app.add_plugins(CollisionDebugPlugin);
    }
    app.finish();
    app.cleanup();
    app.world_mut().spawn(camera(workload));
    for spec in &workload.specs {
        let place = Transform::from_xyz(spec.x, spec.y, 0.0);
        // The collider trembles on the spot; otherwise all would be far away before the bench is over.
        let drift = Drift(spec.way() * 1.0e-3);
        workload.insert_nudge(&mut app.world_mut().spawn((place, drift)), spec);
    }
    app.update();
    if let Some(mut store) = app.world_mut().get_resource_mut::<GizmoConfigStore>()
        && drawn != "no plugin"
    {
        let (config, layers) = store.config_mut::<CollisionGizmos>();
        config.enabled = drawn != "off";
        layers.bounding_boxes = drawn == "all layers";
        layers.strips = drawn == "all layers";
    }
    app
}

fn frame(criterion: &mut Criterion) {
    for count in [1_000, 10_000] {
        let mut group = criterion.benchmark_group(format!("debug/{count}"));
        group.sample_size(20);
        let workload = workload("swarm", count);
        for drawn in DRAWN {
            let mut app = app(&workload, drawn);
            group.bench_function(BenchmarkId::from_parameter(drawn), |bencher| {
                bencher.iter(|| app.update());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
