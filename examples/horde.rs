//! A crowd that presses around the player, who shoots at it until there are too many.
//!
//! Arrow keys or WASD walk. The player shoots at the nearest enemy without a key; Space sets off a blast that hurts enemies and throws them back all around, and then takes three seconds to be ready
//! again. Enemies that touch the player cost health; `R` starts again.
//!
//! The one thing to learn: in each tick the game gives every enemy a `Velocity` towards the player, and that is all there is to a horde. The plugin makes each enemy slide around the others, the
//! pillars and the player, and the light ones give way to the heavy ones, so no enemy ends inside of another.

use bevy::{
    input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor,
    time::common_conditions::paused,
};
use bevy_nudge::prelude::*;
use common::{
    Account, Paint, Palette, SIZE, Stage, Step, account_is_read, at, direction, label,
    paint_plugin, play, ring, write,
};

pub const STAGE: Stage = Stage {
    title: "horde",
    ticks_per_second: 60.0,
    help: "arrows, WASD: walk   Space: a blast   R: restart",
    recording: &[
        // Along a pillar, and wait behind it until the enemies are there.
        Step::keys(60, &[KeyCode::ArrowRight]),
        Step::keys(40, &[KeyCode::ArrowRight, KeyCode::ArrowUp]),
        Step::keys(260, &[]),
        // Make room, flee, and be surrounded again.
        Step::keys(1, &[KeyCode::Space]),
        Step::keys(40, &[KeyCode::ArrowLeft]),
        Step::keys(30, &[KeyCode::ArrowLeft, KeyCode::KeyS]),
        Step::keys(138, &[]),
        Step::keys(1, &[KeyCode::Space]),
        Step::keys(50, &[]),
    ],
};

/// Width and height of the room. There is a line of text above it, and one below.
pub const ROOM: Vec2 = Vec2::new(SIZE.x - 16.0, SIZE.y - 80.0);
/// Each pillar's width and height, corner radius, and place.
pub const PILLARS: [(Vec2, f32, Vec2); 4] = [
    (Vec2::new(60.0, 60.0), 30.0, Vec2::new(110.0, 10.0)),
    (Vec2::new(90.0, 24.0), 0.0, Vec2::new(-130.0, 90.0)),
    (Vec2::new(24.0, 80.0), 0.0, Vec2::new(-130.0, -80.0)),
    (Vec2::new(70.0, 30.0), 8.0, Vec2::new(60.0, -120.0)),
];

pub const RADIUS: f32 = 8.0;
/// Units a second.
pub const WALK: f32 = 120.0;
pub const HEALTH: f32 = 100.0;
/// The health that an enemy costs a player for each tick in which it touches the player.
pub const BITE: f32 = 1.0 / 30.0;
/// The most enemies at one time.
pub const CROWD: usize = 150;
/// Ticks from one enemy to the next.
const ARRIVAL: u32 = 3;

/// Ticks from one shot to the next.
pub const SHOT: u32 = 10;
/// Units a second: ten in a tick.
const BULLET_SPEED: f32 = 600.0;
const BULLET_RADIUS: f32 = 2.0;

/// How far a blast reaches, what health it takes, and how fast it throws back a mass of 1.
pub const BLAST: f32 = 90.0;
pub const BLAST_HURTS: f32 = 2.0;
const BLAST_SPEED: f32 = 480.0;
/// The part of a thrust that is left after a tick.
const THRUST_LEFT: f32 = 0.9;
/// Ticks from one blast to the next, and for how many of them the blast is drawn.
pub const BLAST_PAUSE: u32 = 180;
const BLAST_SEEN: u32 = 20;

pub const WORLD: u32 = 1 << 0;
pub const PLAYER: u32 = 1 << 1;
pub const ENEMIES: u32 = 1 << 2;
pub const BULLETS: u32 = 1 << 3;

/// The widths of enemies, circles and boxes; each entry is equally likely.
const WIDTHS: [f32; 10] = [10.0, 10.0, 10.0, 10.0, 14.0, 14.0, 14.0, 18.0, 18.0, 32.0];

#[derive(Component)]
pub struct Player;

