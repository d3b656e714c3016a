//! Worlds that are mirrored, turned by a right angle, or far away: all bodies end in the corresponding places, with the same reports.

use bevy::{math::Vec2Swizzles, prelude::*};
use bevy_nudge::prelude::*;

use crate::common::{app, place, tick};

/// The number of crowds that are compared for each way to move.
const CROWDS: usize = 40;
const TICKS: usize = 4;
/// By how much results may differ.
#[derive(Clone, Copy, Debug)]
struct Tolerance {
    /// Of places, normals, and depths.
    distance: f32,
    /// Of the time in the tick.
    time: f32,
}

/// Rounding differs, because sums are added in another order, and an overlap of a thousandth may be resolved or not.
const TURNED: Tolerance = Tolerance {
    distance: 0.01,
    time: 0.01,
};

/// 2^17 away, floats are 1/64 apart.
const FAR: Tolerance = Tolerance {
    distance: 0.05,
    time: 0.1,
};

/// How a world is turned, and then moved.
#[derive(Clone, Copy, Debug)]
struct Turn {
    flip: Vec2,
    swaps_axes: bool,
    away: Vec2,
}

const NOT_TURNED: Turn = Turn {
    flip: Vec2::ONE,
    swaps_axes: false,
    away: Vec2::ZERO,
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
            ..NOT_TURNED
        },
    ];

    const FAR_AWAY: [Self; 1] = [Self {
        away: Vec2::new(131_072.0, -131_072.0),
        ..NOT_TURNED
    }];

    fn size(&self, size: Vec2) -> Vec2 {
        if self.swaps_axes { size.yx() } else { size }
    }

    fn turn(&self, vector: Vec2) -> Vec2 {
        self.size(vector * self.flip)
    }

    fn turn_back(&self, vector: Vec2) -> Vec2 {
        self.size(vector) * self.flip
    }

    fn place(&self, place: Vec2) -> Vec2 {
        self.turn(place) + self.away
    }

    fn place_back(&self, place: Vec2) -> Vec2 {
        self.turn_back(place - self.away)
    }
}

/// How the bodies are moved.
#[derive(Clone, Copy, Debug)]
struct Ways {
    have_velocities: bool,
    have_one_ways: bool,
    are_swept: bool,
    /// Whether those without velocities may begin in each other.
    may_overlap: bool,
}

#[derive(Clone, Copy, Debug)]
struct Spec {
    is_room: bool,
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
    /// The offset of a second collider, on a child.
    child: Option<Vec2>,
    /// Its surface velocity, in a tick.
    belt: Option<Vec2>,
    is_rider: bool,
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
        let offset = Vec2::new(within(-8.0, 8.0), within(-8.0, 8.0));
        let belt = Vec2::new(within(-2.0, 2.0), within(-2.0, 2.0));
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
            is_room: false,
            is_round: random.bool(),
            size,
            corner_radius: if random.u32(0..4) == 0 { 0.25 } else { 0.0 } * size.min_element(),
            place,
            way,
            body,
            mass,
            response: response.filter(|_| ways.have_velocities),
            one_way: is_one_way.then(|| sides[random.usize(0..4)]),
            child: (random.u32(0..6) == 0).then_some(offset),
            belt: (random.u32(0..4) == 0 && body != Body::Dynamic).then_some(belt),
            is_rider: random.bool() && body == Body::Dynamic,
            is_sensor: random.u32(0..12) == 0,
            is_swept: random.u32(0..3) == 0 && ways.are_swept,
        }
    }

    /// A room around all of a crowd.
    fn room(spread: f32) -> Self {
        Self {
            is_room: true,
            is_round: false,
            // The largest colliders reach out by 12.
            size: Vec2::splat(2.0 * spread + 24.0),
            corner_radius: 0.0,
            place: Vec2::ZERO,
            way: Vec2::ZERO,
            body: Body::Static,
            mass: 1.0,
            response: None,
            one_way: None,
            child: None,
            belt: None,
            is_rider: false,
            is_sensor: false,
            is_swept: false,
        }
    }

    /// The same with all places and sizes in steps of 1/32.
    fn rounded(self) -> Self {
        Self {
            size: round(self.size),
            corner_radius: round(Vec2::splat(self.corner_radius)).x,
            place: round(self.place),
            way: round(self.way),
            child: self.child.map(round),
            ..self
        }
    }

    fn half_size(&self) -> Vec2 {
        let own = if self.is_round {
            Vec2::splat(self.size.min_element())
        } else {
            self.size * 0.5
        };
        let child = self.child.map(|offset| offset.abs() + CHILD);
        own.max(child.unwrap_or_default())
    }

    fn is_apart_from(&self, other: &Self) -> bool {
        let gap = (self.place - other.place).abs() - self.half_size() - other.half_size();
        gap.max_element() > 0.0
    }

    fn spawn(&self, app: &mut App, turn: Turn) -> Entity {
        let place = Transform::from_translation(turn.place(self.place).extend(0.0));
        let mut one = app.world_mut().spawn((place, self.body, Mass(self.mass)));
        let (size, way) = (turn.size(self.size), turn.turn(self.way));
        if self.is_room {
            one.insert(BoundsCollider::new(size.x, size.y));
        } else if self.is_round {
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
        if let Some(offset) = self.child {
            let place = Transform::from_translation(turn.turn(offset).extend(0.0));
            one.with_child((CircleCollider::new(CHILD), place));
        }
        if let Some(belt) = self.belt {
            one.insert(SurfaceVelocity(turn.turn(belt) * 64.0));
        }
        if self.is_rider {
            one.insert(Rider::default());
        }
        if self.is_sensor {
            one.insert(Sensor);
        }
        one.id()
    }
}

