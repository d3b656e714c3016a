//! Worlds that are mirrored or turned by a right angle: all bodies end in the corresponding places, with the same reports.

use bevy::{math::Vec2Swizzles, prelude::*};
use bevy_nudge::prelude::*;

use crate::common::{app, place, tick};

/// The number of crowds that are compared for each way to move.
const CROWDS: usize = 40;
const TICKS: usize = 4;
/// Rounding differs, because sums are added in another order, and an overlap of a thousandth may be resolved or not.
const SAME: f32 = 0.01;

/// How a world is turned.
#[derive(Clone, Copy, Debug)]
struct Turn {
    flip: Vec2,
    swaps_axes: bool,
}

const NOT_TURNED: Turn = Turn {
    flip: Vec2::ONE,
    swaps_axes: false,
};

impl Turn {
    const ALL: [Self; 4] = [
        Self {
            flip: Vec2::new(-1.0, 1.0),
            ..NOT_TURNED
        },
        Self {
            flip: Vec2::new(1.0, -1.0),
            ..NOT_TURNED
        },
        Self {
            swaps_axes: true,
            ..NOT_TURNED
        },
        Self {
            flip: Vec2::new(-1.0, 1.0),
            swaps_axes: true,
        },
    ];

    fn size(&self, size: Vec2) -> Vec2 {
        if self.swaps_axes { size.yx() } else { size }
    }

    fn turn(&self, vector: Vec2) -> Vec2 {
        self.size(vector * self.flip)
    }

    fn turn_back(&self, vector: Vec2) -> Vec2 {
        self.size(vector) * self.flip
    }
}

/// How the bodies are moved.
#[derive(Clone, Copy, Debug)]
struct Ways {
    have_velocities: bool,
    have_one_ways: bool,
    are_swept: bool,
}

#[derive(Clone, Copy, Debug)]
struct Spec {
    is_round: bool,
    size: Vec2,
    corner_radius: f32,
    place: Vec2,
    /// The motion in a tick.
    way: Vec2,
    body: Body,
    mass: f32,
    response: Option<Response>,
    one_way: Option<Vec2>,
    is_sensor: bool,
    is_swept: bool,
}

impl Spec {
    fn random(random: &mut fastrand::Rng, spread: f32, ways: Ways) -> Self {
        let mut within = |from: f32, to: f32| from + (to - from) * random.f32();
        let place = Vec2::new(within(-spread, spread), within(-spread, spread));
        let size = Vec2::new(within(1.0, 12.0), within(1.0, 12.0));
        let way = Vec2::new(within(-2.0, 2.0), within(-2.0, 2.0));
        let (mass, restitution) = (within(0.25, 4.0), within(0.0, 1.0));
        let body = match random.u32(0..6) {
            0 | 1 => Body::Static,
            2 => Body::Kinematic,
            _ => Body::Dynamic,
        };
        let response = match random.u32(0..8) {
            0 => Some(Response::Bounce { restitution }),
            1 => Some(Response::Stop),
            2 => Some(Response::Pass),
            3 | 4 => Some(Response::Slide),
            _ => None,
        };
        let is_one_way = random.u32(0..3) == 0 && body == Body::Static && ways.have_one_ways;
        let sides = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
        Self {
            is_round: random.bool(),
            size,
            corner_radius: if random.u32(0..4) == 0 { 0.25 } else { 0.0 } * size.min_element(),
            place,
            way,
            body,
            mass,
            response: response.filter(|_| ways.have_velocities),
            one_way: is_one_way.then(|| sides[random.usize(0..4)]),
            is_sensor: random.u32(0..12) == 0,
            is_swept: random.u32(0..3) == 0 && ways.are_swept,
        }
    }

    fn half_size(&self) -> Vec2 {
        if self.is_round {
            Vec2::splat(self.size.min_element())
        } else {
            self.size * 0.5
        }
    }

    fn is_apart_from(&self, other: &Self) -> bool {
        let gap = (self.place - other.place).abs() - self.half_size() - other.half_size();
        gap.max_element() > 0.0
    }

    fn spawn(&self, app: &mut App, turn: Turn) -> Entity {
        let place = Transform::from_translation(turn.turn(self.place).extend(0.0));
        let mut one = app.world_mut().spawn((place, self.body, Mass(self.mass)));
        let (size, way) = (turn.size(self.size), turn.turn(self.way));
        if self.is_round {
            one.insert(CircleCollider::new(size.min_element()));
        } else {
            one.insert(BoxCollider {
                corner_radius: self.corner_radius,
                ..BoxCollider::new(size.x, size.y)
            });
        }
        if let Some(response) = self.response {
            // Up to ten units a tick.
            one.insert((Velocity(way * 320.0), response));
        } else if self.body != Body::Static {
            one.insert(Drift(way));
            if self.is_swept {
                one.insert(Swept::default());
            }
        }
        if let Some(solid_side) = self.one_way {
            one.insert(OneWay(turn.turn(solid_side)));
        }
        if self.is_sensor {
            one.insert(Sensor);
        }
        one.id()
    }
}

