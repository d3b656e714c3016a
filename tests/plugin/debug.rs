//! The debug drawing: tests the very lines that Bevy's renderer gets.

use std::{any::TypeId, ops::ControlFlow, sync::Arc};

use bevy::{
    app::FixedMainScheduleOrder,
    asset::AssetPlugin,
    camera::visibility::RenderLayers,
    color::LinearRgba,
    ecs::{entity_disabling::Disabled, schedule::ScheduleLabel, system::RunSystemOnce},
    gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin},
    mesh::MeshPlugin,
    picking::{
        backend::{
            PointerHits,
            ray::{RayId, RayMap},
        },
        pointer::PointerId,
    },
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_nudge::{
    debug::{CollisionColors, CollisionDebugPlugin, CollisionGizmos, DrawnSnapshot},
    kernel::{Outline, Shape},
    picking::CollisionPickingPlugin,
    prelude::*,
    query::CastQuestion,
    snapshot::{Snapshot, TickView},
    spatial::Cast,
};

use crate::common::{at, camera, log::Log};

/// Returns a headless app that draws, with one tick in each update.
fn app() -> App {
    let mut app = App::new();
    // As with Bevy's default features off: without the types that its feature `reflect_auto_register` brings.
    app.insert_resource(AppTypeRegistry::default());
    app.world_mut().register_disabling_component::<Shelved>();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        MeshPlugin,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionDebugPlugin,
        // Added after the debug plugin, as an app may do.
        GizmoPlugin,
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Returns an app in which only the layers that `layers` switches on are drawn.
fn app_with(layers: impl FnOnce(&mut CollisionGizmos)) -> App {
    let mut app = app();
    set_layers(&mut app, |all| {
        *all = nothing();
        layers(all);
    });
    app
}

fn nothing() -> CollisionGizmos {
    CollisionGizmos {
        shapes: false,
        inactive: false,
        contacts: false,
        one_way: false,
        surface_velocities: false,
        paths: false,
        queries: false,
        ..default()
    }
}

fn set_layers(app: &mut App, change: impl FnOnce(&mut CollisionGizmos)) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    change(store.config_mut::<CollisionGizmos>().1);
}

/// The lines of a frame.
#[derive(Default)]
struct Drawing {
    lines: Vec<(Vec2, Vec2, LinearRgba)>,
    /// The points of each strip, and its color.
    strips: Vec<(Vec<Vec2>, LinearRgba)>,
}

impl Drawing {
    fn has_line(&self, from: (f32, f32), to: (f32, f32)) -> bool {
        let [from, to] = [from, to].map(Vec2::from);
        // How large a pixel is, is known to within a part in 10,000.
        let is_near = |a: Vec2, b: Vec2| a.distance(b) < 1.0e-3;
        self.lines
            .iter()
            .any(|line| is_near(line.0, from) && is_near(line.1, to))
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.strips.is_empty()
    }
}

/// Returns what was drawn in the newest frame.
fn drawn(app: &App) -> Drawing {
    let group = TypeId::of::<CollisionGizmos>();
    let handles = app.world().resource::<GizmoHandles>().handles();
    let Some(Some(handle)) = handles.get(&group) else {
        return Drawing::default();
    };
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let buffer = assets.get(handle).expect("the asset of a handle").buffer();
    let flat = |point: &Vec3| point.truncate();
    let pairs = buffer.list_positions.chunks(2);
    let lines = pairs.zip(buffer.list_colors.chunks(2));
    let points: Vec<_> = buffer
        .strip_positions
        .iter()
        .zip(&buffer.strip_colors)
        .collect();
    let strips = points.split(|(point, _)| point.is_nan());
    Drawing {
        lines: lines
            .map(|(ends, colors)| (flat(&ends[0]), flat(&ends[1]), colors[0]))
            .collect(),
        strips: strips
            .filter(|strip| !strip.is_empty())
            .map(|strip| {
                (
                    strip.iter().map(|(point, _)| flat(point)).collect(),
                    *strip[0].1,
                )
            })
            .collect(),
    }
}

/// Runs one tick, and returns what its frame draws.
fn draw(app: &mut App) -> Drawing {
    app.update();
    drawn(app)
}

fn bounds(points: &[Vec2]) -> (Vec2, Vec2) {
    let low = points.iter().copied().reduce(Vec2::min).unwrap();
    let high = points.iter().copied().reduce(Vec2::max).unwrap();
    (low, high)
}

#[test]
fn every_outline_is_true_in_place_size_and_corners() {
    let radius_of = |outline: f32, count: f32| {
        // A circle drawn with `n` segments is too flat by r * (1 - cos(pi / n)).
        outline * (1.0 - (std::f64::consts::PI / f64::from(count)).cos() as f32)
    };
    for (case, collider, half, corner) in [
        (
            "a circle",
            Outline::Shape(Shape::circle(10.0).unwrap()),
            (10.0, 10.0),
            10.0,
        ),
        (
            "a large circle",
            Outline::Shape(Shape::circle(300.0).unwrap()),
            (300.0, 300.0),
            300.0,
        ),
        (
            "a box",
            Outline::Shape(Shape::rectangle(Vec2::new(20.0, 5.0)).unwrap()),
            (20.0, 5.0),
            0.0,
        ),
        (
            "round corners",
            Outline::Shape(Shape::rounded_rectangle(Vec2::new(20.0, 12.0), 4.0).unwrap()),
            (20.0, 12.0),
            4.0,
        ),
        (
            "a capsule",
            Outline::Shape(Shape::rounded_rectangle(Vec2::new(6.0, 16.0), 6.0).unwrap()),
            (6.0, 16.0),
            6.0,
        ),
        (
            "a room",
            Outline::Bounds(Vec2::new(200.0, 100.0)),
            (200.0, 100.0),
            0.0,
        ),
    ] {
        let mut app = app_with(|layers| layers.shapes = true);
        let center = Vec2::new(33.0, -7.0);
        let place = at(center.x, center.y);
        let half = Vec2::from(half);
        match collider {
            Outline::Bounds(half) => app
                .world_mut()
                .spawn((BoundsCollider::new(half.x * 2.0, half.y * 2.0), place)),
            Outline::Shape(shape) if shape.half_size() == Vec2::ZERO => app
                .world_mut()
                .spawn((CircleCollider::new(shape.radius()), place)),
            Outline::Shape(_) => app.world_mut().spawn((
                BoxCollider::new(half.x * 2.0, half.y * 2.0).with_corner_radius(corner),
                place,
            )),
        };
        let drawing = draw(&mut app);
        assert_eq!(
            (drawing.lines.len(), drawing.strips.len()),
            (0, 1),
            "{case}"
        );
        let points = &drawing.strips[0].0;
        let (low, high) = bounds(points);
        // The extreme points on the axes are exact, so the bounding box is, too.
        assert!(
            (low - (center - half)).abs().max_element() < 1.0e-3,
            "{case}: {low}"
        );
        assert!(
            (high - (center + half)).abs().max_element() < 1.0e-3,
            "{case}: {high}"
        );
        assert!(
            points[0].distance(*points.last().unwrap()) < 1.0e-3,
            "{case} is closed"
        );
        // Every point, and the middle between any two, is on the edge within what a pixel shows.
        let edge = |at: Vec2| {
            let q = (at - center).abs() - (half - corner);
            q.max(Vec2::ZERO).length() + q.max_element().min(0.0) - corner
        };
        for pair in points.windows(2) {
            let flat = radius_of(corner, 8.0).min(0.25);
            let off = [edge(pair[0]), edge((pair[0] + pair[1]) * 0.5)];
            assert!(off[0].abs() < 1.0e-3, "{case}: {} at {}", off[0], pair[0]);
            assert!(
                (-flat..1.0e-3).contains(&off[1]),
                "{case}: {} after {}",
                off[1],
                pair[0]
            );
        }
    }
}

