//! The list of contacts and messages.

use bevy::prelude::*;
use bevy_egui::egui::{Event, Modifiers, MouseWheelUnit, TouchPhase, accesskit::Role, pos2, vec2};
use bevy_nudge::prelude::*;
use egui_kittest::kittest::Queryable;

use crate::{
    common::at,
    stage::{Panel, app, click, click_name, inspector, panel, reads, texts, tick, type_into},
};

/// A coin on a plate, a ghost in a wall, and a stone that is far away.
fn scene() -> Panel {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((CircleCollider::new(4.0), Sensor, Name::new("coin")));
    world.spawn((BoxCollider::new(20.0, 2.0), Sensor, Name::new("plate")));
    let far = at(500.0, 0.0);
    world.spawn((CircleCollider::new(4.0), Sensor, Name::new("ghost"), far));
    world.spawn((
        BoxCollider::new(20.0, 2.0),
        Body::Static,
        Name::new("wall"),
        far,
    ));
    world.spawn((CircleCollider::new(4.0), Name::new("stone"), at(0.0, 900.0)));
    let mut panel = panel(app);
    tick(&mut panel);
    panel
}

/// Returns how many lines show a name.
fn lines_of(panel: &Panel, name: &str) -> usize {
    panel
        .query_all_by_role_and_label(Role::Button, name)
        .count()
}

#[test]
fn what_collides_is_listed_and_what_does_not_is_not() {
    let panel = scene();
    // Each pair is listed as started and as ongoing.
    for (name, lines) in [
        ("coin", 2),
        ("plate", 2),
        ("ghost", 2),
        ("wall", 2),
        ("stone", 0),
    ] {
        assert_eq!(lines_of(&panel, name), lines, "{name}");
    }
    assert!(reads(&panel, "4 of 4 reports"));
}

#[test]
fn a_filter_lists_only_what_has_the_text_in_a_name() {
    let mut panel = scene();
    type_into(&mut panel, "filter", "GHO");
    assert_eq!(lines_of(&panel, "ghost"), 2);
    assert_eq!(lines_of(&panel, "wall"), 2, "its partner is listed, too");
    assert_eq!(lines_of(&panel, "coin"), 0);
    assert!(reads(&panel, "2 of 4 reports"));

    click(&mut panel, "clear");
    assert_eq!(lines_of(&panel, "coin"), 2);
}

/// The usual player: a body with a name, and colliders without one as its children.
#[test]
fn a_body_is_found_by_its_name() {
    let mut app = app();
    let world = app.world_mut();
    let player = world.spawn((Name::new("player"), Body::Dynamic, at(0.0, 0.0)));
    let player = player.id();
    world.spawn((CircleCollider::new(5.0), ChildOf(player)));
    let coin = (CircleCollider::new(5.0), Sensor, Name::new("coin"));
    world.spawn((coin, at(6.0, 0.0)));
    let mut panel = panel(app);
    tick(&mut panel);
    assert!(reads(&panel, "2 of 2 reports"));
    type_into(&mut panel, "filter", "player");
    assert!(reads(&panel, "2 of 2 reports"), "{:?}", texts(&panel));
    type_into(&mut panel, "filter", "lawyer");
    assert!(reads(&panel, "0 of 2 reports"));
    type_into(&mut panel, "find", "lay");
    click_name(&mut panel, "player", Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(player));

    // Its start and its end stay in the list when it is gone.
    panel.state_mut().world_mut().despawn(player);
    tick(&mut panel);
    type_into(&mut panel, "filter", "player");
    assert!(reads(&panel, "2 of 2 reports"), "{:?}", texts(&panel));
}

#[test]
fn a_filter_knows_numbers_too() {
    let mut panel = scene();
    let world = panel.state_mut().world_mut();
    let mut names = world.query::<(Entity, &Name)>();
    let coin = names.iter(world).find(|(_, name)| name.as_str() == "coin");
    let number = coin.expect("it was spawned").0.to_string();
    type_into(&mut panel, "filter", &number);
    assert_eq!(
        (lines_of(&panel, "coin"), lines_of(&panel, "ghost")),
        (2, 0)
    );
}

