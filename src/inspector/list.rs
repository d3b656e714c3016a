//! The section that lists contacts and messages.

use bevy::ecs::{entity::Entity, prelude::World};
use bevy_egui::egui::{
    Align, Color32, Id, Label, Layout as Flow, RichText, ScrollArea, TextEdit, Ui,
};

use super::{
    layout::Filter,
    names::{full_name_of, name_of, readable, show_name},
    past::drawn,
    report::{Kind, Report},
    report_log::ReportLog,
    state::{CollisionInspector, Past},
};
use crate::{messages::Collision, snapshot::TickView};

/// The id of the filter's field, to which a shortcut leads.
pub(super) fn filter_id() -> Id {
    Id::new("bevy_nudge inspector filter")
}

/// Shows the list, with its filter.
pub(super) fn show_list(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    show_filter(ui, &mut inspector.layout.filter);
    show_switches(ui, world, inspector);

    let live;
    let reports = match &inspector.frozen {
        Some(frozen) => frozen,
        None => {
            live = newest_reports(world, inspector.past);
            &live
        }
    };
    let filter = &inspector.layout.filter;
    let text = filter.text.to_lowercase();
    let listed: Vec<&Report> = reports
        .iter()
        .filter(|report| {
            let is_followed = inspector.followed.is_none_or(|one| report.involves(one));
            is_followed && admits(filter, &text, world, report)
        })
        .collect();
    ui.weak(format!("{} of {} reports", listed.len(), reports.len()));

    // A row is as high as a clickable widget, though its text is lower.
    let height = ui.spacing().interact_size.y;
    let mut picked = None;
    ScrollArea::vertical()
        .id_salt("reports")
        .max_height(150.0)
        .auto_shrink([false, true])
        .show_rows(ui, height, listed.len(), |ui, rows| {
            for report in &listed[rows] {
                ui.horizontal(|ui| picked = show_report(ui, world, report).or(picked));
            }
        });
    if let Some(entity) = picked {
        inspector.pick(entity, ui.input(|input| input.modifiers.command));
    }
}

fn show_filter(ui: &mut Ui, filter: &mut Filter) {
    ui.horizontal(|ui| {
        let label = ui.label("filter");
        let clear = |ui: &mut Ui, filter: &mut Filter| {
            if ui.button("clear").clicked() {
                filter.text.clear();
            }
        };
        ui.with_layout(Flow::right_to_left(Align::Center), |ui| {
            clear(ui, filter);
            let field = TextEdit::singleline(&mut filter.text)
                .id(filter_id())
                .hint_text("names or numbers")
                .desired_width(f32::INFINITY);
            ui.add(field).labelled_by(label.id);
        });
    });
}

fn show_switches(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    ui.horizontal_wrapped(|ui| {
        let filter = &mut inspector.layout.filter;
        ui.checkbox(&mut filter.started, "started");
        ui.checkbox(&mut filter.ongoing, "ongoing");
        ui.checkbox(&mut filter.ended, "ended");
        ui.checkbox(&mut filter.crushed, "crushed");
    });
    ui.horizontal_wrapped(|ui| {
        let mut is_frozen = inspector.frozen.is_some();
        if ui.checkbox(&mut is_frozen, "freeze").changed() {
            inspector.frozen = is_frozen.then(|| {
                let mut reports = newest_reports(world, inspector.past);
                reports
                    .iter_mut()
                    .for_each(|report| report.keep_names(world));
                reports
            });
        }
        if let Some(one) = inspector.followed.or(inspector.first) {
            let mut is_followed = inspector.followed.is_some();
            let label = format!("only {}", name_of(world, one));
            if ui.checkbox(&mut is_followed, label).changed() {
                inspector.followed = is_followed.then_some(one);
            }
        }
    });
}

/// Returns the collisions that go on now, or in the tick that is looked back at, and then the starts and ends up to that tick, the newest first.
fn newest_reports(world: &mut World, past: Option<Past>) -> Vec<Report> {
    let contacts = match drawn(world) {
        Some(snapshot) => snapshot.contacts.clone(),
        None => world.run_system_cached(contacts_now).unwrap_or_default(),
    };
    let log = world.resource::<ReportLog>();
    let tick = past.map_or(log.tick, |past| past.tick);
    let ongoing = contacts.iter();
    let ongoing = ongoing.map(|contact| Report::ongoing(tick, contact));
    let until_then = log.reports.iter().rev();
    let until_then = until_then.filter(|report| report.tick <= tick);
    ongoing.chain(until_then.cloned()).collect()
}

fn contacts_now(tick: TickView) -> Vec<Collision> {
    tick.contacts().collect()
}

/// Whether a report is listed; `text` is the filter's text in lower case.
fn admits(filter: &Filter, text: &str, world: &World, report: &Report) -> bool {
    let has_kind = match report.kind {
        Kind::Started => filter.started,
        Kind::Ongoing => filter.ongoing,
        Kind::Ended(_) => filter.ended,
        Kind::Crushed(_) => filter.crushed,
    };
    if !has_kind || text.is_empty() {
        return has_kind;
    }
    let names = report.names.iter().flatten();
    let kept = names.map(|name| name.to_string());
    let all = report.named().into_iter().flatten();
    let now = all.map(|entity| full_name_of(world, entity));
    let mut called = kept.chain(now);
    called.any(|name| name.to_lowercase().contains(text))
}

/// Shows a row; returns the entity whose name was clicked.
pub(super) fn show_report(ui: &mut Ui, world: &World, report: &Report) -> Option<Entity> {
    let (kind, color) = match report.kind {
        Kind::Started => ("started", Color32::from_rgb(120, 200, 255)),
        Kind::Ongoing => ("ongoing", Color32::from_rgb(170, 170, 170)),
        Kind::Ended(_) => ("ended", Color32::from_rgb(255, 190, 110)),
        Kind::Crushed(_) => ("crushed", Color32::from_rgb(255, 110, 110)),
    };
    ui.spacing_mut().item_spacing.x = 5.0;
    ui.weak(report.tick.to_string());
    ui.colored_label(color, kind);
    let mut picked = None;
    for side in [0, 1] {
        let entity = report.pair[side];
        let then = report.names[side].as_ref().and_then(readable);
        let name = then.unwrap_or_else(|| name_of(world, entity));
        if side == 1 {
            ui.weak("-");
        }
        if show_name(ui, world, entity, &name) {
            picked = Some(entity);
        }
    }
    let detail = match report.kind {
        Kind::Started | Kind::Ongoing => format!("depth {:.2}", report.depth),
        Kind::Ended(reason) => format!("{reason:?}").to_lowercase(),
        Kind::Crushed(None) => format!("depth {:.2}", report.depth),
        Kind::Crushed(Some(against)) => format!("against {}", name_of(world, against)),
    };
    ui.add(Label::new(RichText::new(detail).weak()).truncate());
    picked
}
