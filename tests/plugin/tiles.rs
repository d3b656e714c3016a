//! Grids of tiles: they have few colliders, which are kept up to date and still know their cells.

use bevy::{
    ecs::{entity::EntityHashMap, entity_disabling::Disabled, query::Allow, system::RunSystemOnce},
    prelude::*,
};
use bevy_nudge::{
    memory::CollisionMemory,
    prelude::*,
    tiles::{MergedFrom, MergedTiles, TileCells, TileColliders},
};

use crate::common::{app, app_with, at, place, take, tick, wall};

const CELL: Vec2 = Vec2::new(16.0, 10.0);

fn cells(min: (i32, i32), size: (i32, i32)) -> impl Iterator<Item = IVec2> {
    (0..size.1).flat_map(move |y| (0..size.0).map(move |x| IVec2::new(min.0 + x, min.1 + y)))
}

/// Returns the rectangles of all colliders, disabled or not, sorted, with their entities.
fn merged(app: &mut App) -> Vec<([i32; 4], Entity)> {
    let world = app.world_mut();
    let mut all = world.query_filtered::<(Entity, &MergedTiles), Allow<Disabled>>();
    let mut all: Vec<([i32; 4], Entity)> = all
        .iter(world)
        .map(|(entity, tiles)| {
            let (min, size) = (tiles.min, tiles.size);
            ([min.y, min.x, size.x, size.y], entity)
        })
        .collect();
    all.sort_unstable();
    all
}

fn rectangles(app: &mut App) -> Vec<[i32; 4]> {
    merged(app).into_iter().map(|(rect, _)| rect).collect()
}

fn set(app: &mut App, grid: Entity, cell: (i32, i32), is_filled: bool) {
    let tiles = app.world_mut().get_mut::<TileColliders>(grid);
    tiles.expect("it is there").set(cell.into(), is_filled);
}

/// Returns a grid of cells (0, 0) to (2, 0), whose middle one, from (16, 0) to (32, 10), stays alone.
fn row_with_a_door() -> TileColliders {
    let mut tiles = TileColliders::from_cells(CELL, cells((0, 0), (3, 1)));
    tiles.set_alone(IVec2::new(1, 0), true);
    tiles
}

#[test]
fn cells_collide_in_the_tick_in_which_they_are_set() {
    let mut app = app();
    let grid = app
        .world_mut()
        .spawn((TileColliders::new(CELL), at(100.0, 50.0)))
        .id();
    // In the middle of cell (3, 1), which is from (148, 60) to (164, 70).
    app.world_mut()
        .spawn((CircleCollider::new(1.0), Body::Kinematic, at(156.0, 65.0)));
    assert_eq!(tick(&mut app), []);

    set(&mut app, grid, (3, 1), true);
    assert_eq!(tick(&mut app).len(), 1);
    set(&mut app, grid, (2, 1), true);
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(rectangles(&mut app), [[1, 2, 2, 1]]);
    set(&mut app, grid, (3, 1), false);
    assert_eq!(tick(&mut app), []);
    app.world_mut().despawn(grid);
    app.update();
    assert_eq!(rectangles(&mut app), [[0; 4]; 0]);
}

/// As a plain collider does.
#[test]
fn a_grid_collides_in_the_tick_before_which_commands_spawn_it() {
    let mut app = app_with(CollisionPlugin::new(Update));
    let spawn = |mut commands: Commands, mut frame: Local<u32>| {
        *frame += 1;
        if *frame == 2 {
            commands.spawn(row_with_a_door());
        }
    };
    app.add_systems(Update, spawn.before(CollisionSystems::Gather));
    app.world_mut()
        .spawn((CircleCollider::new(1.0), Body::Kinematic, at(8.0, 5.0)));
    let counts = [0, 1, 2].map(|_| tick(&mut app).len());
    assert_eq!(counts, [0, 1, 1]);
}

#[test]
fn what_does_not_change_stays() {
    let mut app = app();
    let rows = cells((0, 0), (8, 1)).chain(cells((0, 3), (4, 2)));
    let grid = app.world_mut().spawn(TileColliders::from_cells(CELL, rows));
    let grid = grid.id();
    app.update();
    let before = merged(&mut app);
    assert_eq!(before.len(), 2);
    set(&mut app, grid, (3, 0), false);
    app.update();
    let after = merged(&mut app);
    assert_eq!(
        rectangles(&mut app),
        [[0, 0, 3, 1], [0, 4, 4, 1], [3, 0, 4, 2]]
    );
    assert_eq!(after[2], before[1], "the same entity");
}

#[test]
fn a_cell_may_stay_alone() {
    let mut app = app();
    let mut tiles = TileColliders::from_cells(CELL, cells((0, 0), (5, 1)));
    tiles.set_alone(IVec2::new(2, 0), true);
    tiles.set_alone(IVec2::new(9, 9), true);
    let grid = app.world_mut().spawn(tiles).id();
    app.update();
    assert_eq!(
        rectangles(&mut app),
        [[0, 0, 2, 1], [0, 2, 1, 1], [0, 3, 2, 1]]
    );
    // A door: it reports, and lets bodies pass.
    let door = merged(&mut app)[1].1;
    app.world_mut().entity_mut(door).insert(Sensor);
    let body = app
        .world_mut()
        .spawn((CircleCollider::new(2.0), at(40.0, 5.0)))
        .id();
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(place(&app, body), Vec2::new(40.0, 5.0));
    app.world_mut()
        .get_mut::<TileColliders>(grid)
        .expect("it is there")
        .set_alone(IVec2::new(2, 0), false);
    app.update();
    assert_eq!(rectangles(&mut app), [[0, 0, 5, 1]]);
    assert!(place(&app, body).distance(Vec2::new(40.0, 5.0)) > 6.9);
}

