//! Two circles, one dragged with the mouse into the other.
//!
//! Drag the blue circle. `M` switches between "only red moves" and "both share", `H` makes red three times as heavy.
//!
//! The one thing to learn: which circle moves depends on `Body` and `Mass`, not on which one came from where. Red alone moves when blue is `Kinematic`; both share when
//! both are `Dynamic`, each by the mass of the other.
//!
//! What this does better than a common way of tutorials (circle against circle, one moved by the minimum translation): there, it is easy to take the direction from the second circle to
//! the first and add it to the second, which pulls it in deeper; here the normal points from the one that pushes to the other. And there, two circles in one place
//! divide by a distance of zero; here they part along the x axis.

use bevy::{prelude::*, sprite::Anchor};
use bevy_nudge::{kernel::separation, prelude::*};

use common::{
    Account, Palette, Pointer, SIZE, Stage, Step, Typed, at, label, play, to_world, write,
};

pub const STAGE: Stage = Stage {
    title: "push_apart",
    ticks_per_second: 60.0,
    help: "drag the blue circle   M: who moves   H: red heavier   R: restart",
    recording: &[
        // Take blue in its middle, and push red to the right; let go, and share.
        Step::mouse(10, 180.0, 240.0, false),
        Step::mouse(1, 180.0, 240.0, true),
        Step::mouse(20, 260.0, 240.0, true),
        Step::mouse(20, 340.0, 250.0, true),
        Step::mouse(1, 340.0, 250.0, false),
        Step::keys(1, &[KeyCode::KeyM]),
        Step::mouse(1, 340.0, 250.0, true),
        Step::mouse(20, 400.0, 260.0, true),
        Step::keys(1, &[KeyCode::KeyH]),
        Step::mouse(10, 400.0, 260.0, false),
    ],
};

/// The circle that the mouse drags.
#[derive(Component, Default)]
pub struct Dragged {
    /// Where the pointer was when it last moved the circle, while the mouse holds it.
    held_at: Option<Vec2>,
}

/// The circle that is not dragged.
#[derive(Component)]
pub struct Pushed;

const BLUE: (CircleCollider, Vec2) = (CircleCollider::new(60.0), Vec2::new(180.0, 240.0));
const RED: (CircleCollider, Vec2) = (CircleCollider::new(45.0), Vec2::new(400.0, 240.0));

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

/// The game.
pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(
            RunFixedMainLoop,
            (grip, choose_who_moves, choose_mass, restart)
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, drag);
}

fn spawn(mut commands: Commands) {
    let start = |pixels: Vec2| at(to_world(pixels.x, pixels.y));
    commands.spawn((
        Name::new("blue"),
        Dragged::default(),
        Body::Kinematic,
        BLUE.0,
        start(BLUE.1),
    ));
    commands.spawn((Name::new("red"), Pushed, Mass(1.0), RED.0, start(RED.1)));
    commands.spawn((
        Name::new("the edge of the screen"),
        BoundsCollider::from_size(SIZE),
    ));
}

fn grip(
    pointer: Res<Pointer>,
    buttons: Res<ButtonInput<MouseButton>>,
    blue: Single<(&mut Dragged, &Transform, &CircleCollider)>,
) {
    let (mut dragged, transform, circle) = blue.into_inner();
    if !buttons.pressed(MouseButton::Left) {
        dragged.held_at = None;
    } else if buttons.just_pressed(MouseButton::Left)
        && let Some(pointer) = pointer.0
    {
        let from_center = pointer - transform.translation.truncate();
        dragged.held_at = (from_center.length() <= circle.radius).then_some(pointer);
    }
}

/// Moves blue by as much as the pointer has moved, and not to the pointer: that would undo blue's share of a push in the next tick.
fn drag(pointer: Res<Pointer>, blue: Single<(&mut Dragged, &CircleCollider, &mut Transform)>) {
    let (mut dragged, circle, mut transform) = blue.into_inner();
    if let (Some(held_at), Some(pointer)) = (&mut dragged.held_at, pointer.0) {
        let room = SIZE * 0.5 - circle.radius;
        let from = transform.translation.truncate();
        let to = (from + pointer - *held_at).clamp(-room, room);
        // What the edge has stopped is left over for when the pointer comes back.
        *held_at += to - from;
        transform.translation = to.extend(transform.translation.z);
    }
}

