//! Colliders under pointers, for Bevy's picking.

use bevy::{
    camera::visibility::RenderLayers,
    input::{ButtonState, InputPlugin, mouse::MouseButtonInput},
    picking::{
        DefaultPickingPlugins,
        backend::{
            PointerHits,
            ray::{RayId, RayMap},
        },
        pointer::PointerId,
    },
    prelude::*,
    time::TimeUpdateStrategy,
    window::{CursorMoved, PrimaryWindow, WindowEvent},
};
use bevy_nudge::{picking::CollisionPickingPlugin, prelude::*};

use crate::common::{at, camera, log::Log, take};

/// An app without windows, in which the test sets the rays of the pointers: straight down from a height of 1000, each for a camera of its own.
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
#[should_panic(expected = "CollisionPickingPlugin needs a CollisionPlugin, and the app has none")]
fn without_collisions_it_says_what_is_missing() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPickingPlugin));
    app.finish();
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
        panic!("only two pointers hit: {told:?}");
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

/// As with Bevy's own backends: a menu or a map that is drawn over the game has a camera of its own, which sees other layers.
#[test]
fn a_camera_finds_what_is_on_its_layers() {
    let (mut app, cameras) = app(&[(0.0, 0.0), (50.0, 0.0), (100.0, 0.0)]);
    let world = app.world_mut();
    let square = |world: &mut World, x| world.spawn((BoxCollider::square(20.0), at(x, 0.0))).id();
    let [game, _, both] = [0.0, 50.0, 100.0].map(|x| square(world, x));
    let button = square(world, 50.0);
    let menu = RenderLayers::layer(1);
    world.entity_mut(cameras[1]).insert(menu.clone());
    world.entity_mut(button).insert((menu, Sensor));
    let all = RenderLayers::from_layers(&[1, 2]);
    world.entity_mut(cameras[2]).insert(all);
    world
        .entity_mut(both)
        .insert(RenderLayers::from_layers(&[0, 2]));
    app.world_mut().run_schedule(FixedPostUpdate);
    app.update();
    let told = take::<PointerHits>(&mut app);
    let mut picks: Vec<_> = told
        .iter()
        .flat_map(|hits| hits.picks.iter().map(|(entity, _)| (hits.order, *entity)))
        .collect();
    picks.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(picks, [(0.0, game), (1.0, button), (2.0, both)]);
}

/// The plugin spawns the colliders of a grid, so the layers of all of them stand beside the grid.
#[test]
fn a_camera_finds_the_grids_on_its_layers() {
    let (mut app, cameras) = app(&[(0.0, 0.0), (0.0, 0.0)]);
    let menu = RenderLayers::layer(1);
    app.world_mut().entity_mut(cameras[1]).insert(menu.clone());
    let cells = TileColliders::from_cells(Vec2::splat(20.0), [IVec2::ZERO]);
    app.world_mut().spawn((cells, menu, at(-10.0, -10.0)));
    app.world_mut().run_schedule(FixedPostUpdate);
    app.update();
    let told = take::<PointerHits>(&mut app);
    let orders: Vec<_> = told.iter().map(|hits| hits.order).collect();
    assert_eq!(orders, [1.0]);
}

#[test]
fn without_picking_nobody_is_found_and_one_warning_is_logged() {
    let lines = Log::lines_of(|| {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::default(),
            CollisionPickingPlugin,
        ));
        app.world_mut().spawn(CircleCollider::new(1.0));
        app.finish();
        app.cleanup();
        app.update();
        app.update();
    });
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("WARN") && lines[0].contains("no PickingPlugin"));
}

/// From the messages of a window to the observers of an entity, through all of Bevy's picking.
#[test]
fn a_click_of_the_mouse_reaches_the_collider_under_it() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        InputPlugin,
        WindowPlugin::default(),
        DefaultPickingPlugins,
        CollisionPlugin::default(),
        CollisionPickingPlugin,
    ))
    .init_resource::<Clicked>()
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();

    // A pixel is a unit, and the middle of the window is the origin.
    let projection = Projection::Orthographic(OrthographicProjection::default_2d());
    app.world_mut().spawn((Camera2d, camera(projection)));

    let world = app.world_mut();
    let crab = world
        .spawn((BoxCollider::square(20.0), at(100.0, 50.0)))
        .id();
    let coin = world
        .spawn((
            CircleCollider::new(5.0),
            Sensor,
            Transform::from_xyz(104.0, 50.0, 1.0),
        ))
        .id();
    for entity in [crab, coin] {
        world.entity_mut(entity).observe(note_click);
    }
    app.update();
    app.update();

    // Clicks in the middle of the coin, which is on top; beside the coin, on the crab; and beside both.
    for (place, clicked) in [
        (Vec2::new(104.0, 50.0), Some(coin)),
        (Vec2::new(94.0, 45.0), Some(crab)),
        (Vec2::new(89.0, 50.0), None),
    ] {
        click(&mut app, Vec2::new(320.0 + place.x, 240.0 - place.y));
        let expected: Vec<Entity> = clicked.into_iter().collect();
        let heard = std::mem::take(&mut app.world_mut().resource_mut::<Clicked>().0);
        assert_eq!(heard, expected, "at {place}");
    }
}

/// The entities that were clicked.
#[derive(Resource, Default)]
struct Clicked(Vec<Entity>);

/// Notes the click for the entity itself, and not again for its ancestors.
fn note_click(mut click: On<Pointer<Click>>, mut clicked: ResMut<Clicked>) {
    click.propagate(false);
    clicked.0.push(click.entity);
}

