//! A lamp, mirrors of every shape, gems that light up, and walls that stop the beam.
//!
//! The mouse aims, arrow keys or WASD move the lamp. Mirrors reflect the beam; it goes through gems and lights them, and ends at a wall. A gem stays lit. Light all of them; `R` begins anew.
//!
//! The one thing to learn: a beam is a few queries to [`SpatialQuery`]. The first hit of a ray among solid colliders tells where the beam ends, and the direction in which it is reflected; all hits of
//! the same ray among sensors tell what it goes through. Nothing is stored, and nothing needs to collide.

use bevy::{input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor};
use bevy_nudge::prelude::*;
use common::{
    Account, HasShape, Outlined, Palette, Pointer, SIZE, Stage, Step, account_is_read, at,
    direction, draw_rooms, label, play, write,
};

pub const STAGE: Stage = Stage {
    title: "lasers",
    ticks_per_second: 60.0,
    help: "mouse: aim   arrows, WASD: move the lamp   R: anew",
    recording: &[
        Step::mouse(30, 600.0, 240.0, false),
        Step::mouse(30, 400.0, 90.0, false),
        Step::mouse(30, 330.0, 440.0, false),
        Step {
            keys: &[KeyCode::ArrowUp],
            ..Step::mouse(60, 330.0, 440.0, false)
        },
        Step::mouse(30, 300.0, 20.0, false),
    ],
};

/// Longer than any line across the scene.
const REACH: f32 = 1000.0;
/// After so many mirrors the beam ends.
const MOST_MIRRORS: usize = 12;
/// Units a second.
const LAMP_SPEED: f32 = 120.0;
const LAMP_START: Vec2 = Vec2::new(-280.0, 0.0);

/// The lamp, and the direction in which it shines.
#[derive(Component)]
pub struct Lamp {
    pub aim: Vec2,
}

/// Reflects the beam.
#[derive(Component)]
pub struct Mirror;

/// Lights up when the beam goes through it.
#[derive(Component)]
pub struct Gem;

/// Marks a gem that the beam has gone through.
#[derive(Component)]
pub struct Lit;

/// The path of the beam in this tick, and what it goes through.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Beam {
    /// The points from the lamp by way of each mirror to the end.
    pub corners: Vec<Vec2>,
    /// The gems in the order in which the beam first goes through them.
    pub gems: Vec<Entity>,
}

#[derive(Component)]
struct LitText;

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<Beam>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, (aim, move_lamp))
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a key twice or never.
        .add_systems(
            RunFixedMainLoop,
            restart
                .run_if(input_just_pressed(KeyCode::KeyR))
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        // After the push-out, so that the beam starts where the lamp is drawn.
        .add_systems(
            FixedPostUpdate,
            (shine, light, tell.run_if(account_is_read))
                .chain()
                .after(CollisionSystems::Report),
        );
}

fn spawn(mut commands: Commands) {
    let xy = |x: f32, y: f32| at(Vec2::new(x, y));
    commands.spawn((
        Name::new("the lamp"),
        Lamp { aim: Vec2::X },
        CircleCollider::new(9.0),
        Velocity::default(),
        at(LAMP_START),
    ));
    commands.spawn((
        Name::new("the room"),
        BoundsCollider::new(SIZE.x - 16.0, SIZE.y - 48.0),
    ));
    for (name, size, x, y) in [
        ("the right mirror", (20.0, 160.0), 240.0, 0.0),
        ("the upper mirror", (160.0, 20.0), 80.0, 180.0),
        ("the lower mirror", (160.0, 20.0), 0.0, -200.0),
    ] {
        let collider = BoxCollider::new(size.0, size.1);
        commands.spawn((Name::new(name), Mirror, Body::Static, collider, xy(x, y)));
    }
    commands.spawn((
        Name::new("the pill"),
        Mirror,
        Body::Static,
        BoxCollider::new(90.0, 30.0).with_corner_radius(15.0),
        xy(-120.0, 110.0),
    ));
    commands.spawn((
        Name::new("the ball"),
        Mirror,
        Body::Static,
        CircleCollider::new(35.0),
        xy(60.0, -70.0),
    ));
    for (name, size, x, y) in [
        ("the pillar", (30.0, 60.0), -60.0, -100.0),
        ("the block", (60.0, 30.0), 200.0, 140.0),
    ] {
        let collider = BoxCollider::new(size.0, size.1);
        commands.spawn((Name::new(name), Body::Static, collider, xy(x, y)));
    }
    for (name, x, y) in [
        ("the first gem", 120.0, 0.0),
        ("the second gem", -20.0, 60.0),
        ("the third gem", 180.0, -160.0),
        ("the fourth gem", -150.0, -120.0),
        ("the fifth gem", 190.0, 90.0),
    ] {
        let collider = CircleCollider::new(10.0);
        commands.spawn((
            Name::new(name),
            Gem,
            Sensor,
            Body::Static,
            collider,
            xy(x, y),
        ));
    }
}

