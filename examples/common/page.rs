//! The page in the browser around a scene: the parameters in its address, and the report on it.

use web_sys::{Document, window};

/// Returns the value of a parameter in the address: `90` for `check` in `?scene=dot&check=90`.
pub fn asked(parameter: &str) -> Option<String> {
    let search = window()?.location().search().ok()?;
    let pairs = search.trim_start_matches('?').split('&');
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs.find_map(|(name, value)| (name == parameter).then(|| value.to_owned()))
}

/// Adds a line to the report under the picture.
pub fn report(line: &str) {
    let document = window().and_then(|window| window.document());
    let report = |document: Document| document.get_element_by_id("report");
    if let Some(report) = document.and_then(report) {
        let before = report.text_content().unwrap_or_default();
        report.set_text_content(Some(&format!("{before}{line}\n")));
    }
}