#[test]
fn a_point_is_a_cross() {
    let mut app = app_with(|layers| layers.shapes = true);
    app.world_mut()
        .spawn((CircleCollider::new(0.0), at(5.0, 5.0)));
    let drawing = draw(&mut app);
    assert!(drawing.has_line((2.0, 2.0), (8.0, 8.0)) && drawing.has_line((2.0, 8.0), (8.0, 2.0)));
    assert_eq!(drawing.lines.len(), 2);
}

#[test]
fn outlines_have_the_colour_of_what_they_do() {
    let colors = CollisionColors::default();
    let dimmed = colors.fixed.with_alpha(colors.untouched);
    let circle = CircleCollider::new(4.0);
    for (case, color, bundle) in [
        ("dynamic", colors.dynamic, Body::Dynamic),
        ("kinematic", colors.kinematic, Body::Kinematic),
        (
            "a static that nothing touches is dimmed",
            dimmed,
            Body::Static,
        ),
    ] {
        let mut app = app_with(|layers| layers.shapes = true);
        app.world_mut().spawn((circle, bundle));
        assert_eq!(draw(&mut app).strips[0].1, color.into(), "{case}");
    }

    let mut app = app_with(|layers| layers.shapes = true);
    app.world_mut().spawn((circle, Sensor));
    assert_eq!(draw(&mut app).strips[0].1, colors.sensor.into(), "a sensor");

    let mut app = app_with(|layers| layers.shapes = true);
    app.world_mut()
        .spawn((BoxCollider::square(10.0), Body::Static));
    app.world_mut().spawn((circle, Body::Kinematic));
    let drawing = draw(&mut app);
    let mut used: Vec<_> = drawing.strips.iter().map(|strip| strip.1).collect();
    used.sort_by(|a, b| a.red.total_cmp(&b.red));
    assert_eq!(
        used,
        [colors.kinematic.into(), colors.fixed.into()],
        "a static that is touched"
    );
}

/// A game may set it to anything.
#[test]
fn how_faint_a_wall_is_that_nothing_touches_is_clamped() {
    for (untouched, part) in [(-1.0, 0.0), (0.25, 0.25), (4.0, 1.0)] {
        let mut app = app_with(|layers| {
            layers.shapes = true;
            layers.colors.fixed = Color::WHITE.with_alpha(0.5);
            layers.colors.untouched = untouched;
        });
        app.world_mut()
            .spawn((CircleCollider::new(4.0), Body::Static));
        let drawn = draw(&mut app).strips[0].1;
        assert_eq!(drawn.alpha, 0.5 * part, "{untouched}");
    }
}

#[test]
fn layers_have_colours_of_their_own() {
    let mut app = app_with(|layers| {
        layers.shapes = true;
        layers.color_by_layer = true;
    });
    for (number, memberships) in [1 << 0, 1 << 1, 1 << 31, 1 << 1 | 1 << 5]
        .into_iter()
        .enumerate()
    {
        let layers = CollisionLayers::new(memberships, 0);
        app.world_mut().spawn((
            CircleCollider::new(1.0),
            layers,
            at(10.0 * number as f32, 0.0),
        ));
    }
    let mut colors: Vec<_> = draw(&mut app).strips;
    colors.sort_by(|a, b| a.0[0].x.total_cmp(&b.0[0].x));
    let [first, second, last, lowest_counts] = [0, 1, 2, 3].map(|at: usize| colors[at].1);
    assert!(first != second && second != last && first != last);
    assert_eq!(second, lowest_counts);
    // Most colliders are on the first layer, and their contacts must stand out against its color.
    let contact = LinearRgba::from(CollisionColors::default().contact);
    let apart = first.to_vec3().distance(contact.to_vec3());
    assert!(apart > 0.5, "{first:?} and {contact:?}");
}

#[test]
fn who_is_on_no_layer_has_the_colour_of_what_it_does() {
    let mut app = app_with(|layers| {
        layers.shapes = true;
        layers.color_by_layer = true;
    });
    let layers = CollisionLayers::new(0, u32::MAX);
    app.world_mut().spawn((CircleCollider::new(4.0), layers));
    let dynamic = CollisionColors::default().dynamic;
    assert_eq!(draw(&mut app).strips[0].1, dynamic.into());
}

