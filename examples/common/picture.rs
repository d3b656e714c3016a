//! Screenshots of the window, each compared with the world that it should show.
//!
//! `--screenshot FILE` takes one and ends the program; F12 takes one at any time, into the working directory, but not in a browser. Either prints how many shapes and texts were looked for in it, and which were not where
//! they should be.

mod compare;
mod expect;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
    time::TimeUpdateStrategy,
};

use self::expect::Expected;

/// How many frames before a picture are drawn, so that one late in a recording does not take minutes without a graphics card.
const DRAWN_BEFORE: u32 = 30;

/// Lets F12 take screenshots. In a browser the key is the browser's own, and there is no folder for the files.
#[cfg(not(target_arch = "wasm32"))]
pub fn camera_plugin(app: &mut App, title: &'static str) {
    let mut number = 0;
    let snap =
        move |keys: Res<ButtonInput<KeyCode>>, mut expected: Expected, commands: Commands| {
            if keys.just_pressed(KeyCode::F12) {
                number += 1;
                take(
                    commands,
                    &mut expected,
                    format!("{title}-{number}.png"),
                    false,
                );
            }
        };
    app.add_systems(Last, snap);
}

/// Saves a screenshot of the window when `tick` ticks have passed, then ends the app, with an exit status that says whether it shows what it should. Every frame is a tick.
pub fn take_one(app: &mut App, file: String, tick: u32) {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let mut frame = 0;
    app.add_systems(
        First,
        move |mut cameras: Query<&mut Camera>, mut drawn: Local<u32>| {
            *drawn += 1;
            for mut camera in &mut cameras {
                camera.is_active = *drawn + DRAWN_BEFORE > tick;
            }
        },
    );
    // At the end of a frame, so that the world is the one that is rendered.
    app.add_systems(Last, move |mut expected: Expected, commands: Commands| {
        frame += 1;
        // No time passes in the first frame.
        if frame == tick + 1 {
            take(commands, &mut expected, file.clone(), true);
        }
    });
}

fn take(mut commands: Commands, expected: &mut Expected, file: String, is_last: bool) {
    let sight = expected.sight();
    let name = file.clone();
    let compare = move |shot: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
        let found = compare::compare(&shot.image, &sight);
        tell(&format!("{name}: {found}"));
        if is_last {
            exit.write(if found.is_as_expected() {
                AppExit::Success
            } else {
                AppExit::error()
            });
        }
    };
    let mut shot = commands.spawn(Screenshot::primary_window());
    shot.observe(compare);
    if !cfg!(target_arch = "wasm32") {
        shot.observe(save_to_disk(file));
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn tell(line: &str) {
    println!("{line}");
}

#[cfg(target_arch = "wasm32")]
use super::page::report as tell;
