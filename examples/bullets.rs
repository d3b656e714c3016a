//! Thousands of bullets, through gates thinner than a pixel, and not one is missed.
//!
//! A turret fires in all directions, at speeds from slow to a hundred pixels a tick. Gates around it count every bullet that leaves their square, and the frame counts it again where it lands.
//! Space holds fire, `F` switches between usual and fivefold speed, `R` starts again.
//!
//! The one thing to learn: a sensor as thin as a hair counts everything that goes through it, in the right order, because a `Velocity` is swept along its whole way in a tick:
//! it does not matter where the bullet is at the end of the tick.

use bevy::{
    input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor,
    time::common_conditions::paused,
};
use bevy_nudge::prelude::*;
use common::{Account, Palette, SIZE, Stage, Step, at, disc, draw_rooms, label, play, write};

pub const STAGE: Stage = Stage {
    title: "bullets",
    ticks_per_second: 60.0,
    help: "Space: hold fire   F: five times as fast   R: restart",
    recording: &[
        Step::keys(120, &[]),
        Step::keys(1, &[KeyCode::KeyF]),
        Step::keys(60, &[]),
        Step::keys(150, &[KeyCode::Space]),
    ],
};

/// Bullets a tick.
const RATE: u32 = 40;
/// Units a second, from the slowest to the fastest.
const SPEEDS: [f32; 2] = [120.0, 1200.0];
const FAST: f32 = 5.0;
const BULLET_RADIUS: f32 = 1.5;
/// Cosine and sine of the golden angle.
const GOLDEN_ANGLE: Vec2 = Vec2::new(-0.737_368_9, 0.675_490_3);
/// Half a side of the square of gates, and how thick they are.
const GATE: f32 = 120.0;
const GATE_WIDTH: f32 = 0.1;

const BULLETS: u32 = 1 << 1;
const WORLD: u32 = 1 << 0;

#[derive(Component, Default)]
pub struct Bullet {
    has_passed: bool,
}

#[derive(Component)]
pub struct Gate;

#[derive(Component)]
struct Frame;

/// The counts of bullets.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Counts {
    pub fired: u32,
    /// Counted by the gates.
    pub passed: u32,
    /// Counted by the frame.
    pub landed: u32,
    /// Counted by the frame, and not by a gate before.
    pub missed: u32,
    pub is_fast: bool,
    /// The direction of the last bullet.
    aim: Vec2,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            fired: 0,
            passed: 0,
            landed: 0,
            missed: 0,
            is_fast: false,
            aim: Vec2::X,
        }
    }
}

#[derive(Component)]
struct CountText;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Counts>()
        .add_systems(Startup, spawn)
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (
                (|mut counts: ResMut<Counts>| counts.is_fast = !counts.is_fast)
                    .run_if(input_just_pressed(KeyCode::KeyF))
                    .run_if(not(paused)),
                restart.run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, fire)
        .add_systems(FixedPostUpdate, count.after(CollisionSystems::Report))
        .add_systems(FixedLast, tell_counts);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Frame,
        Body::Static,
        BoundsCollider::new(SIZE.x, SIZE.y - 80.0),
    ));
    for side in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        let size = side.abs() * GATE_WIDTH + side.perp().abs() * 2.0 * GATE;
        commands.spawn((
            Gate,
            BoxCollider::from_size(size),
            Body::Static,
            Sensor,
            at(side * GATE),
        ));
    }
}

