//! The scenes as a player uses them: these are the examples themselves, whose keys are pressed and released by the tests.
//!
//! Positions in the scenes of the tutorials are in the tutorials' pixels, from the top left with y down; in the other scenes they are in world units.

use std::any::TypeId;

use bevy::{
    gizmos::{GizmoAsset, GizmoHandles},
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
};
use bevy_nudge::prelude::*;

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

/// Calls a macro with all scenes.
macro_rules! for_each_scene {
    ($each:ident) => {
        $each!(
            breakout,
            bullets,
            circles,
            climber,
            dot,
            gallery,
            horde,
            lasers,
            platformer,
            push_apart,
            retro,
            smooth,
            square_and_wall,
            swarm,
            top_down,
            who_is_near
        )
    };
}

/// A game that copies `scene` is a game in which things collide.
#[test]
fn every_scene_adds_the_plugin_by_itself() {
    macro_rules! add {
        ($($scene:ident),*) => {
            $(
                let mut app = App::new();
                $scene::scene(&mut app);
                let is_added = app.is_plugin_added::<CollisionPlugin>();
                assert!(is_added, "{}", stringify!($scene));
            )*
        };
    }
    for_each_scene!(add);
}

#[test]
fn every_drawing_runs_through_its_recording_and_is_seen() {
    macro_rules! draw {
        ($($scene:ident),*) => {
            $(
                let mut app = common::draw_unseen(&$scene::STAGE, $scene::scene, $scene::drawing);
                assert!(pictures(&mut app) > 0, "{}", stringify!($scene));
            )*
        };
    }
    for_each_scene!(draw);
}

/// Returns how many sprites, meshes, and points of outlines there are. Texts do not count, since each scene has its keys written in a corner, and neither do single lines, which show contacts.
fn pictures(app: &mut App) -> usize {
    let world = app.world_mut();
    let mut pictures = world.query_filtered::<(), Or<(With<Sprite>, With<Mesh2d>)>>();
    let pictures = pictures.iter(world).count();
    let group = TypeId::of::<DefaultGizmoConfigGroup>();
    let handle = world.resource::<GizmoHandles>().handles().get(&group);
    let gizmos = world.resource::<Assets<GizmoAsset>>();
    let gizmos = handle.and_then(|handle| gizmos.get(handle.as_ref()?));
    pictures + gizmos.map_or(0, |gizmos| gizmos.buffer().strip_positions.len())
}
