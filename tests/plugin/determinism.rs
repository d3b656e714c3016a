//! The same world gives the same bits, whatever the spawn order, whatever happened before, and whatever else is far away.

use bevy::prelude::*;
use bevy_nudge::prelude::*;
use proptest::prelude::*;

use crate::common::{app, at, place, take, tick, wall};

/// A collider of a random world.
#[derive(Clone, Copy, Debug)]
struct Spec {
    circle: bool,
    size: (f32, f32),
    place: (f32, f32),
    velocity: (f32, f32),
    body: Body,
    mass: f32,
    /// Moves by its velocity with this response; without one, the game moves its `Transform`.
    response: Option<Response>,
    extra: Extra,
}

/// What else the collider has or is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extra {
    Nothing,
    Swept,
    Rider,
    /// It is on a child of the body.
    Child,
    OneWay,
    /// It has a surface velocity.
    Belt,
    Sensor,
    /// It is a child of an entity that moves and is not a body.
    Squad,
    /// With a room of its own around it and all others: bodies that are pushed into a corner of it may end in one place, and then only their order tells them apart.
    Room,
}

#[derive(Component)]
struct Drift(Vec2);

fn drift(mut bodies: Query<(&Drift, &mut Transform)>) {
    for (drift, mut transform) in &mut bodies {
        transform.translation += drift.0.extend(0.0);
    }
}

fn spec() -> impl Strategy<Value = Spec> {
    let body = prop_oneof![
        3 => Just(Body::Dynamic),
        1 => Just(Body::Kinematic),
        1 => Just(Body::Static),
    ];
    let extra = prop_oneof![
        12 => Just(Extra::Nothing),
        4 => Just(Extra::Sensor),
        2 => Just(Extra::Swept),
        2 => Just(Extra::Rider),
        2 => Just(Extra::Child),
        2 => Just(Extra::OneWay),
        2 => Just(Extra::Belt),
        2 => Just(Extra::Squad),
    ];
    (
        any::<bool>(),
        (1.0_f32..12.0, 1.0_f32..12.0),
        (-60.0_f32..60.0, -60.0_f32..60.0),
        (-2.0_f32..2.0, -2.0_f32..2.0),
        body,
        0.25_f32..4.0,
        prop_oneof![
            4 => Just(None),
            2 => Just(Some(Response::Slide)),
            1 => (0.0_f32..1.0).prop_map(|restitution| Some(Response::Bounce { restitution })),
            1 => Just(Some(Response::Stop)),
            1 => Just(Some(Response::Pass)),
        ],
        extra,
    )
        .prop_map(
            |(circle, size, place, velocity, body, mass, response, extra)| Spec {
                circle,
                size,
                place,
                velocity,
                body,
                mass,
                response,
                extra,
            },
        )
}

/// What is told of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Start,
    Collision,
    End(EndReason),
    /// The first is crushed by the second.
    Crushed,
}

/// A report without its entities: the numbers of the two bodies, and the bits of the rest.
type Report = (usize, usize, What, [u32; 7]);

/// What was there after a tick, and what was told of it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tick {
    /// The bits of each place and velocity, by number.
    bodies: Vec<[u32; 4]>,
    reports: Vec<Report>,
}

impl Tick {
    /// Returns what is told of bodies with lower numbers only.
    fn below(&self, count: usize) -> Self {
        let reports = self.reports.iter().filter(|report| report.1 < count);
        Self {
            bodies: self.bodies[..count].to_vec(),
            reports: reports.copied().collect(),
        }
    }

    fn collisions(&self) -> usize {
        let all = self.reports.iter();
        all.filter(|report| report.2 == What::Collision).count()
    }
}

/// Spawns other colliders, lets them move for a while, and despawns them.
fn live_a_past(app: &mut App) {
    let others: Vec<Entity> = (0..400)
        .map(|number| {
            let [x, y] = [number % 20, number / 20].map(|cell| cell as f32 * 7.0);
            let mut other = app.world_mut().spawn((CircleCollider::new(3.5), at(x, y)));
            if number % 3 == 0 {
                other.insert(Velocity(Vec2::new(y, x)));
            }
            other.id()
        })
        .collect();
    for _ in 0..5 {
        tick(app);
    }
    for other in others {
        app.world_mut().despawn(other);
    }
}

