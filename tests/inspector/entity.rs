//! Picking entities by name, and what the panel tells of them.

use bevy::prelude::*;
use bevy_egui::egui::Modifiers;
use bevy_nudge::prelude::*;

use crate::{
    common::at,
    stage::{Panel, app, click_name, inspector, panel, reads, texts, tick, type_into},
};

fn scene() -> (Panel, Entity, Entity) {
    let mut app = app();
    let world = app.world_mut();
    world.insert_resource(LayerNames::new(["things", "doors"]));
    let player = world
        .spawn((CircleCollider::new(5.0), Name::new("player")))
        .id();
    let door = (
        BoxCollider::new(10.0, 40.0),
        Body::Static,
        Name::new("door"),
    );
    let layers = CollisionLayers::new(0b10, u32::MAX);
    let door = world.spawn((door, layers, at(13.0, 0.0))).id();
    let mut panel = panel(app);
    tick(&mut panel);
    (panel, player, door)
}

#[test]
fn the_solid_side_and_the_belt_of_one_that_is_picked_are_told() {
    let (mut panel, _, door) = scene();
    let ways = (OneWay(Vec2::X), SurfaceVelocity(Vec2::new(0.0, -12.5)));
    panel.state_mut().world_mut().entity_mut(door).insert(ways);
    tick(&mut panel);
    type_into(&mut panel, "find", "door");
    click_name(&mut panel, "door", Modifiers::NONE);
    for text in ["solid side", "surface velocity", "-12.5"] {
        assert!(reads(&panel, text), "{text}: {:?}", texts(&panel));
    }
}

#[test]
fn of_two_that_are_picked_the_panel_says_what_explain_says() {
    let (mut panel, player, door) = scene();
    type_into(&mut panel, "find", "play");
    click_name(&mut panel, "player", Modifiers::NONE);
    type_into(&mut panel, "find", "DOOR");
    click_name(&mut panel, "door", Modifiers::COMMAND);
    assert_eq!(inspector(&mut panel).first, Some(player));
    assert_eq!(inspector(&mut panel).second, Some(door));

    let sentence = explain(panel.state().world(), player, door).to_string();
    assert_eq!(sentence, "They are 3 apart: by 3 along x, not along y.");
    assert!(reads(&panel, &sentence));

    // The sentence is kept up to date.
    panel
        .state_mut()
        .world_mut()
        .entity_mut(player)
        .insert(at(5.0, 0.0));
    tick(&mut panel);
    let sentence = explain(panel.state().world(), player, door).to_string();
    assert!(
        sentence.starts_with("They collide, 2 deep along"),
        "{sentence}"
    );
    assert!(reads(&panel, &sentence));
}

#[test]
fn of_one_that_is_picked_shape_body_layers_and_place_are_told() {
    let (mut panel, _, door) = scene();
    inspector(&mut panel).first = Some(door);
    panel.run();
    for text in [
        &format!("door ({door})"),
        "box, 10 x 40",
        "(13.00, 0.00)",
        "Static",
        "doors",
        "all",
        "nothing",
    ] {
        assert!(reads(&panel, text), "{text}");
    }
}

/// The same scene with the player 2 deep in the door.
fn scene_of_a_meeting() -> (Panel, Entity, Entity) {
    let (mut panel, player, door) = scene();
    let world = panel.state_mut().world_mut();
    world.entity_mut(player).insert(at(5.0, 0.0));
    (panel, player, door)
}

#[test]
fn partners_and_last_reports_are_told_and_can_be_picked() {
    let (mut panel, player, door) = scene_of_a_meeting();
    inspector(&mut panel).first = Some(door);
    tick(&mut panel);
    assert!(reads(&panel, "2.00 deep"));
    assert!(reads(&panel, "last reports"));
    // The name is in the list, among the partners, and in the reports.
    click_name(&mut panel, "player", Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(player));
}

