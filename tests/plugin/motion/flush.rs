//! Flush tiles are one surface: a body cannot notice where one tile ends and the next begins.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, moving_app, velocity, velocity_of};
use crate::common::{at, place, tick, wall};

/// As in most games. Floats cannot represent a 60th of a second exactly.
const TICKS_PER_SECOND: f32 = 60.0;
const GRAVITY: f32 = 980.0;
/// How deep a game that moves the `Transform` of a body puts it into the surface, in each tick.
const PRESSES: f32 = 0.25;

/// Layers of bodies, and of two kinds of tiles.
const BODIES: u32 = 1;
const TILES: [u32; 2] = [2, 4];

fn app() -> App {
    let mut app = moving_app();
    app.insert_resource(Time::<Fixed>::from_hz(f64::from(TICKS_PER_SECOND)));
    app
}

/// Spawns a tile with this center and width, of one of the two kinds.
fn tile(app: &mut App, center: Vec2, width: f32, kind: usize) {
    app.world_mut().spawn((
        BoxCollider::square(width),
        Body::Static,
        CollisionLayers::new(TILES[kind], BODIES),
        at(center.x, center.y),
    ));
}

/// Spawns a tile of 16, of the first kind, which need not be static.
fn solid_tile(app: &mut App, center: Vec2, body: Body) -> Entity {
    let layers = CollisionLayers::new(TILES[0], BODIES);
    let tile = (BoxCollider::square(16.0), body, layers);
    app.world_mut().spawn((tile, at(center.x, center.y))).id()
}

/// Spawns a box or a circle that is 16 wide and collides only with tiles.
fn body(app: &mut App, center: Vec2, is_round: bool) -> Entity {
    let mut body = app.world_mut().spawn((
        CollisionLayers::new(BODIES, TILES[0] | TILES[1]),
        at(center.x, center.y),
    ));
    if is_round {
        body.insert(CircleCollider::new(8.0));
    } else {
        body.insert(BoxCollider::square(16.0));
    }
    body.id()
}

fn accelerate(app: &mut App, body: Entity, by: Vec2) {
    let mut velocity = app
        .world_mut()
        .get_mut::<Velocity>(body)
        .expect("it has one");
    velocity.0 += by;
}

/// Runs a tick, and returns the normals of each body's contacts, pointing out of the body.
fn normals(app: &mut App, bodies: &[Entity]) -> BTreeMap<Entity, Vec<Vec2>> {
    let mut normals: BTreeMap<Entity, Vec<Vec2>> = BTreeMap::new();
    for hit in tick(app) {
        let of = bodies.iter().find(|body| hit.involves(**body));
        let of = *of.expect("tiles do not report each other");
        let normal = hit.normal_for(of).expect("it is involved");
        normals.entry(of).or_default().push(normal);
    }
    normals
}

/// A body that moves along a surface.
struct Walker {
    body: Entity,
    case: String,
    start: f32,
    speed: f32,
    by_velocity: bool,
}

/// A thousand tiles along each surface: bodies move on it in the direction `along`, and `into` points into it.
#[test]
fn flush_tiles_are_one_surface() {
    for (surface, into, along) in [
        ("floor", Vec2::NEG_Y, Vec2::X),
        ("ceiling", Vec2::Y, Vec2::X),
        ("left wall", Vec2::NEG_X, Vec2::NEG_Y),
        ("right wall", Vec2::X, Vec2::Y),
    ] {
        for (tiles, widths, kinds) in [
            ("equal", [16.0; 3], [0; 3]),
            ("mixed", [16.0, 24.0, 8.0], [0; 3]),
            ("on two layers", [16.0; 3], [0, 1, 1]),
        ] {
            for origin in [0.0, 1.0e5] {
                let case = format!("{surface} of {tiles} tiles at {origin}");
                go_along((into, along), (widths, kinds), Vec2::splat(origin), &case);
            }
        }
    }
}

