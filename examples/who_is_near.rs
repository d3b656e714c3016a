//! A guard in a crowd: which walker is the nearest, which ones does the guard see, and which ones are in the blast?
//!
//! Arrow keys or WASD walk, the mouse turns the guard, its button sets off a blast where it points, but not in a wall; `R` starts again. The line leads to the nearest walker; red are those
//! that the guard sees, in a cone in front of it and not behind a wall; gray are all others.
//!
//! The one thing to learn: larger queries are built from small ones. The cone is a circle query: of its hits, those count whose nearest point is in front of the guard, with no wall on the ray to it.
//! The blast is a circle query in which walls give shelter.

use bevy::{
    input::common_conditions::input_just_pressed, prelude::*, sprite::Anchor,
    time::common_conditions::paused,
};
use bevy_nudge::prelude::*;
use common::{
    Account, HasShape, Outlined, Palette, Pointer, Stage, Step, account_is_read, at, direction,
    draw_rooms, label, play, ring, write,
};

pub const STAGE: Stage = Stage {
    title: "who_is_near",
    ticks_per_second: 60.0,
    help: "arrows, WASD: walk   mouse: turn, blast   R: anew",
    recording: &[
        Step::mouse(60, 480.0, 240.0, false),
        Step {
            keys: &[KeyCode::ArrowRight],
            ..Step::mouse(60, 480.0, 140.0, false)
        },
        Step::mouse(1, 480.0, 140.0, true),
        Step::mouse(60, 480.0, 140.0, false),
        Step {
            keys: &[KeyCode::ArrowDown],
            ..Step::mouse(60, 100.0, 400.0, false)
        },
        Step::mouse(1, 100.0, 400.0, true),
        Step::mouse(60, 100.0, 400.0, false),
    ],
};

/// The room, between the lines of text.
const ROOM: Rect = Rect {
    min: Vec2::new(-320.0, -216.0),
    max: Vec2::new(320.0, 216.0),
};
/// How far the guard sees.
pub const VIEW: f32 = 180.0;
/// The cosine of 35 degrees: the guard sees what is less than that to the side.
pub const VIEW_COSINE: f32 = 0.819_152;
/// How far a blast reaches.
pub const BLAST: f32 = 70.0;
/// Walls are on a layer of their own, so that a ray can ask for them alone.
pub const WALLS: u32 = 1 << 1;
/// And so is the crowd.
pub const CROWD: u32 = 1 << 2;
const CROWD_SIZE: usize = 160;
/// Units a second.
const GUARD_SPEED: f32 = 120.0;

/// The guard, which queries the world.
#[derive(Component)]
pub struct Guard {
    pub facing: Vec2,
}

/// A member of the crowd, which walks about.
#[derive(Component)]
pub struct Walker;

/// A blast, where it was set off, and how much time is left until it has faded.
#[derive(Component)]
pub struct Blast {
    left: f32,
}

/// The answers of this tick.
#[derive(Resource, Clone, Debug, Default)]
pub struct Answers {
    /// The walker nearest to the guard's center, and its nearest point.
    pub nearest: Option<(Entity, Vec2)>,
    /// The walkers that the guard sees, the nearest first.
    pub seen: Vec<Entity>,
    /// How many walkers have fallen in blasts so far.
    pub fallen: usize,
}

#[derive(Component)]
struct AnswerText;

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
        .init_resource::<Answers>()
        .add_systems(Startup, (build, spawn))
        .add_systems(FixedUpdate, walk)
        // Not in `FixedUpdate`, which may run twice in a frame or not at all, and would see a click twice or never.
        .add_systems(
            RunFixedMainLoop,
            (
                set_off
                    .run_if(input_just_pressed(MouseButton::Left))
                    .run_if(not(paused)),
                (clear, spawn)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            )
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(
            FixedPostUpdate,
            (look, fade).after(CollisionSystems::Report),
        )
        .add_systems(FixedLast, tell.run_if(account_is_read));
}

/// Spawns what a restart does not touch.
fn build(mut commands: Commands) {
    commands.spawn(BoundsCollider::from_size(ROOM.size()));
    let wall = CollisionLayers::on(WALLS);
    for (width, height, x, y) in [
        (20.0, 120.0, 60.0, 60.0),
        (120.0, 20.0, -160.0, 110.0),
        (120.0, 20.0, 160.0, -110.0),
        (40.0, 40.0, -160.0, -110.0),
    ] {
        let collider = BoxCollider::new(width, height);
        commands.spawn((Body::Static, wall, collider, at(Vec2::new(x, y))));
    }
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Name::new("the guard"),
        Guard { facing: Vec2::X },
        // So heavy that no walker moves it: they bounce off it, and keep their speed.
        (CircleCollider::new(9.0), Mass(f32::INFINITY)),
        Velocity::default(),
        at(Vec2::new(-60.0, 0.0)),
    ));
    let crowd = CollisionLayers::on(CROWD);
    let mut random = fastrand::Rng::with_seed(12);
    for number in 0..CROWD_SIZE {
        let mut part = || random.f32() - 0.5;
        let place = Vec2::new(part() * 620.0, part() * 430.0);
        let velocity = Velocity(Vec2::new(part(), part()) * 120.0);
        let response = Response::bounce(1.0);
        let mut walker = commands.spawn((Walker, crowd, velocity, response, at(place)));
        let size = 3.0 + 5.0 * (part() + 0.5);
        if number % 2 == 0 {
            walker.insert(CircleCollider::new(size));
        } else {
            walker.insert(BoxCollider::new(size * 2.0, size * 1.4));
        }
    }
}

type Spawned = Or<(With<Guard>, With<Walker>, With<Blast>)>;

