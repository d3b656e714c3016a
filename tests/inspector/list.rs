//! The list of contacts and messages.

use bevy::prelude::*;
use bevy_nudge::{inspector::bevy_egui::egui::accesskit::Role, prelude::*};
use egui_kittest::kittest::Queryable;

use crate::{
    common::at,
    stage::{Panel, app, click, panel, reads, tick, type_into},
};

/// A coin on a plate, a ghost in a wall, and a stone that is nowhere near.
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

/// How many lines tell of a name.
fn lines_of(panel: &Panel, name: &str) -> usize {
    panel
        .query_all_by_role_and_label(Role::Button, name)
        .count()
}

#[test]
fn what_collides_is_listed_and_what_does_not_is_not() {
    let panel = scene();
    // Each pair is told as started and as ongoing.
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
    assert_eq!(lines_of(&panel, "wall"), 2, "its partner is told with it");
    assert_eq!(lines_of(&panel, "coin"), 0);
    assert!(reads(&panel, "2 of 4 reports"));

    click(&mut panel, "clear");
    assert_eq!(lines_of(&panel, "coin"), 2);
}
