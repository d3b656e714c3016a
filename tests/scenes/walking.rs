//! The dot and the square in front of their wall, which is 40 x 400 at (300, 40). The dot has a radius of 10, and the square a half size of 10.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};

use crate::{dot, square_and_wall};

const LEFT: KeyCode = KeyCode::ArrowLeft;
const RIGHT: KeyCode = KeyCode::ArrowRight;
const UP: KeyCode = KeyCode::ArrowUp;
const SHIFT: KeyCode = KeyCode::ShiftLeft;

/// Defines a game with the walker of either example.
macro_rules! game {
    ($scene:ident) => {
        struct Game(App);

        impl Game {
            fn new() -> Self {
                let rehearsal = common::rehearsal;
                Self(rehearsal(&$scene::STAGE, $scene::scene))
            }

            /// Starts the game with the tutorial's undo in place of the push-out.
            fn undoing() -> Self {
                let mut game = Self::new();
                game.hold(1, &[KeyCode::KeyU]);
                game
            }

            fn place(&mut self, x: f32, y: f32) -> &mut Self {
                let at = common::to_world(x, y).extend(0.0);
                self.walker().translation = at;
                self
            }

            fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
                common::hold(&mut self.0, &common::Step::keys(ticks, keys));
                self
            }

            fn end(&mut self) -> (f32, f32) {
                let place = self.walker().translation.truncate();
                common::to_pixels(place).into()
            }

            fn walker(&mut self) -> Mut<'_, Transform> {
                let world = self.0.world_mut();
                let mut walkers = world.query_filtered::<&mut Transform, With<common::Walker>>();
                walkers
                    .single_mut(world)
                    .expect("each scene has one walker")
            }
        }
    };
}

mod a_dot {
    use super::*;

    game!(dot);

    #[test]
    fn stops_exactly_at_what_it_meets() {
        for (case, start, ticks, keys, end) in [
            (
                "right to the wall",
                (10.0, 240.0),
                400,
                &[RIGHT][..],
                (290.0, 240.0),
            ),
            (
                "left to the wall",
                (630.0, 240.0),
                400,
                &[LEFT],
                (350.0, 240.0),
            ),
            (
                "fast to the wall",
                (10.0, 240.0),
                100,
                &[RIGHT, SHIFT],
                (290.0, 240.0),
            ),
            (
                "right to the still dot",
                (10.0, 120.0),
                300,
                &[RIGHT],
                (140.0, 120.0),
            ),
            ("over the wall", (10.0, 30.0), 700, &[RIGHT], (630.0, 30.0)),
            ("under the edge", (10.0, 240.0), 300, &[UP], (10.0, 10.0)),
        ] {
            let mut game = Game::new();
            game.place(start.0, start.1).hold(ticks, keys);
            assert_eq!(game.end(), end, "{case}");
        }
    }

    #[test]
    fn starts_in_the_corner_and_stays_there() {
        let mut game = Game::new();
        assert_eq!(game.end(), (10.0, 10.0));
        game.hold(60, &[UP, LEFT]);
        assert_eq!(game.end(), (10.0, 10.0));
    }

    #[test]
    fn moves_one_pixel_a_tick_on_each_axis_and_faster_with_shift() {
        let mut game = Game::new();
        game.hold(7, &[RIGHT, KeyCode::KeyS]);
        assert_eq!(game.end(), (17.0, 17.0));
        game.hold(3, &[KeyCode::KeyD, SHIFT]);
        assert_eq!(game.end(), (32.0, 17.0));
    }

    /// A pixel lower than where it passes. In the tutorial the dot catches on the corner (300, 40); with push-out, it glides around it.
    #[test]
    fn glides_round_the_corner_where_undoing_catches() {
        let mut undoing = Game::undoing();
        undoing.place(10.0, 31.0).hold(700, &[RIGHT]);
        assert_eq!(undoing.end(), (295.0, 31.0));

        let mut pushed = Game::new();
        pushed.place(10.0, 31.0).hold(700, &[RIGHT]);
        assert_eq!(pushed.end(), (630.0, 30.0));
    }

    #[test]
    fn slides_along_the_wall() {
        let mut game = Game::new();
        game.place(280.0, 240.0).hold(60, &[RIGHT, UP]);
        assert_eq!(game.end(), (290.0, 180.0));
    }