/// The radius of the collider on a child.
const CHILD: f32 = 1.5;

fn round(vector: Vec2) -> Vec2 {
    (vector * 32.0).round() / 32.0
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
fn crowd(random: &mut fastrand::Rng, ways: Ways, has_room: bool) -> Vec<Spec> {
    let count = random.usize(4..24);
    let spread = 6.0 * (count as f32).sqrt();
    let mut crowd: Vec<Spec> = Vec::new();
    for _ in 0..count {
        let one = Spec::random(random, spread, ways);
        let is_free = |other: &Spec| {
            let may_overlap =
                one.response.is_none() && other.response.is_none() && ways.may_overlap;
            may_overlap || one.is_apart_from(other)
        };
        if crowd.iter().all(is_free) {
            crowd.push(one);
        }
    }
    if has_room {
        crowd.push(Spec::room(spread));
    }
    crowd
}

/// A collision by the numbers of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Report {
    pair: (usize, usize),
    /// As seen from the first.
    normal: Vec2,
    depth: f32,
    time: f32,
}

impl Report {
    /// Whether the two met in the middle of the tick.
    fn is_on_the_way(&self, tolerance: Tolerance) -> bool {
        self.time < 1.0 - tolerance.time
    }

    fn is_same(&self, other: &Self, tolerance: Tolerance) -> bool {
        self.pair == other.pair
            && self.normal.distance(other.normal) < tolerance.distance
            && (self.depth - other.depth).abs() < tolerance.distance
            && (self.time - other.time).abs() < tolerance.time
    }
}

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
            let (a, b) = (number(one.body_a)?, number(one.body_b)?);
            let (low, high) = (a.min(b), a.max(b));
            let normal = if a == low { one.normal } else { -one.normal };
            Some(Report {
                pair: (low, high),
                normal: self.turn.turn_back(normal),
                depth: one.depth,
                time: one.time,
            })
        });
        reports.collect()
    }

    fn places(&self) -> Vec<Vec2> {
        let places = self.bodies.iter().map(|&body| place(&self.app, body));
        places.map(|place| self.turn.place_back(place)).collect()
    }

    fn velocities(&self) -> Vec<Option<Vec2>> {
        let all = self.bodies.iter();
        let all = all.map(|&body| self.app.world().get::<Velocity>(body));
        let all = all.map(|one| one.map(|velocity| self.turn.turn_back(velocity.0)));
        all.collect()
    }

    /// Puts all bodies there, with these velocities.
    fn put(&mut self, places: &[Vec2], velocities: &[Option<Vec2>]) {
        for ((&body, &place), &velocity) in self.bodies.iter().zip(places).zip(velocities) {
            let mut entity = self.app.world_mut().entity_mut(body);
            let mut transform = entity.get_mut::<Transform>().expect("it has one");
            transform.translation = self.turn.place(place).extend(0.0);
            if let Some(mut own) = entity.get_mut::<Velocity>() {
                own.0 = self.turn.turn(velocity.expect("it has one as well"));
            }
        }
    }
}

