//! Clicks in the world.

use bevy::{
    camera::{
        CameraProjection, ComputedCameraValues, OrthographicProjection, RenderTargetInfo,
        visibility::RenderLayers,
    },
    prelude::*,
};
use bevy_egui::egui::{Modifiers, Pos2, pos2};
use bevy_nudge::prelude::*;

use crate::{
    common::at,
    stage::{Panel, app, click, click_at, inspector, panel, tick},
};

/// The world as a camera in its middle sees it, in a window of 640 x 480.
fn scene() -> (Panel, [Entity; 3]) {
    let mut app = app();
    let world = app.world_mut();
    let mut projection = OrthographicProjection::default_2d();
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
        computed: computed.clone(),
        ..default()
    };
    world.spawn((camera, GlobalTransform::IDENTITY));
    // One that draws a menu over the game, and sees other places.
    let menu = Camera {
        order: 1,
        computed,
        ..default()
    };
    world.spawn((menu, RenderLayers::layer(1), at(0.0, 200.0)));
    let mut spawn = |collider: BoxCollider, place| {
        let spawned = world.spawn((collider, Body::Static, place));
        spawned.id()
    };
    let upper = spawn(BoxCollider::square(40.0), at(-200.0, 100.0));
    let below = spawn(BoxCollider::square(100.0), at(-200.0, 100.0));
    let lower = spawn(BoxCollider::square(40.0), at(-200.0, -100.0));
    let mut panel = panel(app);
    tick(&mut panel);
    (panel, [upper, below, lower])
}

// (-200, 100) is 120 from the left of the window, and 140 from its top.
const UPPER: Pos2 = pos2(120.0, 140.0);
const LOWER: Pos2 = pos2(120.0, 340.0);
const NOBODY: Pos2 = pos2(20.0, 240.0);

#[test]
fn a_click_picks_who_is_there_and_one_with_ctrl_the_second() {
    let (mut panel, [upper, _, lower]) = scene();
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper));
    assert_eq!(inspector(&mut panel).second, None);
    click_at(&mut panel, LOWER, Modifiers::COMMAND);
    assert_eq!(inspector(&mut panel).first, Some(upper));
    assert_eq!(inspector(&mut panel).second, Some(lower));
    click_at(&mut panel, NOBODY, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper), "nobody is nobody");
}

#[test]
fn a_click_again_picks_what_is_below() {
    let (mut panel, [upper, below, _]) = scene();
    let mut picked = Vec::new();
    for _ in 0..3 {
        click_at(&mut panel, UPPER, Modifiers::NONE);
        picked.push(inspector(&mut panel).first);
    }
    assert_eq!(picked, [Some(upper), Some(below), Some(upper)]);
}

#[test]
fn who_takes_no_part_can_be_clicked_too() {
    let (mut panel, [_, _, lower]) = scene();
    let world = panel.state_mut().world_mut();
    world.entity_mut(lower).insert(ColliderDisabled);
    tick(&mut panel);
    click_at(&mut panel, LOWER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(lower));

    inspector(&mut panel).first = None;
    let world = panel.state_mut().world_mut();
    world.entity_mut(lower).remove::<ColliderDisabled>();
    world.entity_mut(lower).insert(BoxCollider::square(-1.0));
    tick(&mut panel);
    click_at(&mut panel, LOWER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(lower));
}

#[test]
fn who_is_drawn_as_of_a_recorded_tick_is_picked_there() {
    let (mut panel, [_, _, lower]) = scene();
    click(&mut panel, "Recorder");
    click(&mut panel, "record");
    for place in [at(-200.0, -100.0), at(0.0, 0.0)] {
        let world = panel.state_mut().world_mut();
        world.entity_mut(lower).insert(place);
        tick(&mut panel);
    }
    click_at(&mut panel, LOWER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, None, "it has gone");
    click(&mut panel, "< back");
    click_at(&mut panel, LOWER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(lower));
    click(&mut panel, "live");
    inspector(&mut panel).first = None;
    click_at(&mut panel, LOWER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, None);
}

#[test]
fn a_click_on_the_panel_is_not_one_in_the_world() {
    let (mut panel, _) = scene();
    let world = panel.state_mut().world_mut();
    let everywhere = BoxCollider::new(2000.0, 2000.0);
    let everywhere = world.spawn((everywhere, Body::Static)).id();
    tick(&mut panel);
    click(&mut panel, "pause");
    assert_eq!(inspector(&mut panel).first, None);
    click_at(&mut panel, NOBODY, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(everywhere));
}

#[test]
fn picking_can_be_switched_off() {
    let (mut panel, _) = scene();
    click(&mut panel, "clicks in the world pick");
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, None);
}
