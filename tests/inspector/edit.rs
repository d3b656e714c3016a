//! Changing components in the panel.

use bevy::prelude::*;
use bevy_egui::egui::{Event, Key};
use bevy_nudge::prelude::*;

use crate::{
    common::at,
    stage::{Panel, app, begin_typing, click, field, inspector, panel, reads, tick, type_into},
};

/// A ball at the origin, and a wall 20 away from its surface.
fn scene() -> (Panel, Entity, Entity) {
    let mut app = app();
    let world = app.world_mut();
    world.insert_resource(LayerNames::new(["things", "walls", "ghosts"]));
    let ball = (
        CircleCollider::new(10.0),
        Body::Kinematic,
        Name::new("ball"),
    );
    let ball = world.spawn(ball).id();
    let wall = BoxCollider::new(20.0, 100.0);
    let wall = (wall, Body::Static, Name::new("wall"), at(40.0, 0.0));
    let wall = world.spawn(wall).id();
    let mut panel = panel(app);
    tick(&mut panel);
    click(&mut panel, "Edit");
    inspector(&mut panel).first = Some(ball);
    panel.run();
    (panel, ball, wall)
}

/// Types two texts over the content of a field, one after the other, and stays in the field.
fn type_letters(panel: &mut Panel, label: &str, [first, second]: [&str; 2]) {
    begin_typing(panel, label, first);
    panel.event(Event::Text(second.into()));
    panel.run();
}

fn contacts(panel: &mut Panel) -> usize {
    fn count(collisions: Collisions) -> usize {
        collisions.len()
    }
    let world = panel.state_mut().world_mut();
    world.run_system_cached(count).expect("it can be asked")
}

#[test]
fn a_radius_that_is_typed_counts_from_the_next_tick_on() {
    let (mut panel, ball, _) = scene();
    assert_eq!(contacts(&mut panel), 0);
    type_into(&mut panel, "radius", "35");
    let collider = panel.state().world().get::<CircleCollider>(ball);
    assert_eq!(collider, Some(&CircleCollider::new(35.0)));
    tick(&mut panel);
    assert_eq!(contacts(&mut panel), 1);
    // A radius of 35 reaches 5 into the wall, which begins at 30.
    assert!(reads(&panel, "depth 5.00"));
}

#[test]
fn an_offset_moves_the_collider_and_not_the_entity() {
    let (mut panel, ball, _) = scene();
    type_into(&mut panel, "offset x", "25");
    tick(&mut panel);
    assert_eq!(contacts(&mut panel), 1);
    assert_eq!(
        panel.state().world().get::<Transform>(ball),
        Some(&at(0.0, 0.0))
    );
}

#[test]
fn a_box_has_its_half_size_and_corners() {
    let (mut panel, _, wall) = scene();
    inspector(&mut panel).first = Some(wall);
    panel.run();
    type_into(&mut panel, "half size x", "32");
    type_into(&mut panel, "corner radius", "2.5");
    let collider = panel.state().world().get::<BoxCollider>(wall);
    let expected = BoxCollider::new(64.0, 100.0).with_corner_radius(2.5);
    assert_eq!(collider, Some(&expected));
}

#[test]
fn a_size_that_makes_no_sense_is_taken_and_its_reason_told_at_once() {
    let (mut panel, ball, _) = scene();
    type_into(&mut panel, "radius", "-3");
    let collider = panel.state().world().get::<CircleCollider>(ball);
    assert_eq!(collider, Some(&CircleCollider::new(-3.0)));
    let reason = "Takes no part: radius must be finite, >= 0 and at most 1e18, got -3.";
    assert!(reads(&panel, reason), "no tick has run since");
    type_into(&mut panel, "radius", "3");
    assert!(!reads(&panel, "Takes no part"));
}

/// A field shows only three decimals; a user goes from field to field and back with Tab.
#[test]
fn who_only_passes_through_a_field_changes_nothing() {
    for radius in [1.234_567_f32, 12_345.678, 1.0e-5, f32::MIN_POSITIVE, 1.0e17] {
        let (mut panel, dot, _) = scene();
        let world = panel.state_mut().world_mut();
        world.entity_mut(dot).insert(CircleCollider::new(radius));
        tick(&mut panel);
        let radius_of = |panel: &Panel| {
            let world = panel.state().world();
            world.get::<CircleCollider>(dot).map(|circle| circle.radius)
        };
        field(&panel, "radius").scroll_to_me();
        panel.run();
        field(&panel, "radius").focus();
        panel.run();
        panel.key_press(Key::Tab);
        panel.run();
        panel.run();
        assert_eq!(radius_of(&panel), Some(radius));
        type_into(&mut panel, "radius", "12.25");
        assert_eq!(radius_of(&panel), Some(12.25));
    }
}