/// Returns the first of these reports that is not among the others. A pair that hardly touches where the tick ends may be reported in one world only.
fn missing<'a>(
    reports: &'a [Report],
    others: &[Report],
    tolerance: Tolerance,
) -> Option<&'a Report> {
    reports.iter().find(|one| {
        let counts = one.depth > tolerance.distance || one.is_on_the_way(tolerance);
        counts && !others.iter().any(|other| one.is_same(other, tolerance))
    })
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    bodies: usize,
    reports: usize,
    /// Reports in the middle of a tick.
    on_the_way: usize,
    /// Bodies that ended elsewhere, and reports that were only in one of two worlds.
    differences: usize,
}

/// Compares these worlds with one that is not turned, tick by tick. `tell` is called with each difference.
fn compare(
    seed: u64,
    ways: Ways,
    (turns, tolerance): (&[Turn], Tolerance),
    mut tell: impl FnMut(String),
) -> Compared {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut compared = Compared::default();
    let are_rounded = turns.iter().any(|turn| turn.away != Vec2::ZERO);
    for number in 0..CROWDS {
        let mut crowd = crowd(&mut random, ways, number % 3 == 0);
        if are_rounded {
            crowd = crowd.into_iter().map(Spec::rounded).collect();
        }
        let mut straight = Turned::new(&crowd, NOT_TURNED);
        let turned = turns.iter().map(|&turn| Turned::new(&crowd, turn));
        let mut turned: Vec<Turned> = turned.collect();
        for tick in 0..TICKS {
            let reports = straight.tick();
            let (mut places, velocities) = (straight.places(), straight.velocities());
            let on_the_way = reports.iter().filter(|one| one.is_on_the_way(tolerance));
            compared.on_the_way += on_the_way.count();
            compared.reports += reports.len();
            compared.bodies += crowd.len();
            for other in &mut turned {
                let case = format!("{ways:?}, crowd {number}, {:?}, tick {tick}", other.turn);
                let mut differ = |what: String| {
                    compared.differences += 1;
                    tell(format!("{case}: {what}"));
                };
                let others_reports = other.tick();
                for (spec, (a, b)) in crowd.iter().zip(places.iter().zip(other.places())) {
                    if a.distance(b) >= tolerance.distance {
                        differ(format!("{a} or {b}, {spec:?}"));
                    }
                }
                for (some, others) in [(&reports, &others_reports), (&others_reports, &reports)] {
                    if let Some(one) = missing(some, others, tolerance) {
                        differ(format!("{one:?} is missing"));
                    }
                }
            }
            // All go on from the same state.
            if are_rounded {
                places.iter_mut().for_each(|place| *place = round(*place));
                straight.put(&places, &velocities);
            }
            for other in &mut turned {
                other.put(&places, &velocities);
            }
        }
    }
    assert!(compared.reports > CROWDS, "{compared:?}");
    let do_meet = ways.have_velocities || ways.are_swept;
    let is_met = compared.on_the_way > CROWDS;
    assert!(is_met || !do_meet, "{ways:?}: {compared:?}");
    compared
}

/// All mixtures that are compared.
fn ways(may_overlap: bool) -> impl Iterator<Item = (u64, Ways)> {
    let all = [
        (false, false, false),
        (true, false, false),
        (true, true, false),
        (false, true, true),
        (true, true, true),
    ];
    (0..).zip(all.map(|(have_velocities, have_one_ways, are_swept)| Ways {
        have_velocities,
        have_one_ways,
        are_swept,
        may_overlap,
    }))
}

#[test]
fn which_way_is_up_does_not_matter() {
    for (seed, ways) in ways(true) {
        compare(seed, ways, (&Turn::ALL, TURNED), |what| panic!("{what}"));
    }
}

/// All places and sizes are in steps that floats represent there as well. What is rounded in a tick may decide which of two is met first, or which way somebody is pushed: rarely.
#[test]
fn far_from_the_origin_all_is_the_same() {
    for (seed, ways) in ways(false) {
        let compared = compare(seed, ways, (&Turn::FAR_AWAY, FAR), |what| {
            println!("{what}")
        });
        let most = compared.bodies / 50;
        assert!(compared.differences < most, "{ways:?}: {compared:?}");
    }
}