#[derive(Resource, Default)]
struct Met(Vec<(Entity, IVec2)>);

fn note_cells(
    mut started: MessageReader<Collision>,
    cells: TileCells,
    dots: Query<Entity, With<CircleCollider>>,
    mut met: ResMut<Met>,
    // Parameters as a game would have besides.
    _grids: Query<&mut TileColliders>,
    _places: Query<&mut Transform>,
) {
    for hit in started.read() {
        for dot in &dots {
            met.0.extend(cells.met_by(dot, hit));
        }
    }
}

#[test]
fn a_collision_knows_its_cell() {
    for (scale, origin) in [(1.0, Vec2::ZERO), (2.0, Vec2::new(-300.0, 70.0))] {
        let mut app = app();
        app.init_resource::<Met>()
            .add_systems(FixedLast, note_cells);
        let tiles = TileColliders::from_cells(CELL, cells((-4, -2), (10, 4)));
        let start = Transform::from_translation(origin.extend(0.0)).with_scale(Vec3::splat(scale));
        let grid = app.world_mut().spawn((tiles, start)).id();
        // The grid is from (-64, -20) to (96, 20), before it is moved and scaled.
        for (dot, cell) in [
            ((-50.0, 20.4), (-4, 1)),
            ((-47.0, 20.4), (-3, 1)),
            ((95.0, -20.4), (5, -2)),
            ((96.4, 3.0), (5, 0)),
            ((96.4, -3.0), (5, -1)),
        ] {
            let place = origin + Vec2::from(dot) * scale;
            let parts = (
                CircleCollider::new(0.5 * scale),
                Body::Kinematic,
                at(place.x, place.y),
            );
            let dot = app.world_mut().spawn(parts).id();
            app.world_mut().resource_mut::<Met>().0.clear();
            app.update();
            assert_eq!(
                app.world().resource::<Met>().0,
                [(grid, cell.into())],
                "{place}"
            );
            app.world_mut().despawn(dot);
            app.update();
        }
    }
}

fn met_by(app: &mut App, entity: Entity, hit: Collision) -> Option<(Entity, IVec2)> {
    let met_by = move |cells: TileCells| cells.met_by(entity, &hit);
    app.world_mut().run_system_once(met_by).expect("it runs")
}

#[test]
fn the_cell_is_that_of_when_a_moving_grid_was_met() {
    let mut app = app();
    let tiles = TileColliders::from_cells(CELL, cells((0, 0), (3, 1)));
    // 8 units a tick.
    let ship = (tiles, Body::Kinematic, Velocity(Vec2::new(512.0, 0.0)));
    let ship = app.world_mut().spawn(ship).id();
    let ball = (
        CircleCollider::new(1.0),
        Response::Bounce { restitution: 1.0 },
        Velocity(Vec2::new(0.0, 1280.0)),
        at(20.0, -2.0),
    );
    let ball = app.world_mut().spawn(ball).id();
    let [hit] = tick(&mut app)[..] else {
        panic!("one hit");
    };
    // The ball has moved 1 of 20, so the ship has moved 0.4 of 8: the point is 19.6 from its corner, and 12 in the end.
    assert_eq!((hit.time, hit.point), (0.05, Vec2::new(20.0, 0.0)));
    let expected = Some((ship, IVec2::new(1, 0)));
    assert_eq!(met_by(&mut app, ball, hit), expected);
    CollisionMemory::of(app.world()).restore(app.world_mut());
    assert_eq!(met_by(&mut app, ball, hit), expected, "after a rollback");
}

#[test]
fn the_cell_is_that_of_before_a_grid_was_pushed() {
    let mut app = app();
    let tiles = TileColliders::from_cells(CELL, cells((0, 0), (1, 3)));
    let crates = app.world_mut().spawn((tiles, Body::Dynamic)).id();
    // At the height of cell (0, 1), which is from 10 to 20. The floor lifts the cell to 14 to 24.
    let fist = (BoxCollider::new(20.0, 4.0), Body::Kinematic, at(20.0, 12.0));
    let fist = app.world_mut().spawn(fist).id();
    wall(&mut app, (-100.0, -10.0), (100.0, 4.0));
    let hits = tick(&mut app);
    let hit = hits.iter().find(|hit| hit.involves(fist)).copied();
    assert_eq!(place(&app, crates).y, 4.0);
    let hit = hit.expect("it hits");
    let expected = Some((crates, IVec2::new(0, 1)));
    assert_eq!(met_by(&mut app, fist, hit), expected);
    CollisionMemory::of(app.world()).restore(app.world_mut());
    assert_eq!(met_by(&mut app, fist, hit), expected, "after a rollback");
    // Nor does it matter whether the other entity still exists.
    app.world_mut().despawn(fist);
    assert_eq!(met_by(&mut app, fist, hit), expected);
}

