//! Smooth motion between ticks: with another crate's interpolation, and with Bevy's own time stopped or slowed.

use std::time::Duration;

use bevy::{ecs::system::RunSystemOnce, prelude::*, time::TimeUpdateStrategy};
use bevy_nudge::prelude::*;
use bevy_transform_interpolation::prelude::{TransformInterpolation, TransformInterpolationPlugin};

use crate::common::{at, place, wall};

/// The places where the ticks have left the body, with ten ticks and forty frames a second.
#[derive(Resource, Default)]
struct Ticked(Vec<Vec2>);

fn slow_app(interpolates: bool) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
    if interpolates {
        app.add_plugins(TransformInterpolationPlugin::default());
    }
    app.insert_resource(Time::<Fixed>::from_hz(10.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            25,
        )))
        .init_resource::<Ticked>();
    let ball = (CircleCollider::new(10.0), Velocity(Vec2::new(200.0, 0.0)));
    let bounce = Response::Bounce { restitution: 1.0 };
    let ball = app
        .world_mut()
        .spawn((ball, bounce, at(0.0, 0.0), TransformInterpolation))
        .id();
    let note = move |transforms: Query<&Transform>, mut ticked: ResMut<Ticked>| {
        ticked
            .0
            .push(transforms.get(ball).unwrap().translation.truncate());
    };
    app.add_systems(FixedPostUpdate, note.after(CollisionSystems::Report));
    wall(&mut app, (100.0, -50.0), (140.0, 50.0));
    app.finish();
    app.cleanup();
    app.update();
    (app, ball)
}

#[test]
fn what_is_seen_between_ticks_is_smooth_and_never_in_the_wall() {
    let (mut app, ball) = slow_app(true);
    let mut seen = Vec::new();
    for _ in 0..4 * 8 {
        app.update();
        seen.push(place(&app, ball).x);
    }
    // A tick moves the ball by 20. The eighth frame is the first that lies between the places of two ticks.
    let steps: Vec<f32> = seen[8..16]
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    for step in steps {
        assert!(
            (step - 5.0).abs() < 1.0e-3,
            "a quarter of 20 a frame, not {step}"
        );
    }
    let farthest = seen.iter().copied().fold(0.0, f32::max);
    assert!(farthest > 75.0 && farthest <= 90.0, "{farthest}");
}

/// The plugin starts from where the last tick left the bodies, and not from what was drawn since.
#[test]
fn ticks_are_the_same_bits_with_and_without() {
    let ticked = [false, true].map(|interpolates| {
        let (mut app, _) = slow_app(interpolates);
        for _ in 0..4 * 20 {
            app.update();
        }
        std::mem::take(&mut app.world_mut().resource_mut::<Ticked>().0)
    });
    assert!(ticked[0].len() >= 19);
    assert_eq!(ticked[0], ticked[1]);
}

/// The tick has left the ball at 40; it is drawn a quarter of the way from 20 to there.
#[test]
fn queries_find_what_is_changed_between_ticks_where_the_tick_left_it() {
    let (mut app, ball) = slow_app(true);
    let center = |app: &mut App| {
        let find = move |space: SpatialQuery| space.get(ball).unwrap().center;
        app.world_mut().run_system_once(find).unwrap()
    };
    center(&mut app); // from here on, what is changed between ticks is noted
    while center(&mut app).x < 40.0 {
        app.update();
    }
    app.update();
    let drawn = place(&app, ball).x;
    assert!((drawn - 25.0).abs() < 1.0e-3, "{drawn}");
    type Change = fn(&mut EntityWorldMut);
    let changes: [(&str, Change); 3] = [
        ("layers", |ball| {
            ball.insert(CollisionLayers::DEFAULT);
        }),
        ("a shape", |ball| {
            ball.insert(CircleCollider::new(10.0));
        }),
        ("none", |ball| {
            ball.remove::<CollisionLayers>();
        }),
    ];
    for (case, change) in changes {
        change(&mut app.world_mut().entity_mut(ball));
        assert_eq!(center(&mut app), Vec2::new(40.0, 0.0), "{case}");
    }
    // Below a parent its `Transform` means another place, whatever else it gets then.
    let drawn = place(&app, ball);
    let parent = app.world_mut().spawn(at(0.0, 50.0)).id();
    app.world_mut().entity_mut(ball).insert(ChildOf(parent));
    app.world_mut().entity_mut(ball).insert(Sensor);
    assert_eq!(center(&mut app), drawn + Vec2::new(0.0, 50.0));
    // Also if it has taken no part for a while.
    app.world_mut().entity_mut(ball).insert(ColliderDisabled);
    app.world_mut().flush();
    app.world_mut()
        .entity_mut(ball)
        .remove::<ColliderDisabled>();
    assert_eq!(center(&mut app), drawn + Vec2::new(0.0, 50.0));
}

/// Ticks and messages follow Bevy's virtual time, frame by frame.
#[test]
fn paused_and_slowed_time_are_followed() {
    for (case, speed, is_paused, ticks) in [
        ("as it is", 1.0, false, 10),
        ("half", 0.5, false, 5),
        ("double", 2.0, false, 20),
        ("paused", 1.0, true, 0),
    ] {
        let (mut app, ball) = slow_app(false);
        let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
        time.set_relative_speed(speed);
        if is_paused {
            time.pause();
        }
        let from = place(&app, ball);
        app.world_mut().resource_mut::<Ticked>().0.clear();
        for _ in 0..4 * 10 {
            app.update();
        }
        let ticked = app.world().resource::<Ticked>().0.len();
        assert_eq!(ticked, ticks, "{case}");
        let has_moved = place(&app, ball) != from;
        assert_eq!(has_moved, ticks > 0, "{case}");
    }
}

/// The game is paused, and runs single ticks by hand.
#[test]
fn a_paused_game_can_be_stepped() {
    let (mut app, ball) = slow_app(false);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.update();
    let from = place(&app, ball);
    for steps in 1..4 {
        let mut time = app.world_mut().resource_mut::<Time<Fixed>>();
        let tick = time.timestep();
        time.accumulate_overstep(tick);
        app.update();
        app.update();
        assert_eq!(place(&app, ball).x, from.x + 20.0 * steps as f32);
    }
}
