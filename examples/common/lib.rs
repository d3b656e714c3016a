//! The frame around every scene: a window, or, without a display, recorded input and an account of what collided.
//!
//! A scene is two functions. `scene` is the game, with its `CollisionPlugin`, and needs no window; `drawing` shows it. [`play`] puts them on a [`Stage`];
//! [`rehearsal`] is the same game for a test, which holds keys by itself.

mod account;
mod input;
mod motion;
#[cfg(target_arch = "wasm32")]
pub mod page;
mod picture;
mod shapes;
mod tutorial;
mod window;

use bevy::{input::InputPlugin, prelude::*, time::TimeUpdateStrategy};

use self::window::Tools;
pub use self::{
    account::{Account, account_is_read},
    input::{Held, JUMP_KEYS, Pointer, Step, TickKeys, Typed, direction, tick_keys_plugin},
    motion::{drift_within, turn_at_ends},
    shapes::{HasShape, Outlined, OutlinedItem, Paint, disc, draw_rooms, paint_plugin, ring},
    tutorial::{Mode, Walker, mode_text_plugin, walker_plugin},
    window::{Palette, SIZE, Stage, at, carry_help, label, to_pixels, to_world, write},
};

/// What a scene is made of.
pub type Part = fn(&mut App);

/// How the program is to run.
enum Run {
    Window,
    Headless,
    Fingerprint,
    Picture { file: String, tick: u32 },
}

/// Plays a scene as the command line and the machine require. Returns the exit status of the program.
pub fn play(stage: &Stage, scene: Part, drawing: Part) -> AppExit {
    let (run, tools) = match read_arguments(stage) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return AppExit::Success,
        Err(error) => {
            eprintln!("{}: {error}. Try --help.", stage.title);
            return AppExit::from_code(2);
        }
    };
    match (run, window::why_no_window()) {
        (Run::Headless, _) => play_recorded(stage, scene, "As asked, this is"),
        (Run::Fingerprint, _) => {
            println!("{:016x}", fingerprint(stage, scene));
            AppExit::Success
        }
        (Run::Window, Some(why)) => play_recorded(stage, scene, &format!("{why}, so this is")),
        (Run::Picture { .. }, Some(why)) => {
            eprintln!(
                "{}: {why}, so no picture can be taken. To take one: {}",
                stage.title,
                window::how_to_get_one(stage)
            );
            AppExit::from_code(1)
        }
        (Run::Window, None) => {
            let mut app = window::app(stage, tools);
            scene(&mut app);
            drawing(&mut app);
            app.run()
        }
        (Run::Picture { file, tick }, None) => {
            let mut app = window::app(stage, tools);
            scene(&mut app);
            drawing(&mut app);
            input::replay(&mut app, stage.recording);
            picture::take_one(&mut app, file, tick);
            app.run()
        }
    }
}

/// Returns the game of a scene without a window, with exactly one tick in each `update()`, and no input held yet.
pub fn rehearsal(stage: &Stage, scene: Part) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, InputPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(stage.ticks_per_second))
        .add_plugins((account::plugin, input::plugin, input::focus_plugin));
    app.world_mut().resource_mut::<Account>().is_read = true;
    scene(&mut app);
    app.finish();
    app.cleanup();
    // Bevy's first update passes no time: the scene is set up, and no tick has run.
    app.update();
    app
}

/// Holds the keys of a step for its ticks, then releases them.
pub fn hold(app: &mut App, step: &Step) {
    app.insert_resource(Held::from(step));
    for _ in 0..step.ticks {
        app.update();
    }
    app.insert_resource(Held::default());
}

/// Returns the cells of a map with this symbol; the map is given row by row from the top.
pub fn cells(map: &'static [&'static str], symbol: char) -> impl Iterator<Item = IVec2> {
    let rows = (0..).zip(map.iter().rev());
    rows.flat_map(move |(y, row)| {
        let symbols = (0..).zip(row.chars());
        let same = symbols.filter(move |(_, other)| *other == symbol);
        same.map(move |(x, _)| IVec2::new(x, y))
    })
}

