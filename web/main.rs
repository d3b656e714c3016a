//! All scenes in one program, for the page in the browser: `?scene=platformer` in the address plays the platformer.
//!
//! With `check` in the address, the page shows the fingerprint of the scene's recording, which the example prints with `--fingerprint`; if they differ, the two machines do not agree to the bit.
//!
//! A scene is a function on an [`App`], so that a window, a test and a browser can all use it.

use bevy::prelude::*;
#[cfg(target_arch = "wasm32")]
use common::page;

/// A page that asks for nothing, so that all of this also compiles where there is no browser, and lints see it.
#[cfg(not(target_arch = "wasm32"))]
mod page {
    pub fn asked(_: &str) -> Option<String> {
        None
    }

    pub fn report(line: &str) {
        println!("{line}");
    }
}

macro_rules! scenes {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(
            #[path = $file]
            #[allow(dead_code, reason = "entered by the scene, not by main")]
            mod $name;
        )*

        /// Plays a scene.
        fn play(scene: &str) -> Option<AppExit> {
            match scene {
                $(stringify!($name) => Some(common::play(&$name::STAGE, $name::scene, $name::drawing)),)*
                _ => None,
            }
        }

        /// Returns the fingerprint of a scene's recording.
        fn fingerprint(scene: &str) -> Option<u64> {
            match scene {
                $(stringify!($name) => Some(common::fingerprint(&$name::STAGE, $name::scene)),)*
                _ => None,
            }
        }
    };
}

scenes! {
    breakout: "../examples/breakout.rs",
    bullets: "../examples/bullets.rs",
    circles: "../examples/circles.rs",
    climber: "../examples/climber.rs",
    dot: "../examples/dot.rs",
    gallery: "../examples/gallery/main.rs",
    horde: "../examples/horde.rs",
    lasers: "../examples/lasers.rs",
    platformer: "../examples/platformer.rs",
    push_apart: "../examples/push_apart.rs",
    retro: "../examples/retro.rs",
    smooth: "../examples/smooth.rs",
    square_and_wall: "../examples/square_and_wall.rs",
    swarm: "../examples/swarm.rs",
    top_down: "../examples/top_down.rs",
    who_is_near: "../examples/who_is_near.rs",
}

fn main() {
    let asked = page::asked("scene").unwrap_or_else(|| "dot".to_owned());
    if page::asked("check").is_some()
        && let Some(number) = fingerprint(&asked)
    {
        page::report(&format!("{number:016x}"));
    }
    if play(&asked).is_none() {
        page::report(&format!("there is no scene {asked}"));
    }
}
