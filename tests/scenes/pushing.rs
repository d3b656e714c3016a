//! One circle is dragged into another. Blue has a radius of 60 and starts at (180, 240), red has a radius of 45 and starts at (400, 240).

use bevy::{prelude::*, window::WindowFocused};
use bevy_nudge::prelude::*;

use crate::{
    push_apart::{Dragged, Pushed, STAGE, scene},
    type_key,
};
use common::{Step, hold};

fn places(app: &mut App) -> (Vec2, Vec2) {
    let world = app.world_mut();
    let blue = world
        .query_filtered::<&Transform, With<Dragged>>()
        .single(world)
        .expect("one blue");
    let blue = common::to_pixels(blue.translation.truncate());
    let red = world
        .query_filtered::<&Transform, With<Pushed>>()
        .single(world)
        .expect("one red");
    (blue, common::to_pixels(red.translation.truncate()))
}

/// Grabs the blue circle by its middle and drags it to x.
fn drag_to(app: &mut App, x: f32) {
    hold(app, &Step::mouse(1, 180.0, 240.0, true));
    hold(app, &Step::mouse(1, x, 240.0, true));
}

#[test]
fn red_alone_moves_to_the_sum_of_the_radii() {
    let mut app = common::rehearsal(&STAGE, scene);
    drag_to(&mut app, 330.0);
    assert_eq!(
        places(&mut app),
        (Vec2::new(330.0, 240.0), Vec2::new(435.0, 240.0))
    );
}

#[test]
fn both_share_by_halves() {
    let mut app = common::rehearsal(&STAGE, scene);
    hold(&mut app, &Step::keys(1, &[KeyCode::KeyM]));
    // The centers are 70 apart and should be 105 apart: each circle moves by 17.5.
    drag_to(&mut app, 330.0);
    assert_eq!(
        places(&mut app),
        (Vec2::new(312.5, 240.0), Vec2::new(417.5, 240.0))
    );
}

/// A window without the focus is not told that the button comes up. The recorded input presses it again in the next tick, but then the pointer is 100 beside blue, whose radius is 60.
#[test]
fn a_drag_ends_when_the_window_loses_the_focus() {
    let mut app = common::rehearsal(&STAGE, scene);
    drag_to(&mut app, 200.0);
    let focused = false;
    app.world_mut().write_message(WindowFocused {
        window: Entity::PLACEHOLDER,
        focused,
    });
    hold(&mut app, &Step::mouse(1, 200.0, 240.0, true));
    hold(&mut app, &Step::mouse(1, 300.0, 240.0, true));
    let (blue, _) = places(&mut app);
    assert_eq!(blue, Vec2::new(200.0, 240.0));
}

/// On a French keyboard M is where an American keyboard has its semicolon.
#[test]
fn who_moves_is_chosen_by_what_is_written_on_the_key() {
    let mut app = common::rehearsal(&STAGE, scene);
    type_key(&mut app, KeyCode::Semicolon, "m");
    let world = app.world_mut();
    let mut blue = world.query_filtered::<&Body, With<Dragged>>();
    assert_eq!(blue.single(world).ok(), Some(&Body::Dynamic));
}

#[test]
fn the_heavier_one_moves_less() {
    let mut app = common::rehearsal(&STAGE, scene);
    hold(&mut app, &Step::keys(1, &[KeyCode::KeyM, KeyCode::KeyH]));
    // The centers are 65 apart, 40 too few: with masses of 1 and 3, blue moves by 30 and red by 10.
    drag_to(&mut app, 335.0);
    assert_eq!(
        places(&mut app),
        (Vec2::new(305.0, 240.0), Vec2::new(410.0, 240.0))
    );
}

/// The pointer stands still over the overlap, so nothing is dragged any more, and the shares stay.
#[test]
fn the_shares_stay_while_blue_is_held() {
    for (case, keys, to, blue, red) in [
        ("by halves", &[KeyCode::KeyM][..], 330.0, 312.5, 417.5),
        (
            "1 to 3",
            &[KeyCode::KeyM, KeyCode::KeyH],
            335.0,
            305.0,
            410.0,
        ),
    ] {
        let mut app = common::rehearsal(&STAGE, scene);
        hold(&mut app, &Step::keys(1, keys));
        drag_to(&mut app, to);
        hold(&mut app, &Step::mouse(30, to, 240.0, true));
        let expected = (Vec2::new(blue, 240.0), Vec2::new(red, 240.0));
        assert_eq!(places(&mut app), expected, "{case}");
    }
}

/// The edge of the screen stops blue at 60. The pointer holds blue where it took it, so it has to come back to that point first.
#[test]
fn blue_stops_at_the_edge_and_comes_back_with_the_pointer() {
    let mut app = common::rehearsal(&STAGE, scene);
    drag_to(&mut app, 10.0);
    assert_eq!(places(&mut app).0, Vec2::new(60.0, 240.0));
    for (x, blue) in [(40.0, 60.0), (100.0, 100.0)] {
        hold(&mut app, &Step::mouse(1, x, 240.0, true));
        assert_eq!(places(&mut app).0, Vec2::new(blue, 240.0), "{x}");
    }
}

#[test]
fn blue_dropped_on_the_middle_of_red_parts_from_it_along_x() {
    let mut app = common::rehearsal(&STAGE, scene);
    drag_to(&mut app, 400.0);
    let (blue, red) = places(&mut app);
    assert_eq!(blue, Vec2::new(400.0, 240.0));
    assert_eq!((red.x - blue.x).abs(), 105.0);
    assert_eq!(red.y, 240.0);
}

#[test]
fn a_click_beside_blue_drags_nothing() {
    let mut app = common::rehearsal(&STAGE, scene);
    hold(&mut app, &Step::mouse(1, 241.0, 240.0, true));
    hold(&mut app, &Step::mouse(5, 330.0, 240.0, true));
    assert_eq!(
        places(&mut app),
        (Vec2::new(180.0, 240.0), Vec2::new(400.0, 240.0))
    );
}

#[test]
fn everything_goes_back_to_its_start() {
    let mut app = common::rehearsal(&STAGE, scene);
    drag_to(&mut app, 330.0);
    hold(&mut app, &Step::keys(1, &[KeyCode::KeyR]));
    assert_eq!(
        places(&mut app),
        (Vec2::new(180.0, 240.0), Vec2::new(400.0, 240.0))
    );
}

/// Or the next move of the mouse would drag blue from afar.
#[test]
fn a_drag_ends_with_a_restart() {
    let mut app = common::rehearsal(&STAGE, scene);
    drag_to(&mut app, 330.0);
    let held = Step::mouse(1, 330.0, 240.0, true);
    let keys = &[KeyCode::KeyR];
    hold(&mut app, &Step { keys, ..held });
    hold(&mut app, &Step::mouse(1, 340.0, 240.0, true));
    assert_eq!(places(&mut app).0, Vec2::new(180.0, 240.0));
}
