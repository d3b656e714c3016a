//! Measures the same queries to the same worlds: this crate's `SpatialQuery` and `ShapeIndex`, avian2d's and bevy_rapier2d's queries, and parry's BVH, in turn, in one run.
//!
//! ```text
//! cargo run --release --bin queries -- [--workloads swarm,mostly_static] [--counts 10000,100000] [--engines bevy_nudge,avian2d] [--kinds Point,Ray] [--rounds 7] [--questions 20000]
//! ```
//!
//! Where an engine can visit the hits without a list, it does; only the entity of a hit is used, and nothing is sorted, except for the ten nearest, which only some engines can find. The hits are counted; a count that differs by
//! more than rounding explains is marked.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use avian2d::prelude as avian;
use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_nudge::{
    kernel::{Shape, Touching},
    prelude as nudge,
    spatial::{Cast, ShapeIndex},
};
use bevy_rapier2d::{
    parry::{
        bounding_volume::Aabb,
        math::Vector as ParryVector,
        partitioning::{Bvh, BvhBuildStrategy},
        query::{PointQuery, Ray, RayCast},
        shape::{Ball, Cuboid},
    },
    prelude as rapier,
};
use rivals::{
    engines::engine,
    workloads::{Workload, workload},
};

/// A kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The first hit of a ray, so many units long.
    Ray(u32),
    /// The first hit of a ray from one side of the world to another.
    RayAcross,
    /// All hits of such a ray.
    RayAcrossAll,
    /// All colliders at a point.
    Point,
    /// All colliders in a circle of this radius.
    Circle(u32),
    /// So many colliders that are nearest to a point.
    Nearest(usize),
}

const KINDS: [Kind; 9] = [
    Kind::Ray(20),
    Kind::Ray(500),
    Kind::RayAcross,
    Kind::RayAcrossAll,
    Kind::Point,
    Kind::Circle(10),
    Kind::Circle(200),
    Kind::Nearest(1),
    Kind::Nearest(10),
];

const ENGINES: [&str; 5] = [
    "bevy_nudge",
    "ShapeIndex",
    "avian2d",
    "bevy_rapier2d",
    "parry Bvh",
];

/// One query: a place, and the motion of a ray from there.
#[derive(Clone, Copy, Debug)]
struct Question {
    place: Vec2,
    way: Vec2,
}

/// How long a round of queries took, and how many hits there were.
type Answer = (Duration, usize);

/// Answers queries with one engine; `None` for kinds that the engine does not support.
type Answerer<'a> = Box<dyn FnMut(Kind, &[Question]) -> Option<Answer> + 'a>;

fn main() -> Result<(), lexopt::Error> {
    use lexopt::prelude::*;
    let list = |value: std::ffi::OsString| -> Result<Vec<String>, lexopt::Error> {
        Ok(value.string()?.split(',').map(str::to_owned).collect())
    };
    let (mut names, mut counts) = (
        vec!["swarm".to_owned(), "mixed_sizes".to_owned()],
        vec![10_000, 100_000],
    );
    let (mut wanted, mut kinds) = (ENGINES.map(str::to_owned).to_vec(), vec![]);
    // So many queries that no processor's branch prediction remembers all of them from the last round.
    let (mut rounds, mut amount) = (7, 20_000);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("workloads") => names = list(arguments.value()?)?,
            Long("counts") => {
                let counts_given = list(arguments.value()?)?;
                counts = counts_given
                    .iter()
                    .map(|count| count.parse().map_err(|_| format!("not a count: {count}")))
                    .collect::<Result<_, _>>()?;
            }
            Long("engines") => wanted = list(arguments.value()?)?,
            // The kinds whose names begin with these.
            Long("kinds") => kinds = list(arguments.value()?)?,
            Long("questions") => amount = arguments.value()?.parse()?,
            Long("rounds") => rounds = arguments.value()?.parse()?,
            other => return Err(other.unexpected()),
        }
    }
    println!(
        "ns a question, the least of {rounds} rounds; in brackets, how many times that of bevy_nudge, and of its like without an ECS; none without bevy_nudge"
    );
    for name in &names {
        for &count in &counts {
            let workload = workload(name, count);
            println!("\n{name}, {count}");
            measure(&workload, &wanted, &kinds, (rounds, amount));
        }
    }
    Ok(())
}

