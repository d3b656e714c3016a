//! Points, circles and boxes on a coarse grid of whole numbers, as machines without fractions and square roots have it.
//!
//! Tab chooses one of five figures, the arrow keys or WASD move it by one cell, `+` and `-` change its size. Every pair of them is tested, live. `Y` tells the same
//! picture with y up or y down.
//!
//! The one thing to learn: "touch" is exact and inclusive. Edges on the same line of the grid meet with a depth of 0, and one cell further they do not.
//!
//! What this does better than its tutorial (points, circles and boxes, in integers): two of the formulas there are wrong as printed, and marked red here
//! where it shows. Adding the *squares* of two radii misses most circles that meet, for it is the sum that has to be squared. And halving a width
//! of 5 in integers loses a half, so that boxes of odd sizes pass through each other by their centres and not by their sides.

mod common;

use bevy::{prelude::*, sprite::Anchor};
use bevy_nudge::prelude::*;

use common::{Account, Palette, Stage, Step, label, play, to_world};

pub const STAGE: Stage = Stage {
    title: "retro",
    ticks_per_second: 60.0,
    help: "Tab: choose   arrows: move   + and -: size   Y: y up or down",
    recording: &[
        // Circle A steps away from B: 6, 7 and 8 cells between their centres, with radii of 3 and 4.
        tap(KeyCode::Tab),
        PAUSE,
        tap(KeyCode::ArrowLeft),
        PAUSE,
        tap(KeyCode::ArrowLeft),
        PAUSE,
        // Box C into D, then back beyond touching.
        tap(KeyCode::Tab),
        PAUSE,
        tap(KeyCode::Tab),
        PAUSE,
        tap(KeyCode::ArrowRight),
        PAUSE,
        tap(KeyCode::ArrowLeft),
        PAUSE,
        tap(KeyCode::ArrowLeft),
        PAUSE,
        // A cell wider, it touches again.
        tap(KeyCode::Equal),
        PAUSE,
        tap(KeyCode::KeyY),
        PAUSE,
    ],
};

const fn tap(key: KeyCode) -> Step {
    Step::keys(
        1,
        match key {
            KeyCode::Tab => &[KeyCode::Tab],
            KeyCode::ArrowLeft => &[KeyCode::ArrowLeft],
            KeyCode::ArrowRight => &[KeyCode::ArrowRight],
            KeyCode::Equal => &[KeyCode::Equal],
            KeyCode::KeyY => &[KeyCode::KeyY],
            _ => panic!("the recording taps no other key"),
        },
    )
}

const PAUSE: Step = Step::keys(5, &[]);