/// A grid with a scale of 2, at (100, 50), that has moved on: each cell is 32 wide and 20 high.
#[test]
fn hits_of_casts_tell_their_cells() {
    let mut app = app();
    let tiles = TileColliders::from_cells(CELL, cells((-1, 0), (5, 4)));
    let speed = Velocity(Vec2::new(64.0, 0.0));
    let ship = app.world_mut().spawn((
        tiles,
        Body::Kinematic,
        speed,
        at(99.0, 50.0).with_scale(Vec3::splat(2.0)),
    ));
    let ship = ship.id();
    tick(&mut app);
    let other = wall(&mut app, (0.0, 0.0), (5.0, 5.0));
    let cell = |x, y| Some((ship, IVec2::new(x, y)));
    let ray = |from: (f32, f32), way: (f32, f32)| {
        move |space: SpatialQuery, cells: TileCells| {
            let cast = space.cast_ray(from.into(), way.into(), &QueryFilter::ALL);
            let hit = cast.first().expect("the grid");
            cells.at(hit.entity, hit.point, hit.normal)
        }
    };
    let cases = [
        ("from the left", (0.0, 115.0), (200.0, 0.0), cell(-1, 3)),
        ("from the right", (400.0, 51.0), (-300.0, 0.0), cell(3, 0)),
        ("from above", (131.0, 300.0), (0.0, -300.0), cell(0, 3)),
        ("from below", (133.0, 0.0), (0.0, 100.0), cell(1, 0)),
        // A cast that starts inside returns the shortest way out, here to the left.
        ("inside", (90.0, 95.0), (10.0, 0.0), cell(-1, 2)),
    ];
    for (what, from, way, expected) in cases {
        let hit = app.world_mut().run_system_once(ray(from, way));
        assert_eq!(hit.expect("it runs"), expected, "{what}");
    }
    let [(_, tile)] = merged(&mut app)[..] else {
        panic!("one box");
    };
    let points = [
        ("a point in it", tile, (140.0, 105.0), cell(1, 2)),
        ("one beside it", tile, (1.0e9, -1.0e9), cell(3, 0)),
        ("nowhere", tile, (f32::NAN, 0.0), None),
        ("a wall", other, (2.0, 2.0), None),
        ("the grid itself", ship, (140.0, 105.0), None),
    ];
    for (what, entity, point, expected) in points {
        let at = move |cells: TileCells| cells.at(entity, point.into(), Vec2::ZERO);
        let at = app.world_mut().run_system_once(at).expect("it runs");
        assert_eq!(at, expected, "{what}");
    }
}

#[test]
fn hits_of_a_mover_tell_their_cells() {
    let mut app = app();
    let floor = TileColliders::from_cells(CELL, cells((0, 0), (6, 1)));
    let floor = app.world_mut().spawn(floor).id();
    let digger = (BoxCollider::square(8.0), Body::Kinematic, at(30.0, 20.0));
    let digger = app.world_mut().spawn(digger).id();
    app.update();
    app.update();
    let dig = move |mover: Mover, cells: TileCells| {
        let (from, down) = (Vec2::new(30.0, 20.0), Vec2::new(30.0, -20.0));
        let moved = mover.project(digger, from, down, &MoveOptions::default())?;
        let hit = *moved.hits.first()?;
        Some((hit.point, cells.at(hit.entity, hit.point, hit.normal)))
    };
    let dug = app.world_mut().run_system_once(dig).expect("it runs");
    // It falls by 6 and moves by 9 meanwhile: from 35 to 43 it touches cell 2.
    let (point, cell) = dug.expect("a hit");
    assert!((point - Vec2::new(39.0, 10.0)).length() < 1.0e-4, "{point}");
    assert_eq!(cell, Some((floor, IVec2::new(2, 0))));
}

#[test]
fn walls_and_floors_of_merged_tiles_are_smooth() {
    // An L of cells, in a ragged order of rows, with single boxes flush beside it.
    let mut app = app();
    let floor = cells((0, -1), (40, 1)).chain(cells((3, -3), (5, 2)));
    let tiles = TileColliders::from_cells(Vec2::splat(16.0), floor.chain(cells((39, 0), (1, 20))));
    app.world_mut().spawn(tiles);
    app.world_mut()
        .spawn((BoxCollider::square(16.0), Body::Static, at(-8.0, -8.0)));
    let walker = app
        .world_mut()
        .spawn((
            BoxCollider::square(16.0),
            Velocity::default(),
            at(-8.0, 8.0),
        ))
        .id();
    for _ in 0..400 {
        app.world_mut()
            .entity_mut(walker)
            .insert(Velocity(Vec2::new(200.0, -300.0)));
        for hit in tick(&mut app) {
            let side = hit.normal_for(walker).expect("nothing else moves");
            let at_wall = place(&app, walker).x > 615.0;
            assert!(
                side == Vec2::NEG_Y || (at_wall && side == Vec2::X),
                "{hit:?}"
            );
        }
        assert_eq!(place(&app, walker).y, 8.0);
    }
    assert_eq!(place(&app, walker).x, 616.0);
    // Up along the wall, pressed against it.
    for _ in 0..60 {
        app.world_mut()
            .entity_mut(walker)
            .insert(Velocity(Vec2::new(200.0, 300.0)));
        take::<Collision>(&mut app);
        app.update();
        assert_eq!(place(&app, walker).x, 616.0);
    }
    assert!(place(&app, walker).y > 250.0);
}

