//! The section of the time: pause, single ticks, slow motion.

use bevy::{
    ecs::{
        prelude::{ResMut, World},
        system::SystemParam,
    },
    time::{Fixed, Time, Virtual},
};
use bevy_egui::egui::{Button, Slider, SliderClamping, Ui};

use super::{
    names::with_command,
    number::{shown, typed},
    report_log::ReportLog,
    state::CollisionInspector,
};

/// The slowest and the fastest speed that can be set here.
const SPEEDS: std::ops::RangeInclusive<f32> = 0.01..=4.0;

/// Shows the controls of the time.
pub(super) fn show_time(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    let tick = world.resource::<ReportLog>().tick;
    let Some(mut time) = world.get_resource_mut::<Time<Virtual>>() else {
        ui.label("There is no virtual time: the app has no TimePlugin.");
        return;
    };
    let is_paused = time.is_paused();
    ui.horizontal_wrapped(|ui| {
        let label = if is_paused { "go on" } else { "pause" };
        let keys = with_command(ui, "P");
        if ui.button(label).on_hover_text(keys).clicked() {
            toggle_pause(&mut time);
        }
        let keys = with_command(ui, "N");
        let step = ui.add_enabled(is_paused, Button::new("next tick"));
        if step
            .on_hover_text(format!(
                "{keys}: one frame with exactly one fixed tick in it"
            ))
            .on_disabled_hover_text("pause first")
            .clicked()
        {
            inspector.steps += 1;
        }
        ui.label(format!(
            "{} at tick {tick}",
            if is_paused { "paused" } else { "running" }
        ));
    });
    ui.horizontal_wrapped(|ui| {
        let before = time.relative_speed();
        let mut speed = before;
        ui.spacing_mut().slider_width = 70.0;
        let slider = Slider::new(&mut speed, SPEEDS)
            .logarithmic(true)
            // A speed that the game has set stays until the user changes it, even outside of the range.
            .clamping(SliderClamping::Never)
            .max_decimals(3)
            .custom_formatter(|speed, _| shown(speed as f32))
            .custom_parser(|text| typed(text, before).map(f64::from))
            // 0.5 begins with 0, and the game would go on at the least speed until the rest is typed.
            .update_while_editing(false)
            .text("speed");
        ui.add(slider);
        // A field whose text has changed says so before its number has.
        if speed != before && speed.is_finite() {
            time.set_relative_speed(speed.clamp(*SPEEDS.start(), *SPEEDS.end()));
        }
        for (label, speed) in [("1/10", 0.1), ("1/4", 0.25), ("1", 1.0)] {
            if ui.small_button(label).clicked() {
                time.set_relative_speed(speed);
            }
        }
    });
}

pub(super) fn toggle_pause(time: &mut Time<Virtual>) {
    if time.is_paused() {
        time.unpause();
    } else {
        time.pause();
    }
}

/// The clocks that a single step advances.
#[derive(SystemParam)]
pub(super) struct Clocks<'w> {
    inspector: ResMut<'w, CollisionInspector>,
    generic: ResMut<'w, Time>,
    passing: ResMut<'w, Time<Virtual>>,
    fixed: ResMut<'w, Time<Fixed>>,
}

/// Lets the time of one tick pass, if one is requested and virtual time is paused.
pub(super) fn pass_single_tick(mut clocks: Clocks) {
    if clocks.inspector.steps == 0 {
        return;
    }
    if !clocks.passing.is_paused() {
        clocks.inspector.steps = 0;
        return;
    }
    clocks.inspector.steps -= 1;
    // The overstep is less than a tick, unless the game has shortened the timestep: then one step would run two ticks.
    let (timestep, over) = (clocks.fixed.timestep(), clocks.fixed.overstep());
    if over >= timestep {
        clocks.fixed.discard_overstep(over);
    }
    clocks.passing.advance_by(timestep);
    *clocks.generic = clocks.passing.as_generic();
}
