//! Points, circles and boxes on a coarse grid of whole numbers, as for machines without fractions and square roots.
//!
//! Tab chooses one of five figures, the arrow keys or WASD move it by one cell, `+` and `-` change its size. Every pair of them is tested, live. `Y` switches
//! the coordinates of the same picture between y up and y down.
//!
//! The one thing to learn: "touch" is exact and inclusive. Edges on the same line of the grid meet with a depth of 0; one cell further apart they do not meet.
//!
//! What this does better than the usual way of tutorials (points, circles and boxes, in integers): two formulas that are often found there are wrong, and marked red here where
//! the results differ. Adding the *squares* of two radii misses many circles that meet, since the sum has to be squared. And halving a width of 5 in
//! integers loses a half, so that a test of boxes of odd sizes by their centers misses what a test by their sides finds.

use bevy::{prelude::*, sprite::Anchor, time::common_conditions::paused};
use bevy_nudge::prelude::*;
use common::{Account, Palette, Stage, Step, Typed, label, play, to_world, write};

pub const STAGE: Stage = Stage {
    title: "retro",
    ticks_per_second: 60.0,
    help: "Tab: choose   arrows, WASD: move   + -: size   Y: turn y",
    recording: &[
        // Circle A steps away from B: from 6 to 7 and 8 cells between their centers, with radii of 3 and 4.
        Step::keys(1, &[KeyCode::Tab]),
        Step::keys(1, &[KeyCode::ArrowLeft]),
        PAUSE,
        Step::keys(1, &[KeyCode::ArrowLeft]),
        PAUSE,
        // Box C into D, back until both touch, and away; then wider by one, so that it touches again.
        Step::keys(1, &[KeyCode::Tab]),
        PAUSE,
        Step::keys(1, &[KeyCode::Tab]),
        Step::keys(1, &[KeyCode::ArrowRight]),
        Step::keys(1, &[KeyCode::ArrowLeft]),
        PAUSE,
        Step::keys(1, &[KeyCode::ArrowLeft]),
        Step::keys(1, &[KeyCode::Equal]),
        Step::keys(1, &[KeyCode::KeyY]),
        PAUSE,
    ],
};

const PAUSE: Step = Step::keys(4, &[]);

/// The number of cells across and down.
pub const CELLS: i32 = 24;
/// The size of a cell on the screen, in pixels.
const CELL: f32 = 16.0;
/// Where the grid begins, in pixels from the top left.
const CORNER: Vec2 = Vec2::new(12.0, 36.0);

/// A figure on the grid. Its coordinates are whole numbers, and y points down.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The letter on the screen, which also gives the order in which Tab chooses.
    pub letter: char,
    /// The center of a circle, or the top left corner of a box.
    pub at: IVec2,
    /// Its shape.
    pub kind: Kind,
}

/// A point, a circle or a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Point,
    Circle { radius: i32 },
    Box { size: IVec2 },
}

impl Figure {
    /// Returns center, half size and radius, all of them doubled, so that the center of a box of odd size is a whole number too.
    fn doubled(self) -> (IVec2, IVec2, i32) {
        match self.kind {
            Kind::Point => (self.at * 2, IVec2::ZERO, 0),
            Kind::Circle { radius } => (self.at * 2, IVec2::ZERO, radius * 2),
            Kind::Box { size } => (self.at * 2 + size, size, 0),
        }
    }

    fn name(self) -> String {
        let kind = match self.kind {
            Kind::Point => "point",
            Kind::Circle { .. } => "circle",
            Kind::Box { .. } => "box",
        };
        format!("{kind} {}", self.letter)
    }
}

/// The crate's one formula in whole numbers: the distance on each axis less both half sizes, against both radii. It needs no division and no root.
pub fn touch(a: Figure, b: Figure) -> bool {
    let (center_a, half_a, radius_a) = a.doubled();
    let (center_b, half_b, radius_b) = b.doubled();
    let beyond = ((center_b - center_a).abs() - (half_a + half_b)).max(IVec2::ZERO);
    beyond.length_squared() <= (radius_a + radius_b).pow(2)
}

/// The tutorial's predicates, as they are printed there.
pub mod printed {
    use bevy::math::IVec2;