/// An observer may give single cells other components as soon as they are spawned.
#[test]
fn an_observer_of_cells_has_the_last_word() {
    let mut app = app();
    let door = IVec2::new(1, 0);
    let own = CollisionLayers::new(4, 4);
    app.add_observer(
        move |cell: On<Add, MergedTiles>, tiles: Query<&MergedTiles>, mut commands: Commands| {
            if tiles.get(cell.entity).is_ok_and(|tiles| tiles.min == door) {
                commands.entity(cell.entity).insert(own);
            }
        },
    );
    let mut tiles = TileColliders::from_cells(CELL, cells((0, 0), (3, 1)));
    tiles.set_alone(door, true);
    app.world_mut().spawn((tiles, CollisionLayers::new(2, 1)));
    app.update();
    assert_eq!(layers(&mut app), [2, 4, 2]);
}

/// Returns the layers of the cells of a grid, sorted by their places.
fn layers(app: &mut App) -> Vec<u32> {
    let cells = merged(app).into_iter();
    let layers = |cell| app.world().get::<CollisionLayers>(cell);
    cells
        .map(|(_, cell)| layers(cell).copied().unwrap_or_default().memberships)
        .collect()
}

#[test]
fn what_stands_beside_a_grid_counts_for_all_its_cells() {
    let mut app = app();
    let mut tiles = TileColliders::from_cells(CELL, cells((0, 0), (1, 1)));
    tiles.set_alone(IVec2::ZERO, true);
    let solid = CollisionLayers::new(2, 1);
    let grid = app.world_mut().spawn((tiles, solid)).id();
    // A collider on no layer that the walls collide with.
    let ghost = (
        CircleCollider::new(1.0),
        CollisionLayers::new(4, u32::MAX),
        at(1.0, 5.0),
    );
    let ghost = app.world_mut().spawn(ghost).id();
    assert_eq!(tick(&mut app), [], "in the very first tick");
    assert_eq!(layers(&mut app), [2]);

    // Later changes of the grid are passed on, also to new cells.
    let mut grid_now = app.world_mut().entity_mut(grid);
    grid_now.insert((CollisionLayers::new(8, u32::MAX), Sensor, CollisionTag(5)));
    let mut tiles = grid_now.get_mut::<TileColliders>().expect("it has one");
    tiles.set(IVec2::new(3, 0), true);
    let hits = tick(&mut app);
    assert_eq!(layers(&mut app), [8, 8]);
    assert_eq!(hits.len(), 1);
    assert_eq!(place(&app, ghost), Vec2::new(1.0, 5.0));

    // A component that a cell has by itself stays, as long as it is not changed on the grid.
    let [(_, alone), (_, other)] = merged(&mut app)[..] else {
        panic!("two cells");
    };
    app.world_mut()
        .entity_mut(alone)
        .insert(CollisionLayers::new(16, u32::MAX));
    app.world_mut()
        .entity_mut(grid)
        .remove::<Sensor>()
        .insert((OneWay::default(), ColliderDisabled));
    assert_eq!(tick(&mut app), [], "all are disabled");
    assert_eq!(layers(&mut app), [16, 8]);
    for cell in [alone, other] {
        let cell = app.world().entity(cell);
        assert!(!cell.contains::<Sensor>() && cell.contains::<OneWay>());
        assert_eq!(cell.get(), Some(&CollisionTag(5)));
    }
    app.world_mut()
        .entity_mut(grid)
        .remove::<(CollisionLayers, OneWay, ColliderDisabled)>();
    assert_eq!(tick(&mut app).len(), 1);
    assert_eq!(layers(&mut app), [1, 1]);
}

#[test]
fn a_cell_that_is_disabled_is_a_cell_of_its_grid() {
    let mut app = app();
    let grid = app.world_mut().spawn(row_with_a_door()).id();
    app.update();
    let door = merged(&mut app)[1].1;
    app.world_mut().entity_mut(door).insert(Disabled); // it is open
    // A collider in the door.
    app.world_mut()
        .spawn((CircleCollider::new(2.0), at(24.0, 5.0)));
    assert_eq!(tick(&mut app), []);

    set(&mut app, grid, (9, 0), true);
    assert_eq!(tick(&mut app), [], "no other door is added");
    let all = merged(&mut app);
    assert_eq!((all.len(), all[1].1), (4, door));

    app.world_mut().entity_mut(grid).insert(Sensor);
    app.update();
    assert!(app.world().entity(door).contains::<Sensor>());

    set(&mut app, grid, (1, 0), false);
    app.update();
    assert!(app.world().get_entity(door).is_err());
}