/// Runs the world with its colliders spawned in this order. Returns all its ticks.
fn run(specs: &[Spec], order: &[usize], has_past: bool) -> Vec<Tick> {
    let mut app = app();
    app.add_systems(FixedUpdate, drift);
    if has_past {
        live_a_past(&mut app);
    }
    let mut entities = vec![Entity::PLACEHOLDER; specs.len()];
    for &number in order {
        let spec = specs[number];
        let mut one =
            app.world_mut()
                .spawn((at(spec.place.0, spec.place.1), spec.body, Mass(spec.mass)));
        if let Some(response) = spec.response {
            // Up to ten units a tick.
            one.insert((Velocity(Vec2::from(spec.velocity) * 320.0), response));
        } else if spec.body != Body::Static {
            one.insert(Drift(spec.velocity.into()));
        }
        if spec.circle {
            one.insert(CircleCollider::new(spec.size.0));
        } else {
            one.insert(BoxCollider::new(spec.size.0, spec.size.1));
        }
        match spec.extra {
            Extra::Nothing => &mut one,
            Extra::Swept => one.insert(Swept::default()),
            Extra::Rider => one.insert(Rider::default()),
            Extra::Child => one.with_child((CircleCollider::new(1.5), at(3.0, 1.0))),
            Extra::OneWay => one.insert(OneWay::default()),
            Extra::Belt => one.insert(SurfaceVelocity(Vec2::new(spec.size.0 * 8.0 - 40.0, 3.0))),
            Extra::Sensor => one.insert(Sensor),
            Extra::Squad => {
                let squad = (Transform::default(), Velocity(Vec2::new(20.0, -10.0)));
                let squad = one.world_scope(|world| world.spawn(squad).id());
                one.insert(ChildOf(squad))
            }
            Extra::Room => one.with_child(BoundsCollider::new(164.0, 160.0)),
        };
        entities[number] = one.id();
    }
    take_reports(&mut app, &entities);
    let ticks = (0..8).map(|_| {
        app.update();
        let reports = take_reports(&mut app, &entities);
        let bodies = entities.iter().map(|&entity| {
            let velocity = app.world().get::<Velocity>(entity);
            let velocity = velocity.map_or(Vec2::ZERO, |velocity| velocity.0);
            let place = place(&app, entity);
            [place.x, place.y, velocity.x, velocity.y].map(f32::to_bits)
        });
        Tick {
            bodies: bodies.collect(),
            reports,
        }
    });
    ticks.collect()
}

/// Takes all messages about these bodies, sorted.
fn take_reports(app: &mut App, bodies: &[Entity]) -> Vec<Report> {
    let mut reports = Vec::new();
    let number = |entity: Entity| bodies.iter().position(|one| *one == entity);
    let mut tell = |what: What, two: [Entity; 2], normal: Vec2, rest: [f32; 5]| {
        let [Some(a), Some(b)] = two.map(number) else {
            // Of what was before.
            return;
        };
        // The normal as seen from the body with the lower number. Adding 0 turns -0.0 into 0.0.
        let is_turned = a > b && what != What::Crushed;
        let normal = if is_turned { -normal } else { normal } + Vec2::ZERO;
        let (a, b) = if is_turned { (b, a) } else { (a, b) };
        let [c, d, e, f, g] = rest;
        let numbers = [normal.x, normal.y, c, d, e, f, g].map(f32::to_bits);
        reports.push((a, b, what, numbers));
    };
    for one in take::<CollisionStarted>(app) {
        let rest = [
            one.depth,
            one.point.x,
            one.point.y,
            one.time,
            one.approach_speed,
        ];
        tell(What::Start, [one.body_a, one.body_b], one.normal, rest);
    }
    for one in take::<Collision>(app) {
        let rest = [one.depth, one.point.x, one.point.y, one.time, 0.0];
        tell(What::Collision, [one.body_a, one.body_b], one.normal, rest);
    }
    for one in take::<CollisionEnded>(app) {
        tell(
            What::End(one.reason),
            [one.body_a, one.body_b],
            Vec2::ZERO,
            [0.0; 5],
        );
    }
    for one in take::<Crushed>(app) {
        // A child is told of as its body, as far as that is one.
        let parent = app.world().get::<ChildOf>(one.by).map(ChildOf::parent);
        let parent = parent.filter(|&parent| bodies.contains(&parent));
        let by = parent.unwrap_or(one.by);
        tell(
            What::Crushed,
            [one.body, by],
            Vec2::ZERO,
            [one.depth, 0.0, 0.0, 0.0, 0.0],
        );
    }
    reports.sort_unstable();
    reports
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_spawning_does_not_matter(
        (specs, order) in prop::collection::vec(spec(), 2..60).prop_flat_map(|specs| {
            let order: Vec<usize> = (0..specs.len()).collect();
            (Just(specs), Just(order).prop_shuffle())
        }),
    ) {
        let in_order: Vec<usize> = (0..specs.len()).collect();
        prop_assert_eq!(run(&specs, &in_order, false), run(&specs, &order, false));
    }

    /// What is kept from tick to tick makes answers faster, but does not change them.
    #[test]
    fn what_has_been_before_does_not_matter(specs in prop::collection::vec(spec(), 2..60)) {
        let in_order: Vec<usize> = (0..specs.len()).collect();
        prop_assert_eq!(run(&specs, &in_order, false), run(&specs, &in_order, true));
    }

    /// Other colliders may be jammed, fast, or many: they have no influence on colliders that they never meet.
    #[test]
    fn what_is_elsewhere_does_not_matter(
        specs in prop::collection::vec(spec(), 2..60),
        others in prop::collection::vec(spec(), 2..100),
        are_first in any::<bool>(),
    ) {
        let all = with_others_far_away(&specs, &others);
        let mut order: Vec<usize> = (0..all.len()).collect();
        if are_first {
            order.reverse();
        }
        let alone: Vec<usize> = (0..specs.len()).collect();
        let there = run(&all, &order, false);
        let there: Vec<Tick> = there.iter().map(|tick| tick.below(specs.len())).collect();
        prop_assert_eq!(there, run(&specs, &alone, false));
    }
}