    /// Whether a point is in a box that lies below and right of its top left corner, where y points down.
    pub fn point_in_box_y_down(point: IVec2, top_left: IVec2, size: IVec2) -> bool {
        point.x >= top_left.x
            && point.x <= top_left.x + size.x
            && point.y >= top_left.y
            && point.y <= top_left.y + size.y
    }

    /// The same where y points up, and the top has the larger y.
    pub fn point_in_box_y_up(point: IVec2, top_left: IVec2, size: IVec2) -> bool {
        point.x >= top_left.x
            && point.x <= top_left.x + size.x
            && point.y <= top_left.y
            && point.y >= top_left.y - size.y
    }

    /// Whether no side of one box is beyond the opposite side of the other.
    pub fn boxes_by_sides(a: IVec2, size_a: IVec2, b: IVec2, size_b: IVec2) -> bool {
        a.x <= b.x + size_b.x
            && a.y <= b.y + size_b.y
            && a.x + size_a.x >= b.x
            && a.y + size_a.y >= b.y
    }

    /// Whether the centers are no farther apart than both half sizes, each rounded down: wrong for odd sizes.
    pub fn boxes_by_centers(a: IVec2, size_a: IVec2, b: IVec2, size_b: IVec2) -> bool {
        let apart = ((a + size_a / 2) - (b + size_b / 2)).abs();
        let reach = size_a / 2 + size_b / 2;
        apart.cmple(reach).all()
    }

    /// Adds the squares of the radii, instead of squaring the sum: wrong unless a radius is 0.
    pub fn circles(a: IVec2, radius_a: i32, b: IVec2, radius_b: i32) -> bool {
        (a - b).length_squared() <= radius_a.pow(2) + radius_b.pow(2)
    }

    /// Whether a point is no farther from the center than the radius.
    pub fn point_in_circle(point: IVec2, center: IVec2, radius: i32) -> bool {
        (center - point).length_squared() <= radius.pow(2)
    }

    /// Whether the point of the box that is closest to the center is no farther from it than the radius.
    pub fn circle_and_box(center: IVec2, radius: i32, top_left: IVec2, size: IVec2) -> bool {
        let closest = center.clamp(top_left, top_left + size);
        (center - closest).length_squared() <= radius.pow(2)
    }
}

/// The test of a pair of figures by a predicate of the tutorial.
pub struct Test {
    /// Text: the predicate, and the figures.
    pub what: String,
    /// The result of the predicate as printed.
    pub printed: bool,
    pub a: Entity,
    pub b: Entity,
}

/// Tests every pair by every predicate that the tutorial has for it. `figures` are in the order of [`sorted`]: the point, circles, boxes.
pub fn tests(figures: &[(Entity, Figure)], convention: Convention) -> Vec<Test> {
    let mut tests = Vec::new();
    for (number, &(a, one)) in figures.iter().enumerate() {
        for &(b, other) in &figures[number + 1..] {
            let pair = format!("{}, {}", one.name(), other.name());
            let mut add = |note: &str, printed: bool| {
                tests.push(Test {
                    what: format!("{pair}{note}"),
                    printed,
                    a,
                    b,
                });
            };
            match (one.kind, other.kind) {
                (Kind::Point, Kind::Circle { radius }) => {
                    add("", printed::point_in_circle(one.at, other.at, radius));
                }
                (Kind::Point, Kind::Box { size }) => {
                    let [point, corner] = [one.at, other.at].map(|at| convention.tell(at));
                    add(
                        "",
                        match convention {
                            Convention::YDown => printed::point_in_box_y_down(point, corner, size),
                            Convention::YUp => printed::point_in_box_y_up(point, corner, size),
                        },
                    );
                }
                (Kind::Circle { radius }, Kind::Circle { radius: r }) => {
                    add("", printed::circles(one.at, radius, other.at, r));
                }
                (Kind::Circle { radius }, Kind::Box { size }) => {
                    add("", printed::circle_and_box(one.at, radius, other.at, size));
                }
                (Kind::Box { size }, Kind::Box { size: s }) => {
                    let by_sides = printed::boxes_by_sides(one.at, size, other.at, s);
                    add(" sides", by_sides);
                    let by_centers = printed::boxes_by_centers(one.at, size, other.at, s);
                    add(" centres", by_centers);
                }
                _ => {}
            }
        }
    }
    tests
}

/// Which way y points in coordinates that are shown. The picture stays as it is.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// The origin is in the top left.
    #[default]
    YDown,
    /// The origin is in the bottom left.
    YUp,
}

