//! Crowds that are pushed, in which each body pushes several others.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::{a_tick, mover, moving_app, tick_alone, ticking_app, velocity};
use crate::common::{at, place, tick, wall};

/// Pushes circles, or circles and squares by turns, through free space, while all of them drift at this speed. Returns how deep they were in each other: the largest depth, and the sum.
fn push(seed: u64, are_round: bool, drift: f32) -> (f32, f32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut app = moving_app();
    for number in 0_u8..9 {
        let [column, row] = [number % 3, number / 3].map(|cell| f32::from(cell) * 11.0);
        let [x, y] = [30.0 + column, row - 11.0].map(|at| at + random.f32() - 0.5);
        let mass = Mass(0.5 + random.f32());
        let mut body = app.world_mut().spawn((mass, a_tick(0.0, drift), at(x, y)));
        if are_round || number % 2 == 1 {
            body.insert(CircleCollider::new(5.0));
        } else {
            body.insert(BoxCollider::square(10.0));
        }
    }
    let (way, start) = (a_tick(3.125, 0.15625 + drift), at(0.0, 0.0));
    let pusher = app.world_mut().spawn((CircleCollider::new(6.0), start));
    let pusher = pusher.id();
    let (mut worst, mut sum) = (0.0_f32, 0.0);
    for _ in 0..30 {
        app.world_mut().entity_mut(pusher).insert(way);
        for collision in tick(&mut app) {
            worst = worst.max(collision.depth);
            sum += collision.depth;
        }
    }
    (worst, sum)
}

#[test]
fn who_are_pushed_do_not_end_in_each_other() {
    let cases = [0.0, 8.0, 64.0].map(|drift| [true, false].map(|are_round| (are_round, drift)));
    for &(are_round, drift) in cases.as_flattened() {
        let worlds = (0..40).map(|seed| push(seed, are_round, drift));
        let all: Vec<(f32, f32)> = worlds.collect();
        let worst = all.iter().map(|one| one.0).fold(0.0, f32::max);
        let mean = all.iter().map(|one| one.1).sum::<f32>() / 40.0;
        // A tick leads 3.1 units ahead. If bodies with too many hits were just stopped, circles would be 1.6 deep in the worst case, and 0.8 in the sum of all ticks.
        let case = format!("all round: {are_round}, drift {drift}");
        assert!(worst < 0.5, "{worst} deep in each other, {case}");
        assert!(mean < 0.2, "{mean} in all ticks, {case}");
    }
}

/// However often the ball has hit, the rest must be so little that the push-out leads it out on the side that it came from.
#[test]
fn a_ball_stays_between_heavy_crates() {
    let mut app = moving_app();
    for x in [-15.0, 15.0] {
        let block = (BoxCollider::new(10.0, 100.0), Mass(1.0e9));
        app.world_mut().spawn((block, a_tick(0.0, 0.0), at(x, 0.0)));
    }
    let bounce = Response::Bounce { restitution: 1.0 };
    let ball = (CircleCollider::new(5.0), bounce, a_tick(300.0, 0.0));
    let ball = app.world_mut().spawn((ball, at(0.0, 0.0))).id();
    for _ in 0..4 {
        app.update();
        assert!(place(&app, ball).x.abs() <= 5.01, "{}", place(&app, ball));
    }
}

/// Spawns so many small pellets that each of them is one hit, side by side across their way.
fn pellets(app: &mut App, count: u8, way: Vec2, first: impl Fn(f32) -> Vec2) {
    for number in 0..count {
        let aside = (f32::from(number) - (f32::from(count) - 1.0) * 0.5) * 0.4;
        let pellet = (CircleCollider::new(0.1), Mass(0.001), Response::Stop);
        let place = first(aside);
        let way = a_tick(way.x, way.y);
        app.world_mut().spawn((pellet, way, at(place.x, place.y)));
    }
}

#[test]
fn who_is_hit_by_many_goes_through_no_door() {
    for count in 0..20 {
        let mut app = moving_app();
        let boss = (CircleCollider::new(5.0), Mass(100.0), a_tick(20.0, 0.0));
        let boss = app.world_mut().spawn((boss, at(0.0, 0.0))).id();
        pellets(&mut app, count, Vec2::new(60.0, 0.0), |y| {
            Vec2::new(-8.0, y)
        });
        let door = (BoxCollider::new(1.0, 100.0), Mass(1.0e5));
        let door = app.world_mut().spawn((door, at(15.0, 0.0))).id();
        app.update();
        let [boss, door] = [boss, door].map(|one| place(&app, one).x);
        assert!(boss < door, "{boss} and {door} after {count} hits");
    }
}

