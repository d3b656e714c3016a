//! How far a body gets that walks around statics.

use bevy::math::Vec2;

use super::{Scene, circle, square};
use crate::{
    kernel::{Outline, Shape},
    placed::Rank,
    push_out::{
        detour::Detours,
        world::{Members, World},
    },
};

/// A wall as thin as a hair.
const HAIR: f32 = 0.1;

/// Returns a room that is 100 wide and high inside, with walls this thick, and a door of this width in one of them.
fn room_with_door(door: f32, thick: f32) -> Scene {
    let mut scene = Scene::default();
    let side = (50.0 - door * 0.5) * 0.5;
    let (middle, thin) = (50.0 + thick * 0.5, thick * 0.5);
    for (x, y, wide, high) in [
        (-middle, 0.0, thin, 50.0),
        (0.0, -middle, 50.0 + thick, thin),
        (0.0, middle, 50.0 + thick, thin),
        (middle, -50.0 + side, thin, side),
        (middle, 50.0 - side, thin, side),
    ] {
        let wall = Shape::rectangle(Vec2::new(wide, high)).expect("a test's own size");
        scene.add(wall, Rank::Static, x, y);
    }
    scene
}

/// Whether there may be room for `area` around a body at a place.
fn may_have_room(mut scene: Scene, shape: Shape, at: (f32, f32), area: f32) -> bool {
    let slot = scene.add(shape, Rank::Dynamic, at.0, at.1);
    let mut members = Members::default();
    let mut world = World::new(&mut members, &scene, None);
    let body = world.enter(slot as u32);
    Detours::default().may_have_room(&mut world, body, &[body], area)
}

/// The room covers 10,000 square units. For small bodies the uncertainty at its border is less than another half of that.
#[test]
fn a_closed_room_has_no_room_for_more_than_it_covers() {
    for (shape, too_much) in [
        (circle(4.0), 15_000.0),
        (square(8.0), 15_000.0),
        (circle(12.0), 25_000.0),
    ] {
        for at in [(0.0, 0.0), (-31.7, 12.3), (38.0, 38.0)] {
            assert!(may_have_room(room_with_door(0.0, HAIR), shape, at, 9_990.0));
            assert!(!may_have_room(
                room_with_door(0.0, HAIR),
                shape,
                at,
                too_much
            ));
        }
    }
    let mut bounds = Scene::default();
    bounds.add_outline(Outline::Bounds(Vec2::splat(50.0)), Rank::Static, 0.0, 0.0);
    assert!(may_have_room(
        bounds.clone(),
        circle(4.0),
        (3.0, 7.0),
        9_990.0
    ));
    assert!(!may_have_room(bounds, circle(4.0), (3.0, 7.0), 15_000.0));
}

/// A body gets out if the door is as wide as the body, but not if it is narrower.
#[test]
fn who_fits_through_a_door_gets_out() {
    for shape in [circle(4.0), square(8.0)] {
        // At the last place the body begins in the wall.
        for at in [(0.0, 0.0), (-31.7, 12.3), (20.1, -40.0), (-47.0, 12.3)] {
            for (thick, door, gets_out) in [
                (10.0, 8.0, true),
                (10.0, 7.9, false),
                (HAIR, 9.0, true),
                (HAIR, 8.0, true),
                (HAIR, 7.9, false),
                (HAIR, 4.0, false),
            ] {
                for rank in [Rank::Static, Rank::Kinematic] {
                    let mut scene = room_with_door(door, thick);
                    for wall in &mut scene.body_states {
                        wall.rank = rank;
                    }
                    let has_room = may_have_room(scene, shape, at, 15_000.0);
                    assert_eq!(
                        has_room, gets_out,
                        "{shape:?} from {at:?}: {rank:?}, {door}, {thick}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_not_known_may_have_room() {
    let nowhere = (1.0, 2.0);
    for area in [1.0, 1.0e4, 1.0e12] {
        assert!(may_have_room(Scene::default(), circle(4.0), nowhere, area));
        // There are no squares for a point.
        assert!(may_have_room(
            room_with_door(0.0, HAIR),
            Shape::POINT,
            nowhere,
            area
        ));
    }
}
