//! What holds for all shapes and all offsets.

use bevy::math::Vec2;
use bevy_nudge::{
    kernel::{
        Contact, Shape, Touching, cast_shape, closest_point, contact, contact_with_bounds,
        contact_within, contains_point, distance, overlaps, separation, touches,
    },
    spatial::{Cast, ShapeIndex},
};
use proptest::prelude::*;

use crate::shapes::{cases, offset, shape};

/// The largest rounding error, for sizes and offsets of up to some hundreds.
const ROUNDING: f32 = 1.0e-4;

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn swapping_the_two_mirrors_everything_to_the_bit(a in shape(), b in shape(), offset in offset()) {
        prop_assert_eq!(touches(a, b, offset), touches(b, a, -offset));
        prop_assert_eq!(overlaps(a, b, offset), overlaps(b, a, -offset));
        prop_assert_eq!(separation(a, b, offset).to_bits(), separation(b, a, -offset).to_bits());
        let seen_from_a = contact_within(a, b, offset, f32::MAX).expect("within any margin");
        let seen_from_b = contact_within(b, a, -offset, f32::MAX).expect("within any margin");
        prop_assert_eq!(seen_from_a.depth.to_bits(), seen_from_b.depth.to_bits());
        if a != b || offset != Vec2::ZERO {
            prop_assert_eq!(seen_from_a.normal, -seen_from_b.normal);
        }
    }

    /// All places are in steps that floats represent exactly, at the origin and as far away.
    #[test]
    fn moving_all_changes_nothing(
        a in shape(),
        b in shape(),
        places in prop::array::uniform6(-62.0_f32..62.0),
        (turn, power) in (0..4_usize, 7..18_u8),
    ) {
        let far = (1_u32 << power) as f32;
        let step = far * f32::EPSILON;
        let [place, other, motion] = [0, 2, 4].map(|at| {
            (Vec2::new(places[at], places[at + 1]) / step).round() * step
        });
        let away = [Vec2::ONE, Vec2::new(1.0, -1.0), Vec2::NEG_ONE, Vec2::new(-1.0, 1.0)][turn];
        let [here, there] = [Vec2::ZERO, away * (far + 62.0)].map(|by| {
            let index = ShapeIndex::new([((), b, other + by)]);
            let cast = Cast::shape(a, place + by, motion);
            let touching = Touching::Counts;
            let overlap = index.overlap(a, place + by, touching, |()| true);
            let near = index.nearest(place + by, f32::INFINITY, |()| true);
            let hit = index.cast(&cast, |()| true).map(|hit| {
                let numbers = [hit.fraction, hit.distance, hit.normal.x, hit.normal.y];
                (numbers.map(f32::to_bits), hit.started_inside)
            });
            let gaps = [overlap, near].map(|one| one.map(|one| one.distance.to_bits()));
            (gaps, hit)
        });
        prop_assert_eq!(here, there);
    }

    #[test]
    fn answers_agree_with_each_other(a in shape(), b in shape(), offset in offset()) {
        let separation = separation(a, b, offset);
        prop_assert!(!overlaps(a, b, offset) || touches(a, b, offset));
        // Squares and roots are rounded differently near the border.
        prop_assert!(touches(a, b, offset) == (separation <= 0.0) || separation.abs() < ROUNDING);
        prop_assert_eq!(distance(a, b, offset), separation.max(0.0));
        prop_assert_eq!(contact(a, b, offset).is_some(), touches(a, b, offset));
        if let Some(hit) = contact(a, b, offset) {
            prop_assert!(hit.depth >= 0.0);
            prop_assert!((hit.depth - (-separation).max(0.0)).abs() <= ROUNDING);
            prop_assert!((hit.normal.length() - 1.0).abs() <= 1.0e-6);
        }
    }

    #[test]
    fn moved_by_the_minimum_translation_it_touches_and_does_not_overlap(
        a in shape(), b in shape(), offset in offset(),
    ) {
        if let Some(hit) = contact(a, b, offset) {
            let freed = offset + hit.normal * hit.depth;
            let left = separation(a, b, freed);
            prop_assert!(left.abs() <= ROUNDING, "{left} is left");
        }
    }

    /// Tries 64 directions, each with a move a little shorter than the depth.
    #[test]
    fn no_shorter_move_frees_it(a in shape(), b in shape(), offset in offset()) {
        let Some(hit) = contact(a, b, offset) else { return Ok(()) };
        let shorter = hit.depth * 0.999 - ROUNDING;
        if shorter <= 0.0 {
            return Ok(());
        }
        for step in 0..64 {
            let direction = Vec2::from_angle(step as f32 * std::f32::consts::TAU / 64.0);
            prop_assert!(overlaps(a, b, offset + direction * shorter), "{direction} is shorter");
        }
    }

    #[test]
    fn a_contact_point_is_near_both_surfaces(a in shape(), b in shape(), offset in offset()) {
        if let Some(hit) = contact(a, b, offset) {
            let half_deep = hit.depth * 0.5 + ROUNDING;
            prop_assert!(separation(a, Shape::POINT, hit.point) <= ROUNDING.max(half_deep));
            prop_assert!(separation(b, Shape::POINT, hit.point - offset) <= ROUNDING.max(half_deep));
            // The surfaces are half the depth away along the normal, on either side of the point.
            let surface_of_a = hit.point + hit.normal * hit.depth * 0.5;
            prop_assert!(separation(a, Shape::POINT, surface_of_a).abs() <= ROUNDING * 10.0, "{}", surface_of_a);
        }
    }

    #[test]
    fn the_closest_point_is_in_the_shape_and_as_far_as_the_distance(shape in shape(), point in offset()) {
        let closest = closest_point(shape, point);
        prop_assert!(separation(shape, Shape::POINT, closest) <= ROUNDING);
        let far = closest.distance(point);
        prop_assert!((far - distance(shape, Shape::POINT, point)).abs() <= ROUNDING);
        prop_assert!(closest == point || !contains_point(shape, point) || far <= ROUNDING);
    }

    #[test]
    fn a_cast_stops_where_the_two_touch_and_not_before(
        a in shape(), b in shape(), offset in offset(), aim in offset(), part in 0.5_f32..2.0,
    ) {
        // Towards the other one, and by a part of their distance, so that most of those apart meet, many by a corner.
        let motion = offset * part + aim * 0.25;
        let left_at = |fraction: f32| separation(a, b, offset - motion * fraction);
        match cast_shape(a, b, offset, motion) {
            Some(hit) if hit.started_inside => prop_assert!(left_at(0.0) <= ROUNDING),
            Some(hit) => {
                prop_assert!((0.0..=1.0).contains(&hit.fraction));
                prop_assert!(left_at(hit.fraction).abs() <= ROUNDING * 10.0, "{}", left_at(hit.fraction));
                for part in 0..32 {
                    let before = hit.fraction * part as f32 / 32.0;
                    prop_assert!(left_at(before) >= -ROUNDING * 10.0, "met before, at {before}");
                }
                prop_assert!((hit.normal.length() - 1.0).abs() <= 1.0e-5);
                prop_assert!(hit.normal.dot(motion) <= ROUNDING, "the normal faces the motion");
                // Both are convex, so farther back, all is as far away as it is in front of the surface, or farther.
                let before = left_at(hit.fraction - 1.0);
                let in_front = -hit.normal.dot(motion);
                prop_assert!(before >= in_front - ROUNDING * 10.0, "it comes from {before} away, not {in_front}");
            }
            None => {
                for part in 0..=32 {
                    let left = left_at(part as f32 / 32.0);
                    prop_assert!(left >= -ROUNDING * 10.0, "a miss goes through, {left} deep");
                }
            }
        }
    }

    #[test]
    fn a_room_holds_what_it_pushed_back(shape in shape(), offset in offset(), x in 0.0f32..150.0, y in 0.0f32..150.0) {
        let room = Vec2::new(x, y);
        if let Some(hit) = contact_with_bounds(room, shape, offset) {
            let inside = offset + hit.normal * hit.depth;
            let free = (room - shape.half_extents()).max(Vec2::ZERO);
            prop_assert!((inside.abs() - free).max_element() <= ROUNDING, "{inside} in {free}");
        } else {
            prop_assert!((offset.abs() + shape.half_extents()).cmplt(room).all());
        }
    }
}

