//! Rooms of tiles seen from above, doors, and crates to push.
//!
//! Arrow keys or WASD walk; Space opens and closes the doors nearby; `R` starts again.
//!
//! The one thing to learn: the whole building is one entity with `TileColliders`, made from the text of a map. Doors are cells of it that are filled or not. The crates have no
//! `Velocity`: a player that walks into a crate pushes it along, and a wall behind the crate stops both.

use bevy::{
    input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor,
    time::common_conditions::paused,
};
use bevy_nudge::{
    prelude::*,
    tiles::{MergedTiles, TileColliders},
};

use common::{Account, Palette, SIZE, Stage, Step, at, direction, disc, label, play, write};

pub const STAGE: Stage = Stage {
    title: "top_down",
    ticks_per_second: 60.0,
    help: "arrows, WASD: walk, and push   Space: doors   R: restart",
    recording: &[
        // Into the door, which is closed; open it, and go through.
        Step::keys(90, &[KeyCode::ArrowRight]),
        Step::keys(2, &[KeyCode::Space]),
        Step::keys(25, &[KeyCode::ArrowRight]),
        // Push a crate along the next room, until the wall stops both.
        Step::keys(9, &[KeyCode::ArrowDown]),
        Step::keys(330, &[KeyCode::ArrowRight]),
    ],
};

/// The width and height of a cell.
pub const CELL: f32 = 20.0;
/// `#` wall, `+` door, `o` crate, `@` the player.
static MAP: [&str; 21] = [
    "################################",
    "#..........#...................#",
    "#..........#...................#",
    "#..........#......o............#",
    "#..........#...................#",
    "#..........#.........##........#",
    "#....@.....+.........##........#",
    "#..........#....o..............#",
    "#..........#...................#",
    "#..........#...................#",
    "######+#######################+#",
    "#..........#...................#",
    "#..........#...................#",
    "#....o.....#....########.......#",
    "#..........#....#......#.......#",
    "#...oo.....+....#..oo..+.......#",
    "#..........#....#......#.......#",
    "#..........#....########.......#",
    "#..........#...................#",
    "#..........#...................#",
    "################################",
];
/// Units a second.
const WALK: f32 = 140.0;
const RADIUS: f32 = 8.0;
const CRATE: f32 = 18.0;
/// How far away doors can be opened and closed.
const REACH: f32 = 45.0;

#[derive(Component)]
pub struct Player;

#[derive(Component)]
pub struct Crate;

/// The cells that are doors.
#[derive(Component)]
pub struct Doors(Vec<IVec2>);

#[derive(Component)]
struct DoorText;

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
        .add_systems(Startup, (build, spawn))
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            (
                use_doors
                    .run_if(input_just_pressed(KeyCode::Space))
                    .run_if(not(paused)),
                (shut_doors, clear, spawn)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, walk);
}

/// The lower left corner of the building, in the world. There is room for the help below it, and for a line above.
const ORIGIN: Vec2 = Vec2::new(-SIZE.x * 0.5, -SIZE.y * 0.5 + 40.0);

/// Returns the cells of the map with this symbol.
fn cells(symbol: char) -> impl Iterator<Item = IVec2> {
    common::cells(&MAP, symbol)
}

/// Returns the center of a cell.
pub fn middle(cell: IVec2) -> Vec2 {
    ORIGIN + (cell.as_vec2() + 0.5) * CELL
}

/// Spawns the building, which a restart leaves where it is.
fn build(mut commands: Commands) {
    let filled = cells('#').chain(cells('+'));
    let mut tiles = TileColliders::from_cells(Vec2::splat(CELL), filled);
    for door in cells('+') {
        tiles.set_alone(door, true);
    }
    commands.spawn((
        Name::new("the building"),
        tiles,
        Doors(cells('+').collect()),
        Visibility::default(),
        at(ORIGIN),
    ));
}

