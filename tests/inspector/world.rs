//! Clicks in the world.

use bevy::{
    camera::{RenderTarget, visibility::RenderLayers},
    prelude::*,
    window::{PrimaryWindow, WindowRef},
};
use bevy_egui::{
    PrimaryEguiContext,
    egui::{self, LayerId, Modifiers, Pos2, UiBuilder, pos2, vec2},
};
use bevy_nudge::{inspector::show_inspector, prelude::*};
use egui_kittest::Harness;

use crate::{
    common::{at, camera},
    stage::{Panel, app, click, click_at, inspector, panel, tick},
};

/// The world as seen by a camera in its middle, in a window of 640 x 480.
fn scene() -> (Panel, [Entity; 3]) {
    scene_seen_by(flat(), Transform::IDENTITY)
}

fn flat() -> Projection {
    Projection::Orthographic(OrthographicProjection::default_2d())
}

fn scene_seen_by(projection: Projection, place: Transform) -> (Panel, [Entity; 3]) {
    let (app, all) = world_seen_by(projection, place);
    let mut panel = panel(app);
    tick(&mut panel);
    (panel, all)
}

fn world_seen_by(projection: Projection, place: Transform) -> (App, [Entity; 3]) {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((camera(projection.clone()), place));
    // A camera that draws a menu over the game, and sees other places.
    let (mut menu, projection) = camera(projection);
    menu.order = 1;
    world.spawn((menu, projection, RenderLayers::layer(1), at(0.0, 200.0)));
    let mut spawn = |collider: BoxCollider, place| {
        let spawned = world.spawn((collider, Body::Static, place));
        spawned.id()
    };
    let upper = spawn(BoxCollider::square(40.0), at(-200.0, 100.0));
    let below = spawn(BoxCollider::square(100.0), at(-200.0, 100.0));
    let lower = spawn(BoxCollider::square(40.0), at(-200.0, -100.0));
    (app, [upper, below, lower])
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
    assert_eq!(
        inspector(&mut panel).first,
        Some(upper),
        "a click on nothing picks nothing"
    );
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
fn a_click_on_who_was_picked_by_name_picks_that_one_again() {
    let (mut panel, [upper, ..]) = scene();
    inspector(&mut panel).first = Some(upper);
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper));
}

/// The click is (30, 30) from the middle of both boxes, and 10 outside of the upper one.
#[test]
fn a_click_in_another_place_picks_who_is_on_top_there() {
    let (mut panel, [upper, below, _]) = scene();
    let beside = UPPER + vec2(30.0, 30.0);
    click_at(&mut panel, beside, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(below));
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper));
    // 10 pixels farther is another place, where the upper one is on top, too.
    click_at(&mut panel, UPPER + vec2(10.0, 0.0), Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper));
    // 2 pixels farther is still the same place, because a hand is not steady: the click picks the next one.
    click_at(&mut panel, UPPER + vec2(12.0, 0.0), Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(below));
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
    assert_eq!(inspector(&mut panel).first, None, "it has moved away");
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

/// The button is on the background layer, as in the examples of `bevy_egui`, which takes that for the world.
#[test]
fn a_click_on_a_button_of_the_game_is_not_one_in_the_world() {
    let (app, [_, _, lower]) = world_seen_by(flat(), Transform::IDENTITY);
    let mut panel = Harness::builder()
        .with_size([640.0, 480.0])
        .build_ui_state(show_with_hud, app);
    tick(&mut panel);
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, None);
    // The background lets the click through.
    click_at(&mut panel, LOWER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(lower));
}

/// Shows a panel of the game's own, with a button over the upper boxes and nothing over the lower one, and the inspector.
fn show_with_hud(ui: &mut egui::Ui, app: &mut App) {
    let context = ui.ctx().clone();
    let viewport = UiBuilder::new()
        .layer_id(LayerId::background())
        .max_rect(context.viewport_rect());
    let mut viewport = egui::Ui::new(context.clone(), "viewport".into(), viewport);
    let hud = egui::Panel::left("hud").default_size(200.0);
    hud.show(&mut viewport, |ui| {
        ui.set_width(200.0);
        let around = egui::Rect::from_center_size(UPPER, vec2(60.0, 40.0));
        ui.put(around, egui::Button::new("build"));
    });
    show_inspector(app.world_mut(), &context);
}