/// Such as a part of the level that is far away.
#[test]
fn a_grid_that_was_disabled_follows_all_changes_once_it_is_back() {
    follows_all_changes_once_it_is_back(Disabled);
}

/// A component by which a game leaves entities out.
#[derive(Component, Clone)]
struct Shelved;

#[test]
fn a_grid_that_its_game_left_out_follows_all_changes_once_it_is_back() {
    follows_all_changes_once_it_is_back(Shelved);
}

fn follows_all_changes_once_it_is_back<C: Component + Clone>(disabling: C) {
    let mut app = app();
    app.world_mut().register_disabling_component::<C>();
    let tiles = TileColliders::from_cells(CELL, cells((0, 0), (3, 1)));
    let grid = app.world_mut().spawn(tiles).id();
    // In cell (2, 0).
    app.world_mut()
        .spawn((CircleCollider::new(2.0), Body::Kinematic, at(40.0, 5.0)));
    // No cell of the other grid changes.
    let tiles = TileColliders::from_cells(CELL, cells((10, 0), (2, 2)));
    let unchanged = app.world_mut().spawn(tiles).id();
    assert_eq!(tick(&mut app).len(), 1);

    let mut hidden = app.world_mut().entity_mut(unchanged);
    hidden.insert_recursive::<Children>(disabling.clone());
    let mut hidden = app.world_mut().entity_mut(grid);
    hidden.insert_recursive::<Children>(disabling);
    app.update();
    set(&mut app, grid, (1, 0), false);
    for grid in [grid, unchanged] {
        app.world_mut().entity_mut(grid).insert(Sensor);
    }
    for _ in 0..3 {
        assert_eq!(tick(&mut app), [], "no cells are added");
    }

    for grid in [grid, unchanged] {
        let mut hidden = app.world_mut().entity_mut(grid);
        hidden.remove_recursive::<Children, C>();
    }
    assert_eq!(tick(&mut app).len(), 1);
    let all = merged(&mut app);
    let expected = [[0, 0, 1, 1], [0, 2, 1, 1], [0, 10, 2, 2]];
    assert_eq!(rectangles(&mut app), expected);
    for (_, cell) in all {
        assert!(app.world().entity(cell).contains::<Sensor>());
    }
}

/// Adds an observer that gives other components to the cell that stays alone in [`row_with_a_door`].
fn make_of_the_door(app: &mut App, parts: impl Bundle + Copy) {
    app.add_observer(
        move |cell: On<Add, MergedTiles>, tiles: Query<&MergedTiles>, mut commands: Commands| {
            if tiles.get(cell.entity).is_ok_and(|tiles| tiles.min.x == 1) {
                let mut cell = commands.entity(cell.entity);
                cell.remove::<BoxCollider>().insert((Sensor, parts));
            }
        },
    );
}

#[test]
fn a_cell_may_be_given_another_collider() {
    for is_round in [true, false] {
        let mut app = app();
        if is_round {
            make_of_the_door(&mut app, CircleCollider::new(4.0)); // a coin
        } else {
            let spikes = BoxCollider::new(16.0, 4.0).with_offset(Vec2::new(0.0, -3.0));
            make_of_the_door(&mut app, spikes);
        }
        let grid = app.world_mut().spawn(row_with_a_door()).id();
        app.world_mut()
            .spawn((CircleCollider::new(2.0), Body::Kinematic, at(24.0, 3.0)));
        assert_eq!(tick(&mut app).len(), 1);
        let before = merged(&mut app);
        for x in [10, 12, 14] {
            set(&mut app, grid, (x, 0), true);
            app.update();
        }
        assert_eq!(merged(&mut app)[..3], before);
        assert_eq!(take::<CollisionEnded>(&mut app), []);
        set(&mut app, grid, (1, 0), false);
        app.update();
        assert_eq!(merged(&mut app).len(), 5);
    }
}

#[test]
fn cells_of_another_size_are_other_boxes() {
    let mut app = app();
    let grid = app.world_mut().spawn(row_with_a_door()).id();
    app.update();
    for (size, count) in [(CELL * 2.0, 1), (CELL, 0), (CELL * 2.0, 1)] {
        let mut tiles = TileColliders::from_cells(size, cells((0, 0), (3, 1)));
        tiles.set_alone(IVec2::new(1, 0), true);
        app.world_mut().entity_mut(grid).insert(tiles);
        // In cell (2, 0) if that cell is from (64, 0) to (96, 20).
        let dot = (CircleCollider::new(2.0), Body::Kinematic, at(80.0, 15.0));
        let dot = app.world_mut().spawn(dot).id();
        assert_eq!(tick(&mut app).len(), count);
        assert_eq!(merged(&mut app).len(), 3);
        app.world_mut().despawn(dot);
    }
}

#[test]
fn who_removes_a_grid_removes_its_cells() {
    let mut app = app();
    let other = app.world_mut().spawn(at(0.0, 0.0)).id();
    let grid = app.world_mut().spawn(row_with_a_door()).id();
    app.world_mut().entity_mut(grid).add_child(other);
    app.update();
    for removed in [true, false, true] {
        if removed {
            app.world_mut().entity_mut(grid).remove::<TileColliders>();
            assert_eq!(merged(&mut app), [], "at once");
        } else {
            app.world_mut().entity_mut(grid).insert(row_with_a_door());
        }
        let count = if removed { 0 } else { 3 };
        app.update();
        assert_eq!(merged(&mut app).len(), count);
    }
    let children = app.world().get::<Children>(grid);
    assert_eq!(
        children.map(|children| children.to_vec()),
        Some(vec![other])
    );
}