impl Convention {
    fn tell(self, at: IVec2) -> IVec2 {
        match self {
            Self::YDown => at,
            Self::YUp => IVec2::new(at.x, CELLS - at.y),
        }
    }
}

/// The index of the figure that the keys move.
#[derive(Resource)]
struct Chosen(usize);

fn main() -> AppExit {
    play(&STAGE, scene, drawing)
}

/// The game.
pub fn scene(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .insert_resource(Chosen(0))
        .init_resource::<Convention>()
        .add_systems(Startup, spawn)
        .add_systems(
            RunFixedMainLoop,
            (choose, change.run_if(not(paused)), switch_convention, place)
                .chain()
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedLast, (tell_of_wrong_formulas, count_meeting));
}

fn spawn(mut commands: Commands) {
    let figure = |letter, at: (i32, i32), kind| {
        let at = IVec2::from(at);
        Figure { letter, at, kind }
    };
    let size = |width, height| IVec2::new(width, height);
    // The parent is at the grid's corner, and one cell is its unit. In the world y points up, so the figures go down from there.
    let corner = to_world(CORNER.x, CORNER.y).extend(0.0);
    commands.spawn((
        Transform::from_translation(corner).with_scale(Vec3::splat(CELL)),
        Visibility::default(),
        children![
            figure('P', (14, 17), Kind::Point),
            figure('A', (8, 7), Kind::Circle { radius: 3 }),
            figure('B', (14, 7), Kind::Circle { radius: 4 }),
            figure('C', (3, 15), Kind::Box { size: size(5, 3) }),
            figure('D', (8, 16), Kind::Box { size: size(7, 5) }),
        ],
    ));
}

/// Sorts figures in the order of the pairs, and of the Tab key.
fn sorted<'a>(figures: impl Iterator<Item = (Entity, &'a Figure)>) -> Vec<(Entity, Figure)> {
    let mut sorted: Vec<(Entity, Figure)> = figures.map(|(e, figure)| (e, *figure)).collect();
    sorted.sort_by_key(|(_, figure)| "PABCD".find(figure.letter));
    sorted
}

fn choose(keys: Res<ButtonInput<KeyCode>>, mut chosen: ResMut<Chosen>, figures: Query<&Figure>) {
    if keys.just_pressed(KeyCode::Tab) {
        chosen.0 = (chosen.0 + 1) % figures.iter().len().max(1);
    }
}

fn change(
    keys: Res<ButtonInput<KeyCode>>,
    mut typed: Typed,
    chosen: Res<Chosen>,
    mut figures: Query<(Entity, &mut Figure)>,
) {
    let order = sorted(figures.iter());
    let Some(Ok((_, mut figure))) = order.get(chosen.0).map(|&(e, _)| figures.get_mut(e)) else {
        return;
    };
    let pressed = |keys_of_it: [KeyCode; 2]| i32::from(keys.any_just_pressed(keys_of_it));
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, KeyA, KeyD, KeyS, KeyW};
    let step = IVec2::new(
        pressed([ArrowRight, KeyD]) - pressed([ArrowLeft, KeyA]),
        pressed([ArrowDown, KeyS]) - pressed([ArrowUp, KeyW]),
    );
    let growth: i32 = typed
        .read()
        .chars()
        .map(|key| i32::from(key == '+') - i32::from(key == '-'))
        .sum();
    let mut changed = *figure;
    // How far the figure reaches before and behind its place. The grid must have room for that: a figure that grows at an edge moves inwards.
    let (before, behind) = match &mut changed.kind {
        Kind::Point => (IVec2::ZERO, IVec2::ZERO),
        Kind::Circle { radius } => {
            *radius = (*radius + growth).clamp(0, 7);
            (IVec2::splat(*radius), IVec2::splat(*radius))
        }
        Kind::Box { size } => {
            *size = (*size + growth).clamp(IVec2::ONE, IVec2::splat(9));
            (IVec2::ZERO, *size)
        }
    };
    changed.at = (changed.at + step).clamp(before, CELLS - behind);
    figure.set_if_neq(changed);
}

