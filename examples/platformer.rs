//! A room of tiles, ledges, and a lift.
//!
//! Left and right, or A and D, walk; up, W or Space jump, higher if held; down or S drops from a ledge. `R` goes back to the start.
//!
//! The one thing to learn: the player is a box with a `Velocity`, which the game changes and by which the plugin lets the player slide. The floor is a row of separate tiles, and nothing catches
//! on their seams. The blue ledges are `OneWay`, and the topmost is a belt by its `SurfaceVelocity`; the lift is a `Kinematic` body with a `Velocity`, and carries whatever stands on it.
//!
//! The game needs no ray to find out whether the player stands: `Collisions::is_on_floor` tells it.

use bevy::{prelude::*, sprite::Anchor, time::common_conditions::paused};
use bevy_nudge::prelude::*;
use common::{
    JUMP_KEYS, Palette, SIZE, Stage, Step, at, direction, label, play, turn_at_ends, write,
};

pub const STAGE: Stage = Stage {
    title: "platformer",
    ticks_per_second: 60.0,
    help: "arrows, WASD, Space: walk, jump, drop   R: restart",
    recording: &[
        // Under the ledge, up through it, and onto the next one.
        Step::keys(45, &[KeyCode::ArrowRight]),
        Step::keys(60, &[KeyCode::Space]),
        Step::keys(4, &[KeyCode::Space, KeyCode::ArrowLeft]),
        Step::keys(2, &[KeyCode::ArrowLeft]),
        Step::keys(50, &[KeyCode::ArrowLeft, KeyCode::Space]),
        // Down, and onto the lift.
        Step::keys(6, &[KeyCode::ArrowDown]),
        Step::keys(24, &[]),
        Step::keys(60, &[KeyCode::ArrowLeft]),
        Step::keys(40, &[KeyCode::Space]),
        Step::keys(150, &[]),
    ],
};

/// The width and height of a tile.
pub const TILE: f32 = 20.0;
/// Units a second, and a second squared.
const WALK: f32 = 160.0;
const JUMP: f32 = 360.0;
const GRAVITY: f32 = 1000.0;
const DROP_KEYS: [KeyCode; 2] = [KeyCode::ArrowDown, KeyCode::KeyS];
/// The part of a jump's speed that is left when the key is released.
const CUT: f32 = 0.4;
const LIFT_SPEED: f32 = 60.0;
pub const BELT_SPEED: f32 = 50.0;
/// The number of marks drawn on the belt, so that its motion can be seen.
const MARKS: u32 = 6;
/// The heights between which the lift's center moves.
const LIFT: [f32; 2] = [-196.0, 60.0];
const LEDGE: Vec2 = Vec2::new(120.0, 6.0);
const PLAYER: Vec2 = Vec2::new(16.0, 24.0);
/// A place on the floor.
pub const START: Vec2 = Vec2::new(0.0, -SIZE.y * 0.5 + 2.0 * TILE + PLAYER.y * 0.5);

#[derive(Component, Default)]
pub struct Player {
    /// It has jumped, and the key has been held since.
    rises: bool,
}

#[derive(Component)]
pub struct Lift;

#[derive(Component)]
pub struct Ledge;

#[derive(Component)]
struct Tile;

/// What the keys have asked for, until a tick has seen it.
#[derive(Resource, Default)]
struct Wishes {
    jump: bool,
    drop: bool,
}

#[derive(Component)]
struct StandsOn;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Wishes>()
        .add_systems(Startup, spawn)
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (wish.run_if(not(paused)), restart)
                .chain()
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(
            FixedUpdate,
            (walk, (fall, jump).chain(), drop_through, drive_lift),
        );
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Name::new("the player"),
        Player::default(),
        BoxCollider::from_size(PLAYER),
        Velocity::default(),
        at(START),
    ));
    commands.spawn((Name::new("the room"), BoundsCollider::from_size(SIZE)));

    // A row of floor, and a wall of three tiles to the right. Below is room for the help.
    let columns = (SIZE.x / TILE) as i32;
    let floor = (0..columns).map(|column| (column, 1));
    let wall = (2..5).map(|row| (columns - 3, row));
    for (column, row) in floor.chain(wall) {
        let corner = Vec2::new(column as f32, row as f32) * TILE - SIZE * 0.5;
        commands.spawn((
            Tile,
            BoxCollider::square(TILE),
            Body::Static,
            at(corner + TILE * 0.5),
        ));
    }
    for (number, (x, y)) in (1..).zip([(120.0, -140.0), (-20.0, -80.0), (120.0, -20.0)]) {
        let mut ledge = commands.spawn((
            Name::new(format!("ledge {number}")),
            Ledge,
            BoxCollider::from_size(LEDGE),
            Body::Static,
            OneWay::default(),
            Transform::from_xyz(x, y, 0.0),
        ));
        if number == 3 {
            ledge.insert(SurfaceVelocity(Vec2::NEG_X * BELT_SPEED));
        }
    }
    commands.spawn((
        Name::new("the lift"),
        Lift,
        BoxCollider::new(100.0, 8.0),
        Body::Kinematic,
        OneWay::default(),
        Velocity(Vec2::NEG_Y * LIFT_SPEED),
        Transform::from_xyz(-200.0, LIFT[1], 0.0),
    ));
}

