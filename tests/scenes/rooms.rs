//! The building: walls, doors and crates. A cell is 20 wide; the player is a dot of radius 8, and starts in the middle of cell (5, 14).

use bevy::prelude::*;
use bevy_nudge::tiles::{MergedTiles, TileColliders};

use crate::top_down::{self, CELL, Crate, Player, middle};

struct Game(App);

impl Game {
    fn new() -> Self {
        Self(common::rehearsal(&top_down::STAGE, top_down::scene))
    }

    fn at(cell: (i32, i32)) -> Self {
        let mut game = Self::new();
        game.put(middle(cell.into()));
        game
    }

    fn put(&mut self, place: Vec2) {
        let world = self.0.world_mut();
        let mut players = world.query_filtered::<&mut Transform, With<Player>>();
        let mut player = players.single_mut(world).expect("one player");
        player.translation = place.extend(1.0);
    }

    fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
        common::hold(&mut self.0, &common::Step::keys(ticks, keys));
        self
    }

    fn player(&mut self) -> Vec2 {
        let world = self.0.world_mut();
        let mut players = world.query_filtered::<&Transform, With<Player>>();
        players
            .single(world)
            .expect("one player")
            .translation
            .truncate()
    }

    fn crates(&mut self) -> Vec<Vec2> {
        let world = self.0.world_mut();
        let mut crates = world.query_filtered::<&Transform, With<Crate>>();
        crates
            .iter(world)
            .map(|place| place.translation.truncate())
            .collect()
    }
}

#[test]
fn walls_and_shut_doors_stop_and_open_ones_do_not() {
    let mut game = Game::new();
    assert_eq!(game.player(), middle(IVec2::new(5, 14)));
    game.hold(120, &[KeyCode::ArrowRight]);
    // The door is cell (11, 14).
    let before_door = middle(IVec2::new(11, 14)).x - CELL * 0.5 - 8.0;
    assert!((game.player().x - before_door).abs() < 1.0e-3);
    game.hold(2, &[KeyCode::Space]);
    game.hold(20, &[KeyCode::ArrowRight]);
    let through = before_door + 20.0 * 140.0 / 60.0;
    assert!((game.player().x - through).abs() < 1.0e-3);
    // The door is shut behind the player, which stops at it on the way back.
    game.hold(2, &[])
        .hold(1, &[KeyCode::Space])
        .hold(60, &[KeyCode::ArrowLeft]);
    let behind_door = middle(IVec2::new(11, 14)).x + CELL * 0.5 + 8.0;
    let [x, _] = game.player().to_array();
    assert!((x - behind_door).abs() < 1.0e-3, "{x}");
}

#[test]
fn a_crate_is_pushed_until_a_wall_stops_it() {
    // The crate in cell (5, 7), pushed from its left. The next wall to the right is cell (11, 7).
    let mut game = Game::at((3, 7));
    game.hold(5, &[]);
    let crates = game.crates();
    let start = middle(IVec2::new(5, 7));
    let number = crates
        .iter()
        .position(|place| *place == start)
        .expect("it is there");
    game.hold(30, &[KeyCode::ArrowRight]);
    let pushed = game.crates()[number];
    assert!(pushed.x > start.x + 10.0 && pushed.y == start.y, "{pushed}");
    assert!((pushed.x - game.player().x - 17.0).abs() < 0.01);
    game.hold(200, &[KeyCode::ArrowRight]);
    let wall = middle(IVec2::new(11, 7)).x - CELL * 0.5;
    assert!((game.crates()[number].x - (wall - 9.0)).abs() < 0.01);
    assert!((game.player().x - (wall - 26.0)).abs() < 0.01);
    // Then neither the player nor a crate moves any more.
    let rests = (game.player(), game.crates());
    game.hold(20, &[KeyCode::ArrowRight]);
    assert_eq!((game.player(), game.crates()), rests);
}

#[test]
fn a_building_has_few_colliders() {
    let mut game = Game::new();
    game.hold(1, &[]);
    let world = game.0.world_mut();
    let count = world.query::<&MergedTiles>().iter(world).count();
    assert!((20..45).contains(&count), "{count}");
    game.hold(1, &[KeyCode::KeyR]).hold(2, &[]);
    let world = game.0.world_mut();
    assert_eq!(world.query::<&MergedTiles>().iter(world).count(), count);
    assert_eq!(game.crates().len(), 7);
}

#[test]
fn doors_stay_as_they_are_during_a_pause_and_a_restart_shuts_them_and_leaves_the_walls() {
    let door = IVec2::new(11, 14);
    let mut game = Game::new();
    game.put(middle(door) + Vec2::new(-30.0, 0.0));
    game.hold(2, &[]);
    let count = |game: &mut Game| {
        let world = game.0.world_mut();
        world.query::<&MergedTiles>().iter(world).count()
    };
    let is_shut = |game: &mut Game| {
        let world = game.0.world_mut();
        let mut buildings = world.query::<&TileColliders>();
        let tiles = buildings.single(world).expect("one building");
        tiles.is_filled(door)
    };
    let walls = count(&mut game);
    game.0.world_mut().resource_mut::<Time<Virtual>>().pause();
    game.hold(1, &[KeyCode::Space]).hold(1, &[]);
    assert!(is_shut(&mut game), "a pause");
    game.hold(1, &[KeyCode::KeyR]).hold(1, &[]);
    assert_eq!(count(&mut game), walls);

    game.0.world_mut().resource_mut::<Time<Virtual>>().unpause();
    game.put(middle(door) + Vec2::new(-30.0, 0.0));
    game.hold(1, &[]).hold(1, &[KeyCode::Space]);
    assert!(!is_shut(&mut game));
    game.hold(1, &[KeyCode::KeyR]).hold(2, &[]);
    assert!(is_shut(&mut game), "after a restart");
    assert_eq!(count(&mut game), walls);
}

/// The door is cell (11, 14). Its half size is 10, and the player's radius is 8: from a distance of 18 on, the player is beside the door.
#[test]
fn a_door_shuts_unless_somebody_is_in_it() {
    for (beside, shuts) in [(19.0, true), (18.0, true), (17.0, false), (0.0, false)] {
        let mut game = Game::new();
        game.put(middle(IVec2::new(11, 14)) + Vec2::new(-30.0, 0.0));
        game.hold(1, &[]).hold(1, &[KeyCode::Space]).hold(1, &[]);
        game.put(middle(IVec2::new(11, 14)) + Vec2::new(beside, 0.0));
        game.hold(1, &[]).hold(1, &[KeyCode::Space]);
        let world = game.0.world_mut();
        let mut buildings = world.query::<&TileColliders>();
        let tiles = buildings.single(world).expect("one building");
        assert_eq!(tiles.is_filled(IVec2::new(11, 14)), shuts, "{beside}");
    }
}
