//! The switches of the drawing.

use bevy::gizmos::config::GizmoConfigStore;
use bevy_nudge::debug::CollisionGizmos;

use crate::stage::{Panel, app, click, panel};

/// Returns whether a layer of the drawing is on.
type Layer = fn(&CollisionGizmos) -> bool;

fn is_on(panel: &Panel, layer: Layer) -> bool {
    let store = panel.state().world().resource::<GizmoConfigStore>();
    layer(store.config::<CollisionGizmos>().1)
}

#[test]
fn nothing_is_drawn_until_it_is_switched_on() {
    let mut panel = panel(app());
    let is_drawn = |panel: &Panel| {
        let store = panel.state().world().resource::<GizmoConfigStore>();
        store.config::<CollisionGizmos>().0.enabled
    };
    assert!(!is_drawn(&panel));
    click(&mut panel, "Drawing");
    click(&mut panel, "draw");
    assert!(is_drawn(&panel));
    click(&mut panel, "draw");
    assert!(!is_drawn(&panel));
}

#[test]
fn each_layer_has_its_switch() {
    let mut panel = panel(app());
    click(&mut panel, "Drawing");
    click(&mut panel, "draw");
    let layers: [(&str, Layer); 10] = [
        ("shapes", |layers| layers.shapes),
        ("inactive", |layers| layers.inactive),
        ("contacts", |layers| layers.contacts),
        ("one way", |layers| layers.one_way),
        ("surface velocities", |layers| layers.surface_velocities),
        ("paths", |layers| layers.paths),
        ("queries", |layers| layers.queries),
        ("bounding boxes", |layers| layers.bounding_boxes),
        ("strips", |layers| layers.strips),
        ("color by layer", |layers| layers.color_by_layer),
    ];
    for (label, layer) in layers {
        let states = || layers.map(|(_, layer)| is_on(&panel, layer));
        let before = states();
        let was_on = is_on(&panel, layer);
        click(&mut panel, label);
        assert_eq!(is_on(&panel, layer), !was_on, "{label}");
        let after = layers.map(|(_, layer)| is_on(&panel, layer));
        let changed = before
            .iter()
            .zip(after)
            .filter(|(one, other)| **one != *other);
        assert_eq!(changed.count(), 1, "{label} and nothing else");
    }
}