/// Notes keys that are pressed between two ticks. During a pause it does not run, or they would count in the tick after it.
fn wish(keys: Res<ButtonInput<KeyCode>>, mut wishes: ResMut<Wishes>) {
    wishes.jump |= keys.any_just_pressed(JUMP_KEYS);
    wishes.drop |= keys.any_just_pressed(DROP_KEYS);
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Velocity, With<Player>>) {
    player.0.x = direction(&keys).x * WALK;
}

fn fall(time: Res<Time>, mut player: Single<&mut Velocity, With<Player>>) {
    player.0.y -= GRAVITY * time.delta_secs();
}

fn jump(
    mut wishes: ResMut<Wishes>,
    keys: Res<ButtonInput<KeyCode>>,
    collisions: Collisions,
    player: Single<(Entity, &mut Player, &mut Velocity)>,
) {
    let (entity, mut player, mut velocity) = player.into_inner();
    if std::mem::take(&mut wishes.jump) && collisions.is_on_floor(entity) {
        velocity.0.y = JUMP;
        player.rises = true;
    }
    // The key was released, however short it was held.
    if player.rises && !keys.any_pressed(JUMP_KEYS) {
        velocity.0.y = velocity.0.y.min(velocity.0.y * CUT);
        player.rises = false;
    }
}

/// Lets the player fall through ledges as long as the key is held; for at least one tick, after which it is in the ledge already.
fn drop_through(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mut wishes: ResMut<Wishes>,
    player: Single<Entity, With<Player>>,
) {
    let mut player = commands.entity(*player);
    if std::mem::take(&mut wishes.drop) || keys.any_pressed(DROP_KEYS) {
        player.insert(DropThrough);
    } else {
        player.remove::<DropThrough>();
    }
}

/// Moves the lift up and down forever.
fn drive_lift(lift: Single<(&Transform, &mut Velocity), With<Lift>>) {
    let (transform, mut velocity) = lift.into_inner();
    turn_at_ends(transform.translation.y, LIFT, &mut velocity.0.y);
}

fn restart(
    keys: Res<ButtonInput<KeyCode>>,
    mut wishes: ResMut<Wishes>,
    player: Single<(&mut Transform, &mut Velocity), With<Player>>,
) {
    if keys.just_pressed(KeyCode::KeyR) {
        let (mut transform, mut velocity) = player.into_inner();
        *transform = at(START);
        *velocity = Velocity::default();
        *wishes = Wishes::default();
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, spawn_line)
        .add_systems(PostStartup, (draw, mark_belt))
        .add_systems(Update, (tell_where, run_belt));
}

/// The markers that decide how a box is drawn.
type Kind = (Has<Player>, Has<Tile>, Has<Lift>);

fn draw(mut commands: Commands, boxes: Query<(Entity, &BoxCollider, Kind)>) {
    for (entity, collider, kind) in &boxes {
        let size = collider.size();
        let (color, size) = match kind {
            (true, ..) => (Palette::PLAYER, size),
            // A pixel less, so that the single tiles can be seen.
            (_, true, _) => (Palette::OTHER, size - 1.0),
            (.., true) => (Palette::GOOD, size),
            _ => (Color::srgb(0.45, 0.65, 0.92), size),
        };
        commands
            .entity(entity)
            .insert(Sprite::from_color(color, size));
    }
}

/// A mark on the belt, and its distance from the left end at the start.
#[derive(Component)]
struct Mark(f32);

fn mark_belt(mut commands: Commands, belt: Single<(Entity, &BoxCollider), With<SurfaceVelocity>>) {
    let (belt, collider) = belt.into_inner();
    let size = collider.size();
    commands.entity(belt).with_children(|belt| {
        for number in 0..MARKS {
            let mark = Sprite::from_color(Palette::OTHER, Vec2::new(4.0, size.y));
            let from = size.x * number as f32 / MARKS as f32;
            belt.spawn((mark, Mark(from), Transform::from_xyz(0.0, 0.0, 0.1)));
        }
    });
}

fn run_belt(
    time: Res<Time>,
    belts: Query<(&BoxCollider, &SurfaceVelocity)>,
    mut marks: Query<(&Mark, &ChildOf, &mut Transform)>,
) {
    for (mark, belt, mut transform) in &mut marks {
        if let Ok((collider, velocity)) = belts.get(belt.parent()) {
            let length = collider.size().x;
            let gone = (mark.0 + velocity.0.x * time.elapsed_secs()).rem_euclid(length);
            // Clamped, so that the marks at the ends do not stick out.
            transform.translation.x =
                (gone - length * 0.5).clamp(2.0 - length * 0.5, length * 0.5 - 2.0);
        }
    }
}

fn spawn_line(mut commands: Commands) {
    let place = (SIZE.x - 8.0, 8.0);
    commands.spawn((StandsOn, label("", place, Anchor::TOP_RIGHT, Palette::INK)));
}

fn tell_where(
    collisions: Collisions,
    player: Single<Entity, With<Player>>,
    mut text: Single<&mut Text2d, With<StandsOn>>,
) {
    let stands = collisions.is_on_floor(*player);
    write(&mut text, if stands { "stands" } else { "in the air" });
}