/// Returns these, and others that are crowded together thousands of units away.
fn with_others_far_away(specs: &[Spec], others: &[Spec]) -> Vec<Spec> {
    let far_away = |spec: &Spec| Spec {
        place: (spec.place.0 / 4.0 + 3000.0, spec.place.1 / 4.0 - 5000.0),
        ..*spec
    };
    let others = others.iter().map(far_away);
    specs.iter().copied().chain(others).collect()
}

/// There are hundreds of overlaps in each tick, more than the plugin samples.
#[test]
fn nor_do_they_matter_in_a_crowd() {
    for seed in 12..18 {
        the_same_in_any_order(seed);
    }
}

fn the_same_in_any_order(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut number = |from: f32, to: f32| from + (to - from) * random.f32();
    let specs: Vec<Spec> = (0..400)
        .map(|index| Spec {
            circle: index % 2 == 0,
            size: (number(2.0, 9.0), number(2.0, 9.0)),
            place: (number(-90.0, 90.0), number(-90.0, 90.0)),
            velocity: (number(-2.0, 2.0), number(-2.0, 2.0)),
            body: match index % 10 {
                0 => Body::Static,
                1 => Body::Kinematic,
                _ => Body::Dynamic,
            },
            mass: number(0.5, 2.0),
            response: (index % 5 == 2).then_some(Response::Slide),
            extra: Extra::Nothing,
        })
        .collect();
    let mut order: Vec<usize> = (0..specs.len()).collect();
    let first = run(&specs, &order, false);
    let collisions: usize = first.iter().map(Tick::collisions).sum();
    assert!(collisions > 8 * 300, "{collisions} collisions");
    assert!(
        run(&specs, &order, true) == first,
        "the past matters, {seed}"
    );
    random.shuffle(&mut order);
    assert!(
        run(&specs, &order, false) == first,
        "the order matters, {seed}"
    );
    assert!(run(&specs, &order, true) == first, "both show, {seed}");
}