fn go_along(
    (into, along): (Vec2, Vec2),
    (widths, kinds): ([f32; 3], [usize; 3]),
    origin: Vec2,
    case: &str,
) {
    let mut app = app();
    let mut from = -8.0;
    for number in 0..1000 {
        let (width, kind) = (widths[number % 3], kinds[number % 3]);
        let center = origin + along * (from + width * 0.5) + into * (width * 0.5);
        tile(&mut app, center, width, kind);
        from += width;
    }
    let mut walkers: Vec<Walker> = Vec::new();
    // From 0, a box has its edges over those of tiles: at 120 and 600 they are aligned again in every eighth tick, at 960 in every tick.
    for start in [0.0, 3.3] {
        for speed in [120.0, 600.0, 960.0, 1337.0, 6000.0] {
            for (is_round, by_velocity) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let body = body(&mut app, origin + along * start - into * 8.0, is_round);
                if by_velocity {
                    app.world_mut()
                        .entity_mut(body)
                        .insert(Velocity(along * speed));
                }
                walkers.push(Walker {
                    body,
                    case: format!(
                        "{case}, {speed} from {start}, round: {is_round}, by velocity: {by_velocity}"
                    ),
                    start,
                    speed,
                    by_velocity,
                });
            }
        }
    }
    let bodies: Vec<Entity> = walkers.iter().map(|walker| walker.body).collect();
    // The fastest is then thirty tiles before the end.
    for number in 1..=155 {
        let mut put = Vec::new();
        for walker in &walkers {
            let step = walker.speed / TICKS_PER_SECOND;
            if walker.by_velocity {
                accelerate(&mut app, walker.body, into * (GRAVITY / TICKS_PER_SECOND));
                continue;
            }
            let on_the_way = origin + along * (walker.start + step * number as f32);
            let pressed = place(&app, walker.body) + into * PRESSES;
            let to = Vec2::select(along.cmpne(Vec2::ZERO), on_the_way, pressed);
            let mut transform = app.world_mut().get_mut::<Transform>(walker.body);
            let transform = transform.as_mut().expect("it has one");
            transform.translation = to.extend(0.0);
            put.push((walker.body, to));
        }
        let normals = normals(&mut app, &bodies);
        for walker in &walkers {
            let case = format!("{}, tick {number}", walker.case);
            let told = normals
                .get(&walker.body)
                .unwrap_or_else(|| panic!("{case}: nothing"));
            assert!(
                told.iter().all(|normal| *normal == into),
                "{case}: {told:?}"
            );
            let apart = (origin - place(&app, walker.body)).dot(into);
            assert!((apart - 8.0).abs() < 0.01, "{case}: {apart} apart");
            if walker.by_velocity {
                let speed = velocity_of(&app, walker.body).dot(along);
                assert!(
                    (speed / walker.speed - 1.0).abs() < 1.0e-6,
                    "{case}: {speed}"
                );
            }
        }
        for (body, to) in put {
            // No part of its way is lost.
            assert_eq!(place(&app, body).dot(along), to.dot(along), "tick {number}");
        }
    }
}

/// As deep in the floor as it is over the next tile: from the depths alone, either could be the way out.
#[test]
fn as_deep_in_the_side_as_in_the_floor_is_in_the_floor() {
    let sides = [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y];
    for into in sides {
        for along in [into.perp(), -into.perp()] {
            let mut app = app();
            for number in -2..=2 {
                tile(
                    &mut app,
                    along * (16.0 * number as f32) + into * 8.0,
                    16.0,
                    0,
                );
            }
            let body = body(&mut app, along * 0.25 - into * 7.75, false);
            let told = normals(&mut app, &[body]).remove(&body);
            assert_eq!(
                place(&app, body),
                along * 0.25 - into * 8.0,
                "{into}, {along}"
            );
            let told = told.expect("it was in two of them");
            assert!(
                told.iter().all(|normal| *normal == into),
                "{into}, {along}: {told:?}"
            );
        }
    }
}

/// A crate with its edges over those of tiles, and another one that touches it corner to corner: neither the tiles below it nor the crate that touches it only by a corner is an obstacle behind it.
#[test]
fn what_lies_flush_over_a_seam_can_be_pushed_along() {
    for into in [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y] {
        for along in [into.perp(), -into.perp()] {
            for (pusher, pushed, stays) in [(Body::Kinematic, 1.0, 1.0), (Body::Dynamic, 0.5, 0.5)]
            {
                for pressed in [0.0, PRESSES] {
                    let mut app = app();
                    for number in -3..=3 {
                        tile(
                            &mut app,
                            along * (16.0 * number as f32) + into * 8.0,
                            16.0,
                            0,
                        );
                    }
                    let mut spawn = |place: Vec2, body: Body| {
                        let one = (BoxCollider::square(16.0), body, at(place.x, place.y));
                        app.world_mut().spawn(one).id()
                    };
                    let up = -into * 8.0;
                    let shoved = spawn(up + into * pressed, Body::Dynamic);
                    let pusher = spawn(up - along * 15.0, pusher);
                    let corner = spawn(up * 3.0 + along * 16.0, Body::Dynamic);
                    tick(&mut app);
                    let case = format!("{into}, {along}, {pushed}, {pressed}");
                    assert_eq!(place(&app, shoved), up + along * pushed, "{case}");
                    assert_eq!(place(&app, pusher), up - along * (16.0 - stays), "{case}");
                    assert_eq!(place(&app, corner), up * 3.0 + along * 16.0, "{case}");
                }
            }
        }
    }
}