/// Returns the account of a scene played from its recording.
pub fn recorded(stage: &Stage, scene: Part) -> Vec<String> {
    let mut app = rehearsal(stage, scene);
    for step in stage.recording {
        hold(&mut app, step);
    }
    account::finish(&mut app)
}

/// Plays a scene from its recording together with its drawing, without a window. Returns the app at the end.
pub fn draw_unseen(stage: &Stage, scene: Part, drawing: Part) -> App {
    let mut app = window::unseen(stage);
    scene(&mut app);
    drawing(&mut app);
    input::replay(&mut app, stage.recording);
    app.finish();
    app.cleanup();
    let ticks: u32 = stage.recording.iter().map(|step| step.ticks).sum();
    for _ in 0..=ticks {
        app.update();
    }
    app
}

/// Returns a hash of the places of all colliders after each tick of a scene's recording. It is the same on every machine if the places are the same to the bit.
pub fn fingerprint(stage: &Stage, scene: Part) -> u64 {
    let mut app = rehearsal(stage, scene);
    // FNV-1a, which is the same everywhere.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for step in stage.recording {
        for _ in 0..step.ticks {
            hold(&mut app, &Step { ticks: 1, ..*step });
            let mut places = app
                .world_mut()
                .query_filtered::<&GlobalTransform, HasShape>();
            let places = places.iter(app.world());
            let bits = |place: &GlobalTransform| place.translation().to_array().map(f32::to_bits);
            // Sorted, since their order in memory must not matter.
            let mut places: Vec<[u32; 3]> = places.map(bits).collect();
            places.sort_unstable();
            for number in places.into_flattened() {
                hash = (hash ^ u64::from(number)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    hash
}

fn play_recorded(stage: &Stage, scene: Part, why: &str) -> AppExit {
    println!(
        "{}: {why} a recorded input, played without a window.",
        stage.title
    );
    for line in recorded(stage, scene) {
        println!("{line}");
    }
    println!("To play it yourself: {}", window::how_to_get_one(stage));
    AppExit::Success
}

/// In a browser the arguments are in the address: `check=90` for a picture after 90 ticks, `debug=1` for the debug drawing.
#[cfg(target_arch = "wasm32")]
fn read_arguments(_: &Stage) -> Result<Option<(Run, Tools)>, lexopt::Error> {
    let tick = page::asked("check").map(|tick| tick.parse().unwrap_or(60));
    let run = match tick {
        Some(tick) => Run::Picture {
            file: "the picture".to_owned(),
            tick,
        },
        None => Run::Window,
    };
    let tools = Tools {
        debug: page::asked("debug").is_some(),
        ..default()
    };
    Ok(Some((run, tools)))
}

#[cfg(not(target_arch = "wasm32"))]
fn read_arguments(stage: &Stage) -> Result<Option<(Run, Tools)>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut run = Run::Window;
    let mut tools = Tools::default();
    let mut picture: Option<String> = None;
    let mut at_tick = 60;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("headless") => run = Run::Headless,
            Long("fingerprint") => run = Run::Fingerprint,
            Long("screenshot") => picture = Some(arguments.value()?.string()?),
            Long("debug") => tools.debug = true,
            Long("inspector") => tools.inspector = true,
            Long("at-tick") => at_tick = arguments.value()?.parse()?,
            Short('h') | Long("help") => {
                println!(
                    "{}\n\nKeys: {}\n\n\
                     --headless           play the recorded input without a window\n\
                     --fingerprint        play it too, and print a hash of all places after each tick, which is the same on every machine\n\
                     --screenshot FILE    play the recorded input in the window, save a PNG of it, and tell whether it shows what it should\n\
                     --at-tick N          when to take the picture, 60 if not told\n\
                     --debug              with the debug drawing, as by F1\n\
                     --inspector          with the inspector open, as by F2",
                    stage.title, stage.help
                );
                return Ok(None);
            }
            other => return Err(other.unexpected()),
        }
    }
    let run = match picture {
        Some(file) => Run::Picture {
            file,
            tick: at_tick,
        },
        None => run,
    };
    Ok(Some((run, tools)))
}
