//! Hundreds of drifting circles; every pair that meets is found once and drawn.
//!
//! `+` and `-` change how many there are, `T` switches whether edges that just touch count, and the circles under the mouse are marked.
//!
//! The one thing to learn: each pair comes as one `Collision`, with both entities, whatever the number of circles. `Body::Kinematic` circles are reported and
//! never pushed.
//!
//! What this does better than the usual way of tutorials (circle against circle, all pairs): there, every circle is compared with every later one, 45,000 times for 300 of
//! them; here only neighbors are compared, and the recorded run checks that the pairs are exactly the same.

use bevy::{prelude::*, sprite::Anchor};
use bevy_nudge::{
    kernel::{Shape, contains_point},
    prelude::*,
};

use common::{
    Account, Palette, Pointer, SIZE, Stage, Step, Typed, account_is_read, at, drift_within, label,
    play, write,
};

pub const STAGE: Stage = Stage {
    title: "circles",
    ticks_per_second: 60.0,
    help: "+ and -: how many   T: whether touching counts   mouse: point at them",
    recording: &[
        Step::mouse(60, 320.0, 240.0, false),
        Step::keys(1, &[KeyCode::Equal]),
        Step::mouse(60, 100.0, 100.0, false),
        Step::keys(1, &[KeyCode::KeyT]),
        Step::mouse(60, 500.0, 400.0, false),
    ],
};

/// Pixels a tick.
#[derive(Component)]
struct Drift(Vec2);

/// How many circles there should be.
#[derive(Resource)]
struct Count(usize);

/// The area in which the circles drift: between the lines of text, of which there are two below.
const AREA: Vec2 = Vec2::new(SIZE.x, SIZE.y - 76.0);

const COUNT_STEP: usize = 100;
const MOST: usize = 1000;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

/// The game.
pub fn scene(app: &mut App) {
    // Without a margin, only pairs that meet in this very tick are reported, and not those that have just parted, so the pairs can be compared.
    let settings = CollisionSettings {
        margin: 0.0,
        ..default()
    };
    app.add_plugins(CollisionPlugin::default())
        .insert_resource(settings)
        .insert_resource(Count(300))
        .add_systems(
            RunFixedMainLoop,
            (choose_count, choose_touching, match_count)
                .chain()
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, drift)
        .add_systems(FixedLast, check_against_all_pairs.run_if(account_is_read));
}

fn choose_count(mut typed: Typed, mut count: ResMut<Count>) {
    for key in typed.read().chars() {
        match key {
            '+' => count.0 = (count.0 + COUNT_STEP).min(MOST),
            '-' => count.0 = count.0.saturating_sub(COUNT_STEP),
            _ => {}
        }
    }
}

fn choose_touching(keys: Res<ButtonInput<KeyCode>>, mut settings: ResMut<CollisionSettings>) {
    if keys.just_pressed(KeyCode::KeyT) {
        settings.touching = match settings.touching {
            Touching::Counts => Touching::Ignored,
            Touching::Ignored => Touching::Counts,
        };
    }
}

fn match_count(mut commands: Commands, count: Res<Count>, circles: Query<Entity, With<Drift>>) {
    let now = circles.iter().len();
    for number in now..count.0 {
        commands.spawn(circle(number));
    }
    for entity in circles.iter().skip(count.0) {
        commands.entity(entity).despawn();
    }
}

/// The n-th circle, the same in each run.
fn circle(number: usize) -> impl Bundle {
    let mut random = fastrand::Rng::with_seed(number as u64);
    let mut between = |low: f32, high: f32| low + (high - low) * random.f32();
    let radius = between(4.0, 16.0);
    let room = AREA * 0.5 - radius;
    let place = Vec2::new(between(-room.x, room.x), between(-room.y, room.y));
    let drift = Vec2::new(between(-1.0, 1.0), between(-1.0, 1.0));
    (
        CircleCollider::new(radius),
        Body::Kinematic,
        Drift(drift),
        at(place),
    )
}

/// Moves the circles straight on, and back from the edges of the window.
fn drift(mut circles: Query<(&mut Drift, &mut Transform, &CircleCollider)>) {
    for (mut drift, mut transform, circle) in &mut circles {
        let room = AREA * 0.5 - circle.radius;
        let from = transform.translation.truncate();
        transform.translation = drift_within(room, from, &mut drift.0).extend(0.0);
    }
}