/// A body that is deeper in a floor of tiles than it is over either of two is led up by both, and not down between them; it leaves a single tile sideways, by the shortest way. The floor may be static, or a lift; the body may have one box, or
/// two side by side.
#[test]
fn who_begins_sunk_in_a_seam_does_not_fall_through() {
    let kinds = [Body::Static, Body::Kinematic];
    let floors = kinds
        .into_iter()
        .flat_map(|left| kinds.map(|right| [left, right]));
    for (floor, is_split) in floors.flat_map(|floor| [(floor, false), (floor, true)]) {
        for into in [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y] {
            for (wide, deep) in [(4.0, 2.5), (4.0, 3.5), (8.0, 4.5), (8.0, 6.0)] {
                for fast in [0.5, 20.0, 1000.0] {
                    begin_sunk(floor, is_split, into, [wide, deep, fast]);
                }
            }
        }
    }
}

fn begin_sunk(floor: [Body; 2], is_split: bool, into: Vec2, [wide, deep, fast]: [f32; 3]) {
    let mut app = app();
    let along = into.perp();
    for number in -2..2_i8 {
        let center = along * (16.0 * f32::from(number) + 8.0) + into * 8.0;
        solid_tile(&mut app, center, floor[usize::from(number >= 0)]);
    }
    let mut sunk = |aside: f32| {
        let place = along * aside + into * (deep - 4.0);
        let collider = |wide: f32| {
            let size = along.abs() * wide + into.abs() * 8.0;
            let layers = CollisionLayers::new(BODIES, TILES[0]);
            (BoxCollider::new(size.x, size.y), layers)
        };
        let velocity = Velocity(into * fast * TICKS_PER_SECOND);
        let body = (Body::Dynamic, velocity, at(place.x, place.y));
        let mut body = app.world_mut().spawn(body);
        if is_split {
            for side in [-0.25, 0.25] {
                let place = along * wide * side;
                body.with_child((collider(wide * 0.5), at(place.x, place.y)));
            }
        } else {
            body.insert(collider(wide));
        }
        body.id()
    };
    let seams = [-0.5, 0.0, 0.25, 0.5].map(|aside| (aside, sunk(aside)));
    let end = sunk(32.0);
    tick(&mut app);
    let case =
        format!("{floor:?}, split: {is_split}, {into}, {wide} wide, {deep} deep, {fast} a tick");
    for (aside, seam) in seams {
        let place = place(&app, seam);
        // Statics come first: a body that is deeper in the other tile may be led aside, but still comes up.
        if floor[0] == floor[1] || aside == 0.0 {
            assert_eq!(place, along * aside - into * 4.0, "{case}");
        } else {
            assert_eq!(place.dot(into), -4.0, "{case}");
        }
        assert_eq!(velocity_of(&app, seam), Vec2::ZERO, "{case}");
    }
    let speed = into * fast * TICKS_PER_SECOND;
    assert_eq!(velocity_of(&app, end), speed, "{case}");
    if fast < 1.0 {
        let aside = place(&app, end).dot(along);
        assert_eq!(aside, 32.0 + wide * 0.5, "{case}");
    }
}

/// Both tiles are one floor also for a body that walks on it; also if they are lifts, which stand still.
#[test]
fn who_begins_sunk_in_a_seam_walks_on() {
    let kinds = [
        (Body::Static, false),
        (Body::Kinematic, false),
        (Body::Kinematic, true),
    ];
    for ((kind, is_lift), falls) in kinds.map(|kind| [(kind, 0.0), (kind, 3.0)]).concat() {
        for (into, turned) in [(Vec2::NEG_Y, 1.0), (Vec2::NEG_Y, -1.0), (Vec2::X, 1.0)] {
            let mut app = app();
            let along = into.perp() * turned;
            for number in -2..2_i8 {
                let center = along * (16.0 * f32::from(number) + 8.0) + into * 8.0;
                let tile = solid_tile(&mut app, center, kind);
                if is_lift {
                    app.world_mut().entity_mut(tile).insert(Velocity::default());
                }
            }
            let from = into * (2.5 - 4.0);
            let size = along.abs() * 4.0 + into.abs() * 8.0;
            let way = along * 5.0 + into * falls;
            let body = (
                BoxCollider::new(size.x, size.y),
                CollisionLayers::new(BODIES, TILES[0]),
                Velocity(way * TICKS_PER_SECOND),
                at(from.x, from.y),
            );
            let body = app.world_mut().spawn(body).id();
            tick(&mut app);
            let case = format!("{kind:?}, lift: {is_lift}, {into}, {along}, {falls}");
            let place = place(&app, body);
            assert_eq!(place.dot(into), -4.0, "{case}");
            assert!((place.dot(along) - 5.0).abs() < 1.0e-5, "{case}: {place}");
            assert_eq!(velocity_of(&app, body), along * 300.0, "{case}");
        }
    }
}

