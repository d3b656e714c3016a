//! The recorder, and looking back at recorded ticks.

use std::path::Path;

use bevy::{prelude::*, time::TimePlugin};
use bevy_egui::egui::{Event, Key, Modifiers};
use bevy_nudge::{
    debug::{CollisionGizmos, DrawnSnapshot},
    inspector::{CollisionInspector, CollisionInspectorPlugin},
    prelude::*,
    recorder::{CollisionRecorder, Recording},
};

use crate::{
    common::{at, forbid_open_orders},
    stage::{Panel, app, begin_typing, click, field, inspector, panel, reads, tick, type_into},
};

/// A ball moves 10 to the right in each tick, through a plate that begins at 25: they meet in the ticks after which the ball is at 20, 30 and 40. Ten ticks are recorded, then the ball is at 100.
fn scene() -> Panel {
    let mut app = app();
    let world = app.world_mut();
    let ball = (CircleCollider::new(5.0), Body::Kinematic, Name::new("ball"));
    world.spawn((ball, Velocity(Vec2::new(640.0, 0.0))));
    let plate = (BoxCollider::new(10.0, 100.0), Sensor, Name::new("plate"));
    world.spawn((plate, at(30.0, 0.0)));
    let mut panel = panel(app);
    click(&mut panel, "Recorder");
    assert!(
        reads(&panel, "Nothing is recorded yet."),
        "it is off at first"
    );
    click(&mut panel, "record");
    for _ in 0..10 {
        tick(&mut panel);
    }
    panel
}

/// Returns where the ball is drawn as of a recorded tick; `None` if the drawing shows the game.
fn drawn_ball(panel: &Panel) -> Option<f32> {
    let drawn = &panel.state().world().resource::<DrawnSnapshot>().0;
    let mut colliders = drawn.as_ref()?.colliders.iter();
    let ball = colliders.find(|view| view.kind == Body::Kinematic);
    Some(ball.expect("it is recorded").center.x)
}

fn ball_of_game(panel: &mut Panel) -> f32 {
    let world = panel.state_mut().world_mut();
    let mut balls = world.query_filtered::<&Transform, With<Velocity>>();
    balls.single(world).expect("there is one").translation.x
}

fn is_paused(panel: &Panel) -> bool {
    panel
        .state()
        .world()
        .resource::<Time<Virtual>>()
        .is_paused()
}

#[test]
fn what_is_recorded_can_be_looked_at_tick_by_tick() {
    let mut panel = scene();
    assert!(reads(&panel, "10 ticks"));
    assert_eq!(drawn_ball(&panel), None);
    // Tick 10 left the ball at 100.
    click(&mut panel, "< back");
    assert_eq!(drawn_ball(&panel), Some(90.0));
    assert!(reads(&panel, "showing tick 9 as it was"));
    click(&mut panel, "< back");
    assert_eq!(drawn_ball(&panel), Some(80.0));
    click(&mut panel, "on >");
    assert_eq!(drawn_ball(&panel), Some(90.0));
    // The game itself does not go on.
    tick(&mut panel);
    assert_eq!(ball_of_game(&mut panel), 100.0);
    assert_eq!(drawn_ball(&panel), Some(90.0));
}

#[test]
fn the_slider_leads_to_any_tick_and_the_list_shows_its_contacts() {
    let mut panel = scene();
    type_into(&mut panel, "tick", "3");
    assert_eq!(drawn_ball(&panel), Some(30.0));
    assert!(reads(&panel, "showing tick 3 as it was"));
    // The contact is ongoing since tick 2, in which it has started; its end is not known yet.
    assert!(reads(&panel, "2 of 2 reports"));
    assert!(!reads(&panel, "separated"));

    type_into(&mut panel, "tick", "1");
    assert!(reads(&panel, "0 of 0 reports"));

    type_into(&mut panel, "tick", "9");
    assert!(reads(&panel, "separated"));
}

/// A game that records from the start, and whose developer opens the panel once something is wrong.
#[test]
fn what_was_recorded_while_the_panel_was_closed_is_listed_too() {
    let mut app = app();
    app.world_mut().resource_mut::<CollisionInspector>().is_open = false;
    app.world_mut().resource_mut::<CollisionRecorder>().is_on = true;
    let world = app.world_mut();
    let ball = (CircleCollider::new(5.0), Body::Kinematic);
    world.spawn((ball, Velocity(Vec2::new(640.0, 0.0))));
    world.spawn((BoxCollider::new(10.0, 100.0), Sensor, at(30.0, 0.0)));
    (0..10).for_each(|_| app.update());
    app.world_mut().resource_mut::<CollisionInspector>().is_open = true;
    let mut panel = panel(app);
    click(&mut panel, "Recorder");
    type_into(&mut panel, "tick", "9");
    assert!(reads(&panel, "2 of 2 reports"));
    assert!(reads(&panel, "separated"));
    type_into(&mut panel, "tick", "1");
    assert!(reads(&panel, "0 of 0 reports"));
}