#[test]
fn each_kind_can_be_left_out() {
    let mut panel = scene();
    click(&mut panel, "started");
    assert_eq!(lines_of(&panel, "coin"), 1);
    click(&mut panel, "ongoing");
    assert_eq!(lines_of(&panel, "coin"), 0);
    click(&mut panel, "started");
    assert_eq!(lines_of(&panel, "coin"), 1);
}

#[test]
fn ends_are_listed_with_their_reason_and_names_of_who_is_gone() {
    let mut panel = scene();
    let world = panel.state_mut().world_mut();
    let mut names = world.query::<(Entity, &Name)>();
    let coin = names.iter(world).find(|(_, name)| name.as_str() == "coin");
    let coin = coin.expect("it was spawned").0;
    world.despawn(coin);
    tick(&mut panel);
    assert!(reads(&panel, "despawned"));
    // Its start and its end are listed; it is not ongoing any more.
    assert_eq!(lines_of(&panel, "coin"), 2);
    assert!(reads(&panel, "4 of 4 reports"));
}

/// An observer gets a collision within the tick, before the panel looks at what the tick has reported.
#[test]
fn who_is_despawned_by_an_observer_of_its_start_is_listed_by_name() {
    let mut app = app();
    let world = app.world_mut();
    world
        .spawn((CircleCollider::new(4.0), Sensor, Name::new("coin")))
        .observe(|hit: On<CollisionStarted>, mut commands: Commands| {
            commands.entity(hit.a).despawn();
        });
    world.spawn((BoxCollider::new(20.0, 2.0), Sensor, Name::new("plate")));
    let mut panel = panel(app);
    tick(&mut panel);
    assert_eq!(lines_of(&panel, "coin"), 1, "it is not ongoing any more");
    type_into(&mut panel, "filter", "coin");
    assert!(reads(&panel, "1 of 1 reports"));
    tick(&mut panel);
    assert_eq!(lines_of(&panel, "coin"), 2);
}

/// A blank name would be an invisible button, and a name of two lines would not fit into one line.
#[test]
fn who_has_an_empty_name_is_called_by_number_and_a_name_is_one_line() {
    let mut app = app();
    let world = app.world_mut();
    let ghost = world.spawn((CircleCollider::new(4.0), Sensor, Name::new(" ")));
    let ghost = ghost.id();
    world.spawn((CircleCollider::new(4.0), Sensor, Name::new("red\ndoor")));
    let mut panel = panel(app);
    tick(&mut panel);
    assert_eq!(lines_of(&panel, &ghost.to_string()), 2);
    assert_eq!(lines_of(&panel, "red door"), 2);
    inspector(&mut panel).first = Some(ghost);
    panel.run();
    assert!(reads(&panel, &format!("only {ghost}")));
}

#[test]
fn what_is_crushed_is_listed() {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((CircleCollider::new(10.0), Name::new("nut")));
    for (name, x) in [("left jaw", -15.0), ("right jaw", 15.0)] {
        let jaw = BoxCollider::new(20.0, 100.0);
        world.spawn((jaw, Body::Kinematic, Name::new(name), at(x, 0.0)));
    }
    let mut panel = panel(app);
    tick(&mut panel);
    click(&mut panel, "started");
    click(&mut panel, "ongoing");
    assert!(reads(&panel, "1 of 5 reports"), "two started, two ongoing");
    assert!(reads(&panel, "against"));
    click(&mut panel, "crushed");
    assert!(reads(&panel, "0 of 5 reports"));
}

