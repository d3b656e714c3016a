//! The room of tiles: walking, jumping, dropping, and the lift. The floor is at y = -200, and the half size of the player is 8 by 12.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::prelude::*;

use crate::{
    platformer::{self, Lift, Player},
    tap_key,
};

const FLOOR: f32 = -188.0;

struct Game(App);

impl Game {
    fn new() -> Self {
        Self(common::rehearsal(&platformer::STAGE, platformer::scene))
    }

    fn at(x: f32, y: f32) -> Self {
        let mut game = Self::new();
        let world = game.0.world_mut();
        let mut players = world.query_filtered::<&mut Transform, With<Player>>();
        let mut player = players.single_mut(world).expect("one player");
        player.translation = Vec3::new(x, y, 0.0);
        game
    }

    fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
        common::hold(&mut self.0, &common::Step::keys(ticks, keys));
        self
    }

    fn place<T: Component>(&mut self) -> Vec2 {
        let world = self.0.world_mut();
        let mut all = world.query_filtered::<&Transform, With<T>>();
        let found = all.iter(world).next().expect("there is one");
        found.translation.truncate()
    }

    /// Returns the normals of all contacts of the player.
    fn normals(&mut self) -> Vec<Vec2> {
        let world = self.0.world_mut();
        let mut players = world.query_filtered::<Entity, With<Player>>();
        let player = players.single(world).expect("one player");
        let ask = move |collisions: Collisions| -> Vec<Vec2> {
            collisions.of(player).map(|hit| hit.normal).collect()
        };
        world.run_system_once(ask).expect("it can be asked")
    }
}

#[test]
fn the_floor_is_one_surface_and_the_wall_stops() {
    let mut game = Game::new();
    game.hold(5, &[]);
    for tick in 1..=150 {
        game.hold(1, &[KeyCode::ArrowRight]);
        let [x, y] = game.place::<Player>().to_array();
        assert_eq!(y, FLOOR, "tick {tick}");
        // The wall begins three tiles from the right edge, at 260.
        let expected = (tick as f32 * 160.0 / 60.0).min(252.0);
        assert!((x - expected).abs() < 0.01, "{x} at tick {tick}");
        if x < 250.0 {
            assert!(game.normals().iter().all(|normal| *normal == Vec2::NEG_Y));
        }
    }
    game.hold(150, &[KeyCode::KeyA]);
    assert!((game.place::<Player>().x - (252.0 - 400.0)).abs() < 0.01);
}

#[test]
fn a_restart_forgets_the_jump_that_was_asked_for() {
    let mut game = Game::new();
    game.hold(5, &[]).hold(1, &[KeyCode::Space, KeyCode::KeyR]);
    for tick in 1..=5 {
        let start = platformer::START;
        assert_eq!(game.place::<Player>(), start, "tick {tick}");
        game.hold(1, &[KeyCode::Space]);
    }
}

#[test]
fn a_jump_leads_through_the_ledge_and_onto_it() {
    // The first ledge is at (120, -140), 6 high.
    let mut game = Game::at(120.0, FLOOR);
    game.hold(5, &[]).hold(70, &[KeyCode::Space]);
    assert_eq!(game.place::<Player>(), Vec2::new(120.0, -125.0));
    // A key that is held does not jump again; a key that is pressed anew does.
    game.hold(2, &[]).hold(10, &[KeyCode::Space]);
    assert!(game.place::<Player>().y > -100.0);
    game.hold(60, &[]);
    assert_eq!(game.place::<Player>().y, -125.0);
    game.hold(4, &[KeyCode::ArrowDown]).hold(40, &[]);
    assert_eq!(game.place::<Player>(), Vec2::new(120.0, FLOOR));
}

/// On the first ledge again: a key that goes down and up between two ticks still counts.
#[test]
fn the_shortest_tap_drops() {
    let mut game = Game::at(120.0, -125.0);
    game.hold(5, &[]);
    assert_eq!(game.place::<Player>().y, -125.0);
    tap_key(&mut game.0, KeyCode::ArrowDown, "", 1);
    game.hold(40, &[]);
    assert_eq!(game.place::<Player>(), Vec2::new(120.0, FLOOR));
}

#[test]
fn a_short_press_is_a_low_jump() {
    let highest = |held: u32| {
        let mut game = Game::at(-80.0, FLOOR);
        game.hold(5, &[]).hold(held, &[KeyCode::KeyW]);
        let mut highest = game.place::<Player>().y;
        for _ in 0..40 {
            game.hold(1, &[]);
            highest = highest.max(game.place::<Player>().y);
        }
        highest - FLOOR
    };
    // The player rises in 22 ticks: by 6 in the first one, and by 1000 / 60 / 60 less in each one after: 132 - 231 * 0.2778.
    assert!((highest(22) - 67.83).abs() < 0.01, "{}", highest(22));
    assert!((10.0..40.0).contains(&highest(4)), "{}", highest(4));
}

#[test]
fn the_topmost_ledge_is_a_belt() {
    // The top of the ledge is at -17, and it ends at x = 60.
    let mut game = Game::at(150.0, -5.0);
    game.hold(60, &[]);
    let [x, y] = game.place::<Player>().to_array();
    assert!((x - 150.0 + platformer::BELT_SPEED).abs() < 0.01 && y == -5.0);
    // At the end of the ledge the player falls, with no horizontal velocity.
    game.hold(100, &[]);
    let [x, y] = game.place::<Player>().to_array();
    assert!((50.0..53.0).contains(&x) && y == FLOOR, "{x} {y}");
}

#[test]
fn the_lift_carries_the_player() {
    let mut game = Game::at(-200.0, 78.0);
    game.hold(10, &[]);
    let stands = |game: &mut Game| game.place::<Player>() - game.place::<Lift>();
    assert_eq!(stands(&mut game).x, 0.0);
    let mut heights = Vec::new();
    for tick in 0..600 {
        game.hold(1, &[]);
        let [x, y] = stands(&mut game).to_array();
        assert!(
            x == 0.0 && (y - 16.0).abs() < 0.01,
            "({x}, {y}) at tick {tick}"
        );
        heights.push(game.place::<Lift>().y);
    }
    // It goes down from 60 to -196 and up again, at a unit a tick, and turns in the tick after it has come there: 512 ticks there and back.
    let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let highest = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    assert!((-197.5..=-196.0).contains(&lowest), "{lowest}");
    assert!((60.0..=61.5).contains(&highest), "{highest}");
}