/// The push-out does nothing for a body that is in a one-way platform, so the sweep must not let it in.
#[test]
fn who_is_hit_by_many_falls_through_no_ledge() {
    for count in [0, 13, 14, 15, 16, 17] {
        let mut app = moving_app();
        let ledge = (BoxCollider::new(100.0, 6.0), OneWay::default(), Mass(1.0e6));
        app.world_mut().spawn((ledge, at(0.0, -8.0)));
        let boss = mover(&mut app, 10.0, (-5.0, -4.5), a_tick(0.0, -1.0));
        app.world_mut().entity_mut(boss).insert(Mass(1000.0));
        pellets(&mut app, count, Vec2::new(0.0, -20.0), |x| {
            Vec2::new(x, 6.6)
        });
        for _ in 0..20 {
            app.update();
        }
        let y = place(&app, boss).y;
        assert!(y > -0.1, "{y} after {count} hits");
    }
}

/// In the air it is stopped for the rest of the tick, and keeps its velocity.
#[test]
fn who_is_hit_by_many_goes_on_in_the_next_tick() {
    let mut app = moving_app();
    let boss = (CircleCollider::new(5.0), Mass(100.0), a_tick(2.0, 0.0));
    let boss = app.world_mut().spawn((boss, at(0.0, 0.0))).id();
    pellets(&mut app, 20, Vec2::new(-60.0, 0.0), |y| Vec2::new(8.0, y));
    app.update();
    assert!(place(&app, boss).x < 1.0, "{}", place(&app, boss));
    assert!(velocity(&app, boss).x > 1.9, "{}", velocity(&app, boss));
}

