//! Figures on a grid: compares the formula in whole numbers, the crate's kernel, and what the tutorial prints.

use std::time::Duration;

use bevy::{math::IVec2, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::kernel::{Shape, touches};

use crate::{
    retro::{CELLS, Convention, Figure, Kind, STAGE, drawing, printed, scene, touch},
    tap_key, type_key,
};

fn circle(x: i32, radius: i32) -> Figure {
    Figure {
        letter: 'A',
        at: IVec2::new(x, 0),
        kind: Kind::Circle { radius },
    }
}

fn square(at: IVec2, size: IVec2) -> Figure {
    Figure {
        letter: 'C',
        at,
        kind: Kind::Box { size },
    }
}

/// The same test by the kernel.
fn by_kernel(a: Figure, b: Figure) -> bool {
    let shape_and_center = |figure: Figure| {
        let at = figure.at.as_vec2();
        match figure.kind {
            Kind::Point => (Shape::POINT, at),
            Kind::Circle { radius } => (Shape::circle(radius as f32).expect("valid"), at),
            Kind::Box { size } => {
                let half = size.as_vec2() * 0.5;
                (Shape::rectangle(half).expect("valid"), at + half)
            }
        }
    };
    let ((a, at_a), (b, at_b)) = (shape_and_center(a), shape_and_center(b));
    touches(a, b, at_b - at_a)
}

/// With radii of 3 and 4, a distance of 6 overlaps, 7 touches, and 8 does not. The tutorial adds squares, and finds none beyond 5.
#[test]
fn circles_touch_up_to_the_sum_of_their_radii() {
    for (distance, meets, by_tutorial) in [
        (5, true, true),
        (6, true, false),
        (7, true, false),
        (8, false, false),
    ] {
        let (a, b) = (circle(0, 3), circle(distance, 4));
        assert_eq!(touch(a, b), meets, "{distance}");
        assert_eq!(by_kernel(a, b), meets, "{distance} by the kernel");
        assert_eq!(
            printed::circles(a.at, 3, b.at, 4),
            by_tutorial,
            "{distance} as printed"
        );
    }
    let [three, four] = [3.0, 4.0].map(|radius| Shape::circle(radius).expect("valid"));
    assert!(!touches(three, four, Vec2::new(7.1, 0.0)));
}

#[test]
fn boxes_of_all_sizes_agree_by_sides_by_centers_and_by_the_kernel() {
    let mut rounded_wrong = 0;
    for (width_a, width_b, x) in all_of(1..=7, 1..=7, -9..=9) {
        let (size_a, size_b) = (IVec2::splat(width_a), IVec2::splat(width_b));
        let (a, b) = (
            square(IVec2::ZERO, size_a),
            square(IVec2::new(x, 0), size_b),
        );
        let by_sides = printed::boxes_by_sides(a.at, size_a, b.at, size_b);
        let case = format!("{width_a} wide at 0, {width_b} wide at {x}");
        assert_eq!(by_sides, -width_b <= x && x <= width_a, "{case}: by sides");
        assert_eq!(touch(a, b), by_sides, "{case}: by centres");
        assert_eq!(by_kernel(a, b), by_sides, "{case}: by the kernel");
        let by_centers = printed::boxes_by_centers(a.at, size_a, b.at, size_b);
        let both_even = width_a % 2 == 0 && width_b % 2 == 0;
        assert!(
            by_centers == by_sides || !both_even,
            "{case}: even sizes are right as printed"
        );
        rounded_wrong += i32::from(by_centers != by_sides);
    }
    assert!(rounded_wrong > 0, "odd sizes go wrong as printed");
}

#[test]
fn boxes_of_width_1_side_by_side_touch() {
    let (a, b) = (
        square(IVec2::ZERO, IVec2::ONE),
        square(IVec2::X, IVec2::ONE),
    );
    assert!(touch(a, b) && by_kernel(a, b));
    assert!(printed::boxes_by_sides(a.at, IVec2::ONE, b.at, IVec2::ONE));
    assert!(
        !printed::boxes_by_centers(a.at, IVec2::ONE, b.at, IVec2::ONE),
        "as printed"
    );
}

/// Tests all kinds against all kinds, at every offset that may be near enough.
#[test]
fn whole_numbers_and_the_kernel_agree_on_every_pair() {
    let kinds = [
        Kind::Point,
        Kind::Circle { radius: 3 },
        Kind::Circle { radius: 5 },
        Kind::Box {
            size: IVec2::new(5, 3),
        },
        Kind::Box {
            size: IVec2::new(4, 7),
        },
    ];
    for (one, other) in kinds
        .iter()
        .flat_map(|a| kinds.iter().map(move |b| (*a, *b)))
    {
        for (x, y, _) in all_of(-13..=13, -13..=13, 0..=0) {
            let a = Figure {
                letter: 'a',
                at: IVec2::new(20, 20),
                kind: one,
            };
            let b = Figure {
                letter: 'b',
                at: IVec2::new(20 + x, 20 + y),
                kind: other,
            };
            assert_eq!(touch(a, b), by_kernel(a, b), "{a:?} and {b:?}");
            let as_printed = match (one, other) {
                (Kind::Point, Kind::Circle { radius }) => {
                    printed::point_in_circle(a.at, b.at, radius)
                }
                (Kind::Point, Kind::Box { size }) => {
                    let down = printed::point_in_box_y_down(a.at, b.at, size);
                    let up = |at: IVec2| IVec2::new(at.x, 100 - at.y);
                    assert_eq!(down, printed::point_in_box_y_up(up(a.at), up(b.at), size));
                    down
                }
                (Kind::Circle { radius }, Kind::Box { size }) => {
                    printed::circle_and_box(a.at, radius, b.at, size)
                }
                _ => continue,
            };
            assert_eq!(as_printed, touch(a, b), "{a:?} and {b:?}, as printed");
        }
    }
}

#[test]
fn the_account_tells_where_the_printed_formulas_fail() {
    let account = common::recorded(&STAGE, scene).join("\n");
    for what in [
        "circle A, circle B: by the printed formula, no",
        "box C, box D centres: by the printed formula, no",
        "circle A leaves circle B (Separated)",
        "box C leaves box D (Separated)",
        "y points up",
    ] {
        assert!(account.contains(what), "{what} is not in:\n{account}");
    }
    // "3 pairs meet, 3 by the formula in whole numbers"
    let lines = account.lines().filter(|line| line.contains("pairs meet"));
    let counts: Vec<&str> = lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(words[2], words[5], "{line}");
            words[2]
        })
        .collect();
    let do_meet = counts.iter().any(|count| *count != "0");
    assert!(counts.len() >= 3 && do_meet, "{counts:?}");
}