/// The wall is hit first; the floor still counts afterwards.
#[test]
fn who_begins_sunk_in_a_seam_before_a_wall_stays_above() {
    for kind in [Body::Static, Body::Kinematic] {
        let mut app = app();
        for x in [-8.0, 8.0] {
            let tile = (BoxCollider::square(16.0), kind, at(x, -8.0));
            app.world_mut().spawn(tile);
        }
        let wall = (BoxCollider::new(8.0, 63.5), Body::Static, at(6.0, 32.25));
        app.world_mut().spawn(wall);
        let velocity = Velocity(Vec2::new(3.0, -20.0) * TICKS_PER_SECOND);
        let body = (BoxCollider::new(4.0, 8.0), velocity, at(0.0, 1.5));
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(place(&app, body), Vec2::new(0.0, 4.0), "{kind:?}");
        assert_eq!(velocity_of(&app, body), Vec2::ZERO, "{kind:?}");
    }
}

/// A body that is sunk in a seam is deep in the sides of its tiles, but not in the side of a post on them, which it overlaps by more than the tolerance: the post is a wall.
#[test]
fn a_post_beside_a_seam_is_a_wall() {
    let mut app = app();
    for x in [-8.0, 8.0] {
        tile(&mut app, Vec2::new(x, -8.0), 16.0, 0);
    }
    let layers = CollisionLayers::new(TILES[0], BODIES);
    let post = (BoxCollider::new(1.0, 1.0), Body::Static, layers);
    app.world_mut().spawn((post, at(2.49, 0.5)));
    let body = (
        BoxCollider::new(4.0, 8.0),
        CollisionLayers::new(BODIES, TILES[0]),
        Velocity(Vec2::new(5.0 * TICKS_PER_SECOND, 0.0)),
        at(0.0, 1.5),
    );
    let body = app.world_mut().spawn(body).id();
    tick(&mut app);
    let place = place(&app, body);
    assert!((-0.011..=-0.009).contains(&place.x), "{place}");
    assert_eq!(place.y, 4.0);
    assert_eq!(velocity_of(&app, body), Vec2::ZERO);
}

/// At half the height of two tiles, neither up nor down is nearer: so the body is stopped where it came from.
#[test]
fn who_begins_in_the_middle_of_a_seam_is_stopped_both_ways() {
    for way in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
        let mut app = app();
        let across = way.perp();
        for side in [-8.0, 8.0] {
            tile(&mut app, across * side, 16.0, 0);
        }
        let size = across.abs() * 12.0 + way.abs() * 8.0;
        let body = (
            BoxCollider::new(size.x, size.y),
            CollisionLayers::new(BODIES, TILES[0]),
            Velocity(way * 30.0 * TICKS_PER_SECOND),
            at(0.0, 0.0),
        );
        let body = app.world_mut().spawn(body).id();
        tick(&mut app);
        assert_eq!(velocity_of(&app, body), Vec2::ZERO, "{way}");
        assert!(place(&app, body).length() <= 12.0, "{way}");
    }
}

