//! The section about the picked entity, and why it and a second one do or don't collide.

use bevy::{
    ecs::{entity::Entity, prelude::World},
    math::Vec2,
};
use bevy_egui::egui::{Align, Color32, Grid, Id, Label, Layout as Flow, RichText, TextEdit, Ui};

use super::{
    described::{Described, describe, find},
    list::show_report,
    names::{full_name_of, name_of, show_name, with_command},
    report::Report,
    report_log::ReportLog,
    state::{CollisionInspector, Past},
};
use crate::{
    components::{LayerNames, Velocity},
    kernel::Outline,
    query::{ColliderView, absence, explain},
};

/// The id of the search field, to which a shortcut leads.
pub(super) fn search_id() -> Id {
    Id::new("bevy_nudge inspector search")
}

/// The color of text that tells what is wrong.
pub(super) const WRONG: Color32 = Color32::from_rgb(255, 120, 120);

/// Shows what is wrong, if anything is. If nothing is wrong, one widget id is skipped instead: egui numbers the widgets below, and a text field whose number changes would lose the focus.
pub(super) fn show_wrong(ui: &mut Ui, what: Option<impl Into<RichText>>) {
    match what {
        Some(what) => {
            ui.colored_label(WRONG, what);
        }
        None => ui.skip_ahead_auto_ids(1),
    }
}

/// How many matches of a search are shown.
const MATCHES: usize = 8;
/// How many partners are shown: a sensor over the whole level may have thousands.
const PARTNERS: usize = 24;
/// How many of the entity's reports are shown.
const REPORTS: usize = 6;

/// Shows the picked entities, and all about them.
pub(super) fn show_entity(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    let second = with_command(ui, "click: the second");
    ui.checkbox(&mut inspector.layout.picks, "clicks in the world pick")
        .on_hover_text(format!("{second}; again in the same place, what is below"));
    show_search(ui, world, inspector);
    show_picked(ui, world, inspector);
    if let (Some(first), Some(second)) = (inspector.first, inspector.second) {
        let sentence = explain(world, first, second).to_string();
        let sentence = RichText::new(with_names(world, &sentence, [first, second]));
        ui.label(sentence.strong());
        if inspector.past.is_some() {
            ui.weak("That is of the newest tick, not of the one that is shown.");
        }
    }
    if let Some(first) = inspector.first {
        let picked = show_described(ui, world, first, inspector.past);
        if let Some(entity) = picked {
            inspector.pick(entity, ui.input(|input| input.modifiers.command));
        }
    }
}

fn show_search(ui: &mut Ui, world: &mut World, inspector: &mut CollisionInspector) {
    ui.horizontal(|ui| {
        let label = ui.label("find");
        let field = TextEdit::singleline(&mut inspector.search)
            .id(search_id())
            .hint_text("a name or number")
            .desired_width(ui.available_width());
        ui.add(field).labelled_by(label.id);
    });
    if inspector.search.is_empty() {
        return;
    }
    let found = find(world, &inspector.search, MATCHES);
    ui.horizontal_wrapped(|ui| {
        if found.is_empty() {
            ui.weak("no collider or body has this name or number");
        }
        for entity in found {
            let name = name_of(world, entity);
            if show_name(ui, world, entity, &name) {
                inspector.pick(entity, ui.input(|input| input.modifiers.command));
            }
        }
    });
}

fn show_picked(ui: &mut Ui, world: &World, inspector: &mut CollisionInspector) {
    show_pick(ui, world, "first", &mut inspector.first, |_| {});
    let mut swap = false;
    show_pick(ui, world, "second", &mut inspector.second, |ui| {
        swap = ui.small_button("swap").clicked();
    });
    if swap {
        std::mem::swap(&mut inspector.first, &mut inspector.second);
    }
}

/// Shows a picked entity with a button to drop it, and further buttons.
fn show_pick(
    ui: &mut Ui,
    world: &World,
    label: &str,
    picked: &mut Option<Entity>,
    show_buttons: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        ui.label(label);
        let Some(entity) = *picked else {
            ui.weak("none");
            return;
        };
        ui.with_layout(Flow::right_to_left(Align::Center), |ui| {
            if ui.small_button(format!("drop {label}")).clicked() {
                *picked = None;
            }
            show_buttons(ui);
            ui.with_layout(Flow::left_to_right(Align::Center), |ui| {
                let name = RichText::new(full_name_of(world, entity)).strong();
                ui.add(Label::new(name).truncate());
            });
        });
    });
}

