//! `SpatialQuery` in the middle of a tick, between `Gather` and `Detect`.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{memory::CollisionMemory, prelude::*};

use crate::common::{app, at, wall};

#[derive(Resource, Default)]
struct Heard(Vec<Entity>);

#[derive(Resource)]
struct Asked(Vec2);

fn hear(space: SpatialQuery, asked: Res<Asked>, mut heard: ResMut<Heard>) {
    let hits = space.overlap_point(asked.0, &QueryFilter::ALL).all();
    heard.0 = hits.iter().map(|hit| hit.entity).collect();
}

/// An app that asks in each tick what is at a place, after `Sweep` or before it.
fn app_that_asks(is_after_sweep: bool, place: Vec2) -> App {
    let mut app = app();
    app.insert_resource(Asked(place)).init_resource::<Heard>();
    let hear = if is_after_sweep {
        hear.after(CollisionSystems::Sweep)
            .before(CollisionSystems::Detect)
    } else {
        hear.after(CollisionSystems::Gather)
            .before(CollisionSystems::Sweep)
    };
    app.add_systems(FixedPostUpdate, hear);
    app
}

fn heard(app: &App) -> &[Entity] {
    &app.world().resource::<Heard>().0
}

/// Whether the sweep made the index anew, which depends on how many statics changed, must not be seen.
#[test]
fn many_statics_that_change_are_where_they_were() {
    for is_after_sweep in [false, true] {
        for (case, moved, is_let_go) in [
            ("one", 0, false),
            ("many", 30, false),
            ("all", 50, false),
            ("one is let go", 0, true),
            ("all are let go", 50, true),
        ] {
            let case = format!("{case}, after the sweep: {is_after_sweep}");
            let mut app = app_that_asks(is_after_sweep, Vec2::ZERO);
            let walls: Vec<Entity> = (0..50_u8)
                .map(|number| {
                    let x = 1000.0 + 20.0 * f32::from(number);
                    wall(&mut app, (x, 0.0), (x + 10.0, 10.0))
                })
                .collect();
            let door = wall(&mut app, (-10.0, -10.0), (10.0, 10.0));
            let dot = (CircleCollider::new(1.0), Velocity(Vec2::X), at(0.0, 500.0));
            app.world_mut().spawn(dot);
            app.update();
            app.update();
            assert_eq!(heard(&app), [door], "{case}");
            for &one in walls[..moved].iter().chain([&door]) {
                let mut one = app.world_mut().entity_mut(one);
                if is_let_go {
                    *one.get_mut::<Body>().expect("all have one") = Body::Dynamic;
                } else {
                    one.get_mut::<Transform>()
                        .expect("all have one")
                        .translation
                        .x += 100.0;
                }
            }
            app.update();
            assert_eq!(heard(&app), [door], "{case}");
            app.update();
            let is_there = if is_let_go { vec![door] } else { vec![] };
            assert_eq!(heard(&app), is_there, "{case}, a tick later");
            // Nothing is left of where they were.
            let now = app.world_mut().run_system_once(|space: SpatialQuery| {
                let hits = space.overlap_circle(1.0e4, Vec2::ZERO, &QueryFilter::ALL);
                hits.all().len()
            });
            assert_eq!(now.expect("it reads"), 52, "{case}");
        }
    }
}