#[test]
fn what_is_no_number_changes_nothing_and_is_told() {
    let (mut panel, ball, _) = scene();
    begin_typing(&mut panel, "radius", "ten");
    assert!(reads(&panel, "\"ten\" is not a number"));
    let collider = panel.state().world().get::<CircleCollider>(ball);
    assert_eq!(collider, Some(&CircleCollider::new(10.0)));
    type_into(&mut panel, "radius", "12");
    assert!(!reads(&panel, "is not a number"));
    let collider = panel.state().world().get::<CircleCollider>(ball);
    assert_eq!(collider, Some(&CircleCollider::new(12.0)));
}

/// Text comes letter by letter, and each letter is applied at once: typing 0.5 begins with a mass of 0, and 12 with 1.
#[test]
fn a_field_keeps_its_focus_while_what_is_typed_begins_or_ends_to_be_refused() {
    let (mut panel, ball, _) = scene();
    type_letters(&mut panel, "mass", ["0", ".5"]);
    panel.key_press(Key::Enter);
    panel.run();
    let world = panel.state().world();
    assert_eq!(world.get::<Mass>(ball), Some(&Mass(0.5)));
    assert_eq!(world.get::<Body>(ball), Some(&Body::Kinematic));

    type_into(&mut panel, "radius", "-3");
    type_letters(&mut panel, "radius", ["1", "2"]);
    let collider = panel.state().world().get::<CircleCollider>(ball);
    assert_eq!(collider, Some(&CircleCollider::new(12.0)));
}

#[test]
fn a_field_keeps_its_focus_while_a_capsule_or_a_room_is_refused() {
    let (mut panel, _, wall) = scene();
    inspector(&mut panel).first = Some(wall);
    panel.run();
    type_into(&mut panel, "corner radius", "6");
    // A half size of 1 is less than the corner radius.
    type_letters(&mut panel, "half size x", ["1", "2"]);
    let collider = panel.state().world().get::<BoxCollider>(wall);
    let expected = BoxCollider::new(24.0, 100.0).with_corner_radius(6.0);
    assert_eq!(collider, Some(&expected));

    let room = BoundsCollider::new(-10.0, 100.0);
    let room = panel.state_mut().world_mut().spawn(room).id();
    tick(&mut panel);
    inspector(&mut panel).first = Some(room);
    panel.run();
    type_letters(&mut panel, "half size x", ["1", "20"]);
    let collider = panel.state().world().get::<BoundsCollider>(room);
    assert_eq!(collider, Some(&BoundsCollider::new(240.0, 100.0)));
}

/// The field is in the same place for the entity that is picked next, whose value is a number.
#[test]
fn what_is_no_number_is_forgotten_with_who_had_it() {
    let (mut panel, _, _) = scene();
    let other = (CircleCollider::new(3.0), at(0.0, 100.0));
    let other = panel.state_mut().world_mut().spawn(other).id();
    tick(&mut panel);
    type_into(&mut panel, "radius", "ten");
    assert!(!reads(&panel, "is not a number"), "the field was left");
    begin_typing(&mut panel, "radius", "ten");
    inspector(&mut panel).first = Some(other);
    panel.run();
    assert!(!reads(&panel, "is not a number"), "another one is picked");
}

/// NaN is not equal to itself.
#[test]
fn a_restitution_that_is_no_number_is_not_written_anew_in_every_frame() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let (mut panel, ball, _) = scene();
    let count = |changed: Query<(), Changed<Response>>, mut changes: ResMut<Changes>| {
        changes.0 += changed.iter().count();
    };
    let app = panel.state_mut();
    app.init_resource::<Changes>().add_systems(Update, count);
    let bounce = Response::Bounce {
        restitution: f32::NAN,
    };
    app.world_mut().entity_mut(ball).insert(bounce);
    for _ in 0..5 {
        tick(&mut panel);
    }
    assert_eq!(panel.state().world().resource::<Changes>().0, 1);
}