#[test]
fn keys_lead_back_and_on_and_stop_at_the_ends() {
    let mut panel = scene();
    for _ in 0..15 {
        panel.key_press_modifiers(Modifiers::COMMAND, Key::ArrowLeft);
        panel.run();
    }
    assert_eq!(drawn_ball(&panel), Some(10.0));
    panel.key_press_modifiers(Modifiers::COMMAND, Key::ArrowRight);
    panel.run();
    assert_eq!(drawn_ball(&panel), Some(20.0));
}

/// The game has gone on after the recorded ticks.
#[test]
fn the_first_key_back_leads_to_the_newest_tick_that_is_recorded() {
    let mut panel = scene();
    click(&mut panel, "record");
    for _ in 0..5 {
        tick(&mut panel);
    }
    let mut key = |key| {
        panel.key_press_modifiers(Modifiers::COMMAND, key);
        panel.run();
        drawn_ball(&panel)
    };
    assert_eq!(key(Key::ArrowRight), None, "nothing is newer");
    assert_eq!(key(Key::ArrowLeft), Some(100.0));
    assert_eq!(key(Key::ArrowLeft), Some(90.0));
    assert_eq!(key(Key::ArrowRight), Some(100.0));
}

/// In a text field these keys move the cursor from word to word instead.
#[test]
fn keys_do_not_lead_back_while_one_types() {
    let mut panel = scene();
    begin_typing(&mut panel, "filter", "two words");
    panel.state_mut().update();
    panel.event(Event::Key {
        key: Key::ArrowLeft,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    });
    panel.run();
    assert_eq!(drawn_ball(&panel), None);
}

#[test]
fn of_who_is_picked_the_panel_tells_what_was_then() {
    let mut panel = scene();
    let world = panel.state_mut().world_mut();
    let mut balls = world.query_filtered::<Entity, With<Velocity>>();
    let ball = balls.single(world).expect("there is one");
    inspector(&mut panel).first = Some(ball);
    panel.run();
    assert!(reads(&panel, "(100.00, 0.00)") && reads(&panel, "nothing"));
    type_into(&mut panel, "tick", "3");
    assert!(reads(&panel, "(30.00, 0.00)"));
    assert!(reads(&panel, "10.00 deep"));
}

/// What is known only as of now is not shown beside the recorded state.
#[test]
fn of_who_is_picked_the_panel_does_not_tell_what_is_now() {
    let mut panel = scene();
    let world = panel.state_mut().world_mut();
    let mut balls = world.query_filtered::<Entity, With<Velocity>>();
    let ball = balls.single(world).expect("there is one");
    world
        .entity_mut(ball)
        .insert(Velocity(Vec2::new(0.0, 64.0)));
    inspector(&mut panel).first = Some(ball);
    panel.run();
    assert!(reads(&panel, "(0.00, 64.00)"));
    type_into(&mut panel, "tick", "3");
    assert!(reads(&panel, "(30.00, 0.00)") && !reads(&panel, "(0.00, 64.00)"));

    for (case, why) in [
        ("off", "has a ColliderDisabled"),
        ("refused", "Takes no part"),
    ] {
        click(&mut panel, "live");
        let world = panel.state_mut().world_mut();
        let mut ball = world.entity_mut(ball);
        match case {
            "off" => ball.insert(ColliderDisabled),
            _ => ball.insert(CircleCollider::new(-1.0)),
        };
        panel.run();
        assert!(reads(&panel, why), "{case}");
        type_into(&mut panel, "tick", "3");
        assert!(!reads(&panel, why), "{case}");
        assert!(reads(&panel, "(30.00, 0.00)"), "{case}");
    }
}

/// What was reported only after the tick that is shown is not known yet.
#[test]
fn of_who_is_picked_the_panel_tells_the_reports_until_then() {
    let mut panel = scene();
    let world = panel.state_mut().world_mut();
    let mut balls = world.query_filtered::<Entity, With<Velocity>>();
    let ball = balls.single(world).expect("there is one");
    inspector(&mut panel).first = Some(ball);
    panel.run();
    assert!(reads(&panel, "last reports"));
    type_into(&mut panel, "tick", "1");
    assert!(!reads(&panel, "last reports"));
}