/// A crate just above the tiles is knocked by a round body, down by 0.6 and along by 0.8: so it is 0.3 deep in the tile below it, and 0.2 in the side of the next one.
#[test]
fn who_is_knocked_onto_tiles_lands_on_one_surface() {
    for into in [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y] {
        for along in [into.perp(), -into.perp()] {
            let mut app = app();
            for number in -3..=3 {
                let center = along * (16.0 * number as f32) + into * 8.0;
                tile(&mut app, center, 16.0, 0);
            }
            let body = body(&mut app, along * -0.6 - into * 8.3, false);
            let tiles_and_bodies = CollisionLayers::new(BODIES, TILES[0] | BODIES);
            app.world_mut().entity_mut(body).insert(tiles_and_bodies);
            // 7 from the crate's corner.
            let to = along * -14.2 - into * 20.5;
            app.world_mut().spawn((
                CircleCollider::new(8.0),
                Body::Kinematic,
                CollisionLayers::new(BODIES, BODIES),
                at(to.x, to.y),
            ));
            let told = normals(&mut app, &[body]).remove(&body);
            let told = told.expect("it has met three");
            let of_tiles = told.iter().filter(|normal| **normal == into);
            assert_eq!(
                (told.len(), of_tiles.count()),
                (3, 2),
                "{into}, {along}: {told:?}"
            );
            // The tile pushes it back up by 0.3, and it moves along the tiles until it is out of the round body.
            let ends = along * (64.0_f32 - 4.5 * 4.5).sqrt() - along * 6.2 - into * 8.0;
            let place = place(&app, body);
            assert!(place.distance(ends) < 1.0e-5, "{into}, {along}: {place}");
        }
    }
}

/// A round body shoves a crate along the tiles, and a little into them, so that it meets the next tile: that tile is part of the floor that the crate lies on.
#[test]
fn what_is_shoved_along_tiles_lies_on_one_surface() {
    const PUSHERS: u32 = 8;
    for into in [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y] {
        for along in [into.perp(), -into.perp()] {
            for step in [0.3, 0.7, 1.1] {
                let mut app = app();
                for number in -1..32 {
                    let center = along * (16.0 * number as f32) + into * 8.0;
                    tile(&mut app, center, 16.0, 0);
                }
                let start = -into * 8.0;
                let shoved = (
                    BoxCollider::square(16.0),
                    CollisionLayers::new(BODIES, TILES[0] | PUSHERS),
                    at(start.x, start.y),
                );
                let shoved = app.world_mut().spawn(shoved).id();
                let pusher = (
                    CircleCollider::new(8.0),
                    Body::Kinematic,
                    CollisionLayers::new(PUSHERS, BODIES),
                    Transform::default(),
                );
                let pusher = app.world_mut().spawn(pusher).id();
                let mut met = 0;
                for number in 0..120 {
                    // 3 above the crate's upper edge, and at first just behind it.
                    let to = along * (step * number as f32 - 15.5) - into * 19.0;
                    let mut transform = app.world_mut().get_mut::<Transform>(pusher);
                    let transform = transform.as_mut().expect("it has one");
                    transform.translation = to.extend(0.0);
                    for hit in tick(&mut app) {
                        if !hit.involves(pusher) {
                            let normal = hit.normal_for(shoved);
                            assert_eq!(
                                normal,
                                Some(into),
                                "{into}, {along}, {step}: tick {number}"
                            );
                            met += 1;
                        }
                    }
                    let height = (place(&app, shoved) - start).dot(into);
                    assert!(height.abs() < 0.001, "{into}, {along}, {step}: {height}");
                }
                let way = (place(&app, shoved) - start).dot(along);
                assert!(way > step * 119.0 - 0.5, "{into}, {along}, {step}: {way}");
                assert!(met >= 120, "{into}, {along}, {step}: {met}");
            }
        }
    }
}

/// For a body that is put 0.25 into the floor and 0.1 over the next tile: a tile that is a step higher than the floor has a side, one that is lower or equally high has none.
#[test]
fn a_step_is_a_wall_and_a_hair_is_not() {
    let (floor, wall) = (Vec2::NEG_Y, Vec2::X);
    for (step, expected) in [
        (-0.2, vec![floor, floor]),
        (0.0, vec![floor, floor]),
        (0.004, vec![floor, floor]),
        (0.5, vec![floor, wall]),
        (20.0, vec![floor, wall]),
    ] {
        let mut app = app();
        tile(&mut app, Vec2::new(-8.0, -8.0), 16.0, 0);
        tile(&mut app, Vec2::new(8.0, step - 8.0), 16.0, 0);
        let body = body(&mut app, Vec2::new(-7.9, 7.75), false);
        let mut told = normals(&mut app, &[body])
            .remove(&body)
            .expect("it meets both");
        told.sort_by(|a, b| a.x.total_cmp(&b.x));
        assert_eq!(told, expected, "{step}");
        // The tile on the right moves it back by 0.1, the one below up by 0.25, or as much as the higher one requires.
        let x = if expected.contains(&wall) { -8.0 } else { -7.9 };
        let y = if step == 0.004 { 8.004 } else { 8.0 };
        assert_eq!(place(&app, body), Vec2::new(x, y), "{step}");
    }
}