#[test]
fn cells_that_were_despawned_come_back_when_the_grid_changes() {
    let mut app = app();
    let grid = app.world_mut().spawn(row_with_a_door()).id();
    app.update();
    app.world_mut().entity_mut(grid).despawn_children();
    app.update();
    assert_eq!(merged(&mut app), []);
    set(&mut app, grid, (9, 0), true);
    app.update();
    let expected = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 2, 1, 1], [0, 9, 1, 1]];
    assert_eq!(rectangles(&mut app), expected);
}

/// An observer of the first cell, finished or not, removes the grid: no other cell is spawned, and none stays.
#[test]
fn a_grid_that_goes_while_its_cells_come_leaves_none() {
    type TakeAway = fn(EntityCommands);
    let ways: [(&str, TakeAway); 2] = [
        ("removed", |mut grid| _ = grid.remove::<TileColliders>()),
        ("despawned", |mut grid| grid.try_despawn()),
    ];
    for (case, take_away) in ways {
        for is_finished in [true, false] {
            let mut app = app();
            let cells = [0, 2, 4].map(|x| IVec2::new(x, 0));
            let grid = TileColliders::from_cells(Vec2::splat(10.0), cells);
            let grid = app.world_mut().spawn((grid, Sensor, at(1000.0, 0.0))).id();
            if is_finished {
                app.add_observer(move |_: On<Add, MergedTiles>, mut commands: Commands| {
                    if let Ok(grid) = commands.get_entity(grid) {
                        take_away(grid);
                    }
                });
            } else {
                app.add_observer(move |_: On<Add, Sensor>, mut commands: Commands| {
                    if let Ok(grid) = commands.get_entity(grid) {
                        take_away(grid);
                    }
                });
            }
            app.update();
            let mut all = app.world_mut().query::<&BoxCollider>();
            let left = all.iter(app.world()).count();
            assert_eq!(left, 0, "{case}, a finished cell: {is_finished}");
        }
    }
}

#[test]
fn a_grid_that_goes_with_its_first_cell_gets_no_other() {
    #[derive(Resource, Default)]
    struct Came(usize);
    let mut app = app();
    app.init_resource::<Came>();
    let cells = [0, 2, 4].map(|x| IVec2::new(x, 0));
    let grid = TileColliders::from_cells(Vec2::splat(10.0), cells);
    let grid = app.world_mut().spawn(grid).id();
    app.add_observer(
        move |_: On<Add, MergedTiles>, mut commands: Commands, mut came: ResMut<Came>| {
            came.0 += 1;
            commands.entity(grid).try_remove::<TileColliders>();
        },
    );
    app.update();
    assert_eq!(app.world().resource::<Came>().0, 1);
}

/// Three rows, merged to one box, whose top is at a height of 10.
#[test]
fn the_cell_is_one_that_is_touched_however_deep() {
    for (half, depth, row) in [
        (15.0, 0.0, 0),
        (15.0, 5.0, 0),
        (15.0, 9.95, 0),
        (15.0, 12.0, 0),
        // From 1 to 3 below the top, and from 11 to 13: the way out leads up in both cases.
        (1.0, 3.0, 0),
        (1.0, 13.0, -1),
    ] {
        let mut app = app();
        let both = (0..40).flat_map(|x| (-2..1).map(move |y| IVec2::new(x, y)));
        let tiles = TileColliders::from_cells(Vec2::splat(10.0), both);
        app.world_mut().spawn(tiles);
        let probe = (
            BoxCollider::square(2.0 * half),
            Sensor,
            at(205.0, 10.0 + half - depth),
        );
        let probe = app.world_mut().spawn(probe).id();
        let [hit] = tick(&mut app)[..] else {
            panic!("one hit");
        };
        let (_, cell) = met_by(&mut app, probe, hit).expect("a tile");
        assert_eq!(cell.y, row, "{half} {depth}: {hit:?}");
    }
}

/// A grid that is a child of a cell is despawned with it, even if the grid changes in the same tick, in either spawn order.
#[test]
fn a_grid_on_a_cell_that_goes_is_gone() {
    for is_outer_first in [false, true] {
        let mut app = app();
        let early = app.world_mut().spawn(at(0.0, 0.0)).id();
        let late = app.world_mut().spawn(at(0.0, 0.0)).id();
        let (outer, inner) = if is_outer_first {
            (early, late)
        } else {
            (late, early)
        };
        let one = || TileColliders::from_cells(Vec2::splat(10.0), [IVec2::ZERO]);
        app.world_mut().entity_mut(outer).insert(one());
        app.update();
        let cell = merged(&mut app)[0].1;
        app.world_mut()
            .entity_mut(inner)
            .insert((one(), ChildOf(cell)));
        app.update();
        assert_eq!(merged(&mut app).len(), 2);

        // The inner grid gets another cell and a component for its cells, and the outer one loses its only cell.
        set(&mut app, inner, (5, 5), true);
        app.world_mut().entity_mut(inner).insert(Sensor);
        set(&mut app, outer, (0, 0), false);
        app.update();
        assert_eq!(merged(&mut app), []);
        assert!(app.world().get_entity(inner).is_err());
        let mut all = app.world_mut().query::<&BoxCollider>();
        assert_eq!(all.iter(app.world()).count(), 0);
    }
}