fn spawn(mut commands: Commands) {
    for cell in cells('@') {
        commands.spawn((
            Name::new("the player"),
            Player,
            CircleCollider::new(RADIUS),
            Velocity::default(),
            Transform::from_translation(middle(cell).extend(1.0)),
        ));
    }
    for (number, cell) in (1..).zip(cells('o')) {
        commands.spawn((
            Name::new(format!("crate {number}")),
            Crate,
            BoxCollider::square(CRATE),
            at(middle(cell)),
        ));
    }
}

fn shut_doors(building: Single<(&mut TileColliders, &Doors)>) {
    let (mut tiles, doors) = building.into_inner();
    for &door in &doors.0 {
        tiles.set(door, true);
    }
}

type Spawned = Or<(With<Player>, With<Crate>)>;

fn clear(mut commands: Commands, all: Query<Entity, Spawned>) {
    for entity in &all {
        commands.entity(entity).despawn();
    }
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Velocity, With<Player>>) {
    player.0 = direction(&keys).normalize_or_zero() * WALK;
}

/// Opens and closes doors. A door that a body stands in stays open.
fn use_doors(
    building: Single<(&mut TileColliders, &Doors)>,
    player: Single<&Transform, With<Player>>,
    space: SpatialQuery,
    mut account: ResMut<Account>,
) {
    let (mut tiles, doors) = building.into_inner();
    let at = player.translation.truncate();
    // Leaves out the building itself, and bodies that only touch the frame of the door.
    let bodies = QueryFilter {
        statics: false,
        touching: Some(Touching::Ignored),
        ..QueryFilter::SOLID
    };
    for &door in &doors.0 {
        if at.distance(middle(door)) > REACH {
            continue;
        }
        let is_shut = tiles.is_filled(door);
        let half = Vec2::splat(CELL * 0.5);
        if is_shut || !space.overlap_box(half, middle(door), &bodies).any() {
            tiles.set(door, !is_shut);
            account.tell(if is_shut {
                "a door opens"
            } else {
                "a door shuts"
            });
        }
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, spawn_line)
        .add_systems(Update, (draw_tiles, draw_bodies, write_line));
}

/// Draws new colliders of the building, whenever its cells are merged anew; the pictures are despawned along with their colliders.
fn draw_tiles(
    mut commands: Commands,
    merged: Query<(Entity, &MergedTiles, &BoxCollider), Added<MergedTiles>>,
    doors: Query<&Doors>,
) {
    for (entity, tiles, collider) in &merged {
        let is_door = doors.iter().any(|doors| doors.0.contains(&tiles.min));
        let color = if is_door {
            Color::srgb(0.78, 0.55, 0.28)
        } else {
            Palette::OTHER
        };
        let sprite = Sprite::from_color(color, collider.size());
        commands.entity(entity).insert(sprite);
    }
}

type Undrawn = (Or<(With<Player>, With<Crate>)>, Without<Sprite>);

fn draw_bodies(
    mut commands: Commands,
    bodies: Query<(Entity, Has<Player>), Undrawn>,
    assets: Res<AssetServer>,
) {
    for (entity, is_player) in &bodies {
        let sprite = if is_player {
            disc(&assets, Palette::PLAYER, RADIUS)
        } else {
            Sprite::from_color(Color::srgb(0.87, 0.72, 0.50), Vec2::splat(CRATE))
        };
        commands.entity(entity).insert(sprite);
    }
}

fn spawn_line(mut commands: Commands) {
    let place = (SIZE.x - 8.0, 2.0);
    commands.spawn((DoorText, label("", place, Anchor::TOP_RIGHT, Palette::INK)));
}

fn write_line(
    building: Single<(&TileColliders, &Doors)>,
    merged: Query<(), With<MergedTiles>>,
    mut text: Single<&mut Text2d, With<DoorText>>,
) {
    let (tiles, doors) = building.into_inner();
    let shut = doors.0.iter().filter(|door| tiles.is_filled(**door));
    let (shut, walls) = (shut.count(), cells('#').count());
    let count = merged.count();
    let line = format!("{count} colliders for {walls} cells of wall and {shut} shut doors");
    write(&mut text, line);
}