/// Builds an L of tiles: a floor that ends at x = 0, and there a wall that stands on the floor, or the wall below its edge.
fn corner(app: &mut App, is_inner: bool, kinds: [usize; 2]) {
    for number in 0..60 {
        let along = 16.0 * number as f32 + 8.0;
        tile(app, Vec2::new(-along, -8.0), 16.0, kinds[number % 2]);
        let (side, below) = if is_inner { (8.0, 0.0) } else { (-8.0, -960.0) };
        tile(
            app,
            Vec2::new(side, below + along),
            16.0,
            kinds[number / 2 % 2],
        );
    }
    if is_inner {
        // The tile below the wall.
        tile(app, Vec2::new(8.0, -8.0), 16.0, 0);
    }
}

#[test]
fn an_inner_corner_is_a_floor_and_a_wall() {
    let (floor, wall) = (Vec2::NEG_Y, Vec2::X);
    for kinds in [[0, 0], [0, 1]] {
        for is_round in [false, true] {
            for (from, way) in [
                ((-500.0, 8.0), (600.0, 0.0)),
                ((-508.0, 8.0), (6000.0, 0.0)),
                ((-8.0, 500.0), (120.0, -600.0)),
                ((-8.0, 500.0), (120.0, -6000.0)),
                ((-300.0, 308.0), (1200.0, -1200.0)),
            ] {
                let case = format!("round: {is_round}, from {from:?} by {way:?}, {kinds:?}");
                let mut app = app();
                corner(&mut app, true, kinds);
                let way = Vec2::from(way);
                let body = body(&mut app, from.into(), is_round);
                app.world_mut().entity_mut(body).insert(Velocity(way));
                let mut rests = None;
                for number in 0..150 {
                    // The game keeps setting its velocity, and gravity presses it down.
                    app.world_mut().entity_mut(body).insert(Velocity(way));
                    accelerate(&mut app, body, Vec2::new(0.0, -GRAVITY / TICKS_PER_SECOND));
                    let before = place(&app, body);
                    let told = normals(&mut app, &[body]).remove(&body).unwrap_or_default();
                    let case = format!("{case}, tick {number}");
                    let allowed = |normal: &Vec2| [floor, wall].contains(normal);
                    assert!(told.iter().all(allowed), "{case}: {told:?}");
                    let now = place(&app, body);
                    assert!(now.x <= -7.99 && now.y >= 7.99, "{case}: {now}");
                    if before.x < -8.0 - way.x / TICKS_PER_SECOND {
                        assert!(!told.contains(&wall), "{case}: no wall there yet, {told:?}");
                    }
                    if now.y == before.y && now.x == before.x {
                        rests.get_or_insert(number);
                    } else {
                        assert_eq!(rests, None, "{case}: it rested already");
                    }
                }
                assert!(rests.is_some_and(|tick| tick < 80), "{case}: {rests:?}");
                assert_eq!(place(&app, body), Vec2::new(-8.0, 8.0), "{case}");
            }
        }
    }
}