#[test]
fn a_frozen_list_holds_until_it_is_let_go() {
    let mut panel = scene();
    click(&mut panel, "freeze");
    let world = panel.state_mut().world_mut();
    world.spawn((
        CircleCollider::new(4.0),
        Sensor,
        Name::new("late"),
        at(0.0, 3.0),
    ));
    for _ in 0..3 {
        tick(&mut panel);
    }
    assert_eq!(lines_of(&panel, "late"), 0);
    assert!(reads(&panel, "4 of 4 reports"));

    click(&mut panel, "freeze");
    // With the coin and with the plate, each listed twice.
    assert_eq!(lines_of(&panel, "late"), 4);
}

#[test]
fn a_frozen_list_knows_the_names_of_who_goes() {
    let mut panel = scene();
    click(&mut panel, "freeze");
    let world = panel.state_mut().world_mut();
    let mut names = world.query::<(Entity, &Name)>();
    let coin = names.iter(world).find(|(_, name)| name.as_str() == "coin");
    let coin = coin.expect("it was spawned").0;
    world.despawn(coin);
    tick(&mut panel);
    assert_eq!(lines_of(&panel, "coin"), 2);
    type_into(&mut panel, "filter", "coin");
    assert!(reads(&panel, "2 of 4 reports"));
}

#[test]
fn one_entity_can_be_followed() {
    let mut panel = scene();
    let world = panel.state_mut().world_mut();
    let mut names = world.query::<(Entity, &Name)>();
    let ghost = names.iter(world).find(|(_, name)| name.as_str() == "ghost");
    let ghost = ghost.expect("it was spawned").0;
    inspector(&mut panel).first = Some(ghost);
    panel.run();
    click(&mut panel, "only ghost");
    assert!(reads(&panel, "2 of 4 reports"));
    // Whatever is picked next, the list still follows the ghost.
    inspector(&mut panel).first = None;
    panel.run();
    assert!(reads(&panel, "2 of 4 reports"));
    click(&mut panel, "only ghost");
    assert!(reads(&panel, "4 of 4 reports"));
}

/// 40 balls in a row, each of which touches the next: scrolling by some points moves the list by as many.
#[test]
fn a_list_that_is_scrolled_moves_by_as_much() {
    let mut app = app();
    for number in 0..40 {
        let ball = (CircleCollider::new(4.0), Sensor);
        let place = at(number as f32 * 8.0, 0.0);
        let name = Name::new(format!("ball {number}"));
        app.world_mut().spawn((ball, name, place));
    }
    let mut panel = panel(app);
    tick(&mut panel);
    let top = |panel: &Panel| {
        let mut all = panel.query_all_by_role_and_label(Role::Button, "ball 5");
        all.next().expect("it is listed").rect().top()
    };
    click(&mut panel, "started");
    let before = top(&panel);
    panel.hover_at(pos2(400.0, before));
    panel.run();
    panel.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, -40.0),
        phase: TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    for _ in 0..30 {
        panel.run();
    }
    assert_eq!(before - top(&panel), 40.0);
}

/// The knight's shield, which is a child of the knight, is crushed: the list names the knight.
#[test]
fn a_crushed_part_is_listed_with_its_body() {
    let mut app = app();
    let world = app.world_mut();
    let knight = world
        .spawn((Body::Dynamic, Name::new("knight"), at(0.0, 0.0)))
        .id();
    world.spawn((
        CircleCollider::new(10.0),
        Name::new("shield"),
        ChildOf(knight),
    ));
    for (name, x) in [("left jaw", -15.0), ("right jaw", 15.0)] {
        let jaw = BoxCollider::new(20.0, 100.0);
        world.spawn((jaw, Body::Kinematic, Name::new(name), at(x, 0.0)));
    }
    let mut panel = panel(app);
    tick(&mut panel);
    inspector(&mut panel).first = Some(knight);
    panel.run();
    click(&mut panel, "only knight");
    click(&mut panel, "started");
    click(&mut panel, "ongoing");
    assert!(reads(&panel, "1 of 5 reports"));
}
