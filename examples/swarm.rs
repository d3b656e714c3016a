//! From a hundred to two hundred thousand drifting circles and boxes, and how long a tick with them takes.
//!
//! The slider, or `+` and `-`, set how many there are. Their density is always the same; the picture shows them all.
//!
//! The one thing to learn: the work grows with what moves and what touches, so ten times the number takes about ten times the time, and not a hundred times. `CollisionDiagnosticsPlugin` measures how long
//! each stage of a tick takes, in any game. Run it with `--release` to see what it can do.

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};
use bevy_nudge::{diagnostics::CollisionDiagnosticsPlugin, prelude::*};

use common::{Account, Palette, SIZE, Stage, Step, Typed, carry_help, drift_within, play};

pub const STAGE: Stage = Stage {
    title: "swarm",
    ticks_per_second: 60.0,
    help: "slider, or + and -: how many",
    recording: &[
        Step::keys(60, &[]),
        Step::keys(1, &[KeyCode::Equal]),
        Step::keys(59, &[]),
        Step::keys(1, &[KeyCode::Equal]),
        Step::keys(1, &[]),
        Step::keys(1, &[KeyCode::Equal]),
        Step::keys(57, &[]),
        Step::keys(1, &[KeyCode::Minus]),
        Step::keys(59, &[]),
    ],
};

/// How many there may be, circles and boxes together.
pub const LEAST: usize = 100;
pub const MOST: usize = 200_000;
/// The numbers that `+` and `-` step through.
pub const STEPS: [usize; 11] = [
    100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000,
];
const START: usize = 1000;
/// The width of a circle or a box, from the least to the greatest.
const WIDTHS: [f32; 2] = [4.0, 12.0];
/// Half the side of the square for a single one. A quarter of the area is covered: the mean square of the widths is (12^3 - 4^3) / (3 * 8) = 69.33, and each has four times that, 277.3, for itself;
/// so n of them have a square with half a side of sqrt(277.3 * n) / 2.
const HALF_SIDE_OF_ONE: f32 = 8.327;
/// Units a tick on each axis.
const FASTEST: f32 = 1.5;

/// How many there should be.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub usize);

/// Marks a member of the swarm; holds its motion in a tick.
#[derive(Component, Clone, Copy, Debug)]
pub struct Drift(Vec2);

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .insert_resource(Count(START))
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (choose_count, match_count)
                .chain()
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, drift)
        .add_systems(FixedLast, tell_counts);
}

fn choose_count(mut typed: Typed, mut count: ResMut<Count>) {
    for key in typed.read().chars() {
        let mut steps = STEPS.into_iter();
        match key {
            '+' => count.0 = steps.find(|step| *step > count.0).unwrap_or(MOST),
            '-' => count.0 = steps.rfind(|step| *step < count.0).unwrap_or(LEAST),
            _ => {}
        }
    }
}

/// Returns half the side of the square in which so many of them drift.
pub fn half_side(count: usize) -> f32 {
    HALF_SIDE_OF_ONE * (count as f32).sqrt()
}

/// Spawns or despawns until the number is right. New ones come around those that are there, and those farthest out go, so the others are not affected.
fn match_count(
    mut commands: Commands,
    count: Res<Count>,
    swarm: Query<(Entity, &Transform, Has<CircleCollider>), With<Drift>>,
) {
    let now = swarm.iter().len();
    for number in now..count.0 {
        let (place, drift, width) = one(number);
        let size = Vec2::splat(width).extend(1.0);
        let transform = Transform::from_translation(place.extend(0.0)).with_scale(size);
        // Each has a width of 1, and is scaled by its entity, so one mesh serves all.
        let mut new = commands.spawn((Drift(drift), Body::Kinematic, transform));
        if number % 2 == 0 {
            new.insert(CircleCollider::new(0.5));
        } else {
            new.insert(BoxCollider::square(1.0));
        }
    }
    if now <= count.0 {
        return;
    }
    for (is_circle, stay) in [(true, count.0.div_ceil(2)), (false, count.0 / 2)] {
        let of_kind = swarm.iter().filter(|(.., circle)| *circle == is_circle);
        let mut of_kind: Vec<(f32, Entity)> = of_kind
            .map(|(entity, transform, _)| {
                let from_middle = transform.translation.truncate().abs();
                (from_middle.max_element(), entity)
            })
            .collect();
        of_kind.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, entity) in of_kind.drain(stay.min(of_kind.len())..) {
            commands.entity(entity).despawn();
        }
    }
}

/// Returns the n-th, the same in each run: its place, its motion in a tick, and its width. It starts on the border of the square for those before it.
fn one(number: usize) -> (Vec2, Vec2, f32) {
    let mut random = fastrand::Rng::with_seed(number as u64);
    let mut between = |low: f32, high: f32| low + (high - low) * random.f32();
    let far = half_side(number + 1);
    let along = between(-far, far);
    let place = [
        Vec2::new(far, along),
        Vec2::new(along, far),
        Vec2::new(-far, along),
        Vec2::new(along, -far),
    ][between(0.0, 4.0) as usize % 4];
    let drift = Vec2::new(between(-FASTEST, FASTEST), between(-FASTEST, FASTEST));
    (place, drift, between(WIDTHS[0], WIDTHS[1]))
}

/// Moves them straight on, and back from the edges.
fn drift(count: Res<Count>, mut swarm: Query<(&mut Drift, &mut Transform)>) {
    let room = Vec2::splat(half_side(count.0));
    for (mut drift, mut transform) in &mut swarm {
        let from = transform.translation.truncate();
        transform.translation = drift_within(room, from, &mut drift.0).extend(0.0);
    }
}