#[test]
fn what_comes_goes_and_moves_is_drawn_in_the_same_frame() {
    let mut app = app_with(|layers| layers.shapes = true);
    let dot = app.world_mut().spawn(CircleCollider::new(4.0)).id();
    assert_eq!(draw(&mut app).strips.len(), 1);

    // The dot is moved before the tick.
    app.world_mut()
        .get_mut::<Transform>(dot)
        .unwrap()
        .translation
        .x = 50.0;
    assert_eq!(bounds(&draw(&mut app).strips[0].0).0, Vec2::new(46.0, -4.0));

    // A despawn and a spawn after the tick show in the same frame.
    app.add_systems(
        Update,
        (move |mut commands: Commands, mut is_done: Local<bool>| {
            if !std::mem::replace(&mut *is_done, true) {
                commands.entity(dot).despawn();
                commands.spawn((BoxCollider::new(6.0, 2.0), at(-20.0, 0.0)));
            }
        },),
    );
    let drawing = draw(&mut app);
    assert_eq!(drawing.strips.len(), 1);
    assert_eq!(
        bounds(&drawing.strips[0].0),
        (Vec2::new(-23.0, -1.0), Vec2::new(-17.0, 1.0))
    );
}

#[test]
fn children_are_drawn_where_their_parents_take_them() {
    let mut app = app_with(|layers| layers.shapes = true);
    let tank = app
        .world_mut()
        .spawn((
            Transform::from_xyz(100.0, 0.0, 0.0).with_scale(Vec3::splat(2.0)),
            Body::Kinematic,
        ))
        .id();
    app.world_mut().spawn((
        CircleCollider::new(3.0).with_offset(Vec2::new(1.0, 0.0)),
        at(10.0, 0.0),
        ChildOf(tank),
    ));
    // The center is at 100 + 2 * (10 + 1) = 122, and the radius is 6.
    let (low, high) = bounds(&draw(&mut app).strips[0].0);
    assert_eq!((low, high), (Vec2::new(116.0, -6.0), Vec2::new(128.0, 6.0)));
}

#[test]
fn contacts_show_place_normal_and_depth() {
    let mut app = app_with(|layers| layers.contacts = true);
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Kinematic));
    app.world_mut()
        .spawn((CircleCollider::new(10.0), Body::Kinematic, at(16.0, 0.0)));
    let drawing = draw(&mut app);
    // 4 deep around x = 8. The normal is longer, so as to be seen: 18 pixels, each of which is a unit where there is no camera.
    let contact = drawing
        .lines
        .iter()
        .filter(|line| line.0.y == 0.0 && line.1.y == 0.0);
    let mut ends: Vec<_> = contact
        .map(|line| (line.0.x.min(line.1.x), line.0.x.max(line.1.x)))
        .collect();
    ends.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let is_turned = ends[1] == (6.0, 10.0);
    assert!(
        ends == [(6.0, 10.0), (8.0, 26.0)] || (is_turned && ends[0] == (-10.0, 8.0)),
        "{ends:?}"
    );
    assert!(drawing.has_line((5.0, -3.0), (11.0, 3.0)), "the cross");
    // Both normals are drawn, the halves of the cross, and the two sides of the arrowhead.
    assert_eq!(drawing.lines.len(), 6);
}

#[test]
fn ways_are_drawn_from_turn_to_turn_and_hits_where_they_happened() {
    let mut app = app_with(|layers| layers.paths = true);
    app.insert_resource(Time::<Fixed>::from_hz(8.0));
    let world = app.world_mut();
    world.spawn((BoxCollider::new(20.0, 400.0), Body::Static, at(60.0, 0.0)));
    let ball = world
        .spawn((
            CircleCollider::new(10.0),
            // It moves (80, 40) in an eighth of a second.
            Velocity(Vec2::new(640.0, 320.0)),
            Response::Bounce { restitution: 1.0 },
        ))
        .id();
    let drawing = draw(&mut app);
    // It touches the wall, whose side is at x = 50, at x = 40: after half of the way, at y = 20.
    assert!(
        drawing.has_line((0.0, 0.0), (40.0, 20.0)),
        "{:?}",
        drawing.lines
    );
    assert!(
        drawing.has_line((40.0, 20.0), (0.0, 40.0)),
        "{:?}",
        drawing.lines
    );
    assert_eq!(
        app.world()
            .get::<Transform>(ball)
            .unwrap()
            .translation
            .truncate(),
        Vec2::new(0.0, 40.0)
    );
    // The mark of the hit reaches 5 to each side of (50, 20).
    assert_eq!(drawing.strips.len(), 1);
    assert_eq!(
        bounds(&drawing.strips[0].0),
        (Vec2::new(45.0, 15.0), Vec2::new(55.0, 25.0))
    );

    // Once nothing moves, there are no paths: those of an earlier tick are not drawn again.
    app.world_mut().despawn(ball);
    for _ in 0..2 {
        let drawing = draw(&mut app);
        assert!(drawing.is_empty(), "{:?}", drawing.lines);
    }

    set_layers(&mut app, |layers| layers.paths = false);
    app.update();
    assert!(draw(&mut app).is_empty());
    // Paths and hits are not stored either.
    assert_eq!(
        app.world_mut()
            .run_system_cached(|view: TickView| view.paths().count() + view.hits().count())
            .unwrap(),
        0
    );
}

/// A collider that slides on after a hit still touches the wall at the end of the tick, in another place.
#[test]
fn a_hit_is_drawn_where_it_happened_and_not_where_one_slides_to() {
    let mut app = app_with(|layers| layers.paths = true);
    app.insert_resource(Time::<Fixed>::from_hz(8.0));
    let world = app.world_mut();
    world.spawn((BoxCollider::new(20.0, 400.0), Body::Static, at(60.0, 0.0)));
    // It moves (80, 40) in an eighth of a second.
    let velocity = Velocity(Vec2::new(640.0, 320.0));
    world.spawn((CircleCollider::new(10.0), velocity));
    let drawing = draw(&mut app);
    // It touches the wall after half of the way, like one that bounces, and slides on to (40, 40).
    assert!(drawing.has_line((40.0, 20.0), (40.0, 40.0)));
    let marks: Vec<_> = (drawing.strips.iter())
        .map(|(points, _)| bounds(points))
        .collect();
    assert_eq!(marks, [(Vec2::new(45.0, 15.0), Vec2::new(55.0, 25.0))]);

    // From then on it slides along the wall, and hits nothing.
    app.update();
    assert!(draw(&mut app).strips.is_empty());
}

