//! Colliders under pointers, for Bevy's picking.

use bevy::{
    picking::{
        backend::{
            PointerHits,
            ray::{RayId, RayMap},
        },
        pointer::PointerId,
    },
    prelude::*,
};
use bevy_nudge::{picking::CollisionPickingPlugin, prelude::*};

use crate::common::{at, take};

/// An app without windows, in which the rays of pointers are laid by hand: straight down from a height of 1000, each for a camera of its own.
fn app(pointers: &[(f32, f32)]) -> (App, Vec<Entity>) {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionPickingPlugin,
    ))
    .add_message::<PointerHits>();
    let mut rays = RayMap::default();
    let cameras = pointers.iter().zip(0..).map(|((x, y), order)| {
        let camera = Camera { order, ..default() };
        let camera = app.world_mut().spawn(camera).id();
        let ray = Ray3d::new(Vec3::new(*x, *y, 1000.0), Dir3::NEG_Z);
        rays.map.insert(RayId::new(camera, PointerId::Mouse), ray);
        camera
    });
    let cameras = cameras.collect();
    app.insert_resource(rays);
    (app, cameras)
}

#[test]
fn who_is_under_a_pointer_is_told_with_depth() {
    let (mut app, cameras) = app(&[(0.0, 0.0), (50.0, 0.0), (500.0, 0.0)]);
    let world = app.world_mut();
    let low = world.spawn((BoxCollider::square(20.0), at(5.0, 0.0))).id();
    let high = world
        .spawn((
            CircleCollider::new(3.0),
            Sensor,
            Transform::from_xyz(0.0, 1.0, 7.0),
        ))
        .id();
    let aside = world.spawn((BoxCollider::square(20.0), at(55.0, 0.0))).id();
    // A room is under no pointer, neither inside nor outside.
    world.spawn(BoundsCollider::new(800.0, 600.0));
    app.world_mut().run_schedule(FixedPostUpdate);
    app.update();
    app.update();
    take::<PointerHits>(&mut app);
    app.update();

    let mut told = take::<PointerHits>(&mut app);
    told.sort_by(|a, b| a.order.total_cmp(&b.order));
    let [first, second] = &told[..] else {
        panic!("nobody is under the third: {told:?}");
    };
    let picks = |hits: &PointerHits| {
        let mut picks: Vec<_> = hits
            .picks
            .iter()
            .map(|(entity, hit)| (*entity, hit.camera, hit.depth, hit.position))
            .collect();
        picks.sort_by(|a, b| a.2.total_cmp(&b.2));
        picks
    };
    let at_height = |x: f32, z: f32| Some(Vec3::new(x, 0.0, z));
    assert_eq!(
        picks(first),
        [
            (high, cameras[0], 993.0, at_height(0.0, 7.0)),
            (low, cameras[0], 1000.0, at_height(0.0, 0.0)),
        ]
    );
    assert_eq!(
        picks(second),
        [(aside, cameras[1], 1000.0, at_height(50.0, 0.0))]
    );
    assert_eq!((first.order, second.order), (0.0, 1.0));
    assert_eq!(first.pointer, PointerId::Mouse);
}