fn measure(
    workload: &Workload,
    wanted: &[String],
    kinds: &[String],
    (rounds, amount): (usize, usize),
) {
    let mut answerers: Vec<(&str, Answerer)> = ENGINES
        .into_iter()
        .filter(|name| wanted.iter().any(|one| one == name))
        .map(|name| (name, answerer(name, workload)))
        .collect();
    print!("{:<16}", "");
    answerers.iter().for_each(|(name, _)| print!("{name:>26}"));
    println!();
    let is_wanted = |kind: &Kind| {
        let name = format!("{kind:?}");
        kinds.is_empty() || kinds.iter().any(|start| name.starts_with(start))
    };
    for kind in KINDS.into_iter().filter(is_wanted) {
        let amount = if kind == Kind::RayAcrossAll {
            amount / 10
        } else {
            amount
        };
        let questions = questions(kind, workload, amount);
        // Avian2d checks every collider for the nearest one: some milliseconds for each query.
        let few = &questions[..(amount / 1000).max(1)];
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); answerers.len()];
        let mut found = vec![None; answerers.len()];
        for _ in 0..rounds {
            for (at, (name, answerer)) in answerers.iter_mut().enumerate() {
                let (asked, times_as_many) = match (kind, *name) {
                    (Kind::Nearest(_), "avian2d") => (few, amount / few.len()),
                    _ => (&questions[..], 1),
                };
                // Asked once more before, so that no engine pays for what the others have evicted from the caches: a game asks after a tick that has touched all of the data.
                answerer(kind, asked);
                if let Some((time, count)) = answerer(kind, asked) {
                    found[at] = Some(count * times_as_many);
                    times[at].push(time * times_as_many as u32);
                }
            }
        }
        let least_times: Vec<Option<f64>> = times
            .iter_mut()
            .map(|times| {
                // Other work of the machine can only make a round longer, so the shortest counts.
                let least = times.iter().min()?;
                Some(least.as_secs_f64() * 1.0e9 / amount as f64)
            })
            .collect();
        let position = |name: &str| answerers.iter().position(|one| one.0 == name);
        let index = position("ShapeIndex").and_then(|at| least_times[at]);
        let own = position("bevy_nudge");
        let own_least = own.and_then(|at| least_times[at]);
        let own_found = own.and_then(|at| found[at]);
        print!("{:<16}", format!("{kind:?}"));
        for (((name, _), least), count) in answerers.iter().zip(&least_times).zip(&found) {
            let Some(least) = least else {
                print!("{:>26}", "-");
                continue;
            };
            let is_other = match (own_found, count) {
                (Some(own), Some(count)) => own.abs_diff(*count) > own / 500 + 2,
                _ => false,
            };
            let mark = if is_other { "!" } else { "" };
            // Bare shapes in a tree know nothing of entities, filters and new colliders; neither does the index, so the two are compared.
            let like = index.filter(|_| *name == "parry Bvh");
            let like = like.map_or(String::new(), |like| format!(", {:.2}", least / like));
            let ratios =
                own_least.map_or(String::new(), |own| format!(" ({:.2}{like})", least / own));
            print!("{:>26}", format!("{least:.0}{ratios}{mark}"));
        }
        let count = own_found.or(found.iter().copied().flatten().next());
        println!("   {:.2} found", count.unwrap_or(0) as f64 / amount as f64);
    }
}