/// Valid input, however odd: zeros of both signs, numbers that vanish when squared, the largest allowed numbers.
#[test]
fn nothing_valid_gives_nan() {
    let sizes = [0.0, 1.0e-45, 1.0e-30, 1.0e-12, 1.0, 1.0e9, 4.9e17, 1.0e18];
    let parts = [
        0.0, -0.0, 1.0e-45, -1.0e-30, 1.0e-12, 1.0, -1.0e9, 1.0e18, -1.0e18,
    ];
    let shapes: Vec<Shape> = sizes
        .iter()
        .flat_map(|&size| {
            let rounded = Shape::rounded_rectangle(Vec2::new(size, 1.0e18), size * 0.5);
            [
                Shape::circle(size),
                Shape::rectangle(Vec2::new(size, 1.0)),
                rounded,
            ]
        })
        .map(|shape| shape.expect("valid"))
        .collect();
    let offsets = || {
        parts
            .iter()
            .flat_map(|&x| parts.iter().map(move |&y| Vec2::new(x, y)))
    };
    for (a, b) in shapes
        .iter()
        .flat_map(|a| shapes.iter().map(move |b| (*a, *b)))
    {
        for offset in offsets() {
            let case = || format!("{a:?} {b:?} {offset}");
            assert!(separation(a, b, offset).is_finite(), "{}", case());
            let Contact {
                normal,
                depth,
                point,
            } = contact_within(a, b, offset, f32::MAX).unwrap_or_else(|| panic!("{}", case()));
            assert!(depth.is_finite() && point.is_finite(), "{}", case());
            assert!(
                (normal.length() - 1.0).abs() <= 1.0e-5,
                "{} {normal}",
                case()
            );
            assert!(closest_point(a, offset).is_finite(), "{}", case());
            let room = contact_with_bounds(b.half_extents(), a, offset);
            assert!(
                room.is_none_or(|hit| hit.normal.is_normalized() && hit.depth.is_finite()),
                "{}",
                case()
            );
            for motion in [
                Vec2::ZERO,
                Vec2::new(1.0e-45, 0.0),
                Vec2::new(-1.0e18, 3.0),
                -offset,
            ] {
                if let Some(hit) = cast_shape(a, b, offset, motion) {
                    assert!(
                        (0.0..=1.0).contains(&hit.fraction),
                        "{} by {motion}: {hit:?}",
                        case()
                    );
                    assert!(
                        (hit.normal.length() - 1.0).abs() <= 1.0e-4,
                        "{} by {motion}: {hit:?}",
                        case()
                    );
                }
            }
        }
    }
}