#[derive(Component)]
pub struct Enemy {
    pub speed: f32,
    /// The velocity that a blast has given it, which fades.
    pub thrust: Vec2,
}

#[derive(Component)]
pub struct Bullet;

/// The health of the player or an enemy.
#[derive(Component)]
pub struct Health {
    pub left: f32,
    pub full: f32,
}

impl Health {
    pub const fn new(full: f32) -> Self {
        Self { left: full, full }
    }
}

#[derive(Resource)]
pub struct Game {
    /// Ticks since the start.
    pub tick: u32,
    pub killed: u32,
    /// Ticks until the next blast can be set off, and the center of the last one.
    pub until_blast: u32,
    blast_at: Vec2,
    random: fastrand::Rng,
}

impl Default for Game {
    fn default() -> Self {
        Self {
            tick: 0,
            killed: 0,
            until_blast: 0,
            blast_at: Vec2::ZERO,
            // A fixed seed, so that each game has the same horde.
            random: fastrand::Rng::with_seed(7),
        }
    }
}

#[derive(Component)]
struct GameText;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    let from_above = CollisionSettings {
        up: Vec2::ZERO,
        ..default()
    };
    app.add_plugins(CollisionPlugin::default())
        .insert_resource(from_above)
        .init_resource::<Game>()
        .add_systems(Startup, (build_room, spawn_player))
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (
                blast
                    .run_if(input_just_pressed(KeyCode::Space))
                    .run_if(not(paused)),
                (clear, spawn_player)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .chain()
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(
            FixedUpdate,
            (
                count_down,
                // Without a player no time is counted, and no enemy comes; systems with a `Single` of the player do not run then either.
                (count_tick, arrive)
                    .chain()
                    .run_if(any_with_component::<Player>),
                walk,
                seek,
                shoot,
            )
                .chain(),
        )
        .add_systems(
            FixedPostUpdate,
            (hit, bite, tell.run_if(account_is_read), bury)
                .chain()
                .after(CollisionSystems::Report),
        );
}

fn build_room(mut commands: Commands) {
    let layers = CollisionLayers::on(WORLD);
    commands.spawn((BoundsCollider::from_size(ROOM), Body::Static, layers));
    for (size, corner_radius, place) in PILLARS {
        commands.spawn((
            Name::new("a pillar"),
            BoxCollider::from_size(size).with_corner_radius(corner_radius),
            (Body::Static, layers, Paint(Palette::INK)),
            at(place),
        ));
    }
}

/// Spawns the player, which is so heavy that no crowd moves it while it stands. A dense crowd holds a player that walks, until a blast makes room.
fn spawn_player(mut commands: Commands) {
    commands.spawn((
        (Name::new("the player"), Player, Health::new(HEALTH)),
        (CircleCollider::new(RADIUS), Mass(f32::INFINITY)),
        CollisionLayers::on(PLAYER).with(WORLD | ENEMIES),
        Velocity::default(),
        Paint(Palette::PLAYER),
    ));
}

type Spawned = Or<(With<Player>, With<Enemy>, With<Bullet>)>;

fn clear(mut commands: Commands, all: Query<Entity, Spawned>, mut game: ResMut<Game>) {
    for entity in &all {
        commands.entity(entity).despawn();
    }
    *game = Game::default();
}

fn count_tick(mut game: ResMut<Game>) {
    game.tick += 1;
}

/// Counts down to the next blast, whatever has become of the player.
fn count_down(mut game: ResMut<Game>) {
    game.until_blast = game.until_blast.saturating_sub(1);
}