/// With or without a neighbor: an observer makes a door of each newly added cell.
#[test]
fn a_cell_that_stays_alone_from_now_on_comes_anew() {
    let mut app = app();
    let cells = [IVec2::ZERO, IVec2::new(3, 0), IVec2::new(4, 0)];
    let grid = TileColliders::from_cells(CELL, cells);
    let grid = app.world_mut().spawn(grid).id();
    app.update();
    app.world_mut().add_observer(
        |added: On<Add, MergedTiles>, tiles: Query<&MergedTiles>, mut commands: Commands| {
            if tiles.get(added.entity).unwrap().min != IVec2::new(4, 0) {
                commands.entity(added.entity).insert(Sensor);
            }
        },
    );
    let mut tiles = app.world_mut().get_mut::<TileColliders>(grid).unwrap();
    tiles.set_alone(IVec2::ZERO, true);
    tiles.set_alone(IVec2::new(3, 0), true);
    app.update();
    let doors: Vec<bool> = merged(&mut app)
        .iter()
        .map(|(_, cell)| app.world().entity(*cell).contains::<Sensor>())
        .collect();
    assert_eq!(doors, [true, true, false]);
}

/// A door, a cell with a `Sensor`, becomes wall again: with or without a wall beside it.
#[test]
fn a_cell_that_stays_alone_no_more_is_a_wall_again() {
    for cells in [vec![IVec2::ZERO], vec![IVec2::ZERO, IVec2::X]] {
        let mut app = app();
        let mut tiles = TileColliders::from_cells(CELL, cells.clone());
        tiles.set_alone(IVec2::ZERO, true);
        let grid = app.world_mut().spawn(tiles).id();
        app.update();
        let door = merged(&mut app)[0].1;
        app.world_mut().entity_mut(door).insert(Sensor);
        set(&mut app, grid, (5, 5), true);
        app.update();
        assert!(
            app.world().entity(door).contains::<Sensor>(),
            "it stays a door"
        );

        let tiles = app.world_mut().get_mut::<TileColliders>(grid);
        tiles.expect("it is there").set_alone(IVec2::ZERO, false);
        app.update();
        for (rect, cell) in merged(&mut app) {
            assert!(!app.world().entity(cell).contains::<Sensor>(), "{rect:?}");
        }
    }
}

/// Copies a grid that has been ticked, with its cells, as of a prefab; changes the copy before its first tick, and returns its cells.
fn copied(app: &mut App, grid: Entity, change: impl FnOnce(EntityWorldMut)) -> Vec<Entity> {
    let mut grid = app.world_mut().entity_mut(grid);
    let copy = grid.clone_and_spawn_with_opt_out(|copy| {
        copy.linked_cloning(true);
    });
    let cells = |app: &App| app.world().get::<Children>(copy).unwrap().to_vec();
    assert_eq!(cells(app).len(), 1);
    change(app.world_mut().entity_mut(copy));
    app.update();
    cells(app)
}

#[test]
fn cells_that_came_with_their_grid_follow_what_was_said_of_it_since() {
    let new = || {
        let mut app = app();
        let mut tiles = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
        tiles.set_alone(IVec2::ZERO, true);
        let grid = app.world_mut().spawn(tiles).id();
        app.update();
        (app, grid)
    };
    let (mut app, grid) = new();
    let ball = (CircleCollider::new(2.0), at(108.0, 15.0));
    let ball = app.world_mut().spawn(ball).id();
    let cells = copied(&mut app, grid, |mut copy| {
        copy.insert((Sensor, at(100.0, 0.0)));
    });
    assert!(app.world().entity(cells[0]).contains::<Sensor>());
    assert_eq!(place(&app, ball), Vec2::new(108.0, 15.0));

    // A copy with another cell size.
    let (mut app, grid) = new();
    let cells = copied(&mut app, grid, |mut copy| {
        let tiles = TileColliders::from_cells(Vec2::splat(32.0), [IVec2::ZERO]);
        copy.insert((tiles, at(100.0, 0.0)));
    });
    assert_eq!(cells.len(), 1);
    let half = app.world().get::<BoxCollider>(cells[0]).unwrap().half_size;
    assert_eq!(half, Vec2::splat(16.0));

    // A copy in which the door becomes wall again.
    let (mut app, grid) = new();
    let door = app.world().get::<Children>(grid).unwrap()[0];
    app.world_mut().entity_mut(door).insert(Sensor);
    let cells = copied(&mut app, grid, |mut copy| {
        let mut tiles = copy.get_mut::<TileColliders>().unwrap();
        tiles.set_alone(IVec2::ZERO, false);
    });
    assert_eq!(cells.len(), 1);
    assert!(!app.world().entity(cells[0]).contains::<Sensor>());
    assert!(app.world().entity(door).contains::<Sensor>());
}