/// Adds the entities' names to a sentence that contains only their numbers.
fn with_names(world: &World, sentence: &str, pair: [Entity; 2]) -> String {
    let [first, second] = pair.map(|entity| name_of(world, entity));
    format!("{first}, {second}: {sentence}")
}

/// Shows all about an entity; returns the entity whose name was clicked.
fn show_described(
    ui: &mut Ui,
    world: &mut World,
    entity: Entity,
    past: Option<Past>,
) -> Option<Entity> {
    let described = describe(world, entity);
    let is_now = past.is_none();
    if is_now {
        let refusal = described.refusal.as_ref();
        let wrong = refusal.map(|why| format!("Takes no part: {why}."));
        let absence = || absence(world, entity).map(|why| why.to_string());
        show_wrong(ui, wrong.or_else(absence));
    }
    if let Some(view) = &described.view {
        // The velocity in a recorded tick is not known.
        let velocity = world.get::<Velocity>(view.body).filter(|_| is_now);
        show_view(ui, world, view, velocity);
    }
    let of_partner = show_partners(ui, world, &described, is_now);
    let of_report = show_last_reports(ui, world, entity, past);
    of_partner.or(of_report)
}

fn show_view(ui: &mut Ui, world: &World, view: &ColliderView, velocity: Option<&Velocity>) {
    let names = world.get_resource::<LayerNames>();
    let names = names.cloned().unwrap_or_default();
    let body = if view.body == view.entity {
        format!("{:?}", view.kind)
    } else {
        format!("{:?}, of {}", view.kind, name_of(world, view.body))
    };
    let mut rows = vec![
        ("collider", outline(view.outline)),
        ("centre", place(view.center)),
        ("body", body),
        ("on layers", names.describe(view.layers.memberships)),
        ("collides with", names.describe(view.layers.filters)),
    ];
    if let Some(velocity) = velocity {
        rows.push(("velocity", place(velocity.0)));
    }
    if view.is_sensor {
        rows.push(("pushes", "nothing: a sensor, or one that passes".to_owned()));
    }
    if let Some(side) = view.one_way {
        rows.push(("solid side", place(side)));
    }
    if view.surface_velocity != Vec2::ZERO {
        rows.push(("surface velocity", place(view.surface_velocity)));
    }
    Grid::new("described").num_columns(2).show(ui, |ui| {
        for (label, value) in rows {
            ui.weak(label);
            ui.label(value);
            ui.end_row();
        }
    });
}

fn show_partners(
    ui: &mut Ui,
    world: &World,
    described: &Described,
    is_now: bool,
) -> Option<Entity> {
    let mut picked = None;
    ui.horizontal_wrapped(|ui| {
        let when = if is_now {
            "collides now with"
        } else {
            "collided then with"
        };
        ui.weak(when);
        if described.partners.is_empty() {
            ui.label("nothing");
        }
        for contact in described.partners.iter().take(PARTNERS) {
            let name = name_of(world, contact.b);
            if show_name(ui, world, contact.b, &name) {
                picked = Some(contact.b);
            }
            ui.label(format!("{:.2} deep", contact.depth));
        }
        let others = described.partners.len().saturating_sub(PARTNERS);
        if others > 0 {
            ui.weak(format!("and {others} more"));
        }
    });
    picked
}

fn show_last_reports(
    ui: &mut Ui,
    world: &World,
    entity: Entity,
    past: Option<Past>,
) -> Option<Entity> {
    let log = world.resource::<ReportLog>();
    let tick = past.map_or(log.tick, |past| past.tick);
    let reports = log.reports.iter().rev();
    let own = reports.filter(|report| report.tick <= tick && report.involves(entity));
    let own: Vec<&Report> = own.take(REPORTS).collect();
    if !own.is_empty() {
        ui.weak("last reports");
    }
    let mut picked = None;
    for report in own {
        ui.horizontal(|ui| picked = show_report(ui, world, report).or(picked));
    }
    picked
}

fn outline(outline: Outline) -> String {
    match outline {
        Outline::Shape(shape) => {
            let size = shape.half_extents() * 2.0;
            match (shape.half_size() == Vec2::ZERO, shape.radius()) {
                (true, radius) => format!("circle, radius {radius}"),
                (false, 0.0) => format!("box, {} x {}", size.x, size.y),
                (false, radius) => format!("box, {} x {}, corners {radius}", size.x, size.y),
            }
        }
        Outline::Bounds(half) => format!("room, {} x {}", half.x * 2.0, half.y * 2.0),
    }
}

fn place(place: Vec2) -> String {
    format!("({:.2}, {:.2})", place.x, place.y)
}