#[test]
fn an_outer_corner_is_a_ledge() {
    let (floor, wall) = (Vec2::NEG_Y, Vec2::NEG_X);
    for kinds in [[0, 0], [0, 1]] {
        for is_round in [false, true] {
            // Over the edge, and down along the wall.
            let case = format!("round: {is_round}, {kinds:?}");
            let mut app = app();
            corner(&mut app, false, kinds);
            let body = body(&mut app, Vec2::new(-200.0, 8.0), is_round);
            app.world_mut().entity_mut(body).insert(Velocity::default());
            let mut turned = false;
            let mut slid = 0;
            for number in 0..110 {
                let [x, y] = place(&app, body).to_array();
                // It is pressed back against the wall, once it is beside it.
                turned |= y < 0.0;
                let mut velocity = app.world_mut().get_mut::<Velocity>(body).expect("it moves");
                velocity.0.x = if turned { -240.0 } else { 240.0 };
                velocity.0.y -= GRAVITY / TICKS_PER_SECOND;
                let wish = velocity.0.y;
                let told = normals(&mut app, &[body]).remove(&body).unwrap_or_default();
                let now = place(&app, body);
                let case = format!("{case}, tick {number} at {now}");
                if x < -16.0 {
                    assert_eq!(now.y, 8.0, "{case}");
                    assert!(
                        !told.is_empty() && told.iter().all(|one| *one == floor),
                        "{case}: {told:?}"
                    );
                } else if now.y < -8.0 {
                    // Below the edge there is only the wall, which must not slow it down.
                    assert!(told.iter().all(|one| *one == wall), "{case}: {told:?}");
                    assert!(now.x >= 7.99, "{case}");
                    assert_eq!(velocity_of(&app, body).y, wish, "{case}");
                    slid += usize::from(now.x == 8.0 && !told.is_empty());
                }
            }
            assert!(slid > 10, "{case}: {slid}");

            // Up along the wall, pressed against it, and over the edge onto the floor.
            let mut app = self::app();
            corner(&mut app, false, kinds);
            let body = self::body(&mut app, Vec2::new(8.0, -300.0), is_round);
            app.world_mut().entity_mut(body).insert(Velocity::default());
            for number in 0..150 {
                let before = place(&app, body);
                let mut velocity = app.world_mut().get_mut::<Velocity>(body).expect("it moves");
                velocity.0.x = -300.0;
                velocity.0.y = if before.x >= 8.0 {
                    600.0
                } else {
                    velocity.0.y - GRAVITY / TICKS_PER_SECOND
                };
                let told = normals(&mut app, &[body]).remove(&body).unwrap_or_default();
                let now = place(&app, body);
                let case = format!("{case}, up, tick {number} at {now}");
                if before.y < -20.0 {
                    assert_eq!(now.x, 8.0, "{case}");
                    assert!((now.y - before.y - 10.0).abs() < 1.0e-3, "{case}");
                    assert!(told.iter().all(|one| *one == wall), "{case}: {told:?}");
                }
                if now.x < -10.0 {
                    assert!(told.iter().all(|one| *one == floor), "{case}: {told:?}");
                }
            }
            assert_eq!(place(&app, body).y, 8.0, "{case}: it has come to the top");
        }
    }
}

/// A point is in a floor by next to nothing: it goes on over the next tile, as anything with a thickness does.
#[test]
fn a_point_glides_over_tiles() {
    let mut app = moving_app();
    wall(&mut app, (10.0, -10.0), (100.0, 0.0));
    let point = (CircleCollider::new(0.0), a_tick(20.0, 0.0));
    let point = app.world_mut().spawn((point, at(0.0, -0.001))).id();
    app.update();
    assert_eq!(place(&app, point).x, 20.0);
}

/// Far from the origin the edges of tiles differ by rounding, and a body that has just left one tile may not touch the next one yet.
#[test]
fn who_has_just_left_a_tile_still_stands_on_the_floor() {
    for (top, half_height, size) in [(0.0, 4.0, 16.0), (100.0, 4.1, 9.6), (1000.0, 7.3, 16.0)] {
        for beyond in [0.002, 0.004, 0.006, 0.008] {
            let mut app = moving_app();
            for column in -2..4_i8 {
                let x = (f32::from(column) + 0.5) * size;
                let tile = (BoxCollider::square(size), Body::Static);
                app.world_mut().spawn((tile, at(x, top - size * 0.5)));
            }
            // After three ticks it is that far beyond the tile on the left of 0.
            let place = at(4.0 + beyond - 3.0, top + half_height);
            let body = BoxCollider::new(8.0, 2.0 * half_height);
            let body = app.world_mut().spawn((body, a_tick(1.0, 0.0), place)).id();
            for number in 0..6 {
                app.world_mut().get_mut::<Velocity>(body).unwrap().0 += a_tick(0.0, -0.25).0;
                let collisions = tick(&mut app);
                assert!(!collisions.is_empty(), "tick {number}");
                for collision in collisions {
                    let normal = collision.normal_for(body).unwrap();
                    assert_eq!(normal, Vec2::NEG_Y, "{beyond} at {top}, tick {number}");
                }
            }
        }
    }
}

