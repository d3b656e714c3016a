//! The outlines of picked entities, over the world.

use std::any::TypeId;

use bevy::{
    camera::visibility::RenderLayers,
    ecs::entity_disabling::Disabled,
    gizmos::{GizmoAsset, GizmoHandles},
    prelude::*,
};
use bevy_nudge::{debug::CollisionGizmos, inspector::CollisionInspector, prelude::*};

use crate::{
    common::{at, camera},
    stage::app,
};

/// Returns the box around everything that is drawn, except for the drawing of colliders, which is off.
fn drawn(app: &App) -> Option<(Vec2, Vec2)> {
    let handles = app.world().resource::<GizmoHandles>().handles().iter();
    let handles = handles.filter(|(group, _)| **group != TypeId::of::<CollisionGizmos>());
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let points = handles.flat_map(|(_, handle)| {
        let asset = handle.as_ref().and_then(|handle| assets.get(handle));
        let buffer = asset.map(|asset| asset.buffer());
        let points = buffer.into_iter().flat_map(|buffer| {
            let strips = buffer.strip_positions.iter();
            strips.chain(&buffer.list_positions)
        });
        points.filter(|point| point.is_finite()).copied()
    });
    let points: Vec<Vec2> = points.map(Vec3::truncate).collect();
    let low = points.iter().copied().reduce(Vec2::min)?;
    let high = points.iter().copied().reduce(Vec2::max)?;
    Some((low, high))
}

/// Returns where the outline of a picked entity is.
fn outline_of(bundle: impl Bundle) -> Option<(Vec2, Vec2)> {
    let mut app = app();
    let entity = app.world_mut().spawn((bundle, at(100.0, 20.0))).id();
    let mut inspector = app.world_mut().resource_mut::<CollisionInspector>();
    inspector.first = Some(entity);
    app.update();
    drawn(&app)
}

fn around(center: (f32, f32), half: (f32, f32)) -> Option<(Vec2, Vec2)> {
    let (center, half) = (Vec2::from(center), Vec2::from(half));
    Some((center - half, center + half))
}

#[track_caller]
fn assert_near(found: Option<(Vec2, Vec2)>, expected: Option<(Vec2, Vec2)>, case: &str) {
    let is_near = |one: Vec2, other: Vec2| (one - other).abs().max_element() < 0.01;
    let is_same = match (found, expected) {
        (Some(found), Some(expected)) => {
            is_near(found.0, expected.0) && is_near(found.1, expected.1)
        }
        (found, expected) => found == expected,
    };
    assert!(is_same, "{case}: {found:?}, and not {expected:?}");
}

#[test]
fn who_is_picked_is_outlined_where_it_is() {
    let aside = Vec2::new(30.0, 0.0);
    for (case, found, expected) in [
        (
            "a circle",
            outline_of(CircleCollider::new(12.0).with_offset(aside)),
            around((130.0, 20.0), (12.0, 12.0)),
        ),
        (
            "a box",
            outline_of(BoxCollider::new(40.0, 6.0)),
            around((100.0, 20.0), (20.0, 3.0)),
        ),
        (
            "a room",
            outline_of(BoundsCollider::new(40.0, 60.0)),
            around((100.0, 20.0), (20.0, 30.0)),
        ),
        (
            "a point is a cross, 10 units wide where no camera tells of pixels",
            outline_of(CircleCollider::new(0.0).with_offset(aside)),
            around((130.0, 20.0), (5.0, 5.0)),
        ),
    ] {
        assert_near(found, expected, case);
    }
}

#[test]
fn who_is_picked_and_takes_no_part_is_outlined_where_it_would_be() {
    let circle = CircleCollider::new(12.0).with_offset(Vec2::new(30.0, 0.0));
    let outline = around((130.0, 20.0), (12.0, 12.0));
    assert_near(
        outline_of((circle, ColliderDisabled)),
        outline,
        "switched off",
    );
    assert_near(outline_of((circle, Disabled)), outline, "disabled");
    // Of a refused collider only the place is known: it is marked by a circle of 10 pixels.
    let nothing = CircleCollider::new(-1.0);
    let mark = around((100.0, 20.0), (10.0, 10.0));
    assert_near(outline_of(nothing), mark, "refused");
    assert_near(
        outline_of((nothing, Disabled)),
        mark,
        "refused and disabled",
    );
    assert_near(outline_of(Body::Dynamic), mark, "a body without a collider");
}

/// The cameras that show the drawing also show the outlines, and define how large a pixel is.
#[test]
fn outlines_are_on_the_layers_of_the_drawing() {
    let mut app = app();
    let layer = RenderLayers::layer(1);
    let projection = Projection::Orthographic(OrthographicProjection {
        scale: 0.1,
        ..OrthographicProjection::default_2d()
    });
    let place = at(100.0, 0.0);
    app.world_mut()
        .spawn((camera(projection), layer.clone(), place));
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<CollisionGizmos>().0.render_layers = layer;
    let dot = (CircleCollider::new(0.0), at(100.0, 20.0));
    let dot = app.world_mut().spawn(dot).id();
    let mut inspector = app.world_mut().resource_mut::<CollisionInspector>();
    inspector.first = Some(dot);
    app.update();
    // 5 pixels to each side.
    assert_near(drawn(&app), around((100.0, 20.0), (0.5, 0.5)), "a cross");
}
