//! The house with stairs: a cell is 20 wide, the player is 16 by 24 and walks 140 units a second; a second has 60 ticks.

use bevy::prelude::*;

use crate::climber::{self, CELL, CRATE, Coin, Crate, Lift, ORIGIN, PLAYER, Player, STEP};

struct Game(App);

impl Game {
    /// Starts the game with the player's feet at a place, measured from the corner of the house.
    fn at(feet: (f32, f32)) -> Self {
        let mut game = Self(common::rehearsal(&climber::STAGE, climber::scene));
        let world = game.0.world_mut();
        let mut players = world.query_filtered::<&mut Transform, With<Player>>();
        let mut player = players.single_mut(world).expect("one player");
        let place = ORIGIN + Vec2::from(feet) + Vec2::Y * PLAYER.y * 0.5;
        player.translation = place.extend(1.0);
        game.hold(3, &[]);
        game
    }

    fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
        common::hold(&mut self.0, &common::Step::keys(ticks, keys));
        self
    }

    fn place<T: Component>(&mut self) -> Vec2 {
        let world = self.0.world_mut();
        let mut all = world.query_filtered::<&Transform, With<T>>();
        let place = all.single(world).expect("there is one").translation;
        place.truncate() - ORIGIN
    }

    fn feet(&mut self) -> Vec2 {
        self.place::<Player>() - Vec2::Y * PLAYER.y * 0.5
    }

    fn coins(&mut self) -> usize {
        let world = self.0.world_mut();
        world.query::<&Coin>().iter(world).count()
    }
}

fn assert_near(told: f32, expected: f32, what: &str) {
    assert!(
        (told - expected).abs() < 0.01,
        "{what}: {told}, not {expected}"
    );
}

/// The player walks up five steps and down again without a jump, is never in the air, and is as fast as on the floor.
#[test]
fn stairs_are_walked_up_and_down() {
    let mut game = Game::at((6.0 * CELL, CELL));
    let from = game.feet();
    assert_near(from.y, CELL, "on the floor");
    let mut highest: f32 = 0.0;
    for tick in 1..=100 {
        game.hold(1, &[KeyCode::ArrowRight]);
        let feet = game.feet();
        // The player stands on the highest step that it overlaps in x; it is over two cells at most.
        let steps = (feet.y - CELL) / STEP;
        assert_near(steps, steps.round(), "on a step");
        assert_near(feet.x - from.x, tick as f32 * 140.0 / 60.0, "as fast");
        highest = highest.max(steps);
    }
    assert_near(highest, 5.0, "steps");
    assert_near(game.feet().y, CELL, "on the floor again");
    assert_eq!(game.coins(), 3, "the one on top is taken");
}

/// The gap is 20 wide, so the player has 2 on either side, and is led past the corners if it is aside by up to 6 more.
#[test]
fn a_corner_of_the_ceiling_is_gone_around() {
    let gap = 3.5 * CELL;
    let slab = 5.0 * CELL;
    for (aside, gets_through) in [
        (0.0, true),
        (1.9, true),
        (-5.0, true),
        (7.9, true),
        (-7.9, true),
        (8.2, false),
        (-8.2, false),
    ] {
        let mut game = Game::at((gap + aside, CELL));
        let mut highest: f32 = 0.0;
        for _ in 0..60 {
            game.hold(1, &[KeyCode::Space]);
            highest = highest.max(game.feet().y);
        }
        if gets_through {
            // It rises by a sixtieth of 420, then of 420 - 16.67, and so on, as long as the velocity leads up.
            assert_near(highest, CELL + 91.722, "as high as in the open");
            assert!(highest > slab);
        } else {
            assert_near(highest, slab - CELL - PLAYER.y, "below the ceiling");
        }
    }
}

/// The crate is as heavy as the player, so it moves at half the player's speed, and stops as soon as the player does.
#[test]
fn the_crate_is_pushed_at_half_speed() {
    let mut game = Game::at((18.0 * CELL, CELL));
    let crate_at = game.place::<Crate>();
    let gap = crate_at.x - CRATE * 0.5 - (game.feet().x + PLAYER.x * 0.5);
    game.hold(30, &[KeyCode::ArrowRight]);
    // Half of the distance that was left when the player reached the crate.
    let way = (30.0 * 140.0 / 60.0 - gap) * 0.5;
    let to = crate_at.x + way;
    assert_near(game.place::<Crate>().x, to, "pushed");
    assert_near(game.place::<Crate>().y, crate_at.y, "along the floor");
    game.hold(30, &[]);
    assert_near(game.place::<Crate>().x, to, "let go");
    // Up to the wall, which is cell 22.
    game.hold(120, &[KeyCode::ArrowRight]);
    let at_wall = 22.0 * CELL - CRATE * 0.5;
    assert_near(game.place::<Crate>().x, at_wall, "at the wall");
    assert_near(
        game.feet().x,
        at_wall - (CRATE + PLAYER.x) * 0.5,
        "behind it",
    );
}

/// The last stair is one step high, and the top of the crate is more than a step above it: a player on that stair cannot walk onto the crate.
#[test]
fn the_crate_is_pushed_back_from_the_stairs() {
    let stairs_end = 17.0 * CELL;
    let mut game = Game::at((20.5 * CELL, CELL));
    game.hold(120, &[KeyCode::ArrowLeft]);
    let at_stairs = stairs_end + CRATE * 0.5;
    assert_near(game.place::<Crate>().x, at_stairs, "at the stairs");

    let mut game = Game::at((stairs_end - 0.5 * CELL, CELL + STEP));
    let world = game.0.world_mut();
    let mut crates = world.query_filtered::<&mut Transform, With<Crate>>();
    crates.single_mut(world).expect("one crate").translation.x = ORIGIN.x + at_stairs;
    game.hold(60, &[KeyCode::ArrowRight]);
    assert!(game.place::<Crate>().x > at_stairs + CELL);
    assert_near(game.feet().y, CELL, "behind it, on the floor");
}

/// The wall is 100 high, and a jump 92.
#[test]
fn the_wall_is_too_high_without_the_crate() {
    let mut game = Game::at((21.0 * CELL, CELL));
    // The crate is behind the player.
    game.hold(1, &[KeyCode::ArrowRight, KeyCode::Space]);
    game.hold(120, &[KeyCode::ArrowRight]);
    assert!(game.feet().x < 22.0 * CELL);
}

#[test]
fn the_lift_carries_and_the_recording_takes_all_coins() {
    let mut game = Game::at((25.5 * CELL, CELL));
    let mut heights = Vec::new();
    for _ in 0..300 {
        game.hold(1, &[]);
        let above = game.feet().y - game.place::<Lift>().y - 3.0;
        assert!(above.abs() < 0.01, "{above}");
        heights.push(game.feet().y);
    }
    let highest = heights.iter().copied().fold(0.0, f32::max);
    assert!(highest > 12.9 * CELL, "{highest}");

    let mut game = Game(common::rehearsal(&climber::STAGE, climber::scene));
    assert_eq!(game.coins(), 4);
    for step in climber::STAGE.recording {
        common::hold(&mut game.0, step);
    }
    assert_eq!(game.coins(), 0);
    // `R` puts all coins back.
    game.hold(1, &[KeyCode::KeyR]);
    assert_eq!(game.coins(), 4);
}