/// Spawns an enemy somewhere at the edge of the room, if the place is free.
fn arrive(
    mut commands: Commands,
    mut game: ResMut<Game>,
    space: SpatialQuery,
    enemies: Query<(), With<Enemy>>,
) {
    if !game.tick.is_multiple_of(ARRIVAL) || enemies.iter().len() >= CROWD {
        return;
    }
    // With `u64`, since a `usize` has fewer bits in a browser, and would give other numbers there.
    let mut one_of = |count: usize| game.random.u64(..count as u64) as usize;
    let width = WIDTHS[one_of(WIDTHS.len())];
    let side = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][one_of(4)];
    let along = side.perp() * (2.0 * game.random.f32() - 1.0);
    let place = (side + along) * (ROOM - width) * 0.5;
    let others = QueryFilter::on_layers(ENEMIES | PLAYER);
    let half_size = Vec2::splat(width * 0.5);
    if space.overlap_box(half_size, place, &others).any() {
        return;
    }
    // The mass is from 1 to 10. The light enemies are fast, and one bullet is enough for them.
    let mass = width * width / 100.0;
    let speed = 100.0 - 2.0 * width;
    let thrust = Vec2::ZERO;
    let mut enemy = commands.spawn((
        (Enemy { speed, thrust }, Health::new(mass.round())),
        // `Response::Slide` is the default of a `Velocity`.
        (Velocity::default(), Mass(mass)),
        CollisionLayers::on(ENEMIES),
        Paint(Palette::OTHER),
        at(place),
    ));
    if game.random.bool() {
        enemy.insert(CircleCollider::new(width * 0.5));
    } else {
        enemy.insert(BoxCollider::square(width).with_corner_radius(width * 0.15));
    }
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Velocity, With<Player>>) {
    player.0 = direction(&keys).normalize_or_zero() * WALK;
}

/// Leads the enemies straight to the player. When there is no player, all are stopped, since a `Velocity` goes on until it is changed.
fn seek(
    player: Option<Single<&Transform, With<Player>>>,
    mut enemies: Query<(&mut Enemy, &mut Velocity, &Transform)>,
) {
    for (mut enemy, mut velocity, transform) in &mut enemies {
        let way = player.as_ref().map_or(Vec3::ZERO, |player| {
            player.translation - transform.translation
        });
        velocity.0 = way.truncate().normalize_or_zero() * enemy.speed + enemy.thrust;
        enemy.thrust *= THRUST_LEFT;
    }
}

/// Shoots at the nearest enemy. A `SpatialQuery` answers with the state after the last tick.
fn shoot(
    mut commands: Commands,
    game: Res<Game>,
    space: SpatialQuery,
    player: Single<&Transform, With<Player>>,
) {
    if !game.tick.is_multiple_of(SHOT) {
        return;
    }
    let from = player.translation.truncate();
    let enemies = QueryFilter::on_layers(ENEMIES);
    if let Some(nearest) = space.nearest(from, f32::INFINITY, &enemies) {
        let aim = (nearest.point - from).normalize_or(Vec2::X);
        commands.spawn((
            Bullet,
            // A sensor, so that it pushes nothing in the crowd on its way.
            (CircleCollider::new(BULLET_RADIUS), Sensor),
            CollisionLayers::on(BULLETS).with(WORLD | ENEMIES),
            Velocity(aim * BULLET_SPEED),
            Paint(Palette::PLAYER),
            at(from),
        ));
    }
}

fn blast(
    mut game: ResMut<Game>,
    space: SpatialQuery,
    player: Single<&Transform, With<Player>>,
    mut enemies: Query<(&mut Enemy, &mut Health, &Mass, &Transform)>,
    mut account: ResMut<Account>,
) {
    if game.until_blast > 0 {
        return;
    }
    let center = player.translation.truncate();
    let in_reach = space
        .overlap_circle(BLAST, center, &QueryFilter::on_layers(ENEMIES))
        .all();
    for near in &in_reach {
        if let Ok((mut enemy, mut health, mass, transform)) = enemies.get_mut(near.entity) {
            let outwards = transform.translation.truncate() - center;
            enemy.thrust = outwards.normalize_or_zero() * BLAST_SPEED / mass.0;
            health.left -= BLAST_HURTS;
        }
    }
    game.until_blast = BLAST_PAUSE;
    game.blast_at = center;
    account.tell(format_args!("a blast: {} are in reach", in_reach.len()));
}

