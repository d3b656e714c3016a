//! The building: rooms in a row, each with a wall to write on, doors between them, and a camera that follows the dot.

use bevy::{
    ecs::schedule::ScheduleLabel, input::common_conditions::input_just_pressed, prelude::*,
    sprite::Anchor, text::FontSize,
};
use bevy_nudge::prelude::*;
use common::{Paint, Palette, SIZE, carry_help, draw_rooms, label};

/// How many rooms there are.
pub const COUNT: usize = 13;
/// The floor, relative to the middle of a room. Above it is the wall with the writing, below it the line with the keys.
pub const FLOOR: Rect = Rect {
    min: Vec2::new(-312.0, -208.0),
    max: Vec2::new(312.0, 144.0),
};
/// The height of the path through all doors.
pub const PATH: f32 = -32.0;
/// Half the width of a door.
const DOOR: f32 = 44.0;
/// The width of the wall between the floors of two rooms; below them it is half of that.
const WALL: f32 = 16.0;
/// How fast the camera follows the dot: the decay rate of its distance, per second.
const CAMERA_SPEED: f32 = 8.0;

/// A room, with the text that the visitor reads on its wall. Places in it are relative to the middle of the screen that shows it.
pub struct Room {
    /// Counted from the left.
    pub number: usize,
    pub title: &'static str,
    /// At most 76 letters a line.
    pub wall: [&'static str; 3],
}

/// Spawns the things of all rooms in their first places.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Furnish;

/// Marks what [`Furnish`] spawns; it is despawned before the next [`Furnish`].
#[derive(Component)]
pub struct Furniture;

/// A line of text on the floor, centered on its place. The game writes it.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct Sign(pub String);

impl Room {
    pub fn middle(&self) -> Vec2 {
        Vec2::new(self.number as f32 * SIZE.x, 0.0)
    }

    /// Returns a place beside the left door.
    pub fn entrance(&self) -> Vec2 {
        entrance(self.number)
    }

    /// Returns the components of a thing in the room.
    pub fn thing(&self, x: f32, y: f32) -> impl Bundle + use<> {
        let place = self.middle() + Vec2::new(x, y);
        (Furniture, Transform::from_translation(place.extend(0.0)))
    }

    /// Returns the components of a thing with a name. The account reports it when it meets another one with a name.
    pub fn named(&self, name: &'static str, x: f32, y: f32) -> impl Bundle + use<> {
        (Name::new(name), self.thing(x, y))
    }

    pub fn sign(&self, text: String, x: f32, y: f32) -> impl Bundle + use<> {
        let place = self.middle() + Vec2::new(x, y);
        let over_things = Transform::from_translation(place.extend(0.5));
        (Furniture, Sign(text), over_things)
    }

    pub fn write_on_wall(&self, commands: &mut Commands) {
        let left = self.middle().x + 16.0;
        let mut write = |text: String, y: f32, size: f32| {
            let mut line = commands.spawn(label(text, (left, y), Anchor::TOP_LEFT, Palette::INK));
            let font_size = FontSize::Px(size);
            line.insert(TextFont {
                font_size,
                ..default()
            });
        };
        write(format!("{}  {}", self.number + 1, self.title), 10.0, 18.0);
        for (y, line) in [36.0, 54.0, 72.0].into_iter().zip(self.wall) {
            write(line.to_owned(), y, 13.0);
        }
    }
}

/// Returns the number of the room that contains a place.
pub fn room_at(x: f32) -> usize {
    let from_left = ((x + SIZE.x * 0.5) / SIZE.x).floor();
    (from_left.max(0.0) as usize).min(COUNT - 1)
}

/// Returns a place beside the left door of a room.
pub fn entrance(number: usize) -> Vec2 {
    Vec2::new(number as f32 * SIZE.x + FLOOR.min.x + 20.0, PATH)
}

pub fn plugin(app: &mut App) {
    app.init_schedule(Furnish)
        .add_systems(Startup, (build, furnish).chain())
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            furnish
                .run_if(input_just_pressed(KeyCode::KeyR))
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        );
}

/// Builds the walls, which a restart does not touch.
fn build(mut commands: Commands) {
    let mut wall = |min: Vec2, max: Vec2, color: Color| {
        let size = max - min;
        commands.spawn((
            BoxCollider::from_size(size),
            Body::Static,
            Paint(color),
            Transform::from_translation(((min + max) * 0.5).extend(-2.0)),
        ));
    };
    let (left, right) = (-SIZE.x * 0.5, (COUNT as f32 - 0.5) * SIZE.x);
    let (floor, back) = (FLOOR.min.y, FLOOR.max.y);
    wall(
        Vec2::new(left, back),
        Vec2::new(right, SIZE.y * 0.5),
        Palette::GRID,
    );
    wall(
        Vec2::new(left, floor - WALL * 0.5),
        Vec2::new(right, floor),
        Palette::OTHER,
    );
    for number in 0..=COUNT {
        let middle = left + number as f32 * SIZE.x;
        let mut between = |low: f32, high: f32| {
            let half = Vec2::new(WALL * 0.5, 0.0);
            let (min, max) = (
                Vec2::new(middle, low) - half,
                Vec2::new(middle, high) + half,
            );
            wall(min, max, Palette::OTHER);
        };
        if number == 0 || number == COUNT {
            between(floor, back);
        } else {
            between(floor, PATH - DOOR);
            between(PATH + DOOR, back);
        }
    }
}

fn furnish(world: &mut World) {
    let mut all = world.query_filtered::<Entity, With<Furniture>>();
    let all: Vec<Entity> = all.iter(world).collect();
    for entity in all {
        world.despawn(entity);
    }
    world.run_schedule(Furnish);
}

pub fn drawing(app: &mut App) {
    app.add_systems(PostStartup, carry_help)
        .add_systems(Update, (show_signs, draw_rooms))
        .add_systems(PostUpdate, follow.before(TransformSystems::Propagate));
}

/// Moves the camera to the room that the dot is in; by real time, since the dot may go to another room in a pause.
fn follow(
    time: Res<Time<Real>>,
    mut camera: Single<&mut Transform, With<Camera2d>>,
    dot: Single<&Transform, (With<super::dot::Dot>, Without<Camera2d>)>,
) {
    let goal = room_at(dot.translation.x) as f32 * SIZE.x;
    let x = &mut camera.translation.x;
    x.smooth_nudge(&goal, CAMERA_SPEED, time.delta_secs());
    // Text is sharp only on whole pixels.
    if (*x - goal).abs() < 0.5 {
        *x = goal;
    }
}

fn show_signs(mut commands: Commands, signs: Query<(Entity, &Sign), Changed<Sign>>) {
    for (entity, sign) in &signs {
        commands.entity(entity).insert((
            Text2d::new(&sign.0),
            TextFont {
                font_size: FontSize::Px(13.0),
                ..default()
            },
            TextColor(Palette::INK),
        ));
    }
}
