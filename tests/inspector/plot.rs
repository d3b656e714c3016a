//! The plot of the stages.

use bevy::{diagnostic::DiagnosticsStore, prelude::*};
use bevy_egui::egui::{Mesh, Shape};
use bevy_nudge::{diagnostics::CollisionDiagnosticsPlugin as Measured, prelude::*};

use crate::stage::{Panel, app, click, panel, reads, texts, tick};

/// Returns all meshes that are drawn.
fn meshes(panel: &Panel) -> Vec<Mesh> {
    fn collect(shape: &Shape, meshes: &mut Vec<Mesh>) {
        match shape {
            Shape::Mesh(mesh) => meshes.push((**mesh).clone()),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, meshes)),
            _ => {}
        }
    }
    let mut meshes = Vec::new();
    for clipped in &panel.output().shapes {
        collect(&clipped.shape, &mut meshes);
    }
    meshes
}

#[test]
fn the_plot_has_a_point_for_each_tick_and_stage_as_high_as_what_was_measured() {
    let mut app = app();
    for x in 0..20 {
        let place = Transform::from_xyz(x as f32, 0.0, 0.0);
        app.world_mut().spawn((CircleCollider::new(4.0), place));
    }
    let mut panel = panel(app);
    click(&mut panel, "Stages");
    for _ in 0..7 {
        tick(&mut panel);
    }
    let store = panel.state().world().resource::<DiagnosticsStore>();
    let stages = [
        Measured::GATHER,
        Measured::SWEEP,
        Measured::DETECT,
        Measured::RESOLVE,
        Measured::REPORT,
    ];
    let measured = stages.map(|path| {
        let stage = store.get(&path).expect("it is measured");
        stage.values().copied().collect::<Vec<f64>>()
    });
    assert_eq!(measured.each_ref().map(Vec::len), [7; 5]);

    // For each stage, each tick has a vertex below and one above.
    let plots = meshes(&panel);
    let plot = plots.iter().find(|mesh| mesh.vertices.len() == 5 * 7 * 2);
    let plot = plot.expect("the plot is drawn");
    let heights: Vec<f64> = plot
        .vertices
        .chunks(2)
        .map(|pair| f64::from(pair[0].pos.y - pair[1].pos.y))
        .collect();
    let times: Vec<f64> = measured.into_iter().flatten().collect();
    // All stages have the same scale: pixels per millisecond, derived from the largest value.
    let largest = times.iter().copied().fold(0.0, f64::max);
    let highest = heights.iter().copied().fold(0.0, f64::max);
    assert!(largest > 0.0 && highest > 0.0);
    for (height, time) in heights.iter().zip(&times) {
        let expected = time / largest * highest;
        assert!((height - expected).abs() < 0.01, "{height} for {time} ms");
    }
}

#[test]
fn the_legend_tells_milliseconds_and_who_does_not_see_it_hears_of_it() {
    let mut panel = panel(app());
    click(&mut panel, "Stages");
    tick(&mut panel);
    let store = panel.state().world().resource::<DiagnosticsStore>();
    let value = |path| store.get(path).and_then(|one| one.value());
    let detect = value(&Measured::DETECT).expect("it is measured");
    assert!(reads(&panel, &format!("detect {detect:.3} ms")));
    assert!(reads(&panel, "stages of 1 ticks: newest"));
}

#[test]
fn the_counts_are_those_of_the_diagnostics() {
    let mut app = app();
    app.world_mut().spawn(CircleCollider::new(4.0));
    app.world_mut()
        .spawn((CircleCollider::new(4.0), Body::Static));
    let mut panel = panel(app);
    click(&mut panel, "Counts");
    tick(&mut panel);
    let texts = texts(&panel);
    // Both collide, one moves, one is pushed.
    for (label, count) in [
        ("colliders", "2"),
        ("of these, moving", "1"),
        ("contacts", "1"),
        ("started", "1"),
        ("ended", "0"),
        ("pushed", "1"),
    ] {
        let at = texts.iter().position(|text| text == label);
        let beside = at.and_then(|at| texts.get(at + 1));
        assert_eq!(beside.map(String::as_str), Some(count), "{label}");
    }
}