/// Tells the counts once a second. Times are not told here, since they differ from machine to machine.
fn tell_counts(
    mut account: ResMut<Account>,
    circles: Query<(), (With<Drift>, With<CircleCollider>)>,
    boxes: Query<(), (With<Drift>, With<BoxCollider>)>,
    collisions: Collisions,
) {
    if account.tick.is_multiple_of(60) {
        let (circles, boxes, contacts) = (circles.count(), boxes.count(), collisions.len());
        account.tell(format_args!(
            "{circles} circles and {boxes} boxes, {contacts} contacts"
        ));
    }
}

/// The width of the panel, and the height that is left below it for the help.
const PANEL: f32 = 184.0;
const BELOW: f32 = 28.0;

/// One mesh and one material for all circles, and for all boxes.
#[derive(Resource)]
struct Looks {
    circle: (Mesh2d, MeshMaterial2d<ColorMaterial>),
    square: (Mesh2d, MeshMaterial2d<ColorMaterial>),
}

pub fn drawing(app: &mut App) {
    // A game just adds both. Here the window has them already, for its inspector, and they are missing only where a test runs the drawing.
    if !app.is_plugin_added::<EguiPlugin>() {
        app.add_plugins(EguiPlugin::default());
    }
    if !app.is_plugin_added::<CollisionDiagnosticsPlugin>() {
        app.add_plugins(CollisionDiagnosticsPlugin);
    }
    app.add_systems(Startup, (load_looks, spare_ticks))
        .add_systems(PostStartup, carry_help)
        .add_systems(Update, (draw_new, show_all))
        .add_systems(EguiPrimaryContextPass, show_panel);
}

/// Limits a frame to one tick: a machine that is too slow for sixty ticks a second shows slow motion, instead of falling ever further behind.
fn spare_ticks(mut time: ResMut<Time<Virtual>>, ticks: Res<Time<Fixed>>) {
    time.set_max_delta(ticks.timestep());
}

fn load_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let mut look = |mesh: Mesh, color: Color| {
        (
            Mesh2d(meshes.add(mesh)),
            MeshMaterial2d(materials.add(color)),
        )
    };
    // Few corners, since there may be very many circles.
    let circle = look(
        Circle::new(0.5).mesh().resolution(20).build(),
        Palette::PLAYER,
    );
    let square = look(Rectangle::new(1.0, 1.0).mesh().build(), Palette::OTHER);
    commands.insert_resource(Looks { circle, square });
}

fn draw_new(
    mut commands: Commands,
    looks: Res<Looks>,
    new: Query<(Entity, Has<CircleCollider>), Added<Drift>>,
) {
    for (entity, is_circle) in &new {
        let look = if is_circle {
            &looks.circle
        } else {
            &looks.square
        };
        commands.entity(entity).insert(look.clone());
    }
}

/// Scales the camera so that the room beside the panel and above the help shows all of them. Children of the camera are scaled with it, so they stay as large on the screen.
fn show_all(count: Res<Count>, mut camera: Single<&mut Transform, With<Camera2d>>) {
    let free = SIZE - Vec2::new(PANEL, BELOW);
    let margin = 12.0;
    let side = free.min_element() - 2.0 * margin;
    let scale = 2.0 * half_side(count.0) / side;
    // From the middle of the window to the middle of the free part.
    let aside = Vec2::new(PANEL, BELOW) * 0.5;
    camera.scale = Vec2::splat(scale).extend(1.0);
    camera.translation = (-aside * scale).extend(0.0);
}

fn show_panel(
    mut contexts: EguiContexts,
    mut count: ResMut<Count>,
    diagnostics: Res<DiagnosticsStore>,
) -> Result {
    use CollisionDiagnosticsPlugin as Measured;
    let smoothed = |path: &DiagnosticPath| {
        diagnostics
            .get(path)
            .and_then(|it| it.smoothed())
            .unwrap_or_default()
    };
    let last = |path: &DiagnosticPath| {
        diagnostics
            .get(path)
            .and_then(|it| it.value())
            .unwrap_or_default()
    };
    let context = contexts.ctx_mut()?;
    context.set_theme(egui::Theme::Light);
    let panel = egui::Window::new("swarm")
        .title_bar(false)
        .fixed_pos([8.0, 8.0])
        .fixed_size([PANEL - 32.0, SIZE.y - BELOW - 32.0]);
    panel.show(context, |ui| {
        ui.label("circles and boxes");
        let mut wanted = count.0;
        ui.spacing_mut().slider_width = 80.0;
        ui.add(egui::Slider::new(&mut wanted, LEAST..=MOST).logarithmic(true));
        count.set_if_neq(Count(wanted));
        ui.separator();
        egui::Grid::new("counts").num_columns(2).show(ui, |ui| {
            for (what, path) in [
                ("colliders", Measured::COLLIDERS),
                ("contacts", Measured::CONTACTS),
                ("started", Measured::STARTED),
                ("ended", Measured::ENDED),
            ] {
                row(ui, what, &format!("{}", last(&path)));
            }
        });
        ui.separator();
        ui.label("milliseconds of a tick");
        egui::Grid::new("times").num_columns(2).show(ui, |ui| {
            for (what, path) in [
                ("gather", Measured::GATHER),
                ("sweep", Measured::SWEEP),
                ("detect", Measured::DETECT),
                ("resolve", Measured::RESOLVE),
                ("report", Measured::REPORT),
                ("all", Measured::TICK),
            ] {
                row(ui, what, &format!("{:.3}", smoothed(&path)));
            }
        });
        if cfg!(debug_assertions) {
            ui.separator();
            ui.small("built for debugging; --release is many times as fast");
        }
    });
    Ok(())
}

fn row(ui: &mut egui::Ui, what: &str, value: &str) {
    ui.label(what);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.monospace(value)
    });
    ui.end_row();
}
