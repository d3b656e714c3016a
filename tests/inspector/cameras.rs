//! The panel as `bevy_egui` shows it: with a camera of the game.

use bevy::{
    camera::RenderTarget,
    prelude::*,
    shader::Shader,
    window::{ExitCondition, PrimaryWindow, WindowRef},
};
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiRenderOutput, PrimaryEguiContext};
use bevy_nudge::inspector::CollisionInspectorPlugin;

use crate::stage::app_with;

fn app() -> App {
    let no_window = WindowPlugin {
        primary_window: None,
        exit_condition: ExitCondition::DontExit,
        ..default()
    };
    app_with((
        no_window,
        ImagePlugin::default(),
        |app: &mut App| _ = app.init_asset::<Shader>(),
        EguiPlugin::default(),
        CollisionInspectorPlugin::default(),
    ))
}

fn shown_with(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut contexts = world.query_filtered::<Entity, With<PrimaryEguiContext>>();
    contexts.iter(world).collect()
}

fn update(app: &mut App) {
    for _ in 0..3 {
        app.update();
    }
}

/// A game may have a camera of its own in each state.
#[test]
fn once_its_camera_is_gone_the_panel_is_shown_with_another_one() {
    let mut app = app();
    for round in 0..3 {
        let camera = app.world_mut().spawn(Camera2d).id();
        update(&mut app);
        assert_eq!(shown_with(&mut app), [camera], "camera {round}");
        let output = app.world().get::<EguiRenderOutput>(camera);
        assert!(output.is_some_and(|output| !output.is_empty()));
        // Only one camera shows the panel.
        app.world_mut().spawn(Camera2d);
        update(&mut app);
        assert_eq!(shown_with(&mut app), [camera], "camera {round}");
        let world = app.world_mut();
        let mut cameras = world.query_filtered::<Entity, With<Camera>>();
        let cameras: Vec<Entity> = cameras.iter(world).collect();
        for camera in cameras {
            world.despawn(camera);
        }
        update(&mut app);
        assert_eq!(shown_with(&mut app), []);
    }
}

/// Neither a camera that is switched off, nor one with a panel of the game's own.
#[test]
fn a_camera_that_shows_nothing_of_it_is_not_given_the_panel() {
    let mut app = app();
    let camera = app.world_mut().spawn(Camera2d).id();
    update(&mut app);
    app.world_mut().despawn(camera);
    let off = Camera {
        is_active: false,
        ..default()
    };
    app.world_mut().spawn((Camera2d, off));
    let camera = app.world_mut().spawn(Camera2d).id();
    update(&mut app);
    assert_eq!(shown_with(&mut app), [camera]);
}

/// The camera names its window by entity, and not as the primary one.
#[test]
fn a_camera_that_is_told_its_window_is_given_the_panel_too() {
    let mut app = app();
    let window = app.world_mut().spawn((Window::default(), PrimaryWindow));
    let window = WindowRef::Entity(window.id());
    let camera = app.world_mut().spawn(Camera2d).id();
    update(&mut app);
    app.world_mut().despawn(camera);
    let camera = (Camera2d, RenderTarget::Window(window));
    let camera = app.world_mut().spawn(camera).id();
    update(&mut app);
    assert_eq!(shown_with(&mut app), [camera]);
}

#[test]
fn a_game_that_chooses_the_camera_itself_goes_on_to_do_so() {
    let mut app = app();
    let mut settings = app.world_mut().resource_mut::<EguiGlobalSettings>();
    settings.auto_create_primary_context = false;
    let spawn = |app: &mut App| {
        let camera = app.world_mut().spawn((Camera2d, PrimaryEguiContext));
        let camera = camera.id();
        app.world_mut().spawn(Camera2d);
        camera
    };
    let camera = spawn(&mut app);
    update(&mut app);
    assert_eq!(shown_with(&mut app), [camera]);
    app.world_mut().despawn(camera);
    update(&mut app);
    assert_eq!(shown_with(&mut app), []);
}