/// Also for cameras that look at the world at an angle or in perspective.
#[test]
fn a_click_picks_what_a_camera_of_any_kind_sees_there() {
    // 500 above the plane, half of the window is 500 * tan(pi / 8) = 207.1 high: the upper left box, which is at (-200, 100), is 100 / 207.1 * 240 = 115.9 above the middle, and 231.8 to the left of it.
    let perspective = Projection::Perspective(PerspectiveProjection::default());
    let above = Transform::from_xyz(0.0, 0.0, 500.0);
    let (mut panel, [upper, ..]) = scene_seen_by(perspective, above);
    click_at(&mut panel, pos2(88.2, 124.1), Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper), "in perspective");

    // Seen from the south, 45 degrees above the plane, a place 100 to the north is 100 / sqrt(2) = 70.7 higher in the window.
    let projection = Projection::Orthographic(OrthographicProjection::default_3d());
    let aslant = Transform::from_xyz(0.0, -500.0, 500.0).looking_at(Vec3::ZERO, Vec3::Y);
    let (mut panel, [upper, _, lower]) = scene_seen_by(projection, aslant);
    for (y, expected) in [(240.0 - 70.7, upper), (240.0 + 70.7, lower)] {
        click_at(&mut panel, pos2(120.0, y), Modifiers::NONE);
        assert_eq!(inspector(&mut panel).first, Some(expected), "aslant, {y}");
    }
    // A dot is picked from up to 6 pixels away, which are units from west to east.
    let world = panel.state_mut().world_mut();
    let dot = (CircleCollider::new(0.0), Body::Static, at(-100.0, 0.0));
    let dot = world.spawn(dot).id();
    tick(&mut panel);
    for (x, expected) in [(227.0, lower), (225.0, dot)] {
        click_at(&mut panel, pos2(x, 240.0), Modifiers::NONE);
        assert_eq!(inspector(&mut panel).first, Some(expected), "aslant, {x}");
    }
}

/// The camera names its window by entity, and not as the primary one.
#[test]
fn a_click_is_seen_by_a_camera_that_is_told_its_window() {
    let (mut panel, [upper, ..]) = scene();
    let world = panel.state_mut().world_mut();
    let window = world.spawn((Window::default(), PrimaryWindow)).id();
    let mut cameras = world.query_filtered::<Entity, With<RenderTarget>>();
    let cameras: Vec<Entity> = cameras.iter(world).collect();
    let [game, menu] = cameras[..] else {
        panic!("there are two: {cameras:?}");
    };
    let target = RenderTarget::Window(WindowRef::Entity(window));
    world.entity_mut(game).insert(target);
    world.entity_mut(menu).insert(PrimaryEguiContext);
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper));
}

/// The window of the panel is the primary one if no camera shows the panel.
#[test]
fn a_click_is_not_in_the_world_of_another_window() {
    let (mut app, [upper, ..]) = world_seen_by(flat(), Transform::IDENTITY);
    let world = app.world_mut();
    let window = world.spawn(Window::default()).id();
    let target = RenderTarget::Window(WindowRef::Entity(window));
    for (order, other) in [(isize::MAX, Some(target)), (isize::MIN, None)] {
        let (mut camera, projection) = camera(flat());
        camera.order = order;
        let mut spawned = world.spawn((camera, projection, at(1000.0, 0.0)));
        if let Some(target) = other {
            spawned.insert(target);
        }
    }
    world.spawn((BoxCollider::square(40.0), Body::Static, at(800.0, 100.0)));
    let mut panel = panel(app);
    tick(&mut panel);
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(upper));
}

#[test]
fn picking_can_be_switched_off() {
    let (mut panel, _) = scene();
    click(&mut panel, "clicks in the world pick");
    click_at(&mut panel, UPPER, Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, None);
}