#[test]
fn the_solid_side_of_a_ledge_is_marked() {
    let mut app = app_with(|layers| layers.one_way = true);
    app.world_mut().spawn((
        BoxCollider::new(40.0, 8.0),
        Body::Static,
        OneWay(Vec2::Y),
        at(0.0, 30.0),
    ));
    let drawing = draw(&mut app);
    let has = |from, to| drawing.has_line(from, to) || drawing.has_line(to, from);
    assert!(has((-20.0, 34.0), (20.0, 34.0)), "along the side");
    assert!(has((0.0, 34.0), (0.0, 48.0)), "out of it");
}

/// A surface is solid if it faces within 45 degrees of the direction: of a flat ledge only its top, and of a square two sides if the direction points between them.
#[test]
fn a_direction_aslant_marks_each_solid_side_where_it_is() {
    for (size, direction, sides) in [
        (
            (400.0, 10.0),
            (0.1, 1.0),
            vec![((-200.0, 5.0), (200.0, 5.0), (0.0, 5.0), (0.0, 19.0))],
        ),
        (
            (40.0, 40.0),
            (1.0, 1.0),
            vec![
                ((-20.0, 20.0), (20.0, 20.0), (0.0, 20.0), (0.0, 34.0)),
                ((20.0, -20.0), (20.0, 20.0), (20.0, 0.0), (34.0, 0.0)),
            ],
        ),
    ] {
        let mut app = app_with(|layers| layers.one_way = true);
        let ledge = BoxCollider::new(size.0, size.1);
        let one_way = OneWay(Vec2::from(direction));
        app.world_mut().spawn((ledge, Body::Static, one_way));
        let drawing = draw(&mut app);
        let has = |from, to| drawing.has_line(from, to) || drawing.has_line(to, from);
        for (from, to, foot, tip) in &sides {
            assert!(has(*from, *to), "{direction:?}: along {from:?}");
            assert!(has(*foot, *tip), "{direction:?}: out of {foot:?}");
        }
        // A line, and an arrow of three.
        assert_eq!(drawing.lines.len(), sides.len() * 4, "{direction:?}");
    }
}

#[test]
fn the_way_of_a_belt_is_drawn_as_far_as_it_goes_in_a_quarter_of_a_second() {
    let mut app = app_with(|layers| layers.surface_velocities = true);
    let belt = (BoxCollider::new(400.0, 8.0), Body::Static);
    let belt = (belt, SurfaceVelocity(Vec2::new(-80.0, 0.0)), at(5.0, 30.0));
    app.world_mut().spawn(belt);
    let floor = (BoxCollider::new(400.0, 8.0), Body::Static);
    app.world_mut().spawn((floor, at(5.0, 80.0)));
    let drawing = draw(&mut app);
    let has = |from, to| drawing.has_line(from, to) || drawing.has_line(to, from);
    assert!(has((15.0, 30.0), (-5.0, 30.0)), "against the x axis");
    // The line along the solid side, and the two lines of the arrowhead.
    assert_eq!(drawing.lines.len(), 3);
}

/// The belt is 10 from the origin at most, its arrow 50: 400 units a second, for an eighth of a second to each side.
#[test]
fn the_way_of_a_belt_is_drawn_also_if_the_belt_is_off_the_screen() {
    let mut app = app_with(|layers| layers.surface_velocities = true);
    // Sees from 45 on.
    app.world_mut().spawn((camera_of(1.0), at(365.0, 0.0)));
    let belt = (BoxCollider::square(20.0), Body::Static);
    let way = SurfaceVelocity(Vec2::new(400.0, 0.0));
    app.world_mut().spawn((belt, way));
    let drawing = draw(&mut app);
    assert!(drawing.has_line((-50.0, 0.0), (50.0, 0.0)));
}

/// The normal points inwards, as the walls do: with OneWay(Y) bodies stand on the floor of the room.
#[test]
fn the_solid_wall_of_a_room_is_marked() {
    let mut app = app_with(|layers| layers.one_way = true);
    let room = (BoundsCollider::new(200.0, 100.0), Body::Static);
    app.world_mut().spawn((room, OneWay(Vec2::Y)));
    let drawing = draw(&mut app);
    let has = |from, to| drawing.has_line(from, to) || drawing.has_line(to, from);
    assert!(has((-100.0, -50.0), (100.0, -50.0)), "along the floor");
    assert!(has((0.0, -50.0), (0.0, -36.0)), "out of it");
}

/// A component by which a game leaves entities out.
#[derive(Component)]
struct Shelved;

#[test]
fn who_takes_no_part_is_seen_to_take_none() {
    let colors = CollisionColors::default();
    let mut app = app_with(|layers| {
        layers.shapes = true;
        layers.inactive = true;
    });
    let world = app.world_mut();
    world.spawn((CircleCollider::new(5.0), ColliderDisabled, at(100.0, 0.0)));
    world.spawn((CircleCollider::new(5.0), Disabled, at(200.0, 0.0)));
    world.spawn((CircleCollider::new(5.0), Shelved, at(250.0, 0.0)));
    world.spawn((CircleCollider::new(-1.0), at(300.0, 7.0)));
    let drawing = draw(&mut app);
    let mut off: Vec<_> = drawing
        .strips
        .iter()
        .map(|strip| (bounds(&strip.0).0.x, strip.1))
        .collect();
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let disabled: LinearRgba = colors.disabled.into();
    let untouched = colors.fixed.alpha() * colors.untouched;
    assert!(disabled.alpha < 0.5 * untouched, "fainter than a wall");
    assert_eq!(off, [95.0, 195.0, 245.0].map(|x| (x, disabled)));
    // A cross that reaches 8 to each side.
    assert!(drawing.has_line((292.0, -1.0), (308.0, 15.0)));
    assert!(
        drawing
            .lines
            .iter()
            .all(|line| line.2 == colors.invalid.into())
    );
    assert_eq!(drawing.lines.len(), 2);
}

#[test]
fn who_takes_part_is_not_drawn_as_if_it_took_none() {
    let mut app = app_with(|layers| layers.inactive = true);
    app.world_mut().spawn(CircleCollider::new(5.0));
    assert!(draw(&mut app).is_empty());
}