fn choose_who_moves(
    mut typed: Typed,
    mut blue: Single<&mut Body, With<Dragged>>,
    mut account: ResMut<Account>,
) {
    if typed.read().contains('m') {
        **blue = match **blue {
            Body::Kinematic => Body::Dynamic,
            _ => Body::Kinematic,
        };
        account.tell(who_moves(**blue));
    }
}

fn choose_mass(
    keys: Res<ButtonInput<KeyCode>>,
    mut red: Single<&mut Mass, With<Pushed>>,
    mut account: ResMut<Account>,
) {
    if keys.just_pressed(KeyCode::KeyH) {
        red.0 = if red.0 == 1.0 { 3.0 } else { 1.0 };
        account.tell(format_args!("the mass of red is {}", red.0));
    }
}

fn restart(
    keys: Res<ButtonInput<KeyCode>>,
    mut circles: Query<(&mut Transform, Option<&mut Dragged>), With<CircleCollider>>,
) {
    if keys.just_pressed(KeyCode::KeyR) {
        for (mut transform, dragged) in &mut circles {
            let (_, pixels) = match dragged {
                // The mouse lets go, or its next move would drag blue from afar.
                Some(mut dragged) => {
                    dragged.held_at = None;
                    BLUE
                }
                None => RED,
            };
            transform.translation = to_world(pixels.x, pixels.y).extend(0.0);
        }
    }
}

fn who_moves(blue: Body) -> &'static str {
    if blue == Body::Kinematic {
        "only red moves"
    } else {
        "both share"
    }
}

/// The lines of numbers.
#[derive(Component)]
struct Numbers;

pub fn drawing(app: &mut App) {
    app.add_systems(PostStartup, (draw_circles, spawn_numbers))
        .add_systems(Update, (write_numbers, draw_lines));
}

fn draw_circles(
    mut commands: Commands,
    circles: Query<(Entity, &CircleCollider, Has<Dragged>)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (entity, circle, is_blue) in &circles {
        let mesh = Circle::new(circle.radius).mesh().resolution(128);
        let color = if is_blue {
            Palette::PLAYER
        } else {
            Palette::HIT
        };
        commands.entity(entity).insert((
            Mesh2d(meshes.add(mesh)),
            MeshMaterial2d(materials.add(color)),
        ));
    }
}

fn spawn_numbers(mut commands: Commands) {
    commands.spawn((
        Numbers,
        label("", (8.0, 6.0), Anchor::TOP_LEFT, Palette::INK),
    ));
}

type CircleData = (&'static Transform, &'static CircleCollider, &'static Body);

fn write_numbers(
    blue: Single<CircleData, With<Dragged>>,
    red: Single<(&Transform, &CircleCollider, &Mass), With<Pushed>>,
    mut text: Single<&mut Text2d, With<Numbers>>,
) {
    let (blue_at, blue, body) = blue.into_inner();
    let (red_at, red, mass) = red.into_inner();
    let offset = (red_at.translation - blue_at.translation).truncate();
    let (Ok(one), Ok(other)) = (blue.shape(), red.shape()) else {
        return;
    };
    let lines = format!(
        "distance of the centres {:6.2}\nsum of the radii        {:6.2}\ngap between them        {:6.2}\n{}, masses 1 : {}",
        offset.length(),
        blue.radius + red.radius,
        separation(one, other, offset),
        who_moves(*body),
        mass.0
    );
    write(&mut text, lines);
}

/// Draws the line between the centers, and the direction in which red was pushed.
fn draw_lines(
    blue: Single<(Entity, &Transform), With<Dragged>>,
    red: Single<(Entity, &Transform), With<Pushed>>,
    collisions: Collisions,
    mut gizmos: Gizmos,
) {
    let (blue, blue_at) = blue.into_inner();
    let (red, red_at) = red.into_inner();
    let [from, to] = [blue_at, red_at].map(|transform| transform.translation.truncate());
    gizmos.line_2d(from, to, Palette::INK);
    if let Some(hit) = collisions.between(blue, red) {
        // Longer than the push was, so that it can be seen.
        gizmos.arrow_2d(
            hit.point,
            hit.point + hit.normal * (24.0 + hit.depth),
            Palette::PAPER,
        );
    }
}