fn switch_convention(
    mut typed: Typed,
    mut convention: ResMut<Convention>,
    mut account: ResMut<Account>,
) {
    if typed.read().contains('y') {
        *convention = match *convention {
            Convention::YDown => Convention::YUp,
            Convention::YUp => Convention::YDown,
        };
        account.tell(match *convention {
            Convention::YDown => "y points down from the top left",
            Convention::YUp => "y points up from the bottom left: other numbers, the same hits",
        });
    }
}

/// Gives each figure its collider and place. Only the keys move figures, so all are kinematic.
fn place(mut commands: Commands, figures: Query<(Entity, &Figure), Changed<Figure>>) {
    for (entity, &figure) in &figures {
        let mut entity = commands.entity(entity);
        let down = |at: Vec2| Transform::from_xyz(at.x, -at.y, 0.0);
        entity.insert((Name::new(figure.name()), Body::Kinematic));
        let at = figure.at.as_vec2();
        match figure.kind {
            Kind::Point => entity.insert((CircleCollider::new(0.0), down(at))),
            Kind::Circle { radius } => {
                entity.insert((CircleCollider::new(radius as f32), down(at)))
            }
            Kind::Box { size } => {
                let size = size.as_vec2();
                entity.insert((BoxCollider::from_size(size), down(at + size * 0.5)))
            }
        };
    }
}

/// Tells when the result of a printed formula starts to differ from the plugin's.
fn tell_of_wrong_formulas(
    mut account: ResMut<Account>,
    mut told: Local<Vec<String>>,
    convention: Res<Convention>,
    figures: Query<(Entity, &Figure)>,
    collisions: Collisions,
) {
    let wrong: Vec<String> = tests(&sorted(figures.iter()), *convention)
        .into_iter()
        .filter(|test| test.printed != collisions.between(test.a, test.b).is_some())
        .map(|test| {
            let answer = if test.printed { "they meet" } else { "no" };
            format!("{}: by the printed formula, {answer}", test.what)
        })
        .collect();
    for line in wrong.iter().filter(|line| !told.contains(line)) {
        account.tell(line);
    }
    *told = wrong;
}

/// After each change, tells the pairs that meet: by the plugin, and by the formula in whole numbers.
fn count_meeting(
    mut account: ResMut<Account>,
    changed: Query<(), Changed<Figure>>,
    figures: Query<(Entity, &Figure)>,
    collisions: Collisions,
) {
    if changed.is_empty() {
        return;
    }
    let figures = sorted(figures.iter());
    let meeting = figures.iter().enumerate().flat_map(|(number, &(_, a))| {
        let later = &figures[number + 1..];
        later.iter().filter(move |&&(_, b)| touch(a, b))
    });
    account.tell(format_args!(
        "{} pairs meet, {} by the formula in whole numbers",
        collisions.len(),
        meeting.count()
    ));
}

/// A line of text: of the table, or of the numbers above it.
#[derive(Component)]
struct Row(usize);

/// The letter at the end of the arrow along this axis.
#[derive(Component)]
struct AxisLabel(Vec2);

/// The place of the table, in pixels from the left.
const TABLE: f32 = 412.0;

pub fn drawing(app: &mut App) {
    app.add_systems(Startup, spawn_texts)
        .add_systems(Update, (draw_grid, draw_figures).chain())
        .add_systems(Update, write_numbers)
        // The plugin answers for the newest tick. Until the next one, figures may have moved on.
        .add_systems(FixedLast, write_tests);
}

fn spawn_texts(mut commands: Commands) {
    for row in 0..16 {
        // The numbers first, then the table below a gap.
        let y = CORNER.y + 18.0 * row as f32 + if row < 5 { 0.0 } else { 18.0 };
        let text = label("", (TABLE, y), Anchor::TOP_LEFT, Palette::FAINT);
        commands.spawn((Row(row), text));
    }
    commands.spawn(label(
        "red: the tutorial's formula\nas printed says otherwise",
        (TABLE, CORNER.y + 18.0 * 17.5),
        Anchor::TOP_LEFT,
        Palette::HIT,
    ));
    for axis in [Vec2::X, Vec2::Y] {
        let letter = if axis == Vec2::X { "x" } else { "y" };
        let text = label(letter, (0.0, 0.0), Anchor::CENTER, Palette::INK);
        commands.spawn((AxisLabel(axis), text));
    }
}