/// Returns colliders of few sizes in cells, with few velocities: so many of them are equally near to each other, meet at the same time, or are pressed equally from two sides.
fn in_cells(seed: u64) -> Vec<Spec> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut any = |of: &[f32]| of[random.usize(..of.len())];
    let aside = [Vec2::X, Vec2::Y][(seed % 2) as usize] / 128.0;
    let mut specs = Vec::new();
    for cell in 0..100_u8 {
        if any(&[0.0, 1.0, 1.0]) == 0.0 {
            continue;
        }
        let [x, y] = [cell % 10, cell / 10].map(|at| f32::from(at) * 8.0);
        let response = match any(&[0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 4.0]) {
            0.0 => None,
            1.0 => Some(Response::Slide),
            2.0 => Some(Response::Bounce {
                restitution: any(&[0.0, 0.5, 1.0]),
            }),
            3.0 => Some(Response::Stop),
            _ => Some(Response::Pass),
        };
        specs.push(Spec {
            circle: any(&[0.0, 1.0]) == 0.0,
            size: (any(&[2.0, 4.0]), any(&[4.0, 8.0])),
            place: (
                x + any(&[0.0, 0.0, 2.0]) + aside.x * f32::from(cell),
                y + any(&[0.0, 0.0, 2.0]) + aside.y * f32::from(cell),
            ),
            velocity: (any(&[-0.5, 0.0, 0.5]), any(&[-0.5, 0.0, 0.0, 0.5])),
            body: match any(&[0.0, 0.0, 0.0, 0.0, 1.0, 2.0]) {
                0.0 => Body::Dynamic,
                1.0 => Body::Kinematic,
                _ => Body::Static,
            },
            mass: any(&[1.0, 1.0, 2.0]),
            response,
            extra: match any(&[
                0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 6.0, 7.0, 8.0, 8.0,
            ]) {
                1.0 => Extra::Swept,
                2.0 => Extra::Rider,
                3.0 => Extra::Child,
                4.0 => Extra::OneWay,
                5.0 => Extra::Sensor,
                8.0 => Extra::Belt,
                6.0 => Extra::Squad,
                7.0 if cell % 5 == 0 => Extra::Room,
                _ => Extra::Nothing,
            },
        });
    }
    specs
}

/// Finds a platform on which anything has other bits than where this number was noted. If results are changed on purpose, the new one is to be noted.
#[test]
fn all_platforms_compute_the_same_bits() {
    // FNV-1a.
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |word: u32| {
        for byte in word.to_le_bytes() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let mut reports = 0;
    for seed in 0..4 {
        let specs = in_cells(seed);
        let order: Vec<usize> = (0..specs.len()).collect();
        for tick in run(&specs, &order, false) {
            tick.bodies.iter().flatten().for_each(|&word| add(word));
            reports += tick.reports.len();
            for (a, b, _, words) in tick.reports {
                [a as u32, b as u32]
                    .into_iter()
                    .chain(words)
                    .for_each(&mut add);
            }
        }
    }
    assert!(reports > 1000, "{reports}");
    assert_eq!(sum, GOLDEN, "{sum:#018x}");
}

/// The checksum of some worlds with everything in them.
const GOLDEN: u64 = 0x6a35_b8eb_dba0_1219;

#[test]
fn nor_do_they_where_much_is_alike() {
    for seed in 0..12 {
        let specs = in_cells(seed);
        let mut order: Vec<usize> = (0..specs.len()).collect();
        let first = run(&specs, &order, false);
        assert!(run(&specs, &order, true) == first, "{seed}: a past shows");
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        assert!(
            run(&specs, &order, false) == first,
            "{seed}: the order matters"
        );
    }
}

/// Colliders in one place are told apart by their outlines. Only equal ones may take each other's places.
#[test]
fn nor_do_they_where_several_are_in_one_place() {
    for seed in 0..24 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut specs = Vec::new();
        for cell in 0..36_u8 {
            // In some cells they move, all in the same way.
            let (velocity, response) = match random.u8(..4) {
                0 => ((0.5, 0.25), Some(Response::Slide)),
                1 => ((0.25, -0.5), None),
                _ => ((0.0, 0.0), None),
            };
            for number in 0..random.u8(1..5) {
                specs.push(Spec {
                    circle: number % 2 == 0,
                    size: (2.0 + f32::from(number), 3.0 + f32::from(random.u8(..3))),
                    place: (f32::from(cell % 6) * 9.0, f32::from(cell / 6) * 11.0),
                    velocity,
                    body: match random.u8(..6) {
                        0 => Body::Kinematic,
                        1 => Body::Static,
                        _ => Body::Dynamic,
                    },
                    mass: 1.0,
                    response,
                    extra: Extra::Nothing,
                });
            }
        }
        let mut order: Vec<usize> = (0..specs.len()).collect();
        let first = run(&specs, &order, false);
        random.shuffle(&mut order);
        let second = run(&specs, &order, false);
        assert!(first == second, "{seed}: the order matters");
    }
}

