//! The lamp among mirrors, aimed by the tests. The expected corners of the beam were worked out by hand.

use bevy::prelude::*;

use crate::lasers::{self, Beam, common};

/// Runs one tick with the mouse at a place in the world.
fn aim(app: &mut App, x: f32, y: f32) -> Beam {
    let pixels = common::to_pixels(Vec2::new(x, y));
    common::hold(app, &common::Step::mouse(1, pixels.x, pixels.y, false));
    app.world().resource::<Beam>().clone()
}

fn lit(app: &App, beam: &Beam) -> Vec<String> {
    let names = beam.lit.iter().map(|gem| app.world().get::<Name>(*gem));
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
    assert_eq!(lit(&app, &beam), ["the first gem"]);

    // Down to the lower mirror, whose top is at -190; 230 farther right the beam has risen by 230 * 190/280 = 156.07, where it meets the right mirror; then it goes up to the roof
    // at 216, which is 249.93 higher and so 368.32 to the left.
    let beam = aim(&mut app, 0.0, -190.0);
    let corners = [lamp, (0.0, -190.0), (230.0, -33.93), (-138.32, 216.0)];
    assert_corners(&beam, &corners, "by two mirrors");
    assert_eq!(lit(&app, &beam), [""; 0]);

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

#[test]
fn all_gems_can_be_lit_and_the_recording_tells_of_some() {
    let mut app = common::rehearsal(&lasers::STAGE, lasers::scene);
    let mut all = std::collections::BTreeSet::new();
    for x in (-300..300).step_by(2) {
        for y in [-215.0, 215.0] {
            let beam = aim(&mut app, x as f32, y);
            assert!(beam.corners.len() <= 14);
            all.extend(lit(&app, &beam));
        }
    }
    for y in (-214..214).step_by(2) {
        let beam = aim(&mut app, 310.0, y as f32);
        all.extend(lit(&app, &beam));
    }
    assert_eq!(all.len(), 5, "{all:?}");
    let account = common::recorded(&lasers::STAGE, lasers::scene);
    assert!(
        account
            .iter()
            .any(|line| line.contains("the beam lights the first gem")),
        "{account:#?}"
    );
}