fn questions(kind: Kind, workload: &Workload, amount: usize) -> Vec<Question> {
    let mut random = fastrand::Rng::with_seed(0x9e57);
    let half = workload.motion.half_side;
    let mut part = move || (random.f32() - 0.5) * 2.0;
    (0..amount)
        .map(|_| {
            let place = Vec2::new(part(), part()) * half;
            let direction = loop {
                let way = Vec2::new(part(), part());
                if (0.01..1.0).contains(&way.length_squared()) {
                    break way.normalize_or(Vec2::X);
                }
            };
            match kind {
                Kind::Ray(length) => Question {
                    place,
                    way: direction * length as f32,
                },
                // From somewhere on the left side to somewhere on the right, or from the bottom to the top, or the reverse.
                Kind::RayAcross | Kind::RayAcrossAll => {
                    let (from, to) = (part(), part());
                    let (mut from, mut to) = (Vec2::new(-1.0, from), Vec2::new(1.0, to));
                    if direction.x < 0.0 {
                        (from, to) = (to, from);
                    }
                    if direction.y < 0.0 {
                        (from, to) = (from.yx(), to.yx());
                    }
                    Question {
                        place: from * half,
                        way: (to - from) * half,
                    }
                }
                _ => Question {
                    place,
                    way: direction,
                },
            }
        })
        .collect()
}

/// Runs the queries, and counts the hits.
fn clock(questions: &[Question], mut count: impl FnMut(&Question) -> usize) -> Answer {
    let start = Instant::now();
    let mut found = 0;
    for question in questions {
        found += count(question);
    }
    (start.elapsed(), std::hint::black_box(found))
}

fn answerer<'a>(name: &'static str, workload: &'a Workload) -> Answerer<'a> {
    match name {
        "bevy_nudge" => {
            let mut app = running("bevy_nudge", workload);
            // A game asks in every tick. After the first query, the world keeps track of new and removed colliders, and only the next tick has done so.
            ask_nudge(&mut app, Kind::Point, &[]);
            app.update();
            Box::new(move |kind, questions| Some(ask_nudge(&mut app, kind, questions)))
        }
        "avian2d" => {
            let mut app = running("avian2d", workload);
            Box::new(move |kind, questions| ask_avian(&mut app, kind, questions))
        }
        "bevy_rapier2d" => {
            let mut app = running("bevy_rapier2d", workload);
            Box::new(move |kind, questions| ask_rapier(&mut app, kind, questions))
        }
        "ShapeIndex" => {
            let shapes = workload
                .specs
                .iter()
                .zip(0u32..)
                .map(|(spec, number)| (number, spec.shape(), spec.place()));
            let index = ShapeIndex::new(shapes);
            Box::new(move |kind, questions| Some(ask_index(&index, kind, questions)))
        }
        _ => {
            let parry = ParryWorld::new(workload);
            Box::new(move |kind, questions| ask_parry(&parry, kind, questions))
        }
    }
}

/// An app after two ticks in which nothing moves, so all engines have the same colliders in the same places.
fn running(name: &'static str, workload: &Workload) -> App {
    let mut still = workload.clone();
    for spec in &mut still.specs {
        spec.drift = [0.0; 2];
    }
    let mut engine = engine(name, &still).expect("a known engine");
    engine.app.update();
    engine.app.update();
    engine.app
}

fn ask_nudge(app: &mut App, kind: Kind, questions: &[Question]) -> Answer {
    let questions = questions.to_vec();
    let ask = move |space: nudge::SpatialQuery| {
        let all = nudge::QueryFilter::ALL;
        clock(&questions, |&Question { place, way }| {
            let mut found = 0;
            let _ = match kind {
                Kind::Ray(_) | Kind::RayAcross => {
                    return usize::from(space.cast_ray(place, way, &all).first().is_some());
                }
                Kind::Nearest(1) => {
                    return usize::from(space.nearest(place, f32::INFINITY, &all).is_some());
                }
                Kind::Nearest(count) => {
                    return space.nearest_n(place, count, f32::INFINITY, &all).len();
                }
                Kind::RayAcrossAll => space.cast_ray(place, way, &all).each(|_| {
                    found += 1;
                    ControlFlow::Continue(())
                }),
                Kind::Point => space.overlap_point(place, &all).each_entity(|_| {
                    found += 1;
                    ControlFlow::Continue(())
                }),
                Kind::Circle(radius) => {
                    let circle = space.overlap_circle(radius as f32, place, &all);
                    circle.each_entity(|_| {
                        found += 1;
                        ControlFlow::Continue(())
                    })
                }
            };
            found
        })
    };
    app.world_mut().run_system_once(ask).expect("it runs")
}