fn clear(mut commands: Commands, all: Query<Entity, Spawned>) {
    for entity in &all {
        commands.entity(entity).despawn();
    }
    commands.insert_resource(Answers::default());
}

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    guard: Single<(&mut Guard, &mut Velocity, &Transform)>,
) {
    let (mut guard, mut velocity, transform) = guard.into_inner();
    velocity.0 = direction(&keys).normalize_or_zero() * GUARD_SPEED;
    if let Some(target) = pointer.0 {
        let way = target - transform.translation.truncate();
        guard.facing = way.normalize_or(guard.facing);
    }
}

/// The colliders that hide one thing from another.
const HIDES: QueryFilter = QueryFilter::on_layers(WALLS);

fn set_off(
    space: SpatialQuery,
    pointer: Res<Pointer>,
    mut answers: ResMut<Answers>,
    mut account: ResMut<Account>,
    mut commands: Commands,
) {
    let Some(center) = pointer.0 else {
        return;
    };
    // A blast within a wall would not be visible.
    if !ROOM.contains(center) || space.overlap_point(center, &HIDES).any() {
        return;
    }
    let crowd = QueryFilter::on_layers(CROWD);
    let in_reach = space.overlap_circle(BLAST, center, &crowd).all();
    let mut fallen = 0;
    for hit in &in_reach {
        if space.has_line_of_sight(center, hit.point, &HIDES) {
            commands.entity(hit.entity).despawn();
            fallen += 1;
        }
    }
    answers.fallen += fallen;
    commands.spawn((Blast { left: 0.4 }, at(center)));
    let sheltered = in_reach.len() - fallen;
    account.tell(format_args!(
        "a blast: {fallen} fall, {sheltered} are behind a wall"
    ));
}

fn look(space: SpatialQuery, guard: Single<(&Guard, &Transform)>, mut answers: ResMut<Answers>) {
    let (Guard { facing }, transform) = guard.into_inner();
    let eye = transform.translation.truncate();
    let crowd = QueryFilter::on_layers(CROWD);
    let nearest = space.nearest(eye, f32::INFINITY, &crowd);
    answers.nearest = nearest.map(|hit| (hit.entity, hit.point));

    let in_cone = |place: Vec2| {
        let way = place - eye;
        way.dot(*facing) >= VIEW_COSINE * way.length()
    };
    let around = space.overlap_circle(VIEW, eye, &crowd).all();
    let seen = around
        .iter()
        .filter(|hit| in_cone(hit.point) && space.has_line_of_sight(eye, hit.point, &HIDES));
    answers.seen = seen.map(|hit| hit.entity).collect();
}

/// Tells the answers once a second.
fn tell(
    guard: Single<&Transform, With<Guard>>,
    answers: Res<Answers>,
    mut account: ResMut<Account>,
) {
    if account.tick.is_multiple_of(60)
        && let Some((_, point)) = answers.nearest
    {
        let (count, eye) = (answers.seen.len(), guard.translation.truncate());
        let distance = point.distance(eye);
        account.tell(format_args!(
            "{count} are seen; the nearest is {distance:.1} away"
        ));
    }
}

fn fade(time: Res<Time>, mut blasts: Query<(Entity, &mut Blast)>, mut commands: Commands) {
    for (entity, mut blast) in &mut blasts {
        blast.left -= time.delta_secs();
        if blast.left <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, draw_text)
        .add_systems(Update, (draw_rooms, draw_shapes, draw_guard, draw_blasts))
        .add_systems(Update, tell_answers);
}

fn draw_text(mut commands: Commands) {
    let color = Palette::INK;
    commands.spawn((
        AnswerText,
        label("", (632.0, 8.0), Anchor::TOP_RIGHT, color),
    ));
}

/// Query filter: the crowd and the walls.
type IsOther = (HasShape, Without<Guard>);

fn draw_shapes(
    shapes: Query<(Entity, Outlined, Has<Walker>), IsOther>,
    answers: Res<Answers>,
    mut gizmos: Gizmos,
) {
    for (entity, shape, is_walker) in &shapes {
        let color = match is_walker {
            true if answers.seen.contains(&entity) => Palette::HIT,
            true => Palette::OTHER,
            false => Palette::INK,
        };
        shape.draw(&mut gizmos, color);
    }
}

fn draw_guard(guard: Single<(&Guard, Outlined)>, answers: Res<Answers>, mut gizmos: Gizmos) {
    let (Guard { facing }, shape) = guard.into_inner();
    let eye = shape.place();
    shape.draw(&mut gizmos, Palette::PLAYER);
    let aside = facing.perp() * (1.0 - VIEW_COSINE * VIEW_COSINE).sqrt();
    let rim = |part: f32| eye + (*facing * VIEW_COSINE + aside * part).normalize_or(*facing) * VIEW;
    let arc = (-8..=8).map(|part| rim(part as f32 / 8.0).clamp(ROOM.min, ROOM.max));
    let cone = std::iter::once(eye).chain(arc).chain([eye]);
    gizmos.linestrip_2d(cone, Palette::GRID.mix(&Palette::HIT, 0.3));
    if let Some((_, point)) = answers.nearest {
        gizmos.line_2d(eye, point, Palette::GOOD);
    }
}

fn draw_blasts(blasts: Query<(&Blast, &Transform)>, mut gizmos: Gizmos) {
    for (blast, transform) in &blasts {
        let color = Palette::PAPER.mix(&Palette::HIT, blast.left / 0.4);
        let center = transform.translation.truncate();
        gizmos.linestrip_2d(ring(center, BLAST, ROOM), color);
    }
}

fn tell_answers(answers: Res<Answers>, mut text: Single<&mut Text2d, With<AnswerText>>) {
    let (seen, fallen) = (answers.seen.len(), answers.fallen);
    write(&mut text, format!("{seen} are seen, {fallen} have fallen"));
}