/// NaN differs from itself, so it would seem to change in each frame and overwrite the typed text.
#[test]
fn a_field_without_a_number_takes_one_letter_by_letter() {
    for (letters, expected) in [(["-", "5"], -5.0), (["", "5"], 5.0), ([".", "5"], 0.5)] {
        let (mut panel, ball, _) = scene();
        let world = panel.state_mut().world_mut();
        let velocity = Velocity(Vec2::new(f32::NAN, 0.0));
        world.entity_mut(ball).insert(velocity);
        tick(&mut panel);
        type_letters(&mut panel, "velocity x", letters);
        let velocity = panel.state().world().get::<Velocity>(ball);
        let expected = Velocity(Vec2::new(expected, 0.0));
        assert_eq!(velocity, Some(&expected), "{letters:?}");
    }
}

#[test]
fn nan_can_be_typed_and_is_shown() {
    let (mut panel, ball, _) = scene();
    type_into(&mut panel, "mass", "NaN");
    let mass = panel.state().world().get::<Mass>(ball).unwrap().0;
    assert!(mass.is_nan(), "{mass}");
    assert!(reads(&panel, "mass must be > 0, got NaN"));
    field(&panel, "mass").scroll_to_me();
    panel.run();
    assert_eq!(field(&panel, "mass").value().as_deref(), Some("NaN"));
}

#[test]
fn layers_are_boxes_with_names() {
    let (mut panel, ball, _) = scene();
    assert!(reads(&panel, "on layers things, collides with all"));
    click(&mut panel, "is on ghosts");
    click(&mut panel, "collides with walls");
    let layers = panel.state().world().get::<CollisionLayers>(ball);
    assert_eq!(layers, Some(&CollisionLayers::new(0b101, !0b010)));
    assert!(reads(&panel, "on layers things|ghosts"));
}

#[test]
fn a_body_has_its_kind_mass_response_and_velocity() {
    let (mut panel, ball, _) = scene();
    click(&mut panel, "Dynamic");
    type_into(&mut panel, "mass", "2.5");
    click(&mut panel, "Bounce");
    type_into(&mut panel, "restitution", "0.5");
    type_into(&mut panel, "velocity x", "64");
    let world = panel.state().world();
    assert_eq!(world.get::<Body>(ball), Some(&Body::Dynamic));
    assert_eq!(world.get::<Mass>(ball), Some(&Mass(2.5)));
    let bounce = Response::Bounce { restitution: 0.5 };
    assert_eq!(world.get::<Response>(ball), Some(&bounce));
    assert_eq!(
        world.get::<Velocity>(ball),
        Some(&Velocity(Vec2::new(64.0, 0.0)))
    );
    // 64 ticks a second.
    tick(&mut panel);
    assert_eq!(
        panel.state().world().get::<Transform>(ball),
        Some(&at(1.0, 0.0))
    );
}

#[test]
fn what_is_only_looked_at_gets_no_components() {
    let (panel, ball, _) = scene();
    let world = panel.state().world();
    assert!(world.get::<Mass>(ball).is_none());
    assert!(world.get::<CollisionLayers>(ball).is_none());
    assert!(world.get::<Velocity>(ball).is_none());
}

#[test]
fn sensor_and_disabled_come_and_go() {
    let (mut panel, ball, _) = scene();
    click(&mut panel, "Sensor");
    assert!(panel.state().world().get::<Sensor>(ball).is_some());
    click(&mut panel, "ColliderDisabled");
    assert!(
        panel
            .state()
            .world()
            .get::<ColliderDisabled>(ball)
            .is_some()
    );
    tick(&mut panel);
    assert!(reads(&panel, "has a ColliderDisabled"));
    click(&mut panel, "Sensor");
    click(&mut panel, "ColliderDisabled");
    let world = panel.state().world();
    assert!(world.get::<Sensor>(ball).is_none());
    assert!(world.get::<ColliderDisabled>(ball).is_none());
}

#[test]
fn of_a_child_it_is_the_body_above_that_has_the_mass() {
    let (mut panel, ball, _) = scene();
    let world = panel.state_mut().world_mut();
    let arm = world.spawn((CircleCollider::new(1.0), ChildOf(ball))).id();
    tick(&mut panel);
    inspector(&mut panel).first = Some(arm);
    panel.run();
    assert!(reads(&panel, "Its body is ball:"));
    type_into(&mut panel, "mass", "3");
    assert_eq!(panel.state().world().get::<Mass>(ball), Some(&Mass(3.0)));
    assert!(panel.state().world().get::<Mass>(arm).is_none());
}