#[test]
fn questions_are_drawn_with_their_answers() {
    let mut app = app_with(|layers| layers.queries = true);
    app.world_mut()
        .spawn((BoxCollider::square(20.0), Body::Static, at(100.0, 0.0)));
    let ask = |space: SpatialQuery| {
        let all = QueryFilter::ALL;
        assert!(
            space
                .cast_ray(Vec2::ZERO, Vec2::X * 500.0, &all)
                .first()
                .is_some()
        );
        assert!(!space.cast_ray(Vec2::ZERO, Vec2::Y * 50.0, &all).any());
    };
    app.add_systems(FixedUpdate, ask);
    app.update();
    // However many ticks there were, the queries of the newest one are drawn.
    for case in ["at first", "and in the next frame"] {
        let drawing = draw(&mut app);
        assert!(
            drawing.has_line((0.0, 0.0), (90.0, 0.0)),
            "{case}: up to the side of the box"
        );
        assert!(
            drawing.has_line((90.0, 0.0), (80.0, 0.0)),
            "{case}: the normal"
        );
        assert!(
            drawing.has_line((0.0, 0.0), (0.0, 50.0)),
            "{case}: a miss as a whole"
        );
        // And the cross at the hit.
        assert_eq!(drawing.lines.len(), 5, "{case}");
    }
    for ticks in [3, 1] {
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
        assert_eq!(draw(&mut app).lines.len(), 5, "{ticks} ticks");
    }
    // In a frame without a tick they stay.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(0));
    assert_eq!(draw(&mut app).lines.len(), 5);
}

/// A cast for the first hit looks no farther than that, and neither does one that is stopped; all others look along their whole way.
#[test]
fn a_cast_is_drawn_as_far_as_it_looked() {
    let mut app = app_with(|layers| layers.queries = true);
    let world = app.world_mut();
    world.spawn((BoxCollider::square(20.0), Body::Static, at(100.0, 0.0)));
    world.spawn((CircleCollider::new(5.0), Sensor, at(0.0, 200.0)));
    app.update();
    type Ask = fn(CastQuestion);
    let asks: [(&str, f32, Ask, f32); 8] = [
        ("first", 0.0, |ray| _ = ray.first(), 90.0),
        ("any", 0.0, |ray| _ = ray.any(), 90.0),
        ("all", 0.0, |ray| _ = ray.all(), 500.0),
        ("bodies", 0.0, |ray| _ = ray.bodies(), 500.0),
        (
            "each",
            0.0,
            |ray| _ = ray.each(|_| ControlFlow::Continue(())),
            500.0,
        ),
        (
            "each, stopped",
            0.0,
            |ray| _ = ray.each(|_| ControlFlow::Break(())),
            90.0,
        ),
        ("out of a sensor", 200.0, |ray| _ = ray.all(), 500.0),
        ("a miss", 100.0, |ray| _ = ray.first(), 500.0),
    ];
    for (case, y, ask, end) in asks {
        let from = Vec2::new(0.0, y);
        let ask = move |space: SpatialQuery| {
            ask(space.cast_ray(from, Vec2::X * 500.0, &QueryFilter::ALL));
        };
        app.world_mut().run_system_once(ask).unwrap();
        let drawing = draw(&mut app);
        let lines = &drawing.lines;
        assert!(drawing.has_line((0.0, y), (end, y)), "{case}: {lines:?}");
    }

    // Many casts are each for the first hit.
    let many = |space: SpatialQuery| {
        let casts = [0.0, 100.0].map(|y| Cast::ray(Vec2::new(0.0, y), Vec2::X * 500.0));
        space.cast_many(&casts, &QueryFilter::ALL);
    };
    app.world_mut().run_system_once(many).unwrap();
    let drawing = draw(&mut app);
    assert!(drawing.has_line((0.0, 0.0), (90.0, 0.0)));
    assert!(drawing.has_line((0.0, 100.0), (500.0, 100.0)));
}

#[test]
fn questions_of_a_frame_last_as_long_as_the_frame() {
    let mut app = app_with(|layers| layers.queries = true);
    let ask = |space: SpatialQuery, mut asked: Local<u32>| {
        *asked += 1;
        if *asked == 2 {
            let _ = space
                .overlap_circle(30.0, Vec2::new(7.0, 0.0), &QueryFilter::ALL)
                .all();
            let _ = space.nearest(Vec2::ZERO, 12.0, &QueryFilter::ALL);
        }
    };
    app.add_systems(Update, ask);
    assert!(draw(&mut app).is_empty());
    let drawing = draw(&mut app);
    let mut boxes: Vec<_> = drawing
        .strips
        .iter()
        .map(|strip| bounds(&strip.0))
        .collect();
    boxes.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let around = |x: f32, r: f32| (Vec2::new(x - r, -r), Vec2::new(x + r, r));
    assert_eq!(boxes, [around(7.0, 30.0), around(0.0, 12.0)]);
    assert!(draw(&mut app).is_empty(), "it was asked once");
}

/// A game may have a schedule of its own before all of Bevy's in a tick.
#[test]
fn questions_at_the_begin_of_a_tick_last_until_the_next_one() {
    #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct Early;

    let mut app = app_with(|layers| layers.queries = true);
    let mut order = app.world_mut().resource_mut::<FixedMainScheduleOrder>();
    order.insert_before(FixedFirst, Early);
    let ask = |space: &SpatialQuery, way: Vec2| {
        assert!(!space.cast_ray(Vec2::ZERO, way, &QueryFilter::ALL).any());
    };
    app.add_systems(Early, move |space: SpatialQuery| {
        ask(&space, Vec2::X * 50.0);
    });
    // Before the tick, in the frame of the second one.
    app.add_systems(
        PreUpdate,
        move |space: SpatialQuery, mut frame: Local<u32>| {
            *frame += 1;
            if *frame == 2 {
                ask(&space, Vec2::Y * 50.0);
            }
        },
    );
    let of_tick = |drawing: &Drawing| drawing.has_line((0.0, 0.0), (50.0, 0.0));
    let of_frame = |drawing: &Drawing| drawing.has_line((0.0, 0.0), (0.0, 50.0));
    for (ticks, lines) in [(1, 1), (1, 2), (0, 1), (1, 1), (3, 1), (0, 1)] {
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
        let drawing = draw(&mut app);
        let found = &drawing.lines;
        assert_eq!(found.len(), lines, "{ticks} ticks: {found:?}");
        assert!(of_tick(&drawing), "{ticks} ticks: {found:?}");
        assert_eq!(of_frame(&drawing), lines == 2, "{ticks} ticks: {found:?}");
    }
}