/// Moved by the game, by this much in each tick.
#[derive(Component)]
struct Drift(Vec2);

fn drift(mut bodies: Query<(&Drift, &mut Transform)>) {
    for (drift, mut transform) in &mut bodies {
        transform.translation += drift.0.extend(0.0);
    }
}

/// Returns a crowd of all kinds of bodies. Those with a velocity do not begin in another one, as it would be a matter of rounding which is hit first.
fn crowd(random: &mut fastrand::Rng, ways: Ways) -> Vec<Spec> {
    let count = random.usize(4..24);
    let spread = 6.0 * (count as f32).sqrt();
    let mut crowd: Vec<Spec> = Vec::new();
    for _ in 0..count {
        let one = Spec::random(random, spread, ways);
        let is_free = |other: &Spec| {
            let may_overlap = one.response.is_none() && other.response.is_none();
            may_overlap || one.is_apart_from(other)
        };
        if crowd.iter().all(is_free) {
            crowd.push(one);
        }
    }
    crowd
}

/// The numbers of two that collide, the normal as seen from the first, and the depth.
type Report = ((usize, usize), Vec2, f32);

/// A world, and how it is turned. Its results are turned back.
struct Turned {
    app: App,
    bodies: Vec<Entity>,
    turn: Turn,
}

impl Turned {
    fn new(crowd: &[Spec], turn: Turn) -> Self {
        let mut app = app();
        let mut settings = app.world_mut().resource_mut::<CollisionSettings>();
        settings.up = turn.turn(Vec2::Y);
        app.add_systems(FixedUpdate, drift);
        let bodies = crowd.iter().map(|spec| spec.spawn(&mut app, turn));
        let bodies = bodies.collect();
        Self { app, bodies, turn }
    }

    fn tick(&mut self) -> Vec<Report> {
        let hits = tick(&mut self.app);
        let number = |entity: Entity| self.bodies.iter().position(|one| *one == entity);
        let reports = hits.into_iter().filter_map(|one| {
            let (a, b) = (number(one.a)?, number(one.b)?);
            let (low, high) = (a.min(b), a.max(b));
            let normal = one.normal_for(self.bodies[low])?;
            Some(((low, high), self.turn.turn_back(normal), one.depth))
        });
        reports.collect()
    }

    fn places(&self) -> Vec<Vec2> {
        let places = self.bodies.iter().map(|&body| place(&self.app, body));
        places.map(|place| self.turn.turn_back(place)).collect()
    }

    /// Puts all bodies where they are in another world.
    fn follow(&mut self, other: &Self) {
        for (place, &body) in other.places().into_iter().zip(&self.bodies) {
            let mut entity = self.app.world_mut().entity_mut(body);
            let mut transform = entity.get_mut::<Transform>().expect("it has one");
            transform.translation = self.turn.turn(place).extend(0.0);
        }
    }
}

/// Returns the first of these reports that is not among the others. A pair that hardly touches may be reported in one world only.
fn missing<'a>(reports: &'a [Report], others: &[Report]) -> Option<&'a Report> {
    reports.iter().find(|(pair, normal, depth)| {
        let is_same = |(others_pair, others_normal, others_depth): &Report| {
            pair == others_pair
                && normal.distance(*others_normal) < SAME
                && (depth - others_depth).abs() < SAME
        };
        *depth > SAME && !others.iter().any(is_same)
    })
}

/// Compares the worlds, and returns how many reports there were.
fn compare(seed: u64, ways: Ways) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut told = 0;
    for number in 0..CROWDS {
        let crowd = crowd(&mut random, ways);
        let mut straight = Turned::new(&crowd, NOT_TURNED);
        let mut turned = Turn::ALL.map(|turn| Turned::new(&crowd, turn));
        for tick in 0..TICKS {
            let reports = straight.tick();
            let places = straight.places();
            told += reports.len();
            for other in &mut turned {
                let case = format!("{ways:?}, crowd {number}, {:?}, tick {tick}", other.turn);
                let others_reports = other.tick();
                for (spec, (a, b)) in crowd.iter().zip(places.iter().zip(other.places())) {
                    assert!(a.distance(b) < SAME, "{case}: {a} or {b}, {spec:?}");
                }
                assert_eq!(missing(&reports, &others_reports), None, "{case}");
                assert_eq!(missing(&others_reports, &reports), None, "{case}");
                other.follow(&straight);
            }
        }
    }
    told
}

#[test]
fn which_way_is_up_does_not_matter() {
    for (seed, (have_velocities, have_one_ways, are_swept)) in [
        (false, false, false),
        (true, false, false),
        (true, true, false),
        (false, true, true),
        (true, true, true),
    ]
    .into_iter()
    .enumerate()
    {
        let told = compare(
            seed as u64,
            Ways {
                have_velocities,
                have_one_ways,
                are_swept,
            },
        );
        assert!(told > 2 * CROWDS, "{told}");
    }
}