/// A body with any thickness does not pass through a seam: at least half of it is in the way of one of the tiles.
#[test]
fn what_is_thin_does_not_pass_between_two_tiles() {
    let thin = |half: f32| BoxCollider::from_half_size(Vec2::new(1.0, half));
    for half in [0.0005, 0.002, 0.0049, 0.006] {
        for (row, aside) in [
            (0.0, 0.0),
            (0.0, 0.4),
            (0.0, -0.9),
            (96.0, 0.0),
            (-96.0, 0.7),
        ] {
            for way in [Vec2::new(100.0, 0.0), Vec2::new(100.0, 3.0)] {
                for (is_round, is_swept) in
                    [(true, false), (true, true), (false, false), (false, true)]
                {
                    let case = format!(
                        "{half}, {aside} of that beside {row}, by {way}, {is_round} {is_swept}"
                    );
                    let mut app = moving_app();
                    for number in -8..8 {
                        let y = row + 16.0 * number as f32 + 8.0;
                        solid_tile(&mut app, Vec2::new(28.0, y), Body::Static);
                    }
                    // There is a seam at 20, where the way meets the wall.
                    let reach = if is_round { half } else { 1.0 };
                    let seam = row + aside * half;
                    let start = Vec2::new(0.0, seam - way.y * (20.0 - reach) / way.x);
                    let mut bullet = app.world_mut().spawn(at(start.x, start.y));
                    if is_round {
                        bullet.insert(CircleCollider::new(half));
                    } else {
                        bullet.insert(thin(half));
                    }
                    bullet.insert(CollisionLayers::new(BODIES, TILES[0]));
                    bullet.insert(Response::Stop);
                    if is_swept {
                        bullet.insert(Swept::default());
                    } else {
                        bullet.insert(a_tick(way.x, way.y));
                    }
                    let bullet = bullet.id();
                    tick(&mut app);
                    if is_swept {
                        let mut place = app.world_mut().get_mut::<Transform>(bullet).unwrap();
                        place.translation += way.extend(0.0);
                        tick(&mut app);
                    }
                    let x = place(&app, bullet).x;
                    assert!((x - (20.0 - reach)).abs() < 0.002, "{case}: at {x}");
                }
            }
        }
    }
}

/// As sums of decimals leave them: each tile slightly overlaps the one before, and is slightly higher.
#[test]
fn a_corner_by_a_hair_on_both_axes_is_not_in_the_way() {
    for (across, up) in [(16.0, 8.0), (8.0, 16.0), (64.0, 1.0), (512.0, 256.0)] {
        let bit = 1.0 / 1_048_576.0;
        let mut app = moving_app();
        for (x, y) in [(0.0, 0.0), (16.0 - across * bit, up * bit)] {
            let tile = (BoxCollider::square(16.0), Body::Static, at(x, y));
            app.world_mut().spawn(tile);
        }
        // The body is on the first tile, with its right edge at the seam.
        let body = (BoxCollider::square(10.0), a_tick(1.0, 0.0), at(3.0, 13.0));
        let body = app.world_mut().spawn(body).id();
        app.update();
        let case = format!("{across} by {up}");
        assert_eq!(velocity_of(&app, body), a_tick(1.0, 0.0).0, "{case}");
        assert!((place(&app, body).x - 4.0).abs() < 1.0e-3, "{case}");
    }
}

/// 4.2 / 2 + 8.1 is rounded up to a number beyond the 10.2 at which both touch.
#[test]
fn who_only_touches_leaves_and_goes_along() {
    for (way, there) in [
        ((1.0, 0.0), (11.2, 0.0)),
        ((0.0, 1.0), (10.2, 1.0)),
        ((0.5, 1.0), (10.7, 1.0)),
        ((-1.0, 0.0), (10.2, 0.0)),
    ] {
        let mut app = moving_app();
        let wall = (BoxCollider::new(4.2, 200.0), Body::Static, at(0.0, 0.0));
        app.world_mut().spawn(wall);
        let ball = (
            CircleCollider::new(8.1),
            a_tick(way.0, way.1),
            at(10.2, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        let apart = place(&app, ball).distance(Vec2::new(there.0, there.1));
        assert!(apart < 1.0e-5, "{way:?}: {}", place(&app, ball));
    }
}

/// What lies beside a floor is as high, but for a hair. A lift leaves it to the ball to look out, whether it has a velocity or not.
#[test]
fn a_ball_that_lands_in_a_seam_is_not_knocked_aside() {
    let kinds = [
        (Body::Static, false),
        (Body::Kinematic, false),
        (Body::Kinematic, true),
        (Body::Dynamic, false),
    ];
    let mut all = Vec::new();
    for (kind, has_velocity) in kinds {
        let mut app = moving_app();
        wall(&mut app, (-100.0, -10.0), (0.0, 0.0));
        let lift = wall(&mut app, (0.0, -10.0), (100.0, 0.004));
        app.world_mut().entity_mut(lift).insert(kind);
        if has_velocity {
            app.world_mut().entity_mut(lift).insert(Velocity::default());
        }
        let ball = (CircleCollider::new(8.0), a_tick(0.0, -10.0), at(-0.1, 12.0));
        let ball = app.world_mut().spawn(ball).id();
        app.update();
        let left = velocity(&app, ball);
        all.push((kind, has_velocity, left));
    }
    assert!(all.iter().all(|one| one.2.length() < 1.0e-3), "{all:?}");
}