/// Two bodies between jaws that close, all at one height: one body has to go up, and the other down.
#[test]
fn nor_do_they_decide_who_goes_up() {
    let body = |x: f32, size: f32, body: Body, velocity: f32, response: Response| Spec {
        circle: body == Body::Dynamic,
        size: (size, 8.0),
        place: (x, 72.0),
        velocity: (velocity, 0.0),
        body,
        mass: 1.0,
        response: Some(response),
        extra: Extra::Nothing,
    };
    let bounce = Response::Bounce { restitution: 0.5 };
    let specs = [
        body(5.0, 2.0, Body::Kinematic, 0.5, Response::Slide),
        body(16.0, 4.0, Body::Dynamic, 0.0, bounce),
        body(26.0, 4.0, Body::Dynamic, 0.0, bounce),
        body(37.0, 4.0, Body::Kinematic, -0.5, Response::Slide),
    ];
    let first = run(&specs, &[0, 1, 2, 3], false);
    let last = first.last().expect("eight ticks");
    let height = |number: usize| f32::from_bits(last.bodies[number][1]);
    assert!(
        height(1) < 71.0 && height(2) > 73.0,
        "the left one goes down: {}, {}",
        height(1),
        height(2)
    );
    for order in [[3, 2, 1, 0], [2, 0, 3, 1]] {
        assert!(run(&specs, &order, false) == first, "{order:?}");
    }
    assert!(run(&specs, &[0, 1, 2, 3], true) == first, "a past");
}

/// A room that is too small for a body with two colliders: which of them sticks out is the same in any order.
#[test]
fn nor_do_they_where_a_room_is_too_small() {
    let run = |order: [usize; 3]| {
        let mut app = app();
        let body = app.world_mut().spawn_empty().id();
        for part in order {
            let world = app.world_mut();
            match part {
                0 => _ = world.spawn((BoundsCollider::new(84.0, 96.0), Body::Static)),
                1 => {
                    let parts = (BoxCollider::square(7.0), at(26.0, 0.0));
                    world.entity_mut(body).insert(parts);
                }
                _ => {
                    let arm = (BoxCollider::new(38.0, 8.0), at(99.0, 0.0));
                    world.spawn((arm, ChildOf(body)));
                }
            }
        }
        let places = (0..5).map(|_| {
            app.update();
            place(&app, body)
        });
        places.collect::<Vec<Vec2>>()
    };
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for order in orders {
        assert_eq!(run(order), run(orders[0]), "{order:?}");
    }
}

/// Where many overlap, the push-out of the next tick is split into districts; in a new world it never is.
#[test]
fn many_are_pushed_apart_as_in_a_world_that_is_new() {
    const SIDE: f32 = 460.0;
    let mut random = fastrand::Rng::with_seed(77);
    let shapes: Vec<(f32, Body)> = (0..2400)
        .map(|number| {
            let body = match number % 10 {
                0 => Body::Static,
                1 => Body::Kinematic,
                _ => Body::Dynamic,
            };
            (2.0 + 4.0 * random.f32(), body)
        })
        .collect();
    let spawn = |app: &mut App, places: &[Vec2]| -> Vec<Entity> {
        let all = shapes.iter().zip(places).enumerate();
        all.map(|(number, (&(half, body), place))| {
            let mut one = app.world_mut().spawn((at(place.x, place.y), body));
            match number % 2 {
                0 => one.insert(CircleCollider::new(half)),
                _ => one.insert(BoxCollider::square(2.0 * half)),
            };
            one.id()
        })
        .collect()
    };
    let mut places: Vec<Vec2> = (0..shapes.len())
        .map(|_| Vec2::new(random.f32(), random.f32()) * SIDE)
        .collect();
    let ways: Vec<Vec2> = (0..shapes.len())
        .map(|_| Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 4.0)
        .collect();
    let mut old = app();
    let entities = spawn(&mut old, &places);
    tick(&mut old);
    for number in 0..6 {
        for (at, &entity) in entities.iter().enumerate() {
            let mut transform = old.world_mut().get_mut::<Transform>(entity).unwrap();
            if shapes[at].1 != Body::Static {
                transform.translation += ways[at].extend(0.0);
            }
            places[at] = transform.translation.truncate();
        }
        let mut new = app();
        let twins = spawn(&mut new, &places);
        tick(&mut old);
        tick(&mut new);
        let mut pushed = 0;
        for (at, (&entity, &twin)) in entities.iter().zip(&twins).enumerate() {
            let [there, here] = [place(&old, entity), place(&new, twin)];
            let bits = |place: Vec2| place.to_array().map(f32::to_bits);
            assert_eq!(bits(there), bits(here), "{at} after {number} ticks");
            pushed += usize::from(there != places[at]);
        }
        assert!(pushed > 800, "{pushed} in tick {number}");
    }
}

