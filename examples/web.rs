//! All scenes in one program, for the page in the browser: `?scene=platformer` in the address plays the platformer.
//!
//! Outside of a browser it plays `dot`; or, with `--fingerprint SCENE`, it plays the recording of a scene without a window and prints a hash of every place in the world after each tick. The page
//! shows the same number; if it does not, the two machines do not agree to the bit.
//!
//! The one thing to learn: a scene is a function on an [`App`], so that a window, a test and a browser can all use it.

use bevy::prelude::*;
#[cfg(target_arch = "wasm32")]
use common::page;

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
    breakout: "breakout.rs",
    bullets: "bullets.rs",
    circles: "circles.rs",
    climber: "climber.rs",
    dot: "dot.rs",
    gallery: "gallery/main.rs",
    horde: "horde.rs",
    lasers: "lasers.rs",
    platformer: "platformer.rs",
    push_apart: "push_apart.rs",
    retro: "retro.rs",
    smooth: "smooth.rs",
    square_and_wall: "square_and_wall.rs",
    swarm: "swarm.rs",
    top_down: "top_down.rs",
    who_is_near: "who_is_near.rs",
}

#[cfg(target_arch = "wasm32")]
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

#[cfg(not(target_arch = "wasm32"))]
fn main() -> AppExit {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, scene] = &arguments[..]
        && flag == "--fingerprint"
    {
        return match fingerprint(scene) {
            Some(number) => {
                println!("{number:016x}");
                AppExit::Success
            }
            None => {
                eprintln!("there is no scene {scene}");
                AppExit::from_code(2)
            }
        };
    }
    play("dot").unwrap_or(AppExit::Success)
}