/// The picking queries the plugin too, but no system of the game does.
#[test]
fn questions_of_the_picking_are_not_drawn() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        MeshPlugin,
        GizmoPlugin,
        CollisionPlugin::default(),
        CollisionDebugPlugin,
        CollisionPickingPlugin,
    ))
    .add_message::<PointerHits>();
    let camera = app.world_mut().spawn(Camera::default()).id();
    let mut rays = RayMap::default();
    let ray = Ray3d::new(Vec3::new(0.0, 0.0, 1000.0), Dir3::NEG_Z);
    rays.map.insert(RayId::new(camera, PointerId::Mouse), ray);
    app.insert_resource(rays);
    app.finish();
    app.cleanup();
    app.update();
    set_layers(&mut app, |layers| {
        *layers = nothing();
        layers.queries = true;
    });
    app.world_mut().spawn(CircleCollider::new(5.0));
    app.update();
    assert!(draw(&mut app).is_empty());
    let hits = crate::common::take::<PointerHits>(&mut app);
    assert!(!hits.is_empty(), "it is found");
}

#[test]
fn boxes_are_drawn_if_asked_for() {
    let mut app = app_with(|layers| layers.bounding_boxes = true);
    app.world_mut()
        .spawn((CircleCollider::new(10.0), at(3.0, 4.0)));
    let drawing = draw(&mut app);
    assert_eq!(
        bounds(&drawing.strips[0].0),
        (Vec2::new(-7.0, -6.0), Vec2::new(13.0, 14.0))
    );
}

/// The borders of the strips in use, from one side of the screen to the other.
#[test]
fn strips_are_drawn_across_the_screen() {
    // Strips are eight times as high as a usual collider, here 160 and a little more for resting contacts, and strip 0 is around the origin, from -80 to 80. A collider of 20 at y = 320 is in strip 2.
    for (case, camera, second, half_width, borders) in [
        ("one strip", Some(1.0), None, 320.0, vec![-80.0, 80.0]),
        (
            "all strips from the lowest to the highest",
            Some(2.0),
            Some(320.0),
            640.0,
            vec![-80.0, 80.0, 240.0, 400.0],
        ),
        (
            "those on the screen, which reaches from -240 to 240",
            Some(1.0),
            Some(480.0),
            320.0,
            vec![-80.0, 80.0],
        ),
        ("a small part of one strip", Some(0.1), None, 32.0, vec![]),
        ("3.02 pixels", Some(53.0), None, 16960.0, vec![-80.0, 80.0]),
        ("2.96 pixels are too low", Some(54.0), None, 17280.0, vec![]),
        (
            "without a camera there are no ends",
            None,
            None,
            0.0,
            vec![],
        ),
    ] {
        for (body, is_moving) in [(Body::Kinematic, true), (Body::Static, false)] {
            let mut app = app_with(|layers| layers.strips = true);
            let world = app.world_mut();
            if let Some(scale) = camera {
                world.spawn(camera_of(scale));
            }
            for y in [0.0].into_iter().chain(second) {
                // So many that those that stand still are sorted by themselves.
                for _ in 0..40 {
                    world.spawn((CircleCollider::new(10.0), body, at(0.0, y)));
                }
            }
            let drawing = draw(&mut app);
            assert!(drawing.strips.is_empty(), "{case}");
            let mut lines = drawing.lines;
            lines.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
            let colors = CollisionColors::default();
            let color = if is_moving {
                colors.moving_strip
            } else {
                colors.still_strip
            };
            let drawn: Vec<f32> = lines.iter().map(|line| line.0.y.round()).collect();
            assert_eq!(drawn, borders, "{case}, {body:?}");
            for (from, to, line_color) in lines {
                assert_eq!((from.x, to.x), (-half_width, half_width), "{case}");
                assert_eq!((to.y, line_color), (from.y, color.into()), "{case}");
            }
        }
    }
}

#[test]
fn what_is_off_draws_nothing() {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((
        CircleCollider::new(10.0),
        OneWay::default(),
        Velocity(Vec2::X),
    ));
    world.spawn((CircleCollider::new(10.0), Body::Kinematic, at(5.0, 0.0)));
    world.spawn((CircleCollider::new(-10.0), at(50.0, 0.0)));
    app.add_systems(Update, |space: SpatialQuery| {
        let _ = space
            .cast_ray(Vec2::ZERO, Vec2::X, &QueryFilter::ALL)
            .first();
    });
    app.update();
    assert!(!draw(&mut app).is_empty());
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<CollisionGizmos>().0.enabled = false;
    assert!(draw(&mut app).is_empty());
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<CollisionGizmos>().0.enabled = true;
    set_layers(&mut app, |layers| *layers = nothing());
    app.update();
    assert!(draw(&mut app).is_empty());
}

#[test]
fn every_switch_is_known_to_reflection() {
    let mut app = app_with(|layers| layers.shapes = true);
    app.world_mut().spawn(CircleCollider::new(10.0));
    assert!(!draw(&mut app).is_empty());
    let group = TypeId::of::<CollisionGizmos>();
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    let (_, layers) = store.get_config_mut_dyn(&group).unwrap();
    let bevy::reflect::ReflectMut::Struct(layers) = layers.reflect_mut() else {
        panic!("a struct");
    };
    for name in [
        "shapes",
        "inactive",
        "contacts",
        "one_way",
        "surface_velocities",
        "paths",
        "queries",
        "bounding_boxes",
        "strips",
        "color_by_layer",
    ] {
        let switch = layers
            .field_mut(name)
            .and_then(|field| field.try_downcast_mut::<bool>());
        *switch.expect(name) = false;
    }
    assert!(draw(&mut app).is_empty());
    let registry = app.world().resource::<AppTypeRegistry>().read();
    assert!(registry.contains(group) && registry.contains(TypeId::of::<CollisionColors>()));
}