/// A lift or a belt far away does not make a platform of what stands still here.
#[test]
fn nor_does_a_platform_elsewhere_change_who_lands_here() {
    let run = |others: fn(&mut App)| {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(64.0));
        let ball = (BoxCollider::new(12.0, 8.0), Response::bounce(0.5));
        let velocity = Velocity(Vec2::new(128.0, -10.0));
        let ball = app
            .world_mut()
            .spawn((ball, velocity, at(-12.0, 10.0)))
            .id();
        let cells = [(0, 0), (0, 1), (1, 0)].map(IVec2::from);
        let tiles = TileColliders::from_cells(Vec2::splat(3.0), cells);
        app.world_mut().spawn((tiles, at(-16.0, 12.0)));
        let still = (BoxCollider::square(4.0), Body::Kinematic);
        app.world_mut()
            .spawn((still, Velocity::default(), at(-10.0, 8.0)));
        others(&mut app);
        let mut ways = Vec::new();
        for _ in 0..6 {
            app.update();
            let velocity = app.world().get::<Velocity>(ball).unwrap().0;
            ways.push([place(&app, ball), velocity].map(|one| one.to_array().map(f32::to_bits)));
        }
        ways
    };
    let alone = run(|_| {});
    let with_lift = run(|app| {
        let lift = (
            CircleCollider::new(4.0),
            Body::Kinematic,
            Velocity(Vec2::new(24.0, 0.0)),
        );
        app.world_mut().spawn((lift, at(8168.0, 4073.0)));
    });
    let with_belt = run(|app| {
        let belt = (
            BoxCollider::square(4.0),
            Body::Static,
            SurfaceVelocity(Vec2::X),
        );
        app.world_mut().spawn((belt, at(8168.0, 4073.0)));
    });
    assert_eq!(with_lift, alone);
    assert_eq!(with_belt, alone);
}

/// Two that come in the same tick, to one place: which of them goes where is decided by their tags, whichever was spawned first. So it is the same for peers whose entities differ.
#[test]
fn tags_decide_who_goes_where_from_one_place() {
    let run = |tags: [u64; 3]| {
        let mut app = app();
        for tag in tags {
            let ball = (CircleCollider::new(5.0), CollisionTag(tag));
            app.world_mut().spawn((ball, at(0.0, 0.0)));
        }
        app.update();
        let mut balls = app.world_mut().query::<(&CollisionTag, &Transform)>();
        let balls = balls.iter(app.world()).map(|(tag, place)| {
            let place = place.translation.truncate().to_array();
            (tag.0, place.map(f32::to_bits))
        });
        let mut balls: Vec<_> = balls.collect();
        balls.sort_unstable();
        balls
    };
    let first = run([7, 8, 9]);
    assert_ne!(first[0].1, first[1].1);
    assert_ne!(first[1].1, first[2].1);
    for tags in [[7, 9, 8], [8, 7, 9], [8, 9, 7], [9, 7, 8], [9, 8, 7]] {
        assert_eq!(run(tags), first, "{tags:?}");
    }
}

/// A ball touches two flush tiles between them, and its center is on the corner of a third one. By depth and level sides the two are equal.
#[test]
fn which_of_two_tiles_is_a_wall_does_not_depend_on_their_order() {
    let tiles = [
        ((-16.0, -6.0), (0.0, 0.0)),
        ((0.0, -6.0), (8.0, 0.0)),
        ((0.0, 0.0), (16.0, 6.0)),
    ];
    for order in [
        [0, 1, 2],
        [1, 0, 2],
        [2, 1, 0],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
    ] {
        for is_ball_first in [false, true] {
            let mut app = app();
            app.insert_resource(CollisionSettings {
                push_out_rounds: 0,
                ..default()
            });
            let ball = |app: &mut App| {
                let ball = (CircleCollider::new(6.0), at(0.0, 6.0));
                app.world_mut().spawn(ball).id()
            };
            let early = is_ball_first.then(|| ball(&mut app));
            let mut walls = [Entity::PLACEHOLDER; 3];
            for number in order {
                let (from, to) = tiles[number];
                walls[number] = wall(&mut app, from, to);
            }
            let ball = early.unwrap_or_else(|| ball(&mut app));
            let hits = tick(&mut app);
            let normals = walls.map(|wall| {
                let hit = hits.iter().find(|hit| hit.involves(wall));
                hit.and_then(|hit| Some((hit.normal_for(ball)?, hit.depth)))
            });
            let floor = Some((Vec2::NEG_Y, 0.0));
            let expected = [floor, floor, Some((Vec2::X, 6.0))];
            assert_eq!(normals, expected, "{order:?}, {is_ball_first}");
        }
    }
}