/// Returns a fast and heavy ball between two walls, where it has room for 2 units: when bouncing, it hits more than 100 times in a tick. The push-out is off.
fn between_walls(response: Response) -> (App, Entity) {
    let mut app = moving_app();
    app.world_mut()
        .resource_mut::<CollisionSettings>()
        .push_out_rounds = 0;
    wall(&mut app, (-106.0, -50.0), (-6.0, 50.0));
    wall(&mut app, (6.0, -50.0), (106.0, 50.0));
    let ball = (CircleCollider::new(5.0), response, Mass(1.0e6));
    let ball = (ball, a_tick(300.0, 0.0), at(0.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    (app, ball)
}

/// The riser's first cast knows only the ball's old path, which leads far away.
#[test]
fn who_has_hit_too_often_is_in_the_way_of_all_others() {
    let (mut app, ball) = between_walls(Response::Bounce { restitution: 1.0 });
    let riser = (CircleCollider::new(4.0), a_tick(0.0, 40.0), at(0.0, -40.0));
    let riser = app.world_mut().spawn(riser).id();
    app.update();
    let distance = place(&app, ball).distance(place(&app, riser));
    assert!((8.999..10.0).contains(&distance), "{distance} apart");
}

/// Of several bodies that come, the first one is stopped, and not the one that would hit hardest in the rest of the tick.
#[test]
fn who_does_not_move_stops_whoever_comes_first() {
    // The ball stops at a wall, or hits without end.
    for response in [Response::Stop, Response::Bounce { restitution: 1.0 }] {
        let (mut app, ball) = between_walls(response);
        let mut comer = |y: f32, speed: f32| {
            let comer = (CircleCollider::new(1.0), Mass(1.0e-6), Response::Stop);
            let comer = (comer, a_tick(0.0, speed), at(0.0, y));
            app.world_mut().spawn(comer).id()
        };
        let (first, last) = (comer(-60.0, 100.0), comer(100.0, -101.0));
        app.update();
        let [ball, first, last] = [ball, first, last].map(|one| place(&app, one));
        assert!((first.y..last.y).contains(&ball.y), "{first} {ball} {last}");
    }
}

/// Balls with radii from 6 to 9 that fall into a shaft of so many columns of 18 units; or balls and crates by turns.
struct Shaft {
    app: App,
    bodies: Vec<Entity>,
}

impl Shaft {
    fn of_balls(count: u8, columns: u8, seed: u64) -> Self {
        let numbers: Vec<u8> = (0..count).collect();
        Self::new(&numbers, columns, seed, |_| false)
    }

    /// Spawns the bodies in the order of these numbers, which decide their places and sizes.
    fn new(numbers: &[u8], columns: u8, seed: u64, is_crate: fn(u8) -> bool) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = ticking_app();
        let half = f32::from(columns) * 9.0 + 10.0;
        wall(&mut app, (-half - 30.0, -20.0), (half + 30.0, 0.0));
        wall(&mut app, (-half - 30.0, 0.0), (-half, 1.0e4));
        wall(&mut app, (half, 0.0), (half + 30.0, 1.0e4));
        let specs: Vec<(Transform, f32)> = (0..=u8::MAX)
            .map(|number| {
                let [column, row] = [number % columns, number / columns].map(f32::from);
                let x = 19.0 + column * 18.0 - half + random.f32();
                (at(x, 12.0 + row * 19.0), 6.0 + random.f32() * 3.0)
            })
            .collect();
        let mut bodies = vec![Entity::PLACEHOLDER; numbers.len()];
        for &number in numbers {
            let (place, radius) = specs[usize::from(number)];
            let mut body = app.world_mut().spawn((Velocity::default(), place));
            if is_crate(number) {
                body.insert(BoxCollider::square(radius * 1.7));
            } else {
                body.insert(CircleCollider::new(radius));
            }
            bodies[usize::from(number)] = body.id();
        }
        Self { app, bodies }
    }

    fn places(&self) -> Vec<Vec2> {
        let bodies = self.bodies.iter();
        bodies.map(|&body| place(&self.app, body)).collect()
    }

    /// Runs a tick with gravity, and returns the longest way of a body in it.
    fn fall(&mut self) -> f32 {
        for &body in &self.bodies {
            let mut velocity = self.app.world_mut().get_mut::<Velocity>(body);
            velocity.as_mut().expect("it falls").0.y -= 15.0;
        }
        let before = self.places();
        tick_alone(&mut self.app);
        let ways = before.into_iter().zip(self.places());
        ways.map(|(from, to)| from.distance(to)).fold(0.0, f32::max)
    }
}

/// Balls press each other sideways, so there is no order from the ground up in which they could be stopped.
#[test]
fn a_heap_of_balls_comes_to_rest() {
    let mut gliding = 0;
    for (count, columns) in [(6, 3), (12, 4), (24, 4), (48, 6)] {
        for seed in 0..4 {
            let mut shaft = Shaft::of_balls(count, columns, seed);
            let ways: Vec<f32> = (0..700).map(|_| shaft.fall()).collect();
            let [fastest, late] =
                [&ways[..], &ways[650..]].map(|ways| ways.iter().copied().fold(0.0, f32::max));
            let case = format!("{count} balls, seed {seed}");
            // Falling freely for as long as they do leads to 4.2 units a tick. No ball is ever shot out.
            assert!(fastest < 5.0, "{fastest} in a tick, {case}");
            // A wedged ball collects no velocity that would shoot it out once it is free.
            for &ball in &shaft.bodies {
                let velocity = velocity(&shaft.app, ball);
                assert!(velocity.length() < 0.5, "{velocity} in the end, {case}");
            }
            gliding += u32::from(late > 1.0e-3);
        }
    }
    // In some cases a ball glides on a little longer.
    assert!(gliding <= 2, "{gliding} of 16 are not at rest");
}

/// Large heaps are stopped as a whole: hit by hit, some bodies still moved 1.3 units in a tick at the end.
#[test]
fn a_large_heap_comes_to_rest() {
    let numbers: Vec<u8> = (0..200).collect();
    let mut gliding = 0;
    for seed in 0..6 {
        for is_crate in [(|_| false) as fn(u8) -> bool, |number| number % 2 == 0] {
            let mut shaft = Shaft::new(&numbers, 10, seed, is_crate);
            let ways: Vec<f32> = (0..500).map(|_| shaft.fall()).collect();
            let [fastest, late] =
                [&ways[..], &ways[450..]].map(|ways| ways.iter().copied().fold(0.0, f32::max));
            // No body is shot out: some fall freely for 43 ticks, which gives this speed.
            assert!(fastest < 10.1, "{fastest} in a tick, seed {seed}");
            assert!(late < 0.1, "{late} in a tick at the end, seed {seed}");
            gliding += u32::from(late > 0.01);
        }
    }
    // In some cases a body glides on a little longer: in 3 of 48.
    assert!(gliding <= 2, "{gliding} of 12 are not at rest");
}

/// Each ball that lies on the floor is 0.0059 too high at 1e5, where floats are 0.0078 apart, and still it lies there: the heap is stopped as a whole.
#[test]
fn a_heap_far_out_comes_to_rest_as_soon() {
    for height in [0.0, 1.0e5] {
        for seed in 0..4 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut app = ticking_app();
            wall(&mut app, (-73.0, height - 20.0), (73.0, height));
            wall(&mut app, (-73.0, height), (-43.0, height + 1.0e4));
            wall(&mut app, (43.0, height), (73.0, height + 1.0e4));
            let balls = (0..48_u8).map(|number| {
                let [column, row] = [number % 6, number / 6].map(f32::from);
                let x = column * 13.0 - 33.0 + random.f32();
                let ball = (CircleCollider::new(5.08), Velocity::default());
                let place = at(x, height + 12.0 + row * 11.0);
                app.world_mut().spawn((ball, place)).id()
            });
            let bodies = balls.collect();
            let mut shaft = Shaft { app, bodies };
            let ways: Vec<f32> = (0..200).map(|_| shaft.fall()).collect();
            let late = ways[130..].iter().copied().fold(0.0, f32::max);
            assert!(late < 0.02, "{late} in a tick, at {height}, seed {seed}");
        }
    }
}