fn ask_index(index: &ShapeIndex<u32>, kind: Kind, questions: &[Question]) -> Answer {
    let all = |_| true;
    clock(questions, |&Question { place, way }| {
        let mut found = 0;
        let _ = match kind {
            Kind::Ray(_) | Kind::RayAcross => {
                return usize::from(index.cast(&Cast::ray(place, way), all).is_some());
            }
            Kind::Nearest(1) => {
                return usize::from(index.nearest(place, f32::INFINITY, all).is_some());
            }
            Kind::Nearest(count) => {
                return index.nearest_n(place, count, f32::INFINITY, all).len();
            }
            Kind::RayAcrossAll => index.cast_each(&Cast::ray(place, way), all, |_| {
                found += 1;
                ControlFlow::Continue(())
            }),
            Kind::Point | Kind::Circle(_) => {
                let shape = match kind {
                    Kind::Circle(radius) => Shape::circle(radius as f32).expect("valid"),
                    _ => Shape::POINT,
                };
                index.overlap_each_key(shape, place, Touching::Counts, all, |_| {
                    found += 1;
                    ControlFlow::Continue(())
                })
            }
        };
        found
    })
}

fn ask_avian(app: &mut App, kind: Kind, questions: &[Question]) -> Option<Answer> {
    if matches!(kind, Kind::Nearest(count) if count > 1) {
        return None;
    }
    let questions = questions.to_vec();
    let circle = match kind {
        Kind::Circle(radius) => avian::Collider::circle(radius as f32),
        _ => avian::Collider::circle(1.0),
    };
    let ask = move |space: avian::SpatialQuery| {
        let all = avian::SpatialQueryFilter::default();
        clock(&questions, |&Question { place, way }| {
            let mut found = 0;
            match kind {
                Kind::Ray(_) | Kind::RayAcross => {
                    let direction = Dir2::new(way).expect("it is not zero");
                    let hit = space.cast_ray(place, direction, way.length(), true, &all);
                    found = usize::from(hit.is_some());
                }
                Kind::RayAcrossAll => {
                    let direction = Dir2::new(way).expect("it is not zero");
                    space.ray_hits_callback(place, direction, way.length(), true, &all, |_| {
                        found += 1;
                        true
                    });
                }
                Kind::Point => space.point_intersections_callback(place, &all, |_| {
                    found += 1;
                    true
                }),
                Kind::Circle(_) => {
                    space.shape_intersections_callback(&circle, place, 0.0, &all, |_| {
                        found += 1;
                        true
                    })
                }
                Kind::Nearest(_) => {
                    found = usize::from(space.project_point(place, true, &all).is_some());
                }
            }
            found
        })
    };
    Some(app.world_mut().run_system_once(ask).expect("it runs"))
}

fn ask_rapier(app: &mut App, kind: Kind, questions: &[Question]) -> Option<Answer> {
    if matches!(kind, Kind::Nearest(count) if count > 1) {
        return None;
    }
    let questions = questions.to_vec();
    let circle = match kind {
        Kind::Circle(radius) => Ball::new(radius as f32),
        _ => Ball::new(1.0),
    };
    let ask = move |contexts: rapier::ReadRapierContext| {
        let context = contexts.single().expect("there is one");
        context.with_query_pipeline(rapier::QueryFilter::default(), |pipeline| {
            clock(&questions, |&Question { place, way }| match kind {
                Kind::Ray(_) | Kind::RayAcross => {
                    usize::from(pipeline.cast_ray(place, way, 1.0, true).is_some())
                }
                Kind::RayAcrossAll => pipeline.intersect_ray(place, way, 1.0, true).count(),
                Kind::Point => pipeline.intersect_point(place).count(),
                Kind::Circle(_) => pipeline.intersect_shape(place, 0.0, &circle).count(),
                Kind::Nearest(_) => {
                    usize::from(pipeline.project_point(place, f32::MAX, true).is_some())
                }
            })
        })
    };
    Some(app.world_mut().run_system_once(ask).expect("it runs"))
}