/// Checks once a second that these are the pairs that the tutorial's double loop finds, each of them once.
fn check_against_all_pairs(
    mut account: ResMut<Account>,
    settings: Res<CollisionSettings>,
    collisions: Collisions,
    circles: Query<(Entity, &Transform, &CircleCollider)>,
    pointer: Res<Pointer>,
) {
    if !account.tick.is_multiple_of(60) {
        return;
    }
    let circles: Vec<(Entity, Vec2, Shape)> = circles
        .iter()
        .filter_map(|(entity, transform, circle)| {
            Some((
                entity,
                transform.translation.truncate(),
                circle.shape().ok()?,
            ))
        })
        .collect();
    let mut missing = 0;
    let mut pairs = 0;
    for (number, &(a, place_a, one)) in circles.iter().enumerate() {
        for &(b, place_b, other) in &circles[number + 1..] {
            if settings.touching.meets(one, other, place_b - place_a) {
                pairs += 1;
                missing += usize::from(collisions.between(a, b).is_none());
            }
        }
    }
    let under_mouse = pointer.0.map_or(0, |pointer| {
        let holds =
            |(_, place, shape): &&(Entity, Vec2, Shape)| contains_point(*shape, pointer - place);
        circles.iter().filter(holds).count()
    });
    account.tell(format_args!(
        "{} circles, {} pairs reported, {pairs} by comparing all with all, {missing} of those missing; {under_mouse} under the mouse",
        circles.len(),
        collisions.len(),
    ));
}

/// The line of counts.
#[derive(Component)]
struct Numbers;

/// The materials of the circles, by their state.
#[derive(Resource)]
struct Materials {
    alone: Handle<ColorMaterial>,
    meeting: Handle<ColorMaterial>,
    pointed_at: Handle<ColorMaterial>,
    disc: Handle<Mesh>,
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, (load_materials, spawn_numbers))
        .add_systems(Update, (draw_new, color, draw_pairs, write_numbers).chain());
}

fn load_materials(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.insert_resource(Materials {
        alone: materials.add(Palette::OTHER.with_alpha(0.45)),
        meeting: materials.add(Palette::PLAYER.with_alpha(0.55)),
        pointed_at: materials.add(Palette::HIT),
        disc: meshes.add(Circle::new(1.0).mesh().resolution(48)),
    });
}

fn spawn_numbers(mut commands: Commands) {
    commands.spawn((
        Numbers,
        label("", (8.0, 6.0), Anchor::TOP_LEFT, Palette::INK),
    ));
}

/// Draws new circles. One disc serves all: it is a child that is scaled by the radius, so the collider's own scale stays 1.
fn draw_new(
    mut commands: Commands,
    new: Query<(Entity, &CircleCollider), Added<CircleCollider>>,
    materials: Res<Materials>,
) {
    for (entity, circle) in &new {
        commands
            .entity(entity)
            .insert(Visibility::default())
            .with_child((
                Mesh2d(materials.disc.clone()),
                MeshMaterial2d(materials.alone.clone()),
                Transform::from_scale(Vec2::splat(circle.radius).extend(1.0)),
            ));
    }
}

fn color(
    circles: Query<(Entity, &Children), With<CircleCollider>>,
    mut discs: Query<&mut MeshMaterial2d<ColorMaterial>>,
    collisions: Collisions,
    space: SpatialQuery,
    pointer: Res<Pointer>,
    materials: Res<Materials>,
) {
    let under = |pointer| space.overlap_point(pointer, &QueryFilter::ALL).all();
    let pointed_at = pointer.0.map(under).unwrap_or_default();
    for (entity, children) in &circles {
        let material = if pointed_at.iter().any(|hit| hit.entity == entity) {
            &materials.pointed_at
        } else if collisions.of(entity).next().is_some() {
            &materials.meeting
        } else {
            &materials.alone
        };
        for child in children {
            if let Ok(mut disc) = discs.get_mut(*child) {
                disc.set_if_neq(MeshMaterial2d(material.clone()));
            }
        }
    }
}

/// Draws a line between the centers of each pair.
fn draw_pairs(collisions: Collisions, circles: Query<&Transform>, mut gizmos: Gizmos) {
    for hit in collisions.iter() {
        if let Ok([a, b]) = circles.get_many([hit.a, hit.b]) {
            gizmos.line_2d(
                a.translation.truncate(),
                b.translation.truncate(),
                Palette::INK,
            );
        }
    }
}

fn write_numbers(
    count: Res<Count>,
    collisions: Collisions,
    settings: Res<CollisionSettings>,
    mut text: Single<&mut Text2d, With<Numbers>>,
) {
    let touching = match settings.touching {
        Touching::Counts => "touching counts",
        Touching::Ignored => "touching does not count",
    };
    let pairs = collisions.len();
    let line = format!("{} circles, {pairs} pairs, {touching}", count.0);
    write(&mut text, line);
}