/// Draws the grid, and the axes at the corner where both coordinates are 0.
fn draw_grid(
    mut gizmos: Gizmos,
    convention: Res<Convention>,
    mut labels: Query<(&AxisLabel, &mut Transform)>,
) {
    let on_screen = |cells: Vec2| {
        let pixels = CORNER + cells * CELL;
        to_world(pixels.x, pixels.y)
    };
    let count = CELLS as f32;
    for line in 0..=CELLS {
        let at = line as f32;
        for (from, to) in [
            (Vec2::new(at, 0.0), Vec2::new(at, count)),
            (Vec2::new(0.0, at), Vec2::new(count, at)),
        ] {
            gizmos.line_2d(on_screen(from), on_screen(to), Palette::GRID);
        }
    }
    // The corner where both coordinates are 0, and the direction outwards from there.
    let (origin, outside) = match *convention {
        Convention::YDown => (Vec2::ZERO, Vec2::NEG_ONE),
        Convention::YUp => (Vec2::new(0.0, count), Vec2::new(-1.0, 1.0)),
    };
    for (AxisLabel(axis), mut place) in &mut labels {
        let tip = origin - outside * axis * 3.0;
        gizmos.arrow_2d(on_screen(origin), on_screen(tip), Palette::INK);
        let beside = outside * (Vec2::ONE - axis) * 0.5;
        place.translation = on_screen(tip + beside).extend(1.0);
    }
}

fn draw_figures(
    mut gizmos: Gizmos,
    chosen: Res<Chosen>,
    figures: Query<(Entity, &Figure)>,
    places: Query<&GlobalTransform>,
    collisions: Collisions,
) {
    for (number, (entity, figure)) in sorted(figures.iter()).into_iter().enumerate() {
        let Ok(place) = places.get(entity) else {
            continue;
        };
        let meets_any = collisions.of(entity).next().is_some();
        let color = match number == chosen.0 {
            true => Palette::PLAYER,
            false if meets_any => Palette::INK,
            false => Palette::OTHER,
        };
        let at = place.translation().truncate();
        let cross = if number == chosen.0 { 7.0 } else { 4.0 };
        gizmos.cross_2d(at, cross, color);
        match figure.kind {
            Kind::Point => {
                gizmos.circle_2d(at, 3.0, color);
            }
            Kind::Circle { radius } => {
                gizmos
                    .circle_2d(at, radius as f32 * CELL, color)
                    .resolution(64);
            }
            Kind::Box { size } => gizmos.rect_2d(at, size.as_vec2() * CELL, color),
        }
    }
}

fn write_numbers(
    chosen: Res<Chosen>,
    convention: Res<Convention>,
    figures: Query<(Entity, &Figure)>,
    mut rows: Query<(&Row, &mut Text2d, &mut TextColor)>,
) {
    let figures = sorted(figures.iter());
    for (row, mut text, mut color) in &mut rows {
        let Some((_, figure)) = figures.get(row.0) else {
            continue;
        };
        let IVec2 { x, y } = convention.tell(figure.at);
        let size = match figure.kind {
            Kind::Point => String::new(),
            Kind::Circle { radius } => format!(" radius {radius}"),
            Kind::Box { size } => format!(" {} x {}", size.x, size.y),
        };
        let is_chosen = row.0 == chosen.0;
        let line = format!("{:<9}({x:>2}, {y:>2}){size}", figure.name());
        write(&mut text, line);
        color.0 = if is_chosen {
            Palette::PLAYER
        } else {
            Palette::FAINT
        };
    }
}

fn write_tests(
    convention: Res<Convention>,
    figures: Query<(Entity, &Figure)>,
    collisions: Collisions,
    mut rows: Query<(&Row, &mut Text2d, &mut TextColor)>,
) {
    let figures = sorted(figures.iter());
    let tests = tests(&figures, *convention);
    for (row, mut text, mut color) in &mut rows {
        let Some(test) = row.0.checked_sub(figures.len()).and_then(|n| tests.get(n)) else {
            continue;
        };
        let hit = collisions.between(test.a, test.b);
        let answer = match hit {
            None => "",
            Some(hit) if hit.depth > 0.0 => "overlap",
            Some(_) => "touch",
        };
        write(&mut text, format!("{:<21}{answer}", test.what));
        color.0 = match hit {
            _ if hit.is_some() != test.printed => Palette::HIT,
            Some(_) => Palette::INK,
            None => Palette::FAINT,
        };
    }
}