/// Shapes in a BVH of parry's, used without an engine.
struct ParryWorld {
    bvh: Bvh,
    shapes: Vec<(ParryVector, ParryShape)>,
}

enum ParryShape {
    Ball(Ball),
    Cuboid(Cuboid),
}

impl ParryWorld {
    fn new(workload: &Workload) -> Self {
        let shapes: Vec<_> = workload
            .specs
            .iter()
            .map(|spec| {
                let half = spec.size * 0.5;
                let shape = if spec.is_round {
                    ParryShape::Ball(Ball::new(half))
                } else {
                    ParryShape::Cuboid(Cuboid::new(ParryVector::new(half, half)))
                };
                (ParryVector::new(spec.x, spec.y), shape)
            })
            .collect();
        let boxes: Vec<Aabb> = workload
            .specs
            .iter()
            .map(|spec| {
                let (center, half) = (ParryVector::new(spec.x, spec.y), spec.size * 0.5);
                Aabb::from_half_extents(center, ParryVector::new(half, half))
            })
            .collect();
        Self {
            bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
            shapes,
        }
    }

    fn cast(&self, number: u32, ray: &Ray, most: f32) -> Option<f32> {
        let (center, shape) = &self.shapes[number as usize];
        let ray = Ray::new(ray.origin - *center, ray.dir);
        match shape {
            ParryShape::Ball(ball) => ball.cast_local_ray(&ray, most, true),
            ParryShape::Cuboid(cuboid) => cuboid.cast_local_ray(&ray, most, true),
        }
    }

    fn distance(&self, number: u32, point: ParryVector) -> f32 {
        let (center, shape) = &self.shapes[number as usize];
        match shape {
            ParryShape::Ball(ball) => ball.distance_to_local_point(point - *center, true),
            ParryShape::Cuboid(cuboid) => cuboid.distance_to_local_point(point - *center, true),
        }
    }
}

fn ask_parry(world: &ParryWorld, kind: Kind, questions: &[Question]) -> Option<Answer> {
    if matches!(kind, Kind::Nearest(count) if count > 1) {
        return None;
    }
    let around = |place: ParryVector, radius: f32| {
        let area = Aabb::from_half_extents(place, ParryVector::new(radius, radius));
        let near = world.bvh.intersect_aabb(&area);
        near.filter(|number| world.distance(*number, place) <= radius)
            .count()
    };
    Some(clock(questions, |&Question { place, way }| {
        let point = ParryVector::new(place.x, place.y);
        let ray = Ray::new(point, ParryVector::new(way.x, way.y));
        match kind {
            Kind::Ray(_) | Kind::RayAcross => {
                let hit = world
                    .bvh
                    .cast_ray(&ray, 1.0, |number, best| world.cast(number, &ray, best));
                usize::from(hit.is_some())
            }
            Kind::RayAcrossAll => {
                let leaves = world.bvh.leaves(|node| node.cast_ray(&ray, 1.0) < f32::MAX);
                leaves
                    .filter(|number| world.cast(*number, &ray, 1.0).is_some())
                    .count()
            }
            Kind::Point => around(point, 0.0),
            Kind::Circle(radius) => around(point, radius as f32),
            Kind::Nearest(_) => {
                let nearest = world.bvh.find_best(
                    f32::MAX,
                    |node, _| node.aabb().distance_to_local_point(point, true),
                    |number, _| Some(world.distance(number, point)),
                );
                usize::from(nearest.is_some())
            }
        }
    }))
}