/// Moves the mouse over the window, in pixels from its upper left corner, presses the button, and releases it.
fn click(app: &mut App, position: Vec2) {
    let mut windows = app
        .world_mut()
        .query_filtered::<Entity, With<PrimaryWindow>>();
    let window = windows.single(app.world()).expect("the plugin made it");
    let moved = CursorMoved {
        window,
        position,
        delta: None,
    };
    app.world_mut()
        .write_message(WindowEvent::CursorMoved(moved));
    app.update();
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let button = MouseButtonInput {
            button: MouseButton::Left,
            state,
            window,
        };
        app.world_mut()
            .write_message(WindowEvent::MouseButtonInput(button));
        app.update();
    }
}

/// A camera that is tilted sees the sky above the horizon, and nothing of what lies behind it.
#[test]
fn nobody_behind_the_camera_is_under_a_pointer() {
    for (case, way, expected) in [("down", -1.0, 1), ("up", 1.0, 0)] {
        let (mut app, cameras) = app(&[(0.0, 0.0)]);
        let way = Dir3::new(Vec3::new(0.0, 1.0, way)).unwrap();
        let ray = Ray3d::new(Vec3::new(0.0, 0.0, 10.0), way);
        let mut rays = RayMap::default();
        rays.map
            .insert(RayId::new(cameras[0], PointerId::Mouse), ray);
        app.insert_resource(rays);
        for y in [-10.0, 10.0] {
            app.world_mut()
                .spawn((BoxCollider::square(4.0), at(0.0, y)));
        }
        app.world_mut().run_schedule(FixedPostUpdate);
        take::<PointerHits>(&mut app);
        app.update();
        let told = take::<PointerHits>(&mut app);
        let picks = told.iter().map(|hits| hits.picks.len());
        assert_eq!(picks.sum::<usize>(), expected, "{case}");
    }
}

/// A perspective camera sees a collider above the plane in another place than the point of the plane below it.
#[test]
fn who_is_above_the_ground_is_picked_where_it_is_seen() {
    for (case, direction, expected) in [
        ("through its middle", Vec3::new(1.0, 0.0, -1.0), true),
        ("to below it at 0", Vec3::new(1.0, 0.0, -2.0), false),
    ] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()))
            .add_plugins(CollisionPickingPlugin)
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_message::<PointerHits>()
            .init_resource::<RayMap>();
        let camera = app.world_mut().spawn(Camera::default()).id();
        let direction = Dir3::new(direction).unwrap();
        let ray = Ray3d::new(Vec3::new(0.0, 0.0, 100.0), direction);
        let id = RayId::new(camera, PointerId::Mouse);
        app.world_mut().resource_mut::<RayMap>().map.insert(id, ray);
        let high = Transform::from_xyz(50.0, 0.0, 50.0);
        let high = app.world_mut().spawn((CircleCollider::new(5.0), high)).id();
        for _ in 0..3 {
            app.update();
        }
        let mut told = app.world_mut().resource_mut::<Messages<PointerHits>>();
        let picks: Vec<_> = told.drain().flat_map(|hits| hits.picks).collect();
        assert_eq!(!picks.is_empty(), expected, "{case}");
        for (entity, hit) in picks {
            assert_eq!(entity, high);
            let place = hit.position.unwrap();
            assert!(
                place.distance(Vec3::new(50.0, 0.0, 50.0)) < 1.0e-3,
                "{place}"
            );
            assert!((hit.depth - 5000.0_f32.sqrt()).abs() < 1.0e-3);
        }
    }
}

/// An orthographic camera draws nothing beyond its far plane; a perspective camera has no far plane.
#[test]
fn who_is_beyond_the_far_plane_is_under_no_pointer() {
    let flat = |far| {
        Projection::Orthographic(OrthographicProjection {
            far,
            ..OrthographicProjection::default_2d()
        })
    };
    let perspective = || Projection::Perspective(PerspectiveProjection::default());
    for (case, projection, scale, z, is_seen) in [
        ("within", flat(1000.0), 1.0, -999.0, true),
        ("beyond", flat(1000.0), 1.0, -1500.0, false),
        ("beyond the usual one", flat(2000.0), 1.0, -1500.0, true),
        ("in perspective", perspective(), 1.0, -1500.0, true),
        // The scale of a camera moves its planes.
        ("wide", flat(1000.0), 3.0, 0.0, true),
        ("wide and deep", flat(1000.0), 3.0, -2900.0, true),
        ("wide and too deep", flat(1000.0), 3.0, -3100.0, false),
        ("near", flat(1000.0), 0.05, -49.0, true),
        ("near and deep", flat(1000.0), 0.05, -51.0, false),
    ] {
        let (mut app, cameras) = app(&[(0.0, 0.0)]);
        let (camera, projection) = camera(projection);
        let middle = Vec2::new(320.0, 240.0);
        let place = Transform::from_scale(Vec3::splat(scale));
        let ray = camera.viewport_to_world(&place.into(), middle);
        let id = RayId::new(cameras[0], PointerId::Mouse);
        let mut rays = app.world_mut().resource_mut::<RayMap>();
        rays.map.insert(id, ray.unwrap());
        let world = app.world_mut();
        let place = (place, GlobalTransform::from(place));
        world
            .entity_mut(cameras[0])
            .insert((camera, projection, place));
        world.spawn((CircleCollider::new(5.0), Transform::from_xyz(0.0, 0.0, z)));
        app.world_mut().run_schedule(FixedPostUpdate);
        app.update();
        take::<PointerHits>(&mut app);
        app.update();
        let told = take::<PointerHits>(&mut app);
        assert_eq!(!told.is_empty(), is_seen, "{case}");
    }
}
