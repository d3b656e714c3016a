//! Plots time against count: one chart for each workload, with both axes logarithmic.

use std::{error::Error, path::Path};

use plotters::prelude::*;

use rivals::engines::NAMES;

/// The median time of an engine.
pub struct Point {
    pub workload: String,
    pub engine: &'static str,
    pub count: usize,
    pub ms: f64,
}

const COLUMNS: usize = 3;
const CHART: (u32, u32) = (380, 300);
/// The height of the legend, above the charts.
const HEAD: u32 = 40;

pub fn draw(path: &Path, workloads: &[String], points: &[Point]) -> Result<(), Box<dyn Error>> {
    let columns = workloads.len().min(COLUMNS);
    let rows = workloads.len().div_ceil(columns.max(1));
    let size = (CHART.0 * columns as u32, CHART.1 * rows as u32 + HEAD);
    let area = SVGBackend::new(path, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, charts) = area.split_vertically(HEAD);
    for (number, engine) in NAMES.into_iter().enumerate() {
        let left = 20 + number as i32 * 150;
        let color = color(engine);
        head.draw(&Rectangle::new(
            [(left, 14), (left + 14, 28)],
            color.filled(),
        ))?;
        head.draw(&Text::new(engine, (left + 20, 14), ("sans-serif", 15)))?;
    }
    let charts = charts.split_evenly((rows, columns));
    for (workload, chart) in workloads.iter().zip(&charts) {
        let own: Vec<&Point> = points
            .iter()
            .filter(|point| point.workload == *workload)
            .collect();
        let counts = own.iter().map(|point| point.count as f64);
        let times = own.iter().map(|point| point.ms);
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
                (least.min(value), most.max(value))
            });
            (least * 0.7..most * 1.4).log_scale()
        };
        let mut context = ChartBuilder::on(chart)
            .caption(format!("{workload}, ms per update"), ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(55)
            .build_cartesian_2d(
                range(&mut counts.into_iter()),
                range(&mut times.into_iter()),
            )?;
        context
            .configure_mesh()
            .x_desc("colliders")
            // No lines between the few counts: on a scale of one decade there would be hundreds.
            .disable_x_mesh()
            .x_labels(3)
            .x_label_formatter(&|count| power_of_ten(*count))
            .light_line_style(WHITE)
            .draw()?;
        for engine in NAMES {
            let line = own.iter().filter(|point| point.engine == engine);
            let line = line.map(|point| (point.count as f64, point.ms));
            context
                .draw_series(LineSeries::new(line, color(engine).stroke_width(2)).point_size(3))?;
        }
    }
    area.present()?;
    Ok(())
}

/// Labels only powers of ten, since other labels would overlap.
fn power_of_ten(count: f64) -> String {
    if count.log10().fract().abs() < 1.0e-9 {
        format!("{count}")
    } else {
        String::new()
    }
}

/// Colors that people with red-green color blindness can tell apart.
fn color(engine: &str) -> RGBColor {
    match engine {
        "floor" => RGBColor(150, 150, 150),
        "bevy_nudge" => RGBColor(213, 94, 0),
        "avian2d" => RGBColor(0, 114, 178),
        "bevy_rapier2d" => RGBColor(0, 158, 115),
        _ => RGBColor(204, 121, 167),
    }
}