#[test]
fn a_snapshot_is_drawn_in_place_of_the_world() {
    let mut app = app_with(|layers| layers.shapes = true);
    let dot = app
        .world_mut()
        .spawn((CircleCollider::new(4.0), at(10.0, 0.0)))
        .id();
    app.update();
    let past: Snapshot = app
        .world_mut()
        .run_system_cached(|view: TickView| view.snapshot())
        .unwrap();
    app.world_mut()
        .get_mut::<Transform>(dot)
        .unwrap()
        .translation
        .x = 90.0;
    app.insert_resource(DrawnSnapshot(Some(Arc::new(past))));
    assert_eq!(bounds(&draw(&mut app).strips[0].0).0.x, 6.0);
    app.insert_resource(DrawnSnapshot(None));
    assert_eq!(bounds(&draw(&mut app).strips[0].0).0.x, 86.0);
}

/// Draws a snapshot of the newest tick after all colliders are gone.
fn draw_snapshot(app: &mut App) -> Drawing {
    let world = app.world_mut();
    let past = world.run_system_cached(|view: TickView| view.snapshot());
    let mut colliders = world.query_filtered::<Entity, With<Body>>();
    let colliders: Vec<Entity> = colliders.iter(world).collect();
    colliders.into_iter().for_each(|one| _ = world.despawn(one));
    assert!(draw(app).is_empty(), "they are gone");
    app.insert_resource(DrawnSnapshot(Some(Arc::new(past.unwrap()))));
    draw(app)
}

/// The scene of [`contacts_show_place_normal_and_depth`].
#[test]
fn of_a_snapshot_the_contacts_are_drawn() {
    let mut app = app_with(|layers| layers.contacts = true);
    for x in [0.0, 16.0] {
        let circle = (CircleCollider::new(10.0), Body::Kinematic);
        app.world_mut().spawn((circle, at(x, 0.0)));
    }
    app.update();
    let drawing = draw_snapshot(&mut app);
    assert!(drawing.has_line((5.0, -3.0), (11.0, 3.0)), "the cross");
    assert_eq!(drawing.lines.len(), 6);
}

/// The scene of [`ways_are_drawn_from_turn_to_turn_and_hits_where_they_happened`], and two that overlap all the time, which is no hit.
#[test]
fn of_a_snapshot_the_ways_and_the_hits_on_them_are_drawn() {
    let mut app = app_with(|layers| layers.paths = true);
    app.insert_resource(Time::<Fixed>::from_hz(8.0));
    let world = app.world_mut();
    world.spawn((BoxCollider::new(20.0, 400.0), Body::Static, at(60.0, 0.0)));
    world.spawn((
        CircleCollider::new(10.0),
        Velocity(Vec2::new(640.0, 320.0)),
        Response::Bounce { restitution: 1.0 },
    ));
    for x in [500.0, 505.0] {
        world.spawn((CircleCollider::new(10.0), Sensor, at(x, 0.0)));
    }
    app.update();
    let drawing = draw_snapshot(&mut app);
    for (from, to) in [((0.0, 0.0), (40.0, 20.0)), ((40.0, 20.0), (0.0, 40.0))] {
        assert!(drawing.has_line(from, to), "{:?}", drawing.lines);
    }
    let marks: Vec<_> = (drawing.strips.iter())
        .map(|(points, _)| bounds(points))
        .collect();
    assert_eq!(marks, [(Vec2::new(45.0, 15.0), Vec2::new(55.0, 25.0))]);
}

#[test]
fn beside_a_snapshot_nothing_of_the_game_as_it_is_is_drawn() {
    let mut app = app_with(|layers| {
        layers.inactive = true;
        layers.queries = true;
        layers.strips = true;
    });
    let world = app.world_mut();
    world.spawn(camera_of(1.0));
    world.spawn((CircleCollider::new(10.0), Body::Kinematic));
    world.spawn((CircleCollider::new(5.0), ColliderDisabled));
    world.spawn((CircleCollider::new(-1.0), at(50.0, 0.0)));
    app.add_systems(FixedUpdate, |space: SpatialQuery| {
        let _ = space.nearest(Vec2::ZERO, 12.0, &QueryFilter::ALL);
    });
    app.update();
    let drawing = draw(&mut app);
    let lines = drawing.lines.iter().map(|line| line.2);
    let strips = drawing.strips.iter().map(|strip| strip.1);
    let used: Vec<LinearRgba> = lines.chain(strips).collect();
    let colors = CollisionColors::default();
    for color in [
        colors.disabled,
        colors.invalid,
        colors.query,
        colors.moving_strip,
    ] {
        assert!(used.contains(&color.into()), "else nothing is tested");
    }
    app.insert_resource(DrawnSnapshot(Some(Arc::default())));
    assert!(draw(&mut app).is_empty());
}

/// Returns a camera at the origin, for a window of 640 by 480 pixels, in which a pixel is this many units.
fn camera_of(units_in_pixel: f32) -> impl Bundle {
    camera(Projection::Orthographic(OrthographicProjection {
        scale: units_in_pixel,
        ..OrthographicProjection::default_2d()
    }))
}

/// Sizes in pixels refer to the camera that shows the drawing, and not to a camera for a menu or a map on other layers, which sees other places; and only what that camera sees is drawn.
#[test]
fn the_cameras_that_show_the_drawing_decide_what_is_drawn() {
    let mut app = app_with(|layers| layers.shapes = true);
    let world = app.world_mut();
    world.spawn(camera_of(2.0));
    world.spawn((camera_of(0.1), RenderLayers::layer(1), at(5000.0, 0.0)));
    world.spawn((CircleCollider::new(0.0), at(5.0, 5.0)));
    world.spawn((CircleCollider::new(0.0), at(5000.0, 0.0)));
    let drawing = draw(&mut app);
    // The cross is 6 pixels long, with 2 units per pixel.
    let crosses: Vec<_> = drawing.lines.iter().map(|line| (line.0, line.1)).collect();
    assert!(drawing.has_line((-1.0, -1.0), (11.0, 11.0)), "{crosses:?}");
    assert_eq!(crosses.len(), 2, "{crosses:?}");

    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    let config = store.config_mut::<CollisionGizmos>().0;
    config.render_layers = RenderLayers::layer(1);
    let drawing = draw(&mut app);
    let crosses: Vec<_> = drawing.lines.iter().map(|line| (line.0, line.1)).collect();
    assert!(
        drawing.has_line((4999.7, -0.3), (5000.3, 0.3)),
        "{crosses:?}"
    );
    assert_eq!(crosses.len(), 2, "{crosses:?}");
}