/// Whichever of the two is first in the contact.
#[test]
fn a_partner_is_the_other_one() {
    let (mut panel, player, door) = scene_of_a_meeting();
    for (one, other) in [(door, player), (player, door)] {
        inspector(&mut panel).first = Some(one);
        tick(&mut panel);
        let world = panel.state_mut().world_mut();
        let name = world.get::<Name>(other).expect("it has one").to_string();
        assert_eq!(first_partner(&panel), name);
    }
}

fn first_partner(panel: &Panel) -> String {
    let told = texts(panel);
    let row = told.iter().position(|text| text == "collides now with");
    told[row.expect("it is told") + 1].clone()
}

/// As in most games: the body is picked, and its colliders are on children.
#[test]
fn the_partners_of_a_bodys_colliders_are_told() {
    let (mut panel, _, _) = scene();
    let world = panel.state_mut().world_mut();
    let car = (Body::Dynamic, Name::new("car"), at(500.0, 0.0));
    let car = world.spawn((car, children![CircleCollider::new(5.0)])).id();
    world.spawn((
        CircleCollider::new(5.0),
        Sensor,
        Name::new("coin"),
        at(508.0, 0.0),
    ));
    inspector(&mut panel).first = Some(car);
    tick(&mut panel);
    assert!(reads(&panel, "2.00 deep"));
    assert_eq!(first_partner(&panel), "coin");
}

/// A list of thousands would be of no use.
#[test]
fn of_many_partners_some_are_told_and_how_many_more_there_are() {
    let (mut panel, _, _) = scene();
    let world = panel.state_mut().world_mut();
    let level = (CircleCollider::new(50.0), Sensor, at(1000.0, 0.0));
    let level = world.spawn((level, Body::Static)).id();
    for number in 0..60 {
        let coin = (CircleCollider::new(1.0), Sensor, Name::new("coin"));
        let place = at(970.0 + number as f32, 0.0);
        world.spawn((coin, CollisionLayers::new(2, 1), place));
    }
    inspector(&mut panel).first = Some(level);
    tick(&mut panel);
    assert!(reads(&panel, "and 36 more"));
    let told = texts(&panel);
    assert_eq!(
        told.iter().filter(|text| text.ends_with(" deep")).count(),
        24
    );
}

#[test]
fn who_takes_no_part_is_told_why() {
    let (mut panel, player, _) = scene();
    inspector(&mut panel).first = Some(player);
    panel.run();
    assert!(!reads(&panel, "Takes no part"));
    let world = panel.state_mut().world_mut();
    world.entity_mut(player).insert(ColliderDisabled);
    tick(&mut panel);
    assert!(reads(&panel, &format!("{player} has a ColliderDisabled.")));

    let world = panel.state_mut().world_mut();
    world.entity_mut(player).remove::<ColliderDisabled>();
    world.entity_mut(player).insert(Mass(-1.0));
    tick(&mut panel);
    assert!(reads(&panel, "Takes no part: mass must be > 0, got -1."));

    panel.state_mut().world_mut().despawn(player);
    tick(&mut panel);
    assert!(reads(&panel, &format!("There is no entity {player}.")));
}

#[test]
fn who_is_switched_off_is_found_by_name_too() {
    let (mut panel, player, _) = scene();
    let world = panel.state_mut().world_mut();
    world
        .entity_mut(player)
        .insert(bevy::ecs::entity_disabling::Disabled);
    tick(&mut panel);
    type_into(&mut panel, "find", "player");
    click_name(&mut panel, "player", Modifiers::NONE);
    assert_eq!(inspector(&mut panel).first, Some(player));
    assert!(reads(&panel, "is disabled as a whole"));
}

#[test]
fn who_is_picked_can_be_dropped_and_swapped() {
    let (mut panel, player, door) = scene();
    inspector(&mut panel).first = Some(player);
    inspector(&mut panel).second = Some(door);
    panel.run();
    crate::stage::click(&mut panel, "swap");
    assert_eq!(inspector(&mut panel).first, Some(door));
    crate::stage::click(&mut panel, "drop second");
    assert_eq!(inspector(&mut panel).second, None);
}