/// Lets bullets hit. A bullet passes through everything on its way in a tick, and hits the first of it, be it an enemy or a wall.
fn hit(
    mut commands: Commands,
    mut hits: CollisionReader<With<Bullet>, ()>,
    mut enemies: Query<&mut Health, With<Enemy>>,
) {
    for hit in hits.first_started() {
        commands.entity(hit.a).despawn();
        if let Ok(mut health) = enemies.get_mut(hit.b) {
            health.left -= 1.0;
        }
    }
}

/// Takes health from the player for each enemy that touches it, in each tick.
fn bite(
    mut touching: CollisionReader<With<Player>, With<Enemy>>,
    mut player: Single<&mut Health, With<Player>>,
) {
    player.left -= touching.ongoing().count() as f32 * BITE;
}

/// Tells once a second how the game stands.
fn tell(
    mut touching: CollisionReader<With<Player>, With<Enemy>>,
    player: Single<&Health, With<Player>>,
    game: Res<Game>,
    enemies: Query<(), With<Enemy>>,
    mut account: ResMut<Account>,
) {
    let count = touching.ongoing().count();
    if game.tick.is_multiple_of(60) {
        account.tell(format_args!(
            "{} enemies, {count} of them at the player; health {:.0}, {} killed",
            enemies.iter().len(),
            player.left,
            game.killed
        ));
    }
}

fn bury(
    mut commands: Commands,
    all: Query<(Entity, &Health, Has<Player>), Changed<Health>>,
    mut game: ResMut<Game>,
    mut account: ResMut<Account>,
) {
    for (entity, health, is_player) in &all {
        if health.left > 0.0 {
            continue;
        }
        commands.entity(entity).despawn();
        if is_player {
            account.tell("the player falls");
        } else {
            game.killed += 1;
        }
    }
}

pub fn drawing(app: &mut App) {
    app.add_plugins(paint_plugin)
        .add_systems(Startup, (draw_room, spawn_text))
        .add_systems(Update, (redden, draw_blast, write_text));
}

type IsHurt = (With<Enemy>, Changed<Health>);

/// Colors enemies the redder, the less health is left. Between a blast and the next tick it may be less than none.
fn redden(mut hurt: Query<(&mut Paint, &Health), IsHurt>) {
    for (mut paint, health) in &mut hurt {
        let left = (health.left / health.full).max(0.0);
        paint.0 = Palette::HIT.mix(&Palette::OTHER, left);
    }
}

/// Draws the floor, without an outline, which would cover enemies at the wall.
fn draw_room(mut commands: Commands) {
    for (color, size, z) in [(Palette::GRID, SIZE, -3.0), (Palette::PAPER, ROOM, -2.0)] {
        let place = Transform::from_xyz(0.0, 0.0, z);
        commands.spawn((Sprite::from_color(color, size), place));
    }
}

fn draw_blast(game: Res<Game>, mut gizmos: Gizmos) {
    let passed = BLAST_PAUSE - game.until_blast;
    if passed < BLAST_SEEN {
        let faded = passed as f32 / BLAST_SEEN as f32;
        let color = Palette::HIT.mix(&Palette::PAPER, faded);
        let room = Rect::from_center_size(Vec2::ZERO, ROOM);
        gizmos.linestrip_2d(ring(game.blast_at, BLAST, room), color);
    }
}

fn spawn_text(mut commands: Commands) {
    let place = (8.0, 12.0);
    commands.spawn((GameText, label("", place, Anchor::TOP_LEFT, Palette::INK)));
}

fn write_text(
    game: Res<Game>,
    player: Option<Single<&Health, With<Player>>>,
    mut text: Single<&mut Text2d, With<GameText>>,
) {
    let killed = game.killed;
    let line = match player {
        Some(health) => {
            let blast = match game.until_blast {
                0 => "ready".to_owned(),
                ticks => format!("in {:.1} s", f64::from(ticks) / STAGE.ticks_per_second),
            };
            format!(
                "health {:.0}   killed {killed}   blast {blast}",
                health.left.ceil()
            )
        }
        None => {
            let seconds = (f64::from(game.tick) / STAGE.ticks_per_second).floor();
            format!("You have fallen after {seconds} s, and {killed} before you. R starts anew.")
        }
    };
    write(&mut text, line);
}