/// A component that a game gave to a cell must stay, whatever was on the grid in the undone tick.
#[test]
fn going_back_leaves_what_cells_were_given() {
    let layers = |membership: u32| CollisionLayers::new(membership, u32::MAX);
    let mut app = app();
    let mut tiles = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
    tiles.set_alone(IVec2::ZERO, true);
    let grid = app.world_mut().spawn((tiles, layers(2))).id();
    app.update();
    let door = app.world().get::<Children>(grid).unwrap()[0];
    app.world_mut().entity_mut(door).insert(layers(16));
    app.update();
    let memory = CollisionMemory::of(app.world());
    let merged_from = app.world().get::<MergedFrom>(grid).unwrap().clone();

    app.world_mut().entity_mut(grid).insert(layers(8));
    app.update();
    assert_eq!(app.world().get(door), Some(&layers(8)));
    app.world_mut()
        .entity_mut(grid)
        .insert((layers(2), merged_from));
    app.world_mut().entity_mut(door).insert(layers(16));
    memory.restore(app.world_mut());
    app.update();
    assert_eq!(app.world().get(door), Some(&layers(16)));
}

/// Each of its rows, or columns, is a ledge, and stays one when cells elsewhere change.
#[test]
fn a_grid_with_a_solid_side_is_merged_along_that_side_alone() {
    let whole = vec![[0, 0, 2, 2]];
    let rows = vec![[0, 0, 2, 1], [1, 0, 2, 1]];
    let columns = vec![[0, 0, 1, 2], [0, 1, 1, 2]];
    let alone = vec![[0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1]];
    let mut app = app();
    let grid = TileColliders::from_cells(CELL, cells((0, 0), (2, 2)));
    let grid = app.world_mut().spawn(grid).id();
    for (way, expected) in [
        (None, &whole),
        (Some((0.0, 1.0)), &rows),
        (Some((0.0, -3.0)), &rows),
        (Some((-1.0, 0.9)), &columns),
        // Two sides are solid.
        (Some((-1.0, 1.0)), &alone),
        (Some((0.9, 1.0)), &rows),
        (Some((1.0, 0.0)), &columns),
        // It has none, and takes no part.
        (Some((0.0, 0.0)), &whole),
        (Some((0.0, 1.0)), &rows),
        (None, &whole),
    ] {
        let mut entity = app.world_mut().entity_mut(grid);
        match way {
            Some(way) => entity.insert(OneWay(way.into())),
            None => entity.remove::<OneWay>(),
        };
        app.update();
        assert_eq!(rectangles(&mut app), *expected, "{way:?}");
    }
}

#[test]
fn going_back_before_a_grid_was_a_ledge_merges_it_as_it_was() {
    for ways in [
        [None, Some(OneWay::default())],
        [Some(OneWay::default()), None],
    ] {
        let mut app = app();
        let grid = TileColliders::from_cells(CELL, cells((0, 0), (2, 2)));
        let grid = app.world_mut().spawn(grid).id();
        let set = |app: &mut App, way: Option<OneWay>| {
            let mut grid = app.world_mut().entity_mut(grid);
            match way {
                Some(way) => grid.insert(way),
                None => grid.remove::<OneWay>(),
            };
        };
        set(&mut app, ways[0]);
        app.update();
        let then = rectangles(&mut app);
        let memory = CollisionMemory::of(app.world());
        let merged_from = app.world().get::<MergedFrom>(grid).unwrap().clone();

        set(&mut app, ways[1]);
        app.update();
        assert_ne!(rectangles(&mut app), then);
        set(&mut app, ways[0]);
        app.world_mut().entity_mut(grid).insert(merged_from);
        memory.restore(app.world_mut());
        assert_eq!(rectangles(&mut app), then, "{ways:?}");
        app.update();
        assert_eq!(rectangles(&mut app), then, "{ways:?}, a tick later");
    }
}

/// As in a loaded world: the entity that the grid ignores has another id, but the component was not changed.
#[test]
fn whom_a_grid_ignores_is_told_anew_who_that_is() {
    let mut app = app();
    let [saved, loaded, others] = [(); 3].map(|()| app.world_mut().spawn_empty().id());
    let ignores = IgnoreCollisions::with;
    let tiles = TileColliders::from_cells(Vec2::splat(16.0), [IVec2::ZERO]);
    let grid = app.world_mut().spawn((tiles, ignores(saved))).id();
    app.update();
    let cell = app.world().get::<Children>(grid).unwrap()[0];
    assert_eq!(app.world().get(cell), Some(&ignores(saved)));
    app.world_mut().entity_mut(cell).insert(ignores(others));
    let mut merged_from = app.world().get::<MergedFrom>(grid).unwrap().clone();
    let mut map = EntityHashMap::from([(saved, loaded)]);
    Component::map_entities(&mut merged_from, &mut map);
    app.world_mut()
        .entity_mut(grid)
        .insert((ignores(loaded), merged_from));
    app.update();
    assert_eq!(app.world().get(cell), Some(&ignores(others)));
}