#[test]
fn live_returns_to_the_game_which_goes_on_if_it_did_before() {
    let mut panel = scene();
    assert!(!is_paused(&panel));
    click(&mut panel, "< back");
    assert!(is_paused(&panel));
    click(&mut panel, "live");
    assert!(!is_paused(&panel));
    assert_eq!(drawn_ball(&panel), None);
    assert!(reads(&panel, "showing the game as it is"));

    click(&mut panel, "pause");
    click(&mut panel, "< back");
    click(&mut panel, "live");
    assert!(is_paused(&panel), "it was paused before");
}

#[test]
fn whoever_lets_time_pass_returns_to_the_game() {
    let mut panel = scene();
    click(&mut panel, "< back");
    click(&mut panel, "go on");
    assert_eq!(drawn_ball(&panel), None);
    assert!(!is_paused(&panel));

    click(&mut panel, "< back");
    click(&mut panel, "next tick");
    tick(&mut panel);
    assert_eq!(drawn_ball(&panel), None);
    assert_eq!(ball_of_game(&mut panel), 110.0);
    assert!(is_paused(&panel), "it is paused after the step");
}

/// Also if a key or the game closes it, while no camera shows it.
#[test]
fn closing_the_panel_returns_to_the_game() {
    let mut panel = scene();
    click(&mut panel, "< back");
    inspector(&mut panel).is_open = false;
    panel.state_mut().update();
    assert_eq!(drawn_ball(&panel), None);
    assert!(!is_paused(&panel));
}

#[test]
fn looking_back_switches_the_drawing_on_for_as_long() {
    let mut panel = scene();
    let is_drawn = |panel: &Panel| {
        let store = panel.state().world().resource::<GizmoConfigStore>();
        store.config::<CollisionGizmos>().0.enabled
    };
    assert!(!is_drawn(&panel));
    click(&mut panel, "< back");
    assert!(is_drawn(&panel));
    click(&mut panel, "live");
    assert!(!is_drawn(&panel));
}

#[test]
fn a_recording_is_saved_to_the_file_that_is_named() {
    let mut panel = scene();
    let name = field(&panel, "file").value();
    assert_eq!(
        name.as_deref(),
        Some("collisions.nudgerec"),
        "the default name"
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspected.nudgerec");
    let _ = std::fs::remove_file(&file);
    let name = file.display().to_string();
    type_into(&mut panel, "file", &name);
    click(&mut panel, "save");
    assert!(reads(&panel, &format!("saved to {name}")));
    let saved = Recording::load(&file).expect("it can be read");
    let recorder = panel.state().world().resource::<CollisionRecorder>();
    assert_eq!(saved, recorder.recording());

    type_into(&mut panel, "file", "no such folder/file");
    click(&mut panel, "save");
    assert!(!reads(&panel, "saved to"));
    assert!(reads(&panel, "the file of the recording:"));
}

#[test]
fn all_can_be_forgotten() {
    let mut panel = scene();
    click(&mut panel, "< back");
    click(&mut panel, "forget all");
    assert_eq!(drawn_ball(&panel), None);
    assert!(reads(&panel, "Nothing is recorded yet."));
}

/// As on a server that counts its own ticks: there is no time to pause.
#[test]
fn without_a_virtual_time_one_looks_back_all_the_same() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins.build().disable::<TimePlugin>(),
        TransformPlugin,
        CollisionPlugin::new(Update),
        CollisionInspectorPlugin::default(),
    ));
    app.finish();
    app.cleanup();
    let mut recorder = app.world_mut().resource_mut::<CollisionRecorder>();
    recorder.is_on = true;
    app.world_mut().resource_mut::<CollisionInspector>().is_open = true;
    let mut panel = panel(app);
    for _ in 0..5 {
        tick(&mut panel);
    }
    for key in [Key::N, Key::ArrowLeft] {
        panel.key_press_modifiers(Modifiers::COMMAND, key);
        tick(&mut panel);
    }
    click(&mut panel, "Recorder");
    assert!(reads(&panel, "as it was"));
}

/// The panel's log looks at the recorder in the same tick in which that records.
#[test]
fn no_order_of_systems_is_left_to_chance() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        CollisionPlugin::default(),
        CollisionInspectorPlugin::default(),
    ));
    forbid_open_orders(&mut app, FixedPostUpdate);
    app.world_mut().run_schedule(FixedPostUpdate);
}

/// The camera that showed the panel may be gone, and a new level may let the game go on.
#[test]
fn who_is_not_shown_any_more_returns_once_time_passes() {
    let mut panel = scene();
    click(&mut panel, "< back");
    assert!(drawn_ball(&panel).is_some());
    let app = panel.state_mut();
    app.update();
    assert!(app.world().resource::<DrawnSnapshot>().0.is_some());
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    assert!(app.world().resource::<DrawnSnapshot>().0.is_none());
    assert!(!is_paused(&panel));
}