    /// Distances from the corner (300, 40): 7² + 7² < 10², 8² + 7² > 10², 6² + 8² = 10².
    #[test]
    fn meets_the_corner_of_the_wall_exactly() {
        for (x, y, touches, overlaps) in [
            (293.0, 33.0, true, true),
            (292.0, 33.0, false, false),
            (294.0, 32.0, true, false),
            (292.0, 34.0, true, false),
        ] {
            let mut game = Game::new();
            game.place(x, y).hold(1, &[]);
            let moved = game.end() != (x, y);
            assert_eq!(moved, overlaps, "({x}, {y}) is pushed");
            let account = account(&game);
            assert_eq!(
                account.contains("the dot meets the wall"),
                touches,
                "({x}, {y}): {account}"
            );
        }
    }

    fn account(game: &Game) -> String {
        format!("{:?}", game.0.world().resource::<common::Account>())
    }

    #[test]
    fn goes_back_to_its_start() {
        let mut game = Game::new();
        game.place(400.0, 300.0).hold(1, &[KeyCode::KeyR]);
        assert_eq!(game.end(), (10.0, 10.0));
    }

    #[test]
    fn tells_in_its_account_what_it_hit() {
        let account = common::recorded(&dot::STAGE, dot::scene).join("\n");
        for what in [
            "the dot meets the still dot at (150.00, 120.00), normal (1.00, 0.00), depth 0.00",
            "the dot leaves the still dot (Separated)",
            "the dot meets the wall",
            "the dot meets the edge of the screen",
        ] {
            assert!(account.contains(what), "{what} is not in:\n{account}");
        }
    }
}

mod a_square {
    use super::*;

    game!(square_and_wall);

    /// The tutorial gives the position of a square by its top left corner, ten pixels from the center.
    const HALF: f32 = 10.0;

    /// The keys that the example's own text suggests.
    #[test]
    fn three_steps_down_and_along_with_shift_it_is_lifted_onto_the_wall() {
        let mut game = Game::new();
        game.hold(3, &[KeyCode::ArrowDown]);
        assert_eq!(game.end(), (10.0, 40.0));
        game.hold(5, &[RIGHT, SHIFT]);
        assert_eq!(game.end(), (310.0, 30.0));
    }

    #[test]
    fn stops_exactly_at_what_it_meets() {
        for (case, top, keys, end) in [
            ("to the wall", 100.0, &[RIGHT][..], (280.0, 100.0)),
            ("fast to the wall", 100.0, &[RIGHT, SHIFT], (280.0, 100.0)),
            ("above the wall", 20.0, &[RIGHT], (620.0, 20.0)),
            (
                "lifted onto the wall by the 1 that it is short",
                21.0,
                &[RIGHT],
                (620.0, 20.0),
            ),
        ] {
            let mut game = Game::new();
            let ticks = if keys.contains(&SHIFT) { 5 } else { 70 };
            game.place(HALF, top + HALF).hold(ticks, keys);
            let (x, y) = game.end();
            assert_eq!((x - HALF, y - HALF), end, "{case}");
        }
    }

    #[test]
    fn undoing_stops_short_or_catches() {
        for (case, left, top, ticks, keys, end) in [
            ("to the wall", 0.0, 100.0, 70, &[RIGHT][..], (280.0, 100.0)),
            (
                "caught by one pixel",
                0.0,
                21.0,
                70,
                &[RIGHT],
                (280.0, 21.0),
            ),
            ("above the wall", 0.0, 20.0, 70, &[RIGHT], (620.0, 20.0)),
            (
                "fast, and 40 pixels short",
                0.0,
                100.0,
                70,
                &[RIGHT, SHIFT],
                (240.0, 100.0),
            ),
        ] {
            let mut game = Game::undoing();
            game.place(left + HALF, top + HALF).hold(ticks, keys);
            let (x, y) = game.end();
            assert_eq!((x - HALF, y - HALF), end, "{case}");
        }
    }

    #[test]
    fn moves_ten_pixels_a_tick() {
        let mut game = Game::new();
        game.hold(3, &[RIGHT, KeyCode::ArrowDown]);
        assert_eq!(game.end(), (40.0, 40.0));
    }

    #[test]
    fn plays_at_twenty_ticks_a_second() {
        assert_eq!(square_and_wall::STAGE.ticks_per_second, 20.0);
        assert_eq!(dot::STAGE.ticks_per_second, 60.0);
    }

    /// Five frames a tick. A tap that is over before the next tick counts in that tick, and a key that is held counts as long as it is held.
    #[test]
    fn a_tap_between_two_ticks_is_a_step() {
        let mut game = Game::new();
        let frame = Duration::from_millis(10);
        game.0
            .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        game.hold(1, &[]).hold(2, &[RIGHT]).hold(20, &[]);
        assert_eq!(game.end(), (20.0, 10.0));
        // Three ticks, whenever the key goes down.
        game.hold(15, &[RIGHT]).hold(20, &[]);
        assert_eq!(game.end(), (50.0, 10.0));
    }
}