/// What such a camera sees of the plane is not a rectangle, so nothing is culled.
#[test]
fn a_camera_that_does_not_look_straight_down_sees_everything() {
    let mut app = app_with(|layers| layers.shapes = true);
    let projection = Projection::Orthographic(OrthographicProjection::default_3d());
    let place = Transform::from_xyz(0.0, -500.0, 500.0).looking_at(Vec3::ZERO, Vec3::Y);
    app.world_mut().spawn((camera(projection), place));
    app.world_mut().spawn(CircleCollider::new(10.0));
    assert!(!draw(&mut app).is_empty());
}

/// Returns the longest half of a cross that marks a point, and the fewest points of a circle, as these cameras see them.
fn sizes_in(cameras: impl IntoIterator<Item = (Projection, Transform)>) -> (f32, usize) {
    let mut app = app_with(|layers| layers.shapes = true);
    let world = app.world_mut();
    for (projection, place) in cameras {
        world.spawn((camera(projection), place));
    }
    world.spawn(CircleCollider::new(0.0));
    world.spawn((CircleCollider::new(0.5), at(2.0, 0.0)));
    let drawing = draw(&mut app);
    let arms = drawing.lines.iter();
    let arms = arms.map(|(from, to, _)| from.distance(*to));
    let points = drawing.strips.iter().map(|strip| strip.0.len());
    let longest = arms.reduce(f32::max).expect("the point is drawn");
    (longest, points.min().expect("the circle is drawn"))
}

/// Sizes are in pixels in the middle of the screen: a cross of 6 pixels has arms 6 times the square root of 2 long.
#[test]
fn a_camera_of_any_kind_tells_how_large_a_pixel_is() {
    let perspective = || Projection::Perspective(PerspectiveProjection::default());
    let flat = |scale| {
        Projection::Orthographic(OrthographicProjection {
            scale,
            ..OrthographicProjection::default_3d()
        })
    };
    let above = |x, z| Transform::from_xyz(x, 0.0, z);
    // 45 degrees from top to bottom: 2 * tan(22.5 degrees) = 0.828427 times the distance in 480 pixels.
    let pixel_at = |distance: f32| distance * 0.828_427 / 480.0;
    let tilted = Transform::from_xyz(0.0, -30.0, 30.0).looking_at(Vec3::ZERO, Vec3::Y);
    for (case, cameras, pixel) in [
        (
            "from above",
            vec![(perspective(), above(0.0, 10.0))],
            pixel_at(10.0),
        ),
        (
            "far out, from above",
            vec![(perspective(), above(1.0e5, 10.0))],
            pixel_at(10.0),
        ),
        (
            "aslant",
            vec![(perspective(), tilted)],
            pixel_at(30.0 * 2.0_f32.sqrt()),
        ),
        ("aslant and flat", vec![(flat(0.02), tilted)], 0.02),
        (
            "the finer of two",
            vec![
                (flat(4.0), above(0.0, 10.0)),
                (perspective(), above(0.0, 4000.0)),
            ],
            4.0,
        ),
    ] {
        let (arm, points) = sizes_in(cameras);
        let expected = 6.0 * 2.0_f32.sqrt() * pixel;
        assert!((arm / expected - 1.0).abs() < 1.0e-3, "{case}: {arm}");
        // A circle of 25 pixels or more has 32 sides.
        let is_round = points > 32;
        assert_eq!(is_round, pixel <= 0.02, "{case}: {points}");
    }
}

/// The middle of its screen is the sky, of which no pixel is any place.
#[test]
fn a_camera_that_looks_along_the_plane_draws_as_if_there_were_none() {
    let perspective = Projection::Perspective(PerspectiveProjection::default());
    let level = Transform::from_xyz(0.0, -30.0, 1.0).looking_to(Vec3::Y, Vec3::Z);
    let (arm, points) = sizes_in([(perspective, level)]);
    assert!((arm - 6.0 * 2.0_f32.sqrt()).abs() < 1.0e-3, "{arm}");
    assert_eq!(points, 9);
}

#[test]
fn a_game_may_configure_it_beforehand() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        MeshPlugin,
        GizmoPlugin,
        CollisionPlugin::default(),
        CollisionDebugPlugin,
    ))
    .insert_gizmo_config(
        nothing(),
        GizmoConfig {
            enabled: false,
            ..default()
        },
    );
    app.finish();
    app.cleanup();
    app.update();
    let store = app.world().resource::<GizmoConfigStore>();
    let (config, layers) = store.config::<CollisionGizmos>();
    assert!(!config.enabled && *layers == nothing());
}

/// Queries have colliders noted as these are spawned. The drawing makes queries too, but only while it draws.
#[test]
fn a_drawing_that_is_off_observes_nothing() {
    let observers = |is_drawn: Option<bool>| {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            AssetPlugin::default(),
            MeshPlugin,
            GizmoPlugin,
            TransformPlugin,
            CollisionPlugin::default(),
        ));
        if let Some(enabled) = is_drawn {
            let config = GizmoConfig {
                enabled,
                ..default()
            };
            app.add_plugins(CollisionDebugPlugin)
                .insert_gizmo_config(CollisionGizmos::default(), config);
        }
        app.finish();
        app.cleanup();
        app.update();
        app.update();
        let world = app.world_mut();
        world.query::<&Observer>().iter(world).count()
    };
    let without = observers(None);
    assert_eq!(observers(Some(false)), without);
    assert!(observers(Some(true)) > without, "else nothing is tested");
}

#[test]
fn without_gizmos_there_is_no_drawing_and_one_warning() {
    let lines = Log::lines_of(|| {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::default(),
            CollisionDebugPlugin,
        ));
        app.world_mut().spawn(CircleCollider::new(1.0));
        app.finish();
        app.cleanup();
        app.update();
        app.update();
    });
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("WARN") && lines[0].contains("no GizmoPlugin"));
}
