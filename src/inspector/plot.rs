//! The section that plots how long each stage of the tick takes.

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore},
    ecs::prelude::World,
};
use bevy_egui::egui::{
    Align2, Color32, FontId, Grid, Mesh, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};

use crate::diagnostics::CollisionDiagnosticsPlugin as Measured;

/// The stages from the bottom up, with colors that differ in brightness too.
const STAGES: [(&str, DiagnosticPath, Color32); 5] = [
    ("gather", Measured::GATHER, Color32::from_rgb(68, 119, 170)),
    ("sweep", Measured::SWEEP, Color32::from_rgb(102, 204, 238)),
    ("detect", Measured::DETECT, Color32::from_rgb(34, 136, 51)),
    (
        "resolve",
        Measured::RESOLVE,
        Color32::from_rgb(204, 187, 68),
    ),
    ("report", Measured::REPORT, Color32::from_rgb(238, 102, 119)),
];

const HEIGHT: f32 = 90.0;

/// Milliseconds of the stages in one tick.
type Times = [f64; 5];

/// How many ticks are kept and shown, if this plugin adds the diagnostics: ten seconds at 60 ticks a second.
const TICKS: usize = 600;

/// Keeps as many measurements as are shown.
pub(super) fn keep_history(store: &mut DiagnosticsStore) {
    for (_, path, _) in STAGES {
        let measured = Diagnostic::new(path).with_suffix(" ms");
        store.add(measured.with_max_history_length(TICKS));
    }
}

/// Shows the plot and its legend.
pub(super) fn show_plot(ui: &mut Ui, world: &World) {
    let Some(store) = world.get_resource::<DiagnosticsStore>() else {
        ui.label("Nothing is measured.");
        return;
    };
    let times = measured(store);
    let room = store.get(&Measured::GATHER);
    let room = room.map_or(0, Diagnostic::get_max_history_length);
    draw(ui, &times, room);
    show_legend(ui, &times);
}

/// Returns all ticks whose times are known, the oldest first.
fn measured(store: &DiagnosticsStore) -> Vec<Times> {
    let mut stages = STAGES.map(|(_, path, _)| {
        let values = store.get(&path).into_iter().flat_map(Diagnostic::values);
        values.copied()
    });
    let tick = || {
        let mut times = Times::default();
        for (time, values) in times.iter_mut().zip(&mut stages) {
            *time = values.next()?;
        }
        Some(times)
    };
    std::iter::from_fn(tick).collect()
}

fn draw(ui: &mut Ui, times: &[Times], room: usize) {
    let size = vec2(ui.available_width().max(100.0), HEIGHT);
    let (frame, response) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(frame);
    painter.rect_filled(frame, 2.0, ui.visuals().extreme_bg_color);

    let rect = frame.shrink(2.0);
    let mut totals: Vec<f64> = times.iter().map(total).collect();
    totals.sort_by(f64::total_cmp);
    let highest = totals.last().copied().unwrap_or_default();
    // One tick in a hundred may exceed the scale: otherwise a tick in which the machine was busy with something else would flatten all others.
    let usual = totals.get(totals.len() * 99 / 100).copied();
    let top = round_up(usual.unwrap_or_default());
    let step = rect.width() / room.saturating_sub(1).max(1) as f32;
    let x_of = |number: usize| rect.right() - step * (times.len() - 1 - number) as f32;
    let y_of = |time: f64| rect.bottom() - rect.height() * (time / top) as f32;
    painter.add(Shape::mesh(areas(times, x_of, y_of)));

    let faint = Stroke::new(1.0, ui.visuals().weak_text_color().gamma_multiply(0.4));
    painter.hline(rect.x_range(), y_of(top * 0.5), faint);
    painter.rect_stroke(frame, 2.0, faint, StrokeKind::Inside);
    painter.text(
        rect.left_top() + vec2(2.0, 0.0),
        Align2::LEFT_TOP,
        format!("{top} ms"),
        FontId::proportional(10.0),
        ui.visuals().text_color(),
    );
    tell(&response, times, highest);
    tell_one(response, times, rect, step);
}

/// Describes the plot to screen readers.
fn tell(response: &Response, times: &[Times], highest: f64) {
    let newest = times.last().map_or(0.0, total);
    response.widget_info(|| {
        let label = format!(
            "stages of {} ticks: newest {newest:.3} ms, highest {highest:.3} ms",
            times.len()
        );
        WidgetInfo::labeled(WidgetType::Image, true, label)
    });
}

/// Shows the times of the tick under the pointer.
fn tell_one(response: Response, times: &[Times], rect: Rect, step: f32) {
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let back = ((rect.right() - pointer.x) / step).round().max(0.0) as usize;
    let tick = times.len().checked_sub(back + 1).map(|at| times[at]);
    if let Some(tick) = tick {
        let stages = STAGES.into_iter().zip(tick);
        let lines = stages.map(|((name, ..), time)| format!("{name} {time:.3} ms\n"));
        let lines: String = lines.collect();
        let total = total(&tick);
        response
            .on_hover_text_at_pointer(format!("{lines}together {total:.3} ms, {back} ticks ago"));
    }
}

/// Returns the stages on top of each other, each as a strip of quads.
fn areas(times: &[Times], x_of: impl Fn(usize) -> f32, y_of: impl Fn(f64) -> f32) -> Mesh {
    let mut mesh = Mesh::default();
    for (stage, (_, _, color)) in STAGES.iter().enumerate() {
        for (number, tick) in times.iter().enumerate() {
            let x = x_of(number);
            let below: f64 = tick[..stage].iter().sum();
            let next = mesh.vertices.len() as u32;
            mesh.colored_vertex(pos2(x, y_of(below)), *color);
            mesh.colored_vertex(pos2(x, y_of(below + tick[stage])), *color);
            if number > 0 {
                mesh.add_triangle(next - 2, next - 1, next);
                mesh.add_triangle(next - 1, next, next + 1);
            }
        }
    }
    mesh
}

fn show_legend(ui: &mut Ui, times: &[Times]) {
    let mean = |stage: usize| {
        let sum: f64 = times.iter().map(|tick| tick[stage]).sum();
        sum / times.len().max(1) as f64
    };
    Grid::new("legend").num_columns(2).show(ui, |ui| {
        for (stage, (name, _, color)) in STAGES.iter().enumerate() {
            ui.horizontal(|ui| {
                let (square, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
                ui.painter().rect_filled(square, 1.0, *color);
                ui.label(format!("{name} {:.3} ms", mean(stage)));
            });
            if stage % 2 == 1 {
                ui.end_row();
            }
        }
        ui.weak("means of what is shown");
    });
}

fn total(tick: &Times) -> f64 {
    tick.iter().sum()
}

/// Rounds up to the next 1, 2 or 5 times a power of ten, so that the scale seldom changes.
fn round_up(highest: f64) -> f64 {
    let mut power = 0.01;
    loop {
        for step in [1.0, 2.0, 5.0] {
            if power * step >= highest {
                // Rounded, to show no 0.019999.
                return (power * step * 100.0).round() / 100.0;
            }
        }
        power *= 10.0;
        if !power.is_finite() {
            return f64::MAX;
        }
    }
}