fn fire(mut commands: Commands, keys: Res<ButtonInput<KeyCode>>, mut counts: ResMut<Counts>) {
    if keys.pressed(KeyCode::Space) {
        return;
    }
    for _ in 0..RATE {
        let number = counts.fired;
        // The golden angle spreads directions evenly, and never repeats one. Sines and cosines differ in the last bit between machines; sums, products and roots do not.
        counts.aim = counts.aim.rotate(GOLDEN_ANGLE).normalize_or(Vec2::X);
        let pace = (f64::from(number) * 0.754_877_666_246_693).fract() as f32;
        let speed = SPEEDS[0] + (SPEEDS[1] - SPEEDS[0]) * pace;
        let speed = if counts.is_fast { speed * FAST } else { speed };
        commands.spawn((
            Bullet::default(),
            CircleCollider::new(BULLET_RADIUS),
            CollisionLayers::on(BULLETS).with(WORLD),
            Velocity(counts.aim * speed),
            Response::Stop,
        ));
        counts.fired += 1;
    }
}

/// Counts bullets. Messages of one tick are sorted by time: a bullet's gates come before the frame. By its layers, a bullet meets nothing else.
fn count(
    mut commands: Commands,
    mut hits: CollisionReader<With<Bullet>, ()>,
    mut bullets: Query<&mut Bullet>,
    frame: Single<Entity, With<Frame>>,
    mut counts: ResMut<Counts>,
) {
    for hit in hits.started() {
        let Ok(mut bullet) = bullets.get_mut(hit.a) else {
            continue;
        };
        if hit.b == *frame {
            counts.landed += 1;
            counts.missed += u32::from(!bullet.has_passed);
            commands.entity(hit.a).despawn();
        } else if !bullet.has_passed {
            bullet.has_passed = true;
            counts.passed += 1;
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self {
            fired,
            passed,
            landed,
            missed,
            ..
        } = self;
        write!(
            out,
            "fired {fired}   gates {passed}   frame {landed}   missed {missed}"
        )
    }
}

/// Tells the counts once a second.
fn tell_counts(counts: Res<Counts>, mut account: ResMut<Account>) {
    if account.tick.is_multiple_of(60) {
        account.tell(*counts);
    }
}

fn restart(
    mut commands: Commands,
    bullets: Query<Entity, With<Bullet>>,
    mut counts: ResMut<Counts>,
) {
    for bullet in &bullets {
        commands.entity(bullet).despawn();
    }
    *counts = Counts::default();
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, (draw_turret, spawn_counts))
        .add_systems(PostStartup, draw_gates)
        .add_systems(Update, (draw_rooms, draw_bullets, write_counts));
}

/// Draws the turret above the bullets, which start in its middle.
fn draw_turret(mut commands: Commands, assets: Res<AssetServer>) {
    let turret = disc(&assets, Palette::INK, 8.0);
    commands.spawn((turret, Transform::from_xyz(0.0, 0.0, 1.0)));
}

/// Draws the gates wider than they are; otherwise they would be invisible.
fn draw_gates(mut commands: Commands, gates: Query<(Entity, &BoxCollider), With<Gate>>) {
    for (gate, collider) in &gates {
        let size = collider.size().max(Vec2::ONE);
        let sprite = Sprite::from_color(Palette::GOOD, size);
        commands.entity(gate).insert(sprite);
    }
}

/// Draws new bullets, and those that have passed a gate.
fn draw_bullets(mut commands: Commands, bullets: Query<(Entity, &Bullet), Changed<Bullet>>) {
    for (entity, bullet) in &bullets {
        let color = if bullet.has_passed {
            Palette::GOOD
        } else {
            Palette::PLAYER
        };
        let sprite = Sprite::from_color(color, Vec2::splat(2.0 * BULLET_RADIUS));
        commands.entity(entity).insert(sprite);
    }
}

fn spawn_counts(mut commands: Commands) {
    let place = (SIZE.x - 8.0, 8.0);
    commands.spawn((CountText, label("", place, Anchor::TOP_RIGHT, Palette::INK)));
}

fn write_counts(
    counts: Res<Counts>,
    bullets: Query<(), With<Bullet>>,
    mut text: Single<&mut Text2d, With<CountText>>,
) {
    let pace = if counts.is_fast { "   fast" } else { "" };
    let line = format!("{}   flying {}{pace}", *counts, bullets.count());
    write(&mut text, line);
}
