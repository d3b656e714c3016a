//! The scenes as a player uses them: these are the examples themselves, whose keys are pressed and released by the tests.
//!
//! Positions in the scenes of the tutorials are in the tutorials' pixels, from the top left with y down; in the other scenes they are in world units.
#![expect(
    clippy::duplicate_mod,
    reason = "each example brings its frame with it, as when it is built alone"
)]

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
};

#[path = "../../examples/breakout.rs"]
#[allow(dead_code, reason = "the tests enter by the scene, not by main")]
mod breakout;
#[path = "../../examples/bullets.rs"]
#[allow(dead_code, reason = "as above")]
mod bullets;
#[path = "../../examples/circles.rs"]
#[allow(dead_code, reason = "as above")]
mod circles;
#[path = "../../examples/climber.rs"]
#[allow(dead_code, reason = "as above")]
mod climber;
#[path = "../../examples/dot.rs"]
#[allow(dead_code, reason = "as above")]
mod dot;
#[path = "../../examples/gallery/main.rs"]
#[allow(dead_code, reason = "as above")]
mod gallery;
#[path = "../../examples/horde.rs"]
#[allow(dead_code, reason = "as above")]
mod horde;
#[path = "../../examples/lasers.rs"]
#[allow(dead_code, reason = "as above")]
mod lasers;
#[path = "../../examples/platformer.rs"]
#[allow(dead_code, reason = "as above")]
mod platformer;
#[path = "../../examples/push_apart.rs"]
#[allow(dead_code, reason = "as above")]
mod push_apart;
#[path = "../../examples/retro.rs"]
#[allow(dead_code, reason = "as above")]
mod retro;
#[path = "../../examples/smooth.rs"]
#[allow(dead_code, reason = "as above")]
mod smooth;
#[path = "../../examples/square_and_wall.rs"]
#[allow(dead_code, reason = "as above")]
mod square_and_wall;
#[path = "../../examples/swarm.rs"]
#[allow(dead_code, reason = "as above")]
mod swarm;
#[path = "../../examples/top_down.rs"]
#[allow(dead_code, reason = "as above")]
mod top_down;
#[path = "../../examples/who_is_near.rs"]
#[allow(dead_code, reason = "as above")]
mod who_is_near;

mod beams;
mod bricks;
mod climbing;
mod crowd;
mod gates;
mod jumping;
mod pushing;
mod rooms;
mod smoothness;
mod surviving;
mod swarming;
mod visiting;
mod walking;
mod watching;
mod whole_numbers;

/// Presses or releases a key before the next update: its place on the keyboard, and the character written on it.
fn send_key(app: &mut App, key_code: KeyCode, written: &str, state: ButtonState) {
    app.world_mut().write_message(KeyboardInput {
        key_code,
        logical_key: Key::Character(written.into()),
        state,
        text: None,
        repeat: false,
        window: Entity::PLACEHOLDER,
    });
}

/// Presses a key.
fn type_key(app: &mut App, key_code: KeyCode, written: &str) {
    send_key(app, key_code, written, ButtonState::Pressed);
    app.update();
}

/// Presses and releases a key several times, all within one slow frame.
fn tap_key(app: &mut App, key_code: KeyCode, written: &str, times: usize) {
    for _ in 0..times {
        send_key(app, key_code, written, ButtonState::Pressed);
        send_key(app, key_code, written, ButtonState::Released);
    }
    app.update();
}

#[test]
fn every_drawing_runs_through_its_recording() {
    breakout::common::draw_unseen(&breakout::STAGE, breakout::scene, breakout::drawing);
    bullets::common::draw_unseen(&bullets::STAGE, bullets::scene, bullets::drawing);
    circles::common::draw_unseen(&circles::STAGE, circles::scene, circles::drawing);
    climber::common::draw_unseen(&climber::STAGE, climber::scene, climber::drawing);
    dot::common::draw_unseen(&dot::STAGE, dot::scene, dot::drawing);
    gallery::common::draw_unseen(&gallery::STAGE, gallery::scene, gallery::drawing);
    horde::common::draw_unseen(&horde::STAGE, horde::scene, horde::drawing);
    swarm::common::draw_unseen(&swarm::STAGE, swarm::scene, swarm::drawing);
    lasers::common::draw_unseen(&lasers::STAGE, lasers::scene, lasers::drawing);
    platformer::common::draw_unseen(&platformer::STAGE, platformer::scene, platformer::drawing);
    push_apart::common::draw_unseen(&push_apart::STAGE, push_apart::scene, push_apart::drawing);
    top_down::common::draw_unseen(&top_down::STAGE, top_down::scene, top_down::drawing);
    smooth::common::draw_unseen(&smooth::STAGE, smooth::scene, smooth::drawing);
    retro::common::draw_unseen(&retro::STAGE, retro::scene, retro::drawing);
    who_is_near::common::draw_unseen(
        &who_is_near::STAGE,
        who_is_near::scene,
        who_is_near::drawing,
    );
    square_and_wall::common::draw_unseen(
        &square_and_wall::STAGE,
        square_and_wall::scene,
        square_and_wall::drawing,
    );
}