/// At the end of the recording, box C is at (2, 15) and 6 wide, so it touches D at x = 8, and one cell farther left it does not. The plugin answers for the newest tick, so the formulas
/// in the table have to be asked about the same tick.
#[test]
fn a_row_of_the_table_is_of_one_tick() {
    let mut app = common::draw_unseen(&STAGE, scene, drawing);
    let assert_row = |app: &mut App, answer: &str, color: Color, case: &str| {
        let expected = format!("{:<21}{answer}", "box C, box D sides");
        let world = app.world_mut();
        let mut rows = world.query::<(&Text2d, &TextColor)>();
        let is_there = rows
            .iter(world)
            .any(|(text, shown)| text.0 == expected && shown.0 == color);
        assert!(is_there, "{case}");
    };
    let step = |app: &mut App| {
        type_key(app, KeyCode::ArrowLeft, "");
    };
    let ink = common::Palette::INK;
    assert_row(&mut app, "touch", ink, "at the end of the recording");

    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    step(&mut app);
    assert_row(&mut app, "touch", ink, "in a pause");
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    assert_row(&mut app, "touch", ink, "after the pause");

    let no_time = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
    app.insert_resource(no_time);
    step(&mut app);
    assert_row(&mut app, "touch", ink, "in a frame without a tick");
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    assert_row(&mut app, "", common::Palette::FAINT, "in the next tick");
}