fn restart(
    mut commands: Commands,
    lamp: Single<&mut Transform, With<Lamp>>,
    lit: Query<Entity, With<Lit>>,
) {
    *lamp.into_inner() = at(LAMP_START);
    for gem in &lit {
        commands.entity(gem).remove::<Lit>();
    }
}

fn aim(pointer: Res<Pointer>, lamp: Single<(&mut Lamp, &Transform)>) {
    let (mut lamp, transform) = lamp.into_inner();
    if let Some(target) = pointer.0 {
        let way = target - transform.translation.truncate();
        lamp.aim = way.normalize_or(lamp.aim);
    }
}

fn move_lamp(keys: Res<ButtonInput<KeyCode>>, mut lamp: Single<&mut Velocity, With<Lamp>>) {
    lamp.0 = direction(&keys).normalize_or_zero() * LAMP_SPEED;
}

/// Follows the beam from mirror to mirror.
fn shine(
    space: SpatialQuery,
    lamp: Single<(Entity, &Lamp, &Transform)>,
    mirrors: Query<(), With<Mirror>>,
    mut beam: ResMut<Beam>,
) {
    let (lamp, Lamp { aim }, transform) = lamp.into_inner();
    let solid = QueryFilter {
        // After a reflection, the ray may start a tiny bit inside of the mirror.
        hit_from_inside: false,
        ..QueryFilter::SOLID.without_body(lamp)
    };
    let gems = QueryFilter {
        solids: false,
        ..QueryFilter::ALL
    };
    *beam = Beam::default();

    let (mut place, mut way) = (transform.translation.truncate(), *aim);
    beam.corners.push(place);
    for _ in 0..=MOST_MIRRORS {
        let end = space.cast_ray(place, way * REACH, &solid).first();
        let to = end.map_or(place + way * REACH, |hit| hit.point);
        let through = space.cast_ray(place, to - place, &gems).all();
        for hit in through {
            if !beam.gems.contains(&hit.entity) {
                beam.gems.push(hit.entity);
            }
        }
        beam.corners.push(to);
        let Some(hit) = end.filter(|hit| mirrors.contains(hit.entity)) else {
            break;
        };
        place = to;
        way = way.reflect(hit.normal).normalize_or(way);
    }
}

fn light(mut commands: Commands, beam: Res<Beam>) {
    for gem in &beam.gems {
        commands.entity(*gem).insert_if_new(Lit);
    }
}

/// Tells of gems that light up, and of the mirrors when there are more or fewer than before.
fn tell(
    beam: Res<Beam>,
    newly_lit: Query<&Name, Added<Lit>>,
    dark: Query<(), (With<Gem>, Without<Lit>)>,
    mut corners: Local<usize>,
    mut account: ResMut<Account>,
) {
    for name in newly_lit.iter_many(&beam.gems) {
        account.tell(format_args!("the beam lights {name}"));
    }
    if !newly_lit.is_empty() && dark.is_empty() {
        account.tell("all gems are lit");
    }
    if beam.corners.len() != *corners {
        *corners = beam.corners.len();
        account.tell(format_args!("it goes by {} mirrors", *corners - 2));
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, draw_text)
        .add_systems(Update, (draw_rooms, draw_shapes, draw_beam, write_lit));
}

fn draw_text(mut commands: Commands) {
    let color = Palette::INK;
    commands.spawn((LitText, label("", (632.0, 6.0), Anchor::TOP_RIGHT, color)));
}

type Kind = (Has<Mirror>, Has<Gem>, Has<Lit>, Has<Lamp>);

fn draw_shapes(shapes: Query<(Outlined, Kind), HasShape>, mut gizmos: Gizmos) {
    for (shape, (is_mirror, is_gem, is_lit, is_lamp)) in &shapes {
        let color = match (is_lamp, is_gem, is_mirror) {
            (true, ..) => Palette::HIT,
            (_, true, _) if is_lit => Palette::GOOD,
            (_, true, _) => Palette::FAINT,
            (.., true) => Palette::PLAYER,
            _ => Palette::INK,
        };
        shape.draw(&mut gizmos, color);
        if let (true, Some(gem)) = (is_lit, shape.circle) {
            gizmos.circle_2d(shape.place(), gem.radius * 0.4, color);
        }
    }
}

fn draw_beam(beam: Res<Beam>, mut gizmos: Gizmos) {
    gizmos.linestrip_2d(beam.corners.iter().copied(), Palette::HIT);
}

fn write_lit(gems: Query<Has<Lit>, With<Gem>>, mut text: Single<&mut Text2d, With<LitText>>) {
    let all = gems.iter().count();
    let line = match gems.iter().filter(|is_lit| *is_lit).count() {
        lit if lit == all => "all gems are lit; R begins anew".to_owned(),
        lit => format!("{lit} of {all} gems lit"),
    };
    write(&mut text, line);
}
