//! Fields for numbers that accept any text, and show what is wrong with it.

use std::cell::RefCell;

use bevy_egui::egui::{DragValue, Ui, emath::format_with_decimals_in_range};

use super::entity::show_wrong;

/// Shows a number with its label; returns whether it has changed. Text that is not a number changes nothing, and a message right below says so; the caller checks whether the number is valid.
pub(super) fn show_number(ui: &mut Ui, label: &str, number: &mut f32) -> bool {
    let refused = RefCell::new(None);
    let before = *number;
    let parser = |text: &str| {
        let number = typed(text, before);
        *refused.borrow_mut() = Some((number.is_none(), text.to_owned()));
        number.map(in_field)
    };
    let field = ui.horizontal(|ui| {
        let label = ui.label(label);
        let get_set = |new: Option<f64>| {
            if let Some(new) = new {
                *number = from_field(new);
            }
            in_field(*number)
        };
        let field = DragValue::from_get_set(get_set)
            .speed(0.25)
            .max_decimals(3)
            .custom_formatter(|number, _| shown(from_field(number)))
            .clamp_existing_to_range(false)
            .custom_parser(parser);
        let response = ui.add(field).labelled_by(label.id);
        (response, in_field(*number) != in_field(before))
    });
    let (response, is_changed) = field.inner;
    let id = response.id.with("refused");
    match refused.into_inner() {
        // A field that loses the focus is parsed once more, and shows a number again.
        Some((true, text)) if response.has_focus() => {
            ui.data_mut(|data| data.insert_temp(id, text));
        }
        // While the user goes on typing, the message stays as long as nothing else changes the number.
        None if response.has_focus() && !is_changed => {}
        _ => ui.data_mut(|data| data.remove::<String>(id)),
    }
    let refused = ui.data(|data| data.get_temp::<String>(id));
    let wrong = refused.map(|text| format!("\"{text}\" is not a number"));
    show_wrong(ui, wrong);
    is_changed
}

/// Parses the text that was typed over a number. A field that loses the focus yields the text that it shows, which is rounded: then the number stays as it is.
pub(super) fn typed(text: &str, before: f32) -> Option<f32> {
    if text == shown(before) {
        Some(before)
    } else {
        text.trim().parse().ok()
    }
}

/// Returns a number as its field shows it.
pub(super) fn shown(number: f32) -> String {
    format_with_decimals_in_range(number.into(), 1..=3)
}

/// Stands for NaN inside of egui, and for no other `f32`. Egui keeps half-typed text only while the number is equal to itself, which NaN is not, and takes NaN for too large.
const NAN: f64 = f64::MAX;

fn in_field(number: f32) -> f64 {
    if number.is_nan() { NAN } else { number.into() }
}

fn from_field(number: f64) -> f32 {
    if number == NAN {
        f32::NAN
    } else {
        number as f32
    }
}
