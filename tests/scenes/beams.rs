//! The lamp among mirrors, aimed by the tests. The expected corners of the beam were worked out by hand.

use bevy::prelude::*;

use crate::lasers::{self, Beam, Gem, Lit};

/// Runs one tick with the mouse at a place in the world.
fn aim(app: &mut App, x: f32, y: f32) -> Beam {
    let pixels = common::to_pixels(Vec2::new(x, y));
    common::hold(app, &common::Step::mouse(1, pixels.x, pixels.y, false));
    app.world().resource::<Beam>().clone()
}

fn gems(app: &App, beam: &Beam) -> Vec<String> {
    let names = beam.gems.iter().map(|gem| app.world().get::<Name>(*gem));
    names
        .map(|name| name.expect("gems have names").to_string())
        .collect()
}

fn assert_corners(beam: &Beam, expected: &[(f32, f32)], case: &str) {
    assert_eq!(beam.corners.len(), expected.len(), "{case}: {beam:?}");
    for (corner, expected) in beam.corners.iter().zip(expected) {
        let off = corner.distance(Vec2::from(*expected));
        assert!(off < 0.01, "{case}: {corner} is not {expected:?}");
    }
}

#[test]
fn a_beam_goes_from_mirror_to_mirror() {
    let mut app = common::rehearsal(&lasers::STAGE, lasers::scene);
    let lamp = (-280.0, 0.0);

    // Straight at the right mirror, then back the same way past the lamp, to the left wall of the room at -312. The gem on the way counts once.
    let beam = aim(&mut app, 280.0, 0.0);
    assert_corners(&beam, &[lamp, (230.0, 0.0), (-312.0, 0.0)], "straight");
    assert_eq!(gems(&app, &beam), ["the first gem"]);

    // Down to the lower mirror, whose top is at -190; 230 farther right the beam has risen by 230 * 190/280 = 156.07, where it meets the right mirror; then it goes up to the roof
    // at 216, which is 249.93 higher and so 368.32 to the left.
    let beam = aim(&mut app, 0.0, -190.0);
    let corners = [lamp, (0.0, -190.0), (230.0, -33.93), (-138.32, 216.0)];
    assert_corners(&beam, &corners, "by two mirrors");
    assert_eq!(gems(&app, &beam), [""; 0]);

    // A pillar absorbs the beam: its side is at -75, 205 to the right, 205 * 100/220 = 93.18 down.
    let beam = aim(&mut app, -60.0, -100.0);
    assert_corners(&beam, &[lamp, (-75.0, -93.18)], "into the pillar");
}

#[test]
fn the_beam_begins_where_the_lamp_is_moved() {
    let mut app = common::rehearsal(&lasers::STAGE, lasers::scene);
    let up = common::Step::keys(60, &[KeyCode::ArrowUp]);
    common::hold(&mut app, &up);
    let beam = app.world().resource::<Beam>();
    // The lamp has moved by 120 in a second, and was not aimed: its beam goes to the right at a height of 120, where the pill is round, so the beam is reflected back and up.
    assert!(
        (beam.corners[0] - Vec2::new(-280.0, 120.0)).length() < 0.01,
        "{beam:?}"
    );
    let hit = beam.corners[1];
    assert!(
        (hit.y - 120.0).abs() < 0.01 && (-165.0..-150.0).contains(&hit.x),
        "{hit}"
    );
    assert!(
        (hit.distance(Vec2::new(-150.0, 110.0)) - 15.0).abs() < 0.01,
        "{hit} is on the pill's end"
    );
    assert!(beam.corners[2].y > 120.0);
}

/// Returns how many lines of the account have this text in them.
fn times_told(app: &App, what: &str) -> usize {
    let account = app.world().resource::<common::Account>();
    format!("{account:?}").matches(what).count()
}

#[test]
fn a_gem_stays_lit_and_with_all_of_them_the_game_is_won() {
    let mut app = common::rehearsal(&lasers::STAGE, lasers::scene);
    let first = "the beam lights the first gem";
    // Straight ahead through the first gem, by two mirrors through none, and straight ahead again: it was lit all the while.
    for (x, y) in [(280.0, 0.0), (0.0, -190.0), (280.0, 0.0)] {
        aim(&mut app, x, y);
    }
    assert_eq!(times_told(&app, first), 1);

    // Once around, along the walls of the room. No beam goes through all gems, but each goes through some.
    let across = (-300..300).step_by(2).map(|x| x as f32);
    let along = (-214..214).step_by(2).map(|y| (310.0, y as f32));
    for (x, y) in across.flat_map(|x| [(x, -215.0), (x, 215.0)]).chain(along) {
        let beam = aim(&mut app, x, y);
        assert!(beam.corners.len() <= 14 && gems(&app, &beam).len() < 5);
    }
    assert_eq!(times_told(&app, "the beam lights"), 5);
    assert_eq!(times_told(&app, "all gems are lit"), 1);

    // All are dark after a restart, and are to be lit anew.
    let Vec2 { x, y } = common::to_pixels(Vec2::new(0.0, -190.0));
    let restart = common::Step {
        keys: &[KeyCode::KeyR],
        ..common::Step::mouse(1, x, y, false)
    };
    common::hold(&mut app, &restart);
    assert_eq!(times_told(&app, "the beam lights"), 5);
    aim(&mut app, 280.0, 0.0);
    assert_eq!(times_told(&app, first), 2);
    assert_eq!(times_told(&app, "all gems are lit"), 1);
}

/// The account of the recording tells of two gems, the second only in passing.
#[test]
fn the_line_of_text_counts_the_gems_that_were_ever_lit() {
    let mut app = common::draw_unseen(&lasers::STAGE, lasers::scene, lasers::drawing);
    assert!(is_shown(&mut app, "2 of 5 gems lit"));
    let world = app.world_mut();
    let mut gems = world.query_filtered::<Entity, With<Gem>>();
    let gems: Vec<Entity> = gems.iter(world).collect();
    world.insert_batch(gems.into_iter().map(|gem| (gem, Lit)));
    app.update();
    assert!(is_shown(&mut app, "all gems are lit; R begins anew"));
}

fn is_shown(app: &mut App, line: &str) -> bool {
    let world = app.world_mut();
    let mut texts = world.query::<&Text2d>();
    texts.iter(world).any(|text| text.0 == line)
}
