//! The section of the recorder: switch it on and off, look back, and save to a file.

use bevy::ecs::prelude::World;
use bevy_egui::egui::{Align, Button, Layout as Flow, Slider, TextEdit, Ui};

use super::{
    entity::WRONG,
    names::with_command,
    past::{look_back, return_to_game},
    report_log::ReportLog,
    state::CollisionInspector,
};
use crate::recorder::CollisionRecorder;

/// Shows the section.
pub(super) fn show_recorder(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    let Some(mut recorder) = world.get_resource_mut::<CollisionRecorder>() else {
        ui.label("There is no recorder.");
        return;
    };
    let mut clear = false;
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut recorder.is_on, "record");
        clear = ui.button("forget all").clicked();
        let seconds = recorder.duration().as_secs_f32();
        let megabytes = recorder.bytes() as f32 / 1e6;
        ui.weak(format!(
            "{} ticks, {seconds:.1} s, {megabytes:.2} MB",
            recorder.len()
        ));
    });
    if clear {
        recorder.clear();
        return_to_game(world, inspector);
    }
    show_scrubber(ui, world, inspector);
    show_saving(ui, world, inspector);
}

/// Shows the controls to look back.
fn show_scrubber(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    let recorder = world.resource::<CollisionRecorder>();
    let Some(ticks) = recorder.ticks() else {
        ui.weak("Nothing is recorded yet.");
        return;
    };
    let shown = inspector.past.map_or(*ticks.end(), |past| past.tick);
    ui.horizontal_wrapped(|ui| {
        let (back, on) = (with_command(ui, "Left"), with_command(ui, "Right"));
        if ui.button("< back").on_hover_text(back).clicked() {
            scrub(world, inspector, -1);
        }
        if ui.button("on >").on_hover_text(on).clicked() {
            scrub(world, inspector, 1);
        }
        let mut tick = shown;
        let slider = Slider::new(&mut tick, ticks).step_by(1.0);
        if ui.add(slider.text("tick")).changed() {
            look_back(world, inspector, tick);
        }
    });
    ui.horizontal_wrapped(|ui| {
        let is_back = inspector.past.is_some();
        if ui.add_enabled(is_back, Button::new("live")).clicked() {
            return_to_game(world, inspector);
        }
        match inspector.past {
            Some(past) => ui.label(format!("showing tick {} as it was", past.tick)),
            None => ui.weak("showing the game as it is"),
        };
    });
}

/// Looks at a tick so many ticks after the one that is shown, or before it, within the recorded ticks.
pub(super) fn scrub(world: &mut World, inspector: &mut CollisionInspector, ticks: i64) {
    let recorder = world.get_resource::<CollisionRecorder>();
    let Some(known) = recorder.and_then(CollisionRecorder::ticks) else {
        return;
    };
    // The newest tick may be newer than all recorded ones.
    let newest = world.get_resource::<ReportLog>();
    let newest = newest.map_or(*known.end(), |log| log.tick.max(*known.end()));
    let shown = inspector.past.map_or(newest, |past| past.tick);
    let wanted = shown.saturating_add_signed(ticks);
    let wanted = wanted.clamp(*known.start(), *known.end());
    // Stepping back only counts if that leads to an older tick; nothing is newer than the newest tick, which is shown anyway.
    let leads_back = ticks < 0 && wanted < shown;
    if inspector.past.is_some() || leads_back {
        look_back(world, inspector, wanted);
    }
}

/// Shows the controls to save to a file.
fn show_saving(ui: &mut Ui, world: &World, inspector: &mut CollisionInspector) {
    ui.horizontal(|ui| {
        let label = ui.label("file");
        ui.with_layout(Flow::right_to_left(Align::Center), |ui| {
            let recorder = world.resource::<CollisionRecorder>();
            let save = ui.add_enabled(!recorder.is_empty(), Button::new("save"));
            if save.clicked() {
                let file = &inspector.layout.recording_file;
                let saved = recorder.recording().save(file);
                inspector.saved = Some(match saved {
                    Ok(()) => Ok(format!("saved to {file}")),
                    Err(error) => Err(error.to_string()),
                });
            }
            let field = TextEdit::singleline(&mut inspector.layout.recording_file)
                .desired_width(ui.available_width());
            if ui.add(field).labelled_by(label.id).changed() {
                inspector.saved = None;
            }
        });
    });
    match &inspector.saved {
        Some(Ok(done)) => {
            ui.label(done);
        }
        Some(Err(why)) => {
            ui.colored_label(WRONG, why);
        }
        None => {}
    }
}
