//! Pause, single ticks, slow motion.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_egui::egui::{Event, Key, Modifiers};

use crate::stage::{Panel, app, begin_typing, click, field, panel, reads, tick, type_into};

/// The number of fixed ticks so far, and the time that passed in the last `Update`.
#[derive(Resource, Default)]
struct Seen {
    ticks: u32,
    delta: Duration,
}

fn scene() -> Panel {
    let mut app = app();
    app.init_resource::<Seen>()
        .add_systems(FixedUpdate, |mut seen: ResMut<Seen>| seen.ticks += 1)
        .add_systems(Update, |mut seen: ResMut<Seen>, time: Res<Time>| {
            seen.delta = time.delta();
        });
    panel(app)
}

fn ticks(panel: &Panel) -> u32 {
    panel.state().world().resource::<Seen>().ticks
}

fn speed_of(panel: &Panel) -> f32 {
    let world = panel.state().world();
    world.resource::<Time<Virtual>>().relative_speed()
}

#[test]
fn while_it_is_paused_there_is_no_tick() {
    let mut panel = scene();
    tick(&mut panel);
    assert_eq!(ticks(&panel), 1);
    assert!(reads(&panel, "running at tick 1"));
    click(&mut panel, "pause");
    for _ in 0..5 {
        tick(&mut panel);
    }
    assert_eq!(ticks(&panel), 1);
    assert!(reads(&panel, "paused at tick 1"));
    click(&mut panel, "go on");
    tick(&mut panel);
    assert_eq!(ticks(&panel), 2);
}

#[test]
fn a_step_is_one_frame_with_exactly_one_tick() {
    let mut panel = scene();
    // Time left over from before must not cause a second tick: here, half a tick.
    let timestep = panel.state().world().resource::<Time<Fixed>>().timestep();
    let world = panel.state_mut().world_mut();
    world.insert_resource(TimeUpdateStrategy::ManualDuration(timestep * 3 / 2));
    tick(&mut panel);
    let before = ticks(&panel);
    click(&mut panel, "pause");
    for number in 1..=4 {
        click(&mut panel, "next tick");
        tick(&mut panel);
        assert_eq!(ticks(&panel), before + number);
        let delta = panel.state().world().resource::<Seen>().delta;
        assert_eq!(delta, timestep, "Update sees the time of one tick");
        // Then no more ticks run.
        tick(&mut panel);
        assert_eq!(ticks(&panel), before + number);
        let delta = panel.state().world().resource::<Seen>().delta;
        assert_eq!(delta, Duration::ZERO);
    }
}

#[test]
fn a_step_is_one_tick_even_where_ticks_have_become_shorter() {
    let mut panel = scene();
    let timestep = panel.state().world().resource::<Time<Fixed>>().timestep();
    let world = panel.state_mut().world_mut();
    world.insert_resource(TimeUpdateStrategy::ManualDuration(timestep * 3 / 2));
    tick(&mut panel);
    click(&mut panel, "pause");
    let world = panel.state_mut().world_mut();
    // Half an old tick is left over, which is two new ones.
    world
        .resource_mut::<Time<Fixed>>()
        .set_timestep(timestep / 4);
    let before = ticks(&panel);
    click(&mut panel, "next tick");
    tick(&mut panel);
    assert_eq!(ticks(&panel), before + 1);
}

#[test]
fn steps_are_for_who_has_paused() {
    let mut panel = scene();
    panel.key_press_modifiers(Modifiers::COMMAND, Key::N);
    panel.run();
    tick(&mut panel);
    assert_eq!(ticks(&panel), 1, "the tick of the frame itself");
    click(&mut panel, "pause");
    tick(&mut panel);
    assert_eq!(ticks(&panel), 1, "the key was not queued");
}

#[test]
fn keys_pause_and_step() {
    let mut panel = scene();
    panel.key_press_modifiers(Modifiers::COMMAND, Key::P);
    panel.run();
    tick(&mut panel);
    assert_eq!(ticks(&panel), 0);
    panel.key_press_modifiers(Modifiers::COMMAND, Key::N);
    panel.run();
    tick(&mut panel);
    assert_eq!(ticks(&panel), 1);
    panel.key_press_modifiers(Modifiers::COMMAND, Key::P);
    panel.run();
    tick(&mut panel);
    assert_eq!(ticks(&panel), 2);
}

#[test]
fn slow_motion_has_fewer_ticks_as_long_as_ever() {
    let mut panel = scene();
    click(&mut panel, "1/4");
    for _ in 0..8 {
        tick(&mut panel);
    }
    assert_eq!(ticks(&panel), 2);
    click(&mut panel, "1");
    for _ in 0..8 {
        tick(&mut panel);
    }
    assert_eq!(ticks(&panel), 10);
}

/// The field shows only two decimals.
#[test]
fn a_speed_of_the_games_own_stays_as_it_is() {
    let mut panel = scene();
    let third = 1.0 / 3.0;
    for speed in [third, 8.0] {
        let world = panel.state_mut().world_mut();
        world
            .resource_mut::<Time<Virtual>>()
            .set_relative_speed(speed);
        panel.run();
        assert_eq!(speed_of(&panel), speed, "showing changes nothing");
        field(&panel, "speed").focus();
        panel.run();
        panel.key_press(Key::Tab);
        panel.run();
        panel.run();
        assert_eq!(speed_of(&panel), speed, "focus changes nothing");
    }
    type_into(&mut panel, "speed", "0.5");
    assert_eq!(speed_of(&panel), 0.5);
    type_into(&mut panel, "speed", "9");
    assert_eq!(speed_of(&panel), 4.0, "the fastest");
}

/// 0.5 begins with 0, which is slower than can be set.
#[test]
fn a_speed_is_typed_letter_by_letter() {
    let mut panel = scene();
    begin_typing(&mut panel, "speed", "0");
    for letter in [".", "5"] {
        panel.event(Event::Text(letter.into()));
        panel.run();
    }
    assert_eq!(speed_of(&panel), 1.0, "until all is typed");
    panel.key_press(Key::Enter);
    panel.run();
    assert_eq!(speed_of(&panel), 0.5);
}

/// Otherwise it would be chance whether the game stops or goes on.
#[test]
fn a_key_that_is_held_pauses_once() {
    let mut panel = scene();
    for frame in 0..5 {
        panel.event(Event::Key {
            key: Key::P,
            physical_key: None,
            pressed: true,
            repeat: false, // egui itself finds out whether it is a repeat
            modifiers: Modifiers::COMMAND,
        });
        tick(&mut panel);
        assert!(reads(&panel, "paused at"), "frame {frame}");
    }
    panel.event(Event::Key {
        key: Key::P,
        physical_key: None,
        pressed: false,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    });
    panel.key_press_modifiers(Modifiers::COMMAND, Key::P);
    tick(&mut panel);
    assert!(reads(&panel, "running at"));
}
