//! A corridor of tiles, some of which break.

use bevy::prelude::*;
use bevy_nudge::{
    prelude::*,
    tiles::{MergedTiles, TileCells, TileColliders},
};

use common::{Paint, Palette};

use super::{
    building::{FLOOR, Furnish, Room, Sign},
    dot::Dot,
};

pub const ROOM: Room = Room {
    number: 7,
    title: "Tiles",
    wall: [
        "All tiles are one entity, and few boxes. In the corridor, hold Right and",
        "Down: nothing catches on their seams. A collision knows its cell, and this",
        "room's game breaks the amber ones, which have boxes of their own.",
    ],
};

pub const CELL: f32 = 20.0;
/// `#` wall, `o` amber. The dot's path leads through the corridor.
static MAP: [&str; 15] = [
    ".....oo....######....oo.....",
    ".....oo....######....oo.....",
    "....####################....",
    "..............o.............",
    "..............o.............",
    "..............o.............",
    "..............o.............",
    "..............o.............",
    "....####################....",
    "............................",
    ".oo......................oo.",
    ".oo...####oooooooo####...oo.",
    "......#oooooooooooooo#......",
    "......################......",
    "............................",
];
/// The lower left corner of the map, relative to the middle of the room.
pub const ORIGIN: Vec2 = Vec2::new(-280.0, FLOOR.min.y + CELL);

#[derive(Component)]
pub struct Grid;

#[derive(Component)]
struct CountSign;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build)
        .add_systems(Furnish, (mend, spawn))
        .add_systems(
            FixedPostUpdate,
            (crumble, count).after(CollisionSystems::Report),
        )
        .add_systems(FixedLast, paint);
}

/// Returns the cells of the map with this symbol.
pub fn cells(symbol: char) -> impl Iterator<Item = IVec2> {
    common::cells(&MAP, symbol)
}

/// Builds the tiles, which a restart mends.
fn build(mut commands: Commands) {
    let filled = cells('#').chain(cells('o'));
    let mut tiles = TileColliders::from_cells(Vec2::splat(CELL), filled);
    for amber in cells('o') {
        tiles.set_alone(amber, true);
    }
    let corner = Transform::from_translation((ROOM.middle() + ORIGIN).extend(0.0));
    commands.spawn((corner, Grid, tiles, Visibility::default()));
}

fn mend(mut tiles: Single<&mut TileColliders, With<Grid>>) {
    for amber in cells('o') {
        tiles.set(amber, true);
    }
}

fn spawn(mut commands: Commands) {
    commands.spawn((CountSign, ROOM.sign(String::new(), 0.0, 126.0)));
}

fn crumble(
    collisions: Collisions,
    met: TileCells,
    dot: Single<Entity, With<Dot>>,
    mut tiles: Single<&mut TileColliders, With<Grid>>,
) {
    for hit in collisions.of(*dot) {
        if let Some((_, cell)) = met.met_by(*dot, &hit)
            && cells('o').any(|amber| amber == cell)
        {
            tiles.set(cell, false);
        }
    }
}

fn count(
    boxes: Query<(), With<MergedTiles>>,
    tiles: Single<&TileColliders, With<Grid>>,
    mut sign: Single<&mut Sign, With<CountSign>>,
) {
    let filled = cells('#').chain(cells('o'));
    let left = filled.filter(|cell| tiles.is_filled(*cell)).count();
    sign.set_if_neq(Sign(format!("{left} cells, {} boxes", boxes.count())));
}

fn paint(mut commands: Commands, new: Query<(Entity, &MergedTiles), Added<MergedTiles>>) {
    for (entity, merged) in &new {
        let is_amber = cells('o').any(|amber| amber == merged.min);
        let color = if is_amber {
            Color::srgb(0.95, 0.73, 0.20)
        } else {
            Palette::OTHER
        };
        commands.entity(entity).insert(Paint(color));
    }
}