#[test]
fn a_heap_does_not_ask_who_was_spawned_first() {
    let mut numbers: Vec<u8> = (0..120).collect();
    let fallen = |numbers: &[u8]| {
        let mut shaft = Shaft::new(numbers, 8, 3, |number| number % 3 == 0);
        (0..200).for_each(|_| _ = shaft.fall());
        shaft.places()
    };
    let expected = fallen(&numbers);
    for seed in 0..3 {
        fastrand::Rng::with_seed(seed).shuffle(&mut numbers);
        assert_eq!(fallen(&numbers), expected);
    }
}

/// Whatever their masses, each of two that fly at each other has a finite velocity afterwards, and neither is in the other.
///
/// None is faster than 20: a feather that comes at 4 leaves a rock that comes at 8 as fast as they met, by 12, and the rock goes on at 8.
#[test]
fn masses_as_far_apart_as_can_be_meet() {
    let masses = [1.0e-45, f32::MIN_POSITIVE, 1.0e-20, 1.0, 1.0e20, f32::MAX];
    let bounce = Response::Bounce { restitution: 1.0 };
    for (own, others) in masses
        .iter()
        .flat_map(|own| masses.map(|other| (*own, other)))
    {
        for response in [Response::Slide, bounce, Response::Stop] {
            let case = format!("{own} and {others}, {response:?}");
            let mut app = moving_app();
            let mut spawn = |x: f32, way: f32, mass: f32| {
                let ball = (CircleCollider::new(5.0), Mass(mass), response);
                let ball = app.world_mut().spawn((ball, a_tick(way, 0.0), at(x, 0.0)));
                ball.id()
            };
            let (left, right) = (spawn(-15.0, 8.0, own), spawn(15.0, -4.0, others));
            for _ in 0..6 {
                app.update();
                let apart = place(&app, right) - place(&app, left);
                assert!(apart.x > 9.99 && apart.x < 200.0, "{case}: {apart}");
                for ball in [left, right] {
                    let speed = velocity(&app, ball).length();
                    assert!(speed <= 20.0, "{case}: {speed}");
                }
            }
        }
    }
}

/// Seven bodies that press each other fall onto a trampoline, the heavy one first.
#[test]
fn who_is_in_a_crowd_bounces_where_a_filter_says_so() {
    #[derive(Component)]
    struct Trampoline;
    fn bounces(In(pair): In<Pair>, trampolines: Query<&Trampoline>) -> Verdict {
        if trampolines.contains(pair.a) || trampolines.contains(pair.b) {
            Verdict::Respond(Response::Bounce { restitution: 1.0 })
        } else {
            Verdict::Collide
        }
    }
    let mut app = moving_app();
    app.add_collision_filter(bounces);
    let trampoline = (BoxCollider::new(400.0, 10.0), Body::Static, Trampoline);
    let trampoline = app.world_mut().spawn((trampoline, at(0.0, -40.5))).id();
    let mut spawn = |place: Vec2, way: Vec2, mass: f32| {
        let ball = (CircleCollider::new(10.0), Mass(mass));
        let ball = (ball, a_tick(way.x, way.y), at(place.x, place.y));
        app.world_mut().spawn(ball).id()
    };
    spawn(Vec2::ZERO, Vec2::new(0.0, -10.0), 1.0);
    // The corners of a hexagon, by the sine of 60 degrees.
    let (side, half) = (0.866_025_4, 0.5);
    let corners = [
        (0.0, 1.0),
        (side, half),
        (side, -half),
        (0.0, -1.0),
        (-side, -half),
        (-side, half),
    ];
    let around = corners.map(|corner| {
        let out = Vec2::from(corner);
        let mass = if out == Vec2::NEG_Y { 1000.0 } else { 1.0 };
        spawn(out * 20.5, Vec2::new(0.0, -10.0) - out, mass)
    });
    // The trampoline is 5 away, and the heavy one comes at 9: it is not slowed down before, as a body would be that comes to rest there.
    let met = tick(&mut app).into_iter();
    let mut met = met.filter(|met| met.involves(trampoline) && met.involves(around[3]));
    let time = met.next().map(|met| met.time);
    assert!(
        time.is_some_and(|time| (time - 5.0 / 9.0).abs() < 0.01),
        "{time:?}"
    );
}