/// On a German keyboard Y and Z are swapped.
#[test]
fn y_turns_by_what_is_written_on_the_key() {
    let mut app = common::rehearsal(&STAGE, scene);
    for (key, written) in [(KeyCode::KeyZ, "y"), (KeyCode::KeyY, "z")] {
        type_key(&mut app, key, written);
        let convention = app.world().resource::<Convention>();
        assert_eq!(*convention, Convention::YUp, "{written}");
    }
}

/// The figure that is chosen first is a point; the next one is a circle with a radius of 3.
#[test]
fn figures_grow_by_what_is_written_on_the_keys() {
    let mut app = common::rehearsal(&STAGE, scene);
    common::hold(&mut app, &common::Step::keys(1, &[KeyCode::Tab]));
    for (key, written, expected) in [(KeyCode::BracketRight, "+", 4), (KeyCode::Slash, "-", 3)] {
        type_key(&mut app, key, written);
        let world = app.world_mut();
        let mut figures = world.query::<&Figure>();
        let first = figures.iter(world).find(|figure| figure.letter == 'A');
        let radius = first.map(|figure| figure.kind);
        assert_eq!(radius, Some(Kind::Circle { radius: expected }), "{written}");
    }
}

fn all_of(
    one: std::ops::RangeInclusive<i32>,
    two: std::ops::RangeInclusive<i32>,
    three: std::ops::RangeInclusive<i32>,
) -> impl Iterator<Item = (i32, i32, i32)> {
    one.flat_map(move |a| {
        let three = three.clone();
        two.clone()
            .flat_map(move |b| three.clone().map(move |c| (a, b, c)))
    })
}

/// Moves each figure, grown as large as possible, into the lower right and the upper left corner.
#[test]
fn figures_stay_on_the_grid() {
    let mut app = common::rehearsal(&STAGE, scene);
    let assert_inside = |app: &mut App| {
        let world = app.world_mut();
        for figure in world.query::<&Figure>().iter(world) {
            let (min, max) = match figure.kind {
                Kind::Point => (figure.at, figure.at),
                Kind::Circle { radius } => (figure.at - radius, figure.at + radius),
                Kind::Box { size } => (figure.at, figure.at + size),
            };
            let is_inside = min.cmpge(IVec2::ZERO).all() && max.cmple(IVec2::splat(CELLS)).all();
            assert!(is_inside, "{figure:?}");
        }
    };
    for _ in 0..5 {
        for (key, written) in [
            (KeyCode::ArrowRight, ""),
            (KeyCode::ArrowDown, ""),
            // In a corner a figure has no room to grow, unless it moves away from the corner.
            (KeyCode::Equal, "+"),
            (KeyCode::ArrowLeft, ""),
            (KeyCode::ArrowUp, ""),
        ] {
            for _ in 0..30 {
                tap_key(&mut app, key, written, 1);
                assert_inside(&mut app);
            }
        }
        tap_key(&mut app, KeyCode::Tab, "", 1);
    }
}

#[test]
fn every_tap_of_a_slow_frame_counts() {
    let mut app = common::rehearsal(&STAGE, scene);
    let radius = |app: &mut App| {
        let world = app.world_mut();
        let mut figures = world.query::<&Figure>();
        let circle = figures.iter(world).find(|figure| figure.letter == 'A');
        circle.expect("it is there").kind
    };
    tap_key(&mut app, KeyCode::Tab, "", 1);
    assert_eq!(radius(&mut app), Kind::Circle { radius: 3 });
    tap_key(&mut app, KeyCode::Equal, "+", 3);
    assert_eq!(radius(&mut app), Kind::Circle { radius: 6 });
    tap_key(&mut app, KeyCode::Minus, "-", 2);
    assert_eq!(radius(&mut app), Kind::Circle { radius: 4 });
}