/// So many statics come that the index is made anew: a door is where it was at the last detection, once, and not where the old index had it before.
#[test]
fn statics_that_moved_before_and_stand_beside_the_index_are_found_once() {
    let mut app = app_that_asks(true, Vec2::ZERO);
    let door = wall(&mut app, (990.0, -10.0), (1010.0, 10.0));
    let row = |app: &mut App, from: f32, count: u8| {
        for number in 0..count {
            let x = from + 20.0 * f32::from(number);
            wall(app, (x, 50.0), (x + 10.0, 60.0));
        }
    };
    row(&mut app, 1000.0, 50);
    let dot = (CircleCollider::new(1.0), Velocity(Vec2::X), at(0.0, 500.0));
    app.world_mut().spawn(dot);
    app.update();
    app.update();
    let go_to = |app: &mut App, x: f32| {
        let mut door = app.world_mut().entity_mut(door);
        door.get_mut::<Transform>()
            .expect("it has one")
            .translation
            .x = x;
    };
    // Alone, it is looked at beside the index, which still has it where it was before.
    go_to(&mut app, 0.0);
    app.update();
    assert_eq!(heard(&app), [], "it comes");
    app.update();
    assert_eq!(heard(&app), [door], "it is there");
    go_to(&mut app, 500.0);
    row(&mut app, 5000.0, 60);
    app.world_mut().resource_mut::<Asked>().0 = Vec2::new(1000.0, 0.0);
    app.update();
    assert_eq!(heard(&app), [], "where it was two ticks ago");
    go_to(&mut app, 0.0);
    app.update();
    app.world_mut().resource_mut::<Asked>().0 = Vec2::ZERO;
    go_to(&mut app, 500.0);
    row(&mut app, 9000.0, 60);
    app.update();
    assert_eq!(heard(&app), [door], "it goes");
    app.update();
    assert_eq!(heard(&app), [], "it is gone");
}

/// Two circles of 1 at 0 and 1.9 push each other to -0.05 and 1.95. In the middle of the next tick they are where they were found: -1.02 is 1.02 from 0.
#[test]
fn after_a_restore_the_middle_of_a_tick_is_as_it_was() {
    let mut app = app_that_asks(true, Vec2::new(-1.02, 0.0));
    let dots = [0.0, 1.9].map(|x| {
        let dot = (CircleCollider::new(1.0), at(x, 0.0));
        app.world_mut().spawn(dot).id()
    });
    let places =
        |app: &App| dots.map(|dot| *app.world().get::<Transform>(dot).expect("it has one"));
    let now = |app: &mut App| {
        let asked = app.world_mut().run_system_once(|space: SpatialQuery| {
            space
                .overlap_point(Vec2::new(-1.02, 0.0), &QueryFilter::ALL)
                .any()
        });
        asked.expect("it reads")
    };
    app.update();
    let memory = CollisionMemory::of(app.world());
    let pushed = places(&app);
    assert!(pushed[0].translation.x < -0.04);
    assert!(now(&mut app), "by now it has been pushed there");
    app.update();
    assert_eq!(heard(&app), []);
    assert_eq!(places(&app), pushed, "nothing pushes them again");
    app.update();
    assert_eq!(heard(&app), [dots[0]]);

    for (dot, place) in dots.into_iter().zip(pushed) {
        *app.world_mut().get_mut(dot).expect("it has one") = place;
    }
    memory.restore(app.world_mut());
    assert!(now(&mut app), "it is where it was pushed");
    app.update();
    assert_eq!(heard(&app), []);
    app.update();
    assert_eq!(heard(&app), [dots[0]]);
}

/// A hull that is switched off is gone in the tick that sees it, also if the ship goes on as the body of a wing.
#[test]
fn what_has_lost_its_collider_is_not_found_although_a_child_keeps_its_body() {
    for is_after_sweep in [false, true] {
        for has_wing in [false, true] {
            let mut app = app_that_asks(is_after_sweep, Vec2::ZERO);
            let ship = app.world_mut().spawn(CircleCollider::new(10.0)).id();
            if has_wing {
                let wing = (CircleCollider::new(2.0), at(30.0, 0.0), ChildOf(ship));
                app.world_mut().spawn(wing);
            }
            app.update();
            app.update();
            assert_eq!(heard(&app), [ship]);
            app.world_mut().entity_mut(ship).insert(ColliderDisabled);
            app.update();
            assert_eq!(heard(&app), [], "wing: {has_wing}, {is_after_sweep}");
        }
    }
}
