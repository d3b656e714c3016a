//! `MoveOptions::layers`: layers that were switched since the tick that the mover knows.

use super::*;

const HEROES: u32 = 1;
const ENEMIES: u32 = 2;
const CRATES: u32 = 4;
const WALLS: u32 = 8;

/// A hero of 16, an enemy of 16 at x = 20, and a wall from 60 on.
fn game(hero: impl Bundle) -> (App, [Entity; 3]) {
    let mut app = app();
    let enemy = (BoxCollider::square(16.0), CollisionLayers::on(ENEMIES));
    let enemy = app.world_mut().spawn((enemy, at(20.0, 0.0))).id();
    let wall = wall(&mut app, (60.0, -50.0), (70.0, 50.0));
    app.world_mut()
        .entity_mut(wall)
        .insert(CollisionLayers::on(WALLS));
    let hero = (hero, BoxCollider::square(16.0), at(0.0, 0.0));
    let hero = app.world_mut().spawn(hero).id();
    app.update();
    take::<Collision>(&mut app);
    (app, [hero, enemy, wall])
}

fn hero() -> impl Bundle {
    (Body::Kinematic, CollisionLayers::on(HEROES))
}

fn with(layers: CollisionLayers) -> MoveOptions {
    MoveOptions {
        layers: Some(layers),
        ..default()
    }
}

/// What stops a way of 100 to the right, and where.
#[test]
fn what_stops_the_body_goes_by_these_layers() {
    let on = CollisionLayers::on(HEROES);
    for (case, options, x, hit) in [
        ("its own", MoveOptions::default(), 4.0, Some(1)),
        ("the same", with(on), 4.0, Some(1)),
        ("a dash", with(on.without(ENEMIES)), 52.0, Some(2)),
        ("a ghost", with(CollisionLayers::NONE), 100.0, None),
    ] {
        let (mut app, all) = game(hero());
        let moved = walk(&mut app, all[0], (100.0, 0.0), options);
        assert_eq!(moved.position, Vec2::new(x, 0.0), "{case}");
        let hits: Vec<Entity> = moved.hits.iter().map(|hit| hit.entity).collect();
        let expected: Vec<Entity> = hit.map(|number: usize| all[number]).into_iter().collect();
        assert_eq!(hits, expected, "{case}");
    }
    // The other way round: a ghost, as far as the tick knows, that has just become solid.
    let (mut app, [ghost, ..]) = game((Body::Kinematic, CollisionLayers::NONE));
    let options = MoveOptions::default();
    let project = |app: &mut App, options: MoveOptions| {
        let way = move |mover: Mover| mover.project(ghost, Vec2::ZERO, Vec2::X * 100.0, &options);
        let moved = app.world_mut().run_system_once(way).expect("it runs");
        moved.expect("it is a body").position.x
    };
    assert_eq!(project(&mut app, options), 100.0);
    assert_eq!(project(&mut app, with(on)), 4.0);
}

/// Who is ignored stays so, and what is `Static` goes through all that is.
#[test]
fn the_other_rules_hold_as_before() {
    let all = CollisionLayers::ALL;
    let (mut app, [hero, enemy, _]) = game(hero());
    let ignoring = IgnoreCollisions::with(enemy);
    app.world_mut().entity_mut(hero).insert(ignoring);
    app.update();
    let moved = walk(&mut app, hero, (100.0, 0.0), with(all));
    assert_eq!(moved.position.x, 52.0);

    let (mut app, [hero, enemy, _]) = game(Body::Static);
    app.world_mut().entity_mut(enemy).insert(Sensor);
    app.update();
    let moved = walk(&mut app, hero, (100.0, 0.0), with(all));
    assert_eq!(moved.position.x, 100.0);
}

/// The component and the option are switched in one step: the enemy is neither in the way, nor reported, nor pushed. If only the option is, the tick does as usual.
#[test]
fn in_the_tick_its_own_layers_count() {
    let dashing = CollisionLayers::on(HEROES).without(ENEMIES);
    for is_switched in [true, false] {
        let (mut app, [hero, enemy, _]) = game(hero());
        if is_switched {
            app.world_mut().entity_mut(hero).insert(dashing);
        }
        let moved = walk(&mut app, hero, (12.0, 0.0), with(dashing));
        assert_eq!(moved.position, Vec2::new(12.0, 0.0));
        app.update();
        let met = take::<Collision>(&mut app);
        let enemy = place(&app, enemy);
        if is_switched {
            assert_eq!((met.len(), enemy), (0, Vec2::new(20.0, 0.0)));
        } else {
            assert_eq!((met.len(), enemy), (1, Vec2::new(28.0, 0.0)));
            assert_eq!(met[0].depth, 8.0);
        }
        assert_eq!(place(&app, hero), Vec2::new(12.0, 0.0));
    }
}

/// A crate is stopped by a wall that the one who pushes it would go through.
#[test]
fn what_is_pushed_has_its_own_layers() {
    let (mut app, [hero, enemy, wall]) = game(hero());
    app.world_mut()
        .entity_mut(enemy)
        .insert(CollisionLayers::on(CRATES));
    app.update();
    let options = MoveOptions {
        push_layers: CRATES,
        ..with(CollisionLayers::on(HEROES).without(WALLS))
    };
    let moved = walk(&mut app, hero, (100.0, 0.0), options);
    assert_eq!(moved.pushed, [(enemy, Vec2::new(32.0, 0.0))]);
    assert_eq!(moved.position, Vec2::new(36.0, 0.0));
    assert!(moved.hits.iter().all(|hit| hit.entity != wall));
}
